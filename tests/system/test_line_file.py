import errno
import os
import signal
import stat
import subprocess
import sys

import pytest

from inkframe.system.files import read_lines
from inkframe.system.processes import append_line

#: Appends lines until it is killed, and prints the number of each line once it is on the disk.
WRITER = """
import sys
from pathlib import Path
from inkframe.system.processes import append_line
for number in range(100_000):
    append_line(Path(sys.argv[1]), {"writer": sys.argv[2], "number": number})
    print(number, flush=True)
"""


@pytest.fixture
def path(tmp_path):
    """Return the path of a file in a folder that does not exist yet."""
    return tmp_path / "new" / "lines.jsonl"


def test_lines_are_appended_for_their_owner_alone(path):
    """Lines come back in their order; the file and its new folder are closed to others."""
    for number in range(3):
        append_line(path, {"number": number})
    assert list(read_lines(path)) == [{"number": 0}, {"number": 1}, {"number": 2}]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_torn_line_spoils_no_other(path):
    """A line without its end is damaged; the one that is appended next is whole."""
    append_line(path, {"number": 1})
    with path.open("ab") as file:
        file.write(b'{"number": 2')
    append_line(path, {"number": 3})
    assert list(read_lines(path)) == [{"number": 1}, None, {"number": 3}]


@pytest.mark.parametrize(
    "damage", [b"[1]\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n", b"x" * 3_000_000 + b"\n"]
)
def test_damaged_lines_are_told_apart(path, damage):
    """What is no JSON object, or far too long, is None, and its neighbors are read."""
    append_line(path, {"number": 1})
    with path.open("ab") as file:
        file.write(damage)
    append_line(path, {"number": 2})
    found = list(read_lines(path))
    assert [found[0], found[-1]] == [{"number": 1}, {"number": 2}]
    assert set(map(str, found[1:-1])) == {"None"}


@pytest.fixture
def full_disk(monkeypatch):
    """Let the disk take five more bytes, and then none."""
    write, left = os.write, [5]

    def take(handle, line):
        if not left.pop():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        left.append(0)
        return write(handle, line[:5])

    monkeypatch.setattr(os, "write", take)
    return monkeypatch


def test_a_line_that_is_not_whole_is_an_error(path, full_disk):
    """A disk that is full in the middle of a line is reported, and the next line is whole."""
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        append_line(path, {"number": 2})
    full_disk.undo()
    append_line(path, {"number": 3})
    assert list(read_lines(path)) == [{"number": 3}]


def test_a_line_that_is_taken_in_pieces_is_whole(path, monkeypatch):
    """What a write leaves is written by the next one."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, line: write(handle, line[:5]))
    append_line(path, {"number": 1})
    assert list(read_lines(path)) == [{"number": 1}]


@pytest.mark.integration
def test_two_killed_processes_lose_nothing(path):
    """Of two processes that write at once and are killed, each line that was reported written is there."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, path, name], stdout=subprocess.PIPE, text=True)
        for name in "ab"
    ]
    reported = {}
    for name, process in zip("ab", writers, strict=True):
        reported[name] = [int(process.stdout.readline()) for _ in range(40)][-1]
    for name, process in zip("ab", writers, strict=True):
        process.send_signal(signal.SIGKILL)
        more = process.stdout.read().split("\n")[:-1]  # the last one may be cut off
        reported[name] = max([reported[name], *map(int, more)])
        process.wait()
    found = [line for line in read_lines(path) if line]
    for name in "ab":
        numbers = [line["number"] for line in found if line["writer"] == name]
        assert numbers[: reported[name] + 1] == list(range(reported[name] + 1))
