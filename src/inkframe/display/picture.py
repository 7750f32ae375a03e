"""Pictures from a service: checked before they are decoded, and made small before they are shown."""

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
#: The quality of small pictures, and the least it falls to before their size does: a picture of this many
#: bytes is nearer to its original with more pixels of less quality.
_FINE, _PLAIN = 80, 30
_SMALLEST = 32


def check_picture(data: bytes) -> PictureHeader:
    """Read a picture's header and refuse what no decoder should meet.

    Args:
        data: The whole file.

    Returns:
        Its format, size and frames.

    Raises:
        UnexpectedReply: The bytes are not PNG, JPEG, WEBP or GIF; are cut off; carry something behind the
            picture's end; or hold more than 50 MB, 24 million pixels or 1,000 frames. The message says which.
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
        raise UnexpectedReply(
            f"The picture carries {len(data) - header.end:,} bytes of something else behind its end."
        )
    return header


def load_picture(data: bytes, size: int | None = None) -> Image.Image:
    """Decode a picture; of an animation, its first frame.

    Args:
        data: The whole file.
        size: The longest side to scale down to, in pixels; None keeps them all.

    Returns:
        An RGB image, or RGBA where something is transparent; its ``format`` is that of the file.

    Raises:
        UnexpectedReply: The picture was refused, or is broken; the message says why.
    """
    return decode(data, check_picture(data), size)


def thumbnail(data: bytes, size: int, max_bytes: int) -> tuple[bytes, str]:
    """Give a small copy of a picture, without anything but its pixels.

    Args:
        data: The whole file.
        size: The longest side in pixels; a smaller picture is not enlarged.
        max_bytes: The most bytes; quality, then size, is given up until the copy fits.

    Returns:
        The copy and its media type: ``image/jpeg``, or ``image/webp`` where something is transparent.

    Raises:
        UnexpectedReply: The picture was refused, or is broken; the message says why.
    """
    image = _opaque(load_picture(data, size))
    image.info = {}  # Pillow would write comments and profiles into the copy
    # At these sizes JPEG is as small as quick WEBP is, and takes a tenth of its time.
    form, quality = "WEBP" if image.mode == "RGBA" else "JPEG", _FINE
    fitted = False  # the first copy is nearly always too large, and only says by how much
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
    """Give a small copy as ``thumbnail`` does, or the reason why there is none."""
    try:
        return thumbnail(data, size, max_bytes)[0]
    except UnexpectedReply as error:
        return str(error)


def encode(image: Image.Image, form: str, quality: int = 80, *, fitted: bool = True) -> bytes:
    """Give an image as ``WEBP`` or ``JPEG`` bytes; JPEG puts what is transparent on white.

    Args:
        image: RGB or RGBA.
        form: ``WEBP`` or ``JPEG``.
        quality: 0 to 100.
        fitted: Whether the codes of a JPEG are fitted to it: a tenth smaller, in twice the time.
    """
    if form == "JPEG":
        image = _on_white(image)
    with BytesIO() as file:
        # WEBP at its quickest is a tenth larger in a quarter of the time.
        image.save(file, form, quality=quality, method=0, optimize=fitted)
        return file.getvalue()


def _opaque(image: Image.Image) -> Image.Image:
    """Give RGB where nothing of an RGBA image is transparent after all."""
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
