"""Offline texts: built from the words of the prompt, deterministic, and varied by creativity."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from itertools import combinations, pairwise
from pathlib import Path
from statistics import mean
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkframe.service.engines import WriteRequest
from inkframe.vocabulary import Vocabulary, compose_prompt
from inkframe_demo.text import write_text

VOCABULARY = Vocabulary()
PROMPTS = {
    int(number): fields
    for number, fields in tomllib.loads((Path(__file__).parent / "prompts.toml").read_text("utf-8")).items()
}
LEVELS = (0, 0.25, 0.5, 0.75, 1)
#: Fields with instructions on style, whose words need not appear.
MANNER = {"tone", "length", "seconds", "sentences", "focus", "variety", "avoid"}
#: Fields with the audience of a given text, whose words are not added.
MANNER_OF_A_SOURCE = {"audience", "reader"}


def full(number):
    return compose_prompt(number, **PROMPTS[number])


def required(number):
    subject = VOCABULARY.template(number).subject.name
    return compose_prompt(number, **{subject: PROMPTS[number][subject]})


def write(prompt, creativity=0.5, number=1, take=0):
    return write_text(WriteRequest(prompt, creativity, number, take))


def stems(text):
    return {word[:5] for word in re.findall(r"\w{4,}|\d+", str(text).casefold())}


def test_every_template_has_a_realistic_prompt():
    """The test prompts fill every field of all 52 templates."""
    for template in VOCABULARY.all_templates:
        assert set(PROMPTS[template.id]) == {field.name for field in template.fields}, template.label


@pytest.mark.parametrize("prompt", [full, required])
def test_creativity_0_repeats_itself_word_for_word(prompt):
    """At 0 the take has no effect in any form."""
    for number in PROMPTS:
        assert len({write(prompt(number), 0, number, take) for take in (0, 1, 7, 10**9)}) == 1, number


@pytest.mark.parametrize("takes", [(0, 1, 2), (41, 42, 57), (1000, 1003, 1011)])
@pytest.mark.parametrize("prompt", [full, required])
def test_creativity_1_gives_three_different_texts_in_three_takes(prompt, takes):
    """At 1 any two takes differ in every form."""
    for number in PROMPTS:
        assert len({write(prompt(number), 1, number, take) for take in takes}) == 3, number


def test_creativity_increases_variation():
    """With each step, two takes share fewer pairs of words."""

    def shared(level):
        found = []
        for number in PROMPTS:
            takes = [write(full(number), level, number, take).split() for take in range(3)]
            pairs = [set(pairwise(words)) for words in takes]
            found += [len(a & b) / max(1, len(a | b)) for a, b in combinations(pairs, 2)]
        return mean(found)

    measured = [shared(level) for level in LEVELS]
    assert measured[0] == 1
    assert all(before - after > 0.04 for before, after in pairwise(measured)), measured


def test_the_same_request_gives_the_same_text_in_another_process():
    """The text does not depend on the process, in particular not on its hash seed."""
    code = (
        "import sys; from inkframe.service.engines import WriteRequest as W;"
        "from inkframe_demo.text import write_text as w;"
        "from hashlib import sha256 as s; p = sys.stdin.read().split('\\x1e');"
        "print(s(''.join(w(W(t, 0.75, n, 3)) for n, t in enumerate(p, 1)).encode()).hexdigest())"
    )
    prompts = [full(number) for number in sorted(PROMPTS)]
    here = "".join(write(prompt, 0.75, number, 3) for number, prompt in enumerate(prompts, 1))
    there = subprocess.run(
        [sys.executable, "-c", code],
        input="\x1e".join(prompts),
        env={**os.environ, "PYTHONHASHSEED": "12345", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    assert there.stdout.strip() == hashlib.sha256(here.encode()).hexdigest()


def test_a_text_takes_less_than_five_milliseconds():
    """The mean processor time over all forms is below the limit."""
    write(full(1))
    started = process_time()
    for number in PROMPTS:
        write(full(number), 1, number)
    assert (process_time() - started) / len(PROMPTS) < 0.005


def test_every_filled_field_appears_in_the_text():
    """Words of each value that is not a style instruction appear in the text, at any creativity."""
    for number, fields in PROMPTS.items():
        manner = MANNER | (MANNER_OF_A_SOURCE if number in {14, 15} else set())
        if number == 30:
            continue  # invented names use the sounds of the words, not the words
        for level in LEVELS:
            text = write(full(number), level, number, 5).casefold()
            for name, value in fields.items():
                appears = name in manner or any(stem in text for stem in stems(value))
                # A line with a limit omits the words that do not fit.
                assert appears or number in {12, 18}, (number, name, text)


def test_the_subject_appears_in_the_text_when_no_other_field_is_filled():
    """With the required field alone, its own nouns are used."""
    for number in PROMPTS.keys() - {30}:
        subject = PROMPTS[number][VOCABULARY.template(number).subject.name]
        for level in LEVELS:
            text = write(required(number), level, number, 5).casefold()
            assert any(stem in text for stem in stems(subject)), (number, text)


@pytest.mark.parametrize(
    "broken",
    [r"\{\w* ?\w*\}", r"\[\w+\|", r"(?<!\|) \| (?!.*\|)", r"\bNone\b", r"\b[Aa] [aeio]\w", r"\bthe (?:the|an?)\b",
     r"\ba the\b", r"[.!?] [a-z](?!xample)", r"[a-z]  [a-z]", r"(?<!\.)\.\.(?!\.)", r" [,;.](?:\s|$)", r":\.", r"\(\)"],
)  # fmt: skip
def test_texts_are_well_formed(broken, texts):
    """No slot is left unfilled, no article is doubled or wrong, and every sentence starts with a capital."""
    for (number, _), text in texts.items():
        plain = re.sub(r"\w+\.example|\| .*|^\d+\. |(?<=\d)\.(?=\d)", "", text, flags=re.MULTILINE)
        assert not (match := re.search(broken, plain)), (
            number,
            plain[max(0, match.start() - 40) : match.end() + 20],
        )


@pytest.fixture(scope="module")
def texts():
    """Yield a text of every form from all fields and from required fields, at all levels."""
    return {
        (number, (prompt.__name__, level)): write(prompt(number), level, number, 3)
        for number in PROMPTS
        for prompt in (full, required)
        for level in LEVELS
    }


def test_the_first_line_decides_the_form():
    """A composed prompt gets its own form, even with another template number."""
    assert write(full(17), 0, number=1) != write(full(17), 0, number=17).replace("#", "")
    assert write(full(17), 0, number=1).startswith("#")
    assert len(write(full(20), 0, number=1)) <= 160


def test_a_plain_prompt_gets_the_form_of_its_number():
    """Without a known first line the number sets the form, and the prompt is the subject."""
    assert write("a street food market", 0, number=17).count("#") >= 8
    assert "street food market" in write("a street food market", 0, number=20).casefold()


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        (
            "Product text for a kettle that boils in two minutes and never drips",
            ["kettle", "It boils in two minutes"],
        ),
        ("Write a short text about the sea at dawn", ["the sea at dawn", "awn"]),
        ("How to descale a kettle", ["descaling a kettle"]),
        ("Why remote teams fail", ["remote teams fail"]),
        (
            "Our shop sells coffee. Our beans come from three small farms.",
            ["Our beans come from three small farms."],
        ),
        ("iPhone cases for NASA", ["iPhone cases"]),
        ("Der Hafen im Winter", ["“Der Hafen im Winter”"]),
        ("日本の茶", ["“日本の茶”"]),
    ],
)
def test_a_plain_prompt_gives_two_to_four_paragraphs_with_a_title(prompt, words):
    """Free texts have a title and use the prompt's words, quoted if they are not English."""
    for level in LEVELS:
        title, *paragraphs = write(prompt, level, take=2).split("\n\n")
        assert title.startswith("# ")
        assert 2 <= len(paragraphs) <= 4
        text = "\n".join([title, *paragraphs])
        assert all(word.casefold() in text.casefold() for word in words), text


