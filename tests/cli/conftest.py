"""An engine that costs nothing behind every library that a command opens, and notebooks of a test's own."""

from __future__ import annotations

import nbformat
import pytest

from inkframe.cli import notebooks

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63686868000003040181c4e1c0db0000000049454e44ae426082"
)


class Pen:
    """One pixel, or the prompt."""

    name = "pen"
    is_stand_in = True

    def draw(self, request):
        """Give one pixel."""
        del request
        return PNG

    def write(self, request):
        """Give the prompt."""
        return request.prompt


@pytest.fixture
def pen(monkeypatch):
    """Have every library use an engine that costs nothing."""
    engine = Pen()
    monkeypatch.setattr("inkframe.service.service.find_engine", lambda _name=None: engine)
    return engine


@pytest.fixture
def write_notebook():
    """Give a function that writes a notebook of code cells."""

    def make(path, *cells):
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(book, path)
        return path

    return make


@pytest.fixture
def installed(monkeypatch, tmp_path, write_notebook):
    """Have the package lie where pip puts it, with two notebooks inside, and give the working folder."""
    package = tmp_path / "site-packages" / "inkframe"
    write_notebook(package / "notebooks" / "01_tour.ipynb", "1 + 1")
    write_notebook(package / "notebooks" / "02_more.ipynb", "2 + 2")
    monkeypatch.setattr(notebooks, "PACKAGE", package)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here
