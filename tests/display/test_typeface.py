"""Test typefaces for text in pictures."""

from importlib.machinery import ModuleSpec
from importlib.util import find_spec

import pytest
from PIL import ImageFont

from inkframe.display.sheet import Typeface
from inkframe.errors import InvalidArgument


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


def test_a_loaded_font_is_taken_in_another_size():
    """In the size that is needed."""
    assert Typeface(Typeface(None, ["a"], 14).font, ["a"], 30).font.size == 30


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("one two", 1, ["one…"]),
        ("one two", 2, ["one", "two"]),
        ("one", 1, ["one"]),
        ("WWWWWWWW", 2, ["WWWW", "WWWW"]),
        ("WWWWWWWWW", 2, ["WWWW", "WWW…"]),
        ("a " * 4_000, 0, []),
    ],
)
def test_breaks_of_lines(text, most, expected):
    """Lines break at spaces or within a word, and only a text that goes on has an ellipsis."""
    face = Typeface(None, ["W"], 20)
    assert (
        face.lines(text, round(4.2 * face.width("W") if "W" in text else face.width("one two") - 1), most)
        == expected
    )


@pytest.mark.parametrize("origin", [None, "missing/__init__.py"])
def test_a_matplotlib_without_its_font_is_not_used(monkeypatch, tmp_path, origin):
    """Without the wider font, characters are missing, and there is no error."""
    spec = ModuleSpec("matplotlib", None, origin=origin and str(tmp_path / origin))
    monkeypatch.setattr("inkframe.display.sheet.find_spec", lambda _name: spec)
    face = Typeface(None, ["\u0416"], 14)
    assert (face.font.getname()[0], face.missing) == ("Aileron", ["\u0416"])


@pytest.mark.integration
def test_only_the_beginning_of_a_text_is_drawn():
    """Four thousand characters are looked at and drawn."""
    assert Typeface(None, ["x"], 12).lines("x" * 4_001, 10**6, 1) == ["x" * 4_000]
    font = ImageFont.load_default(12)
    for before, missing in ((3_999, ["\u2fa1"]), (4_000, [])):
        assert Typeface(font, ["x" * before + "\u2fa1"], 12).missing == missing


@pytest.mark.parametrize(("count", "more"), [(20, ""), (21, " and 1 more"), (30, " and 10 more")])
def test_the_warning_lists_twenty_characters(count, more):
    """Further characters are counted."""
    gone = [chr(0x2F00 + at) for at in range(count)]
    with pytest.warns(UserWarning, match="left out") as caught:
        Typeface(ImageFont.load_default(12), [*gone, "—"], 12).warn()
    listed = f"{' '.join(gone[:20])}{more}"
    assert [str(each.message).split("\n") for each in caught] == [
        [
            f"Aileron has no glyph for {listed}; they are left out.",
            "Pass font= with a font file that has them.",
        ]
    ]


def test_a_pillow_without_freetype_is_refused(monkeypatch):
    """Its default font has one size and no outlines; the error has the remedy."""
    monkeypatch.setattr(ImageFont, "load_default", lambda _size: ImageFont.ImageFont())
    with pytest.raises(InvalidArgument) as caught:
        Typeface(None, ["x"], 12)
    assert str(caught.value) == (
        "This Pillow was built without FreeType, which draws text.\nInstall Pillow from a wheel."
    )
