"""What processes share: numbered locks beside a file, its lines, and connections, which no two may use after a fork.

The system releases the locks of a process that ends, also of one that is killed. A SQLite connection that is used
on both sides of a fork loses commits, and a shared socket mixes up replies.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

from inkframe.errors import ConfigurationError
from inkframe.system.files import create_private_folder

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

__all__ = ["Forkable", "SharedLocks", "append_line", "on_fork"]

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
        #: The handle, open as long as a lock is held.
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
        file = self._alone
        if self._path is not None:
            # A child process does not inherit the locks of its parent.
            place = os.getpid(), os.path.realpath(self._path)
            file = _files.get(place) or _files.setdefault(place, _LockFile())
        with file.changed:
            while number in file.held:
                if stop is not None and stop.is_set():
                    break
                file.changed.wait(LONGEST)
            is_free = number not in file.held
            if is_free:
                if self._path is not None and file.handle < 0:
                    file.handle = _open(self._path)
                file.held.add(number)
        if not is_free:
            yield False
            return
        is_locked = False
        try:
            is_locked = self._path is not None and _lock(file, number, stop, self._path)
            yield is_locked or self._path is None
        finally:
            with file.changed:
                if is_locked:
                    _set_lock(file.handle, number, held=False)
                file.held.discard(number)
                if not file.held and file.handle >= 0:
                    os.close(file.handle)
                    file.handle = -1
                file.changed.notify_all()


def _open(path: Path) -> int:
    try:
        if not path.parent.exists():
            create_private_folder(path.parent)
        return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise _unusable(path, error) from None


def _lock(file: _LockFile, number: int, stop: threading.Event | None, path: Path) -> bool:
    """Acquire a lock of the system; return False if the wait was stopped."""
    pause, seconds = threading.Event() if stop is None else stop, FIRST
    while True:
        try:
            with file.changed:
                _set_lock(file.handle, number, held=True)
        except (BlockingIOError, PermissionError):
            if pause.wait(seconds):
                return False
            seconds = min(2 * seconds, LONGEST)
        except OSError as error:
            raise _unusable(path, error) from None
        else:
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


def append_line(path: Path, content: Mapping[str, Any]) -> bytes:
    """Append one line, wait until it is on the disk, and return it.

    The file and its folder are created for their owner alone. A torn line that an earlier process left is
    closed first, so that it spoils no other.

    Args:
        path: The file.
        content: What the line holds, as JSON.

    Raises:
        OSError: The line was not written whole.
    """
    if not path.parent.exists():
        create_private_folder(path.parent)
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        size = os.lseek(handle, 0, os.SEEK_END)
        # Normally a single append, so that lines of several processes do not mix.
        line = written = json.dumps(content, allow_nan=False).encode() + b"\n"
        if size:
            os.lseek(handle, size - 1, os.SEEK_SET)
            line = line if os.read(handle, 1) == b"\n" else b"\n" + line
        whole = size + len(line)
        try:
            while line:
                line = line[os.write(handle, line) :]
            os.fsync(handle)
        except OSError:
            # Without what stands there in part, which may lack nothing but its end; unless others have written since.
            if size < os.lseek(handle, 0, os.SEEK_END) <= whole:
                os.ftruncate(handle, size)
            raise
    finally:
        os.close(handle)
    if not size and os.name == "posix":  # the name of a new file is on the disk only with its folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return written


class Forkable:
    """An object whose connections must not be shared with a child process."""

    def before_fork(self) -> None:
        """Release what a child must not inherit."""

    def after_fork(self, *, in_child: bool) -> None:
        """Continue in the parent, or start anew in the child, which has this thread only."""


_registered: WeakSet[Forkable] = WeakSet()
_registering = threading.Lock()


def on_fork(each: Forkable) -> None:
    """Call the methods of an object at every fork of this process, as long as the object exists."""
    with _registering:
        _registered.add(each)


def _each(act: Callable[[Forkable], None]) -> None:
    with _registering:
        found = list(_registered)
    for each in found:
        act(each)


def _in_child() -> None:
    global _registering  # noqa: PLW0603  # another thread of the parent may have held it
    _registering = threading.Lock()
    _each(lambda each: each.after_fork(in_child=True))


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(
        before=lambda: _each(lambda each: each.before_fork()),
        after_in_parent=lambda: _each(lambda each: each.after_fork(in_child=False)),
        after_in_child=_in_child,
    )
