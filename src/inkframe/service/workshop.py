"""The engine at work: two requests at a time, and whatever goes wrong in it kept apart from the library."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from inkframe.service.refusals import EngineFailed

if TYPE_CHECKING:
    from inkframe.service.engines import DrawRequest, Engine, WriteRequest

__all__ = ["Workshop"]

#: Engines hold the processor; more at once would only make each slower, and every list with them.
PLACES = 2
PNG = b"\x89PNG\r\n\x1a\n"


class Workshop:
    """An engine, and the places at which it works on the callers' threads.

    Args:
        engine: Draws and writes.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._places = threading.BoundedSemaphore(PLACES)

    def draw(self, request: DrawRequest) -> bytes:
        """Give the picture as PNG bytes.

        Raises:
            EngineFailed: The engine raised, or gave something else.
        """
        with self._places:
            try:
                picture = self.engine.draw(request)
            except Exception as error:
                raise self._failed("picture", type(error).__name__) from error
        if not isinstance(picture, bytes) or not picture.startswith(PNG):
            raise self._failed("picture", "it gave no PNG")
        return picture

    def write(self, request: WriteRequest) -> str:
        """Give the text.

        Raises:
            EngineFailed: The engine raised, or gave something else.
        """
        with self._places:
            try:
                text = self.engine.write(request)
            except Exception as error:
                raise self._failed("text", type(error).__name__) from error
        if not isinstance(text, str):
            raise self._failed("text", "it gave no text")
        return text

    def _failed(self, product: str, reason: str) -> EngineFailed:
        return EngineFailed(
            f"The engine {self.engine.name!r} made no {product}: {reason}. Nothing was stored."
        )
