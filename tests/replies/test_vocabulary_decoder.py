"""Values of a vocabulary, by code or label, alone or in an object."""

import pytest

from inkframe.replies.columns import VocabularyDecoder
from inkframe.replies.values import read_integer, read_number, read_text
from inkframe.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def labels():
    return VocabularyDecoder(Vocabulary())


@pytest.mark.parametrize(
    ("column", "read", "values"),
    [
        ("style", read_text, [
            ("pop_art", "pop_art"), ("Pop art", "pop_art"), ("POP-ART", "pop_art"), (None, None), ("", None), ("new one", "new one"),
            (5, "5"), ({"code": "pop_art", "label": "Anime"}, "pop_art"), ({"label": "Pop art"}, "pop_art"),
            ({"title": "Pop art"}, "pop_art"), ({"slug": "pop-art"}, "pop_art"), ({"name": 3, "value": "anime"}, "anime"),
            ({"other": "anime"}, "anime"), (["anime"], "anime"), ({"code": ""}, None),
        ]),
        ("style", read_text, [("anime", "anime"), ("", None), (None, None)]),
        ("creativity", read_number, [(0.5, 0.5), ("1", 1.0), ("Imaginative", 1.0), ({"label": "imaginative"}, 1.0), ("?", None), (None, None)]),
        ("template_id", read_integer, [(3, 3), ("3", 3), ({"id": 3}, 3), ("freestyle", 1), ({"name": "Freestyle"}, 1), ("?", None)]),
        ("template_id", read_integer, [(3, 3), (99, 99)]),
        ("name", read_text, [("Freestyle", "Freestyle"), (None, None), (4, "4")]),
    ],
)  # fmt: skip
def test_values_in_many_forms(labels, column, read, values):
    """Codes and labels are the same value, and what is unknown stays."""
    received = [value for value, _ in values]
    expected = [value for _, value in values]
    assert labels.read(column, received, read) == expected
    assert [
        labels.read(column, [value], read)[0] for value in received
    ] == expected  # alone, and a second time


def test_a_vocabulary_of_the_deployment():
    """Its own values are known, others are not."""
    own = VocabularyDecoder(Vocabulary(styles={"x1": "Pop art"}, templates={7: "Haiku"}))
    assert own.read("style", ["Pop art", "pop_art", "anime", "x1"], read_text) == ["x1", "x1", "anime", "x1"]
    assert own.read("template_id", ["haiku", "freestyle"], read_integer) == [7, None]
