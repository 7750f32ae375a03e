"""Read the header of a picture file, before it is decoded.

Four formats are supported: PNG (https://www.w3.org/TR/png-3/), JPEG (ITU-T T.81), GIF (GIF89a) and WEBP
(RFC 9649). No memory is allocated by a number in the file.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inkframe.errors import UnexpectedReply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["PictureHeader", "chunks", "read_header"]

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
