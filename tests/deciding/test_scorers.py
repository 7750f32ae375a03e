import math
import re

import pytest
from tests.cases import cases

import inkframe as ink
from inkframe.errors import InvalidArgument

scorers = ink.scorers


@cases(
    ("scorer", "text", "value"),
    [
        (scorers.contains("Kettle", "steel"), "A kettle of STEEL.", True),
        (scorers.contains("kettle", "steel"), "A kettle.", False),
        (scorers.contains("Kettle", case=True), "A kettle.", False),
        (scorers.excludes("cheap", "free"), "It is Free.", False),
        (scorers.excludes("cheap", "free"), "It is fine.", True),
        (scorers.matches(r"^\d+ cups$"), "12 cups", True),
        (scorers.matches("CUPS"), "12 cups", False),
        (scorers.matches("CUPS", re.IGNORECASE), "12 cups", True),
        (scorers.max_words(2), "one two", True),
        (scorers.max_words(2), "one two three", False),
        (scorers.min_words(2), "one", False),
        (scorers.min_words(1), "one", True),
        (scorers.max_words(2), "[one two](https://example.com/three/four) `five six`", True),
        (scorers.is_json, '{"a": [1]}', True),
        (scorers.is_json, '{"a": [1]} and', False),
        (scorers.is_json(), "[" * 100_000, False),
        (scorers.similarity_to("one two"), "ONE two!", 1.0),
        (scorers.similarity_to("one two"), "three", 0.0),
    ],
)
def test_scorers_are_functions_of_a_text(scorer, text, value):
    """Each scorer returns its value for one text."""
    assert scorer(text) == value


@pytest.mark.integration
def test_reading_ease_is_that_of_the_statistics():
    """The reading ease of a text is the measure of ink.analysis; a text without words has none."""
    text = "The kettle boils one liter. It is made of brushed steel."
    assert scorers.reading_ease(text) == ink.analysis.measure([text], language="en")[0].reading_ease
    assert math.isnan(scorers.reading_ease()("…"))


@cases(
    "make",
    [
        scorers.contains,
        lambda: scorers.contains(""),
        lambda: scorers.excludes(5),
        lambda: scorers.matches("("),
        lambda: scorers.max_words(-1),
        lambda: scorers.min_words("3"),
        lambda: scorers.similarity_to(""),
        lambda: scorers.by_row("row"),
        lambda: scorers.judge("ask", "How good?"),
        lambda: scorers.judge(str, ""),
        lambda: scorers.judge(str, "How good?", labels=["a", "A"]),
        lambda: scorers.judge(str, "How good?", labels=["a", "b"], against="c"),
        lambda: scorers.judge(str, "How good?", scale=1),
        lambda: scorers.judge(str, "How good?", limit=0),
    ],
)
def test_wrong_arguments_are_refused(make):
    """Scorers check their arguments when they are constructed."""
    with pytest.raises(InvalidArgument):
        make()


def test_tab_shows_scorers_only():
    """``ink.scorers.`` offers the scorers, and neither imports nor classes; all of them work as before."""
    assert dir(ink.scorers) == sorted(
        ["by_row", "contains", "excludes", "is_json", "judge", "matches", "max_words", "min_words",
         "reading_ease", "similarity_to"]
    )  # fmt: skip
    assert ink.scorers.Scorer
