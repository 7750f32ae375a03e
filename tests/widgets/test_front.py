from __future__ import annotations

from importlib.resources import files

from inkframe.display.theme import style
from inkframe.widgets.front import look, script, sheet


def read(name):
    """Return a file of the folder."""
    return (files("inkframe.widgets.front") / name).read_text(encoding="utf-8")


def test_modules_and_sheets_are_the_files():
    """A module has the shared functions first, then the named files in their order; sheets are joined."""
    assert script("status") == read("element.js") + read("status.js")
    assert script("blobs", "picture_grid") == read("element.js") + read("blobs.js") + read("picture_grid.js")
    assert sheet("panel", "rating") == read("panel.css") + read("rating.css")
    assert f"<style>{look('prose')}</style>" == style("prose")
