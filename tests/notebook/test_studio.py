from pathlib import Path

from inkframe import DocumentForm, ImageBrowser, ImageForm, Studio


def test_panels_are_made_when_they_are_asked_for(library, engine):
    """A studio asks the service nothing before a tab needs it."""
    studio = Studio(library)
    assert list(studio.panels) == ["New image"]
    assert isinstance(studio.show("New document"), DocumentForm)
    assert isinstance(studio.show("Images"), ImageBrowser)
    assert studio.show("Images") is studio.panels["Images"]


def test_traits_are_those_of_the_tab_that_is_shown(client):
    """Record, frame and code follow the tab; an empty tab keeps the last record."""
    studio = Studio(client)
    form = studio.panels["New image"]
    form.fill(name="Boats", description="two boats")
    assert studio.code == form.code
    made = studio.submit().result(30)
    assert studio.record is made
    studio.show("Looks")
    assert studio.record is made
    assert "plan_images" in studio.code


def test_settings_go_from_a_browser_into_the_form(library, press):
    """Reuse settings turns to the form and fills it."""
    studio = Studio(library)
    browser = studio.show("Images")
    browser.submit().result(30)
    browser.record = library.images.get(1)
    press(browser, "Reuse settings")
    assert studio.shown == "New image"
    form = studio.panels["New image"]
    assert isinstance(form, ImageForm)
    assert form.arguments["name"] == "Image 1"


def test_what_was_made_last_is_kept_by_the_cell(client, monkeypatch):
    """A result of any tab is in the studio's own static output, folded, and again after each further one."""
    shown = []
    for module in ("widgets.panel", "display.view"):
        monkeypatch.setattr(
            f"inkframe.{module}.display", lambda bundle, **_: shown.append(bundle["text/html"])
        )
    studio = Studio(client)
    studio._ipython_display_()
    studio.panels["New image"].fill(name="Boats", description="two boats")
    studio.submit().result(30)
    assert "two boats" in shown[-1]
    assert shown[-1].count("<details") == 1
    assert "two boats" in studio.panels["New image"].result.value
    tuner = studio.show("Creativity")
    tuner.fields["prompt"].value = "About a kettle"
    tuner.submit().result(30)
    assert "About a kettle" in shown[-1]


def test_whole_studio(client):
    """Its tabs, what is hidden, what it follows, and what stays when a tab has none of it."""
    studio = Studio(client)
    tabs = ["New image", "New document", "From a table", "Images", "Documents", "Creativity", "Looks", "Rate"]
    assert ([studio.tabs.get_title(at) for at in range(8)], studio.shown, len(studio.tabs.children)) == (
        tabs,
        "New image",
        8,
    )
    hidden = [type(each).__name__ for each in studio.children if "ink-gone" in each._dom_classes]
    assert hidden == ["Status", "CodeBox", "HTML"]
    assert studio._dom_classes == ("inkframe", "ink-panel", "ink-studio")
    told = Path(__file__, "../../../notebooks/studio.ipynb").resolve().read_text(encoding="utf-8")
    assert [tab for tab in tabs if f"**{tab}**" not in told] == []
    form = studio.panels["New image"]
    assert studio.tabs.children[0].children == (form,)
    error = ValueError("no")
    form.set_trait("error", error)
    form.set_trait("record", "a record")
    form.set_trait("busy", True)
    assert (studio.error, studio.record, studio.busy, studio.code) == (error, "a record", True, form.code)
    other = studio.show("New document")
    assert (studio.error, studio.record, studio.busy, studio.code) == (None, "a record", False, other.code)
    form.set_trait("record", "another")
    assert studio.record == "a record"
    studio.show("New image")
    assert (studio.record, studio.busy, studio.frame) == ("another", True, None)
    assert repr(studio) == "<Studio of local demo service>"
