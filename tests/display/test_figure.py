"""Test one image in a notebook."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

from inkframe.display.fragments import image_bundle, none_tag, picture_tag
from inkframe.display.view import weigh


def picture_in(html):
    return base64.b64decode(re.search(r"base64,([^\"]+)", html)[1])


@pytest.mark.integration
def test_noise_stays_within_the_budget(image):
    """The picture that compresses worst, at full size, adds at most 150 kB in all formats together."""
    noise = np.random.default_rng(0).integers(0, 255, (800, 800, 3), dtype="u1")
    with io.BytesIO() as file:
        Image.fromarray(noise).save(file, "PNG", compress_level=1)
        bundle = image_bundle({**image, "description": "long " * 9_000, "name": "n" * 9_000}, file.getvalue())
    assert weigh(bundle) <= 150_000
    assert len(bundle["image/jpeg"]) <= 30_000


def test_a_spare_copy_serves_viewers_without_html(image, picture):
    """The JPEG is a complete picture, with white for transparent pixels."""
    with io.BytesIO() as file:
        Image.new("RGBA", (64, 64), (255, 0, 0, 0)).save(file, "PNG")
        bundle = image_bundle(image, file.getvalue())
    with Image.open(io.BytesIO(base64.b64decode(bundle["image/jpeg"]))) as copy:
        assert copy.getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.integration
def test_a_large_picture_is_shown_sharp_and_bounded(image, picture):
    """The copy in the page has at most twice the pixels of its display size."""
    html = image_bundle(image, picture(4, 1024))["text/html"]
    assert 'width="384" height="384"' in html
    with Image.open(io.BytesIO(picture_in(html))) as copy:
        assert copy.size == (768, 768)


@pytest.mark.parametrize("failure", ["The picture is gone (404).", b"<svg onload=alert(1)>", b""])
def test_a_reason_replaces_the_picture(image, failure):
    """If a picture failed or was refused, the figure and the text have the reason."""
    bundle = image_bundle(image, failure)
    reason = "The picture is gone (404)." if isinstance(failure, str) else "The picture is not a PNG"
    assert reason in bundle["text/html"]
    assert reason in bundle["text/plain"]
    assert "<img" not in bundle["text/html"]
    assert "image/jpeg" not in bundle


def test_a_brief_reason_is_its_first_line():
    """A brief element shows the first line of the reason, and the tooltip has the rest."""
    tag = none_tag("It is gone (404).\nGet the record again.", brief=True)
    assert ">It is gone (404).<" in tag
    assert 'title="It is gone (404). Get the record again."' in tag
    assert "title" not in none_tag("It is gone.", brief=True)


def test_whole_figure(image, picture, recorded):
    """A figure with all facts, one without its picture, and one of a record without words."""
    recorded("picture", {**image_bundle(image, picture(3, 96), service="s"), "image/jpeg": None})
    reason = "The picture is gone (404).\nGet the record again."
    recorded("reason", image_bundle({**image, "description": "word " * 400, "favorite": False}, reason))
    recorded("bare", {**image_bundle({}, picture()), "image/jpeg": None})
    recorded("none", [none_tag("a\n" + "b" * 300), none_tag("a" * 130 + "\nb", brief=True)])


def test_a_picture_keeps_its_proportions(picture):
    """A wide picture is shown in its proportions, and a line of pixels has a height of at least 1."""
    for size, width, expected in [
        ((300, 100), 200, 'width="200" height="67"'),
        ((300, 100), 400, 'width="300" height="100"'),
        ((900, 1), 64, 'width="64" height="1"'),
    ]:
        with io.BytesIO() as file:
            Image.new("RGB", size).save(file, "PNG")
            assert expected in picture_tag({}, file.getvalue(), width)
