"""Run the engine: two requests at a time, with its exceptions turned into responses."""

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

#: Engines use the processor: more at once would slow down each of them, and every list.
AT_ONCE = 2
PNG = b"\x89PNG\r\n\x1a\n"


class EngineRunner:
    """Runs an engine on the callers' threads, a few of them at a time.

    Args:
        engine: The engine that draws and writes.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._free = threading.BoundedSemaphore(AT_ONCE)

    def draw(self, request: DrawRequest) -> bytes:
        """Return the picture as PNG bytes.

        Raises:
            EngineFailed: The engine raised, or returned something else.
        """
        picture = self._made(self.engine.draw, request, "picture", "description")
        if not isinstance(picture, bytes) or not picture.startswith(PNG):
            raise self._failed("picture", "it returned no PNG")
        return picture

    def write(self, request: WriteRequest) -> str:
        """Return the text.

        Raises:
            EngineFailed: The engine raised, or returned something else.
        """
        text = self._made(self.engine.write, request, "text", "prompt")
        if not isinstance(text, str):
            raise self._failed("text", "it returned no text")
        return text

    def _made(self, make: Callable[[Request], Made], request: Request, product: str, field: str) -> Made:
        """Call the engine; turn its exceptions into the errors that the service responds with."""
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
            f"The engine {self.engine.name!r} failed to create a {product}: {reason}. Nothing was stored."
        )
