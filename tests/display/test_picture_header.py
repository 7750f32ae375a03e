"""Test reading picture headers without a decoder."""

from __future__ import annotations

import io
import struct

import pytest
from PIL import Image

from inkframe.display.picture_header import MANY_FRAMES, PictureHeader, read_header
from inkframe.errors import UnexpectedReply


def saved(form, size=(20, 10), mode="RGB", **options):
    with io.BytesIO() as file:
        Image.new(mode, size, 0).save(file, form, **options)
        return file.getvalue()


@pytest.mark.parametrize(
    ("form", "mode", "options"),
    [
        ("PNG", "RGB", {}),
        ("JPEG", "RGB", {}),
        ("JPEG", "RGB", {"progressive": True}),
        ("JPEG", "CMYK", {}),
        ("GIF", "P", {}),
        ("WEBP", "RGB", {}),
        ("WEBP", "RGB", {"lossless": True}),
        ("WEBP", "RGBA", {"exif": b"Exif\0\0MM\0*"}),
    ],
)
def test_each_format_has_its_size_and_end(form, mode, options):
    """Format, size, frames and end equal those of the written file."""
    data = saved(form, mode=mode, **options)
    assert read_header(data) == PictureHeader(form, 20, 10, 1, len(data))
    assert read_header(data).mime == f"image/{form.lower()}"


@pytest.mark.parametrize("form", ["GIF", "WEBP", "PNG"])
def test_frames_are_counted(form):
    """The header of an animation has the number of frames."""
    frames = [Image.new("RGB", (4, 4), (60 * n, 0, 0)) for n in range(4)]
    with io.BytesIO() as file:
        frames[0].save(file, form, save_all=True, append_images=frames[1:])
        assert read_header(file.getvalue()).frames == 4


def test_counting_frames_stops_early():
    """Frames are counted only up to a limit."""
    frame = b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x4c\x01\x00"
    bomb = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0, 0, 0) + frame * 100_000 + b";"
    assert read_header(bomb).frames == MANY_FRAMES


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', " It looks like SVG."),
        (b"\xef\xbb\xbf  <!DOCTYPE html><p>", " It looks like HTML."),
        (b"%!PS-Adobe-3.0 EPSF-3.0", " It looks like PostScript."),
        (b"%PDF-1.7", " It looks like PDF."),
        (b'{"error": "gone"}', " It looks like JSON."),
        (b"", " It is empty."),
        (b"nothing known", ""),
        (b"BM" + bytes(60), " It looks like BMP."),
        (b"<HTML lang=en>", " It looks like HTML."),
        (b"\n<?xml version='1.0'?>", " It looks like XML, perhaps SVG."),
        (b"II*\0" + bytes(9), " It looks like TIFF."),
        (b"MM\0*" + bytes(9), " It looks like TIFF."),
    ],
)
def test_other_formats_are_named(data, kind):
    """Files of other formats are refused with the name of their format."""
    with pytest.raises(UnexpectedReply, match=f"^The picture is not a PNG, JPEG, WEBP or GIF file\\.{kind}$"):
        read_header(data)


def test_each_start_of_a_frame_has_the_size_of_a_jpeg():
    """All kinds of frames have a size; tables and extensions among their codes have none."""
    found = {}
    for kind in range(0xC0, 0xD0):
        size = struct.pack(">BBHBHHB", 0xFF, kind, 8, 8, 10, 20, 1)
        other = struct.pack(">BBHBHHB", 0xFF, 0xC0, 8, 8, 30, 40, 1)
        header = read_header(b"\xff\xd8\xff\xff" + size[1:] + other + b"\xff\xd9")
        found[kind] = (header.width, header.height)
    others = dict.fromkeys((0xC4, 0xC8, 0xCC), (40, 30))
    assert found == dict.fromkeys(range(0xC0, 0xD0), (20, 10)) | others


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_header_cut_anywhere_is_refused_or_ends_past_the_data(form):
    """Reading a cut file raises an error, or returns an end beyond the data."""
    data = saved(form, (40, 40))
    for length in range(12, len(data) - 1):
        assert "cut off" in reason_of(data[:length])


def reason_of(data):
    try:
        return "cut off" if read_header(data).end > len(data) else "whole"
    except UnexpectedReply as error:
        return str(error)


def test_many_frames_are_not_counted_further():
    """Frames of a PNG and of a GIF are counted up to the number that is refused anyway."""
    frame = b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x4c\x01\x00"
    for count in (1, MANY_FRAMES - 1, MANY_FRAMES, MANY_FRAMES + 5):
        gif = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0, 0, 0) + frame * count + b";"
        assert read_header(gif).frames == min(count, MANY_FRAMES)
