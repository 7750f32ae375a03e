from __future__ import annotations

import re
from importlib.resources import files

import anywidget
import pytest

from inkframe.deciding.look_grid import PictureGrid
from inkframe.deciding.rating_panel import RatingStage
from inkframe.display.markup import style
from inkframe.exploring.facet_list import FacetList
from inkframe.exploring.map import RecordMap
from inkframe.widgets.fields import Chips, Combobox, Steps
from inkframe.widgets.front import look, script, sheet
from inkframe.widgets.panel import CodeBox, Status
from inkframe.widgets.record_gallery import RecordGallery

WIDGETS = (
    Chips,
    CodeBox,
    Combobox,
    FacetList,
    PictureGrid,
    RatingStage,
    RecordGallery,
    RecordMap,
    Status,
    Steps,
)


def read(name):
    """Return a file of the folder."""
    return (files("inkframe.widgets.front") / name).read_text(encoding="utf-8")


def test_modules_and_sheets_are_the_files():
    """A module has the shared functions first, then the named files in their order; sheets are joined."""
    assert script("status") == read("element.js") + read("status.js")
    assert script("blobs", "picture_grid") == read("element.js") + read("blobs.js") + read("picture_grid.js")
    assert sheet("panel", "rating") == read("panel.css") + read("rating.css")
    assert f"<style>{look('prose')}</style>" == style("prose")


@pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: widget.__name__)
def test_a_script_and_its_widget_share_the_same_traits(widget):
    """Each trait that a script reads, sets or follows is synced, and no other is."""
    code = widget._esm
    found = set(re.findall(r'model\.(?:get|set)\("(\w+)"', code))
    for names in re.findall(r"follow\(\S*model, \[(.*?)\]", code):
        found |= set(re.findall(r"\w+", names))
    assert set(widget.class_traits(sync=True)) - set(anywidget.AnyWidget.class_traits(sync=True)) == found
