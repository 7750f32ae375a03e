"""Markup that is safe by construction."""

from __future__ import annotations

from inkframe.display.markup import Html, join, tag


def test_text_is_escaped_and_markup_is_not():
    """A plain string is text, an Html string is markup, None is nothing."""
    assert tag("p", "<b>&", tag("b", "x"), None) == "<p>&lt;b&gt;&amp;<b>x</b></p>"
    assert isinstance(join("a", Html("<br>")), Html)


def test_attributes_are_quoted_and_cleaned():
    """Quotes, controls and markup in a value cannot leave the attribute."""
    assert tag("a", title="\" onclick='x'\x00<>") == '<a title="&quot; onclick=&#x27;x&#x27;&lt;&gt;"></a>'


def test_attribute_names():
    """A trailing underscore falls away, another becomes a hyphen; truth gives a bare attribute or none."""
    assert (
        tag("img", class_="a", data_key=0, hidden=True, alt=None, open=False)
        == '<img class="a" data-key="0" hidden>'
    )
    assert tag("meta", name="viewport") == '<meta name="viewport">'


def test_concatenation_loses_the_promise():
    """Html added to text is text again, and gets escaped where it is used."""
    assert tag("p", Html("<b>") + "<i>") == "<p>&lt;b&gt;&lt;i&gt;</p>"
