"""Numbered locks: across threads, objects and processes, released by every end."""

import errno
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from inkframe import ConfigurationError
from inkframe.system import processes as shared_locks
from inkframe.system.processes import SharedLocks

#: Holds lock 7 until the input closes.
HOLDER = """
import pathlib, sys
from inkframe.system.processes import SharedLocks
with SharedLocks(pathlib.Path(sys.argv[1])).hold(7):
    print("held", flush=True)
    sys.stdin.read()
"""


def stopped():
    """Return an event that is set, so that a wait ends at once."""
    event = threading.Event()
    event.set()
    return event


@pytest.fixture(params=["file", "memory"])
def locks(request, tmp_path):
    """Return locks of both kinds."""
    return SharedLocks(tmp_path / "deep" / "x.lock" if request.param == "file" else None)


def test_a_lock_is_held_by_one(locks):
    """A lock that is held is not free, and is free afterwards, also after an error."""

    def fail():
        with locks.hold(7) as first, locks.hold(7, stopped()) as second, locks.hold(8) as other:
            raise KeyError((first, second, other))

    with pytest.raises(KeyError, match="True, False, True"):
        fail()
    with locks.hold(7, stopped()) as again:
        assert again


def test_threads_take_turns(locks):
    """The threads that want one lock hold it one after the other."""
    inside, most = [], []

    def work():
        with locks.hold(1):
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    with ThreadPoolExecutor(20) as threads:
        for _ in range(20):
            threads.submit(work)
    assert most == [1] * 20


def test_objects_of_one_file_share_its_locks(tmp_path):
    """Two objects of one file, by different spellings of its path, exclude each other."""
    (tmp_path / "a").mkdir()
    one, two = SharedLocks(tmp_path / "x.lock"), SharedLocks(tmp_path / "a" / ".." / "x.lock")
    with one.hold(7), two.hold(7, stopped()) as second, two.hold(6) as other:
        assert (second, other) == (False, True)


@pytest.mark.integration
@pytest.mark.parametrize("ending", ["ends", "is killed"])
def test_another_process_excludes_until_it_ends(tmp_path, ending):
    """A lock of another process is waited for, and is free once that process ends or is killed."""
    path = tmp_path / "x.lock"
    locks = SharedLocks(path)
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        with locks.hold(7, stopped()) as held, locks.hold(8, stopped()) as other:
            assert (held, other) == (False, True)
        # The handle of the wait above is closed, which must not release the lock of the other process.
        with locks.hold(7, stopped()) as held:
            assert not held
        end = process.kill if ending == "is killed" else process.stdin.close
        with locks.hold(7, SimpleNamespace(is_set=lambda: False, wait=lambda _: end())) as held:
            assert held


def test_a_place_without_files_is_refused(tmp_path):
    """The error names the file and what to do."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with (
        pytest.raises(ConfigurationError, match=r"(?s)x\.lock.*Nothing was sent.*journal="),
        SharedLocks(tmp_path / "file" / "x.lock").hold(1),
    ):
        pass


def test_the_locks_of_windows_are_used_on_windows(tmp_path, monkeypatch):
    """On Windows one byte at the number's position is locked without waiting, tried again, and unlocked."""
    calls = []

    def locking(handle, mode, count):
        calls.append((mode, os.lseek(handle, 0, os.SEEK_CUR), count))
        if len(calls) == 1:
            raise PermissionError(errno.EACCES, "Permission denied")

    windows = SimpleNamespace(LK_NBLCK="lock", LK_UNLCK="unlock", locking=locking)
    monkeypatch.setattr(shared_locks, "msvcrt", windows, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    with SharedLocks(tmp_path / "locks").hold(7) as is_held:
        assert is_held
    assert calls == [("lock", 7, 1), ("lock", 7, 1), ("unlock", 7, 1)]
