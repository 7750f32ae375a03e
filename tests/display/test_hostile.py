"""Hostile texts in every view."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from inkframe.display.view import weigh


class Seen(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes, self.odd = set(), set(), []
        self.values = {"src": [], "href": [], "style": []}

    def handle_starttag(self, tag, attrs):
        """Note an element and its attributes; those of a report's own frame are known."""
        self.elements.add(tag)
        for name, value in attrs if tag not in ("meta", "html") else ():
            self.attributes.add(name)
            self.values.get(name, []).append(value)

    def handle_comment(self, data):
        """Note what no view should have."""
        self.odd.append(data)

    def handle_decl(self, decl):
        """Note a declaration that is not the page's first line."""
        self.odd += [] if decl == "doctype html" else [decl]

    handle_pi = unknown_decl = handle_comment


def seen(html):
    parser = Seen()
    parser.feed(html)
    parser.close()
    return parser


def test_views_hold_only_what_we_put_there(hostile, hostile_views):
    """No hostile text adds an element, an attribute, a comment or a style of its own to any view."""
    for name, html in hostile_views:
        found = seen(html)
        page = hostile.PAGE if name == "report" else set()
        assert found.elements <= hostile.ELEMENTS | page, name
        assert found.attributes <= hostile.ATTRIBUTES, name
        assert not found.odd, name
        assert not [style for style in found.values["style"] if "url" in style or "position" in style], name


def test_views_load_nothing(hostile_views):
    """Pictures are inside the page, links lead to web pages only, and no style sheet names an address."""
    for name, html in hostile_views:
        found = seen(html)
        assert all(
            source.startswith(("data:image/jpeg;base64,", "data:image/webp;base64,"))
            for source in found.values["src"]
        ), name
        assert all(re.match(r"(https?://|mailto:)", link) for link in found.values["href"]), name
        sheets = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
        assert all("url(" not in sheet and "@import" not in sheet for sheet in sheets), name


def test_only_the_report_has_a_script(hostile_views):
    """A cell output holds no script; the report holds its own one, named by its hash in the page's policy."""
    for name, html in hostile_views:
        assert len(re.findall(r"<script", html)) == (name == "report"), name
    report = dict(hostile_views)["report"]
    assert "default-src 'none'; img-src data:;" in report.replace("&#x27;", "'")


def test_views_keep_within_the_cell(hostile_views):
    """Texts of any length leave a view within a cell's megabyte."""
    for name, html in hostile_views:
        if name != "report":
            assert weigh({"text/html": html}) <= 1_000_000, name


@pytest.mark.parametrize("mark", ["\x00", "\x1b", "\x9b", "\ud800", "\uffff", "\u202e"])
def test_views_hold_no_controls(hostile_views, mark):
    """NUL, escape sequences, lone surrogates and marks that reverse text are in no view."""
    assert not [name for name, html in hostile_views if mark in html]
