"""Browsers over 2,000 records as a person uses them, and the gallery with 10,000 pictures: JupyterLab in Chromium."""

import re

import pytest
from playwright.sync_api import expect

import inkframe
from inkframe.service import Service

pytestmark = pytest.mark.browser

COUNT = 2_000
CELLS = (
    "import inkframe as ink\nfrom inkframe import DocumentBrowser, ImageBrowser\nclient = ink.connect(library={library!r})",
    "images = ImageBrowser(client, per_page=100)\nimages",
    "documents = DocumentBrowser(client)\ndocuments",
)
IMAGES, DOCUMENTS = 1, 2
GALLERY_CELL = """
from inkframe.frames import rows_of
from inkframe.widgets.panel import Status
from inkframe.widgets.rows import RecordGallery
import ipywidgets

sample = ink.connect(library=":memory:", sample=True)
pictures = [(row, sample.images.get(row["id"]).picture_bytes) for row in rows_of(sample.images.list(per_page=25))]
gallery = RecordGallery(print, lambda record: pictures[record["file"]][1], label="Images")
most, send = [], gallery.send
gallery.send = lambda content, buffers=None: (most.append(len(buffers or [])), send(content, buffers))
box = ipywidgets.VBox([gallery, Status()])
box.add_class("inkframe")
box.add_class("ink-panel")
box.add_class("gallery-alone")
box
"""
#: Shows other pictures; true once every tile of the first row shows its own.
FIRST_ROW = """async run => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const row = `{**pictures[n % 25][0], "id": ${run}_00000 + n, "name": "Run ${run}", "file": n % 25}`;
  kernel.requestExecute({code: `gallery.show([${row} for n in range(10_000)])`, store_history: false});
  const isThere = () => {
    const tiles = [...(document.querySelector('.gallery-alone .ink-lane')?.children ?? [])];
    const image = tile => tile.querySelector('img');
    return tiles.length && tiles.every(tile => tile.textContent.includes(`Run ${run}`) && image(tile)?.naturalWidth);
  };
  const began = performance.now();
  while (!isThere() && performance.now() - began < 120_000) await new Promise(requestAnimationFrame);
  return isThere();
}"""
#: Scrolls three rows a frame, and gives how many tiles were in view that were not the ones of that place.
SCROLL = """async () => {
  const view = document.querySelector('.gallery-alone .ink-view');
  const line = () => [...view.querySelectorAll('.ink-lane')];
  const height = view.querySelector('.ink-lane').getBoundingClientRect().height;
  let wrong = 0;
  view.scrollTop = 0;
  for (let frame = 0; frame < 40; frame++) {
    view.scrollTop += 3 * height;
    await new Promise(requestAnimationFrame);
    const box = view.getBoundingClientRect(), middle = box.top + box.height / 2;
    const there = line().some(each => {
      const place = each.getBoundingClientRect();
      return place.top <= middle && middle <= place.bottom + 20;
    });
    wrong += !there;
  }
  return wrong;
}"""
#: The edges of the field for a name, of the line below it, and of the tile.
EDGES = """tile => [tile.querySelector('input'), tile.querySelector('.ink-meta'), tile]
  .map(each => each.getBoundingClientRect()).map(({ top, bottom }) => ({ top, bottom }))"""
#: Scrolls past so many pictures that the first ones are released, and returns how many.
PASS_BY = """async () => {
  const view = document.querySelector('.gallery-alone .ink-view'), revoke = URL.revokeObjectURL;
  let count = 0;
  URL.revokeObjectURL = url => { count += 1; revoke.call(URL, url); };
  view.scrollTop = 0;
  const isFull = () => [...document.querySelectorAll('.gallery-alone .ink-tile')].every(tile => tile.querySelector('img'));
  for (let screen = 0; screen < 40 && !count; screen++) {
    view.scrollTop += view.clientHeight;
    const began = performance.now();
    do await new Promise(requestAnimationFrame); while (!isFull() && performance.now() - began < 120_000);
  }
  URL.revokeObjectURL = revoke;
  return count;
}"""


@pytest.fixture(scope="module")
def library(tmp_path_factory, quick_engine):
    """Return the file of a library with 2,000 images and 2,000 documents."""
    file = tmp_path_factory.mktemp("library") / "library.db"
    with pytest.MonkeyPatch.context() as patch, Service(file, engine=quick_engine) as service:
        patch.setattr("inkframe.service.service.find_engine", lambda _name: quick_engine)
        service.sample(images=COUNT, documents=COUNT)
    return str(file)


@pytest.fixture(scope="module")
def notebook(open_notebook, library):
    """Run a notebook with both browsers and a separate gallery."""
    return open_notebook(*(cell.format(library=library) for cell in CELLS), GALLERY_CELL)


