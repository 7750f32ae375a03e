"""Replies parsed by shape and type: arbitrary JSON, single values, and names."""

import json
from contextlib import suppress

import httpx
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.answering import Answers
from tests.cases import type_name

import inkframe
from inkframe.http.body import parse_json
from inkframe.replies.values import read_boolean, read_each, read_integer, read_number, read_text, read_time

WORDS = st.sampled_from(["data", "id", "name", "items", "meta", "total", "attributes", "links", "next", "url", "error",
                         "created_at", "favorite", "template_id", "images", "extra", "_embedded", ""])  # fmt: skip
#: Numbers that no float or column of integers can have.
HOSTILE = (10**400, -(10**400), "9" * 5000, 2**64, float("nan"), float("-inf"), {"seconds": 10**400},
           {"$date": {"$numberLong": "9" * 400}}, f"/Date({'9' * 5000})/", [10**400, 1, 1], {"text": None},
           "\ud800", "\0", {"\ud800": 10**400})  # fmt: skip
LEAVES = (
    st.none()
    | st.sampled_from(HOSTILE)
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.just("2026-11-21T06:00:00Z")
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=20,
)


def client_answering(body):
    return Answers(httpx.Response(200, content=body)).client()


@pytest.mark.integration
@given(JSON)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_json_becomes_a_frame_a_record_or_an_inkframe_error(value):
    """Any reply either is parsed or raises an InkframeError."""
    with client_answering(json.dumps(value)) as client:
        for call in (
            client.images.list,
            lambda: client.images.get(1),
            client.documents.list,
            lambda: client.documents.get(1),
        ):
            try:
                found = call()
            except inkframe.InkframeError:
                continue
            assert isinstance(found, pd.DataFrame | inkframe.Image | inkframe.Document)


def test_ids_beyond_64_bits_are_exact():
    """An id beyond 64 bits is parsed again without rounding, and the index is text."""
    big = 2**70 + 1
    with client_answering(json.dumps({"data": [{"id": big, "name": "a"}]})) as client:
        assert list(client.images.list().index) == [str(big)]
    with client_answering(json.dumps({"data": {"id": big, "name": "a"}})) as client:
        assert client.images.get(big).id == big


def test_text_ids_stay_text():
    """An id of "007" keeps its zeros, and one text id makes the whole index text."""
    with client_answering(json.dumps([{"id": "007", "name": "a"}, {"id": 8, "name": "b"}])) as client:
        assert list(client.images.list().index) == ["007", "8"]


def test_numbers_are_bounded_where_they_come_in():
    """An integer of more than 40 characters is its text, and a number beyond a float is null."""
    longest, digits = 10**39, "9" * 5000
    body = f"[{longest}, -{longest}, {digits}, 1e400, -Infinity, NaN, {2**70}, 0.5]".encode()
    assert parse_json(body) == [longest, str(-longest), digits, None, None, None, 2**70, 0.5]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda value: ascii(value)[:20])
@pytest.mark.parametrize("place", ["id", "name", "prompt", "creativity", "result", "favorite", "template_id",
                                   "created_at", "credits_used", "extra", "status", "_links", "url"])  # fmt: skip
def test_a_hostile_value_in_a_reply_to_a_create_ends_in_a_record_or_an_unknown_outcome(place, hostile):
    """A paid create ends in its record or in an unknown outcome, whatever value a field of its reply has."""
    record = {"id": 7, "name": "n", "prompt": "p", "creativity": 0.5, place: hostile}
    with client_answering(json.dumps({"data": record})) as client, suppress(inkframe.OutcomeUnknown):
        assert repr(client.documents.create(name="n", prompt="p"))


def test_a_number_of_thousands_of_digits_leaves_the_rest_readable():
    """The other fields of a list are read where one number is beyond all types."""
    body = f'{{"data": [{{"id": 1, "name": "a", "score": {"9" * 5000}}}], "total": {10**400}}}'
    with client_answering(body) as client:
        assert client.images.list().loc[1, "name"] == "a"


def test_records_with_other_keys_each_are_bounded(monkeypatch):
    """A page whose records have too many different keys is refused before its columns fill the memory."""
    monkeypatch.setattr("inkframe.replies.columns.MOST_CELLS", 1000)
    records = [{"id": id, "name": "a"} | {f"k{id * 10 + at}": 1 for at in range(10)} for id in range(20)]
    with client_answering(json.dumps(records)) as client, pytest.raises(inkframe.UnexpectedReply) as caught:
        client.images.list()
    assert "too many different" in str(caught.value)


def test_an_unexpected_error_of_a_reader_is_an_unexpected_reply(monkeypatch):
    """Whatever goes wrong while a reply is read is an error of the package, without text of the service."""
    monkeypatch.setattr("inkframe.replies.reader.read_columns", lambda *_: {}["secret"])
    with client_answering(json.dumps([{"id": 1, "name": "a"}])) as client:
        for call in (client.images.list, lambda: client.images.get(1)):
            with pytest.raises(inkframe.UnexpectedReply, match=r"could not be read \(KeyError\)") as caught:
                call()
            assert "secret" not in str(caught.value)
            assert caught.value.__cause__ is caught.value.__context__ is None


