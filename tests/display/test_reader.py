"""Documents to read."""

from __future__ import annotations

import pytest

from inkframe.display import read
from inkframe.display.view import weigh
from inkframe.errors import InvalidArgument


def test_an_accordion_folds_each_text_under_its_name(document):
    """Every document is there in full, closed; a single one is open."""
    html = read([document, {**document, "name": "Other"}], service="local stand-in").html
    assert html.count('<details class="ink-entry">') == 2
    assert html.count("<em>litre</em>") == 2
    assert ">2 documents · local stand-in<" in html
    assert '<details class="ink-entry" open>' in read([document]).html


def test_a_page_sets_the_texts_open(document):
    """On a page the texts stand one below the other, whole."""
    long = {**document, "result": "word " * 3_000}
    html = read([long, document], layout="page").html
    assert html.count("<article") == 2
    assert "Show the rest" not in html


def test_what_does_not_fit_is_counted(document):
    """A library of long texts fills the cell, and a line says how many are left out."""
    view = read([{**document, "result": "word " * 5_000}] * 60)
    assert weigh(view._repr_mimebundle_()) <= 1_000_000
    assert "left out: a cell holds 1 MB" in view.html
    assert view.html.count('<details class="ink-entry"') < 60


def test_one_document_of_any_length_is_cut_not_left_out(document):
    """A single text too long for a cell is shown as far as the cell goes."""
    view = read([{**document, "result": '"日' * 300_000, "prompt": '"' * 300_000}])
    assert weigh(view._repr_mimebundle_()) <= 1_000_000
    assert "left out" not in view.html
    assert "document.result holds all" in view.html


def test_an_unknown_layout_is_refused(document):
    """The error names the layouts there are."""
    with pytest.raises(InvalidArgument, match="accordion, page"):
        read([document], layout="scroll")
