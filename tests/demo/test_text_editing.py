"""Forms that edit a given text: rewriting, summary, grammar."""

import re

import pytest

from inkframe.service.engines import WriteRequest
from inkframe.vocabulary import Vocabulary, compose_prompt
from inkframe_demo.text import write_text
from inkframe_demo.texts.sentences import sentences

SOURCE = (
    "The town library of Leith was founded in 1909. It has 42,000 books and a reading room with large windows. "
    "Because the old roof leaked, the building was closed for two years. The council paid 1.2 million euros for the "
    "repair.\n\nNow the library is open again, and many people use the new reading room every day. Mr. Finlay said it "
    "was a good idea. Children like the reading room because it has a small garden."
)
LEVELS = (0, 0.25, 0.5, 0.75, 1)


def write(label, source, creativity=0.5, take=0, **fields):
    template = Vocabulary().template(label)
    return write_text(WriteRequest(compose_prompt(template, source, **fields), creativity, template.id, take))


def corrected(source, **fields):
    return write("Content grammar", source, **fields).split("\n\n---\n\n")[0]


@pytest.mark.parametrize("creativity", LEVELS)
def test_a_summary_is_shorter_and_made_of_the_source(creativity):
    """Every sentence of a summary is in the source, in the same order, five at most."""
    given = [sentence for part in SOURCE.split("\n\n") for sentence in sentences(part)]
    for take in range(6):
        text = write("Content summary", SOURCE, creativity, take)
        found = [sentence for sentence in given if sentence in text]
        lead = text[: text.index(found[0])].strip()
        assert len(text) < len(SOURCE)
        assert 1 <= len(found) <= 5
        assert " ".join([lead, *found]).strip() == text
        assert lead == "" or lead.endswith(":")


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_summary_has_the_requested_number_of_sentences(count):
    """The requested number is kept if the source has more sentences."""
    text = write("Content summary", SOURCE, 0, sentences=count)
    assert sum(sentence in text for part in SOURCE.split("\n\n") for sentence in sentences(part)) == count


def test_a_summary_follows_its_focus():
    """Sentences about the focus come first, in every take."""
    for take in range(6):
        text = write("Content summary", SOURCE, 0, take, focus="the repair by the council", sentences=1)
        assert "1.2 million euros" in text


def test_a_summary_of_one_sentence_omits_side_remarks():
    """Remarks in brackets and side clauses are removed if there is only one sentence."""
    source = "The library (a listed building) is open again, although the garden is not."
    assert len(write("Content summary", source, 0)) < len(source)


@pytest.mark.parametrize("creativity", LEVELS)
def test_a_rewrite_keeps_facts_and_changes_words(creativity):
    """Figures and names stay, several words change, and the length stays about the same."""
    for take in range(4):
        text = write("Content rewrite", SOURCE, creativity, take)
        assert all(fact in text for fact in ("Leith", "1909", "42,000", "1.2 million", "Finlay", "two years"))
        assert len(set(SOURCE.split()) - set(text.split())) >= 4
        assert 0.7 < len(text) / len(SOURCE) < 1.4
        assert text.count("\n\n") == 1


def test_a_rewrite_keeps_the_given_words():
    """Words to keep are not replaced."""
    source = "The large windows are beautiful. Large windows are useful."
    text = write("Content rewrite", source, 1, keep="large windows")
    assert "large windows" in text
    assert "Large windows" in text
    assert "beautiful" not in text


@pytest.mark.parametrize(("tone", "said"), [("friendly", "don't"), ("formal", "do not")])
def test_a_rewrite_uses_the_tone(tone, said):
    """A casual tone uses contractions, a formal one the long forms."""
    source = "We do not know it. We don't know it."
    assert write("Content rewrite", source, 0, tone=tone).count(said) == 2


def test_a_text_without_known_words_is_marked_as_a_rewrite():
    """If no word can be replaced, the text says that it repeats the source."""
    assert write("Content rewrite", "Ada Lovelace met Charles Babbage.", 0).split(":")[0].count(" ") >= 1


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("i think so.", "I think so."),
        ("We met on monday in london.", "We met on Monday in London."),
        ("this is the the end.", "This is the end."),
        ("It is a apple and an pear.", "It is an apple and a pear."),
        ("It took a hour at a university in an uniform.", "It took an hour at a university in a uniform."),
        ("We recieve alot of letters.", "We receive a lot of letters."),
        ("Wait , what ?", "Wait, what?"),
        ("One,two and  three.", "One, two and three."),
        ("First.Second.", "First. Second."),
        ("He dont know.", "He doesn't know."),
        ("They was here, it have gone.", "They were here, it has gone."),
        ("You could of asked.", "You could have asked."),
        ("Its a good day and its roof is red.", "It's a good day and its roof is red."),
        ("She is taller. more then that, she runs.", "She is taller. More than that, she runs."),
        ("we will come back tomorow morning", "We will come back tomorrow morning."),
        ("There are many mistake's.", "There are many mistakes."),
        ("Less people came.", "Fewer people came."),
    ],
)
def test_mistakes_are_corrected(wrong, right):
    """Spelling, articles, capitals, doubled words, spaces, forms and periods are corrected."""
    assert corrected(wrong) == right


@pytest.mark.parametrize(
    "fine",
    [
        "Does he have a car? Let it have its way.",
        "She had had enough, and said that that was fine.",
        "See https://example.org/an/a.html or write to a.b@example.org, e.g. today.",
        "Use `teh  cmd` now.",
        "An hour, a one-way street, an MP and a union.",
        "The list is 1.5, 2,000 and 3.",
        "# A heading\n\n- a point\n- another point of the list here",
        "It is not vitamin A or B.",
        "NASA and iPhone stay as they are.",
    ],
)
def test_correct_texts_do_not_change(fine):
    """A text without mistakes does not change."""
    assert corrected(fine) == fine


def test_words_to_leave_alone_and_the_variety_are_respected():
    """Words to keep stay wrong, and spelling follows the requested variety of English."""
    assert (
        corrected("Our recieve API is grey.", keep="recieve", variety="American")
        == "Our recieve API is gray."
    )
    assert corrected("The color of the center.", variety="British") == "The colour of the centre."
    assert corrected("The color of the center.") == "The color of the center."


def test_the_correction_is_the_same_at_any_creativity():
    """Only the sentence below the rule varies; it counts the corrections."""
    wrong = "i recieve a apple ."
    for creativity in LEVELS:
        text, note = write("Content grammar", wrong, creativity, take=3).split("\n\n---\n\n")
        assert text == "I receive an apple."
        assert re.fullmatch(r"\*.*\b1 spelling\b.*\*", note)


def test_a_clean_text_says_that_nothing_was_corrected():
    """The note says that nothing was corrected."""
    assert not re.search(r"\d", write("Content grammar", "All is well.").split("---")[1])


@pytest.mark.parametrize("label", ["Content rewrite", "Content summary", "Content grammar"])
@pytest.mark.parametrize(
    "source", ["🎉", "日本の茶は美味しい。京都で飲んだ。", "x", "Ein Satz. Noch ein Satz. Und ein dritter."]
)
def test_any_source_gives_a_text(label, source):
    """Short, foreign and wordless sources are not errors."""
    assert write(label, source).strip()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Ames met J. R. Finch. They spoke.", 2),
        ("It cost 1.5 million. “Too much!” he said. Why?", 3),
        ("One sentence without an end", 1),
        ("一。二。", 2),
    ],
)
def test_sentences_are_found(text, count):
    """Abbreviations, initials, decimals and quotes do not end a sentence."""
    assert len(sentences(text)) == count
