"""Small pictures kept on disk, so that a wall shown twice is fetched once."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkframe.display.record_facts import SETTINGS, value
from inkframe.schema import IMAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ThumbnailCache", "picture_key"]

#: What makes a picture the same picture. The name may change without it; its address may too.
_IDENTITY = ("id", "created_at", "updated_at", IMAGES.source, *SETTINGS)


def picture_key(record: Mapping[str, Any], *settings: object) -> str:
    """Give the key under which a record's thumbnail is kept.

    Args:
        record: The image's columns by name.
        settings: What else decides how the thumbnail looks: the service, the size.
    """
    parts = [str(value(record, field)) for field in _IDENTITY] + [str(setting) for setting in settings]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class ThumbnailCache:
    """A folder of small pictures, bounded, the least recently used going first.

    Several processes may use one folder at once: a file appears whole or not at all, and one that is gone
    is simply not found. What cannot be written is not kept; showing pictures never fails for it.

    Args:
        folder: Where the files are; made, for its user alone, when the first one is kept.
        max_bytes: The most bytes kept; past it, the oldest go until a tenth is free.
    """

    def __init__(self, folder: str | os.PathLike[str], max_bytes: int = 100_000_000) -> None:
        self._folder = Path(folder)
        self._max_bytes = max_bytes
        self._size: int | None = None

    def get(self, key: str) -> bytes | None:
        """Give what is kept under a key, or None; what is asked for counts as used."""
        path = self._folder / key
        try:
            data = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keep a small picture under a key."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                Path(name).replace(self._folder / key)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            self._size = self._measure() if self._size is None else self._size + len(data)
            if self._size > self._max_bytes:
                self._shrink()

    def _measure(self) -> int:
        return sum(size for _, size, _ in self._files())

    def _files(self) -> list[tuple[float, int, str]]:
        """Give the time of last use, size and path of each file, as far as they are still there."""
        found = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    state = entry.stat(follow_symlinks=False)
                    found.append((state.st_mtime, state.st_size, entry.path))
        return found

    def _shrink(self) -> None:
        """Delete the least recently used until a tenth of the room is free."""
        files = sorted(self._files())
        size = sum(each for _, each, _ in files)
        for _, each, path in files:
            if size <= 0.9 * self._max_bytes:
                break
            with suppress(OSError):
                Path(path).unlink()
            size -= each
        self._size = size
