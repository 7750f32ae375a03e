"""Rows as a person uses them, in each of their shapes and without a panel around them: JupyterLab in Chromium."""

import json

import pytest
from playwright.sync_api import expect
from tests.waiting import until

pytestmark = pytest.mark.browser

SETUP = """
import json, ipywidgets, pandas as pd
import inkframe as ink
from inkframe.display.fragments import look_cell
from inkframe.display.markup import join, tag
from inkframe.frames import rows_of
from inkframe.widgets.panel import Status
from inkframe.widgets.rows import RecordGallery, Rows
from inkframe.widgets.sheet_table import SheetTable

sample = ink.connect(library=":memory:", sample=True)
pictures = [(row, sample.images.get(row["id"]).picture_bytes) for row in rows_of(sample.images.list(per_page=25))]
acts, most = [], []

def records(count, run):
    return [{**pictures[n % 25][0], "id": run * 100_000 + n, "name": f"Run {run}", "file": n % 25, "favorite": False} for n in range(count)]

def acted(kind, keys, message):
    acts.append([kind, keys, message.get("name")])
    if kind == "favorite":
        record = next(each for each in gallery._records if str(each["id"]) == keys[0])
        gallery.show_changed({**record, "favorite": not record["favorite"]})

def framed(rows):
    box = ipywidgets.VBox([rows, Status()])
    for name in ("inkframe", "ink-panel"):
        box.add_class(name)
    return box

def done(expression, wanted):
    found = json.dumps([expression, acts])
    if json.loads(found) == wanted:
        acts.clear()
    print(found)
"""
CELLS = (
    """gallery = RecordGallery(acted, lambda record: pictures[record["file"]][1], label="Images")
send = gallery.send
gallery.send = lambda content, buffers=None: (most.append(len(buffers or [])), send(content, buffers))
gallery.show([{**each, "name": f"Picture {n}" if n else "WWWWWWWW MMMMMMMM"} for n, each in enumerate(records(10_000, 0))])
framed(gallery)""",
    """texts = RecordGallery(acted, None, label="Texts")
texts.show([{"id": n, "name": f"Text {n}", "template": "FAQ", "result": "Some words."} for n in range(500)])
framed(texts)""",
    """table = SheetTable(pd.DataFrame({f"column {n}": range(5_000) for n in range(8)}), {}, print, print)
table.show("", "")
framed(table)""",
    """looks = Rows(
    lambda begin, end: [join(tag("div", f"line {n}", role="rowheader"), *(look_cell(f"{n}|{m}", f"look {m}", "empty") for m in range(5))) for n in range(3)][begin:end],
    acted, shape="looks", label="Looks", acts=dict.fromkeys(("click", "Enter", " "), "press"),
)
looks.lay_out("012", head=str(join(tag("span"), *(tag("div", f"look {m}", role="columnheader", data_column=m) for m in range(5)))))
framed(looks)""",
)
GALLERY, TEXTS, TABLE, LOOKS = range(1, 5)
#: Adds a generated column to the table.
GENERATED = """table.frame = table.frame.assign(**{{"{0}": "Some words.", "{0}_id": range(5_000), "{0}_status": "created", "{0}_error": None}})
table.show("", "{0}")"""
#: Shows other pictures; true once every tile of the first row shows its own.
FIRST_ROW = """async run => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  kernel.requestExecute({code: `gallery.show(records(10_000, ${run}))`, store_history: false});
  const isThere = () => {
    const tiles = [...(document.querySelector('.ink-gallery-view .ink-lane')?.children ?? [])];
    const image = tile => tile.querySelector('img');
    return tiles.length && tiles.every(tile => tile.textContent.includes(`Run ${run}`) && image(tile)?.naturalWidth);
  };
  const began = performance.now();
  while (!isThere() && performance.now() - began < 120_000) await new Promise(requestAnimationFrame);
  return isThere();
}"""
#: Scrolls three rows a frame, and gives how many frames had no row in the middle.
SCROLL = """async () => {
  const view = document.querySelector('.ink-gallery-view'), lines = () => [...view.querySelectorAll('.ink-lane')];
  const height = lines()[0].getBoundingClientRect().height;
  let wrong = 0;
  view.scrollTop = 0;
  for (let frame = 0; frame < 40; frame++) {
    view.scrollTop += 3 * height;
    await new Promise(requestAnimationFrame);
    const box = view.getBoundingClientRect(), middle = box.top + box.height / 2;
    const places = lines().map(each => each.getBoundingClientRect());
    wrong += !places.some(({top, bottom}) => top <= middle && middle <= bottom + 20);
  }
  return wrong;
}"""
#: Scrolls past so many pictures that the first ones are released, and returns how many.
PASS_BY = """async () => {
  const view = document.querySelector('.ink-gallery-view'), revoke = URL.revokeObjectURL;
  let count = 0;
  URL.revokeObjectURL = url => { count += 1; revoke.call(URL, url); };
  view.scrollTop = 0;
  const isFull = () => [...view.querySelectorAll('.ink-tile')].every(tile => tile.querySelector('img'));
  for (let screen = 0; screen < 40 && !count; screen++) {
    view.scrollTop += view.clientHeight;
    const began = performance.now();
    do await new Promise(requestAnimationFrame); while (!isFull() && performance.now() - began < 120_000);
  }
  URL.revokeObjectURL = revoke;
  return count;
}"""
#: The edges of the field for a name, of the line below it, and of the tile.
EDGES = """tile => [tile.querySelector('input'), tile.querySelector('.ink-meta'), tile]
  .map(each => each.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom }))"""
