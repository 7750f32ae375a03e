"""Numbered locks beside a file, each held by one thread of one process at a time.

The system releases the locks of a process that ends, also of one that is killed.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from inkframe.errors import ConfigurationError
from inkframe.system.files import create_private_folder

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["SharedLocks"]

#: Seconds between two tries for a lock of another process: the first, and the longest.
FIRST: Final = 0.001
LONGEST: Final = 0.05
#: Numbers fit into the file offsets of every system.
NUMBERS: Final = 2**31 - 1


class _LockFile:
    """The locks of one file that this process holds or waits for."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.held: set[int] = set()
        self.users = 0
        self.handle = -1


#: By process and file: closing any handle of a file releases all locks of the process, so it has one only.
_files: Final[dict[tuple[int, str], _LockFile]] = {}


class SharedLocks:
    """Locks by number, shared by the threads and processes that use the same file.

    Args:
        path: The file of the locks, created with its folder when needed and never deleted; None for the
            threads that share this object.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._alone = _LockFile()

    @contextmanager
    def hold(self, number: int, stop: threading.Event | None = None) -> Iterator[bool]:
        """Acquire a lock for the block, after waiting for it; yield whether it is held.

        Args:
            number: The number of the lock. Large numbers may share a lock, which only waits longer.
            stop: Once set, the wait ends without the lock.

        Raises:
            ConfigurationError: The file of the locks cannot be used.
        """
        number %= NUMBERS
        file = self._file()
        with file.changed:
            while number in file.held:
                if stop is not None and stop.is_set():
                    break
                file.changed.wait(LONGEST)
            is_free = number not in file.held
            if is_free:
                file.held.add(number)
        if not is_free:
            yield False
            return
        try:
            if self._path is None:
                yield True
                return
            with _opened(file, self._path), _locked(file, number, stop, self._path) as is_held:
                yield is_held
        finally:
            with file.changed:
                file.held.discard(number)
                file.changed.notify_all()

    def _file(self) -> _LockFile:
        if self._path is None:
            return self._alone
        # A child process does not inherit the locks of its parent.
        return _files.setdefault((os.getpid(), os.path.realpath(self._path)), _LockFile())


@contextmanager
def _opened(file: _LockFile, path: Path) -> Iterator[None]:
    """Open the file for its first user, and close it after the last one."""
    with file.changed:
        if not file.users:
            try:
                create_private_folder(path.parent)
                file.handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            except OSError as error:
                raise _unusable(path, error) from None
        file.users += 1
    try:
        yield
    finally:
        with file.changed:
            file.users -= 1
            if not file.users:
                os.close(file.handle)


@contextmanager
def _locked(file: _LockFile, number: int, stop: threading.Event | None, path: Path) -> Iterator[bool]:
    """Acquire a lock of the system; yield False if the wait was stopped."""
    pause = threading.Event() if stop is None else stop
    seconds = FIRST
    while not (is_held := _try_lock(file, number, path)):
        if pause.wait(seconds):
            break
        seconds = min(2 * seconds, LONGEST)
    try:
        yield is_held
    finally:
        if is_held:
            with file.changed:
                _set_lock(file.handle, number, held=False)


def _try_lock(file: _LockFile, number: int, path: Path) -> bool:
    try:
        with file.changed:
            _set_lock(file.handle, number, held=True)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        raise _unusable(path, error) from None
    return True


def _set_lock(handle: int, number: int, *, held: bool) -> None:
    """Lock or unlock the byte at a position, which need not exist."""
    if sys.platform == "win32":
        os.lseek(handle, number, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK if held else msvcrt.LK_UNLCK, 1)
    else:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB if held else fcntl.LOCK_UN, 1, number)


def _unusable(path: Path, error: OSError) -> ConfigurationError:
    return ConfigurationError(
        f"The lock file {path} cannot be used: {error.strerror}.\n"
        "Nothing was sent. Choose another place with journal=…"
    )
