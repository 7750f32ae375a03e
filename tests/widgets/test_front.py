import re
from importlib.resources import files

import anywidget
import pytest

import inkframe as ink
from inkframe.deciding.rating_panel import RatingStage
from inkframe.display.markup import style
from inkframe.widgets.panel import Status, front, script


def scripted(kind=anywidget.AnyWidget):
    """Yield the widgets of the package that have a script."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("inkframe.") and "_esm" in vars(each):
            yield each
        yield from scripted(each)


for public in ink.__all__:  # imports every panel
    getattr(ink, public)
WIDGETS = sorted(scripted(), key=lambda each: each.__name__)


def read(name, package="widgets"):
    """Return a file of a package's folder."""
    return (files("inkframe") / package / "front" / name).read_text(encoding="utf-8")


def test_modules_and_sheets_are_the_files():
    """A module has the shared functions first, then the parts in their order; its own file may be another package's."""
    assert script("status") == read("base.js") + read("status.js")
    assert script("rows", "large") == read("base.js") + read("large.js") + read("rows.js")
    assert RatingStage._esm == read("base.js") + read("rating.js", "deciding")
    assert front("rating.css", "inkframe.deciding") == RatingStage._css == read("rating.css", "deciding")
    assert f"<style>{Status._css}" == style("figure", "prose", "compare", "table").replace(
        "</style>", read("panel.css")
    )


@pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: widget.__name__)
def test_a_script_and_its_widget_share_the_same_traits(widget):
    """Each trait that a script reads, sets or follows is synced, and no other is."""
    code = widget._esm
    found = set(re.findall(r'model\.(?:get|set)\("(\w+)"', code))
    found |= set(re.findall(r'this\.change\("(\w+)"', code))
    for names in re.findall(r"follow\(\[(.*?)\]", code):
        found |= set(re.findall(r"\w+", names))
    assert set(widget.class_traits(sync=True)) - set(anywidget.AnyWidget.class_traits(sync=True)) == found
