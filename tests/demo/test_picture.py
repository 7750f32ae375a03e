"""Offline pictures: size, determinism, metadata, filters, and errors."""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageOps

from inkframe.errors import InvalidArgument
from inkframe.service.engines import DrawRequest
from inkframe_demo.picture import SOFTWARE, draw_picture

HARBOR = DrawRequest("a harbor at dawn, two boats", "64x64")


def opened(request):
    return Image.open(BytesIO(draw_picture(request)))


def pixels(request):
    return np.asarray(opened(request), np.int16)


@pytest.mark.parametrize("resolution", ["64x64", "96x64", "50x133", "16x16", "1x1", "300x80"])
def test_resolution_is_exact(resolution):
    """A picture has exactly the requested width and height, large, small or oblong."""
    image = opened(replace(HARBOR, resolution=resolution, style="origami", medium="glass"))
    assert (image.format, image.mode) == ("PNG", "RGB")
    assert image.size == tuple(int(side) for side in resolution.split("x"))


@pytest.mark.parametrize(
    "resolution", ["512", "axb", "0x64", "-64x64", "9999x9999", "1x9999", "64x64x64", ""]
)
def test_resolution_that_cannot_be_drawn(resolution):
    """An invalid or too large resolution is rejected with the value and an example."""
    with pytest.raises(InvalidArgument, match="512x512") as caught:
        draw_picture(replace(HARBOR, resolution=resolution))
    assert repr(resolution) in str(caught.value)


def test_same_request_same_bytes_in_another_process():
    """The same request draws the same bytes in every process, whatever its hash seed."""
    request = replace(HARBOR, style="retro", medium="acrylic", filter="sepia")
    code = (
        "import hashlib; from inkframe.service.engines import DrawRequest;"
        "from inkframe_demo.picture import draw_picture;"
        f"print(hashlib.sha256(draw_picture({request!r})).hexdigest())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == hashlib.sha256(draw_picture(request)).hexdigest()


def test_threads_draw_the_same():
    """Pictures drawn in parallel equal those drawn one after the other."""
    requests = [replace(HARBOR, style=style) for style in (None, "origami", "sketch", "vaporwave")]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(draw_picture, requests)) == [draw_picture(request) for request in requests]


def test_any_word_changes_the_picture():
    """Each word counts: known, unknown, a number, a color, or in another language."""
    descriptions = [
        "two boats",
        "three boats",
        "two red boats",
        "two quiet boats",
        "two qwertz boats",
        "deux bateaux",
        "船が二つ",
        "",
    ]
    drawn = {draw_picture(replace(HARBOR, description=text)) for text in descriptions}
    assert len(drawn) == len(descriptions)


def test_case_and_punctuation_do_not_count():
    """The same words with other case or punctuation draw the same picture."""
    one = pixels(replace(HARBOR, description="A harbor at dawn: two boats!"))
    assert np.array_equal(one, pixels(HARBOR))


def test_the_file_names_the_demo_engine():
    """The PNG names the demo engine as its software and has the description, in any script."""
    text = "Hafen im Morgenrot \0 朝の港 \ud800 🚢"
    notes = opened(replace(HARBOR, description=text)).text
    assert notes["Software"] == SOFTWARE
    assert "demo engine" in SOFTWARE
    assert notes["Description"] == "Hafen im Morgenrot   朝の港 ? 🚢"


def test_filters_are_exact():
    """A filter is an exact operation on the finished picture."""
    plain = opened(HARBOR)
    shown = {code: opened(replace(HARBOR, filter=code)) for code in ("grayscale", "invert", "sepia")}
    assert shown["grayscale"].tobytes() == plain.convert("L").convert("RGB").tobytes()
    assert shown["invert"].tobytes() == ImageOps.invert(plain).tobytes()
    red, green, blue = (
        np.asarray(plain, float) @ (0.393, 0.769, 0.189),
        *np.asarray(shown["sepia"], int).T[1:],
    )
    assert np.abs(np.asarray(shown["sepia"], int)[..., 0] - np.clip(red, 0, 255)).max() <= 1
    assert (green >= blue).all()


@pytest.mark.parametrize("look", ["style", "medium", "filter"])
def test_codes_of_other_vocabularies(look):
    """A code added by a deployment draws a stable variation, different from none and from other codes."""
    plain, gouache, oil = (pixels(replace(HARBOR, **{look: code})) for code in (None, "gouache", "oil"))
    assert np.array_equal(gouache, pixels(replace(HARBOR, **{look: "gouache"})))
    for one, other in ((plain, gouache), (plain, oil), (gouache, oil)):
        assert np.abs(one - other).mean() > 2


@pytest.mark.parametrize(("name", "channel"), [("red", 0), ("green", 1), ("blue", 2)])
def test_color_words_are_seen(name, channel):
    """A color word shifts the picture toward its color in any context."""
    shares = []
    for text in ("{} boat on the sea", "a cup on a {} table", "abstract shapes in {}", "{} mountains"):
        planes = pixels(replace(HARBOR, description=text.format(name))).astype(float)
        others = pixels(replace(HARBOR, description=text.format("plain"))).astype(float)
        lead, usual = (picture[..., channel] - picture.mean(-1) for picture in (planes, others))
        shares.append(lead.mean() - usual.mean())
    assert np.mean(shares) > 3


def test_the_file_size_is_limited():
    """A picture of 512 pixels stays well below a megabyte, also with the grainiest medium."""
    assert len(draw_picture(replace(HARBOR, resolution="512x512", medium="crayon"))) < 600_000
