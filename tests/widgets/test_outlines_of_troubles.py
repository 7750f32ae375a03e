"""What panels show where something goes wrong, recorded as in ``test_outlines``."""

import threading

import pandas as pd
import pytest
from tests.services import Faults

import inkframe as ink

pytestmark = pytest.mark.integration

#: What a service does with the requests of a form, by their number.
LOST = {
    "found": {1: "lost_reply"},
    "not there": {1: "lost_request"},
    "unclear": {1: "lost_reply", 2: "forbidden"},
    "refused": {1: "forbidden"},
}


@pytest.mark.parametrize("trouble", LOST)
def test_a_form(misbehaving, outline, recorded, settle, trouble):
    """A form whose creation is lost or refused, and the search for what it may have created."""
    client, service = misbehaving(faults=Faults(script=LOST[trouble]), images=0)
    form = ink.ImageForm(client, name="Boats", description="two boats")
    shown = outline(form)
    form.submit().exception(30)
    service.clock.advance(181)
    settle(form)
    shown.step("submitted")
    if form.question.is_open:
        form.question.children[1].click()
        settle(form)
        shown.step("searched")
    recorded(f"form {trouble}", shown.changes)


def test_a_form_of_a_slow_service(misbehaving, outline, recorded):
    """A form that waits for a picture: cancelled, then awaited, with a value that the service changed."""
    client, service = misbehaving(
        background=1e9, images=0, stores=lambda fields: fields | {"name": fields["name"][:3]}
    )
    form = ink.ImageForm(client, name="Boats", description="two boats")
    shown = outline(form)
    hints = []
    service.between_replies(lambda _: hints.append((form.status.hint, form.status.cancels)) or form.cancel())
    form.submit().result(30)
    shown.step("cancelled")
    recorded("slow form", {"lines": shown.changes, "hints": sorted(set(hints))})


#: As above; the first request of a run reads which records are there.
GRIDS = {trouble: {number + 1: fault for number, fault in script.items()} for trouble, script in LOST.items()}
GRIDS["made later"] = {}


@pytest.mark.parametrize("trouble", GRIDS)
def test_a_look_grid(misbehaving, outline, recorded, settle, send, clocks, trouble):
    """A cell whose picture is refused, lost, or drawn later: pressed until it is there."""
    client, service = misbehaving(
        faults=Faults(script=GRIDS[trouble]), images=0, background=1000.0 if trouble == "made later" else 0.0
    )
    grid = ink.LookGrid(client, description="two boats", style="anime", medium="ink", resolution="256x256")
    shown = outline(grid)
    if trouble == "made later":
        service.between_replies(lambda service: service.generations and grid.cancel())
    grid.submit().result(30)
    clocks.let_pass()
    settle(grid)
    shown.step("created")
    for number in range(2):
        send(grid.pictures, "press", key="anime|ink|")
        finish(grid)
        shown.step(f"pressed {number}")
        service.clock.sleep(1000)
    recorded(f"grid {trouble}", shown.changes)


def finish(panel):
    """Wait for all work of a panel, also for what is done beside the main work."""
    for thread in threading.enumerate():
        if thread.name == f"inkframe-{type(panel).__name__}":
            thread.join(30)


@pytest.mark.parametrize("trouble", GRIDS)
def test_a_tuner(misbehaving, outline, recorded, settle, clocks, trouble):
    """A card whose text is refused, lost, or written later: searched until it is there, renamed and kept."""
    templates = len(ink.Vocabulary().templates)
    client, service = misbehaving(
        # The newest documents of each template are read before, too.
        faults=Faults(script={number + templates: fault for number, fault in GRIDS[trouble].items()}),
        documents=0,
        background=1000.0 if trouble == "made later" else 0.0,
    )
    tuner = ink.CreativityTuner(client, prompt="About a kettle", creativity="Imaginative", repeats=1)
    shown = outline(tuner)
    if trouble == "made later":
        service.between_replies(lambda service: service.generations and tuner.cancel())
    tuner.submit().result(30)
    clocks.let_pass()
    settle(tuner)
    shown.step("created")
    for number in range(2):
        [card] = tuner.texts.cards.values()
        if card._look in card.children:
            card._look.click()
        elif card.keep in card.children:
            card.keep.click()
        finish(tuner)
        shown.step(f"pressed {number}")
        service.clock.sleep(1000)
    [card] = tuner.texts.cards.values()
    card.name.value = "The one"
    finish(tuner)
    shown.step("renamed")
    recorded(f"tuner {trouble}", shown.changes)


