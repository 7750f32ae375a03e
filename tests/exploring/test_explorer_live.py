"""Exploring as a person does it: JupyterLab in Chromium, with mouse and keyboard."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SETUP = """
import numpy as np, pandas as pd
import inkframe as ink
kinds = np.repeat(["FAQ", "Slogan", "Poem"], [600, 400, 200])
docs = pd.DataFrame({
    "name": [f"Text {at}" for at in range(1200)],
    "template": pd.Categorical(kinds),
    "words": np.arange(1200) % 97,
    "result": pd.array([f"A {kind} about the number {at}, quiet and calm." for at, kind in enumerate(kinds)], "str"),
    "x": np.arange(1200.0), "y": np.zeros(1200),
}, index=pd.Index(range(1200), name="id"))
images = ink.connect(library=":memory:", sample=True).images.all()
"""
TEXTS, IMAGES = 1, 2


@pytest.fixture(scope="module")
def notebook(open_notebook):
    """Return a notebook with an explorer of texts and one of images."""
    cells = (
        "explorer = ink.Explorer(docs, x='x', y='y')\nexplorer",
        "pictures = ink.Explorer(images)\npictures",
    )
    return open_notebook(SETUP, *cells)


def test_facets_and_search_narrow_the_list(notebook):
    """Counts follow each change, and Clear all shows everything again."""
    cell = notebook.cell(TEXTS)
    cell.get_by_role("checkbox", name=re.compile("^Slogan")).check()
    expect(cell.get_by_text(re.compile("50 of 400$"))).to_be_visible()
    cell.get_by_role("searchbox").fill("number 61")
    expect(cell.get_by_text(re.compile("10 of 10$"))).to_be_visible()
    assert notebook.text("print(explorer.filters)") == "{'template': ['Slogan'], 'search': 'number 61'}"
    # A value that nothing has is as high as the others.
    expect(cell.get_by_role("checkbox", name=re.compile("^Poem 0"))).to_be_visible()
    values = cell.locator(".ink-facet-values label")
    assert len(set(values.evaluate_all("labels => labels.map(label => label.offsetHeight)"))) == 1
    cell.get_by_role("button", name="Clear all").click()
    expect(cell.get_by_text(re.compile("50 of 1,200$"))).to_be_visible()


MEANING = """
import threading
gate = threading.Event()

def embed(texts):
    gate.wait(60)
    return np.array([["Poem" in text, "FAQ" in text] for text in texts]) + 0.1

found = ink.Explorer(docs[["name", "result"]], vectors=embed)
found
"""


def test_the_switch_beside_the_search_finds_by_meaning(open_notebook):
    """A pause or Enter asks, in a thread with Cancel while the kernel is free; the other way searches the words."""
    notebook = open_notebook(SETUP, MEANING)
    cell = notebook.cell(1)
    cell.get_by_role("button", name="Meaning").click()
    cell.get_by_role("searchbox").fill("a Poem")
    expect(cell.get_by_text(re.compile("^Finding by meaning… 0 of 1200"))).to_be_visible()
    expect(cell.get_by_role("button", name="Cancel")).to_be_visible()
    expect(cell.get_by_text(re.compile("50 of 1,200$"))).to_be_visible()
    assert notebook.text("gate.set(); print(found.filters)") == "{}"
    expect(cell.get_by_text(re.compile("50 of 50$"))).to_be_visible()
    assert notebook.text("print(found.filters, found.shown.index.min())") == "{'near': 'a Poem'} 1000"
    cell.get_by_role("searchbox").fill("FAQ")
    cell.get_by_role("searchbox").press("Enter")
    expect(cell.get_by_role("gridcell", name=re.compile("^Text 0"))).to_be_visible()
    cell.get_by_role("button", name="Words").click()
    expect(cell.get_by_text(re.compile("50 of 600$"))).to_be_visible()
    assert notebook.text("print(found.filters)") == "{'search': 'FAQ'}"


def test_rows_are_read_and_labeled_by_key(notebook):
    """Arrows move and read, digits label; no key reaches the notebook."""
    cell = notebook.cell(TEXTS)
    cell.get_by_role("gridcell", name=re.compile("^Text 0")).click()
    expect(cell.locator(".ink-pane")).to_contain_text("about the number 0")
    notebook.page.keyboard.press("ArrowDown")
    expect(cell.locator(".ink-pane")).to_contain_text("about the number 1")
    notebook.page.keyboard.press("1")
    expect(cell.get_by_role("group", name="label", exact=True)).to_contain_text("keep")
    assert notebook.text("print(explorer.frame['label'].dropna().to_dict())") == "{1: 'keep'}"
    assert notebook.page.locator(".jp-MarkdownCell").count() == 0


def test_a_lasso_on_the_map_chooses(notebook):
    """What is inside is the selection, as a frame in the kernel."""
    cell = notebook.cell(TEXTS)
    cell.get_by_role("button", name="Map").click()
    canvas = cell.locator("canvas")
    expect(canvas).to_be_visible()
    expect(canvas).to_have_attribute("aria-label", "Map of 1,200 records")
    cell.get_by_role("button", name="Lasso").click()
    box = canvas.bounding_box()
    mouse, middle = notebook.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + 2, middle - 30)
    mouse.down()
    for x, y in ((box["width"] / 2, -30), (box["width"] / 2, 30), (2, 30)):
        mouse.move(box["x"] + x, middle + y, steps=4)
    mouse.up()
    expect(cell.get_by_text(re.compile("(59[0-9]|60[0-9]|610) selected$"))).to_be_visible()
    assert 590 <= int(notebook.text("print(len(explorer.selection))")) <= 610
    cell.get_by_role("button", name="List").click()
    cell.get_by_role("checkbox", name=re.compile("^Poem")).check()
    expect(cell.get_by_text(re.compile("([0-9]+) selected, \\1 hidden$"))).to_be_visible()
    expect(cell.get_by_role("button", name="Save as CSV")).to_be_disabled()
    assert notebook.text("print(len(explorer.selection))") == "0"
    cell.get_by_role("button", name="Clear all").click()
    expect(cell.get_by_text(re.compile("[0-9]+ selected$"))).to_be_visible()


def test_pictures_are_shown_large(notebook):
    """The gallery asks for what is in view."""
    cell = notebook.cell(IMAGES)
    cell.get_by_role("gridcell").nth(1).click()
    expect(cell.locator(".ink-pane img")).to_be_visible()


def test_settings_go_into_a_form(notebook):
    """Reuse settings opens a form in view, by key, filled with what the picture was generated from."""
    cell = notebook.cell(IMAGES)
    cell.get_by_role("gridcell").nth(1).click()
    notebook.page.keyboard.press("u")
    expect(cell.get_by_role("button", name="Create image")).to_be_in_viewport()
    expect(cell.get_by_role("textbox", name="Description")).not_to_be_empty()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [500, 900, 1400])
def test_nothing_is_severe_or_cut(notebook, find_severe, theme, width):
    """At any width, light and dark."""
    notebook.resize(width)
    notebook.theme(theme)
    assert find_severe(notebook.page, ".ink-explorer") == []
    for cell in (notebook.cell(TEXTS), notebook.cell(IMAGES)):
        panel = cell.locator(".ink-panel").first
        assert panel.evaluate("each => each.scrollWidth - each.clientWidth") <= 1
    assert notebook.errors == notebook.refused == []


def test_the_saved_notebook_is_small(notebook):
    """It has a table and no rows of the page."""
    assert len(str(notebook.save())) < 300_000
