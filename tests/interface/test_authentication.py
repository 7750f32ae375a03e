"""Section 5 of the interface: every request bears the key, and the key goes nowhere else."""

import pytest

import inkframe as ink

LEAST = {
    "images": {"name": "Harbour", "description": "a harbour", "resolution": "256x256"},
    "documents": {"name": "Harbour", "prompt": "Text for a harbour."},
}
OPERATIONS = {
    "list": lambda each: each.list(),
    "all": lambda each: each.all(),
    "show": lambda each: each.get(1),
    "store": lambda each: each.create(**LEAST[each.resource]),
    "update": lambda each: each.update(1, favorite=True),
    "delete": lambda each: each.delete(1),
}
WRONG = "wrong-Xy83kQp0Vd"


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("collection", ["images", "documents"])
def test_a_wrong_key_is_said(desk, connect, sent, collection, operation):
    """A key that the service does not know is an error that names what to check, and nothing is created."""
    client = connect(desk, key=WRONG)
    with pytest.raises(ink.AuthenticationError, match="INKFRAME_API_KEY") as caught:
        OPERATIONS[operation](getattr(client, collection))
    assert len(sent) == 1
    assert caught.value.status == 401
    assert len(str(caught.value).splitlines()) <= 3
    assert client.created == 0


def test_the_key_travels_in_its_header_alone(client, sent, key):
    """The key is in no address, no body and no other header."""
    image = client.images.create(**LEAST["images"])
    assert image.picture.size == (1, 1)
    client.images.all(search="Harbour")
    client.documents.list(favorite=True)
    for request in sent:
        others = [value for name, value in request.headers.items() if name != "authorization"]
        assert not any(key in text for text in (request.path, request.query, request.body.decode(), *others))


def test_the_key_is_an_error_where_it_cannot_travel(desk, connect):
    """An empty key, or one with spaces, line breaks or letters beyond ASCII, is refused at once."""
    for wrong in ("", " ", "a b", "key\n", "schlüssel", None, 7):
        with pytest.raises(ink.ConfigurationError, match="INKFRAME_API_KEY"):
            connect(desk, key=wrong)
