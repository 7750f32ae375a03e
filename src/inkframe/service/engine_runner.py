"""Runs the engine: two requests at a time, with its failures kept apart from the library."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from inkframe.engines import Refused, Unavailable
from inkframe.service.error_responses import EngineFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.engines import DrawRequest, Engine, WriteRequest

__all__ = ["EngineRunner"]

Request = TypeVar("Request")
Made = TypeVar("Made")

#: Engines hold the processor; more at once would only make each slower, and every list with them.
AT_ONCE = 2
PNG = b"\x89PNG\r\n\x1a\n"


class EngineRunner:
    """An engine that works on the callers' threads, for a few of them at a time.

    Args:
        engine: Draws and writes.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._free = threading.BoundedSemaphore(AT_ONCE)

    def draw(self, request: DrawRequest) -> bytes:
        """Return the picture as PNG bytes.

        Raises:
            EngineFailed: The engine raised, or gave something else.
        """
        picture = self._made(self.engine.draw, request, "picture", "description")
        if not isinstance(picture, bytes) or not picture.startswith(PNG):
            raise self._failed("picture", "it gave no PNG")
        return picture

    def write(self, request: WriteRequest) -> str:
        """Return the text.

        Raises:
            EngineFailed: The engine raised, or gave something else.
        """
        text = self._made(self.engine.write, request, "text", "prompt")
        if not isinstance(text, str):
            raise self._failed("text", "it gave no text")
        return text

    def _made(self, make: Callable[[Request], Made], request: Request, product: str, field: str) -> Made:
        """Have something made; what an engine raises becomes what the service answers."""
        with self._free:
            try:
                return make(request)
            except Refused as refusal:
                raise EngineFailed(str(refusal), 422, field=refusal.field or field) from refusal
            except Unavailable as trouble:
                raise EngineFailed(
                    f"{trouble} Nothing was stored.", trouble.status, retry_after=trouble.retry_after
                ) from trouble
            except Exception as error:
                raise self._failed(product, type(error).__name__) from error

    def _failed(self, product: str, reason: str) -> EngineFailed:
        return EngineFailed(
            f"The engine {self.engine.name!r} made no {product}: {reason}. Nothing was stored."
        )
