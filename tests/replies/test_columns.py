"""Values of records: texts in several forms, times with and without a zone, and booleans that are left out."""

from datetime import UTC, datetime

import pytest
from tests.answering import Answers
from tests.cases import cases

import inkframe as ink
from inkframe.replies.columns import VocabularyDecoder, read_columns
from inkframe.replies.dialect import Dialect
from inkframe.schema import DOCUMENTS, IMAGES
from inkframe.vocabulary import Vocabulary

LABELS = VocabularyDecoder(Vocabulary())
NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = datetime(2026, 3, 1, 17, tzinfo=UTC)
LOCAL, GLOBAL = "2026-03-01T09:00:00", "2026-03-01T17:00:00Z"


def read(*records, spec=DOCUMENTS, dialect=None):
    """Return the columns of records."""
    filled = [{"id": number, "name": "N", **record} for number, record in enumerate(records, 1)]
    return read_columns(filled, spec, dialect or Dialect(), LABELS)


@cases(
    ("value", "text"),
    [
        ({"raw": "a & b", "rendered": "a &amp; b"}, "a & b"),
        ({"rendered": "a &amp; b", "raw": "a & b", "protected": False}, "a & b"),
        ({"rendered": "<p>b</p>"}, "<p>b</p>"), ({"text": "b", "tokens": 3}, "b"),
        ({"html": "<p>b</p>", "markdown": "b"}, "b"), ({"raw": None, "rendered": "b"}, "b"), ({"text": None}, None),
        ({"raw": None, "html": None, "tokens": 3}, None), ({"type": "html", "markdown": "a", "html": "b"}, "b"),
        ({"en": "b"}, "b"), ({"en": "b", "de": "c"}, None), (["b"], "b"), ([{"value": "b"}], "b"),
        (["b", "c"], None), ({"raw": {"x": 1}}, None), ([], None), ("b", "b"), (None, None),
    ],
)  # fmt: skip
def test_texts_in_several_forms(value, text):
    """Of an object with several forms of a text, the one closest to what was written is read."""
    assert read({"result": value}, {"result": "c"}).known["result"] == [text, "c"]


def test_a_text_that_cannot_be_told_is_kept():
    """Texts in several languages and lists are additional columns."""
    columns = read({"name": {"en": "b", "de": "c"}, "result": ["b", "c"]})
    assert (columns.known["name"], columns.known["result"]) == ([None], [None])
    assert columns.extra == {"name.en": ["b"], "name.de": ["c"], "service.result": ['["b","c"]']}


def test_a_missing_text_is_no_value_that_could_not_be_read():
    """Beside a text that is null in its object, only what else the object has is an additional column."""
    columns = read({"result": {"text": None}}, {"result": {"text": None, "tokens": 3}})
    assert columns.known["result"] == [None, None]
    assert columns.extra == {"result.tokens": [None, 3]}


def test_what_is_beside_a_nested_text_is_kept():
    """The other forms of a text are additional columns, without the one that was read."""
    records = [
        {"result": {"raw": "a", "rendered": "<b>a</b>", "tokens": 3}},
        {"result": "b"},
        {"result": None},
    ]
    columns = read(*records)
    assert columns.known["result"] == ["a", "b", None]
    assert columns.extra == {"result.rendered": ["<b>a</b>", None, None], "result.tokens": [3, None, None]}


@cases(
    ("record", "time", "assumed"),
    [
        ({"date": LOCAL, "date_gmt": "2026-03-01T17:00:00"}, LATER, ()),
        ({"created_at": LOCAL, "created_at_utc": "2026-03-01T17:00:00"}, LATER, ()),
        ({"created_at": LOCAL, "timestamp": GLOBAL}, LATER, ()),
        ({"created_at": LOCAL, "created": 1772384400}, LATER, ()),
        ({"created_at": None, "date": GLOBAL}, LATER, ()),
        ({"created_at": None, "date": LOCAL}, NINE, ("created_at",)),
        ({"created_at": GLOBAL, "created": "2026-03-01T09:00:00Z"}, LATER, ()),
        ({"created_at": LOCAL, "date": "2026-03-01T17:00:00"}, NINE, ("created_at",)),
        ({"createTime": GLOBAL}, LATER, ()),
        ({"createTime": LOCAL}, NINE, ("created_at",)),
        ({"created_at": {"date": LOCAL, "timezone": "UTC"}}, NINE, ()),
        ({"created_at": {"date": LOCAL}}, NINE, ("created_at",)),
        ({"created_at": [2026, 3, 1, 9, 0]}, NINE, ("created_at",)),
        ({"created_at": "Sun, 01 Mar 2026 09:00:00 GMT"}, NINE, ()),
        ({"created_at": "soon"}, None, ()),
        ({"created_at": None}, None, ()),
    ],
)
def test_of_several_times_the_certain_one_is_read(record, time, assumed):
    """A time with a zone, or in UTC by its name, comes before one without; an assumed zone is noted."""
    columns = read(record)
    assert columns.known["created_at"] == [time]
    assert columns.assumed == assumed


