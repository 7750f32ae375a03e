"""The location of a picture, by the words of a key and the form of its value."""

from __future__ import annotations

import pytest

from inkframe.http.address import Address
from inkframe.replies.dialect import Dialect
from inkframe.replies.picture_location import is_awaited
from inkframe.replies.record_reply import picture_sources
from inkframe.schema import IMAGES

ADDRESS = Address.parse("http://service.test")
PLACE = "http://service.test/p/3.png"
PACKED = "iVBORw0KGgoAAAANSUhEUg=="
TAKEN = "http://service.test/api/v1/images/3"


def source(record, dialect=None, address=ADDRESS):
    return next(iter(sources(record, dialect, address)), None)


def sources(record, dialect=None, address=ADDRESS):
    return picture_sources({"id": 3, "name": "N", **record}, IMAGES, dialect or Dialect(), address)


@pytest.mark.parametrize("name", ["pictureUrl", "fileUrl", "imageURL", "image_uri", "uri", "link", "photo", "thumbnail",
                                  "output_url", "asset_url", "signed_url", "public_url", "cdnUrl", "filename",
                                  "image-file", "storage_path", "imageurl", "Url", "artwork_location"])  # fmt: skip
def test_names_of_a_location(name):
    """A location is found by the words of its key, with any separator and case."""
    assert source({name: PLACE}) == PLACE
    assert source({name: "/p/3.png"}) == PLACE
    assert source({name: "p/3.png"}) == PLACE


@pytest.mark.parametrize(
    "record",
    [
        {"images": [{"url": PLACE}]},
        {"output": [PLACE]},
        {"files": [PLACE]},
        {"urls": {"full": PLACE, "small": "/s.png"}},
        {"assets": {"thumb": "/s.png", "original": PLACE}},
        {"image": {"id": 9, "file": {"url": PLACE}}},
        {"image": {"data": {"attributes": {"name": "x.png", "mime": "image/png", "url": PLACE}}}},
        {"links": {"self": TAKEN, "image": PLACE}},
        {"links": [{"rel": "self", "href": TAKEN}, {"rel": "image", "href": PLACE}]},
        {"_links": {"self": {"href": TAKEN}, "image": {"href": PLACE}}},
    ],
)
def test_locations_within_objects(record):
    """Locations are found in objects, lists and links, and again by the learned key."""
    dialect = Dialect()
    assert source(record, dialect) == PLACE
    assert dialect.picture_name is not None
    assert source(record, Dialect(picture_name=dialect.picture_name)) == PLACE


@pytest.mark.parametrize("name", ["image_data", "imageData", "content", "b64", "image", "anything"])
@pytest.mark.parametrize("value", [PACKED, f"data:image/png;base64,{PACKED}"])
def test_pictures_in_the_record(name, value):
    """A picture inside a record is recognized by its first bytes."""
    assert source({name: value}) == value


@pytest.mark.parametrize(
    "others",
    [
        {"url": TAKEN},
        {"url": "/api/v1/images/3/"},
        {"url": "http://gateway.test/v1/images/3"},
        {"thumbnail_url": "/small.png"},
        {"html_url": "http://service.test/pages/3"},
        {"user": {"image": "/me.png"}, "avatar_url": "/me.png"},
        {"source_image": "/before.png"},
        {"image_type": "image/png", "filename": "3.png"},
        {"image_data": PACKED},
    ],
)
@pytest.mark.parametrize("name", ["image_url", "image", "file"])
def test_the_picture_wins(others, name):
    """The picture ranks before the address of the record, pages, avatars, small copies and file names."""
    assert source({**others, name: PLACE}) == PLACE
    assert source({name: PLACE, **others}) == PLACE


@pytest.mark.parametrize("record", [{}, {"url": TAKEN}, {"url": None}, {"image": "n/a"}, {"image_ratio": "16/9"},
                                    {"image_type": "image/png"}, {"result": "yes/no or so"}, {"links": {"self": "/x"}},
                                    {"avatar": "/me.png"}, {"image": "x" * 5000 + ".png"}])  # fmt: skip
def test_values_that_are_not_locations(record):
    """Words with a slash, MIME types, the address of the record and avatars are not locations."""
    assert source(record) is None


def test_a_pinned_name_is_used():
    """A pinned key is used without checks, and a dotted key leads into objects."""
    record = {"url": "/p/1.png", "where": "bucket:7", "made": {"as": ["/p/3.png"]}}
    assert source(record, Dialect(picture_name="where"), None) == "bucket:7"
    assert source(record, Dialect(picture_name="made.as")) == PLACE


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({}, False),
        ({"note": None}, False),
        ({"url": None}, True),
        ({"image": {}}, True),
        ({"avatar_url": None}, False),
        ({"status": "IN_PROGRESS"}, True),
        ({"url": None, "status": "failed"}, False),
        ({"url": None, "state": "published"}, True),
    ],
)
def test_a_picture_that_is_still_generated(record, expected):
    """An empty key or a status shows that a picture is still generated."""
    assert is_awaited(record, Dialect()) is expected


def test_a_picture_that_others_had_is_awaited():
    """If other records have a picture, a record without the key has none yet."""
    dialect = Dialect()
    source({"image_url": PLACE}, dialect)
    assert is_awaited({"id": 4}, dialect)


@pytest.mark.parametrize(
    "record",
    [
        {"image_path": "storage/3.png", "image_url": PLACE},
        {"image": "/files/3.png", "link": PLACE},
        {"file": "files/3.png", "cdn_url": PLACE, "thumbnail_url": "http://cdn.test/s.png"},
        {"image": {"path": "/files/3.png", "src": PLACE}},
    ],
)
def test_an_absolute_location_comes_first(record):
    """Of several locations of a picture, the absolute one is tried first, and the others remain."""
    first, *further = sources(record)
    assert first == PLACE
    assert any(place.endswith(("files/3.png", "storage/3.png")) for place in further)


def test_a_picture_comes_before_an_absolute_page():
    """An address that does not look like a picture is not tried before a location that does."""
    assert source({"image_path": "/files/3.png", "link": "http://service.test/show/3"}).endswith(
        "/files/3.png"
    )


def test_the_key_of_a_small_copy_is_not_learned():
    """A record that shows only a small copy does not decide for records that show more."""
    dialect = Dialect()
    assert source({"thumbnail": PLACE}, dialect) == PLACE
    assert dialect.picture_name is None
    assert source({"thumbnail": "http://service.test/s.png", "image": PLACE}, dialect) == PLACE
