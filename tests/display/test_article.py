"""One document in a notebook."""

from __future__ import annotations

import pytest

from inkframe.display import document_bundle
from inkframe.display.view import weigh


def test_the_text_is_typeset_under_a_quiet_header(document):
    """Name, template, creativity, length, service and star stand above the text, the prompt is folded below."""
    html = document_bundle(document, service="content.example.com")["text/html"]
    assert ">The quiet kettle</h3>" in html
    assert "Product sheet · Creative · 14 words · content.example.com · <span" in html
    assert "<em>litre</em>" in html
    assert "<details" in html.split("Prompt</summary>")[0].rsplit("</div>", 1)[1]
    assert "Product text for a kettle.\nA calm tone." in html


def test_plain_text_is_the_text(document):
    """A terminal gets the header and the text itself."""
    text = document_bundle(document, service="local stand-in")["text/plain"]
    assert text.startswith(
        "Document 7: The quiet kettle ★\nProduct sheet · Creative · 14 words · local stand-in\n\nMorning"
    )
    assert text.endswith("**four** minutes.")


@pytest.mark.parametrize(
    "unit", ["word ", "語", "\n", '"', "<&>", "# heading of some length\n\n", "\U0001f600"]
)
def test_texts_of_any_kind_stay_within_the_budget(document, unit):
    """Two hundred thousand characters of anything add at most 150 kB, and a line says what is left out."""
    long = unit * (200_000 // len(unit))
    bundle = document_bundle({**document, "result": long, "prompt": long})
    assert weigh(bundle) <= 150_000
    assert "document.result holds all" in bundle["text/html"] or unit == "\n"


def test_a_missing_text_is_said_to_be_missing(document):
    """A document that is still being written says so."""
    bundle = document_bundle({**document, "result": None, "prompt": None})
    assert "No text yet." in bundle["text/html"]
    assert "Prompt" not in bundle["text/html"]
    assert "no text yet" in bundle["text/plain"]
