"""Records and pictures for the tests of the display package."""

from __future__ import annotations

import colorsys
import io
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from PIL import Image, ImageDraw


@cache
def draw(number: int = 0, size: int = 96, form: str = "PNG") -> bytes:
    """Return a picture file: a sky over a sea, with colors by number."""
    above, below = (
        colorsys.hls_to_rgb((number * 0.137 + shift) % 1, light, 0.55)
        for shift, light in ((0, 0.78), (0.2, 0.36))
    )
    ramp = Image.linear_gradient("L").resize((size, size))
    image = Image.composite(_plain(below, size), _plain(above, size), ramp)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, size * 0.62, size, size), fill=_color(below))
    at, wide = size * (0.2 + 0.05 * (number % 9)), size * 0.09
    pen.ellipse((at, size * 0.22, at + 2 * wide, size * 0.22 + 2 * wide), fill="#fff3d6")
    pen.polygon(
        [
            (size * 0.3, size * 0.66),
            (size * 0.6, size * 0.66),
            (size * 0.54, size * 0.74),
            (size * 0.36, size * 0.74),
        ],
        fill="#2b2a33",
    )
    with io.BytesIO() as file:
        image.save(file, form)
        return file.getvalue()


def _color(parts):
    return tuple(round(255 * part) for part in parts)


def _plain(parts, size):
    return Image.new("RGB", (size, size), _color(parts))


@pytest.fixture(scope="session")
def picture():
    """Return a function that draws a picture file: ``picture(number, size, form)``."""
    return draw


@pytest.fixture
def image():
    """One image with all its columns."""
    return {
        "id": 12,
        "name": "Harbor at dawn",
        "description": "a harbor at dawn, two boats",
        "resolution": "512x512",
        "style": "pop_art",
        "medium": "ink",
        "filter": None,
        "favorite": True,
        "picture_url": "https://content.invalid/12.png?token=abc",
        "created_at": datetime(2026, 11, 20, 21, 14, tzinfo=UTC),
        "updated_at": None,
    }


@pytest.fixture
def document():
    """One document with all its columns."""
    return {
        "id": 7,
        "name": "The quiet kettle",
        "template": "Product sheet",
        "template_id": 41,
        "prompt": "Product text for a kettle.\nA calm tone.",
        "creativity": 0.75,
        "result": "Morning begins before the whistle.\n\n## Why it is quiet\n\nOne *liter*, **four** minutes.",
        "favorite": True,
        "created_at": datetime(2026, 11, 20, 21, 14, tzinfo=UTC),
    }


@pytest.fixture(scope="session")
def hostile():
    """The module with the hostile texts, and every view filled with them."""
    spec = spec_from_file_location("hostile_views", Path(__file__).with_name("hostile.py"))
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def hostile_views(hostile):
    """Every view with every hostile text, built once."""
    return hostile.views()
