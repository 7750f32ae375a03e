"""The location of a picture, by the words of a key and the form of its value."""

import itertools

import pytest
from tests.cases import cases

from inkframe.http.address import Address
from inkframe.replies.dialect import Dialect
from inkframe.replies.record import is_awaited, location_at, picture_name, picture_sources, resolve
from inkframe.schema import IMAGES

ADDRESS = Address.parse("http://service.test")
PLACE = "http://service.test/p/3.png"
PACKED = "iVBORw0KGgoAAAANSUhEUg=="
TAKEN = "http://service.test/api/v1/images/3"


def source(record, dialect=None, address=ADDRESS):
    return next(iter(sources(record, dialect, address)), None)


def sources(record, dialect=None, address=ADDRESS):
    return picture_sources({"id": 3, "name": "N", **record}, IMAGES, dialect or Dialect(), address)


@cases("name", ["pictureUrl", "fileUrl", "imageURL", "image_uri", "uri", "link", "photo", "thumbnail",
                                  "output_url", "asset_url", "signed_url", "public_url", "cdnUrl", "filename",
                                  "image-file", "storage_path", "imageurl", "Url", "artwork_location"])  # fmt: skip
def test_names_of_a_location(name):
    """A location is found by the words of its key, with any separator and case."""
    assert source({name: PLACE}) == PLACE
    assert source({name: "/p/3.png"}) == PLACE
    assert source({name: "p/3.png"}) == PLACE


@cases(
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
        {"url": "http://pages.test/3", "properties": {"picture": {"files": [{"external": {"url": PLACE}}]}}},
        {"fields": {"file": {"en-US": {"url": PLACE.removeprefix("http:")}}}},
    ],
)
def test_locations_within_objects(record):
    """Locations are found in objects, lists and links, and again by the learned key."""
    dialect = Dialect()
    assert source(record, dialect) == PLACE
    assert dialect.picture_name is not None
    assert source(record, Dialect(picture_name=dialect.picture_name)) == PLACE


@cases("name", ["image_data", "imageData", "content", "b64", "image", "anything"])
@cases("value", [PACKED, f"data:image/png;base64,{PACKED}"])
def test_pictures_in_the_record(name, value):
    """A picture inside a record is recognized by its first bytes."""
    assert source({name: value}) == value


