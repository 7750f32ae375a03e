"""Write files: completely or not at all, over nothing that is not ours, and through no link."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["check_file", "write_file"]


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