def test_a_tuner_that_asks_twice(misbehaving, outline, recorded, settle, monkeypatch):
    """A plan past 25 creations on a service at an address: asked, changed, asked again, confirmed."""
    monkeypatch.setattr("inkframe.widgets.panel.DOUBLE_CLICK", 0)
    client, _ = misbehaving(documents=0)
    tuner = ink.CreativityTuner(client, prompt="About a kettle", creativity=[0, 1], repeats=13)
    shown = outline(tuner)
    tuner.button.click()
    shown.step("pressed")
    tuner.fields["name"].value = "Text {repeat}"
    shown.step("changed")
    tuner.blind_button.click()
    shown.step("pressed again")
    recorded("asks twice", shown.changes)


def test_errors_of_arguments(client, recorded, tmp_path):
    """The words for each wrong argument of a panel."""
    frame = pd.DataFrame({"result": ["a", "b"], "kind": ["x", "y"]}, index=pd.Index([1, 2], name="id"))

    def rate(**options):
        return lambda: ink.RatingPanel(frame, **{"path": tmp_path / "ratings", "rater": "ana"} | options)

    def tune(**options):
        return lambda: ink.CreativityTuner(client, prompt="x", **options)

    def look(**options):
        return lambda: ink.LookGrid(client, description="x", **options)

    scale, pairs = rate()(), rate(mode="pairs")()
    calls = {
        "scale low": rate(scale=1), "scale high": rate(scale=10), "scale kind": rate(scale="5"),
        "labels alone": rate(labels=["a", "b"]), "labels one": rate(mode="labels", labels=["a"]),
        "labels ten": rate(mode="labels", labels=list("abcdefghij")), "labels text": rate(mode="labels", labels="ab"),
        "labels twice": rate(mode="labels", labels=["a", "a"]), "labels number": rate(mode="labels", labels=["a", 1]),
        "no labels": rate(mode="labels"), "mode": rate(mode="scales"), "question": rate(question=" "),
        "rater": rate(rater=""), "per_group": rate(per_group=0), "random_state": rate(random_state=-1),
        "by": rate(by="kin"), "by far": rate(by="zzz"), "no pair": lambda: ink.RatingPanel(frame.head(1), mode="pairs", rater="ana", path=tmp_path / "ratings"),
        "value high": lambda: scale.rate(6), "value low": lambda: scale.rate(0), "value text": lambda: scale.rate("a"),
        "reason": lambda: scale.rate(3, 7), "side": lambda: pairs.rate("up"), "no rating": scale.undo,
        "empty": lambda: ink.RatingPanel(frame.assign(result=None), rater="ana", path=tmp_path / "ratings"),
        "repeats": tune(repeats=61), "no repeats": tune(repeats=0), "creativity": tune(creativity=0.3),
        "template": tune(template="Blog titel"), "keyword": tune(topik="x"), "style": look(style="animee"),
        "resolution": look(resolution="1x1"), "no picture": lambda: look()().enlarge().result(60),
        "incomplete": lambda: look()().submit().result(60), "no description": lambda: ink.LookGrid(client).submit().result(60),
        "page size": lambda: ink.ImageBrowser(client, per_page=20), "sort": lambda: ink.ImageBrowser(client, sort="up"),
        "form": lambda: ink.ImageForm(client).fill(nam="x"), "studio": lambda: ink.Studio(client).show("Image"),
        "no description either": lambda: ink.ImageForm(client, name=" ").submit().result(60),
    }  # fmt: skip
    found = {}
    for name, call in calls.items():
        with pytest.raises(ink.InvalidArgument) as caught:
            call()
        found[name] = str(caught.value)
    while scale.item is not None:
        scale.rate(5)
    for name, call in {"all rated": lambda: scale.rate(3), "all skipped": scale.skip}.items():
        with pytest.raises(ink.InvalidArgument) as caught:
            call()
        found[name] = str(caught.value)
    recorded("errors", found)


def test_a_browser_of_images(library, outline, recorded, settle, send):
    """A browser: settings reused, downloads of one and of two, and deletions that are confirmed."""
    browser = ink.ImageBrowser(library, per_page=10, sort_by="name", sort="asc")
    settle(browser)
    shown = outline(browser)
    keys = [*browser.gallery.ids]
    for kind, wanted in (
        ("u", keys[:1]), ("s", keys[:1]), ("s", keys[:2]), ("c", keys[:1]), ("delete", keys[:2]), ("open", []), ("f", keys[:1]),
    ):  # fmt: skip
        send(browser.gallery, kind, keys=wanted)
        settle(browser)
        shown.step(f"{kind} {len(wanted)}")
    send(browser.gallery, "open", keys=keys[:1], key=keys[0])
    settle(browser)
    shown.step("opened")
    browser.actions.question.children[-1].click()
    settle(browser)
    shown.step("deleted")
    browser.filters.fields["search"].value = "Image 1"
    settle(browser)
    shown.step("searched")
    browser.pager.size.value = None
    settle(browser)
    shown.step("on one page")
    recorded("image browser", shown.changes)
