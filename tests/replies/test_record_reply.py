"""Records parsed into columns: names in any case, values by label, and no silent loss."""

from datetime import UTC, datetime

import httpx
import pytest
from tests.answering import Answers

import inkframe
from inkframe.replies.columns import VocabularyDecoder, read_columns, refuse_blank
from inkframe.replies.dialect import NAMES, Dialect
from inkframe.replies.reader import find_record
from inkframe.schema import DOCUMENTS, IMAGES
from inkframe.vocabulary import Vocabulary

LABELS = VocabularyDecoder(Vocabulary())
MARCH = datetime(2026, 3, 1, 11, tzinfo=UTC)


def read(kind, *records, dialect=None, labels=LABELS):
    return read_columns(list(records), kind, dialect or Dialect(), labels)


@pytest.mark.parametrize(
    "write",
    [
        lambda name: name,
        lambda name: "".join(word.capitalize() for word in name.split("_")),
        lambda name: name.replace("_", "-"),
        lambda name: name.upper(),
        lambda name: f"${name}",
    ],
)
def test_names_in_any_case(write):
    """snake_case, PascalCase, kebab-case and upper case are the same name."""
    record = {"id": 3, "name": "N", "prompt": "p", "creativity": 0.5, "result": "r", "template_id": 4,
              "favorite": True, "created_at": "2026-03-01T11:00:00Z", "updated_at": "2026-03-01T11:00:00Z"}  # fmt: skip
    columns = read(DOCUMENTS, {write(name): value for name, value in record.items()})
    assert (columns.ids, columns.extra, columns.absent) == ([3], {}, ())
    assert columns.known["template_id"] == [4]
    assert columns.known["created_at"] == [MARCH]


def test_values_by_label():
    """Codes, labels, upper case and objects are all parsed into the code."""
    records = [
        {
            "id": 1,
            "name": "a",
            "style": "Pop art",
            "filter": "Black and white",
            "medium": {"id": 2, "name": "Ink"},
        },
        {"id": 2, "name": "b", "style": "POP_ART", "filter": "", "medium": "gouache"},
        {"id": 3, "name": "c", "style": "pop-art", "filter": None, "medium": ""},
    ]
    known = read(IMAGES, *records).known
    assert known["style"] == ["pop_art"] * 3
    assert known["filter"] == ["grayscale", None, None]
    assert known["medium"] == ["ink", "gouache", None]
    documents = [
        {"id": 1, "name": "a", "creativity": "Imaginative", "template": {"slug": "blog-intro"}},
        {"id": 2, "name": "b", "creativity": {"value": "0.25"}, "template": "FAQ"},
        {"id": 3, "name": "c", "creativity": 0.5, "template": 5},
    ]
    columns = read(DOCUMENTS, *documents)
    assert columns.known["creativity"][::2] == [1.0, 0.5]
    assert columns.known["template_id"] == [5, 16, 5]


def test_labels_are_those_of_the_vocabulary_of_the_client():
    """A service with its own template numbers is parsed by its own vocabulary."""
    labels = VocabularyDecoder(
        Vocabulary(templates={7: "FAQ"}, creativities={"3": "Wild"}, styles={"POP": "Pop art"})
    )
    record = {"id": 1, "name": "a", "template": "faq", "creativity": "wild"}
    known = read(DOCUMENTS, record, labels=labels).known
    assert (known["template_id"], known["creativity"]) == ([7], [3.0])
    assert read(IMAGES, {"id": 1, "style": "pop art"}, labels=labels).known["style"] == ["POP"]


def test_unreadable_values_are_kept():
    """An unreadable value of a known column is kept under the name of the service; an empty one is not."""
    records = [
        {"id": 1, "name": "a", "favorite": 2, "createdAt": "3/1/2026, 11:00:00 AM", "template": "Recipe"},
        {
            "id": 2,
            "name": "b",
            "favorite": True,
            "createdAt": None,
            "template": "",
            "creativity": float("nan"),
        },
    ]
    columns = read(DOCUMENTS, *records)
    assert columns.known["favorite"] == [None, True]
    assert columns.extra == {
        "service.favorite": ["2", None],
        "service.createdAt": ["3/1/2026, 11:00:00 AM", None],
        "service.template": ["Recipe", None],
    }


def test_pictures_of_a_page():
    """The key is learned from one record and used for the others; columns never contain pictures."""
    dialect = Dialect()
    records = [{"id": n, "name": "a", "image": {"url": f"/p/{n}.png"}} for n in (1, 2)]
    known = read(IMAGES, *records, {"id": 3, "name": "a", "image": None}, dialect=dialect).known
    assert (known["picture_url"], dialect.picture_name) == (["/p/1.png", "/p/2.png", None], "image.url")
    assert read(IMAGES, {"id": 1, "name": "a", "image_data": "iVBORw0KGgoAAAAN"}).known["picture_url"] == [
        None
    ]


