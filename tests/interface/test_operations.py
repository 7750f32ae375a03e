"""Section 4 of the interface: method, path, headers and body of the five operations, and what comes back."""

import numpy as np
import pytest

import inkframe as ink

FORM = "application/x-www-form-urlencoded"
LEAST = {
    "images": {"name": "Harbour", "description": "a harbour", "resolution": "256x256"},
    "documents": {"name": "Harbour", "prompt": "Text for a harbour."},
}
RECORDS = {"images": ink.Image, "documents": ink.Document}
CALLS = {
    "list": (lambda each, _: each.list(), "GET", "/api/v1/{}", None),
    "show": (lambda each, number: each.get(number), "GET", "/api/v1/{}/{}", None),
    "store": (lambda each, _: each.create(**LEAST[each.resource]), "POST", "/api/v1/{}", FORM),
    "update": (lambda each, number: each.update(number, name="Bay"), "PATCH", "/api/v1/{}/{}", FORM),
    "delete": (lambda each, number: each.delete(number), "DELETE", "/api/v1/{}/{}", None),
}


@pytest.fixture(params=["images", "documents"])
def collection(request, client):
    """Return each collection of a writable service in turn."""
    return getattr(client, request.param)


@pytest.fixture
def record(collection, sent):
    """Create a record, and forget the requests that created it."""
    made = collection.create(**LEAST[collection.resource])
    sent.clear()
    return made


@pytest.mark.parametrize("operation", CALLS)
def test_request(collection, record, sent, key, operation):
    """Each operation is one request with the interface's method, path, headers and kind of body."""
    call, method, path, content_type = CALLS[operation]
    call(collection, record.id)
    (request,) = sent
    assert request.method == method
    assert request.path == path.format(collection.resource, record.id)
    assert request.query == ""
    assert request.headers.get_list("Authorization") == [f"Bearer {key}"]
    assert request.headers.get_list("Accept") == ["application/json"]
    assert request.headers.get("Content-Type") == content_type
    assert bool(request.body) == (content_type is not None)


def test_update_can_use_put(desk, connect, sent):
    """``update_method="PUT"`` is for services without PATCH; fields that are not given stay."""
    client = connect(desk, update_method="PUT")
    for collection in (client.images, client.documents):
        record = collection.create(**LEAST[collection.resource])
        changed = collection.update(record, favorite=True)
        assert (sent[-1].method, sent[-1].body) == ("PUT", b"favorite=1")
        assert (changed.name, changed.favorite) == ("Harbour", True)


def test_show_gives_the_record(collection, record):
    """A record comes as an object of its kind, with every field of the interface and its times."""
    shown = collection.get(record.id)
    assert type(shown) is RECORDS[collection.resource]
    for field, value in LEAST[collection.resource].items():
        assert getattr(shown, field) == value
    assert shown.id == record.id
    assert shown.favorite is False
    assert shown.created_at == record.created_at
    assert shown.created_at.utcoffset().total_seconds() == 0


def test_store_sends_exactly_the_fields_that_were_given(client, sent):
    """Fields go in the interface's order, percent-encoded as a form, and nothing else goes."""
    client.images.create(
        name="Hafen & Möwe", description="50 %\n+ 1", resolution="512x512", style="anime", medium="ink", filter="sepia"
    )  # fmt: skip
    assert sent[0].body == (
        b"name=Hafen+%26+M%C3%B6we&description=50+%25%0A%2B+1&resolution=512x512"
        b"&style=anime&medium=ink&filter=sepia"
    )
    client.documents.create(name="a=b", prompt="ü", creativity=1)
    assert sent[1].body == b"name=a%3Db&prompt=%C3%BC&creativity=1"


def pairs(fields):
    """Return each collection with each of its fields."""
    return [(name, field) for name, of_name in fields.items() for field in of_name]


@pytest.mark.parametrize(("name", "field"), pairs(LEAST))
def test_create_requires(client, sent, name, field):
    """A required field that is left out, None or blank is refused before anything is sent."""
    create = getattr(client, name).create
    with pytest.raises(TypeError, match=field):
        create(**{other: value for other, value in LEAST[name].items() if other != field})
    for nothing in (None, "", " \n", "\t"):
        with pytest.raises(ink.InvalidArgument, match=field):
            create(**LEAST[name] | {field: nothing})
    assert sent == []


