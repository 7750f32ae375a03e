"""Pictures by rule: a description is read, staged, drawn in its style, put on its medium, filtered."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Final

from PIL import Image, PngImagePlugin

from inkframe.engines.filters import apply_filter
from inkframe.engines.offline.drawing.canvas import to_image
from inkframe.engines.offline.drawing.scene import read_scene
from inkframe.engines.offline.mediums import apply_medium
from inkframe.engines.offline.styles import draw_scene
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from inkframe.engines.offline.drawing.canvas import Size
    from inkframe.engines.protocol import DrawRequest

__all__ = ["SOFTWARE", "draw_picture"]

#: What a picture says about itself, in the text chunk that PNG has for the software.
SOFTWARE: Final = "inkframe offline stand-in"
#: Smaller pictures are drawn at this short side and scaled down.
SMALLEST: Final = 48
#: More pixels than this are refused; each takes about 150 bytes while it is drawn.
MOST_PIXELS: Final = 2560 * 2560
#: So much of a description goes into the picture's notes.
LONGEST_NOTE: Final = 4000
#: How many steps of a color are kept. The eye misses none of the others, least of all in the grain of a medium;
#: a PNG is smaller by a fifth for each bit.
STEPS: Final = 127
STEPS_IN_GRAIN: Final = 63


def draw_picture(request: DrawRequest) -> bytes:
    """Draw a picture.

    The same request gives the same bytes in every process. Style, medium and filter codes that are not of the
    standard vocabulary are drawn too, each in a stable variation of its own.

    Args:
        request: What to draw.

    Returns:
        A PNG of exactly the resolution asked for. Its text chunks say which software drew it, that this is a
        stand-in for a model, and the description.

    Raises:
        InvalidArgument: The resolution is not ``WIDTHxHEIGHT``, or too large.

    Example:
        >>> png = draw_picture(DrawRequest("a harbour at dawn, two boats", "512x512", style="pop_art"))
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
    """Give the size asked for, and that at which the picture is drawn."""
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
    """Write the PNG, with what it is and what it shows."""
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Software", SOFTWARE)
    shown = description[:LONGEST_NOTE].replace("\0", " ")
    notes.add_itxt("Description", shown.encode("utf-8", "replace").decode())
    out = BytesIO()
    image.save(out, "PNG", compress_level=3, pnginfo=notes)
    return out.getvalue()
