"""The demo engine, which draws and writes by rule, without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe_demo.picture import draw_picture
from inkframe_demo.text import write_text

if TYPE_CHECKING:
    from inkframe.service.engines import DrawRequest, WriteRequest

__all__ = ["Offline"]


class Offline:
    """The demo engine: the same request draws the same picture; it writes in English only."""

    name = "offline"
    is_stand_in = True

    def draw(self, request: DrawRequest) -> bytes:
        """Return the picture as PNG bytes."""
        return draw_picture(request)

    def write(self, request: WriteRequest) -> str:
        """Return the text as Markdown."""
        return write_text(request)
