"""The folders of inkframe for the local library, journals and caches."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["FileCache", "create_private_folder", "home_folder", "journal_path", "tilde"]

HOME_VARIABLE: Final = "INKFRAME_HOME"


def home_folder() -> Path:
    """Return ``INKFRAME_HOME``, or the data folder of the user; it may not exist."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home).expanduser()
    from platformdirs import user_data_path

    return user_data_path("inkframe", appauthor=False)


def journal_path(place: str) -> Path:
    """Return the journal file of a service.

    Args:
        place: The identity of the service: its base address, or the file of its library.
    """
    words = re.sub(r"[^A-Za-z0-9.-]+", "-", place).strip("-.")[-60:]
    mark = hashlib.sha256(place.encode()).hexdigest()[:8]
    return home_folder() / "journals" / f"{words}-{mark}.jsonl"


def create_private_folder(path: Path) -> None:
    """Create a folder and its missing parents, readable by their user only; existing ones are not changed.

    Raises:
        OSError: One cannot be created.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        with suppress(FileExistsError):  # created by another process
            folder.mkdir(mode=0o700)
            folder.chmod(0o700)


class FileCache:
    """A bounded folder of small files, which deletes the least recently used first.

    Several processes can use one folder at once: files are written atomically, and a deleted file is not
    found. A file that cannot be written is not cached, without an error.

    Args:
        folder: The folder; created for its user alone with the first file.
        max_bytes: The maximum number of bytes. Beyond it, the oldest files are deleted until a tenth is free;
            the newest one stays, however large.
    """

    def __init__(self, folder: str | os.PathLike[str], max_bytes: int = 100_000_000) -> None:
        self._folder = Path(folder)
        self._max_bytes = max_bytes
        self._size: int | None = None

    def get(self, name: str) -> bytes | None:
        """Return the content of a file, or None; it counts as recently used."""
        path = self._folder / name
        try:
            data = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)
        return data

    def put(self, name: str, data: bytes) -> None:
        """Write a file to the cache."""
        from tempfile import mkstemp

        with suppress(OSError):
            create_private_folder(self._folder)
            descriptor, unfinished = mkstemp(dir=self._folder, suffix=".part")
            part = Path(unfinished)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                part.replace(self._folder / name)
            finally:
                part.unlink(missing_ok=True)
            known = self._size
            self._size = sum(size for _, size, _ in self._files()) if known is None else known + len(data)
            if self._size > self._max_bytes:
                self._shrink()

    def _files(self) -> list[tuple[float, int, str]]:
        """Return the time of last use, size and path of each file that still exists, the oldest first."""
        found = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    state = entry.stat(follow_symlinks=False)
                    found.append((state.st_mtime, state.st_size, entry.path))
        return sorted(found)

    def _shrink(self) -> None:
        """Delete the least recently used files until a tenth of the space is free."""
        files = self._files()
        total = sum(size for _, size, _ in files)
        for _, size, path in files[:-1]:
            if total <= 0.9 * self._max_bytes:
                break
            with suppress(OSError):
                Path(path).unlink()
            total -= size
        self._size = total


def tilde(path: Path) -> str:
    """Return a path with the home folder as ``~``, since notebook outputs are shared."""
    try:
        return f"~/{path.absolute().relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):
        return str(path)
