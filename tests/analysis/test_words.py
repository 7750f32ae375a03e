import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkframe.analysis.validation import only_texts
from inkframe.analysis.words import combine, tokens, word_counts


def spelled(column, **options):
    return [parts.spell(at) for parts in tokens(column, **options) for at in range(parts.hashes.size)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # The examples of UAX #29, revision 45: "can't", "32.3", "brown", and single letters of ideographs.
        (
            "The quick (“brown”) fox can\u2019t jump 32.3 feet, right?",
            "the quick brown fox can't jump 32.3 feet right",
        ),
        ("snake_case 1,000.5 e.g. A.B.C", "snake_case 1,000.5 e.g a.b.c"),
        ("well-known — “quoted” 'end'", "well known quoted end"),
        ("café e\u0301te\u0301 हिन्दी Привет", "café e\u0301te\u0301 हिन्दी привет"),
        ("x² #tag @you a1b2", "x tag you a1b2"),
        ("日本 ok", "日 本 ok"),
        ("", ""),
    ],
)
def test_words_are_split_at_unicode_boundaries(column, text, words):
    """Words are split as in UAX #29, in lower case."""
    assert spelled(column(text)) == words.split()


@pytest.mark.parametrize(
    ("joiners", "letters", "digits"),
    [
        ("'.\u2018\u2019\u2024\ufe52\uff07\uff0e", 1, 1),
        (":\xb7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a", 1, 2),
        (",;\u037e\u0589\u060c\u060d\u066b\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b", 2, 1),
        ("_\u203f\uff3f", 1, 1),
        ("-/+\u2010 ", 2, 2),
    ],
)
def test_each_joiner_joins_letters_or_digits(column, joiners, letters, digits):
    """A joiner of UAX #29 joins letters, digits or both; only a connector joins one with the other."""
    mixed = 1 if "_" in joiners else 2
    for joiner in joiners:
        texts = [f"{before}{joiner}{after}" for before, after in ("ab", "12", "a2", "1b", "a日", " b", "a ")]
        assert word_counts(column(*texts))[0].tolist() == [letters, digits, mixed, mixed, 2, 1, 1]


@pytest.mark.parametrize("second", ["b c.", "é b.", ""])
def test_words_end_with_their_document(column, second):
    """A period at the end of a text does not join it to the first word of the next."""
    counts, _ = word_counts(column("end.", second, "next"))
    assert counts.tolist() == [1, len(second.split()), 1]


def test_scripts_without_spaces_have_no_words(column):
    """Japanese, Chinese and Thai have no words; Korean, and English with a Japanese name, do."""
    _, spaced = word_counts(column("日本語のテスト", "ภาษาไทย", "안녕하세요 세계", f"{'word ' * 20}日本", ""))
    assert spaced.tolist() == [False, False, True, True, True]


def test_pairs_join_letters_without_spaces(column):
    """With pairs, a run of ideographs becomes overlapping pairs; words stay unchanged."""
    assert spelled(column("日本語 and 字", "本"), pairs=True) == ["日本", "本語", "and", "字", "本"]
    assert spelled(column("to 日本 x日y 語 字"), pairs=True) == ["to", "日本", "x", "日", "y", "語", "字"]


def test_hashes_are_the_same_everywhere(column):
    """A word has the same hash at any position and in any process."""
    (parts,) = tokens(column("kettle Kettle", "a kettle"))
    assert parts.hashes[[0, 1, 3]].tolist() == [9319371562254840568] * 3
    assert parts.hashes[2] != parts.hashes[0]


def test_runs_stay_within_documents(column):
    """Runs of tokens do not cross documents, and a short document is one run."""
    (parts,) = tokens(column("a b c d", "", "a b", "a b c"))
    numbers, bounds = combine(parts, 3)
    assert bounds.tolist() == [0, 2, 2, 3, 4]
    assert numbers[0] == numbers[3]
    assert len(set(numbers.tolist())) == 3
    alone, followed = (next(tokens(column("a b", *more))) for more in ((), ("c", "d")))
    assert combine(alone, 4)[0][0] == combine(followed, 4)[0][0]


@pytest.mark.integration
@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab1 .,'\u2019é日\u0301\n_-", max_size=12), min_size=1, max_size=5))
def test_all_counts_agree(texts):
    """Counting texts separately, together and by listing their words gives the same numbers."""
    together, _ = word_counts(only_texts(texts))
    alone = [int(word_counts(only_texts([text]))[0][0]) for text in texts]
    listed = np.concatenate([parts.counts for parts in tokens(only_texts(texts))])
    assert together.tolist() == alone == listed.tolist()
