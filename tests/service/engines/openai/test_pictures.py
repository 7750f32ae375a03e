"""Pictures from a model."""

import base64
from io import BytesIO

import pytest
from PIL import Image

from inkframe.service.engines import DrawRequest, Refused, Unavailable
from inkframe.service.engines.filters import apply_filter
from inkframe.service.engines.openai.pictures import finish, nearest_size, picture_prompt, picture_request
from inkframe.vocabulary import Vocabulary


def opened(data):
    """Decode a picture."""
    return Image.open(BytesIO(data))


def test_a_picture_is_requested_and_returned(engine, server):
    """The request asks for one picture in base64 with the words of the look; the result names the model."""
    png = engine.draw(DrawRequest("a harbor.", "512x512", style="pop_art", medium="ink"))
    ((path, _, body),) = server.requests
    assert path == "/v1/images/generations"
    assert body == {
        "model": "painter",
        "prompt": "a harbor, pop art with flat bright colors and halftone dots, drawn in ink",
        "n": 1,
        "size": "512x512",
        "response_format": "b64_json",
    }
    image = opened(png)
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", (512, 512))
    assert image.text == {"Software": "inkframe, model painter", "Description": "a harbor."}


def test_every_look_has_its_own_words():
    """No style or medium is sent as its code; codes of other vocabularies are sent as words."""
    vocabulary = Vocabulary()
    for kind in ("style", "medium"):
        found = {picture_prompt(DrawRequest("", "1x1", **{kind: code})) for code in vocabulary.codes(kind)}
        assert len(found) == len(vocabulary.codes(kind))
        assert not found & {f", {code}" for code in vocabulary.codes(kind)}
    assert picture_prompt(DrawRequest("a cat", "1x1", style="oil_painting")) == "a cat, oil painting"


@pytest.mark.parametrize("code", ["grayscale", "sepia", "invert", "cyanotype"])
def test_filters_are_those_of_the_offline_engine(server, code):
    """The filter is applied to the pixels by the same rule and is not in the prompt."""
    request = DrawRequest("a harbor", "64x64", filter=code)
    expected = apply_filter(opened(server.picture()).convert("RGB"), code)
    assert opened(finish(server.picture(), request, "painter")).tobytes() == expected.tobytes()
    assert picture_prompt(request) == "a harbor"


@pytest.mark.parametrize(
    ("wanted", "sizes", "expected"),
    [
        ((256, 256), ((1024, 1024), (1536, 1024)), (1024, 1024)),
        ((512, 512), ((256, 256), (512, 512), (1024, 1024)), (512, 512)),
        ((600, 600), ((256, 256), (512, 512), (1024, 1024)), (1024, 1024)),
        ((2048, 2048), ((256, 256), (512, 512), (1024, 1024)), (1024, 1024)),
        ((640, 480), ((1024, 1024), (1536, 1024), (1024, 1536)), (1536, 1024)),
        ((300, 600), ((1024, 1024), (1536, 1024), (1024, 1536)), (1024, 1536)),
    ],
)
def test_the_nearest_size(wanted, sizes, expected):
    """The shape counts first, then no enlargement, then the smallest size."""
    assert nearest_size(wanted, sizes) == expected


@pytest.mark.parametrize(
    ("model", "size", "asks_for_base64"),
    [
        ("gpt-image-1-mini", "1024x1024", False),
        ("openai/dall-e-3", "1024x1024", True),
        ("dall-e-2", "256x256", True),
        ("stable-diffusion-xl", "256x256", True),
    ],
)
def test_the_sizes_of_known_models(model, size, asks_for_base64):
    """Requests to OpenAI models use their sizes, others the resolution itself."""
    body = picture_request(model, DrawRequest("a cat", "256x256"), ())
    assert (body["size"], "response_format" in body) == (size, asks_for_base64)
    assert picture_request(model, DrawRequest("a cat", "256x256"), ((640, 640),))["size"] == "640x640"


