"""Test checking, decoding and scaling pictures."""

import io
import random
import struct
import zlib

import numpy as np
import pytest
from PIL import Image
from tests.cases import cases

from inkframe.display.picture import PNG, check_picture, encode, load_picture, read_header, small_copy
from inkframe.errors import UnexpectedReply


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_of(width, height, data=b""):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return PNG + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def saved(image, form="PNG", **options):
    with io.BytesIO() as file:
        image.save(file, form, **options)
        return file.getvalue()


def gif_bomb():
    frame = b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x4c\x01\x00"
    return b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0, 0, 0) + frame * 100_000 + b";"


HOSTILE = {
    "30,000 by 30,000": lambda: png_of(30_000, 30_000, zlib.compress(bytes(1000))),
    "no pixels": lambda: png_of(0, 10),
    "animation": gif_bomb,
    "cut off": lambda: saved(Image.new("RGB", (64, 64), "red"))[:-30],
    "extra bytes after its end": lambda: saved(Image.new("RGB", (8, 8))) + b"<script>alert(1)</script>",
    "MB": lambda: bytes(50_000_001),
    "broken": lambda: png_of(16, 16, b"no deflate stream"),
    "SVG": lambda: b"<svg onload=alert(1)>",
    "not a PNG": lambda: b"GIF88a" + bytes(50),
    "end is missing": lambda: b"GIF89a/*" + b"\xff" * 30 + b"*/=alert(1)",
}


@cases("reason", HOSTILE)
def test_hostile_pictures_are_refused_with_their_reason(reason):
    """Bombs, polyglots, broken and foreign files raise one error with at most three lines."""
    with pytest.raises(UnexpectedReply, match=reason) as caught:
        load_picture(HOSTILE[reason]())
    assert len(str(caught.value)) < 250
    assert str(caught.value).count("\n") <= 2


@pytest.mark.parametrize("form", ["JPEG", "GIF", "WEBP"])
def test_polyglots_of_other_formats_are_refused(form):
    """Extra bytes after the end are refused in every format, except for padding."""
    data = saved(Image.new("RGB", (8, 8)), form)
    assert check_picture(data + b"\0\n")
    with pytest.raises(UnexpectedReply, match="extra bytes after its end"):
        check_picture(data + b"PK\x03\x04zip")


@pytest.mark.integration
def test_random_damage_raises_no_other_error(picture):
    """A file with changed bytes is decoded or raises UnexpectedReply."""
    chance = random.Random(5)
    for form in ("PNG", "JPEG", "GIF", "WEBP"):
        data = bytearray(picture(1, 24, form))
        for _ in range(60):
            broken = bytearray(data)
            for _ in range(3):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
            small_copy(bytes(broken), 16, 1_000)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_thumbnail_is_small_and_has_no_metadata(picture, form):
    """A thumbnail has the size and bytes requested, and is JPEG for every format."""
    small = small_copy(picture(2, 200, form), 64, 2_000)
    assert len(small) <= 2_000
    with Image.open(io.BytesIO(small)) as image:
        assert (image.format, max(image.size)) == ("JPEG", 64)


@pytest.mark.parametrize(("alpha", "expected"), [(254, "image/webp"), (255, "image/jpeg")])
def test_transparent_pictures_stay_transparent(alpha, expected):
    """One transparent pixel keeps the alpha channel; an opaque alpha channel is dropped."""
    image = Image.new("RGBA", (40, 40), (200, 0, 0, 255))
    image.putpixel((3, 3), (0, 0, 0, alpha))
    assert read_header(small_copy(saved(image), 40, 2_000)).mime == expected


@pytest.mark.parametrize(
    ("size", "expected"), [((256, 256), (32, 32)), ((32, 400), (3, 32)), ((20, 20), (20, 20))]
)
def test_a_bound_that_cannot_be_met_ends_at_32_pixels(size, expected, monkeypatch):
    """Shrinking ends at the smallest size and quality, whatever number of bytes is asked for."""
    tries = []

    def count(*arguments, **options):
        tries.append(1)
        assert len(tries) < 20
        return encode(*arguments, **options)

    monkeypatch.setattr("inkframe.display.picture.encode", count)
    noise = np.random.default_rng(0).integers(0, 255, (*size[::-1], 3), dtype="u1")
    small = small_copy(saved(Image.fromarray(noise)), 400, 1)
    with Image.open(io.BytesIO(small)) as image:
        assert image.size == expected
        assert image.quantization[0][0] > 20  # the lowest quality; 16 halved and less above it


