"""Error bodies of every shape, as a message and the messages by field."""

import json

import pytest

from inkframe.http.address import Address
from inkframe.http.body import Response
from inkframe.http.error_bodies import fields_named_in, read_error_text, read_refusal
from inkframe.http.failures import refusal
from inkframe.http.key import Key

ADDRESS = Address.parse("https://content.example.com")
SAID = "is too long"


def test_every_name_of_a_message():
    """The message has one of these names, in this order, also in an object or a list under them."""
    names = ["message", "detail", "error_description", "error", "_error", "msg", "reason", "description",
             "title", "hint"]  # fmt: skip
    for place, name in enumerate(names):
        body = {
            other: f"{number} of it" for number, other in reversed(list(enumerate(names))) if number >= place
        }
        said = [f"{number} of it" for number in range(place, len(names))]
        assert read_refusal(body) == ("; ".join(said[:3]), {}), name
        own = {"description": [SAID]} if name == "description" else {}
        assert read_refusal({name: {"message": SAID}}) == (SAID, own), name
        assert read_refusal({name: " ", "note_message": "a b"})[0] == "a b"
    for name in ("message", "detail", "error", "msg"):
        assert read_refusal({name: ["a", "b"]}) == ("a; b", {}), name
        assert read_refusal({name: ["a", 7]})[0] != "a; 7"
    for name in ("errors", "errorInfo", "server_msg", "failureReason"):
        assert read_refusal({name: "a b"})[0] == "a b", name
    assert read_refusal({"errors": ["a", {"message": "b"}, "", 7]}) == ("a; b", {})
    assert read_refusal({"status": 400, "code": "a b"}) == ("a b", {})
    assert read_refusal("a b") == ("a b", {})
    assert read_refusal(["a", "b"]) == ("a; b", {})
    assert [read_refusal(other) for other in (None, 7, True, [], {})] == [("", {})] * 5


def test_every_key_of_the_messages_by_field():
    """The fields are under one of these keys, as a mapping or as a list of entries."""
    expected = ("Bad", {"name": [SAID]})
    for key in ("errors", "fields", "error_fields", "invalid-params", "invalid_params", "violations", "details", "detail",
                "validation_errors", "fieldErrors", "issues", "_issues", "extra"):  # fmt: skip
        for found in ({"name": SAID}, {"name": [SAID]}, {"name": {"message": SAID}}, {"name": [{"message": SAID}]},
                      [{"field": "name", "message": SAID}], {"errors": {"name": SAID}}):  # fmt: skip
            assert read_refusal({"message": "Bad", key: found}) == expected, (key, found)
    for key in ("data", "message", "body", "validation"):
        assert read_refusal({"title": "Bad", key: [{"field": "name", "message": SAID}]})[1] == {
            "name": [SAID]
        }, key
    for key in ("error", "body", "data", "validation"):
        for found in (
            {"errors": {"name": SAID}},
            {"field": "name", "message": SAID},
            {"name": {"message": SAID}},
        ):
            assert read_refusal({"title": "Bad", key: found})[1] == {"name": [SAID]}, (key, found)
    assert read_refusal({"message": "Bad", "other": {"errors": {"name": SAID}}}) == expected
    assert read_refusal({"error": {"name": "ValidationError", "message": SAID}}) == (SAID, {})
    assert read_refusal({"name": [SAID], "style": {"a": ["b"]}}) == (SAID, {"name": [SAID], "style.a": ["b"]})
    assert read_refusal({"message": "Bad", "name": [SAID], "x": [7], "y": {}, "z": SAID}) == expected


