"""The sheet as a person uses it: JupyterLab in Chromium, by keyboard, in both themes."""

import json
from zipfile import ZipFile

import pandas as pd
import pytest
from playwright.sync_api import expect

import inkframe as ink

pytestmark = pytest.mark.browser

SETUP = """
import inkframe as ink, pandas as pd
client = ink.connect(library={library!r})
words = ["kettle", "lamp", "rug", "desk", "chair", "bowl", "cup", "clock", "shelf", "mirror"]
products = pd.DataFrame({{"product": [f"a {{c}} {{w}}" for c in ("red", "blue", "green", "large") for w in words], "price": range(40)}})
"""
CELL = "sheet = ink.Sheet(client, products)\nsheet"
SHEET = 1


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Return the file of the library."""
    return str(tmp_path_factory.mktemp("library") / "library.db")


@pytest.fixture(scope="module")
def notebook(open_notebook, library):
    """Run a notebook with a sheet of 40 rows."""
    return open_notebook(SETUP.format(library=library), CELL)


def grid(notebook):
    """Return the table."""
    return notebook.cell(SHEET).get_by_role("grid")


def state(notebook, row):
    """Return the words for the state of the text in a row."""
    return grid(notebook).locator(f"[aria-rowindex='{row + 2}'] .ink-state").first


def test_a_prompt_by_keyboard(notebook):
    """A brace offers the columns, Tab takes one and completes a word, or offers all after a space; else, and after Escape, it leaves."""
    cell, keyboard = notebook.cell(SHEET), notebook.page.keyboard
    box = cell.get_by_label("Prompt")
    box.press_sequentially("Describe {pr")
    expect(cell.locator(".ink-options [role=option]")).to_have_text(["product", "price"])
    keyboard.press("Tab")
    expect(box).to_have_value("Describe {product}")
    keyboard.type(" for pri")
    keyboard.press("Tab")
    expect(box).to_have_value("Describe {product} for {price}")
    keyboard.type(" ")
    keyboard.press("Tab")
    expect(cell.locator(".ink-options [role=option]")).to_have_text(["product", "price"])
    keyboard.press("Escape")
    keyboard.press("Tab")
    expect(cell.get_by_label("Creates")).to_be_focused()
    box.press("End")
    keyboard.press("Backspace")
    keyboard.type(".")
    keyboard.press("Tab")
    expect(cell.get_by_label("Creates")).to_be_focused()


def test_a_few_then_the_rest_then_work_by_keys(notebook, library):
    """Preview, create the others, approve, reject, read, edit and make anew: by buttons and keys, stored by the service."""
    cell, keyboard = notebook.cell(SHEET), notebook.page.keyboard
    cell.get_by_role("button", name="Preview 3").click()
    cell.get_by_role("button", name="Create 37 documents").click()
    expect(cell.get_by_role("button", name="All created")).to_be_visible()
    grid(notebook).focus()
    for key in ("a", "ArrowDown", "x", "ArrowDown", "a"):
        keyboard.press(key)
    for row, words in enumerate(["approved", "rejected", "approved"]):
        expect(state(notebook, row)).to_have_text(words)
    keyboard.press("Enter")
    expect(cell.get_by_role("heading", name="a red rug", exact=True)).to_be_in_viewport()
    grid(notebook).focus()
    keyboard.press("ArrowDown")
    keyboard.press("e")
    text = cell.get_by_label("Text", exact=True)
    expect(text).to_be_focused()
    text.fill("My own words.")
    cell.get_by_role("button", name="Save text").click()
    expect(state(notebook, 3)).to_have_text("edited")
    grid(notebook).focus()
    keyboard.press("e")
    text.fill("Other words.")
    keyboard.press("Escape")
    expect(text).to_be_hidden()
    expect(cell.locator(".ink-pane").get_by_text("My own words.")).to_be_visible()
    grid(notebook).focus()
    keyboard.press("ArrowDown")
    keyboard.press("r")
    expect(cell.get_by_text("1 document created.")).to_be_visible()
    with ink.connect(library=library) as client:
        documents = client.documents.all(progress=False)
        assert len(documents) == 41
        assert (documents["result"] == "My own words.").sum() == 1


def test_rows_of_one_status_are_shown(notebook):
    """The filter shows the approved rows only, and all again."""
    cell = notebook.cell(SHEET)
    cell.get_by_label("Show").select_option("approved (2)")
    expect(grid(notebook)).to_have_attribute("aria-rowcount", "3")
    cell.get_by_label("Show").select_option("All rows")
    expect(grid(notebook)).to_have_attribute("aria-rowcount", "41")


def test_pictures_beside_the_texts(notebook):
    """A second column has pictures, which come as thumbnails; Enter brings a large one into view."""
    cell = notebook.cell(SHEET)
    cell.get_by_label("Creates").select_option("Pictures")
    expect(cell.get_by_label("Column", exact=True)).to_have_value("picture")
    cell.get_by_label("Prompt").fill("A photo of {product}")
    cell.get_by_label("Resolution").select_option(index=0)
    cell.get_by_role("button", name="Create 40 images").click()
    expect(cell.get_by_role("button", name="All created")).to_be_visible()
    grid(notebook).evaluate("e => e.scrollTop = 0")
    expect(grid(notebook).locator("[aria-rowindex='2'] img")).to_be_visible()
    notebook.resize(1280, 900)
    grid(notebook).focus()
    notebook.page.keyboard.press("Enter")
    expect(cell.locator(".ink-pane img")).to_be_in_viewport()
    notebook.resize(1280)


def test_the_table_as_an_excel_file(notebook, tmp_path):
    """One button downloads the table with its texts and pictures."""
    with notebook.page.expect_download() as download:
        notebook.cell(SHEET).get_by_role("button", name="Download Excel").click()
    assert download.value.suggested_filename == "products.xlsx"
    download.value.save_as(tmp_path / "products.xlsx")
    read = pd.read_excel(tmp_path / "products.xlsx")
    assert len(read) == 40
    assert read["text"][3] == "My own words."
    with ZipFile(tmp_path / "products.xlsx") as parts:
        assert sum(name.startswith("xl/media/") for name in parts.namelist()) == 40


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_severe_is_found(notebook, find_severe, theme):
    """axe-core finds no serious or critical violation, in either theme."""
    notebook.theme(theme)
    assert find_severe(notebook.page, ".jp-OutputArea-output > .ink-panel") == []


def test_nothing_breaks_when_it_is_narrow(notebook):
    """At 600 pixels the panel is no wider than its cell; the table scrolls by itself, and its texts keep their lines."""
    text = grid(notebook).locator(".ink-clip").first
    assert text.evaluate("e => getComputedStyle(e).whiteSpace") == "pre-line"
    notebook.resize(600, 1100)
    panel = notebook.cell(SHEET).locator(".ink-panel").first
    assert panel.evaluate("e => e.scrollWidth <= e.clientWidth")
    notebook.resize(1280)


def test_the_saved_notebook_is_small(notebook):
    """The notebook with its sheet is saved below 200 kB, with the table in it."""
    saved = json.dumps(notebook.save())
    assert len(saved) < 200_000
    assert saved.count("Saved preview") == 1
