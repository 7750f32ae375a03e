"""Check pictures from a service before they are decoded, and scale them down before they are shown."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from inkframe.display.picture_decoding import decode, refuse_large, shrink
from inkframe.display.picture_header import MANY_FRAMES, read_header
from inkframe.errors import UnexpectedReply

if TYPE_CHECKING:
    from PIL import Image

    from inkframe.display.picture_header import PictureHeader

__all__ = ["check_picture", "encode", "load_picture", "small_copy", "thumbnail"]

MAX_BYTES = 50_000_000
#: The initial quality of thumbnails, and the lowest before they are scaled down: for the same number of
#: bytes, more pixels of lower quality are closer to the original.
_FINE, _PLAIN = 80, 30
_SMALLEST = 32


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
            f"The picture has {len(data) / 1e6:,.0f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read."
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


def thumbnail(data: bytes, size: int, max_bytes: int) -> tuple[bytes, str]:
    """Create a small copy of a picture, without metadata.

    Args:
        data: The whole file.
        size: The longest side in pixels; a smaller picture is not enlarged.
        max_bytes: The maximum number of bytes. First the quality is reduced, then the size.

    Returns:
        The copy and its media type: ``image/jpeg``, or ``image/webp`` if any pixel is transparent.

    Raises:
        UnexpectedReply: The picture was refused, or is broken. The message has the reason.
    """
    image = _opaque(load_picture(data, size))
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
            shrink(image, max(_SMALLEST, int(0.95 * max(image.size) / excess**0.5)))
        quality, fitted = lower, True
    return small, f"image/{form.lower()}"


def small_copy(data: bytes, size: int, max_bytes: int) -> bytes | str:
    """Create a small copy as ``thumbnail`` does, or return the reason why there is none."""
    try:
        return thumbnail(data, size, max_bytes)[0]
    except UnexpectedReply as error:
        return str(error)


def encode(image: Image.Image, form: str, quality: int = 80, *, fitted: bool = True) -> bytes:
    """Encode an image as ``WEBP`` or ``JPEG``; with JPEG, transparent pixels become white.

    Args:
        image: RGB or RGBA.
        form: ``WEBP`` or ``JPEG``.
        quality: 0 to 100.
        fitted: Whether to optimize the codes of a JPEG: a tenth smaller, in twice the time.
    """
    if form == "JPEG":
        image = _on_white(image)
    with BytesIO() as file:
        # WEBP with the fastest method is a tenth larger, in a quarter of the time.
        image.save(file, form, quality=quality, method=0, optimize=fitted)
        return file.getvalue()


def _opaque(image: Image.Image) -> Image.Image:
    """Convert an RGBA image to RGB if no pixel is transparent."""
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        return image.convert("RGB")
    return image


def _on_white(image: Image.Image) -> Image.Image:
    from PIL import Image

    if image.mode != "RGBA":
        return image
    white = Image.new("RGB", image.size, "white")
    white.paste(image, mask=image.getchannel("A"))
    return white