@pytest.fixture
def client(library):
    """Return a client of the same library, to read its records."""
    with inkframe.connect(library=library) as client:
        yield client


def test_a_person_pages_and_filters_images(notebook, client):
    """Pages, filters, order and a search that waits for a pause show what the service lists."""
    cell = notebook.cell(IMAGES)
    expect(cell.get_by_text("1–100 of 2,000 · Newest first")).to_be_visible()
    cell.get_by_role("button", name="Next").click()
    expect(cell.get_by_text("of 20", exact=True)).to_be_visible()
    expect(cell.get_by_label("Page", exact=True)).to_have_value("2")
    first = client.images.list(per_page=100, page=2)["name"].iloc[0]
    expect(cell.get_by_role("gridcell").first).to_contain_text(first)
    cell.get_by_label("Style").select_option("Anime")
    cell.get_by_label("Medium").select_option("Ink")
    expected = client.images.all(style="anime", medium="ink", sort_by="name", sort="asc")
    cell.get_by_label("Sort").select_option("Name, A to Z")
    expect(cell.get_by_text(f"{len(expected)} of {len(expected)} · Name, A to Z")).to_be_visible()
    expect(cell.get_by_role("gridcell").first.locator(".ink-name")).to_have_attribute(
        "title", expected["name"].iloc[0]
    )
    word = expected["name"].iloc[0].split()[0]
    cell.get_by_label("Search", exact=True).press_sequentially(word, delay=20)
    found = client.images.all(style="anime", medium="ink", search=word)
    expect(cell.get_by_text(f"{len(found)} of {len(found)} ·")).to_be_visible()
    expect(cell.locator(".ink-code")).to_contain_text(f'search="{word}"')
    cell.get_by_label("Search", exact=True).fill("")
    for label in ("Style", "Medium"):
        cell.get_by_label(label).select_option("Any")
    cell.get_by_label("Sort").select_option("Newest first")
    expect(cell.get_by_text("1–100 of 2,000 · Newest first")).to_be_visible()


def test_a_person_marks_and_renames_by_keyboard(notebook, client):
    """Arrows, f and r on the gallery change the records, and nothing but them; the notebook's own keys stay silent."""
    cell, page = notebook.cell(IMAGES), notebook.page
    ids = list(client.images.list(per_page=100).index)
    grid = cell.get_by_role("grid")
    grid.focus()
    for key in ("Home", "ArrowRight", "ArrowRight", "f"):
        page.keyboard.press(key)
    expect(cell.get_by_role("gridcell").nth(2)).to_have_accessible_name(re.compile("favorite$"))
    page.keyboard.press("r")
    page.keyboard.type("Renamed 🌊 by hand")
    page.keyboard.press("Enter")
    expect(cell.get_by_role("gridcell").nth(2)).to_contain_text("Renamed 🌊 by hand")
    changed = client.images.get(ids[2])
    assert (changed.favorite, changed.name) == (True, "Renamed 🌊 by hand")
    assert page.locator(".jp-CodeCell").count() == len(CELLS) + 1
    expect(grid).to_be_focused()


def test_a_name_is_edited_within_its_line(notebook):
    """The field for the name of a document leaves the line below it whole."""
    cell, page = notebook.cell(DOCUMENTS), notebook.page
    cell.get_by_role("grid").focus()
    for key in ("Home", "r"):
        page.keyboard.press(key)
    line = cell.get_by_role("gridcell").first
    expect(line.get_by_role("textbox")).to_be_focused()
    field, meta, box = line.evaluate(EDGES)  # at one moment, since the page may still scroll
    page.keyboard.press("Escape")
    assert field["bottom"] <= meta["top"] + 1
    assert meta["bottom"] <= box["bottom"]


