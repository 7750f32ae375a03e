"""What brings a shared key to a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from distributed import WorkerPlugin

from inkframe.dask.worker_keys import SHARED
from inkframe.http.key import Key

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SharedKey"]


class SharedKey(WorkerPlugin):
    """A key for one origin, on every worker.

    Args:
        origin: Scheme, host and port that the key may travel to.
        key: The key.
    """

    def __init__(self, origin: str, key: Key) -> None:
        self.name = f"inkframe key for {origin}"
        self._origin = origin
        self._key = key

    def setup(self, worker: Any) -> None:
        """Take the key when a worker starts, or now."""
        del worker  # all workers of a process share it
        SHARED[self._origin] = self._key

    def teardown(self, worker: Any) -> None:
        """Forget the key when a worker ends."""
        del worker
        SHARED.pop(self._origin, None)

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __reduce__(self) -> tuple[Callable[[str, str], SharedKey], tuple[str, str]]:
        # The one place where a key is written out: on the way to the workers it was shared with.
        return _arrived, (self._origin, self._key.bearer().removeprefix("Bearer "))


def _arrived(origin: str, text: str) -> SharedKey:
    return SharedKey(origin, Key(text))
