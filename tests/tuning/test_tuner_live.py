"""What is missing for a verdict, added by a press in JupyterLab."""

import pytest
from playwright.sync_api import expect
from tests.browser import Notebook

pytestmark = pytest.mark.browser

CELLS = (
    "import inkframe as ink\nclient = ink.connect(library=':memory:')",
    "tuner = ink.CreativityTuner(client, prompt='About a kettle', creativity=[0.5, 1])\ntuner",
)
TUNER = 1
#: The kernel does not hear the first message of a panel that rates.
UNHEARD = """
from inkframe.deciding.rating_panel import RatingStage
heard, lost = RatingStage._handle_custom_msg, []
def lose_the_first(stage, message, buffers):
    if message["kind"] == "ready" and not lost:
        lost.append(message)
    else:
        heard(stage, message, buffers)
RatingStage._handle_custom_msg = lose_the_first
"""


def test_a_press_adds_what_a_verdict_needs(jupyterlab, chromium_page):
    """The texts come to be rated blind, with what they can decide; before an early Reveal, what it would leave out.

    The page asks again where the kernel did not hear it at first.
    """
    notebook = Notebook(chromium_page(), jupyterlab, jupyterlab.write([CELLS[0] + UNHEARD, CELLS[1]])).open()
    cell = notebook.cell(TUNER)
    cell.get_by_role("button", name="Add 8 a level for a verdict").click()
    expect(cell.locator(".ink-count")).to_have_text("1 of 20 · verdict at 20")
    expect(cell.get_by_text("10 texts a level: a verdict at 10.")).to_be_visible()
    expect(cell.get_by_role("button", name="a level for a verdict")).to_be_hidden()
    cell.locator(".ink-rating:not(.ink-empty)").wait_for()
    cell.locator(".ink-stage").focus()
    notebook.page.keyboard.press("4")
    expect(cell.locator(".ink-saved")).to_have_text("1 saved")
    cell.get_by_role("button", name="Reveal groups").click()
    expect(cell.get_by_text("Ratings after Reveal do not count: 19 would be left out.")).to_be_visible()
    cell.get_by_role("button", name="Reveal now").click()
    expect(cell.get_by_text("0 texts a level: a verdict needs 10.")).to_be_visible()
    expect(cell.get_by_role("button", name="Add 10 a level for a verdict")).to_be_visible()
