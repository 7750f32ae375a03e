"""Arguments encoded for queries and forms."""

import pytest

from inkframe.errors import InvalidArgument
from inkframe.http.body import encode_form, encode_query, wire_text


def test_values_as_text():
    """Booleans are 1 and 0, and other values their own text."""
    assert [wire_text(value) for value in (True, False, 7, 0.25, "a b")] == ["1", "0", "7", "0.25", "a b"]


def test_queries_and_forms():
    """Brackets in names stay, spaces become plus signs, and every other reserved character is escaped."""
    fields = {"page[size]": 10, "$skip": "0", "a b": "c d", "favorite": True, "search": "ü&=+?/#%"}
    expected = "page[size]=10&$skip=0&a%20b=c+d&favorite=1&search=%C3%BC%26%3D%2B%3F%2F%23%25"
    assert encode_query(fields) == encode_query(fields.items()) == expected
    form = encode_form(fields, "k-1")
    assert (form.content, form.key) == (expected.encode(), "k-1")
    assert encode_form({}).content == b""
    assert encode_form({}).key is None


def test_the_longest_query():
    """A query has at most 4,000 bytes; a form may be longer."""
    longest = "x" * 3993
    assert encode_query({"search": longest}) == f"search={longest}"
    assert len(encode_form({"prompt": "x" * 9000}).content) == 9007
    with pytest.raises(InvalidArgument) as caught:
        encode_query({"search": longest + "x"})
    assert (
        str(caught.value) == "The query must have at most 4,000 bytes, got 4,001.\nSearch for a shorter text."
    )


def test_half_of_a_surrogate_pair_is_refused():
    """The error names the character, in queries, forms and names."""
    for encode in (encode_query, encode_form):
        for fields in ({"a": "b\ud800"}, {"b\ud800": "a"}):
            with pytest.raises(InvalidArgument) as caught:
                encode(fields)
            assert str(caught.value) == (
                "The text contains '\\ud800', which cannot be sent.\nRemove it; it is half of a surrogate pair."
            )
