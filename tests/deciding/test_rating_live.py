"""Rating as a person does it: JupyterLab in Chromium, with the keyboard, and the file of ratings afterwards."""

import os
import re
import signal

import pandas as pd
import psutil
import pytest
from playwright.sync_api import expect
from tests.browser import Notebook
from tests.waiting import until

import inkframe as ink

pytestmark = pytest.mark.browser

GROUPS = ("zqxplain", "zqxwarm", "zqxterse", "zqxbold")
CASES = ("the Quiet Kettle", "the Desk Lamp")
#: What no message to the page may hold before Reveal.
SECRETS = (*GROUPS, "secretname", "secretprompt", "9001002")
SETUP = """
import os, time
import inkframe as ink
import pandas as pd
runs = pd.read_parquet({runs!r})
images = ink.connect(library=":memory:", sample=True).images.all()
"""
CELLS = (
    "panel = ink.RatingPanel(runs, by='variant', per_group=60, rater='ana', path={path!r})\npanel",
    "pairs = ink.RatingPanel(runs, by='variant', mode='pairs', question='Which is better?', rater='ana', path={path!r})\npairs",
    "labels = ink.RatingPanel(images, by='style', mode='labels', labels=['keep', 'rework', 'drop'], question='What next?', path={path!r})\nlabels",
    "print('a cell of its own')",
)
#: A cell that becomes another heading if a digit reaches the notebook; it follows the panel.
HEADING = "# Which wording is best?"
PANEL, PAIRS, LABELS = 1, 2, 3
#: The type and the source of each cell.
STATE_OF_CELLS = """() => jupyterapp.shell.currentWidget.content.widgets
  .map(cell => `${cell.model.type} ${cell.model.sharedModel.source}`)"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write the runs to be rated, and name the file of the ratings."""
    folder = tmp_path_factory.mktemp("rating")
    asked = [(case, group) for _ in range(30) for case in CASES for group in GROUPS]
    rows = [
        {"id": 900_100_200_000 + number, "name": f"secretname {number}", "prompt": f"secretprompt {group}", "case": case,
         "variant": group, "result": f"# Number {number}\n\n" + f"A text about {case}. " * (5 + number % 40)}
        for number, (case, group) in enumerate(asked)
    ]  # fmt: skip
    pd.DataFrame(rows).to_parquet(folder / "runs.parquet")
    return {"runs": str(folder / "runs.parquet"), "path": str(folder / "ratings.jsonl")}


@pytest.fixture(scope="module")
def received():
    """Return what the page has received from the kernel."""
    return []


@pytest.fixture(scope="module")
def notebook(jupyterlab, chromium_page, files, received):
    """Open a notebook with a panel of each mode, and note what its page receives."""
    page = chromium_page()

    def note(frame):
        received.append(frame.encode() if isinstance(frame, str) else frame)

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    panel, *others = (cell.format(**files) for cell in CELLS)
    cells = [SETUP.format(**files), panel, HEADING, *others]
    return Notebook(page, jupyterlab, jupyterlab.write(cells)).open()


@pytest.fixture(autouse=True)
def unchanged_cells(notebook):
    """Check that no key changed a cell of the notebook."""
    before = notebook.page.evaluate(STATE_OF_CELLS)
    yield
    assert notebook.page.evaluate(STATE_OF_CELLS) == before


def stage(notebook, cell=PANEL):
    """Return the part of a panel that has the focus."""
    return notebook.cell(cell).locator(".ink-stage")


def saved(notebook, cell=PANEL):
    """Return how many judgments the page calls saved."""
    return int((notebook.cell(cell).locator(".ink-saved").text_content() or "0").split()[0] or 0)


def press(notebook, keys, cell=PANEL):
    """Press keys, each once an item is shown."""
    for key in keys:
        notebook.cell(cell).locator(".ink-rating:not(.ink-empty)").wait_for()
        notebook.page.keyboard.press(key)


def test_the_first_screen_is_the_first_item(notebook):
    """There is no setup: the question, the first item, the keys, how many, and what the plan can decide."""
    cell = notebook.cell(PANEL)
    expect(cell.get_by_text("60 texts a level: verdicts at 10, 20, 30 and 60.")).to_be_visible()
    expect(cell.get_by_text("How good is it?")).to_be_visible()
    expect(cell.locator(".ink-count")).to_have_text("1 of 240 · verdict at 40")
    expect(cell.locator(".ink-case")).to_have_text(re.compile("the (Quiet Kettle|Desk Lamp)"))
    expect(cell.locator(".ink-part h4")).to_have_text(re.compile(r"Number \d+"))
    expect(cell.get_by_text("Click to rate with keys")).to_be_visible()
    stage(notebook).click()
    expect(stage(notebook)).to_be_focused()
    expect(cell.get_by_text("Click to rate with keys")).to_be_hidden()


