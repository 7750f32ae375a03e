"""Test reports as one page."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

from inkframe.display.figure import moment
from inkframe.display.gallery import is_report, report_html


def made(records, picture, **options):
    return report_html(records, lambda _: picture(), made=datetime(2026, 11, 21, tzinfo=UTC), **options)


def test_a_report_is_self_contained(image, document, picture):
    """Its policy allows no script, it has none, and no addresses except links in texts."""
    html = made([image, document], picture)
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1])
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert "<script" not in html
    assert "content.invalid" not in html


def test_the_tables_sort_by_value(image, picture):
    """Each heading has two choices, and each row its places by number, time and name."""
    later = image["created_at"] + timedelta(days=1)
    html = made([{**image, "id": 10, "created_at": later}, {**image, "id": 9, "name": "a"}], picture)
    assert html.count('type="radio"') == 2 * 10
    assert f'title="{later.isoformat()}"' in html
    [first, second] = re.findall(r'<tr role="row" style="(.*?)">', html)
    assert (first[:12], second[:12]) == ("--s0:1;--s1:", "--s0:0;--s1:")
    assert {each.split(":")[0] for each in {*first.split(";")} - {*second.split(";")}} >= {
        "--s0",
        "--s1",
        "--s8",
    }


def test_a_part_without_records_is_left_out(document, picture):
    """A report has no gallery without images or without ``fetch``."""
    assert "Pictures" not in made([document], picture)
    assert "<img" not in report_html([{"name": "x", "style": "anime"}])
    assert "<h1" in report_html([])


def test_a_report_has_its_parts_in_order(image, document, picture):
    """Title and counts, pictures, texts with their prompts, and both tables; a missing value is a dash."""
    records = [image, document, {**image, "id": 13, "style": None}, {**document, "result": None}]
    html = made(records, picture, title="Harbors", service="content.example.com")
    assert html.startswith('<!doctype html>\n<html lang="en">')
    assert "<title>Harbors</title>" in html
    about = "2 pictures · 2 documents · content.example.com · 21 Nov 2026, 00:00 UTC"
    assert f'<h1 dir="auto">Harbors</h1><p class="ink-meta">{about}</p>' in html
    headings = ["Pictures", "Documents", "Settings of the pictures", "Settings of the documents"]
    assert re.findall("<h2>(.*?)</h2>", html) == headings
    pictures, texts, looks, settings = html.split("<h2>")[1:]
    assert (pictures.count('class="ink-shot"'), pictures.count('class="ink-facts"')) == (2, 2)
    assert texts.count('<details class="ink-entry"><summary>') == 2
    assert (texts.count("No text yet."), texts.count("<summary>Prompt</summary>")) == (1, 2)
    assert (looks.count('<tr role="row" style='), looks.count('<td class="ink-soft">–</td>')) == (2, 5)
    assert settings.count('<tr role="row" style=') == 2
    assert 'role="columnheader">template<' in settings


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
