import pytest

from inkframe.analysis.text_measures import is_english, syllables, syllables_of
from inkframe.analysis.words import tokens

#: Syllables as Merriam-Webster's Collegiate Dictionary divides the words.
DIVIDED = {
    1: "the make makes walked fire clothes league whole loved through queue friend don't",
    2: "table added settled unique lovely nation region science client quiet poem going being hundred centre",
    3: "creation idea area video radio usual influence genuine audience tourism however beautiful recipe",
    4: "material society experience reality situation environment advertisement continuous february",
    5: "creativity university association international individual opportunity",
}


@pytest.mark.parametrize(("count", "words"), DIVIDED.items())
def test_syllables_of_words(count, words):
    """Common words have the syllables of the dictionary."""
    assert {word: syllables(word) for word in words.split()} == dict.fromkeys(words.split(), count)


def test_numbers_and_abbreviations_are_one_syllable():
    """Words without vowels count as one syllable, as Flesch counts figures and abbreviations."""
    assert [syllables(word) for word in ("2026", "3.14", "tv", "html")] == [1, 1, 1, 1]


def test_accents_are_ignored():
    """Vowels with accents count like plain ones."""
    assert (syllables("Café"), syllables("naïve")) == (2, 2)


def test_syllables_are_summed_for_each_document(column):
    """Each document has the sum over its own words."""
    (parts,) = tokens(column("a kettle", "", "creativity creativity"))
    assert syllables_of(parts).tolist() == [3, 0, 10]


def test_languages():
    """English is recognized by its codes in any spelling; other codes are not English."""
    assert all(map(is_english, ("en", "EN-gb", "en_US", "English")))
    assert not any(map(is_english, ("de", "", None, float("nan"), "ent")))
