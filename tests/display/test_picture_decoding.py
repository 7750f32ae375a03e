"""Pictures decoded in bounded memory."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from inkframe.display import picture_decoding as decoding
from inkframe.display.picture_decoding import decode
from inkframe.display.picture_header import read_header


def files():
    """Give a file for each kind of pixel, each with a slope in every direction."""
    across, down = np.meshgrid(np.arange(60), np.arange(90))
    slope = np.dstack([across * 4, down * 2, 255 - across * 4, 40 + down * 2]).astype("u1")
    colour = Image.fromarray(slope)
    return {
        "RGB": colour.convert("RGB"),
        "RGBA": colour,
        "LA": colour.convert("LA"),
        "L": colour.convert("L"),
        "P": colour.convert("RGB").quantize(60),
        "1": colour.convert("1"),
        "I;16": Image.fromarray((across * 1_000 + down).astype("u2")),
    }


@pytest.mark.parametrize("mode", files())
@pytest.mark.parametrize("size", [None, 90, 30])
def test_a_large_picture_looks_like_a_small_one(mode, size, monkeypatch):
    """What is decoded band by band, to spare memory, gives the same pixels as what is decoded at once."""
    with io.BytesIO() as file:
        files()[mode].save(file, "PNG")
        data = file.getvalue()
    at_once = np.asarray(decode(data, read_header(data), size), dtype=int)
    monkeypatch.setattr(decoding, "_LARGE", 100)
    monkeypatch.setattr(decoding, "_BAND", 500)
    in_bands = np.asarray(decode(data, read_header(data), size), dtype=int)
    assert in_bands.shape == at_once.shape
    assert np.abs(in_bands - at_once).mean() < 1


def test_a_large_jpeg_is_scaled_as_it_is_decoded(monkeypatch):
    """JPEG keeps its own quick way to a smaller picture."""
    with io.BytesIO() as file:
        files()["RGB"].resize((800, 800)).save(file, "JPEG", quality=95)
        data = file.getvalue()
    at_once = np.asarray(decode(data, read_header(data), 100), dtype=int)
    monkeypatch.setattr(decoding, "_LARGE", 100)
    in_bands = np.asarray(decode(data, read_header(data), 100), dtype=int)
    assert in_bands.shape == at_once.shape
    assert np.abs(in_bands - at_once).mean() < 3
