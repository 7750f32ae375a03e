"""The service as one object: a library, an engine, a key, and the application over them."""

from __future__ import annotations

import secrets
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.files import tilde
from inkframe.service.app import Application, create_app
from inkframe.service.collections import stored_collections
from inkframe.service.engine_runner import EngineRunner
from inkframe.service.engines import Engine, find_engine
from inkframe.service.error_responses import as_service_errors
from inkframe.service.sample_library import DOCUMENTS, IMAGES, fill
from inkframe.service.store import Query, open_library, read_identity
from inkframe.service.store.connection import MEMORY
from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

__all__ = ["Service"]


class Service:
    """A content-generation service on a library of its own.

    Args:
        library: The SQLite file of the library, created if it does not exist; ``":memory:"`` for one that is
            lost when the service is closed.
        engine: An engine, or the name of an installed one. The default is ``INKFRAME_ENGINE``,
            else ``offline``.
        key: The key that every request must send; random by default.
        vocabulary: The allowed values; those of the interface by default.
        background: Whether the engine runs at a lower priority than lists, on Linux; for a service with other users.

    Attributes:
        app: The WSGI application.
        engine: The engine in use.
        key: The key in use.
        library: The library as it was given.
        pool: The connections to it.

    Raises:
        ConfigurationError: The library or the engine cannot be used, or the key is empty.

    Example:
        >>> import httpx
        >>> with Service() as service:
        ...     client = httpx.Client(transport=httpx.WSGITransport(app=service.app), base_url="http://local")
    """

    def __init__(
        self,
        library: str | Path = MEMORY,
        *,
        engine: str | Engine | None = None,
        key: str | None = None,
        vocabulary: Vocabulary | None = None,
        background: bool = False,
    ) -> None:
        if key is not None and (not key.strip() or not key.isascii() or not key.isprintable()):
            raise ConfigurationError("key must be printable ASCII text and not empty.")
        self.library = library
        self.key = secrets.token_urlsafe(32) if key is None else key
        given = None if engine is None or isinstance(engine, str) else engine
        self.engine = given or find_engine(engine if isinstance(engine, str) else None)
        # The caller's engine may be in use elsewhere.
        self._close_engine = None if given else getattr(self.engine, "close", None)
        self._vocabulary = vocabulary or Vocabulary()
        self.pool = open_library(library)
        runner = EngineRunner(self.engine, background=background)
        self._collections = stored_collections(self.pool, runner, self._vocabulary)
        self.app: Application = create_app(tuple(self._collections.values()), self.pool, self.key)

    @cached_property
    def identity(self) -> str:
        """The unique identity of this library, which changes when its file is created again."""
        return read_identity(self.pool)

    @property
    def read_only(self) -> bool:
        """Whether the library cannot be written, so that nothing can be created, updated or deleted."""
        return self.pool.read_only

    def is_empty(self) -> bool:
        """Return whether the library has no records."""
        return not any(collection.records.page(Query())[1] for collection in self._collections.values())

    def sample(
        self,
        images: int = IMAGES,
        documents: int = DOCUMENTS,
        seed: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Fill the library with example records; the same arguments give an empty library the same records.

        Args:
            images: The number of images to draw.
            documents: The number of documents to write; 52 or more include every template.
            seed: Chooses other subjects and dates.
            progress: Called with the number of records created so far and in all.

        Raises:
            InvalidArgument: A number is negative.
            ServerError: The engine failed, or the library cannot be written.
        """
        if images < 0 or documents < 0:
            raise InvalidArgument(f"images and documents must be 0 or greater, got {images} and {documents}.")
        with as_service_errors():
            self.pool.check_writable()
            counts = {"images": images, "documents": documents}
            fill(self.pool, self._collections, self._vocabulary, counts, seed, progress)

    def close(self) -> None:
        """Close the library, and the engine unless the caller passed it. A library in memory is lost."""
        self.pool.close()
        if self._close_engine:
            self._close_engine()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        place = "in memory" if str(self.library) == MEMORY else tilde(Path(self.library))
        mode = ", read-only" if self.read_only else ""
        return f"<Service: library {place}{mode}, engine {self.engine.name}>"
