"""Test building safe markup."""

from inkframe.display.markup import Html, join, tag


def test_text_is_escaped_and_markup_is_not():
    """A plain string is escaped, an Html string is not, and None is left out."""
    assert tag("p", "<b>&", tag("b", "x"), None) == "<p>&lt;b&gt;&amp;<b>x</b></p>"
    assert isinstance(join("a", Html("<br>")), Html)


def test_attributes_are_quoted_and_cleaned():
    """Quotes, controls and markup in a value are escaped."""
    assert tag("a", title="\" onclick='x'\x00<>") == '<a title="&quot; onclick=&#x27;x&#x27;&lt;&gt;"></a>'


def test_attribute_names():
    """A trailing underscore is removed, others become hyphens, and booleans add an attribute or none."""
    assert (
        tag("img", class_="a", data_key=0, hidden=True, alt=None, open=False)
        == '<img class="a" data-key="0" hidden>'
    )
    assert tag("meta", name="viewport") == '<meta name="viewport">'


def test_concatenation_returns_plain_text():
    """Html added to text is plain text, which is escaped when used."""
    assert tag("p", Html("<b>") + "<i>") == "<p>&lt;b&gt;&lt;i&gt;</p>"
