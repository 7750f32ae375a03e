"""Draw pictures by rule: parse the description, lay out the scene, apply style, medium and filter."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Final

from PIL import Image, PngImagePlugin

from inkframe.errors import InvalidArgument
from inkframe.service.engines.filters import apply_filter
from inkframe_demo.drawing.canvas import to_image
from inkframe_demo.drawing.scene import read_scene
from inkframe_demo.mediums import apply_medium
from inkframe_demo.styles import draw_scene

if TYPE_CHECKING:
    from inkframe.service.engines import DrawRequest
    from inkframe_demo.drawing.canvas import Size

__all__ = ["SOFTWARE", "draw_picture"]

#: The text in the Software chunk of the PNG.
SOFTWARE: Final = "inkframe demo engine"
#: Smaller pictures are drawn with this short side and scaled down.
SMALLEST: Final = 48
#: The most pixels of a picture; drawing takes about 150 bytes for each.
MOST_PIXELS: Final = 2560 * 2560
#: The most characters of the description in the PNG.
LONGEST_NOTE: Final = 4000
#: The number of steps per color channel. The loss is not visible, especially in the grain of a medium, and
#: each bit less makes the PNG a fifth smaller.
STEPS: Final = 127
STEPS_IN_GRAIN: Final = 63


def draw_picture(request: DrawRequest) -> bytes:
    """Draw a picture.

    The same request gives the same bytes in every process. Style, medium and filter codes outside of the
    standard vocabulary are drawn too, each as a stable variation.

    Args:
        request: The picture to draw.

    Returns:
        A PNG of exactly the requested resolution. Its text chunks have the software, the note that it is a
        demo engine, and the description.

    Raises:
        InvalidArgument: The resolution is not ``WIDTHxHEIGHT``, or too large.

    Example:
        >>> png = draw_picture(DrawRequest("a harbor at dawn, two boats", "512x512", style="pop_art"))
    """
    size, drawn = _sizes(request.resolution)
    scene = read_scene(request.description)
    picture = apply_medium(draw_scene(scene, drawn, request.style), scene, request.medium)
    steps = STEPS_IN_GRAIN if request.medium else STEPS
    image = to_image(picture).point(
        [round(round(value * steps / 255) * 255 / steps) for value in range(256)] * 3
    )
    if drawn != size:
        image = image.resize(size, Image.Resampling.LANCZOS)
    return _encoded(apply_filter(image, request.filter), request.description)


def _sizes(resolution: str) -> tuple[Size, Size]:
    """Return the requested size, and the size at which the picture is drawn."""
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", resolution.strip().lower())
    wide, high = (int(found[1]), int(found[2])) if found else (0, 0)
    grow = max(1.0, SMALLEST / max(min(wide, high), 1))
    drawn = round(wide * grow), round(high * grow)
    if not 0 < drawn[0] * drawn[1] <= MOST_PIXELS:
        raise InvalidArgument(
            f"The resolution {resolution!r} cannot be drawn.\n"
            "Give width and height in pixels, such as 512x512; together at most 2560x2560."
        )
    return (wide, high), drawn


def _encoded(image: Image.Image, description: str) -> bytes:
    """Write the PNG with its metadata."""
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Software", SOFTWARE)
    shown = description[:LONGEST_NOTE].replace("\0", " ")
    notes.add_itxt("Description", shown.encode("utf-8", "replace").decode())
    out = BytesIO()
    image.save(out, "PNG", compress_level=3, pnginfo=notes)
    return out.getvalue()