def test_a_person_chooses_opens_and_downloads(notebook):
    """Space chooses several, Enter opens one large, Download hands over an archive."""
    cell, page = notebook.cell(IMAGES), notebook.page
    cell.get_by_role("grid").focus()
    for key in ("Home", "Control+ArrowRight", " "):
        page.keyboard.press(key)
    expect(cell.locator("[role=gridcell][aria-selected=true]")).to_have_count(2)
    with page.expect_download() as download:
        cell.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "inkframe-images.zip"
    cell.get_by_role("grid").focus()
    page.keyboard.press("Enter")
    expect(cell.locator(".ink-one img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cell.locator("[role=gridcell][aria-selected=true]")).to_have_count(0)


def test_a_person_stars_and_compares(notebook, client):
    """A click on the star of a tile marks a favorite without choosing it; c shows the chosen ones side by side."""
    cell, page = notebook.cell(IMAGES), notebook.page
    tile = cell.get_by_role("gridcell").nth(4)
    tile.hover()
    tile.locator(".ink-star").click()
    expect(tile).to_have_accessible_name(re.compile("favorite$"))
    expect(cell.locator("[role=gridcell][aria-selected=true]")).to_have_count(0)
    assert client.images.get(client.images.list(per_page=100).index[4]).favorite
    for key in ("Home", "Control+ArrowRight", " ", "c"):
        page.keyboard.press(key)
    expect(cell.locator(".ink-compared .ink-col")).to_have_count(2)
    expect(cell.locator(".ink-compared")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(cell.locator(".ink-compared")).to_be_hidden()


def test_keys_mean_what_is_selected_and_shown(notebook, client):
    """Arrows move the selection, Ctrl and Shift hold it, and what a filter hides is counted and acted on by nothing."""
    cell, page = notebook.cell(IMAGES), notebook.page
    first = client.images.list(per_page=100)["name"].iloc[:4].tolist()
    cell.get_by_role("gridcell").first.click()
    count, selected = cell.get_by_role("status"), cell.locator("[role=gridcell][aria-selected=true]")
    for key, names in (
        ("ArrowRight", first[1:2]),
        ("Control+ArrowRight", first[1:2]),
        ("ArrowRight", first[3:4]),
        ("Shift+ArrowLeft", first[2:4]),
    ):
        page.keyboard.press(key)
        expect(selected).to_have_count(len(names))
        assert selected.locator(".ink-name").evaluate_all("es => es.map(e => e.title)") == names
        expect(count.get_by_text(f"{len(names)} selected", exact=True)).to_be_visible()
    for key in ("Control+ArrowLeft", "Control+ArrowLeft", "d"):
        page.keyboard.press(key)
    expect(
        cell.get_by_text(f"2 images marked for deletion: “{first[2]}”, “{first[3]}”. Nothing")
    ).to_be_visible()
    page.keyboard.press("z")
    expect(cell.get_by_text("marked for deletion:")).to_be_hidden()
    cell.get_by_label("Search", exact=True).fill("nothing has this name")
    expect(cell.get_by_text("2 selected, 2 hidden")).to_be_visible()
    expect(cell.get_by_role("button", name="Delete (d)")).to_be_disabled()
    cell.get_by_label("Search", exact=True).fill("")
    expect(cell.get_by_text("2 selected", exact=True)).to_be_visible()
    cell.get_by_role("grid").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("F2")  # two are selected, so none is renamed
    expect(cell.get_by_label("New name")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(selected).to_have_count(0)


def test_a_person_deletes_and_takes_it_back(notebook, client):
    """D notes for deletion, Undo takes it back, and only what is confirmed is gone."""
    cell, page = notebook.cell(IMAGES), notebook.page
    ids = list(client.images.list(per_page=100).index)
    cell.get_by_role("grid").focus()
    for key in ("Home", "ArrowRight", "d", "ArrowRight", "ArrowRight", "d"):
        page.keyboard.press(key)
    expect(cell.get_by_text("2 images marked for deletion:")).to_be_in_viewport()
    cell.get_by_role("button", name="Undo").press("Enter")
    expect(cell.get_by_text("1 image marked for deletion:")).to_be_visible()
    expect(cell.locator(":focus")).to_have_count(1)
    assert client.images.list()["name"].size == 10
    assert client.images.get(ids[1]).id == ids[1]
    cell.get_by_role("button", name="Delete permanently").click()
    expect(cell.get_by_text("100 of 1,999 ·")).to_be_visible()
    left = set(client.images.list(per_page=100).index)
    assert ids[1] not in left
    assert ids[3] in left


def test_a_person_reads_and_edits_a_document(notebook, client):
    """The list is read by arrows; a template is found by typing; a text is edited and stored."""
    cell, page = notebook.cell(DOCUMENTS), notebook.page
    expect(cell.get_by_text("25 of 2,000 ·")).to_be_visible()
    cell.get_by_label("Template").fill("Blog title")
    total = len(client.documents.all(template="Blog title"))
    expect(cell.get_by_text(f"25 of {total} ·")).to_be_visible()
    newest = client.documents.list(template="Blog title")
    cell.get_by_role("grid").focus()
    page.keyboard.press("ArrowDown")
    expect(cell.locator(".ink-pane .ink-title")).to_have_text(newest["name"].iloc[1])
    cell.get_by_role("button", name="Edit text").click()
    cell.get_by_label("Text", exact=True).fill("נוסח אחר 🌊\n\nzwei")
    cell.get_by_role("button", name="Save text").click()
    expect(cell.locator(".ink-pane .ink-prose")).to_contain_text("נוסח אחר 🌊")
    assert client.documents.get(int(newest.index[1])).result == "נוסח אחר 🌊\n\nzwei"


@pytest.mark.parametrize(
    ("at", "noun", "filled"), [(IMAGES, "image", "Description"), (DOCUMENTS, "document", "Prompt")]
)
def test_settings_go_into_a_form(notebook, at, noun, filled):
    """Reuse settings opens a form in view, filled with what the record was generated from."""
    cell = notebook.cell(at)
    cell.get_by_role("gridcell").nth(1).click()
    cell.get_by_role("button", name="Reuse settings").click()
    expect(cell.get_by_role("button", name=f"Create {noun}")).to_be_in_viewport()
    expect(cell.get_by_label(filled)).not_to_be_empty()


def test_a_static_copy_is_saved(notebook):
    """The saved notebook holds the page's pictures in a fold, within a megabyte, without any script."""
    notebook.page.wait_for_function("() => document.querySelectorAll('details.ink-fold img').length >= 50")
    outputs = notebook.save()["cells"][IMAGES]["outputs"]
    html = "".join(outputs[1]["data"]["text/html"])
    assert "<details" in html
    assert "<script" not in html
    assert len(html) <= 1_000_000
    assert html.count("<img") >= 50


@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_reopened_notebook_looks_finished(notebook, reopened, is_trusted):
    """Without a kernel each browser is its saved preview, open, below one sentence, and no error of a widget."""
    for preview in notebook.page.locator(".ink-preview, .ink-needs-kernel").all():
        expect(preview).to_be_hidden()  # while the browser is there
    copy = reopened(notebook, is_trusted=is_trusted)
    for at, name in ((IMAGES, "ImageBrowser"), (DOCUMENTS, "DocumentBrowser")):
        cell = copy.cell(at)
        expect(cell.locator(".ink-preview")).to_be_visible()
        expect(cell.locator(".ink-preview .ink-meta").first).to_be_visible()
        expect(cell.get_by_text("needs a running kernel")).to_have_text(
            [f"{name} needs a running kernel: run this cell again."]
        )
        error = cell.get_by_text("Error displaying widget: model not found")
        expect(error).to_have_count(int(is_trusted))
        expect(error).to_be_hidden()


def test_an_exported_page_looks_finished(notebook, chromium_page):
    """A page of nbconvert has the saved previews, open, and no word of a kernel."""
    import nbformat  # here: it takes two seconds to load
    from nbconvert import HTMLExporter

    notebook.save()
    saved = nbformat.read(notebook.lab.folder / notebook.name, as_version=4)
    (notebook.lab.folder / "page.html").write_text(HTMLExporter().from_notebook_node(saved)[0], "utf-8")
    page = chromium_page()
    page.goto((notebook.lab.folder / "page.html").as_uri(), wait_until="domcontentloaded")
    expect(page.locator(".ink-preview")).to_have_count(2)
    for preview in page.locator(".ink-preview").all():
        expect(preview.locator(".ink-meta").first).to_be_visible()
    expect(page.get_by_text("needs a running kernel")).to_have_count(2)
    for note in page.get_by_text("needs a running kernel").all():
        expect(note).to_be_hidden()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_severe_is_found_in_browsers(notebook, find_severe, theme):
    """axe-core finds no serious or critical violation in either browser, in either theme."""
    notebook.theme(theme)
    assert find_severe(notebook.page, ".jp-OutputArea-output > .ink-panel") == []


def test_the_gallery_shows_the_first_row_of_ten_thousand(notebook):
    """Other pictures take the place of those before, each tile with its own."""
    assert all(notebook.page.evaluate(FIRST_ROW, run) for run in (1, 2))


def test_rows_are_there_while_the_gallery_is_scrolled(notebook):
    """Three rows a frame over 120 rows: there is a row in the middle of every frame."""
    assert notebook.page.evaluate(SCROLL) == 0


def test_only_what_is_in_view_is_held(notebook):
    """Of 10,000 tiles a screenful is on the page; earlier pictures are released as others arrive."""
    page = notebook.page
    let_go = page.evaluate(PASS_BY)
    assert let_go > 0
    assert page.locator(".gallery-alone .ink-tile").count() < 60
    assert page.locator(".gallery-alone [role=grid]").get_attribute("aria-rowcount") == "2000"


def test_a_message_holds_24_pictures_at_most(notebook):
    """No message from the kernel carries more pictures than are wanted at once."""
    assert 0 < int(notebook.text("print(max(most))")) <= 24


def test_browsers_ask_no_other_host_for_anything(notebook):
    """Nothing beyond this machine was asked for, and no script failed."""
    assert notebook.refused == []
    assert notebook.errors == []
