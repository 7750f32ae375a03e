"""Large views, lists of keys, and what a narrow page scrolls to: JupyterLab in Chromium."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SETUP = """
import inkframe as ink
client = ink.connect(library=":memory:", sample=True)
"""
CELLS = (
    "browser = ink.ImageBrowser(client)\nbrowser",
    "tuner = ink.CreativityTuner(client, prompt='Product text for a kettle', creativity=[0, 1], repeats=1)\ntuner",
    "texts = ink.Explorer(client.documents.all())\ntexts",
    "panel = ink.RatingPanel(client.images.all())\npanel",
)
BROWSER, TUNER, TEXTS, RATING = range(1, 5)


@pytest.fixture(scope="module", params=[900, 1400])
def notebook(open_notebook, request):
    """A notebook on a narrow page, or a wide one."""
    return open_notebook(SETUP, *CELLS, viewport={"width": request.param, "height": 1000})


def test_a_question_mark_shows_the_keys_of_a_panel(notebook):
    """Those of its buttons and of its gallery; in a text field it is a character."""
    cell, keyboard = notebook.cell(BROWSER), notebook.page.keyboard
    keys = cell.get_by_role("dialog", name="Keys")
    cell.get_by_role("grid").focus()
    keyboard.press("?")
    for words in ("Large view", "Reuse settings", "Move the selection"):
        expect(keys.get_by_text(words)).to_be_visible()
    keyboard.press("Escape")
    expect(cell.get_by_role("grid")).to_be_focused()
    cell.get_by_label("Search", exact=True).press("?")
    expect(keys).to_have_count(0)
    expect(cell.get_by_label("Search", exact=True)).to_have_value("?")
    cell.get_by_label("Search", exact=True).fill("")
    stage = notebook.cell(RATING)
    stage.locator(".ink-stage").focus()
    keyboard.press("?")
    expect(stage.get_by_role("dialog", name="Keys").get_by_text("1–5")).to_be_visible()
    keyboard.press("Escape")


def test_texts_of_the_tuner_open_at_full_length(notebook):
    """By a button or Enter, one after the other; the focus returns to the button."""
    cell, keyboard = notebook.cell(TUNER), notebook.page.keyboard
    cell.get_by_role("button", name="Create 2 documents").click()
    opening = cell.get_by_role("button", name="Open").first
    expect(cell.get_by_text("2 documents created.")).to_be_visible()
    opening.click()
    text = cell.get_by_role("dialog", name="Text")
    expect(text.locator("strong")).to_have_text("Repetitive")
    whole = "element => element.scrollHeight <= element.clientHeight + 1"
    assert text.locator(".ink-text").evaluate(whole)
    keyboard.press("ArrowRight")
    expect(text.locator("strong")).to_have_text("Imaginative")
    expect(text).to_contain_text("unique words")
    keyboard.press("Escape")
    expect(opening).to_be_focused()
    cell.locator(".ink-text").first.press("Enter")
    expect(text).to_be_visible()
    keyboard.press("Escape")


def test_what_is_opened_is_scrolled_to(notebook):
    """Enter on a row brings the text into view, wherever the page has it, and rating blind its panel."""
    cell = notebook.cell(TEXTS)
    cell.locator(".ink-tile").first.scroll_into_view_if_needed()
    cell.locator(".ink-tile").nth(1).click()
    notebook.page.keyboard.press("Enter")
    expect(cell.locator(".ink-pane .ink-title")).to_be_in_viewport()
    cell.get_by_role("button", name="Rate blind (b)").click()
    expect(cell.locator(".ink-rating")).to_be_in_viewport()
