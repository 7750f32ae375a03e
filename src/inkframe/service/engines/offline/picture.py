"""Pictures by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkframe.service.engines.engine import DrawRequest


def draw_picture(request: DrawRequest) -> bytes:
    """Draw."""
    from io import BytesIO

    from PIL import Image

    width, height = (int(side) for side in request.resolution.split("x"))
    out = BytesIO()
    Image.new("RGB", (width, height), (120, 140, 200)).save(out, "PNG")
    return out.getvalue()
