"""Browsers over 2,000 records as a person uses them: JupyterLab in Chromium."""

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
    """Run a notebook with both browsers."""
    return open_notebook(*(cell.format(library=library) for cell in CELLS))


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
    """Arrows, f and r on the gallery change the records, and nothing but them."""
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


def test_a_person_chooses_opens_and_downloads(notebook):
    """Space chooses several, Enter opens one large, Download hands over an archive."""
    cell, page = notebook.cell(IMAGES), notebook.page
    cell.get_by_role("grid").focus()
    for key in ("Home", "Control+ArrowRight", " "):
        page.keyboard.press(key)
    with page.expect_download() as download:
        cell.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "inkframe-images.zip"
    cell.get_by_role("grid").focus()
    page.keyboard.press("Enter")
    expect(cell.locator(".ink-one img")).to_be_visible()


def test_a_person_stars_and_compares(notebook, client):
    """A click on the star of a tile marks a favorite; c shows the chosen ones side by side."""
    cell, page = notebook.cell(IMAGES), notebook.page
    tile = cell.get_by_role("gridcell").nth(4)
    tile.hover()
    tile.locator(".ink-star").click()
    expect(tile).to_have_accessible_name(re.compile("favorite$"))
    assert client.images.get(client.images.list(per_page=100).index[4]).favorite
    for key in ("Home", "Control+ArrowRight", " ", "c"):
        page.keyboard.press(key)
    expect(cell.locator(".ink-compared .ink-col")).to_have_count(2)
    expect(cell.locator(".ink-compared")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(cell.locator(".ink-compared")).to_be_hidden()


def test_keys_mean_what_is_selected_and_shown(notebook, client):
    """What is selected is counted and acted on wherever the cursor is; what a filter hides is acted on by nothing."""
    cell, page = notebook.cell(IMAGES), notebook.page
    first = client.images.list(per_page=100)["name"].iloc[:4].tolist()
    cell.get_by_role("gridcell").first.click()
    for key in (*["ArrowRight"] * 3, "Shift+ArrowLeft", "Control+ArrowLeft", "d"):
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
    cell.get_by_role("grid").press("Escape")
    expect(cell.get_by_text("Click to select, with Ctrl or Shift several.")).to_be_visible()


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


def test_browsers_ask_no_other_host_for_anything(notebook):
    """Nothing beyond this machine was asked for, and no script failed."""
    assert notebook.refused == []
    assert notebook.errors == []
