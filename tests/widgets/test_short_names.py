"""Test the short forms of names."""

import random

import pytest

from inkframe.widgets.rows import short_names

LONG = "A watercolor of a quiet harbor at dawn with two boats and a lighthouse"


def test_names_that_fit_are_unchanged():
    """A short name stays as it is, also beside long ones."""
    assert short_names(["Harbor", LONG], 42)["Harbor"] == "Harbor"


def test_what_makes_names_different_is_kept():
    """Names with a long beginning in common are shortened in the middle, at a word."""
    names = [f"{LONG}, {end}" for end in ("anime", "retro 1", "retro 2")]
    short = short_names(names, 42)
    assert list(short.values()) == [
        "A watercolor o…anime",
        "A watercolor o…retro 1",
        "A watercolor o…retro 2",
    ]


@pytest.mark.parametrize("count", [2, 3, 12])
def test_a_long_word_is_divided(count):
    """Names without spaces stay different too."""
    names = [f"{'x' * 80}{number}" for number in range(count)]
    assert len(set(short_names(names, 42).values())) == count


def test_different_names_stay_different():
    """However much names have in common around a number, they fit and none looks like another."""
    chance = random.Random(1)
    for _ in range(200):
        before, after = ("".join(chance.choices("ab  c", k=chance.randint(0, 90))) for _ in range(2))
        names = {f"{before}{number}{after}" for number in chance.sample(range(31), 12)}
        short = short_names(names, 42)
        assert max(map(len, short.values())) <= 42
        assert len(set(short.values())) == len(names)
