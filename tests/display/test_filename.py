"""File names from records."""

from __future__ import annotations

import pytest

from inkframe.display import file_name


@pytest.mark.parametrize(
    ("number", "name", "expected"),
    [
        (7, "Harbour: at dawn?", "7-Harbour-at-dawn.png"),
        (7, "../../etc/passwd", "7-etc-passwd.png"),
        ("../../x", "a", "x-a.png"),
        (7, "", "7.png"),
        (None, None, "untitled.png"),
        ("CON", "", "CON-file.png"),
        ("com¹", None, "com¹-file.png"),
        (1, "evil\u202egpj.exe\x00\n", "1-evilgpj-exe.png"),
        (1, "Cafe\u0301 日本 Ω", "1-Café-日本-Ω.png"),
        (1, "\U0001f600 . -", "1.png"),
        (".", "..", "untitled.png"),
    ],
)
def test_names_are_made_safe(number, name, expected):
    """Nothing of a name can lead elsewhere, mislead the eye or be kept for a device."""
    assert file_name(number, name, ".png") == expected


@pytest.mark.parametrize("name", ["W" * 5_000, "語" * 5_000, "\U00020000" * 500, "a b " * 900])
def test_names_are_bounded_in_bytes(name):
    """Five kilobytes become at most 120 bytes, cut between characters, also when numbered."""
    taken = set()
    for _ in range(12):
        found = file_name("9" * 500, name, ".png", taken)
        assert len(found.encode()) <= 120
        assert found.endswith(".png")
        assert "\ufffd" not in found


def test_names_never_collide():
    """Names that differ in case, in how an accent is written or in width are told apart by a number."""
    taken = set()
    names = [
        file_name(1, name, ".md", taken) for name in ("Straße", "STRASSE", "é", "e\u0301", "É", "\uff41", "a")
    ]
    assert len({name.casefold() for name in names}) == len(names)
    assert names[1] == "1-STRASSE-2.md"