def test_records_without_known_fields_are_refused_with_their_keys():
    """A list or a record without any field of the interface is an error with its keys, not an empty row."""
    record = {"id": 1, "title": "T", "body": "b"}
    with Answers(lambda request: record if request.url.path[-1] == "1" else [record]).client() as client:
        for call in (client.documents.list, lambda: client.documents.get(1)):
            with pytest.raises(inkframe.UnexpectedReply, match="id: number, title: text, body: text"):
                call()


def test_an_id_from_a_database_driver_is_enough():
    """A create whose reply has only the id of a database driver returns the whole record."""
    record = {"id": 4, "name": "a", "prompt": "b", "result": "r"}

    def answer(request):
        return httpx.Response(201, json={"insertedId": 4} if request.method == "POST" else record)

    with Answers(answer).client() as client:
        assert client.documents.create(name="a", prompt="b").result == "r"


def test_a_picture_without_a_location_is_not_awaited():
    """Without a picture location the error names the setting for it, and a batch is complete."""
    record = {"id": 3, "name": "a", "description": "d", "resolution": "256x256", "blob_key": "k3"}
    with Answers(record).client() as client:
        made = client.images.create_many(
            [{"name": "a", "description": "d", "resolution": "256x256"}], progress=False
        )
        image = client.images.get(3)
        with pytest.raises(inkframe.UnexpectedReply, match=r"(?s)blob_key.*picture_name"):
            image.picture  # noqa: B018
    assert made["status"].tolist() == ["created"]


@pytest.mark.parametrize(("count", "end"), [(6, ""), (7, ", …")])
def test_the_keys_of_records_without_fields(count, end):
    """The error has the first eight keys of the first record with their types, each shortened."""
    first = {"id": 1, "x" * 31: 1, **{f"k{number}": 1 for number in range(count)}}
    records = [first, {"id": 2, "other": 1}]
    with pytest.raises(inkframe.UnexpectedReply) as caught:
        refuse_blank(records, read(DOCUMENTS, *records), DOCUMENTS)
    assert str(caught.value) == (
        f"The reply has no field of documents, got {{id: number, {'x' * 30}: number, k0: number, k1: number, "
        f"k2: number, k3: number, k4: number, k5: number{end}}}.\n"
        "Check base_url: it may be the address of another service."
    )


@pytest.mark.integration
def test_an_object_with_thousands_of_keys_is_no_record():
    """A reply of 70,000 keys is not taken for a record, and only the first values may lead to one."""
    wide = {"id": 1, "name": "n", "prompt": "p", **{f"k{number}": number for number in range(70_000)}}
    assert NAMES["documents"].of(wide).columns == {}
    with pytest.raises(inkframe.UnexpectedReply, match="no field of documents"):
        refuse_blank([wide], read(DOCUMENTS, wide), DOCUMENTS)
    others = {f"k{number}": {"a": 1} for number in range(5000)}
    record = {"id": 1, "name": "n", "prompt": "p"}
    assert find_record({"first": record, **others}, DOCUMENTS, Dialect()) == record
    with pytest.raises(inkframe.UnexpectedReply):
        find_record({**others, "last": record}, DOCUMENTS, Dialect())


def test_errors_quote_what_the_reply_says():
    """A reply without a record or a list is described with its message, cleaned and without the key."""
    key = "quoted-key-of-a-service"
    body = {"code": 1001, "Msg": f"no credit\nfor {key}", "data": None}
    with Answers(body).client(key) as client:
        for call in (
            client.documents.list,
            lambda: client.documents.get(5),
            lambda: client.documents.create(name="a", prompt="b"),
        ):
            with pytest.raises(inkframe.InkframeError) as caught:
                call()
            assert "It says 'no credit for [key]'.\n" in str(caught.value)
            assert str(caught.value).count("\n") <= 2


def test_a_create_quotes_errors_beside_the_missing_record():
    """GraphQL has them beside null where another reply has the record."""
    told = {"document": None, "userErrors": [{"field": ["name"], "message": "Name is not allowed"}]}
    with (
        Answers({"data": {"createDocument": told}, "extensions": {"cost": 3}}).client() as client,
        pytest.raises(inkframe.OutcomeUnknown, match="It says 'Name is not allowed'"),
    ):
        client.documents.create(name="a", prompt="b")


def test_a_failure_is_not_taken_for_the_record():
    """JSend has messages by field where another reply has the record."""
    body = {"status": "fail", "data": {"name": "is too long"}}
    with Answers(body).client() as client:
        for call in (lambda: client.documents.get(5), lambda: client.documents.update(5, name="x" * 9)):
            with pytest.raises(inkframe.ValidationFailed) as caught:
                call()
            assert caught.value.fields == {"name": ["is too long"]}
