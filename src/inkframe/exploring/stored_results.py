"""Results of long computations, stored in memory and on disk by the content they were computed from."""

from __future__ import annotations

import hashlib
import io
from collections import OrderedDict
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from inkframe.files import FileCache, home_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["content_key", "stored"]

#: The maximum number of bytes in memory, and on disk.
IN_MEMORY: Final = 64_000_000
ON_DISK: Final = 200_000_000
#: Results of less work than this many values are not written to disk.
WORTHWHILE: Final = 2_000

_recent: OrderedDict[str, NDArray[Any]] = OrderedDict()
_lock = Lock()


def content_key(*parts: object) -> str:
    """Return a hash of texts, arrays and settings that is the same in every process."""
    digest = hashlib.sha256()
    for part in parts:
        match part:
            case pa.ChunkedArray():
                for text in part.to_pylist():
                    encoded = str(text).encode("utf-8", "replace")
                    digest.update(len(encoded).to_bytes(8, "little") + encoded)
            case np.ndarray():
                digest.update(f"{part.dtype.str}{part.shape}".encode() + np.ascontiguousarray(part).tobytes())
            case _:
                digest.update(repr(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:40]


def stored(name: str, key: str, compute: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return a result that was computed before, else compute and store it.

    A file that is missing, damaged or cannot be written only costs the time to compute the result again.

    Args:
        name: The kind of result, the first part of the file's name.
        key: The hash of all that it depends on.
        compute: Computes it.
    """
    label = f"{name}-{key}"
    with _lock:
        found = _recent.get(label)
        if found is not None:
            _recent.move_to_end(label)
            return found
    files = FileCache(home_folder() / "cache", ON_DISK)
    with suppress(OSError, ValueError, EOFError):  # the file is missing or damaged
        found = np.load(io.BytesIO(files.get(f"{label}.npy") or b""), allow_pickle=False)
    if found is None:
        found = compute()
        if found.size >= WORTHWHILE:
            buffer = io.BytesIO()
            np.save(buffer, found, allow_pickle=False)
            files.put(f"{label}.npy", buffer.getvalue())
    found.flags.writeable = False
    with _lock:
        _recent[label] = found
        while len(_recent) > 1 and sum(each.nbytes for each in _recent.values()) > IN_MEMORY:
            _recent.popitem(last=False)
    return found
