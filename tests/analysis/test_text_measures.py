from dataclasses import asdict

import pytest

from inkframe.analysis import measure, text_statistics
from inkframe.analysis.similarity import pairwise_similarity

TEXTS = ["Tea is ready. Tea is hot.", "Tea is ready now.", "日本語のお茶", ""]


@pytest.mark.integration
def test_measures_equal_those_of_frames(documents):
    """A single text has the same measures as in a frame."""
    texts = documents["result"].tolist()
    frame = text_statistics(documents, language="en")
    found = measure(texts, language="en")
    assert [one.words for one in found] == frame["words"].tolist()
    assert [one.reading_ease for one in found] == pytest.approx(frame["reading_ease"].tolist())


def test_measures_of_a_few_texts():
    """Texts have words, different words and mean similarity to the others; unknown measures are None."""
    first, second, japanese, empty = measure(TEXTS)
    assert (first.words, first.distinct_words, first.reading_ease) == (6, 4, None)
    assert first.similarity == pytest.approx(pairwise_similarity(TEXTS)[0, 1:].mean())
    assert (japanese.words, japanese.distinct_words) == (None, None)
    assert (empty.words, second.words) == (0, 4)


def test_one_text_has_no_similarity():
    """A single text has no similarity; without texts there are no measures."""
    assert measure(["One."], language="en")[0].similarity is None
    assert measure([]) == []


def test_every_measure(address, recorded):
    """Every measure of rich texts."""
    recorded("measures", [asdict(one) for one in measure([*TEXTS, address], language="en")])
