"""The folders of inkframe for the local library, journals and thumbnails."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["create_private_folder", "home_folder", "journal_path", "tilde"]

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


def tilde(path: Path) -> str:
    """Return a path with the home folder as ``~``, since notebook outputs are shared."""
    try:
        return f"~/{path.absolute().relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):
        return str(path)