@cases(
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
@cases("name", ["image_url", "image", "file"])
def test_the_picture_wins(others, name):
    """The picture ranks before the address of the record, pages, avatars, small copies and file names."""
    assert source({**others, name: PLACE}) == PLACE
    assert source({name: PLACE, **others}) == PLACE


def test_a_small_copy_is_not_learned():
    """It is used where a record has nothing better, also if it is inside the record, and never remembered."""
    for value in (PLACE, PACKED):
        dialect = Dialect()
        assert source({"thumbnail": value}, dialect) == value
        assert dialect.picture_name is None
        assert source({"thumbnail": value, "photo": "/p/4.png"}, dialect) == "http://service.test/p/4.png"


@cases("record", [{}, {"url": TAKEN}, {"url": None}, {"image": "n/a"}, {"image_ratio": "16/9"},
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
    assert location_at({"where": ""}, "where", Dialect(picture_name="where")) is None
    assert location_at({"image": "bucket:7"}, "image", Dialect()) is None


def test_a_picture_that_others_had_is_awaited():
    """If other records have a picture, a record without the key has none yet."""
    dialect = Dialect()
    source({"image_url": PLACE}, dialect)
    assert is_awaited({"id": 4}, IMAGES, dialect)


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


def test_every_word_of_a_picture_and_of_a_location():
    """Each of these words in a key makes a path a location, in this order of preference."""
    pictures = ["image", "img", "picture", "pic", "photo", "photograph", "artwork"]
    carriers = ["url", "src", "file", "path", "media", "asset", "output", "attachment", "original", "full", "large",
                "download", "signed", "public", "cdn", "storage", "uri", "location", "href", "result", "link", "filename",
                "blob", "b64", "base64", "content", "data"]  # fmt: skip
    for word in (*pictures, *carriers):
        assert source({word: "/p/3"}) == "http://service.test/p/3", word
    assert source({"other": "/p/3"}) is None
    assert source({"image_ratio": "/p/3"}).endswith("/p/3")
    assert source({"image_ratio": "pics/3"}) is None
    for word in pictures:
        assert source({"url": "/p/4.png", word: "/p/3.png"}).endswith("/p/3.png"), word
        assert source({word: "pics/3"}).endswith("/pics/3")
        assert source({f"{word}s": "pics/3"}).endswith("/pics/3")
    for word in carriers:
        assert source({word: "pics/3"}).endswith("/pics/3")
        assert source({f"my_{word}": "pics/3.png"}).endswith("/pics/3.png")
    # The word file is in filename, and whole pictures come first.
    ranked = [word for word in carriers if word not in {"original", "full", "large", "filename"}]
    for first, second in itertools.pairwise(ranked):
        assert source({second: "/p/2.png", first: "/p/1.png"}).endswith("/p/1.png"), (first, second)
    for word in ("original", "full", "large"):
        assert source({"image_url": "/p/2.png", f"image_{word}": "/p/1.png"}).endswith("/p/1.png"), word


@cases("name", ["picture_url", "pictureUrl", "PictureURL"])
def test_the_word_of_the_interface_says_that_there_is_none(name):
    """A picture that is null, or empty, under its own name is awaited, whatever other addresses are beside it."""
    for empty in (None, ""):
        others = {"placeholder_url": "/p/0.png", "image": "/p/1.png", "links": {"image": "/p/2.png"}}
        record = {name: empty, **others}
        assert source(record) is None
        assert is_awaited(record, IMAGES, Dialect())
    assert source({name: "/p/3.png", **others}).endswith("/p/3.png")


def test_every_word_of_a_small_copy_and_of_other_addresses():
    """Small copies are used if there is nothing else; addresses of other things never are."""
    lesser = "thumb thumbnail preview small medium mini tiny format source"
    for word in lesser.split():
        assert source({f"{word}_image": "http://cdn.test/s.png", "link": "/p/3"}).endswith("/p/3"), word
        assert source({f"{word}_image": "/s.png"}).endswith("/s.png"), word
    for word in ["self", "html", "page", "web", "website", "avatar", "user", "author", "owner", "profile", "logo", "icon", "callback", "webhook", "api", "edit", "update", "delete", "next", "prev", "previous", "collection", "input", "init", "mask", "reference", "share", "template", "control", "license", "placeholder", "error", "model", "album", "review", "similar", "related", "watermark", "qr"]:  # fmt: skip
        assert source({f"{word}_url": "/p/3.png"}) is None, word
        assert source({"urls": {word: "/p/3.png"}}) is None, word


def test_objects_around_locations():
    """Some objects are entered whatever they contain, others by the words of their key, and the rest is not."""
    for name in ["links", "_links", "attributes", "properties", "fields", "external", "formats", "versions", "variants", "sizes", "de-DE"]:  # fmt: skip
        assert source({name: {"image": PLACE}}) == PLACE, name
        assert source({name: {"other": {"image": PLACE}}}) is None, name
    assert source({"other": {"image": PLACE}}) is None
    assert source({"formats": {"thumb": {"url": "http://cdn.test/s.png"}}, "link": PLACE}) == PLACE
    deep = {"image": {"file": {"file": {"file": {"file": {"url": PLACE}}}}}}
    assert source(deep) == PLACE
    assert source({"image": {"file": deep["image"]}}) is None


def test_texts_that_are_paths():
    """A path has no white space and at least two parts, or the extension of a picture, in at most 4,096 characters."""
    for text in (
        "a.png",
        "a.PNG?x=1#y",
        "/a b",
        "a b.png",
        "aa/b",
        "a/b",
        "x/y.webp",
        "aa/b?x y",
        "//cdn.test/3",
        "image/png",
    ):
        expected = {"/a b": None, "a b.png": None, "a/b": None, "aa/b?x y": None, "image/png": None}.get(
            text, text
        )
        found = source({"image": text}, address=None)
        assert found == expected, text
    for ending in ("png", "jpg", "jpeg", "webp", "gif"):
        assert source({"any": f"3.{ending}"}, address=None) == f"3.{ending}"
        assert source({"any": f".{ending}"}, address=None) is None
    assert source({"any": "3.svg"}, address=None) is None
    for kind in ("image", "text", "application", "video", "audio"):
        assert source({"image": f"{kind}/x-y"}, address=None) is None
        assert source({"image": f"{kind}s/x-y"}, address=None) == f"{kind}s/x-y"
    longest = "/" + "x" * 4095
    assert source({"image": longest}, address=None) == longest
    assert source({"image": longest + "x"}, address=None) is None


def test_relative_locations_become_addresses():
    """A path begins at the origin, another one at the base of the API; what is an address stays as it is."""
    address = Address.parse("https://service.test/base")
    base = address.base_url
    for text, expected in (
        ("/p/3.png", "https://service.test/p/3.png"),
        ("p/3.png", f"{base}/p/3.png"),
        ("//cdn.test/3.png", "https://cdn.test/3.png"),
        ("http://other.test/3.png", "http://other.test/3.png"),
        (f"data:image/png;base64,{PACKED}", f"data:image/png;base64,{PACKED}"),
        (PACKED, PACKED),
        ("//[x/3.png", "//[x/3.png"),
    ):
        assert resolve(text, address) == expected
        assert resolve(text, None) == text


def test_the_address_of_the_record_is_not_its_picture():
    """An address that ends like that of the record counts as its own, unless its key and path say otherwise."""
    for text in ("/images/3", "/v2/images/3/", "http://service.test/images/3?x=1", "/api/x/images/3#top"):
        assert source({"url": text}) is None, text
    assert source({"image": "/x/images/3"}).endswith("/x/images/3")
    assert source({"image": "/v2/images/3"}) is source({"image": "/api/images/3"}) is None
    assert source({"url": "http://cdn.test/images/3"}) == "http://cdn.test/images/3"
    assert source({"url": "/images/33"}).endswith("/images/33")


def test_up_to_three_more_locations():
    """The most likely location comes first, then at most three different others."""
    record = {f"url{number}": f"/p/{number}.png" for number in range(6)} | {
        "link": "/p/0.png",
        "src": "/p/9.png",
    }
    assert sources(record) == [f"http://service.test/p/{number}.png" for number in (0, 1, 2)]
    assert sources({"link": "/p/4.png", "image": "/p/3.png"}) == [
        "http://service.test/p/3.png",
        "http://service.test/p/4.png",
    ]


def test_every_state_of_a_picture():
    """The words of states tell whether a picture is awaited, whatever their case and separators."""
    making = ["queued", "pending", "processing", "in_progress", "progress", "running", "generating", "starting", "started", "submitted", "scheduled", "waiting", "rendering", "working", "new", "accepted"]  # fmt: skip
    over = "failed failure error errored cancelled canceled rejected done ready completed complete succeeded success finished"
    for name in ("status", "state", "phase", "jobStatus", "processing_status", "generation-status"):
        for word in making:
            assert is_awaited({name: word.upper()}, IMAGES, Dialect()), word
        for word in over.split():
            assert not is_awaited({name: word, "url": None}, IMAGES, Dialect()), word
        assert is_awaited({name: "published", "url": None}, IMAGES, Dialect())
        assert not is_awaited({name: "published"}, IMAGES, Dialect())
        assert not is_awaited({name: 1}, IMAGES, Dialect())
    for empty in (None, "", [], {}):
        assert is_awaited({"image": empty}, IMAGES, Dialect())
        assert not is_awaited({"avatar_image": empty}, IMAGES, Dialect())
    for other in ({}, {"note": None}, {"image": 0}):
        assert not is_awaited(other, IMAGES, Dialect())
    assert not is_awaited({"id": 4}, IMAGES, Dialect(picture_name="pic"))
    assert is_awaited({"pic": 1}, IMAGES, Dialect(picture_name="pic"))


def test_the_key_is_learned_from_the_first_records():
    """The best key of the first 25 records is learned; a key that was learned is used while records have it."""
    late = [{"id": number, "name": "N"} for number in range(25)]
    found = {"id": 99, "name": "N", "image": PLACE}
    for records, expected in (([*late[1:], found], "image"), ([*late, found], None)):
        dialect = Dialect()
        assert picture_name(records, IMAGES, dialect, ADDRESS) == dialect.picture_name == expected
    dialect = Dialect()
    dialect.learn(picture_name="image")
    assert picture_name([{"id": 1, "file": PLACE}], IMAGES, dialect, ADDRESS) == "file"
    dialect.learn(picture_name="image")
    assert (
        picture_name([{"id": 1, "file": PLACE}, {"id": 2, "image": None}], IMAGES, dialect, ADDRESS)
        == "image"
    )
    second = [{"id": 1, "thumb": PLACE}, {"id": 2, "link": PLACE}, {"id": 3, "other": "/a.png"}]
    assert picture_name(second, IMAGES, Dialect(), ADDRESS) == "link"


@pytest.mark.parametrize(
    "record",
    [
        {
            "images": [
                {"url": "/s.png", "width": 64},
                {"url": PLACE, "width": 1024},
                {"url": "/m.png", "width": 512},
            ]
        },
        {"images": [{"src": "/s.png", "width": 64, "height": 64}, {"src": PLACE, "width": 96, "height": 96}]},
        {"urls": {"256": "/s.png", "1024": PLACE, "512": "/m.png"}},
        {"urls": {"w256": "/s.png", "1024x768": PLACE}},
        {"files": {"a": {"url": "/s.png", "width": 64}, "file": {"url": PLACE, "width": 640}}},
        {"image": {"url": PLACE}, "thumbs": [{"url": "/s.png", "width": 4096}]},
    ],
)
def test_the_largest_picture_is_used_where_sizes_are_told(record):
    """Of several sizes the one with the most pixels is used, whatever its position, and again for the next record."""
    dialect = Dialect()
    assert source(record, dialect) == PLACE
    assert location_at(record, dialect.picture_name, dialect) in (PLACE, "/p/3.png")