def test_metadata_is_removed():
    """Text chunks, profiles and EXIF are removed."""
    image = Image.new("RGB", (16, 16), "teal")
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    clear = Image.new("RGBA", (16, 16), (0, 80, 80, 90))
    for file in (
        saved(image, "JPEG", exif=exif, comment=b"secret"),
        saved(clear, "WEBP", exif=exif, icc_profile=b"secret", xmp=b"secret"),
    ):
        assert b"secret" in file
        assert b"secret" not in small_copy(file, 16, 2_000)


@pytest.mark.parametrize(
    ("mode", "expected"), [("L", "RGB"), ("LA", "RGBA"), ("P", "RGB"), ("1", "RGB"), ("RGBA", "RGBA")]
)
def test_modes_are_converted(mode, expected):
    """A picture of any mode becomes RGB, or RGBA if any pixel is transparent, also by a color of its palette."""
    assert load_picture(saved(Image.new(mode, (9, 9)))).mode == expected
    assert load_picture(saved(Image.new("P", (9, 9)), transparency=0)).mode == "RGBA"


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_decoded_picture_knows_the_format_of_its_file(picture, form):
    """It is that of the file, whether the picture is scaled down or not."""
    data = picture(1, 16, form)
    assert [(each.format, each.size) for each in (load_picture(data), load_picture(data, 8))] == [
        (form, (16, 16)),
        (form, (8, 8)),
    ]


def test_sixteen_bits_are_scaled_not_clipped():
    """A 16-bit ramp keeps its middle gray."""
    ramp = Image.fromarray(np.arange(65_536, dtype="u2").reshape(256, 256))
    values = np.asarray(load_picture(saved(ramp)))
    assert (values.min(), values.max()) == (0, 255)
    assert abs(int(values[128, 0, 0]) - 128) <= 1


def test_quality_of_encodings():
    """The quality is 80 unless given, and codes are optimized unless refused."""
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 255, (32, 32, 3), dtype="u1"))
    assert encode(noise, "JPEG") == encode(noise, "JPEG", 80) != encode(noise, "JPEG", 81)
    assert len(encode(noise, "JPEG")) < len(encode(noise, "JPEG", fitted=False))
    with Image.open(io.BytesIO(encode(noise, "WEBP"))) as image:
        assert image.format == "WEBP"


def test_transparent_pixels_become_white():
    """A JPEG of a half transparent picture is mixed with white."""
    for alpha, expected in [(0, 255), (128, 127), (255, 0)]:
        image = Image.new("RGBA", (16, 16), (0, 0, 0, alpha))
        with Image.open(io.BytesIO(encode(image, "JPEG", 95))) as copy:
            assert abs(copy.getpixel((8, 8))[0] - expected) <= 1


def test_webp_is_encoded_with_the_fastest_method(picture):
    """The bytes are those of the fastest method."""
    image = load_picture(picture(1, 64))
    assert encode(image, "WEBP", 70) == saved(image, "WEBP", quality=70, method=0)


@pytest.mark.parametrize(
    ("most", "side"), [(60_000, 256), (20_000, 241), (6_600, 138), (3_000, 93), (900, 51)]
)
def test_a_thumbnail_is_not_smaller_than_its_bytes_need(most, side):
    """Noise keeps a third of the bytes that are allowed, and the side that goes with them."""
    noise = np.random.default_rng(0).integers(0, 255, (256, 256, 3), dtype="u1")
    small = small_copy(saved(Image.fromarray(noise)), 256, most)
    assert most / 3 < len(small) <= most
    with Image.open(io.BytesIO(small)) as image:
        assert image.size == (pytest.approx(side, rel=0.05),) * 2
