"""Decode picture files in bounded memory, to RGB, or to RGBA if any pixel is transparent."""

from __future__ import annotations

import ctypes
import threading
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING

from inkframe.errors import UnexpectedReply

if TYPE_CHECKING:
    from PIL import Image

    from inkframe.display.picture_header import PictureHeader

__all__ = ["decode", "refuse_large", "shrink"]

#: A picture takes four bytes per pixel while it is decoded: these take a hundred megabytes.
MAX_PIXELS = 24_000_000
#: Pictures with more pixels are decoded one at a time, and scaled band by band.
_LARGE = 4_200_000
_BAND = 1_000_000
_one_at_a_time = threading.Lock()


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
                _release_memory()
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


def shrink(image: Image.Image, size: int) -> None:
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
                shrink(image, size)
            pixels = _plain(image)
        if size:
            shrink(pixels, size)
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


def _release_memory() -> None:
    # Otherwise each thread's part of glibc's heap keeps the freed memory of a whole picture.
    with suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
