"""Test typefaces for text in pictures."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from inkframe.display.typeface import Typeface


def test_the_bundled_typeface_draws_plain_english():
    """English labels need only the font of Pillow."""
    face = Typeface(None, ["Pop art", "3D render", "Black and white"], 14)
    assert face.font.getname()[0] == "Aileron"
    assert face.missing == []


@pytest.mark.skipif(not find_spec("matplotlib"), reason="the wider typeface comes with matplotlib")
def test_a_larger_typeface_is_used_if_installed():
    """Characters that the bundled typeface lacks are drawn with DejaVu if matplotlib is installed."""
    face = Typeface(None, ["Résumé 512 \u00d7 512"], 14)
    assert face.font.getname()[0] == "DejaVu Sans"
    assert face.missing == []


def test_a_few_characters_are_replaced():
    """A missing multiplication sign becomes an x; other missing characters are left out."""
    face = Typeface(Typeface(None, ["a"], 14).font, ["512 \u00d7 512 \u2fa1 é"], 14)
    assert face.spell("512 \u00d7 512 \u2fa1") == "512 x 512"
    assert face.spell("e\u0301a") == "a"


def test_lines_fit_their_width():
    """Text breaks between words or within a long word, and ends in an ellipsis if more would follow."""
    face = Typeface(None, ["a"], 12)
    lines = face.lines("one two three four " * 20, 80, 4)
    assert len(lines) == 4
    assert all(face.width(text) <= 80 for text in lines)
    assert lines[0] == "one two three"
    assert lines[-1].endswith("…")
    assert "".join(face.lines("W" * 30, 60, 99)) == "W" * 30
    assert face.lines("", 60, 3) == []