@pytest.mark.parametrize(("length", "count"), [("short", 2), ("long", 4)])
def test_the_requested_length_is_used(length, count):
    """Short is two paragraphs, long is four."""
    text = write(compose_prompt("Freestyle", "the sea", length=length))
    assert len(text.split("\n\n")) == count + 1


def test_a_friendly_tone_shortens_words():
    """A casual tone uses contractions, a formal tone does not."""
    texts = {
        tone: "".join(
            write(compose_prompt("Paragraph", "a lamp", tone=tone), 1, 25, take) for take in range(9)
        )
        for tone in ("friendly", "formal")
    }
    assert "\u2019" in texts["friendly"]
    assert "\u2019" not in texts["formal"]


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(VOCABULARY.all_templates),
    st.lists(
        st.sampled_from(["a", "the", "how to", " ", "\n", ".", "?", ",", "|", "“", "{x}", "%s", "http://x.y/z", "42", "é",
                         "日本", "🎉", "\x00", "\r\n", "is", "that", "and", "kettle", "boils", "Ghent", "iPhone", "-", "#",
                         "Rules:", "Because it rains, we go.", "recieve", "\ud800"]),
        min_size=1, max_size=25,
    ),
    st.sampled_from(LEVELS),
    st.integers(-3, 10**12),
)  # fmt: skip
def test_any_prompt_gives_a_text(template, words, level, take):
    """Every prompt gives a text, and the same text again."""
    prompt = f"{template.opening}\n{' '.join(words)}" if take % 2 else " ".join(words)
    request = WriteRequest(prompt, level, template.id, take)
    assert write_text(request).strip()
    assert write_text(request) == write_text(request)


def test_an_unknown_template_gives_a_free_text():
    """An unknown template number is not an error."""
    assert write("a kettle", number=900).startswith("# ")
