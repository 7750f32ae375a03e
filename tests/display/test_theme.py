"""Test the style sheets."""

import re
from pathlib import Path

import pytest

from inkframe.display import markup as theme

PARTS = sorted(path.stem for path in (Path(theme.__file__).parent / "styles").glob("*.css"))


@pytest.mark.parametrize("part", PARTS)
def test_no_rule_leaks(part):
    """Every selector of every style sheet is limited to the class inkframe."""
    rules = re.sub(r"@media[^{]*\{(.*?\})\s*\}", r"\1", theme.read_sheet(part))
    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", rules):
        outside_brackets = re.sub(r"\([^()]*\)", "", selectors)
        assert all(".inkframe" in selector for selector in outside_brackets.split(",")), selectors


@pytest.mark.parametrize("part", PARTS)
def test_no_raw_color_outside_the_tokens(part):
    """Colors are defined once, in the tokens."""
    rules = re.sub(r"--ink-[a-z-]+:[^;]*;", "", theme.read_sheet(part))
    assert not re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(", rules)


def test_a_style_is_small():
    """The tokens with the rules of a gallery, repeated in each output, take less than 5 kB."""
    assert len(theme.style("gallery")) < 5_000
    assert theme.style("gallery").startswith("<style>.inkframe{color-scheme:light dark;")


@pytest.mark.integration
def test_every_class_in_use_has_a_rule(hostile_views):
    """Every class in a view has a rule in a style sheet, or in the view itself."""
    sheets = [theme.read_sheet(part) for part in PARTS]
    sheets += [
        rules for _, html in hostile_views for rules in re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    ]
    styled = set(re.findall(r"\.(ink-[a-z]+(?:-[a-z0-9]+)*)", "".join(sheets)))
    used = {
        name
        for _, html in hostile_views
        for names in re.findall(r' class="([^"]*)"', html)
        for name in names.split()
    }
    assert {name for name in used if name.startswith("ink-")} <= styled


@pytest.mark.parametrize("part", PARTS)
def test_style_sheets_are_compressed(part):
    """A sheet has no comments, no line breaks and no spaces beside its marks."""
    sheet = theme.read_sheet(part)
    assert sheet == sheet.strip()
    assert not re.search(r"/\*|\n|  | [{};,]|[{};,] |: [a-z0-9#]|;}", re.sub(r'"[^"]*"', "q", sheet))
    assert sheet.count("{") == sheet.count("}")


def test_the_outermost_element():
    """A view has its class, its style sheets and, above it, its notes."""
    html = str(theme.root(theme.bar("one", "two"), "<b>", parts=("gallery",)))
    assert re.sub(r"<style>.*</style>", "", html) == (
        '<div class="inkframe mathjax_ignore tex2jax_ignore"><div class="ink-bar"><p class="ink-meta">one</p>'
        '<p class="ink-meta">two</p></div>&lt;b&gt;</div>'
    )
