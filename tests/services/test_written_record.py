"""Records in the format of a dialect, their ids and their pictures."""

import uuid
from dataclasses import replace

import pytest
from tests.services import RecordForm
from tests.services.interface_fields import DOCUMENTS, IMAGES
from tests.services.written_record import read_id, show, write_id

IMAGE = {"id": 7, "name": "Quay", "favorite": True, "created_at": 1736150400, "updated_at": 1736150400.25}
DOCUMENT = {"id": 7, "name": "Text", "creativity": 0.5, "result": "Long.", "created_at": 0, "updated_at": 0}


def shown(record=IMAGE, collection=IMAGES, **options):
    how = {key: options.pop(key) for key in ("listed", "expires", "ready") if key in options}
    form = replace(RecordForm(), **options)
    return show(record, collection, form, origin="https://service.test", url="/i/7", **how)


@pytest.mark.parametrize(
    ("form", "yes", "no"), [("words", True, False), ("numbers", 1, 0), ("digits", "1", "0")]
)
def test_booleans(form, yes, no):
    """A boolean is true or false, a number, or a digit as text."""
    for value, expected in ((True, yes), (False, no)):
        written = shown(IMAGE | {"favorite": value}, boolean_form=form)["favorite"]
        assert (written, type(written)) == (expected, type(expected))


def test_addresses_may_expire_and_pictures_may_be_unfinished():
    """An address includes its expiry, and an unfinished picture is null."""
    assert shown(expires=60)["url"].endswith("/pictures/7.png?expires=60")
    assert shown(ready=False)["url"] is None
    assert shown(DOCUMENT, DOCUMENTS, ready=False)["result"] is None


def test_decimals_and_fields_omitted_from_lists():
    """A decimal may be a text, and a list may omit fields of a single record."""
    assert shown(DOCUMENT, DOCUMENTS)["creativity"] == 0.5
    assert shown(DOCUMENT, DOCUMENTS, decimal_form="text")["creativity"] == "0.50"
    assert "result" in shown(DOCUMENT, DOCUMENTS, list_omits=("result",))
    assert "result" not in shown(DOCUMENT, DOCUMENTS, list_omits=("result",), listed=True)
    assert "name" not in shown(omits=("name",))


def test_envelopes_of_fields():
    """The fields may be within an object, next to other fields."""
    wrap = {"type": "$singular", "id": "$id", "attributes": "$fields"}
    written = shown(wrap=wrap, id_inside=False, id_form="text", extra={"links": {"self": "$url"}})
    assert (written["type"], written["id"]) == ("image", "7")
    assert written["attributes"]["links"] == {"self": "/i/7"}
    assert "id" not in written["attributes"]


def test_uuids_look_random():
    """They are valid, of version 4, and not in the order of creation."""
    shown = [write_id("uuid", number) for number in range(1, 50)]
    assert {uuid.UUID(text).version for text in shown} == {4}
    assert shown != sorted(shown)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("number", "007"),
        ("number", "-1"),
        ("number", "1e3"),
        ("number", "9" * 30),
        ("padded", "7"),
        ("hex", "g" * 24),
        ("uuid", "7"),
        ("uuid", str(uuid.UUID(int=7))),
        ("uuid", write_id("uuid", 7).upper()),
    ],
)
def test_invalid_ids_are_rejected(form, text):
    """An id in another format is invalid."""
    assert read_id(form, text) is None
