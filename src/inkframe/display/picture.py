"""Check pictures from a service before they are decoded, and decode and scale them in bounded memory.

Four formats are supported: PNG (https://www.w3.org/TR/png-3/), JPEG (ITU-T T.81), GIF (GIF89a) and WEBP
(RFC 9649). No memory is allocated by a number in the file.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from inkframe.display.markup import spell_bytes
from inkframe.errors import UnexpectedReply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PIL import Image

__all__ = [
    "PictureHeader",
    "as_png",
    "check_picture",
    "chunks",
    "decode",
    "encode",
    "load_picture",
    "read_header",
    "refuse_large",
    "small_copy",
]

MAX_BYTES = 50_000_000
#: The initial quality of thumbnails, and the lowest before they are scaled down: for the same number of
#: bytes, more pixels of lower quality are closer to the original.
_FINE, _PLAIN = 80, 30
_SMALLEST = 32

#: A picture takes four bytes per pixel while it is decoded: these take a hundred megabytes.
MAX_PIXELS = 24_000_000
#: Pictures with more pixels are decoded one at a time, and scaled band by band.
_LARGE = 4_200_000
_BAND = 1_000_000
_one_at_a_time = threading.Lock()

PNG = b"\x89PNG\r\n\x1a\n"
#: The maximum number of frames to count; longer animations are refused.
MANY_FRAMES = 1_000
#: The first bytes of other files, and the names of their formats.
_OTHER_FORMATS = {
    b"<svg": "SVG",
    b"<!doctype": "HTML",
    b"<html": "HTML",
    b"<?xml": "XML, perhaps SVG",
    b"%!ps": "PostScript",
    b"%pdf": "PDF",
    b"{": "JSON",
    b"bm": "BMP",
    b"ii*\0": "TIFF",
    b"mm\0*": "TIFF",
}


def check_picture(data: bytes) -> PictureHeader:
    """Read a picture's header and refuse dangerous files before they are decoded.

    Args:
        data: The whole file.

    Returns:
        The format, size and frames.

    Raises:
        UnexpectedReply: The file is not PNG, JPEG, WEBP or GIF, is cut off, has extra bytes after the
            picture's end, or has more than 50 MB, 24 million pixels or 1,000 frames. The message has the
            reason.
    """
    if len(data) > MAX_BYTES:
        raise UnexpectedReply(
            f"The picture has {spell_bytes(len(data))}; at most {spell_bytes(MAX_BYTES)} are read."
        )
    header = read_header(data)
    refuse_large(header.width, header.height)
    if not (header.width and header.height):
        raise UnexpectedReply("The picture has no pixels.")
    if header.frames >= MANY_FRAMES:
        raise UnexpectedReply(f"The picture is an animation of {MANY_FRAMES:,} frames or more.")
    if header.end > len(data):
        raise UnexpectedReply("The picture is cut off: its end is missing.")
    if data[header.end :].strip(b"\0\t\r\n "):
        raise UnexpectedReply(f"The picture has {len(data) - header.end:,} extra bytes after its end.")
    return header


def load_picture(data: bytes, size: int | None = None) -> Image.Image:
    """Decode a picture, or the first frame of an animation.

    Args:
        data: The whole file.
        size: The longest side to scale down to, in pixels; None keeps the size.

    Returns:
        An RGB image, or RGBA if any pixel is transparent. Its ``format`` is that of the file.

    Raises:
        UnexpectedReply: The picture was refused, or is broken. The message has the reason.
    """
    return decode(data, check_picture(data), size)


def small_copy(data: bytes, size: int, max_bytes: int) -> bytes | str:
    """Create a small copy of a picture, without metadata, or return the reason why there is none.

    Args:
        data: The whole file.
        size: The longest side in pixels; a smaller picture is not enlarged.
        max_bytes: The maximum number of bytes. First the quality is reduced, then the size.

    Returns:
        The copy as JPEG, or as WEBP if any pixel is transparent. If the picture was refused, or is broken, the reason.
    """
    try:
        image = load_picture(data, size)
    except UnexpectedReply as error:
        return str(error)
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    image.info = {}  # Pillow would write comments and profiles to the copy
    # At these sizes JPEG is as small as fast WEBP, and takes a tenth of the time.
    form, quality = "WEBP" if image.mode == "RGBA" else "JPEG", _FINE
    fitted = False  # the first copy is nearly always too large, and only shows by how much
    while len(small := encode(image, form, quality, fitted=fitted)) > max_bytes:
        if quality == _PLAIN and max(image.size) <= _SMALLEST:
            break
        excess = len(small) / max_bytes
        lower = max(_PLAIN, int(quality / excess**1.25))
        excess *= (lower / quality) ** 0.8
        if excess > 1:
            _shrink(image, max(_SMALLEST, int(0.95 * max(image.size) / excess**0.5)))
        quality, fitted = lower, True
    return small


def as_png(data: bytes) -> bytes:
    """Return a picture as a PNG file, unchanged if it is one.

    Raises:
        UnexpectedReply: The picture was refused, or is broken. The message has the reason.
    """
    is_png = check_picture(data).format == "PNG"
    return data if is_png else encode(load_picture(data), "PNG", fitted=False)


def encode(image: Image.Image, form: str, quality: int = 80, *, fitted: bool = True) -> bytes:
    """Encode an image as ``WEBP``, ``JPEG`` or ``PNG``; with JPEG, transparent pixels become white.

    Args:
        image: RGB or RGBA; for PNG any.
        form: ``WEBP``, ``JPEG`` or ``PNG``.
        quality: 0 to 100; PNG has none.
        fitted: Whether to optimize the codes of a JPEG (a tenth smaller, in twice the time) or of a PNG.
    """
    from PIL import Image

    if form == "JPEG" and image.mode == "RGBA":
        white = Image.new("RGB", image.size, "white")
        white.paste(image, mask=image.getchannel("A"))
        image = white
    with BytesIO() as file:
        # WEBP with the fastest method is a tenth larger, in a quarter of the time.
        image.save(file, form, quality=quality, method=0, optimize=fitted)
        return file.getvalue()


def decode(data: bytes, header: PictureHeader, size: int | None = None) -> Image.Image:
    """Decode a picture, or the first frame of an animation.

    Args:
        data: The whole file, checked by ``check_picture``.
        header: The header that it returned.
        size: The longest side to scale down to, in pixels; None keeps the size.

    Raises:
        UnexpectedReply: The picture is larger than its header, or is broken. The message has the reason.
    """
    try:
        if header.width * header.height <= _LARGE:
            return _decoded(data, header, size)
        with _one_at_a_time:
            try:
                return _decoded(data, header, size)
            finally:
                # Otherwise each thread's part of glibc's heap keeps the freed memory of a whole picture.
                with suppress(OSError, AttributeError, TypeError):
                    ctypes.CDLL(None).malloc_trim(0)
    except UnexpectedReply:
        raise
    except Exception as error:  # noqa: BLE001  # a decoder may raise anything for hostile bytes
        reason = str(error).split("\n", 1)[0][:120]
        raise UnexpectedReply(f"The picture is broken: {reason or type(error).__name__}.") from None


def refuse_large(width: int, height: int) -> None:
    """Refuse a picture of more than 24 million pixels.

    Raises:
        UnexpectedReply: It has more pixels.
    """
    if width * height > MAX_PIXELS:
        size = f"{width:,} by {height:,}"
        raise UnexpectedReply(
            f"The picture has {size} pixels; at most {MAX_PIXELS / 1e6:.0f} million are decoded."
        )


def _shrink(image: Image.Image, size: int) -> None:
    """Scale an image down in place until its longest side fits; a smaller one is unchanged."""
    from PIL.Image import Resampling

    # Averaging whole pixels does nearly all the work. For the rest, this filter is the sharpest of the fast
    # ones.
    image.thumbnail((size, size), Resampling.HAMMING, reducing_gap=1.0)


def _decoded(data: bytes, header: PictureHeader, size: int | None) -> Image.Image:
    from PIL import Image

    with Image.open(BytesIO(data), formats=[header.format]) as image:
        refuse_large(*image.size)  # a frame may claim more than the header
        if size and image.width * image.height > _LARGE:
            image.draft(None, (size, size))  # JPEG decodes at a smaller scale right away
        if image.width * image.height > _LARGE and (size or image.mode != _mode(image)):
            pixels = _in_bands(image, max(1, max(image.size) // size) if size else 1)
        else:
            if size and image.mode in ("L", "LA", "RGB", "RGBA"):
                _shrink(image, size)
            pixels = _plain(image)
        if size:
            _shrink(pixels, size)
        pixels.format = header.format
        return pixels


def _in_bands(image: Image.Image, factor: int) -> Image.Image:
    """Return an image in RGB or RGBA at a fraction of its size, without a second full-size copy."""
    from PIL import Image

    mode, (width, height) = _mode(image), image.size
    pixels = Image.new(mode, (-(-width // factor), -(-height // factor)))
    rows = factor * max(1, _BAND // (width * factor))
    for top in range(0, height, rows):
        band = _plain(image.crop((0, top, width, min(top + rows, height))))
        # Transparent pixels do not affect the color: Pillow multiplies by the opacity to reduce.
        pixels.paste(band.reduce(factor), (0, top // factor))
    return pixels


def _mode(image: Image.Image) -> str:
    transparent = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    return "RGBA" if transparent else "RGB"


def _plain(image: Image.Image) -> Image.Image:
    """Convert any mode to RGB, or to RGBA if any pixel is transparent."""
    mode = _mode(image)
    if image.mode.startswith("I"):  # 16 bits per pixel: Pillow would clip instead of scaling
        image = image.convert("I").point(lambda level: level / 257).convert("L")
    if image.mode != mode:
        return image.convert(mode)
    image.load()
    return image


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """The header of a picture file.

    Args:
        format: ``PNG``, ``JPEG``, ``WEBP`` or ``GIF``.
        width: Pixels.
        height: Pixels.
        frames: The number of frames, counted up to a thousand; 1 for a still picture.
        end: The position where the picture ends, according to the file.
    """

    format: str
    width: int
    height: int
    frames: int
    end: int

    @property
    def mime(self) -> str:
        """The media type, such as ``image/png``."""
        return f"image/{self.format.lower()}"


def read_header(data: bytes) -> PictureHeader:
    """Read the header of a picture.

    Args:
        data: The whole file.

    Raises:
        UnexpectedReply: The file has none of the four formats, or is cut off.
    """
    for magic, at, read in _READERS:
        if data[at : at + len(magic)] == magic:
            try:
                return read(data)
            except (struct.error, IndexError):
                raise UnexpectedReply("The picture is cut off: its end is missing.") from None
    start = data[:256].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    kind = next(
        (f" It looks like {name}." for mark, name in _OTHER_FORMATS.items() if start.startswith(mark)), ""
    )
    kind = kind or ("" if data else " It is empty.")
    raise UnexpectedReply(f"The picture is not a PNG, JPEG, WEBP or GIF file.{kind}")


def chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the type of each chunk of a PNG file, and where its content begins and ends.

    Raises:
        struct.error: The file ends within a chunk's head.
    """
    at, kind = len(PNG), b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, at)
        yield kind, at + 8, at + 8 + length
        at += 12 + length


