"""The engine that needs no model: it draws and writes by rule, and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe.engines.offline.picture import draw_picture
from inkframe.engines.offline.text import write_text

if TYPE_CHECKING:
    from inkframe.engines.protocol import DrawRequest, WriteRequest

__all__ = ["Offline"]


class Offline:
    """A stand-in for a model: the same request draws the same picture; English texts only."""

    name = "offline"
    is_stand_in = True

    def draw(self, request: DrawRequest) -> bytes:
        """Give the picture as PNG bytes."""
        return draw_picture(request)

    def write(self, request: WriteRequest) -> str:
        """Give the text, as Markdown."""
        return write_text(request)
