"""Files of inkframe: their folders, and how they are written, completely or not at all or line by line."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final
from uuid import uuid4

from inkframe.errors import ConfigurationError, InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "FileCache",
    "check_file",
    "create_private_folder",
    "home_folder",
    "journal_path",
    "read_key_file",
    "read_lines",
    "tilde",
    "write_file",
]

HOME_VARIABLE: Final = "INKFRAME_HOME"

#: The longest line that is read; longer ones are damaged.
LONGEST: Final = 1_000_000


def home_folder() -> Path:
    """Return ``INKFRAME_HOME``, or the data folder of the user; it may not exist."""
    if home := os.environ.get(HOME_VARIABLE):
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


def read_key_file(path: Path) -> str:
    """Return the key that a file holds.

    Raises:
        ConfigurationError: It cannot be read, can be read by others, or is empty.
    """
    try:
        if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ConfigurationError(
                f"The key file {path} must be readable by you only.\nRun chmod 600 {path}"
            )
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        raise ConfigurationError(
            f"The key file {path} cannot be read: {reason}.\nIt must contain only the key."
        ) from None
    if not key:
        raise ConfigurationError(f"The key file {path} is empty.\nIt must contain only the key.")
    return key


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


def write_file(
    folder: str | os.PathLike[str],
    name: str,
    content: bytes | Callable[[IO[bytes]], Any],
    *,
    overwrite: bool = False,
    ours: Callable[[Path], bool] | None = None,
) -> Path:
    """Write a file into a folder, completely or not at all.

    Args:
        folder: The folder; created if it is missing.
        name: One path component, such as that of ``file_name``.
        content: The content, or a function that writes it to an open file.
        overwrite: Whether to replace a file of that name. A link is replaced, never followed.
        ours: Returns whether an existing file has our mark, so that it is replaced in any case.

    Returns:
        The file's path.

    Raises:
        InvalidArgument: The name is not a plain file name, it is in use, or the file cannot be written.
    """
    replaced = check_file(folder, name, overwrite=overwrite, ours=ours)
    root = Path(folder).expanduser()
    part: Path | None = None
    try:
        root.mkdir(parents=True, exist_ok=True)
        path = root.resolve() / name
        part = path.with_name(f".{uuid4().hex}.part")
        flags = (
            os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        )
        with os.fdopen(os.open(part, flags, 0o666), "wb") as file:
            if callable(content):
                content(file)
            else:
                file.write(content)
            if replaced:
                # Before the old file is given up.
                file.flush()
                os.fsync(file.fileno())
        if replaced:
            part.replace(path)
        elif not _moved(part, path):
            raise _in_use(root, name)
    except OSError as error:
        # Windows does not replace a file that is open.
        remedy = (
            "Close the file in other programs" if isinstance(error, PermissionError) else "Free some space"
        )
        raise InvalidArgument(
            f"{name} cannot be written to {root}: {error.strerror or error}.\n{remedy}, or choose another folder."
        ) from None
    finally:
        if part is not None:
            with suppress(OSError):
                part.unlink(missing_ok=True)
    return path


def check_file(
    folder: str | os.PathLike[str],
    name: str,
    *,
    overwrite: bool = False,
    ours: Callable[[Path], bool] | None = None,
) -> bool:
    """Check that a file may be written, before its content is created; return whether it replaces another.

    Args:
        folder: The folder.
        name: One path component.
        overwrite: Whether to replace a file of that name.
        ours: Returns whether an existing file has our mark.

    Raises:
        InvalidArgument: It is not a plain file name, or there is a file of that name.
    """
    if name in ("", ".", "..") or any(mark in name for mark in "/\\:\0"):
        raise InvalidArgument(
            f"name must be a plain file name, got {name!r}.\nPass it without a path, such as '7-harbor.png'."
        )
    root = Path(folder).expanduser()
    path = root / name
    if not os.path.lexists(path):
        return False
    if overwrite or (ours is not None and not path.is_symlink() and path.is_file() and ours(path)):
        return True
    raise _in_use(root, name)


def _moved(part: Path, path: Path) -> bool:
    """Rename a file; return False if there is another of that name."""
    try:
        os.link(part, path)
    except FileExistsError:
        return False
    except OSError:  # a file system without links, such as FAT
        if os.path.lexists(path):
            return False
        part.rename(path)
    return True


def _in_use(root: Path, name: str) -> InvalidArgument:
    return InvalidArgument(f"{name} already exists in {root}.\nPass overwrite=True to replace it.")


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