def test_keys_rate_skip_undo_and_take_a_reason(notebook, files):
    """Digits rate, s skips, z shows the last item again, r takes a reason; the focus stays where it is."""
    cell, keyboard = notebook.cell(PANEL), notebook.page.keyboard
    heading, saved = cell.locator(".ink-part h4"), cell.locator(".ink-saved")
    stage(notebook).focus()
    first = heading.text_content()
    keyboard.press("4")
    expect(heading).not_to_have_text(first)
    expect(saved).to_have_text("1 saved")
    second = heading.text_content()
    keyboard.press("z")
    expect(heading).to_have_text(first)
    expect(saved).to_have_text("")
    keyboard.press("r")
    keyboard.type("5 of 5, clear")
    keyboard.press("Enter")
    expect(stage(notebook)).to_be_focused()
    keyboard.press("2")
    expect(heading).to_have_text(second)
    expect(cell.get_by_label("Reason", exact=True)).to_have_value("")
    keyboard.press("s")
    expect(heading).not_to_have_text(second)
    expect(saved).to_have_text("1 saved")
    expect(stage(notebook)).to_be_focused()
    [rating] = ink.load_ratings(files["path"]).to_dict("records")
    assert (rating["value"], rating["reason"], rating["blind"]) == (2, "5 of 5, clear", True)


def test_keys_of_the_notebook_stay_silent(notebook):
    """Keys that delete, cut or change a cell in command mode do nothing on a panel; Ctrl+S still saves."""
    stage(notebook).focus()
    for key in ("d", "d", "x", "m", "y", "a", "b", "Escape", "6", "9", "Enter", "Shift+Enter"):
        notebook.page.keyboard.press(key)
    notebook.page.keyboard.press("Control+s")
    notebook.page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    expect(stage(notebook)).to_be_focused()


def test_the_call_to_click_covers_nothing(notebook):
    """Without the focus, the call to click is below the text; with it, the choices stay where they are."""
    cell = notebook.cell(PANEL)
    call = cell.get_by_text("Click to rate with keys")
    stage(notebook).blur()
    text, below, choices = (
        each.bounding_box() for each in (stage(notebook), call, cell.locator(".ink-rate"))
    )
    assert text["y"] + text["height"] <= below["y"]
    assert below["y"] + below["height"] <= choices["y"]
    call.click()
    expect(stage(notebook)).to_be_focused()
    expect(call).to_be_hidden()
    assert cell.locator(".ink-rate").bounding_box()["y"] == pytest.approx(choices["y"], abs=0.5)


def test_a_held_key_rates_once(notebook):
    """A digit that is held down rates the item that was shown, and no other."""
    stage(notebook).focus()
    before = saved(notebook)
    for _ in range(4):
        notebook.page.keyboard.down("3")
    notebook.page.keyboard.up("3")
    press(notebook, "3")
    expect(notebook.cell(PANEL).locator(".ink-saved")).to_have_text(f"{before + 2} saved")


def test_a_busy_kernel_stops_no_one(notebook):
    """While the kernel does not answer, the next items are there and nothing is called saved; then all of it is."""
    cell = notebook.cell(PANEL)
    before = saved(notebook)
    process = int(notebook.text("print(os.getpid())"))
    stage(notebook).focus()
    os.kill(process, signal.SIGSTOP)
    try:
        until(lambda: psutil.Process(process).status() == psutil.STATUS_STOPPED)
        press(notebook, "1234")  # the fifth may have been on its way when the kernel stopped
        expect(cell.locator(".ink-count")).to_contain_text(f"{before + 5} of 240")
        expect(cell.locator(".ink-saved")).to_contain_text("4 not saved yet: the kernel is busy")
        assert saved(notebook) == before
    finally:
        os.kill(process, signal.SIGCONT)
    expect(cell.locator(".ink-saved")).to_have_text(f"{before + 4} saved")


def test_pairs_by_arrows(notebook, files):
    """Left, right and a tie by the arrow below them."""
    stage(notebook, PAIRS).focus()
    press(notebook, ["ArrowLeft", "ArrowDown", "ArrowRight", "1"], PAIRS)
    expect(notebook.cell(PAIRS).locator(".ink-saved")).to_have_text("3 saved")
    ratings = ink.load_ratings(files["path"]).query("mode == 'pairs'")
    wins = [
        row["winner"] if pd.isna(row["winner"]) else row["winner"] == row["id"]
        for _, row in ratings.iterrows()
    ]
    assert wins[0] is True
    assert pd.isna(wins[1])
    assert wins[2] is False


