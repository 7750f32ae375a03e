"""Results of long computations, stored in memory and on disk by the content they were computed from."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
from collections import OrderedDict
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from inkframe.paths import create_private_folder, home_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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
    folder = home_folder() / "cache"
    found = _read(folder / f"{label}.npy")
    if found is None:
        found = compute()
        found.flags.writeable = False
        if found.size >= WORTHWHILE:
            with suppress(OSError):
                _write(folder, f"{label}.npy", found)
    with _lock:
        _recent[label] = found
        while len(_recent) > 1 and sum(each.nbytes for each in _recent.values()) > IN_MEMORY:
            _recent.popitem(last=False)
    return found


def _read(path: Path) -> NDArray[Any] | None:
    try:
        with path.open("rb") as file:
            found: NDArray[Any] = np.load(file, allow_pickle=False)
        os.utime(path)  # the least recently used file is removed first
    except (OSError, ValueError, EOFError):
        return None
    found.flags.writeable = False
    return found


def _write(folder: Path, name: str, result: NDArray[Any]) -> None:
    with io.BytesIO() as buffer:
        np.save(buffer, result, allow_pickle=False)
        data = buffer.getvalue()
    create_private_folder(folder)
    handle, unfinished = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(unfinished, folder / name)  # noqa: PTH105  # a path of mkstemp
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished)  # noqa: PTH108  # as above
        raise
    files = sorted((each for each in folder.glob("*.npy")), key=lambda each: each.stat().st_mtime)
    excess = sum(each.stat().st_size for each in files) - ON_DISK
    for each in files[:-1]:
        if excess <= 0:
            break
        excess -= each.stat().st_size
        each.unlink(missing_ok=True)
