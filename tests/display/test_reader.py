"""Test showing documents."""

import pytest

from inkframe.display.fragments import document_bundle
from inkframe.display.gallery import read
from inkframe.display.view import weigh


def test_an_accordion_folds_each_text_under_its_name(document):
    """Every document is complete and closed; a single one is open."""
    html = read([document, {**document, "name": "Other"}], service="local demo service").html
    assert html.count('<details class="ink-entry">') == 2
    assert html.count("<em>liter</em>") == 2
    assert ">2 documents · local demo service<" in html
    assert '<details class="ink-entry" open>' in read([document]).html


def test_a_page_shows_the_texts_open(document):
    """A page has the complete texts one below the other."""
    long = {**document, "result": "word " * 3_000}
    html = read([long, document], layout="page").html
    assert html.count("<article") == 2
    assert "Show the rest" not in html


@pytest.mark.integration
def test_documents_that_do_not_fit_are_counted(document):
    """If long texts fill the cell, a line says how many are left out."""
    view = read([{**document, "result": "word " * 5_000}] * 60)
    assert weigh(view._repr_mimebundle_()) <= 1_000_000
    assert "left out: a cell holds 1 MB" in view.html
    assert view.html.count('<details class="ink-entry"') < 60


@pytest.mark.integration
def test_one_document_of_any_length_is_cut_not_left_out(document):
    """A single text that is too long for a cell is cut."""
    view = read([{**document, "result": '"日' * 300_000, "prompt": '"' * 300_000}])
    assert weigh(view._repr_mimebundle_()) <= 1_000_000
    assert "left out" not in view.html
    assert "document.result has the full text" in view.html


@pytest.mark.integration
@pytest.mark.parametrize(
    "unit", ["word ", "語", "\n", '"', "<&>", "# heading of some length\n\n", "\U0001f600"]
)
def test_texts_of_any_kind_stay_within_the_budget(document, unit):
    """200,000 characters of any kind add at most 150 kB, and a line says how many are left out."""
    long = unit * (200_000 // len(unit))
    bundle = document_bundle({**document, "result": long, "prompt": long})
    assert weigh(bundle) <= 150_000
    assert "document.result has the full text" in bundle["text/html"] or unit == "\n"


@pytest.mark.parametrize(("length", "end"), [(20_000, "x" * 20_000), (20_001, "x" * 19_999 + "…")])
def test_the_plain_text_has_20_000_characters(document, length, end):
    """A text of up to 20,000 characters is whole in the plain text; a longer one is cut."""
    shown = document_bundle({**document, "result": "x" * length, "prompt": None})["text/plain"]
    assert shown.rpartition("\n")[2] == end


def test_a_missing_text_is_noted(document):
    """A document without text has a note."""
    bundle = document_bundle({**document, "result": None, "prompt": None})
    assert "No text yet." in bundle["text/html"]
    assert "Prompt" not in bundle["text/html"]
    assert "no text yet" in bundle["text/plain"]


@pytest.mark.parametrize("layout", ["accordion", "page"])
def test_whole_view(document, recorded, layout):
    """Documents with a prompt, without one, and without a text."""
    bare = {"id": 8, "name": None, "template": None, "result": None, "prompt": None, "favorite": False}
    recorded(layout, read([document, bare], layout=layout, service="content.example.com"))


def test_whole_bundle_of_a_long_text(document, recorded):
    """A text and a prompt beyond the limits are cut, with both lengths."""
    long = {**document, "result": "Water boils. " * 4_000, "prompt": "Write. " * 8_000, "favorite": False}
    bundle = document_bundle(long, service="content.example.com")
    html = bundle["text/html"].replace("Water boils. " * 100, "WATER").replace("Write. " * 100, "WRITE ")
    recorded("long", {"html": html, "text": bundle["text/plain"][:200]})
    recorded("short", document_bundle(document))
