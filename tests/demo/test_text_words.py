"""The words of the texts: articles, verbs, noun phrases, and the pools of patterns."""

import re

import pytest

from inkframe.vocabulary.vocabulary import read_templates
from inkframe_demo.texts.chunks import is_foreign, strip_request
from inkframe_demo.texts.material import as_infinitive, as_instruction, as_sentence, is_thing, split_items
from inkframe_demo.texts.nouns import key_phrases, noun_phrase
from inkframe_demo.texts.words import article, base_verb, capitalize, gerund, is_plural, third_person
from inkframe_demo.texts.writer import clipped, finish, pools


@pytest.mark.parametrize(
    ("words", "right"),
    [("apple", "an"), ("pear", "a"), ("hour", "an"), ("university", "a"), ("uninvited guest", "an"), ("umbrella", "an"),
     ("European", "a"), ("one-way street", "a"), ("MP", "an"), ("UN", "a"), ("8-bit chip", "an"), ("11", "an"),
     ("1 liter", "a"), ("honest answer", "an"), ("“odd” word", "an"), ("", "a")],
)  # fmt: skip
def test_articles_follow_the_sound(words, right):
    """The sound selects a or an, not the letter."""
    assert article(words) == right


@pytest.mark.parametrize(
    ("verb", "ing", "third"),
    [("bake", "baking", "bakes"), ("run", "running", "runs"), ("visit", "visiting", "visits"), ("tie", "tying", "ties"),
     ("see", "seeing", "sees"), ("carry", "carrying", "carries"), ("fix", "fixing", "fixes"), ("begin", "beginning", "begins"),
     ("boil", "boiling", "boils"), ("go", "going", "goes"), ("play", "playing", "plays")],
)  # fmt: skip
def test_verbs_are_inflected(verb, ing, third):
    """Gerunds and third persons are spelled correctly."""
    assert gerund(verb) == ing
    assert third_person(verb) == third
    assert base_verb(ing, clear=False) == verb
    assert base_verb(third, clear=False) == verb


PLURALS, SINGULARS = "kettles people children boxes", "kettle glass news bus physics coffee crisis dress"


@pytest.mark.parametrize("word", [*PLURALS.split(), *SINGULARS.split()])
def test_plurals_are_recognized(word):
    """Regular and irregular plurals are recognized; a final s alone does not mean one."""
    assert is_plural(word) == (word in PLURALS.split())


@pytest.mark.parametrize(
    ("value", "first", "again", "short"),
    [
        ("a harbor cafe for early risers", "a harbor cafe for early risers", "the harbor cafe for early risers", "the harbor cafe"),
        ("Hand-roasted coffee from Ghent, delivered weekly", "hand-roasted coffee from Ghent", "hand-roasted coffee from Ghent", "hand-roasted coffee"),
        ("kettle", "a kettle", "the kettle", "the kettle"),
        ("Northlight Bakery", "Northlight Bakery", "Northlight Bakery", "Northlight Bakery"),
        ("the Maritime Museum", "the Maritime Museum", "the Maritime Museum", "the Maritime Museum"),
        ("Aurora kettle", "an Aurora kettle", "the Aurora kettle", "the Aurora kettle"),
        ("How to descale a kettle", "descaling a kettle", "descaling a kettle", "descaling a kettle"),
        ("Sleep better on the night shift", "sleeping better on the night shift", "sleeping better on the night shift", "this"),
        ("growing tomatoes on a balcony", "growing tomatoes on a balcony", "growing tomatoes on a balcony", "this"),
        ("walking meetings are shorter", "walking meetings", "walking meetings", "walking meetings"),
        ("a folding bicycle", "a folding bicycle", "the folding bicycle", "the folding bicycle"),
        ("invoices that are paid late", "invoices that are paid late", "invoices that are paid late", "invoices"),
        ("a week without a car", "a week without a car", "the week without a car", "the week without a car"),
        ("our new reading room", "our new reading room", "our new reading room", "our new reading room"),
        ("your parcel arrives today", "your parcel", "your parcel", "your parcel"),
        ("We sell coffee in Ghent.", "coffee", "coffee", "coffee"),
        ("Why remote teams fail", "the question of why remote teams fail", "the question of why remote teams fail", "the question"),
        ("a bakery run by volunteers", "a bakery run by volunteers", "the bakery run by volunteers", "the bakery"),
        ("Der Hafen im Winter", "“Der Hafen im Winter”", "“Der Hafen im Winter”", "“Der Hafen im Winter”"),
        ("…", "the subject", "the subject", "the subject"),
        ("the", "the subject", "the subject", "the subject"),
    ],
)  # fmt: skip
def test_a_value_can_be_mentioned(value, first, again, short):
    """Every value has a first mention, a repeated mention, and a short mention."""
    phrase = noun_phrase(value)
    assert (phrase.indefinite, phrase.definite, phrase.short) == (first, again, short)


