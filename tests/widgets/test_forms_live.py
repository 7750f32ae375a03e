"""Forms, tuner and grid of looks as a person uses them: JupyterLab in Chromium, the service's records afterwards."""

import re

import pytest
from playwright.sync_api import expect

import inkframe

pytestmark = pytest.mark.browser

SETUP = """
import asyncio, threading
import httpx, ipywidgets
import inkframe as ink
from inkframe.client import NOWHERE, Client
from inkframe.service import Service
from inkframe_demo import Offline
from inkframe import CreativityTuner, DocumentForm, ImageForm, LookGrid

client = ink.connect(library={library!r})
client.vocabulary = client.vocabulary.extend(styles={{"oil": "Oil paint"}})

class Held(Offline):
    begun, allowed = 0, threading.Semaphore(0)
    def draw(self, request):
        Held.begun += 1
        assert self.allowed.acquire(timeout=600)
        return super().draw(request)

async def begun(count):
    while Held.begun < count:
        await asyncio.sleep(0.01)

service = Service({slow!r}, engine=Held())
slow = Client(NOWHERE, service.key, transport=httpx.WSGITransport(app=service.app), _embedded=service)
"""
CELLS = (
    "images = ImageForm(client)\nimages",
    "documents = DocumentForm(client)\ndocuments",
    "tuner = CreativityTuner(client, prompt='Product text for a kettle', repeats=1)\ntuner",
    "grid = LookGrid(slow, description='a lighthouse', style=['anime', 'retro', 'sketch'], medium=['ink', 'chalk', 'glass'])\ngrid",
    """
count = ipywidgets.Label("0")
plus = ipywidgets.Button(description="Plus")
plus.on_click(lambda _: count.set_trait("value", str(int(count.value) + 1)))
waiting = ImageForm(slow, name="Slow", description="a lighthouse", resolution="256x256")
ipywidgets.VBox([waiting, plus, count])
""",
    "studio = ink.Studio(client)\nstudio",
)
#: A form in a kernel that takes the values of its fields on the main thread, slowly, and would rather submit.
SLOW_FIELDS = """
submitted, submit, take = threading.Event(), ImageForm.submit, ipywidgets.Dropdown.set_state
def submit_early(form):
    submitted.set()
    return submit(form)
def take_late(field, state):
    field.comm._reply_subshell_for = lambda _data, _sent_to: None
    if not submitted.wait(0.7):
        take(field, state)
ImageForm.submit, ipywidgets.Dropdown.set_state = submit_early, take_late
ImageForm(client, name="Last of all", description="two boats")
"""
IMAGES, DOCUMENTS, TUNER, GRID, SLOW, STUDIO = range(1, 7)
TABS = ("New image", "New document", "From a table", "Images", "Documents", "Creativity", "Looks", "Rate")


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """Return the files of two libraries: the usual one, and that of the slow service."""
    folder = tmp_path_factory.mktemp("libraries")
    return {"library": str(folder / "library.db"), "slow": str(folder / "slow.db")}


@pytest.fixture(scope="module")
def notebook(open_notebook, libraries):
    """Run a notebook with a form, a tuner and a grid."""
    return open_notebook(SETUP.format(**libraries), *CELLS)


@pytest.fixture
def records(libraries):
    """Return a function that opens a client of the libraries, to read their records."""
    clients = []

    def open_library(name="library"):
        clients.append(inkframe.connect(library=libraries[name]))
        return clients[-1]

    yield open_library
    for client in clients:
        client.close()


def choose_by_arrows(keyboard, field, wanted):
    """Choose an option of a field that has the focus, as a person does who sees the options."""
    options, at = field.evaluate("e => [[...e.options].map(each => each.text), e.selectedIndex]")
    steps = [text.replace("\xa0", " ") for text in options].index(wanted) - at
    for _ in range(abs(steps)):
        keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")
    expect(field.locator("option:checked")).to_have_text(wanted)