@pytest.mark.parametrize("stage", ["read_costs", "Create._read", "Sender.send"])
def test_an_unexpected_error_after_a_create_is_an_unknown_outcome(monkeypatch, stage):
    """Once a create was sent, each error that is not of the package leaves its outcome unknown."""
    place = f"inkframe.{'http.sender' if 'send' in stage else 'creating.create'}.{stage}"
    record = {"id": 7, "name": "n", "prompt": "p", "creativity": 0.5}
    with client_answering(json.dumps(record)) as client:
        monkeypatch.setattr(place, lambda *_, **__: {}["secret"])
        with pytest.raises(inkframe.OutcomeUnknown, match="KeyError") as caught:
            client.documents.create(name="n", prompt="p")
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_lone_surrogates_and_nan_are_read():
    """JSON that orjson rejects is parsed again; half of a surrogate pair becomes U+FFFD."""
    body = rb'{"data": [{"id": 1, "name": "a\ud800b", "score": NaN}]}'
    assert parse_json(body)["data"][0]["name"] == "a\ufffdb"
    with client_answering(body) as client:
        assert client.images.list().loc[1, "name"] == "a\ufffdb"


def test_additional_fields_are_kept():
    """Nested objects become dotted columns, lists become JSON, clashes get a prefix, pictures are omitted."""
    record = {"id": 1, "name": "a", "user": {"id": 5, "team": {"name": "x"}}, "tags": ["a", "b"], "template": "T",
              "url": "/p/1.png", "thumbnail": "data:image/png;base64,AAAA", "score": 3}  # fmt: skip
    with client_answering(json.dumps({"data": [record]})) as client:
        frame = client.images.list()
    assert list(frame.columns[10:]) == ["user.id", "user.team.name", "tags", "service.template", "score"]
    assert frame.loc[1, "tags"] == '["a","b"]'
    assert frame.loc[1, "picture_url"] == "https://service.test/p/1.png"
    assert type_name(frame["score"].dtype) == "Int64"


def test_a_record_with_keys_like_an_envelope_is_itself():
    """A document with the keys result, data or items is not unwrapped."""
    record = {"id": 9, "name": "a", "prompt": "p", "result": "text", "data": {"id": 1}, "items": [1]}
    with client_answering(json.dumps(record)) as client:
        document = client.documents.get(9)
    assert (document.id, document.result) == (9, "text")


TIMES = st.sampled_from(["2026-11-21T06:00:00Z", "2026-11-21T06:00:00+00:00", "2026-11-21 06:00:00.5Z"])
ODD_TIMES = st.sampled_from(["2026-11-21T06:00:00", "2026-11-21T06:00:00+02:00", "1789000000", "20261121", "", "soon",
                             "Sat, 21 Nov 2026 06:00:00 GMT", " 2026-11-21T06:00:00Z ", 1789000000, 1.5e12])  # fmt: skip


@pytest.mark.parametrize("read", [read_boolean, read_integer, read_number, read_text, read_time])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_many_values_are_read_as_each_would_be(read, data):
    """A column parsed at once equals its values parsed one by one, with the same types."""
    usual = (
        st.lists(TIMES)
        | st.lists(st.booleans())
        | st.lists(st.text(max_size=3))
        | st.lists(st.integers())
        | st.lists(st.floats())
    )
    values = data.draw(usual | st.lists(TIMES | ODD_TIMES | LEAVES, max_size=6))
    expected = [None if value is None else read(value) for value in values]
    found = read_each(values, read)
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]


@pytest.mark.parametrize(
    "reply",
    [
        httpx.Response(200, content=b"null"),
        httpx.Response(200),
        httpx.Response(204),
        httpx.Response(200, json=[]),
        httpx.Response(200, json={"data": {"documents_by_pk": None}}),
        httpx.Response(200, json={"ok": False, "error": "document_not_found"}),
    ],
)
def test_a_reply_without_a_record_is_not_found(reply):
    """Some services answer with null, an empty list, nothing, 204 or a word for a record that does not exist."""
    with Answers(reply).client() as client:
        with pytest.raises(inkframe.NotFound, match=r"There is no document 7\.|document_not_found"):
            client.documents.get(7)


def test_an_id_that_the_service_does_not_find_gives_way_to_the_one_beside_it():
    """The service is asked by the other id of a list, which names its records from then on."""
    rows = [{"id": number, "uuid": f"u-{number}", "name": f"N{number}", "prompt": "p"} for number in (4, 3)]
    asked = []

    def answer(request):
        asked.append(request.url.path.rpartition("/")[2])
        if asked[-1] == "documents":
            return {"data": rows}
        missing = httpx.Response(404, json={"message": "No such record."})
        return next((row for row in rows if row["uuid"] == asked[-1]), missing)

    with Answers(answer).client() as client:
        assert client.documents.list().index.tolist() == [4, 3]
        assert (client.documents.get(3).name, asked[-2:]) == ("N3", ["3", "u-3"])
        assert client.documents.list().index.tolist() == ["u-4", "u-3"]
        assert client.documents.get("u-4").id == "u-4"
        with pytest.raises(inkframe.NotFound):
            client.documents.get(77)
