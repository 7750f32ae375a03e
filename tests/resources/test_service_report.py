"""The report of a check: a frame, a table and a text, with what fails first and nothing secret or hostile."""

import pytest
from tests.services import FaultyService

import inkframe as ink
from inkframe.resources.check import ServiceReport

FINDINGS = [
    ("images", "List", "holds", "GET /images: It returns 10 records."),
    ("images", "parameter style", "fails", "GET /images?style=anime: <b>3</b> of 10 records differ."),
    ("documents", "Store", "unknown", "Not tried."),
]


def test_the_frame_has_a_row_for_each_row_of_the_interface():
    """The frame keeps the order of the interface, with a category for the status."""
    frame = ServiceReport("https://service.test", FINDINGS, 12).frame
    assert frame.columns.tolist() == ["collection", "row", "status", "evidence"]
    assert frame["status"].tolist() == ["holds", "fails", "unknown"]
    assert frame["status"].cat.categories.tolist() == ["holds", "fails", "unknown"]
    assert frame["evidence"].tolist() == [evidence for *_, evidence in FINDINGS]


def test_what_fails_comes_first():
    """Text and table begin with the counts and with what fails."""
    report = ServiceReport("https://service.test", FINDINGS, 12)
    lines = repr(report).splitlines()
    assert lines[0] == "https://service.test · 1 fails · 1 unknown · 1 holds · 12 requests"
    assert lines[1].startswith("fails    images: parameter style. GET /images?style=anime:")
    page = report._repr_mimebundle_()["text/html"]
    assert page.index("fails") < page.index("unknown") < page.rindex("holds")
    assert "<b>3</b>" not in page
    assert max(map(len, lines)) <= 110


@pytest.mark.integration
@pytest.mark.parametrize(
    "hostile", ["<script>alert(1)</script>", "a-secret-key-0123456789", "\u202eevil\x1b[31m"]
)
def test_values_of_records_are_shown_clean(hostile):
    """A value that a service invents is escaped, cleaned and without the key."""
    service = FaultyService(images=30, key="a-secret-key-0123456789")
    for image in service.images.values():
        image["style"] = hostile
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        report = client.check()
    text, page = repr(report), report._repr_mimebundle_()["text/html"]
    shown = text + page + report.frame.to_csv()
    assert "secret-key" not in shown
    assert "<script>" not in page
    assert "\u202e" not in shown
    assert "\x1b" not in shown
