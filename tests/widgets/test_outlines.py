"""What each panel shows, recorded at its start and after each thing that a person does.

The recordings are ``recorded/outlines.json``: every widget of a panel with its classes and what it holds, then for each
step the lines that changed, and what was sent to the page. Times, pictures and folders are not recorded. After an
intended change, record again and review the diff before committing it::

    INKFRAME_RECORD_GOLDENS=1 pytest tests/widgets/test_outlines.py
"""

import httpx
import pandas as pd
import pytest
from tests.widgets.outline import traits_of_panels

import inkframe as ink
from inkframe.client import NOWHERE, Client
from inkframe.service import Service

pytestmark = pytest.mark.integration


@pytest.fixture
def client(engine):
    """Return a client that sends one request at a time, so that ids and texts are the same each time."""
    with Service(":memory:", engine=engine) as service:
        transport = httpx.WSGITransport(app=service.app)
        with Client(NOWHERE, service.key, transport=transport, concurrency=1, _embedded=service) as client:
            yield client


@pytest.fixture
def runs():
    """Return twelve documents of two variants in three cases."""
    rows = [
        {"id": 1 + at, "name": f"Text {at}", "prompt": "p", "case": f"case {at % 3}", "creativity": at % 2 / 4,
         "variant": ("warm", "plain")[at % 2], "result": f"Text number {at} **bold**"}
        for at in range(12)
    ]  # fmt: skip
    return pd.DataFrame(rows).set_index("id")


def test_image_form(client, outline, recorded, settle, send):
    """A form of images: refused, filled in, created, and asked to replace what was typed."""
    form = ink.ImageForm(client, style="anime")
    shown = outline(form)
    with pytest.raises(ink.InvalidArgument):
        form.submit().result(30)
    shown.step("submitted while empty")
    form.fields["name"].value = "Harbor"
    form.fill(description="two boats", medium="ink")
    shown.step("filled in")
    record = form.submit().result(30)
    settle(form)
    shown.step("created")
    form.fields["name"].value = "Typed"
    form.again(record)
    shown.step("again, with entries")
    form.question.children[1].click()
    shown.step("replaced")
    send(form.status, "shown")
    form.button.click()
    shown.step("pressed on a page")
    recorded("image_form", shown.lines)


def test_document_form(client, outline, recorded, settle):
    """A form of documents: a template with its fields, an edited prompt, and a created document."""
    form = ink.DocumentForm(client, template="Blog title", topic="kettles", creativity="Imaginative")
    shown = outline(form)
    form.fields["name"].value = "Kettle"
    form.fields["prompt"].value += " In five words."
    shown.step("the prompt edited")
    form.fields["template"].control.value = "Slog"
    shown.step("half a template typed")
    form.fields["template"].control.value = "Slogann"
    shown.step("no template typed")
    form.fields["template"].value = "FAQ"
    shown.step("another template")
    form.submit().exception(30)
    settle(form)
    shown.step("submitted")
    recorded("document_form", shown.lines)


def test_image_browser(library, outline, recorded, settle, send):
    """A browser of images: listed, searched, selected, marked, renamed and deleted."""
    browser = ink.ImageBrowser(library, per_page=10)
    settle(browser)
    shown = outline(browser)
    browser.pager.next.click()
    settle(browser)
    shown.step("the next page")
    browser.filters.fields["style"].value = "anime"
    settle(browser)
    shown.step("a filter")
    browser.gallery.chosen = browser.gallery.chosen + browser.gallery.ids[:2]
    shown.step("two selected")
    keys = browser.gallery.chosen
    send(browser.gallery, "favorite", keys=keys)
    settle(browser)
    shown.step("made favorites")
    send(browser.gallery, "rename", keys=keys[:1], name="Renamed")
    settle(browser)
    shown.step("renamed")
    send(browser.gallery, "delete", keys=keys)
    settle(browser)
    shown.step("marked to be deleted")
    send(browser.gallery, "undo", keys=keys)
    settle(browser)
    shown.step("undone")
    browser.actions.compare().result(30)
    settle(browser)
    shown.step("compared")
    send(browser.gallery, "open", keys=keys[1:])
    settle(browser)
    shown.step("opened")
    recorded("image_browser", shown.lines)


