"""Test hostile texts in every view."""

import re
from html.parser import HTMLParser

import pytest

from inkframe.display.view import weigh

REPORTS = ("report", "report of columns")


class Seen(HTMLParser):
    """Collects the elements and attributes of a page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements, self.attributes, self.odd = set(), set(), []
        self.values = {"src": [], "href": [], "style": []}

    def handle_starttag(self, tag, attrs):
        """Record an element and its attributes, except those of a report's head."""
        self.elements.add(tag)
        for name, value in attrs if tag not in ("meta", "html") else ():
            self.attributes.add(name)
            self.values.get(name, []).append(value)

    def handle_comment(self, data):
        """Record a comment, which no view may have."""
        self.odd.append(data)

    def handle_decl(self, decl):
        """Record a declaration other than that of a page."""
        self.odd += [] if decl == "doctype html" else [decl]

    handle_pi = unknown_decl = handle_comment


def seen(html):
    parser = Seen()
    parser.feed(html)
    parser.close()
    return parser


def test_views_have_only_known_elements(hostile, hostile_views):
    """No hostile text adds an element, an attribute, a comment or a style to any view."""
    for name, html in hostile_views:
        found = seen(html)
        page = hostile.PAGE if name in REPORTS else set()
        assert found.elements <= hostile.ELEMENTS | page, name
        assert found.attributes <= hostile.ATTRIBUTES, name
        assert not found.odd, name
        assert not [style for style in found.values["style"] if "url" in style or "position" in style], name


def test_views_load_nothing(hostile_views):
    """Pictures are data URIs, links lead to web pages or mail addresses, and style sheets have no address."""
    for name, html in hostile_views:
        found = seen(html)
        assert all(
            source.startswith(("data:image/jpeg;base64,", "data:image/webp;base64,"))
            for source in found.values["src"]
        ), name
        assert all(re.match(r"(https?://|mailto:)", link) for link in found.values["href"]), name
        sheets = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
        assert all("url(" not in sheet and "@import" not in sheet for sheet in sheets), name


def test_no_view_has_a_script(hostile_views):
    """Neither a cell output nor a report, whose policy allows none."""
    for name, html in hostile_views:
        assert "<script" not in html, name
    for name in REPORTS:
        assert "default-src 'none'; img-src data:;" in dict(hostile_views)[name].replace("&#x27;", "'")


def test_views_stay_within_the_size_limit(hostile_views):
    """Views stay within 1 MB for texts of any length."""
    for name, html in hostile_views:
        if name not in REPORTS:
            assert weigh({"text/html": html}) <= 1_000_000, name


@pytest.mark.parametrize("mark", ["\x00", "\x1b", "\x9b", "\ud800", "\uffff", "\u202e"])
def test_views_have_no_controls(hostile_views, mark):
    """No view has NUL, escape sequences, lone surrogates or marks that reverse text."""
    assert not [name for name, html in hostile_views if mark in html]