def _png(data: bytes) -> PictureHeader:
    kind, width, height = struct.unpack_from(">4sII", data, 12)
    if kind != b"IHDR":
        raise struct.error
    frames = end = 0
    for kind, _, stop in chunks(data):
        frames += kind == b"fcTL"
        end = stop + 4
        if frames >= MANY_FRAMES:
            break
    return PictureHeader("PNG", width, height, max(frames, 1), end)


def _gif(data: bytes) -> PictureHeader:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    at, frames = 13 + _palette(flags), 0
    while data[at] != 0x3B and frames < MANY_FRAMES:
        if data[at] == 0x21:  # an extension
            at += 2
        elif data[at] == 0x2C:  # a frame: position, palette, code size, then the pixels
            frames += 1
            at += 11 + _palette(data[at + 9])
        else:
            raise struct.error
        while data[at]:
            at += data[at] + 1
        at += 1
    return PictureHeader("GIF", width, height, max(frames, 1), at + 1)


def _palette(flags: int) -> int:
    return 3 * (2 << (flags & 7)) if flags & 0x80 else 0


def _webp(data: bytes) -> PictureHeader:
    size, kind = struct.unpack_from("<I4x4s", data, 4)
    if kind == b"VP8X":
        width, height = (1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
    elif kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    else:
        raise struct.error
    return PictureHeader("WEBP", width, height, max(data.count(b"ANMF"), 1), 8 + size)


def _jpeg(data: bytes) -> PictureHeader:
    at = 2
    while True:
        mark, kind, length = struct.unpack_from(">BBH", data, at)
        if mark != 0xFF:
            raise struct.error
        if kind == 0xFF:  # padding before a marker
            at += 1
        elif 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            end = data.rfind(b"\xff\xd9")
            return PictureHeader("JPEG", width, height, 1, end + 2 if end > at else len(data) + 1)
        else:
            at += 2 + length


_READERS: tuple[tuple[bytes, int, Callable[[bytes], PictureHeader]], ...] = (
    (PNG, 0, _png),
    (b"\xff\xd8\xff", 0, _jpeg),
    (b"GIF87a", 0, _gif),
    (b"GIF89a", 0, _gif),
    (b"WEBP", 8, _webp),
)