def test_pictures_with_labels_by_mouse(notebook):
    """Pictures are large, have no name, and are labeled by buttons; the focus goes back to the keys."""
    cell = notebook.cell(LABELS)
    picture = cell.get_by_alt_text("Picture to rate")
    expect(picture).to_be_visible()
    expect(cell.get_by_text("The picture itself shows its style.")).to_be_visible()
    assert picture.get_attribute("src").startswith("blob:")
    cell.get_by_role("button", name="rework").click()
    expect(cell.locator(".ink-saved")).to_have_text("1 saved")
    expect(stage(notebook, LABELS)).to_be_focused()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_severe_is_found_in_panels(notebook, find_severe, theme):
    """axe-core finds no serious or critical violation in any mode, in either theme."""
    notebook.theme(theme)
    assert find_severe(notebook.page, ".jp-OutputArea-output > .ink-panel") == []


def test_nothing_breaks_when_it_is_narrow(notebook):
    """At 500 pixels nothing of a panel is wider than the panel."""
    notebook.resize(500, 1100)
    for cell in (PANEL, PAIRS, LABELS):
        panel = notebook.cell(cell).locator(".ink-panel").first
        assert panel.evaluate("e => e.scrollWidth <= e.clientWidth")
    notebook.resize(1280)


def test_200_ratings_by_keyboard(notebook, files, received):
    """Two hundred digits rate two hundred items; nothing that the page received has a group, a name or an id."""
    cell = notebook.cell(PANEL)
    stage(notebook).focus()
    press(notebook, [str(1 + number % 5) for number in range(saved(notebook), 200)])
    expect(stage(notebook)).to_be_focused()
    expect(cell.locator(".ink-saved")).to_have_text("200 saved")
    rated = ink.load_ratings(files["path"]).query("mode == 'scale'")
    assert len(rated) == rated["id"].nunique() == 200
    everything = b"".join(received)
    assert b"A text about" in everything
    assert [secret for secret in SECRETS if secret.encode() in everything] == []


def test_reveal_asks_first_and_shows_the_groups(notebook):
    """Before the end a question comes; then the standing is there, and keys go on rating."""
    cell = notebook.cell(PANEL)
    before = saved(notebook)
    cell.get_by_role("button", name="Reveal groups").click()
    lost = f"Ratings after Reveal do not count: {240 - before} would be left out."
    expect(cell.get_by_text(lost)).to_be_visible()
    cell.get_by_role("button", name="Keep rating").click()
    expect(cell.locator(".ink-results")).to_be_hidden()
    cell.get_by_role("button", name="Reveal groups").click()
    cell.get_by_role("button", name="Reveal now").click()
    expect(cell.locator(".ink-results tbody tr")).to_have_count(4)
    expect(cell.locator(".ink-results p").first).to_contain_text("for these 2 cases")
    expect(cell.locator(".ink-count")).to_contain_text("after Reveal: does not count")
    expect(cell.locator(".ink-group")).to_have_text(re.compile("|".join(GROUPS), re.IGNORECASE))
    expect(stage(notebook)).to_be_focused()
    press(notebook, "12")
    expect(cell.locator(".ink-saved")).to_have_text(f"{before + 2} saved")
    assert notebook.text("print(panel.ratings['blind'].tolist()[-2:])") == "[False, False]"


def test_a_new_render_keeps_the_focus(notebook):
    """A panel that is rendered again while it has the focus has it afterwards, and goes on."""
    stage(notebook).focus()
    before = saved(notebook)
    notebook.page.evaluate("""() => { const area = jupyterapp.shell.currentWidget.content.widgets[1].outputArea;
      area.model.fromJSON(area.model.toJSON()); }""")
    expect(stage(notebook)).to_be_focused()
    press(notebook, "345")
    expect(notebook.cell(PANEL).locator(".ink-saved")).to_have_text(f"{before + 3} saved")


def test_what_is_called_saved_survives_the_kernel(notebook, files):
    """The kernel is killed while keys are pressed: every judgment that the page called saved is in the file."""
    stage(notebook, PAIRS).focus()
    before = saved(notebook, PAIRS)
    process = int(notebook.text("print(os.getpid())"))
    press(notebook, ["ArrowLeft", "ArrowRight"] * 8, PAIRS)
    until(lambda: saved(notebook, PAIRS) > before)
    os.kill(process, signal.SIGKILL)
    called = saved(notebook, PAIRS)
    modes = ink.load_ratings(files["path"])["mode"].value_counts()
    assert modes["pairs"] >= called
    assert modes["scale"] >= saved(notebook) >= 200


def test_panels_ask_no_other_host_for_anything(notebook):
    """Nothing beyond this machine was asked for, and no script failed."""
    assert notebook.refused == []
    assert notebook.errors == []
