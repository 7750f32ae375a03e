"""Test reports as one page."""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import UTC, datetime
from html import unescape

from inkframe.display.figure import moment
from inkframe.display.gallery import is_report, report_html


def made(records, picture, **options):
    return report_html(records, lambda _: picture(), made=datetime(2026, 11, 21, tzinfo=UTC), **options)


def test_a_report_has_its_parts(image, document, picture):
    """Pictures, documents and both tables of settings are on one page under a heading."""
    html = made([image, document], picture, title="Harbors", service="content.example.com")
    assert html.startswith('<!doctype html>\n<html lang="en">')
    assert ">Harbors</h1>" in html
    assert "1 picture · 1 document · content.example.com · 21 Nov 2026, 00:00 UTC" in html
    assert re.findall(r"<h2>(.*?)</h2>", html) == [
        "Pictures",
        "Documents",
        "Settings of the pictures",
        "Settings of the documents",
    ]
    assert html.count("<img") == 1
    assert "<em>liter</em>" in html


def test_a_report_is_self_contained(image, document, picture):
    """Its policy allows only its own script, and it has no addresses except links in texts."""
    html = made([image, document], picture)
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1])
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "content.invalid" not in html


def test_the_tables_sort_by_value(image, picture):
    """Cells have keys for sorting, with numbers, times and stars as numbers."""
    html = made([image], picture)
    assert 'data-key="1"' in html
    assert f'data-key="{image["created_at"].isoformat()}"' in html
    assert html.count('<button type="button">') == 10


def test_a_part_without_records_is_left_out(document, picture):
    """A report has no gallery without images or without ``fetch``."""
    assert "Pictures" not in made([document], picture)
    assert "<img" not in report_html([{"name": "x", "style": "anime"}])
    assert "<h1" in report_html([])


def test_whole_report(image, document, picture, recorded):
    """A report of two images and two documents, with missing values."""
    records = [
        image,
        document,
        {**image, "id": 13, "style": None, "favorite": False},
        {**document, "result": None},
    ]
    html = made(records, picture, title="Harbors", service="content.example.com")
    recorded("report", {"text/html": html})


def test_a_report_is_recognized_by_its_mark(tmp_path, document, picture):
    """A written report is recognized, and another page is not."""
    path = tmp_path / "page.html"
    path.write_text(made([document], picture), encoding="utf-8")
    assert is_report(path)
    path.write_text(" " * 440 + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert not is_report(path)


def test_a_report_is_of_now_unless_told(document):
    """Without a time, the page has the current one."""
    before, html, after = datetime.now(UTC), report_html([document]), datetime.now(UTC)
    assert any(f"{moment(time)}</p>" in html for time in (before, after))
