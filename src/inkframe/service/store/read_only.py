"""Libraries that cannot be written: read as they are, or from a private copy, and never changed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import finalize

from inkframe.errors import ConfigurationError
from inkframe.service.store.connection import connect
from inkframe.service.store.pool import Closed, Pool

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inkframe.service.store.pool import LibraryConnection

__all__ = ["ReadOnlyFile", "ReadOnlyPool", "is_read_only", "is_refused"]

#: SQLite's errors where a file may be readable but not writable.
REFUSALS: Final = ("SQLITE_READONLY", "SQLITE_CANTOPEN")
#: The ends of the names of logs that are part of a library's content.
LOGS: Final = ("-wal", "-journal")
#: The attempts to copy a library that changes meanwhile, and the seconds between them.
COPIES, PAUSE = 40, 0.05

CHANGED = "Another program changed the library while it was read. Connect again."


class ReadOnly(sqlite3.OperationalError):
    """The library cannot be written."""

    sqlite_errorname = "SQLITE_READONLY"


def is_read_only(path: Path) -> bool:
    """Return whether a file is there and it or its folder cannot be written."""
    file = path.resolve()
    effective = os.access in os.supports_effective_ids
    return file.is_file() and not all(
        os.access(each, os.W_OK, effective_ids=effective) for each in (file, file.parent)
    )


def is_refused(path: Path, error: sqlite3.Error) -> bool:
    """Return whether SQLite refused to write a file that can be read."""
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith(REFUSALS) and path.is_file() and os.access(path, os.R_OK)


class ReadOnlyFile:
    """A library that is only read, from a copy if its last changes are still in a log.

    Args:
        path: The file.
        copied: Whether a copy is read in any case.

    Attributes:
        path: The file to read: the library or its copy.

    Raises:
        ConfigurationError: It cannot be copied.
    """

    def __init__(self, path: Path, *, copied: bool = False) -> None:
        self._library = self.path = path.resolve()
        self._state = _state(self.path)
        self._remove: finalize[[str, int], ReadOnlyFile] | None = None
        if copied or any(size for _, size, _ in self._state[1:]):
            self._copy()

    def _copy(self) -> None:
        """Copy the library with its logs to a private folder, all from the same moment."""
        try:
            folder = tempfile.mkdtemp(prefix="inkframe-")
            self._remove = finalize(self, _remove, folder, os.getpid())
            self.path = Path(folder) / self._library.name
            for _ in range(COPIES):
                before = _state(self._library)
                for source, target in zip(_parts(self._library), _parts(self.path), strict=True):
                    target.unlink(missing_ok=True)
                    if source.exists():
                        shutil.copyfile(source, target)
                # Times of files are coarse: a change just before may not show.
                is_settled = all(time.time() - changed / 1e9 > PAUSE for changed, _, _ in before)
                if is_settled and _state(self._library) == before:
                    return
                time.sleep(PAUSE)
        except OSError as error:
            self.close()
            raise ConfigurationError(
                f"The library {self._library} is read-only and cannot be copied: {error.strerror}.\n"
                "Copy it to a folder that can be written, and open the copy."
            ) from None
        self.close()
        raise ConfigurationError(
            f"Another program is writing to the library {self._library}.\nTry again when it is closed."
        )

    def connect(self) -> LibraryConnection:
        """Open a connection that cannot write."""
        if self._remove:
            return connect(str(self.path), "PRAGMA query_only = ON")
        # Without locks, which need a writable folder, and without a memory map, which fails if the file shrinks.
        return connect(f"{self.path.as_uri()}?mode=ro&immutable=1", "PRAGMA mmap_size = 0")

    def is_unchanged(self) -> bool:
        """Return whether the file that is read is the one that was opened."""
        return self._remove is not None or _state(self._library)[0] == self._state[0]

    def close(self) -> None:
        """Delete the copy."""
        if self._remove:
            self._remove()


class ReadOnlyPool(Pool):
    """The connections to a library that is only read.

    Args:
        file: The library.
        size: The most connections.
    """

    read_only = True

    def __init__(self, file: ReadOnlyFile, size: int) -> None:
        super().__init__(file.connect, size)
        self._file = file

    @contextmanager
    def connection(self) -> Iterator[LibraryConnection]:
        """Yield a connection; what it read is refused if the file was changed."""
        with super().connection() as connection:
            yield connection
        if not self._file.is_unchanged():
            raise Closed(CHANGED)

    @contextmanager
    def writing(self) -> Iterator[LibraryConnection]:
        """Refuse every change."""
        self.check_writable()
        yield from ()

    def check_writable(self) -> None:
        """Refuse every change."""
        raise ReadOnly("attempt to write a read-only library")

    def close(self) -> None:
        """Close the connections and delete a copy."""
        super().close()
        self._file.close()


def _parts(library: Path) -> list[Path]:
    return [library, *(library.with_name(library.name + log) for log in LOGS)]


def _state(library: Path) -> list[tuple[int, int, int]]:
    """Return time, size and number of the file and of its logs; zeros for one that is not there."""
    found = []
    for path in _parts(library):
        try:
            status = path.stat()
            found.append((status.st_mtime_ns, status.st_size, status.st_ino))
        except OSError:
            found.append((0, 0, 0))
    return found


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # not a forked process, whose parent still reads the copy
        shutil.rmtree(folder, ignore_errors=True)