def test_every_key_of_a_field_in_an_entry():
    """An entry names its field by one of these keys: as a text, a list of steps, or an object with a pointer."""
    keys = ("field", "param", "parameter", "property", "propertyPath", "instancePath", "dataPath", "path", "loc", "pointer",
            "name", "target", "source", "key", "keys", "extensions", "params")  # fmt: skip
    for place, key in enumerate(keys):
        entry = {other: f"f{number}" for number, other in reversed(list(enumerate(keys))) if number >= place}
        assert read_refusal([entry | {"message": SAID}])[1] == {f"f{place}": [SAID]}, key
        assert read_refusal([{key: ["body", "Name", 0], "msg": SAID}])[1] == {"name.0": [SAID]}
        for pointer in ("pointer", "parameter", "field", "missingProperty", "additionalProperty"):
            assert read_refusal([{key: {pointer: "/data/attributes/name"}, "msg": SAID}])[1] == {
                "name": [SAID]
            }
    assert read_refusal([{"source": {"other": "name"}, "message": SAID}]) == (SAID, {"name": [SAID]})
    assert read_refusal([{"source": {"other": "kind"}, "message": SAID}]) == (SAID, {})
    parts = "body query form path header data attributes request querystring params # $"
    for part in parts.split():
        assert read_refusal([{"path": f"/{part}.name", "message": SAID}])[1] == {"name": [SAID]}, part
        assert read_refusal([{"path": part, "message": SAID}]) == (SAID, {})
    texts = ("message", "defaultMessage", "detail", "msg", "reason", "description", "title", "code")
    for place, key in enumerate(texts):
        entry = {other: f"t{number}" for number, other in reversed(list(enumerate(texts))) if number >= place}
        assert read_refusal([entry | {"field": "name"}])[1] == {"name": [f"t{place}"]}, key
    assert read_refusal([{"property": "name", "constraints": {"a": 7, "b": SAID}}])[1] == {"name": [SAID]}
    assert read_refusal([{"property": "name", "constraints": [7, SAID]}])[1] == {}
    assert read_refusal([{"field": "name", "message": "a"}, {"field": "name", "message": "b"}, 7])[1] == {
        "name": ["a", "b"]
    }
    assert read_refusal([{"violations": [{"field": "name", "message": SAID}]}])[1] == {"name": [SAID]}
    assert read_refusal({"issue": [{"diagnostics": SAID, "expression": ["Document.name"]}]}) == (
        SAID,
        {"name": [SAID]},
    )


def test_objects_within_the_messages_by_field():
    """Keys are joined by dots; the messages of an object itself are those of its key."""
    nested = {"errors": {"a": {"_errors": [SAID], "b": {"_errors": ["x"]}}, "_errors": []}}
    assert read_refusal(nested)[1] == {"a": [SAID], "a.b": ["x"]}
    assert read_refusal({"errors": {"body": SAID, "Name": "x", "a.data.b": "y"}})[1] == {
        "body": [SAID],
        "name": ["x"],
        "a.b": ["y"],
    }
    assert read_refusal({"errors": {"name": [], "style": None, "medium": [7]}}) == ("", {})