#: How many pixels the words of each row of a gallery end below the beginning of the next row.
ENDS = """root => [...root.querySelectorAll('.ink-lane')].map(row => {
  const top = row.getBoundingClientRect().top, line = parseFloat(getComputedStyle(row).getPropertyValue('--line'));
  return Math.max(...[...row.querySelectorAll('.ink-under')].map(each => each.getBoundingClientRect().bottom)) - top - line;
})"""


@pytest.fixture(scope="module")
def notebook(open_notebook):
    """Run a notebook with a gallery of 10,000 pictures, a list, a table of 5,000 rows, and a grid of looks."""
    notebook = open_notebook(SETUP, *CELLS, viewport={"width": 1000, "height": 1000})
    expect(notebook.page.locator(".ink-tile img").first).to_be_visible()
    return notebook


def await_done(notebook, expression, asked):
    """Wait until an expression and what was asked for since the last time have these values; a page may hold a change back."""
    until(lambda: json.loads(notebook.text(f"done({expression}, {asked!r})")) == asked)


def test_arrows_move_the_selection(notebook):
    """Ctrl moves the cursor alone, Shift extends the selection, Space and Ctrl with a press add to it, Escape ends it."""
    cell, keyboard = notebook.cell(GALLERY), notebook.page.keyboard
    cell.get_by_role("gridcell").first.click()
    across = int(cell.get_by_role("grid").get_attribute("aria-colcount"))
    selected, at_cursor = cell.locator("[aria-selected=true]"), cell.locator(".ink-current")
    for key, chosen, cursor in (
        ("ArrowRight", [1], 1), ("Control+ArrowRight", [1], 2), ("ArrowRight", [3], 3), ("Shift+ArrowLeft", [2, 3], 2),
        ("Shift+ArrowRight", [3], 3), ("ArrowDown", [3 + across], 3 + across), ("Home", [0], 0), ("Control+ArrowRight", [0], 1),
        ("Control+ArrowRight", [0], 2), (" ", [0, 2], 2), (" ", [0], 2), ("Escape", [], 2), ("ArrowLeft", [1], 1),
    ):  # fmt: skip
        keyboard.press(key)
        expect(selected).to_have_count(len(chosen))
        assert [each.get_attribute("data-key") for each in selected.all()] == [*map(str, chosen)], key
        expect(at_cursor).to_have_attribute("data-key", str(cursor))
    cell.get_by_role("gridcell").nth(3).click(modifiers=["Control"])
    expect(selected).to_have_count(2)
    cell.get_by_role("gridcell").nth(4).click(modifiers=["Shift"])
    await_done(notebook, "gallery.chosen", [["3", "4"], []])
    keyboard.press("End")
    expect(cell.locator("[data-key='9999']")).to_be_in_viewport()
    keyboard.press("Home")
    expect(cell.locator("[data-key='0']")).to_be_in_viewport()