NO_FIELDS_OF_CREATE = {"images": ["favorite"], "documents": ["result", "favorite", "template_id", "template"]}
NO_FIELDS_OF_UPDATE = {
    "images": ["description", "resolution", "style", "medium", "filter"],
    "documents": ["prompt", "creativity", "template_id"],
}


@pytest.mark.parametrize(("name", "field"), pairs(NO_FIELDS_OF_CREATE))
def test_no_field_of_create(client, sent, name, field):
    """The favorite mark, the text and the template are no fields of create."""
    with pytest.raises(TypeError, match=field):
        getattr(client, name).create(**LEAST[name], **{field: "FAQ"})
    assert sent == []


@pytest.mark.parametrize(("name", "field"), pairs(NO_FIELDS_OF_UPDATE))
def test_update_leaves_how_it_was_made(client, sent, name, field):
    """The name, the favorite mark and the text of a document are all that an update takes."""
    with pytest.raises(TypeError, match=field):
        getattr(client, name).update(1, **{field: "x"})
    assert sent == []


TEXTS = ["ü ß 日本 🜁", "a&b=c+d %20", "line\nline\ttab", "x" * 20_000, "'\"<script>\\"]


@pytest.mark.parametrize(
    "text", TEXTS, ids=["Unicode", "form characters", "lines", "20,000 characters", "markup"]
)
def test_a_text_comes_back_as_it_was_given(client, text):
    """What is written is what is stored, shown and listed."""
    image = client.images.create(name="Harbour", description=text, resolution="256x256")
    assert client.images.get(image).description == text
    document = client.documents.create(name="Harbour", prompt=text)
    assert document.prompt == text
    assert client.documents.update(document, result=text).result == text
    assert client.documents.list().loc[document.id, "result"] == text


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        pytest.param({"name": "Bay"}, b"name=Bay", id="name"),
        pytest.param({"favorite": True}, b"favorite=1", id="favorite=True"),
        pytest.param({"favorite": False}, b"favorite=0", id="favorite=False"),
        pytest.param({"name": "Bay", "favorite": True}, b"name=Bay&favorite=1", id="name and favorite"),
    ],
)
def test_update(collection, record, sent, fields, body):
    """An update sends what was given, gives the changed record, and leaves everything else."""
    changed = collection.update(record.id, **fields)
    assert sent[0].body == body
    expected = {"name": "Harbour", "favorite": False} | fields
    for each in (changed, collection.get(record.id)):
        assert {field: getattr(each, field) for field in expected} == expected
    assert changed.created_at == record.created_at
    assert changed.updated_at >= record.updated_at
    listed = collection.list()
    assert listed.loc[record.id, ["name", "favorite"]].to_dict() == expected


@pytest.mark.parametrize("text", ["Rewritten.", ""], ids=["a text", "an empty text"])
def test_update_the_result(client, sent, text):
    """A document's text can be rewritten, and emptied."""
    document = client.documents.create(**LEAST["documents"])
    assert client.documents.update(document, result=text).result == text
    assert sent[-1].fields == {"result": text}
    assert client.documents.get(document).result == text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({}, "nothing to change", id="nothing"),
        pytest.param({"name": ""}, "name is empty", id="an empty name"),
        pytest.param({"name": None}, "name must be a string, got None", id="name=None"),
        pytest.param({"favorite": None}, "favorite=None is neither", id="favorite=None"),
        pytest.param({"favorite": 1}, "favorite=1 is neither", id="favorite=1"),
    ],
)
def test_update_refuses(collection, record, sent, fields, said):
    """Nothing to change, or a value that is not allowed, is refused before anything is sent."""
    with pytest.raises(ink.InvalidArgument) as caught:
        collection.update(record.id, **fields)
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) <= 3
    assert sent == []


