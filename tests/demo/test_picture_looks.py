"""Looks: each style, medium and filter differs from the others of its list, and from none."""

import json
from functools import cache
from importlib import resources
from io import BytesIO
from itertools import combinations, cycle

import numpy as np
import pytest
from PIL import Image

from inkframe import vocabulary
from inkframe.service.engines import DrawRequest
from inkframe.service.engines.filters import FILTERS, apply_filter
from inkframe_demo.drawing.canvas import to_image
from inkframe_demo.drawing.scene import read_scene
from inkframe_demo.mediums import MEDIUMS, apply_medium
from inkframe_demo.picture import draw_picture
from inkframe_demo.styles import STYLES, draw_scene

DESCRIPTIONS = (
    "a harbor at dawn, two boats",
    "a red cat asleep on a chair",
    "city skyline at night",
    "a forest in the mist with a deer",
    "three birds over snowy mountains",
    "a bowl of fruit on a wooden table",
    "a rocket in space",
    "portrait of a woman in green",
    "a street in the rain, yellow umbrella",
    "ruhiger Abend am Fluss",
)
SIZE = (64, 64)
#: The required mean difference of two looks is 8 of 255; the pictures have a margin.
LEAST = 11


@cache
def shown(look, code):
    """Draw the ten descriptions in one look, and return the bytes of their pixels."""
    pictures = []
    for text in DESCRIPTIONS:
        scene = read_scene(text)
        picture = draw_scene(scene, SIZE, code) if look == "style" else plain(text)
        picture = apply_medium(picture, scene, code if look == "medium" else None)
        pictures.append(
            np.asarray(apply_filter(to_image(picture), code if look == "filter" else None), np.int16)
        )
    return np.stack(pictures)


@cache
def plain(text):
    return draw_scene(read_scene(text), SIZE, None)


@pytest.mark.parametrize(("look", "codes"), [("style", STYLES), ("medium", MEDIUMS), ("filter", FILTERS)])
def test_every_pair_differs(look, codes):
    """Any two looks of one list, including none, differ clearly over ten descriptions."""
    near = {
        (one, other): float(np.abs(shown(look, one) - shown(look, other)).mean())
        for one, other in combinations([None, *codes], 2)
    }
    assert {pair: gap for pair, gap in near.items() if gap < LEAST} == {}


def test_whole_vocabulary_is_drawn():
    """Each style, medium and filter of the interface has its own implementation."""
    for name, drawn in (("styles", STYLES), ("mediums", MEDIUMS), ("filters", FILTERS)):
        choices = json.loads((resources.files(vocabulary) / f"{name}.json").read_text("utf-8"))
        assert {choice["code"] for choice in choices} == set(drawn)


@pytest.mark.parametrize(("style", "medium"), list(zip(STYLES, cycle(MEDIUMS), strict=False)))
def test_styles_and_mediums_combine(style, medium):
    """A style with a medium differs from both, and is never one flat color."""
    scene = read_scene("a lighthouse by the sea at night, rain")
    styled = draw_scene(scene, (48, 56), style)
    drawn, alone = (
        np.asarray(to_image(picture), float) for picture in (apply_medium(styled, scene, medium), styled)
    )
    assert drawn.shape == (56, 48, 3)
    assert drawn.std() > 8
    assert np.abs(drawn - alone).mean() > 8


def test_pixel_art_is_pixels():
    """Pixel art has square pixels of one color, and few colors."""
    image = Image.open(BytesIO(draw_picture(DrawRequest("a boat", "128x128", style="pixel_art"))))
    flat = np.asarray(image)
    assert np.array_equal(flat[::2, ::2], flat[1::2, 1::2])
    assert len(image.getcolors()) <= 20


def test_art_deco_is_symmetric():
    """Art deco is symmetric around the object in its middle."""
    picture = draw_scene(read_scene("four boats on the sea"), SIZE, "art_deco")
    left, right = picture[..., :20], picture[..., :-21:-1]
    assert left.std() > 0.1
    assert np.abs(left - right).mean() < 0.06


@pytest.mark.parametrize(("look", "code"), [("style", "sketch"), ("medium", "charcoal")])
def test_graphite_and_charcoal_have_no_color(look, code):
    """A sketch and a charcoal drawing are gray on paper."""
    drawn = shown(look, code)
    assert (drawn.max(-1) - drawn.min(-1)).mean() < 12