def test_a_person_creates_an_image_by_keyboard(notebook, records):
    """Tab leads through the fields in order, Enter creates; the picture is shown and announced."""
    cell, keyboard = notebook.cell(IMAGES), notebook.page.keyboard
    cell.get_by_label("Name").focus()
    keyboard.type("Ny hamn 🌊")
    chosen = {"Resolution": "256 \N{MULTIPLICATION SIGN} 256", "Style": "Pop art", "Medium": "Ink"}
    for label in ("Resolution", "Description", "Style", "Medium", "Filter"):
        keyboard.press("Tab")
        expect(cell.get_by_label(label)).to_be_focused()
        if label in chosen:
            choose_by_arrows(keyboard, cell.get_by_label(label), chosen[label])
        keyboard.type("two boats" if label == "Description" else "")
    keyboard.press("Tab")
    expect(cell.get_by_role("button", name="Create image")).to_be_focused()
    keyboard.press("Enter")
    expect(cell.get_by_role("status")).to_contain_text("client.images.get(1)")
    expect(cell.get_by_alt_text("Ny hamn 🌊: two boats")).to_be_visible()
    made = records().images.get(1)
    assert (made.name, made.description, made.resolution) == ("Ny hamn 🌊", "two boats", "256x256")
    assert (made.style, made.medium, made.filter) == ("pop_art", "ink", None)
    assert "name='Ny hamn 🌊'" in notebook.text("print(images.record)")


def test_a_press_takes_what_was_entered_last(open_notebook, libraries, records):
    """A choice that the page held back while the kernel was busy counts, though the press was sent before it."""
    cell = open_notebook(SETUP.format(**libraries), SLOW_FIELDS).cell(1)
    for medium in ("Chalk", "Ink"):
        cell.get_by_label("Medium").select_option(medium)
    cell.get_by_role("button", name="Create image").click()
    expect(cell.get_by_alt_text("Last of all: two boats")).to_be_visible()
    assert records().images.list(search="Last of all")["medium"].tolist() == ["ink"]


def test_what_a_button_made_is_saved_and_reopened(notebook, reopened):
    """The picture is in the saved file as a plain output, and is shown again where no kernel knows the form."""
    outputs = [output["data"] for output in notebook.save()["cells"][IMAGES]["outputs"]]
    assert ["image/jpeg" in data for data in outputs] == [False, True]
    cell = reopened(notebook).cell(IMAGES)
    expect(cell.get_by_alt_text("Ny hamn 🌊: two boats")).to_be_visible()
    expect(cell.get_by_label("Name")).to_have_count(0)


def test_problems_stand_in_place(notebook, records):
    """What is missing is said at its field, which has the focus; so is what the service refuses. Nothing is lost."""
    cell = notebook.cell(IMAGES)
    before = len(records().images.all())
    cell.get_by_label("Name").fill("")
    cell.get_by_role("button", name="Create image").click()
    name = cell.get_by_label("Name")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_be_focused()
    assert (
        name.evaluate("e => document.getElementById(e.getAttribute('aria-describedby')).textContent")
        == "Name is required."
    )
    name.fill("Oil")
    expect(name).not_to_have_attribute("aria-invalid", "true")
    cell.get_by_label("Style").select_option("Oil paint")
    cell.get_by_role("button", name="Create image").click()
    style = cell.locator(".ink-field-style")
    expect(style.get_by_role("alert")).not_to_be_empty()
    expect(style.get_by_label("Style")).to_have_attribute("aria-invalid", "true")
    expect(cell.get_by_label("Description")).to_have_value("two boats")
    assert len(records().images.all()) == before


