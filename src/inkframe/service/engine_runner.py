"""Run the engine: two requests at a time, with its exceptions turned into responses."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from inkframe.service.engines import Refused, Unavailable
from inkframe.service.error_responses import EngineFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.service.engines import DrawRequest, Engine, WriteRequest

    Request = TypeVar("Request")
    Made = TypeVar("Made")

__all__ = ["EngineRunner"]

#: Engines use the processor: more at once would slow down each of them, and every list.
AT_ONCE = 2
#: The niceness of an engine in the background; ``tests/benchmarks/bench_service_drawing.py`` measures lists beside it.
NICENESS = 10
PNG = b"\x89PNG\r\n\x1a\n"


class EngineRunner:
    """Runs an engine, a few requests at a time.

    Args:
        engine: The engine that draws and writes.
        background: Whether it runs on threads of lower priority, on Linux, instead of the callers' threads.
    """

    def __init__(self, engine: Engine, *, background: bool = False) -> None:
        self.engine = engine
        self._background = background and sys.platform == "linux"
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
                return _in_background(make, request) if self._background else make(request)
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


def _in_background(make: Callable[[Request], Made], request: Request) -> Made:
    """Call the engine on a thread of lower priority, which is made for the call: it cannot raise it again."""
    with ThreadPoolExecutor(1, initializer=_lower_priority) as thread:
        return thread.submit(make, request).result()


def _lower_priority() -> None:
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