def test_delete(collection, record):
    """A deleted record is gone from lists, and asking for it says so."""
    assert collection.delete(record.id) is None
    assert record.id not in collection.list().index
    for call in (collection.get, collection.delete, lambda given: collection.update(given, name="Bay")):
        with pytest.raises(ink.NotFound) as caught:
            call(record.id)
        assert caught.value.status == 404
        assert isinstance(caught.value, LookupError)


@pytest.mark.parametrize("kind", ["int", "numpy", "str", "record"])
def test_ids(collection, record, sent, kind):
    """An id is an int, a numpy integer, a str, or the record; all go the same way."""
    given = {"int": record.id, "numpy": np.int64(record.id), "str": str(record.id), "record": record}[kind]
    assert collection.get(given).id == record.id
    assert collection.update(given, name="Bay").id == record.id
    collection.delete(given)
    assert {request.path for request in sent} == {f"/api/v1/{collection.resource}/{record.id}"}
    assert [request.method for request in sent] == ["GET", "PATCH", "DELETE"]


@pytest.mark.parametrize(
    ("id", "path"),
    [
        ("a/b", "a%2Fb"),
        ("../images", "..%2Fimages"),
        ("a b", "a%20b"),
        ("1?favorite=1", "1%3Ffavorite%3D1"),
        ("1#x", "1%23x"),
        ("%2e%2e", "%252e%252e"),
        ("ü", "%C3%BC"),
        ("~.-_", "~.-_"),
        ("a:b@c", "a%3Ab%40c"),
        ("007", "007"),
    ],
)
def test_ids_are_percent_encoded(collection, sent, id, path):
    """A text id is one segment of the path, whatever it holds."""
    with pytest.raises(ink.NotFound):
        collection.get(id)
    assert sent[0].path == f"/api/v1/{collection.resource}/{path}"
    assert sent[0].query == ""


@pytest.mark.parametrize("id", ["", ".", "..", "a\0b", "\ud800", None, 1.5, True, [1], b"1"], ids=ascii)
def test_what_is_no_id_is_refused(collection, sent, id):
    """What could mean another address, or is no id at all, is refused before anything is sent."""
    for call in (collection.get, collection.delete, lambda given: collection.update(given, name="Bay")):
        with pytest.raises(ink.InvalidArgument, match="is no id"):
            call(id)
    assert sent == []


def test_a_record_of_the_other_collection_is_no_id(client, sent):
    """An image and a document can have the same number: what is deleted is what was meant, or nothing."""
    image = client.images.create(**LEAST["images"])
    document = client.documents.create(**LEAST["documents"])
    sent.clear()
    for collection, other in ((client.images, document), (client.documents, image)):
        for call in (
            collection.get,
            collection.delete,
            lambda given, each=collection: each.update(given, name="Bay"),
        ):
            with pytest.raises(ink.InvalidArgument):
                call(other)
    assert sent == []


@pytest.mark.parametrize(
    "base_url",
    [
        "https://content.test",
        "https://content.test/",
        "https://content.test/api/v1",
        "https://content.test/api/v1/",
    ],
)
def test_every_path_begins_with_the_version(desk, connect, sent, base_url):
    """Section 9: the version is a segment of every path, once, however the address was pasted."""
    client = connect(desk, base_url=base_url)
    record = client.images.create(**LEAST["images"])
    assert client.images.update(record, favorite=True).picture.size == (1, 1)
    client.images.list()
    client.documents.list()
    client.images.delete(record)
    assert len(sent) == 6
    assert all(request.path.startswith("/api/v1/") for request in sent)
    assert not any("/api/v1/api" in request.path for request in sent)


def test_a_service_can_live_below_a_path(desk, connect, sent):
    """A base address may have a path of its own; the version follows it."""
    client = connect(desk, base_url="https://content.test/tenant/7/")
    with pytest.raises(ink.NotFound):
        client.images.list()
    assert sent[0].path == "/tenant/7/api/v1/images"


def test_each_create_counts(collection, client):
    """The client counts its creations; what was refused before it was sent is none."""
    collection.create(**LEAST[collection.resource])
    with pytest.raises(ink.InvalidArgument):
        collection.create(**LEAST[collection.resource] | {"name": ""})
    collection.create(**LEAST[collection.resource])
    assert client.created == 2
