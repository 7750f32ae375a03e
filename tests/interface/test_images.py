"""Section 2.1 and 4.1 of the interface: what an image has, and what lists of images filter by."""

import pytest

import inkframe as ink

WORDS = {
    "resolution": "256x256 512x512 1024x1024",
    "style": "3d_render abstract anime art_deco cartoon digital_art illustration origami pixel_art "
    "photography pop_art retro sketch vaporwave",
    "medium": "acrylic canvas chalk charcoal crayon glass ink pastel pencil spray_paint watercolor",
    "filter": "grayscale sepia invert",
}
VALUES = {field: words.split() for field, words in WORDS.items()}
EVERY_VALUE = [
    pytest.param(field, value, id=f"{field}={value}") for field, values in VALUES.items() for value in values
]
WRONG = [
    pytest.param("resolution", "512x51", "512x512", id="resolution=512x51"),
    pytest.param("style", "vapourwave", "vaporwave", id="style=vapourwave"),
    pytest.param("medium", "watercolour", "watercolor", id="medium=watercolour"),
    pytest.param("filter", "greyscale", "grayscale", id="filter=greyscale"),
]
LEAST = {"name": "Harbour", "description": "a harbour at dawn", "resolution": "256x256"}


@pytest.mark.parametrize(("field", "value"), EVERY_VALUE)
def test_create_takes_the_value(client, sent, field, value):
    """Every allowed value is sent as it is, comes back in the record, and is stored."""
    fields = LEAST | {field: value}
    image = client.images.create(**fields)
    (request,) = sent
    assert request.fields == fields
    assert getattr(image, field) == value
    assert getattr(client.images.get(image.id), field) == value


@pytest.mark.parametrize(("field", "value"), EVERY_VALUE)
def test_list_filters_by_the_value(reader, asked, library, field, value):
    """Every allowed value is a filter of lists, which give the records that have it and no others."""
    frame = reader.images.list(**{field: value})
    (request,) = asked
    assert request.query == f"{field}={value}"
    matching = [image.id for image in reversed(library.images) if getattr(image, field) == value]
    assert 0 < len(matching) < len(library.images)
    assert frame.index.tolist() == matching[:10]
    assert frame.attrs["inkframe"]["total"] == len(matching)
    assert set(frame[field]) == {value}


@pytest.mark.parametrize("field", ["style", "medium", "filter"])
def test_look_settings_are_optional(client, sent, field):
    """An image without a look setting is created without the field, and shows none."""
    image = client.images.create(**LEAST)
    assert sent[0].fields == LEAST
    assert getattr(image, field) is None
    assert client.images.list()[field].isna().loc[image.id]


@pytest.mark.parametrize(("field", "value", "nearest"), WRONG)
def test_a_value_that_is_not_allowed_is_refused(client, sent, field, value, nearest):
    """Create and list refuse it with the value, the nearest match and what is allowed; nothing is sent."""
    for call in (
        lambda: client.images.create(**LEAST | {field: value}),
        lambda: client.images.list(**{field: value}),
    ):
        with pytest.raises(ink.InvalidArgument) as caught:
            call()
        message = str(caught.value)
        assert repr(value) in message
        assert repr(nearest) in message
        assert all(allowed in message for allowed in VALUES[field])
        assert len(message.splitlines()) <= 3
    assert sent == []


@pytest.mark.parametrize(
    ("field", "label", "code"),
    [
        pytest.param("style", "3D render", "3d_render", id="3D render"),
        pytest.param("filter", "Black and white", "grayscale", id="Black and white"),
    ],
)
def test_a_label_stands_for_its_value(client, sent, field, label, code):
    """The words of the interface are what the vocabulary shows, and may be given instead of the value."""
    shown = getattr(client.vocabulary, f"{field}s").set_index("code")["label"]
    assert shown[code] == label
    assert getattr(client.images.create(**LEAST | {field: label}), field) == code
    assert sent[0].fields[field] == code


def test_the_vocabulary_has_the_values_of_the_interface_and_no_others(client):
    """Resolutions, styles, mediums and filters are those of section 2.1, in its order."""
    for field, values in VALUES.items():
        assert getattr(client.vocabulary, f"{field}s")["code"].tolist() == values


def test_filters_work_together(reader, asked, library):
    """Several filters narrow each other."""
    image = library.images[0]
    look = {field: getattr(image, field) for field in VALUES}
    frame = reader.images.list(**look, favorite=True)
    assert asked[0].query == "favorite=1&resolution=256x256&style=3d_render&medium=acrylic&filter=grayscale"
    expected = [
        each.id
        for each in library.images
        if each.favorite and all(getattr(each, field) == look[field] for field in VALUES)
    ]
    assert frame.index.tolist() == expected == [image.id]


def test_all_takes_several_values(reader, library):
    """A list of values is one listing per value; the result is every record with one of them."""
    frame = reader.images.all(style=["anime", "retro", "anime"], filter="sepia")
    expected = {i.id for i in library.images if i.style in {"anime", "retro"} and i.filter == "sepia"}
    assert set(frame.index) == expected
    assert frame.index.is_unique
    assert frame.attrs["inkframe"]["query"] == {"style": ["anime", "retro"], "filter": "sepia"}


def test_list_takes_one_value(reader, asked):
    """One page cannot hold several values of a filter; the message names what can."""
    with pytest.raises(ink.InvalidArgument, match=r"style has 2 values.*\n.*all\(\)"):
        reader.images.list(style=["anime", "retro"])
    with pytest.raises(ink.InvalidArgument, match="style is an empty list"):
        reader.images.all(style=[])
    with pytest.raises(ink.InvalidArgument, match="style"):
        reader.images.all(style=[["anime"], ["retro"]])
    assert asked == []


def test_the_picture_comes_with_the_key_from_the_same_service(client, sent, key):
    """A record knows where its picture is; it is fetched once, and with the key."""
    image = client.images.create(**LEAST)
    assert image.picture.size == (1, 1)
    assert image.picture_bytes.startswith(b"\x89PNG")
    assert [request.path for request in sent] == ["/api/v1/images", f"/api/v1/images/{image.id}/picture"]
    assert sent[1].headers["Authorization"] == f"Bearer {key}"