def test_up_to_fifty_fields():
    """Further fields and messages are left out."""
    many = {f"f{number}": ["x"] for number in range(60)}
    assert list(read_refusal({"message": "Bad", "errors": many})[1]) == [f"f{number}" for number in range(50)]
    assert read_refusal({"message": ["x"] * 60})[0] == "; ".join(["x"] * 50)
    assert read_refusal({"errors": {**many, "name": ["y"]}})[1] == {"name": ["y"]} | dict(
        list(many.items())[:49]
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"status": "error", "message": "Property values were not valid", "category": "VALIDATION_ERROR",
          "errors": [{"message": "name is a reserved word", "code": "RESERVED", "context": {"propertyName": ["name"]}}]},
         "name: name is a reserved word; Property values were not valid"),
        ({"code": "23514", "details": "Failing row contains (7, a).", "hint": "Use a shorter name.",
          "message": 'violates constraint "short"'},
         'violates constraint "short"; Failing row contains (7, a).; Use a shorter name.'),
        ({"ok": False, "error": "invalid_arguments", "response_metadata": {"messages": ["[ERROR] the name is taken"]}},
         "[ERROR] the name is taken"),
        ({"message": "Bad Request", "details": "The look is sold out"}, "The look is sold out"),
        ({"status": 400, "code": "invalid_style"}, "invalid_style"),
        ({"message": "Validation Failed", "errors": [{"resource": "Image", "field": "name", "code": "missing_field"}]},
         "name: missing_field; Validation Failed"),
        ([{"message": "Required fields are missing: [Name]", "errorCode": "REQUIRED", "fields": ["Name"]}],
         "name: Required fields are missing: [Name]"),
        ({"error": "RecordInvalid", "description": "Record errors",
          "details": {"name": [{"description": "Name: cannot be blank", "error": "BlankValue"}]}},
         "name: Name: cannot be blank; Record errors"),
        ({"message": "Validation error", "details": {"errors": [
            {"name": "required", "path": ["fields", "name"], "details": "The property is required here"}]}},
         "name: The property is required here; Validation error"),
        ({"error": {"code": "BadArgument", "message": "Bad.", "innererror": {"code": "Taken", "message": "The name is taken"}}},
         "The name is taken"),
        ({"errorMessages": ["No more than 9 a day"], "errors": {"name": "You must specify a name"}},
         "name: You must specify a name; No more than 9 a day"),
        ({"success": False, "errors": [{"code": 1003, "message": "Invalid request", "error_chain": [
            {"code": 6003, "message": "The format of the prompt is unknown"}]}]},
         "Invalid request; The format of the prompt is unknown"),
        ({"message": "Not valid", "errors": [{"message": "is odd", "field": "tone"}, {"message": "is odd", "field": "style"}]},
         "style: is odd; tone: is odd; Not valid"),
        ({"message": "Server Error", "trace": [{"message": "x " * 90}], "stack_message": "x " * 90, "documentation_url": "a b"},
         "Server Error"),
        ({"error": "No.", "input": {"prompt": "Write about a long day", "name": "A day"}}, "No."),
    ],
)  # fmt: skip
def test_the_most_telling_words_wherever_they_stand(body, said):
    """Messages that name a sent field come first, then the longest sentences; traces and echoes are neither."""
    reply = Response(422, {}, json.dumps(body).encode())
    error = refusal(reply, "POST", f"{ADDRESS.origin}{ADDRESS.root}/images", ADDRESS, Key("secret")).error
    lines = str(error).split("\n")
    assert lines[0] == said
    assert len(lines) <= 3


def test_texts_of_bodies_that_are_not_json():
    """A short text is the message, of a long one its first line; pages, binary data and half of JSON are none."""
    assert read_error_text(b" one\n\n two\nthree\nfour ") == "one\n two\nthree\nfour"
    assert read_error_text(b"one\n two\nthree\nfour\nfive") == "one"
    assert read_error_text("Ä ".encode("latin-1")) == "\ufffd"
    assert read_error_text(b"x" * 5000) == "x" * 4096
    for other in (b"", b"  ", b"<p>", b"{x", b"[x", b"a\0b", b"\xff\xfe x"):
        assert read_error_text(other) == ""


def test_fields_named_in_a_text():
    """A field of the interface at the beginning of a line comes before fields in quotes or in a path."""
    assert fields_named_in("name: is  long \n other: x\nstyle:none\nprompt: 7") == {
        "name": ["is  long "],
        "prompt": ["7"],
    }
    for text in ("missing field `name`", "'name' is long", 'a "name"', "\u2018name\u2019", "\u201cname\u201d",
                 "body/name must be", "body.name", "body.properties.name.select.prompt must be"):  # fmt: skip
        assert fields_named_in(text) == {"name": [text]}, text
    assert fields_named_in("name: x 'style'") == {"name": ["x 'style'"]}
    assert fields_named_in("'name' and 'style'") == {key: ["'name' and 'style'"] for key in ["name", "style"]}
    for text in ("`other` is long", "name is long", "xbody/name", "", "'id'", "'template'"):
        assert fields_named_in(text) == {}, text