def test_a_person_creates_a_document_from_a_template(notebook, records):
    """A template is found by typing, its fields make the prompt, arrows choose another creativity."""
    cell = notebook.cell(DOCUMENTS)
    cell.get_by_label("Name").fill("日記")
    cell.get_by_label("Template").fill("Blog title")
    cell.get_by_label("Topic of the post").fill("learning the cello at forty")
    expect(cell.get_by_label("Prompt")).to_have_value(
        re.compile("Topic of the post: learning the cello at forty")
    )
    levels = cell.get_by_role("group", name="Creativity")
    for _ in range(2):
        levels.locator(":checked").press("ArrowRight")
    expect(levels.get_by_role("radio", name="Imaginative")).to_be_checked()
    cell.get_by_role("button", name="Create document").click()
    expect(cell.get_by_role("status")).to_contain_text("client.documents.get(")
    made = records().documents.all()
    row = made[made["name"] == "日記"].iloc[0]
    assert (row["template"], row["creativity"]) == ("Blog title", 1.0)
    assert "learning the cello at forty" in row["prompt"]


def test_a_template_is_found_by_keyboard(notebook):
    """The browser offers the templates; a name counts in any case, and a near miss says which is meant."""
    cell = notebook.cell(DOCUMENTS)
    field = cell.get_by_label("Template")
    offered = field.evaluate("field => [...field.list.options].map(each => each.value)")
    assert len(offered) == 52
    assert {"Blog title", "FAQ", "Headline"} < set(offered)
    field.fill("")
    field.press_sequentially("faq")
    expect(cell.get_by_label("Product or subject")).to_be_visible()
    field.fill("")
    field.press_sequentially("Headlime")
    expect(cell.get_by_text("There is no template “Headlime”. Did you mean Headline?")).to_be_visible()
    field.fill("Blog title")
    expect(cell.get_by_text("There is no template")).to_be_hidden()


def test_a_person_tunes_a_prompt_and_keeps_one(notebook, records):
    """Five levels come side by side; one is kept and named, the rest is discarded after a question."""
    cell = notebook.cell(TUNER)
    before = set(records().documents.all().index)
    cell.get_by_role("button", name="Create 5 documents").click()
    expect(cell.locator(".ink-card")).to_have_count(5)
    expect(cell.get_by_role("status")).to_have_text("5 documents created. Keep the best ones.")
    assert cell.locator(".ink-card header b").all_text_contents() == [
        "Repetitive", "Deterministic", "Original", "Creative", "Imaginative",
    ]  # fmt: skip
    card = cell.locator(".ink-card").nth(3)
    card.get_by_role("button", name="Keep").click()
    card.get_by_label("Name").fill("Kettle, the best")
    card.get_by_label("Name").press("Enter")
    expect(card.get_by_label("Name")).to_have_value("Kettle, the best")
    cell.get_by_role("button", name="Discard the rest").click()
    cell.get_by_role("button", name="Delete permanently").click()
    expect(cell.locator(".ink-card")).to_have_count(1)
    expect(cell.get_by_role("status")).to_have_text("1 document kept.")
    after = records().documents.all()
    [kept] = set(after.index) - before
    assert after.loc[kept, ["name", "creativity"]].tolist() == ["Kettle, the best", 0.75]
    assert after.loc[kept, "favorite"]


def test_a_person_rates_a_run_before_it_is_shown(notebook):
    """The texts of a new prompt are hidden, rated by keys, and shown by Reveal; the focus stays on the panel."""
    cell = notebook.cell(TUNER)
    cell.get_by_label("Prompt", exact=True).fill("Product text for a lamp")
    cell.get_by_role("button", name="Create and rate blind").click()
    stage = cell.locator(".ink-stage")
    expect(cell.locator(".ink-count")).to_have_text(re.compile(r"^1 of \d"))
    expect(cell.locator(".ink-card").filter(visible=True)).to_have_count(0)
    stage.focus()
    for _ in range(int(cell.locator(".ink-count").text_content().split()[2])):
        cell.locator(".ink-rating:not(.ink-empty)").wait_for()  # the next item may be on its way
        notebook.page.keyboard.press("4")
    expect(stage).to_contain_text("Press Reveal groups")
    cell.get_by_role("button", name="Reveal groups").click()
    expect(cell.locator(".ink-card").filter(visible=True)).to_have_count(5)
    expect(cell.locator(".ink-results tbody tr")).not_to_have_count(0)


