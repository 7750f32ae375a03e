"""Records in the form of a dialect, their ids and their pictures."""

from __future__ import annotations

import base64
import io
import uuid
from dataclasses import replace

import pytest
from PIL import Image

from inkframe.testing import RecordForm
from inkframe.testing.interface_fields import DOCUMENTS, IMAGES
from inkframe.testing.written_record import draw, read_id, show, write_id

IMAGE = {"id": 7, "name": "Quay", "favorite": True, "created_at": 1736150400, "updated_at": 1736150400.25}
DOCUMENT = {"id": 7, "name": "Text", "creativity": 0.5, "result": "Long.", "created_at": 0, "updated_at": 0}


def shown(record=IMAGE, collection=IMAGES, **options):
    how = {key: options.pop(key) for key in ("listed", "expires", "ready") if key in options}
    form = replace(RecordForm(), **options)
    return show(record, collection, form, origin="https://service.test", url="/i/7", **how)


def test_the_usual_form_in_full():
    """Without options a record has a number, words for booleans, ISO times and a whole URL."""
    assert shown() == {
        "id": 7,
        "name": "Quay",
        "favorite": True,
        "url": "https://service.test/pictures/7.png",
        "created_at": "2025-01-06T08:00:00.000000Z",
        "updated_at": "2025-01-06T08:00:00.250000Z",
    }


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("zone", "2025-01-06T08:00:00+00:00"),
        ("naive", "2025-01-06T08:00:00"),
        ("space", "2025-01-06 08:00:00"),
        ("seconds", 1736150400),
        ("milliseconds", 1736150400250),
    ],
)
def test_times(form, expected):
    """A time is written as the dialect has it, under the name the dialect gives it."""
    assert shown(time_form=form, created="", updated="modified")["modified"] == expected
    assert "created_at" not in shown(created="")


@pytest.mark.parametrize(
    ("form", "yes", "no"), [("words", True, False), ("numbers", 1, 0), ("digits", "1", "0")]
)
def test_booleans(form, yes, no):
    """A boolean is a word, a number or a digit in quotes."""
    for value, expected in ((True, yes), (False, no)):
        written = shown(IMAGE | {"favorite": value}, boolean_form=form)["favorite"]
        assert (written, type(written)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("path", "/pictures/7.png"),
        ("relative", "pictures/7.png"),
        ("elsewhere", "https://mirror.test/pictures/7.png"),
        ("data", "data:image/png;base64," + base64.b64encode(draw(7)).decode()),
        ("base64", base64.b64encode(draw(7)).decode()),
    ],
)
def test_pictures(form, expected):
    """A picture is a place or the bytes themselves, under a name or within an object."""
    assert shown(picture_form=form, picture="src")["src"] == expected
    assert shown(picture_form=form, picture="file.url")["file"] == {"url": expected}


def test_a_place_may_end_and_a_picture_may_be_missing_yet():
    """An address carries its end; what is not ready is null."""
    assert shown(expires=60)["url"].endswith("/pictures/7.png?expires=60")
    assert shown(ready=False)["url"] is None
    assert shown(DOCUMENT, DOCUMENTS, ready=False)["result"] is None


def test_decimals_and_what_lists_leave_out():
    """A decimal may be a text; a list may leave out what a single record has."""
    assert shown(DOCUMENT, DOCUMENTS)["creativity"] == 0.5
    assert shown(DOCUMENT, DOCUMENTS, decimal_form="text")["creativity"] == "0.50"
    assert "result" in shown(DOCUMENT, DOCUMENTS, list_omits=("result",))
    assert "result" not in shown(DOCUMENT, DOCUMENTS, list_omits=("result",), listed=True)
    assert "name" not in shown(omits=("name",))


def test_what_stands_around_the_fields():
    """The fields may stand within an object, with more beside them."""
    wrap = {"type": "$singular", "id": "$id", "attributes": "$fields"}
    written = shown(wrap=wrap, id_inside=False, id_form="text", extra={"links": {"self": "$url"}})
    assert (written["type"], written["id"]) == ("image", "7")
    assert written["attributes"]["links"] == {"self": "/i/7"}
    assert "id" not in written["attributes"]


@pytest.mark.parametrize("form", ["number", "text", "padded", "uuid", "hex"])
def test_identifiers_are_read_back(form):
    """Every form of an identifier leads back to its record, and none stands for two."""
    shown = [write_id(form, number) for number in range(1, 2000)]
    assert len(set(shown)) == len(shown)
    assert [read_id(form, str(text)) for text in shown] == list(range(1, 2000))
    assert {type(text) for text in shown} == {int if form == "number" else str}


def test_uuids_are_random_looking():
    """They are valid, of version 4, and do not come in the order of creation."""
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
def test_what_is_no_identifier_leads_nowhere(form, text):
    """An identifier in another form is none."""
    assert read_id(form, text) is None


def test_every_picture_is_a_png_of_its_own():
    """Pillow opens it, checksums included, and two records never share one."""
    for number in (1, 2, 300):
        with Image.open(io.BytesIO(draw(number)), formats=["PNG"]) as picture:
            picture.load()
            assert (picture.size, picture.mode) == ((16, 16), "RGB")
    assert len({draw(number) for number in range(1, 500)}) == 499