def test_document_browser(library, outline, recorded, settle, send):
    """A browser of documents: read one, turn to the next, edit and save it."""
    browser = ink.DocumentBrowser(library, template="Freestyle")
    settle(browser)
    shown = outline(browser)
    send(browser.gallery, "open", keys=[browser.gallery.ids[0]], key=browser.gallery.ids[0])
    settle(browser)
    shown.step("opened")
    browser.reader.edit()
    shown.step("edited")
    browser.reader.text.value = "Another text."
    shown.step("typed")
    recorded("document_browser", shown.lines)


def test_look_grid(client, outline, recorded, settle):
    """A grid of looks: one cell made, then all, one chosen and marked."""
    grid = ink.LookGrid(client, description="two boats", style=["anime", "sketch"], medium=["ink", None])
    shown = outline(grid)
    grid.create("sketch|ink|").result(30)
    settle(grid)
    shown.step("one created")
    grid.submit().result(30)
    settle(grid)
    shown.step("all created")
    grid.fields["style"].value = ["anime"]
    shown.step("one style fewer")
    recorded("look_grid", shown.lines)


def test_creativity_tuner(client, outline, recorded, settle, eventually):
    """The tuner: texts of two levels, one kept, the others discarded."""
    tuner = ink.CreativityTuner(client, prompt="About a kettle", creativity=[0, 1], repeats=2)
    shown = outline(tuner)
    tuner.submit().result(30)
    settle(tuner)
    shown.step("created")
    card = tuner.texts.cards[0.0, 1]
    card.keep.click()
    eventually(lambda: card.keep.description == "★ Kept" and not tuner.texts.discard.disabled)
    settle(tuner)
    shown.step("one kept")
    tuner.texts.discard.click()
    shown.step("asked to discard")
    tuner.texts.question.children[1].click()
    eventually(lambda: len(tuner.frame) == 1 and len(tuner.texts.cards) == 1)
    settle(tuner)
    shown.step("discarded")
    recorded("creativity_tuner", shown.lines)


def test_what_pages_are_told(recorded):
    """The traits of our widgets and panels; a room that may be taken out records its own."""
    traits = traits_of_panels()
    recorded("traits", {name: each for (room, name), each in traits.items() if room != "exploring"})


@pytest.mark.parametrize("mode", ["scale", "pairs", "labels"])
def test_rating_panel(runs, outline, recorded, mode, tmp_path):
    """A rating panel: rated, put off, undone, revealed, rated to the end."""
    labels = {"labels": ["keep", "drop"]} if mode == "labels" else {}
    value = {"scale": 4, "pairs": "left", "labels": "drop"}[mode]
    panel = ink.RatingPanel(
        runs, by="variant", mode=mode, rater="ana", path=tmp_path / "ratings.jsonl", **labels
    )
    shown = outline(panel)
    panel.rate(value, "clear")
    shown.step("rated")
    panel.skip()
    shown.step("put off")
    panel.undo()
    shown.step("undone")
    panel.rate(value)
    panel.reveal()
    shown.step("revealed")
    while panel.item is not None:
        panel.rate(value)
    shown.step("rated to the end")
    recorded(f"rating_panel_{mode}", shown.lines)


def test_studio(library, outline, settle):
    """The studio: each tab is built when it is shown, as the panel by itself."""
    studio = ink.Studio(library)
    titles = [studio.tabs.get_title(at) for at in range(len(studio.tabs.children))]
    own = ["New image", "New document", "Images", "Documents", "Creativity", "Looks"]
    assert sorted(titles) == sorted([*own, "From a table", "Rate"])
    for tab in own:
        panel = studio.show(tab)
        settle(panel)
        alone = type(panel)(library)
        settle(alone)
        assert outline(panel).lines == outline(alone).lines, tab