def test_a_grid_of_looks_is_cancelled_half_way(notebook, records):
    """Cancel awaits what is being drawn and begins nothing more: the cells show what the service holds."""
    cell = notebook.cell(GRID)
    cell.get_by_role("button", name="Create 9 images").click()
    notebook.text("Held.allowed.release(2)")
    expect(cell.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "2")
    notebook.text("await begun(4)")
    cell.get_by_role("button", name="Cancel").click()
    expect(cell.get_by_role("status")).to_contain_text("waiting for what is under way")
    notebook.text("Held.allowed.release(9)")
    expect(cell.get_by_role("status")).to_contain_text("4 images created, 5 not created.")
    notebook.text("Held.allowed = threading.Semaphore(0)")
    expect(cell.locator(".ink-looks img")).to_have_count(4)
    made = records("slow").images.all()
    assert len(made) == 4
    shown = cell.locator(".ink-look-done").evaluate_all("es => es.map(e => e.dataset.key)")
    assert set(shown) == {
        f"{style}|{medium}|" for style, medium in zip(made["style"], made["medium"], strict=True)
    }
    cell.locator(".ink-look-done").first.click()
    expect(cell.locator(".ink-detail img")).to_be_visible()


def test_a_button_answers_while_a_picture_is_drawn(notebook, records):
    """While a picture is drawn another button answers five times."""
    cell = notebook.cell(SLOW)
    before = len(records("slow").images.all())
    cell.get_by_role("button", name="Create image").click()
    expect(cell.get_by_role("button", name="Create image")).to_be_disabled()
    expect(cell.get_by_role("status")).to_contain_text("Drawing… Sent. Waiting for the reply.")
    expect(cell.get_by_role("button", name="Cancel")).to_be_hidden()
    for count in range(1, 6):
        cell.get_by_role("button", name="Plus").click()
        expect(cell.get_by_text(str(count), exact=True)).to_be_visible()
    assert len(records("slow").images.all()) == before
    notebook.text("Held.allowed.release()")
    expect(cell.get_by_role("status")).to_contain_text("slow.images.get(")
    assert len(records("slow").images.all()) == before + 1


def test_the_focus_stays_where_a_person_works(notebook):
    """A button that is disabled during work, or from then on, does not lose the focus to the page."""
    cell = notebook.cell(STUDIO)
    cell.get_by_role("tab", name="Looks", exact=True).click()
    cell.get_by_label("Description").filter(visible=True).fill("a kettle")
    for name in ("Anime", "Ink"):
        cell.get_by_role("checkbox", name=name, exact=True).filter(visible=True).press("Space")
    cell.get_by_role("button", name="Create 1 image").press("Enter")
    expect(cell.get_by_role("button", name="All created")).to_be_disabled()
    expect(cell.locator(":focus")).to_have_count(1)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_nothing_severe_is_found_in_the_studio(notebook, find_severe, theme):
    """axe-core finds no serious or critical violation in any tab, in either theme."""
    notebook.theme(theme)
    cell = notebook.cell(STUDIO)
    for tab in TABS:
        cell.get_by_role("tab", name=tab, exact=True).click()
        expect(cell.locator(".ink-panel .ink-panel:visible")).to_have_count(1)
        expect(cell.get_by_role("progressbar").filter(visible=True)).to_have_count(0)
        assert find_severe(notebook.page, ".ink-studio") == [], tab


def test_forms_ask_no_other_host_for_anything(notebook):
    """Nothing beyond this machine was asked for, and no script failed."""
    assert notebook.refused == []
    assert notebook.errors == []
