"""Bodies of replies: bounds on bytes, values and depth."""

import gzip
import json
import time
import tracemalloc
import zlib

import httpx
import pytest
from tests.answering import Answers
from tests.cases import cases

import inkframe
from inkframe.http.body import MOST_VALUES, CutShort, parse_json, unpack

KEY = "key-for-tests"


@pytest.fixture
def few_values(monkeypatch):
    """The maximum number of values, a fifth of the real one."""
    assert MOST_VALUES == 2_000_000
    monkeypatch.setattr("inkframe.http.body.MOST_VALUES", MOST_VALUES // 5)
    return MOST_VALUES // 5


def nested(depth, start="[", end="]"):
    return (start * depth + "1" + end * depth).encode()


@pytest.mark.parametrize(
    ("start", "end"), [("[", "]"), ('{"errors":', "}"), ('{"errors":[', "]}"), ('{"}":', "}")]
)
@pytest.mark.parametrize("exactly", [False, True])
def test_depth_is_bounded(start, end, exactly):
    """JSON that is nested more than 200 levels deep is refused by both parsers, and less is read."""
    levels = len(end)
    assert parse_json(nested(200 // levels, start, end), exactly=exactly)
    for depth in (202, 990, 100_000):
        with pytest.raises(inkframe.UnexpectedReply, match="nested too deeply"):
            parse_json(nested(depth // levels, start, end), exactly=exactly)


def test_many_brackets_are_not_deep():
    """A long list of records and brackets in texts are not depth."""
    records = [{"id": id, "text": "[[[{{{" * 50, "tags": ["a", {"b": []}]} for id in range(500)]
    assert parse_json(json.dumps(records).encode()) == records


@pytest.mark.integration
@pytest.mark.parametrize(
    "unit", [b"[],", b"{},", b'{"a":0},', b'"",', b"0,", b'{"a":[{}]},'], ids=lambda unit: unit.decode()
)
def test_values_are_bounded(unit, few_values):
    """A body with too many tiny values is refused before any of them is created."""
    body = b"[" + unit * (few_values + 1) + b"0]"
    tracemalloc.start()
    try:
        with pytest.raises(inkframe.UnexpectedReply, match="more than 400,000 values"):
            parse_json(body)
        assert tracemalloc.get_traced_memory()[1] < len(body) + 12_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.integration
def test_the_most_values_are_read(few_values):
    """A body with exactly as many values as allowed is read."""
    assert len(parse_json(b"[" + b"0," * (few_values - 1) + b"0]")) == few_values


def test_marks_in_texts_are_not_values(few_values):
    """Commas, brackets and escaped quotes in texts do not count as values."""
    text = ',[{\\"\\\\' * (few_values // 3)
    assert len(parse_json(f'["{text}","{text}"]'.encode())) == 2


@pytest.mark.integration
def test_an_endless_string_takes_no_longer():
    """A body of escaped quotes without an end is refused in the time of one pass."""
    began = time.process_time()
    with pytest.raises(ValueError, match="Unterminated string"):
        parse_json(b'["' + b'\\",' * 3_000_000)
    assert time.process_time() - began < 5


def answering(content, status=200, **headers):
    return Answers(httpx.Response(status, content=content, headers=headers)).client(KEY)


CALLS = {
    "list": lambda client: client.images.list(),
    "get": lambda client: client.images.get(1),
    "update": lambda client: client.images.update(1, name="n"),
    "delete": lambda client: client.images.delete(1),
    "create": lambda client: client.documents.create(name="n", prompt="p"),
}


@pytest.mark.integration
@cases("start", ["[", '{"errors":', '{"data":', '{"detail":[', '{"error":{"details":[', '{"a":'])
@cases("call", CALLS.values(), ids=CALLS)
@cases(("depth", "status"), [(990, 200), (199, 422), (990, 500)])
def test_a_deep_body_is_one_of_our_errors(call, start, status, depth):
    """A deeply nested body is an error of this package on every path, and a create stays reconcilable."""
    end = "".join({"[": "]", "{": "}"}[each] for each in reversed(start) if each in "[{")
    levels = len(end)
    with answering(nested(depth // levels, start, end), status) as client:
        error = None
        try:
            call(client)
        except inkframe.InkframeError as caught:
            error = caught
    is_create = call is CALLS["create"]
    if is_create:
        assert isinstance(
            error, inkframe.OutcomeUnknown if status in {200, 201, 500} else inkframe.ServiceError
        )
        assert not isinstance(error, inkframe.OutcomeUnknown) or error.look is not None
    else:
        assert error is not None or status < 300
    assert error is None or len(str(error).splitlines()) <= 4


@pytest.mark.integration
@pytest.mark.parametrize(
    "wide", [{"f": ["m"] * 100_000}, {f"f{n}": "m" for n in range(2_000)}], ids=["texts", "fields"]
)
def test_an_error_has_few_fields_and_texts(wide):
    """An error keeps at most 50 fields with 10 messages each, also of a failure with status 200."""
    for status, body in ((422, {"errors": wide}), (200, {"success": False, "errors": wide})):
        with answering(json.dumps(body), status) as client, pytest.raises(inkframe.ServiceError) as caught:
            client.images.list()
        fields = caught.value.fields
        assert len(fields) <= 50
        assert all(len(texts) <= 10 for texts in fields.values())


@pytest.mark.integration
def test_a_large_error_body_takes_no_time():
    """An error body of megabytes is not searched for a message; its status is enough."""
    tree = {"errors": 1}
    for _ in range(15):
        tree = {"errors": tree, "details": tree}
    body = json.dumps(tree)
    assert len(body) > 500_000
    began = time.process_time()
    with answering(body, 500) as client, pytest.raises(inkframe.ServerError, match="Internal Server Error"):
        client.images.list()
    assert time.process_time() - began < 0.5


def test_an_id_that_is_the_key_is_not_shown():
    """The path in an error shows no key that was passed as an id."""
    with answering(b"{}", 404) as client, pytest.raises(inkframe.NotFound) as caught:
        client.images.get(KEY)
    assert KEY not in str(caught.value)


@pytest.mark.integration
def test_a_small_bomb_of_objects_is_refused(few_values):
    """A small body of gzip that would become many more objects than its bytes is refused as a reply."""
    packed = gzip.compress(b"[" + b"{}," * 10 * few_values + b"{}]")
    assert len(packed) < 20_000
    reply = httpx.Response(200, stream=httpx.ByteStream(packed), headers={"Content-Encoding": "gzip"})
    with Answers(reply).client(KEY) as client:
        with pytest.raises(inkframe.UnexpectedReply, match="values"):
            client.images.list()


def test_an_unknown_encoding_is_named_only_if_it_is_one():
    """A known encoding that is not supported is named; other text from the header is not."""
    with pytest.raises(inkframe.UnexpectedReply, match="'br'"):
        unpack([b""], "br")
    with pytest.raises(inkframe.UnexpectedReply, match="something unknown"):
        unpack([b""], "secret")


def test_bodies_are_unpacked_up_to_a_limit():
    """Gzip and both forms of deflate are unpacked; what is larger, cut short or damaged is an error."""
    text = b"kettle " * 20
    raw = zlib.compressobj(wbits=-15)
    packed = {
        "": text, "identity": text, "gzip": gzip.compress(text), "x-gzip": gzip.compress(text), " GZIP ": gzip.compress(text),
        "deflate": zlib.compress(text), "Deflate": raw.compress(text) + raw.flush(),
    }  # fmt: skip
    for encoding, body in packed.items():
        assert unpack([body[:5], body[5:]], encoding) == unpack([body], encoding, limit=140) == text, encoding
        with pytest.raises(
            inkframe.UnexpectedReply, match="The reply is larger than 0 MB; reading was stopped"
        ):
            unpack([body], encoding, limit=139)
        assert unpack([], encoding) == b""
    for damaged in (packed["gzip"][:-9], b"no gzip", packed["deflate"][:-5]):
        with pytest.raises(CutShort, match="the compressed body"):
            unpack([damaged], "gzip")