def test_a_pinned_time_is_read_despite_a_more_certain_one():
    """The user decides which time is that of creation."""
    with Answers([{"id": 1, "name": "N", "date": LOCAL, "date_gmt": GLOBAL}]).client() as client:
        client.documents.dialect = ink.Dialect(created_name="date")
        assert client.documents.list()["created_at"].tolist() == [NINE]


def test_an_assumed_zone_is_in_the_attrs():
    """A frame says which times had no zone; one whose times have zones says nothing."""
    body = [{"id": 1, "name": "N", "created_at": LOCAL, "updated_at": GLOBAL}]
    with Answers(body).client() as client:
        for frame in (client.images.list(), client.images.all(), *client.images.pages()):
            assert frame.attrs["inkframe"]["assumed"] == ["created_at has no zone and is read as UTC"]
        joined = ink.concat([client.images.list(), client.images.list()])
        assert joined.attrs["inkframe"]["assumed"] == ["created_at has no zone and is read as UTC"]
        body[0]["created_at"] = GLOBAL
        assert "assumed" not in client.images.list().attrs["inkframe"]


class Omitting:
    """A service that leaves out favorites that are false, or all of them."""

    def __init__(self, *, shows=True):
        self.favorites, self.shows = {1: True, 2: False}, shows

    def __call__(self, request):
        """Return the body of a reply."""
        if request.method == "PATCH":
            id = int(request.url.path.rpartition("/")[2])
            self.favorites[id] = b"favorite=1" in request.content
        *_, last = request.url.path.split("/")
        if last.isdecimal():
            return self.record(int(last))
        asked = request.url.params.get("favorite")
        return [self.record(id) for id, value in self.favorites.items() if asked in (None, str(int(value)))]

    def record(self, id):
        """Return a record as it is shown."""
        shown = {"favorite": True} if self.favorites[id] and self.shows else {}
        return {"id": id, "name": "N", "description": "d", **shown}


def test_a_boolean_that_is_left_out_is_unknown():
    """Without a record that is certainly false, one that leaves out the field says nothing."""
    with Answers(Omitting()).client() as client:
        frame = client.images.list()
        assert frame["favorite"].tolist()[0] is True
        assert frame["favorite"].isna().tolist() == [False, True]
        assert client.images.get(2).favorite is None


def test_a_boolean_that_is_left_out_is_false_after_a_listing_of_false_ones():
    """Records listed as not favorite are false, and show what leaving out the field means here."""
    with Answers(Omitting()).client() as client:
        client.images.list()
        assert client.images.list(favorite=False)["favorite"].tolist() == [False]
        assert client.images.list()["favorite"].tolist() == [True, False]
        assert client.images.get(2).favorite is False


def test_a_boolean_that_is_left_out_is_false_after_it_was_set_so():
    """A record that was just set to false and leaves out the field is false, and so are the others then."""
    with Answers(Omitting()).client() as client:
        assert client.images.get(2).favorite is None
        assert client.images.get(1).favorite is True
        assert client.images.update(1, favorite=False).favorite is False
        assert client.images.get(2).favorite is False


def test_a_boolean_that_is_never_shown_stays_unknown():
    """A service that never shows the field leaves it out for another reason."""
    with Answers(Omitting(shows=False)).client() as client:
        assert client.images.list(favorite=False)["favorite"].tolist() == [False]
        assert client.images.update(1, favorite=False).favorite is False
        assert client.images.update(1, favorite=True).favorite is None
        frame = client.images.list()
        assert frame["favorite"].isna().all()
        assert "favorite" in frame.attrs["inkframe"]["absent"]


def test_a_null_boolean_is_unknown():
    """A field that is null is not left out."""
    columns = read({"favorite": None}, {"favorite": True}, {}, spec=IMAGES, dialect=Dialect(omits_false=True))
    assert columns.known["favorite"] == [None, True, False]


def test_a_record_without_an_id_is_an_error_with_its_keys():
    """The error says how to pin the key of the id, and guesses none that was not tried."""
    with pytest.raises(ink.UnexpectedReply) as refused:
        read_columns([{"name": "N", "prompt": "p", "user_id": "b2"}], DOCUMENTS, Dialect(), LABELS)
    assert "{name: text, prompt: text, user_id: text}" in str(refused.value)
    assert str(refused.value).endswith("ink.Dialect(id_name=…).")