def test_a_relative_clause_is_kept_as_the_tail():
    """A clause after the noun is kept as a statement about it."""
    phrase = noun_phrase("Product text for a kettle that boils in two minutes and never drips")
    assert (phrase.text, phrase.tail) == ("kettle", "boils in two minutes and never drips")


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("a harbor cafe for early risers", ["harbor cafe", "risers"]),
        ("The warranty lasts ten years", ["warranty"]),
        ("Write a short text about the sea at dawn", ["sea", "dawn"]),
        ("La cuisine de ma grand-mère", ["“cuisine”", "“grand-mère”"]),
        ("", []),
    ],
)
def test_key_phrases_are_the_nouns_of_a_text(text, keys):
    """Verbs, adjectives and small words are not key phrases."""
    assert [key.text for key in key_phrases(text)] == keys


FOREIGN = ["Der Hafen im Winter", "La vie des abeilles", "日本の茶", "Уютный дом", "Een huis aan het water"]
ENGLISH = ["The café at the corner", "kettle", "Ghent", "naïve art", "C# for users", "42", ""]


@pytest.mark.parametrize("text", [*FOREIGN, *ENGLISH])
def test_other_languages_are_recognized(text):
    """Small words and scripts show that a text is not English; accents, names and single words do not."""
    assert is_foreign(text) == (text in FOREIGN)


@pytest.mark.parametrize(
    ("prompt", "rest"),
    [("Please write a short blog post about tea", "tea"), ("Describe the harbor", "the harbor"), ("tea", "tea"),
     ("Two paragraphs on tides", "tides"), ("Write me a poem", "a poem")],
)  # fmt: skip
def test_a_request_is_separated_from_its_subject(prompt, rest):
    """The words of the request are not part of the subject."""
    assert strip_request(prompt) == rest


@pytest.mark.parametrize(
    ("value", "items"),
    [("a, b and c", ["a", "b", "c"]), ("20,000 euros, by bus", ["20,000 euros", "by bus"]), ("x; y, z", ["x", "y, z"]),
     ("- one\n- two\n", ["one", "two"]), ("1. one\n2) two", ["one", "two"]), ("bread and butter", ["bread and butter"]),
     (" , ", [])],
)  # fmt: skip
def test_lists_are_split_at_their_separators(value, items):
    """Lines take precedence over semicolons, and those over commas; numbers keep their commas."""
    assert split_items(value) == items


def test_values_become_sentences_instructions_and_infinitives():
    """A predicate gets its subject, and an instruction its base form."""
    assert as_sentence("folds in ten seconds") == "It folds in ten seconds."
    assert as_sentence("folds flat and never rusts", "They", plural=True) == "They fold flat and never rusts."
    assert as_sentence("nothing is forgotten") == "Nothing is forgotten."
    assert as_instruction("bakes bread and sells cakes") == "bake bread and sell cakes"
    assert as_infinitive("mends what others throw away") == "to mend what others throw away"
    assert as_infinitive("a repair café") == "to offer a repair café"
    assert is_thing("a shelf of bowls")
    assert not is_thing("folds in ten seconds")


@pytest.mark.parametrize(
    ("text", "found"), [("x", "X."), ("Done!", "Done!"), ("“Yes.”", "“Yes.”"), ("iPhone", "iPhone.")]
)
def test_sentences_are_finished(text, found):
    """A missing capital and a missing period are added."""
    assert finish(text) == found


def test_a_clipped_text_ends_with_a_word():
    """The end is neither a partial word nor a small word."""
    assert clipped("a box of tea for the office", 14) == "a box of tea"
    assert clipped("unbreakable", 5) == "unbre"
    assert capitalize("éclair") == "Éclair"


SLOT = re.compile(r"\{(?:(\w+) )?(\w+)\}")
MODES = "the a core title just say do to ing list as what tell does some"
#: Names filled by forms besides the fields of templates.
FILLED = "topic key item fact claim tail told stem base count corrections call keyword"


def test_every_pattern_can_be_filled():
    """Each slot is a field of a template or filled by a form, and each pool of words exists."""
    fields = {field.name for template in read_templates() for field in template.fields}
    for name, patterns in pools().items():
        for pattern in patterns:
            for mode, slot in SLOT.findall(pattern):
                assert mode in {"", *MODES.split()}, (name, pattern)
                assert slot in pools() if mode == "some" else slot in {*fields, *FILLED.split()}, (
                    name,
                    pattern,
                )
            left = re.sub(r"\[[^|\[\]]*\|[^|\[\]]*\]", "", SLOT.sub("", pattern))
            assert not re.search(r"[\[\]{}]", left), (name, pattern)


def test_no_pattern_appears_twice_in_its_pool():
    """Pools have no duplicate patterns, and all patterns of a pool have the same number of parts."""
    for name, patterns in pools().items():
        assert len(set(patterns)) == len(patterns), name
        assert len({pattern.count(" | ") for pattern in patterns}) == 1, name
