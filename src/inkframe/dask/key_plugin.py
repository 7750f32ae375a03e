"""Worker plugin that installs the key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from distributed import WorkerPlugin

from inkframe.dask.worker_source import SHARED
from inkframe.http.key import Key

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SharedKey"]


class SharedKey(WorkerPlugin):
    """A worker plugin with the key for one origin.

    Args:
        origin: The scheme, host and port that the key may be sent to.
        key: The key.
    """

    def __init__(self, origin: str, key: Key) -> None:
        self.name = f"inkframe key for {origin}"
        self._origin = origin
        self._key = key

    def setup(self, worker: Any) -> None:
        """Install the key on a worker."""
        del worker  # shared by all workers of a process
        SHARED[self._origin] = self._key

    def teardown(self, worker: Any) -> None:
        """Remove the key when a worker ends."""
        del worker
        SHARED.pop(self._origin, None)

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __reduce__(self) -> tuple[Callable[[str, str], SharedKey], tuple[str, str]]:
        # The only place where a key is serialized, for the workers it is shared with.
        return _restored, (self._origin, self._key.bearer().removeprefix("Bearer "))


def _restored(origin: str, text: str) -> SharedKey:
    return SharedKey(origin, Key(text))