def test_keys_and_stars_ask_for_what_they_mean(notebook):
    """A key means what is selected, Enter what is at the cursor; a star means its own tile, which is not selected."""
    cell, keyboard = notebook.cell(GALLERY), notebook.page.keyboard
    cell.get_by_role("gridcell").nth(1).click()
    for key in ("Shift+ArrowRight", "d", "F2", "q", "Control+Home", "Enter"):
        keyboard.press(key)
    expect(cell.get_by_label("New name")).to_have_count(0)  # two were selected
    tile = cell.get_by_role("gridcell").nth(4)
    tile.hover()
    tile.locator(".ink-star").click()
    expect(cell.locator("[aria-selected=true]")).to_have_count(1)
    wanted = [
        ["delete", ["1", "2"], None],
        ["r", ["1", "2"], None],
        ["open", ["0"], None],
        ["star", ["0"], None],
    ]
    await_done(notebook, "gallery.chosen", [["0"], wanted])
    assert (
        notebook.page.locator(".jp-CodeCell").count() == len(CELLS) + 1
    )  # the notebook's own keys stay silent


@pytest.mark.parametrize("at", [GALLERY, TEXTS])
def test_a_name_is_edited_within_its_line(notebook, at):
    """The field leaves the line below it whole; Enter asks for the new name, Escape for none, and the focus returns."""
    cell, keyboard = notebook.cell(at), notebook.page.keyboard
    cell.get_by_role("gridcell").nth(1).click()
    line = cell.get_by_role("gridcell").nth(1)
    for end, asked in (("Escape", []), ("Enter", [["rename", ["1"], "Renamed 🌊 by hand"]])):
        keyboard.press("r")
        expect(line.get_by_role("textbox")).to_be_focused()
        field, meta, box = line.evaluate(EDGES)  # at one moment, since the page may still scroll
        assert field["bottom"] <= meta["top"] + 1
        assert meta["bottom"] <= box["bottom"]
        keyboard.type("Renamed 🌊 by hand")
        keyboard.press(end)
        expect(cell.get_by_role("grid")).to_be_focused()
        await_done(notebook, "0", [0, asked])


def test_pictures_are_looked_at_one_by_one(notebook, find_severe):
    """The large view goes on with the arrows, its keys act on what it shows, and Escape gives the focus back."""
    cell, keyboard = notebook.cell(GALLERY), notebook.page.keyboard
    tiles, dialog = cell.locator(".ink-tile"), cell.get_by_role("dialog", name="Large view")
    tiles.nth(2).click()
    keyboard.press("l")
    expect(dialog.get_by_text("3 of 10000")).to_be_visible()
    expect(dialog.get_by_role("img")).to_be_visible()
    assert not find_severe(notebook.page, "dialog")
    keyboard.press("ArrowRight")
    expect(dialog.get_by_text("4 of 10000")).to_be_visible()
    expect(dialog.locator("strong")).to_have_text("Picture 3")
    expect(dialog.get_by_role("img")).to_have_js_property("naturalWidth", 512)  # a thumbnail has 320
    keyboard.press("f")
    expect(dialog.get_by_text("★")).to_have_count(1)
    expect(tiles.nth(3)).to_have_attribute("aria-selected", "true")
    dialog.get_by_role("button", name="Previous").click()
    expect(dialog.get_by_text("3 of 10000")).to_be_visible()
    keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(cell.get_by_role("grid")).to_be_focused()
    await_done(notebook, "gallery.chosen", [["2"], [["favorite", ["3"], None]]])


def test_thumbnails_have_the_size_that_is_chosen(notebook):
    """Larger ones stand in fewer columns, and the kernel knows the size."""
    cell, grid = notebook.cell(GALLERY), notebook.cell(GALLERY).get_by_role("grid")
    before = int(grid.get_attribute("aria-colcount"))
    cell.get_by_role("slider", name="Thumbnail size").fill("320")
    expect(grid).not_to_have_attribute("aria-colcount", str(before))
    assert int(grid.get_attribute("aria-colcount")) < before
    assert notebook.text("print(gallery.size)") == "320"
    cell.get_by_role("slider", name="Thumbnail size").fill("160")
    expect(grid).to_have_attribute("aria-colcount", str(before))


