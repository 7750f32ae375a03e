"""Test reading picture headers without a decoder."""

import io
import struct

import pytest
from PIL import Image

from inkframe.display.picture import MANY_FRAMES, PictureHeader, read_header
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
    for kind in range(0xBF, 0xD1):
        size = struct.pack(">BBHBHHB", 0xFF, kind, 8, 8, 10, 20, 1)
        other = struct.pack(">BBHBHHB", 0xFF, 0xC0, 8, 8, 30, 40, 1)
        header = read_header(b"\xff\xd8\xff\xff" + size[1:] + other + b"\xff\xd9")
        found[kind] = (header.width, header.height)
    others = dict.fromkeys((0xBF, 0xC4, 0xC8, 0xCC, 0xD0), (40, 30))
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


def webp(kind, body):
    return b"RIFF" + struct.pack("<I", len(body) + 12) + b"WEBP" + kind + struct.pack("<I", len(body)) + body


def png(*parts):
    blocks = [struct.pack(">I", len(body)) + kind + body + bytes(4) for kind, body in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(blocks)


HEAD = (b"IHDR", struct.pack(">IIBBBBB", 70_000, 300, 8, 2, 0, 0, 0))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (png(HEAD, (b"IDAT", b"xyz"), (b"IEND", b"")), ("PNG", 70_000, 300, 1, 60)),
        (png(HEAD, *[(b"fcTL", b"")] * 3, (b"IEND", b"")) + b"more", ("PNG", 70_000, 300, 3, 81)),
        (webp(b"VP8X", bytes(4) + b"\x2b\x01\x01" + b"\xbb\x02\x02"), ("WEBP", 65_836, 131_772, 1, 30)),
        (webp(b"VP8L", b"\x2f" + struct.pack("<I", 299 | 699 << 14 | 7 << 28)), ("WEBP", 300, 700, 1, 25)),
        (webp(b"VP8 ", bytes(6) + struct.pack("<HH", 0xC000 | 16_300, 0x4000 | 700)), ("WEBP", 16_300, 700, 1, 30)),
        (webp(b"VP8X", bytes(10) + b"ANMF" * 2), ("WEBP", 1, 1, 2, 38)),
        (
            b"\xff\xd8\xff\xe0\0\x03x\xff\xff\xc0\0\x08\x08" + struct.pack(">HH", 300, 700) + b"\xff\xd9more",
            ("JPEG", 700, 300, 1, 19),
        ),
        (b"\xff\xd8\xff\xc0\0\x08\x08" + struct.pack(">HH", 300, 700), ("JPEG", 700, 300, 1, 12)),
        (b"GIF87a" + struct.pack("<HHB", 300, 700, 0) + b"\0\0;more", ("GIF", 300, 700, 1, 14)),
        (
            b"GIF89a" + struct.pack("<HHB", 300, 700, 0x81) + b"\0\0" + bytes(12) + b"!\xf9\x02ab\x01c\0"
            b"," + bytes(8) + b"\x80" + bytes(6) + b"\x02\x01x\0,"  + bytes(9) + b"\x02\0;",
            ("GIF", 300, 700, 2, 66),
        ),
    ],
)  # fmt: skip
def test_whole_headers(data, expected):
    """Sides beyond a byte, chunks, palettes, extensions and what follows the picture."""
    assert read_header(data) == PictureHeader(*expected)


@pytest.mark.parametrize("count", [999, 1_000, 1_001])
def test_counting_frames_of_a_png_stops(count):
    """At a thousand frames the rest of the file is not read, so that the end is that of the last one counted."""
    header = read_header(png(HEAD, *[(b"fcTL", b"")] * count, (b"IEND", b"")))
    assert (header.frames, header.end) == (
        min(count, 1_000),
        33 + 12 * min(count, 1_000) + 12 * (count < 1_000),
    )


@pytest.mark.parametrize(
    "data",
    [
        png((b"IDAT", HEAD[1]), (b"IEND", b"")),
        webp(b"VP8?", bytes(20)),
        b"\xff\xd8\xff\xc4\0\x02\0" + bytes(30),
        b"GIF89a" + struct.pack("<HHB", 1, 1, 0) + b"\0\0?;",
    ],
)
def test_unknown_parts_are_refused(data):
    """A picture whose parts are none of its format is refused."""
    with pytest.raises(UnexpectedReply) as caught:
        read_header(data)
    assert str(caught.value) == "The picture is cut off: its end is missing."


@pytest.mark.parametrize(
    ("start", "kind"), [(b" \t\r\n" * 63 + b"   ", " It looks like JSON."), (b" " * 256, "")]
)
def test_where_the_name_of_a_format_is_searched(start, kind):
    """Other formats are looked for in the first 256 bytes, after white space."""
    with pytest.raises(UnexpectedReply) as caught:
        read_header(start + b"{")
    assert str(caught.value) == f"The picture is not a PNG, JPEG, WEBP or GIF file.{kind}"
