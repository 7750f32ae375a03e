import re
from html.parser import HTMLParser

import pytest

from inkframe.cli import doctor as notebooks
from inkframe.cli import main

#: Attributes that a browser loads automatically, by element; a link requires a click.
LOADED = {"src", "srcset", "poster", "data", "background", "action", "formaction"}


class Page(HTMLParser):
    """The elements of a page, and the addresses that a browser would load."""

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.elsewhere = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        """Record an element, and the addresses that its attributes would load."""
        found = {name: value or "" for name, value in attributes}
        self.elements.append((tag, found))
        names = LOADED | ({"href"} if tag in {"link", "image", "use", "base"} else set())
        self.elsewhere += [value for name in names if re.match(r"(https?:)?//", value := found.get(name, ""))]


@pytest.fixture
def tour(monkeypatch, tmp_path, capsys):
    """Return a function that runs a tour of the given cells, and returns its status, page and output."""

    def make(write_notebook, *cells):
        write_notebook(tmp_path / "package" / "notebooks" / "01_tour.ipynb", *cells)
        monkeypatch.setattr(notebooks, "PACKAGE", tmp_path / "package")
        output = tmp_path / "page.html"
        status = main(["tour", "--output", str(output)])
        return status, output, capsys.readouterr()

    return make


@pytest.mark.parametrize("place", ["no/tour.html", "."])
def test_a_page_that_cannot_be_written_is_reported_first(tmp_path, capsys, place):
    """A missing folder, or a folder in place of the file, is an error before anything is drawn."""
    assert main(["tour", "--output", str(tmp_path / place)]) == 1
    assert (
        f"--output must be a file in a folder that can be written to, got {tmp_path / place}."
        in capsys.readouterr().err
    )
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_folder_is_reported_first(tmp_path, capsys, monkeypatch):
    """Nothing is drawn for a page that cannot be written."""
    monkeypatch.setattr("os.access", lambda path, _mode: path != tmp_path)
    assert main(["tour", "--output", str(tmp_path / "tour.html")]) == 1
    assert "--output must be a file in a folder that can be written to" in capsys.readouterr().err


@pytest.mark.notebook
@pytest.mark.usefixtures("pen")
def test_a_tour_runs_on_its_own_library(tour, write_notebook, monkeypatch, tmp_path):
    """The settings of the user do not apply: neither their library nor their service nor their engine."""
    monkeypatch.setenv("INKFRAME_ENGINE", "openai")
    monkeypatch.setenv("INKFRAME_BASE_URL", "https://content.test")
    monkeypatch.setenv("INKFRAME_API_KEY", "key-7Qd2Zr9sLw4x")
    monkeypatch.setenv("INKFRAME_LIBRARY", str(tmp_path / "mine.db"))
    code = (
        "import inkframe\nwith inkframe.connect() as client:\n"
        "    print(len(client.images.all()), 'images'); print(client)"
    )
    status, output, said = tour(write_notebook, code)
    assert status == 0
    assert said.out == f"Tour: {output}\n"
    text = output.read_text(encoding="utf-8")
    assert "28 images" in text
    assert "demo engine" in text
    assert "key-7Qd2" not in text
    assert not (tmp_path / "mine.db").exists()


@pytest.mark.notebook
@pytest.mark.usefixtures("pen")
def test_a_cell_that_fails_ends_the_tour(tour, write_notebook):
    """The error of the cell is printed in one line, and no page is written."""
    status, output, said = tour(write_notebook, "1 / 0")
    assert status == 1
    assert "A cell of the tour failed: ZeroDivisionError: division by zero" in said.err
    assert not output.exists()


@pytest.mark.notebook
def test_the_tour_is_one_page_that_needs_no_network(tmp_path, capsys):
    """It shows pictures with alt texts, documents and tables, and loads nothing from the network."""
    output = tmp_path / "tour.html"
    assert main(["tour", "--output", str(output)]) == 0
    assert capsys.readouterr().out == f"Tour: {output}\n"
    text = output.read_text(encoding="utf-8")
    page = Page(text)
    pictures = [
        found for tag, found in page.elements if tag == "img" and found["src"].startswith("data:image/")
    ]
    assert len(pictures) >= 3
    assert all(found.get("alt") for found in pictures)
    assert len([tag for tag, _ in page.elements if tag == "table"]) >= 2
    assert text.count("<article") >= 2
    assert page.elsewhere == []
    assert not re.search(r"@import|url\(\s*['\"]?(https?:)?//", text)
    assert "Traceback" not in text
    assert len(text) < 5_000_000