@pytest.mark.parametrize("width", [500, 900, 1400])
def test_names_in_a_gallery_end_above_the_next_row(notebook, width):
    """A name of wide letters has a second line where it needs one, above the pictures that follow."""
    notebook.resize(width)
    ends = notebook.cell(GALLERY).evaluate(ENDS)
    assert len(ends) > 1
    assert max(ends) <= 0
    notebook.resize(1000)


def test_the_gallery_shows_the_first_row_of_ten_thousand(notebook):
    """Other pictures take the place of those before, each tile with its own; how fast, the benchmark says."""
    assert all(notebook.page.evaluate(FIRST_ROW, run) for run in (1, 2))


def test_rows_are_there_while_the_gallery_is_scrolled(notebook):
    """Three rows a frame over 120 rows: there is a row in the middle of every frame."""
    assert notebook.page.evaluate(SCROLL) == 0


def test_only_what_is_in_view_is_held(notebook):
    """Of 10,000 tiles a screenful is on the page; earlier pictures are released as others arrive, 24 in a message."""
    cell = notebook.cell(GALLERY)
    assert notebook.page.evaluate(PASS_BY) > 0
    assert cell.locator(".ink-tile").count() < 60
    across = int(cell.get_by_role("grid").get_attribute("aria-colcount"))
    expect(cell.get_by_role("grid")).to_have_attribute("aria-rowcount", str(-(-10_000 // across)))
    assert 0 < int(notebook.text("print(max(most))")) <= 24


def test_five_thousand_rows_scroll(notebook):
    """Of a long table only the rows in view are on the page, wherever one scrolls, below the names of its columns."""
    table = notebook.cell(TABLE).get_by_role("grid")
    expect(table.get_by_role("columnheader").first).to_be_visible()
    table.focus()
    notebook.page.keyboard.press("End")
    expect(table.locator("[aria-rowindex='5001'] [role=gridcell]").first).to_have_text("4999")
    assert table.locator("[role=row]").count() < 40
    notebook.page.keyboard.press("Home")
    expect(table.locator("[aria-rowindex='2'] [role=gridcell]").first).to_have_text("0")


def test_a_new_column_is_in_view(notebook):
    """A new column of a broad table is scrolled to, with the cursor, and lines are whole."""
    table = notebook.cell(TABLE).get_by_role("grid")
    for name in ("text", "bold"):
        notebook.text(GENERATED.format(name))
        head = table.get_by_role("columnheader").filter(has_text=name)
        expect(head).to_be_in_viewport(ratio=0.95)
        table.focus()
        expect(table.locator(".ink-current")).to_be_in_viewport()
    lines = table.locator(".ink-lane, .ink-head").all()
    assert all(line.evaluate("e => e.scrollWidth <= e.offsetWidth") for line in lines)


def test_every_look_of_a_grid_is_reached(notebook):
    """It scrolls sideways only; the arrows bring each cell into view, and a key, a press or Space asks for it."""
    cell, keyboard = notebook.cell(LOOKS), notebook.page.keyboard
    notebook.resize(500)
    grid = cell.get_by_role("grid")
    assert grid.evaluate(
        "e => getComputedStyle(e).overflowY === 'hidden' && e.scrollHeight <= e.clientHeight"
    )
    notebook.text("print(acts.clear())")
    grid.focus()
    for key in (*["ArrowRight"] * 4, "ArrowDown", "Enter"):
        keyboard.press(key)
    expect(cell.locator(".ink-current")).to_be_in_viewport(ratio=0.9)
    expect(cell.locator(".ink-current")).to_have_attribute("data-key", "1|4")
    cell.locator("[data-key='2|3']").click()
    await_done(notebook, "0", [0, [["press", [], None]] * 2])
    notebook.resize(1000)


def test_rows_ask_no_other_host_for_anything(notebook):
    """Nothing beyond this machine was asked for, and no script failed."""
    assert notebook.refused == notebook.errors == []
