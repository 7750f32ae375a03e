"""Append-only files of JSON lines, which several processes write at once and which survive being killed."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

from inkframe.files import create_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["append_line", "read_lines"]

#: The longest line that is read; longer ones are damaged.
LONGEST: Final = 1_000_000


def append_line(path: Path, content: Mapping[str, Any]) -> None:
    """Append one line and wait until it is on the disk.

    The file and its folder are created for their owner alone. A torn line that an earlier process left is
    closed first, so that it spoils no other.

    Args:
        path: The file.
        content: What the line holds, as JSON.

    Raises:
        OSError: The line was not written whole.
    """
    create_private_folder(path.parent)
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        size = os.lseek(handle, 0, os.SEEK_END)
        # Normally a single append, so that lines of several processes do not mix.
        line = json.dumps(content, allow_nan=False).encode() + b"\n"
        if size:
            os.lseek(handle, size - 1, os.SEEK_SET)
            line = line if os.read(handle, 1) == b"\n" else b"\n" + line
        while line:
            line = line[os.write(handle, line) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    if not size and os.name == "posix":  # the name of a new file is on the disk only with its folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read_lines(path: Path) -> Iterator[dict[str, Any] | None]:
    """Yield the content of each line, or None for a line that is torn or damaged.

    Raises:
        OSError: The file cannot be read.
    """
    with path.open("rb") as file:
        while line := file.readline(LONGEST):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                found = None
            yield found if isinstance(found, dict) else None
