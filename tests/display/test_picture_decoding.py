"""Test decoding pictures in bounded memory."""

import io
import struct

import numpy as np
import pytest
from PIL import Image

from inkframe.display import picture as decoding
from inkframe.display.picture import decode, read_header
from inkframe.errors import UnexpectedReply


def files():
    """Return a file for each mode, with a gradient in every direction."""
    across, down = np.meshgrid(np.arange(60), np.arange(90))
    slope = np.dstack([across * 4, down * 2, 255 - across * 4, 40 + down * 2]).astype("u1")
    color = Image.fromarray(slope)
    # Of two pixels: Pillow before 13 scales transparent pictures by another filter, which blurs other squares more.
    squares = (np.indices(slope.shape[:2]) // 2).sum(axis=0)[..., None] % 2
    return {
        "green that is transparent": Image.fromarray(
            np.where(squares, [255, 0, 0, 255], [0, 255, 0, 0]).astype("u1")
        ),
        "RGB": color.convert("RGB"),
        "RGBA": color,
        "LA": color.convert("LA"),
        "L": color.convert("L"),
        "P": color.convert("RGB").quantize(60),
        "1": color.convert("1"),
        "I;16": Image.fromarray((across * 1_000 + down).astype("u2")),
    }


@pytest.mark.parametrize("mode", files())
@pytest.mark.parametrize("size", [None, 90, 30])
def test_bands_give_the_same_pixels(mode, size, monkeypatch):
    """A picture decoded band by band has the same pixels as one decoded at once."""
    with io.BytesIO() as file:
        files()[mode].save(file, "PNG")
        data = file.getvalue()
    at_once = np.asarray(decode(data, read_header(data), size), dtype=int)
    monkeypatch.setattr(decoding, "_LARGE", 100)
    monkeypatch.setattr(decoding, "_BAND", 500)
    in_bands = np.asarray(decode(data, read_header(data), size), dtype=int)
    assert in_bands.shape == at_once.shape
    assert np.abs(in_bands - at_once).mean() < 1


@pytest.mark.integration
def test_a_large_jpeg_is_scaled_as_it_is_decoded(monkeypatch):
    """A large JPEG is scaled down while it is decoded."""
    with io.BytesIO() as file:
        files()["RGB"].resize((800, 800)).save(file, "JPEG", quality=95)
        data = file.getvalue()
    at_once = np.asarray(decode(data, read_header(data), 100), dtype=int)
    monkeypatch.setattr(decoding, "_LARGE", 100)
    in_bands = np.asarray(decode(data, read_header(data), 100), dtype=int)
    assert in_bands.shape == at_once.shape
    assert np.abs(in_bands - at_once).mean() < 3


class Library:
    """A library of C that has nothing but a function of one name."""

    def __init__(self, name, function):
        setattr(self, name, function)


def test_memory_of_a_large_picture_is_released(monkeypatch):
    """Freed memory goes back to the system after a large picture, where the system can do that."""
    with io.BytesIO() as file:
        Image.new("RGB", (8, 8)).save(file, "PNG")
        data = file.getvalue()
    header, asked = read_header(data), []
    monkeypatch.setattr(
        decoding.ctypes, "CDLL", lambda name: Library("malloc_trim", lambda left: asked.append((name, left)))
    )
    decode(data, header)
    assert asked == []
    monkeypatch.setattr(decoding, "_LARGE", 63)
    decode(data, header)
    assert asked == [(None, 0)]

    def missing(error):
        raise error

    monkeypatch.setattr(decoding.ctypes, "CDLL", lambda _: Library("other", None))
    assert decode(data, header).size == (8, 8)
    for error in (OSError, TypeError):
        monkeypatch.setattr(decoding.ctypes, "CDLL", lambda _, error=error: missing(error))
        assert decode(data, header).size == (8, 8)


def test_a_frame_larger_than_its_header_says_is_refused():
    """The pixels of the frame count, before they take memory."""
    frame = b"," + struct.pack("<HHHHB", 0, 0, 6000, 6000, 0) + b"\x02\x02\x4c\x01\x00"
    data = b"GIF89a" + struct.pack("<HHBBB", 8, 8, 0, 0, 0) + frame + b";"
    header = read_header(data)
    assert (header.width, header.height) == (8, 8)
    with pytest.raises(
        UnexpectedReply, match=r"has 6,000 by 6,000 pixels; at most 24 million are decoded\.$"
    ):
        decode(data, header)