def test_a_picture_of_another_shape_is_cropped_and_scaled(settings, server, open_engine):
    """The result has exactly the requested resolution."""
    settings(image_sizes="1536x1024")
    image = opened(open_engine().draw(DrawRequest("a harbor", "256x256")))
    assert server.requests[0][2]["size"] == "1536x1024"
    assert image.size == (256, 256)
    left, right = image.getpixel((60, 128)), image.getpixel((200, 128))
    assert left[0] > 150
    assert left[2] < 60
    assert right[2] > 150


@pytest.mark.parametrize("form", ["JPEG", "WEBP"])
def test_other_formats_become_png(server, form):
    """Every supported format is stored as PNG."""
    png = finish(server.picture("40x40", form), DrawRequest("d", "20x20"), "m")
    assert (opened(png).format, opened(png).size) == ("PNG", (20, 20))


def test_transparent_parts_become_white():
    """Transparent pixels are placed on white."""
    with BytesIO() as file:
        Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(file, "PNG")
        png = finish(file.getvalue(), DrawRequest("d", "8x8"), "m")
    assert opened(png).getpixel((4, 4)) == (255, 255, 255)


def test_a_picture_at_an_address_of_the_endpoint_is_fetched(engine, server, key):
    """It is fetched with the key, also if the address is only a path."""
    for location in (f"{server.origin}/pictures/1.png", "/pictures/1.png"):
        server.as_url = location
        assert opened(engine.draw(DrawRequest("d", "512x512"))).size == (512, 512)
        path, headers, _ = server.requests[-1]
        assert (path, headers["Authorization"]) == ("/pictures/1.png", f"Bearer {key}")


@pytest.mark.parametrize(
    "data",
    [None, [], [{}], [{"b64_json": ""}], [{"b64_json": "é"}], [{"b64_json": "PHN2Zz48L3N2Zz4="}], "no"],
)
def test_an_answer_without_a_picture_is_an_error(engine, server, data):
    """Only a picture is stored as one."""
    server.faults = [(200, {}, {"data": data})]
    with pytest.raises(Unavailable):
        engine.draw(DrawRequest("d", "256x256"))


def test_a_truncated_picture_is_an_error(server):
    """A truncated file is not a picture."""
    with pytest.raises(Unavailable, match="did not return a PNG"):
        finish(server.picture()[:-30], DrawRequest("d", "8x8"), "m")


def test_a_resolution_that_is_not_a_size_is_rejected():
    """The error names the field, and no request is sent."""
    with pytest.raises(Refused) as caught:
        picture_request("m", DrawRequest("d", "huge"), ())
    assert caught.value.field == "resolution"


@pytest.mark.parametrize(
    "content",
    [
        {"error": {"message": "Unknown parameter: 'response_format'.", "param": "response_format"}},
        {"error": {"message": "response_format is not supported by this model", "param": None, "code": 400}},
        {"detail": [{"loc": ["body", "response_format"], "msg": "Extra inputs are not permitted"}]},
    ],
    ids=["parameter", "words", "path"],
)
def test_a_server_without_the_response_format(engine, server, content):
    """The request is sent once more without the parameter, and returns the picture."""
    server.faults = [(400, {}, content)]
    assert opened(engine.draw(DrawRequest("a harbor", "256x256"))).size == (256, 256)
    first, second = (body for _, _, body in server.requests)
    assert set(first) - set(second) == {"response_format"}
    assert first | second == first


def test_other_parameters_are_never_omitted(engine, server):
    """Another rejected parameter is an error, without a second request."""
    server.faults = [(400, {}, {"error": {"message": "Unknown parameter: 'n'.", "param": "n"}})]
    with pytest.raises(Unavailable, match="Unknown parameter: 'n'"):
        engine.draw(DrawRequest("a harbor", "256x256"))
    assert len(server.requests) == 1


def test_base64_may_come_as_a_data_address(engine, server):
    """Some gateways send a data URI in place of the base64 text."""
    data = base64.b64encode(server.picture("256x256")).decode()
    for field in ("b64_json", "url"):
        server.faults = [(200, {}, {"data": [{field: f"data:image/png;base64,{data}"}]})]
        assert opened(engine.draw(DrawRequest("a harbor", "256x256"))).size == (256, 256)
