"""Where inkframe keeps what is the user's: the local library, journals, small pictures."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Final

__all__ = ["home_folder", "journal_path", "tilde"]

HOME_VARIABLE: Final = "INKFRAME_HOME"


def home_folder() -> Path:
    """Give ``INKFRAME_HOME``, else the system's folder for the user's data; it need not exist."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home).expanduser()
    from platformdirs import user_data_path

    return user_data_path("inkframe", appauthor=False)


def journal_path(place: str) -> Path:
    """Give the file of the journal of a service.

    Args:
        place: What makes the service the same as itself: its base address, or its library's file.
    """
    words = re.sub(r"[^A-Za-z0-9.-]+", "-", place).strip("-.")[-60:]
    mark = hashlib.sha256(place.encode()).hexdigest()[:8]
    return home_folder() / "journals" / f"{words}-{mark}.jsonl"


def tilde(path: Path) -> str:
    """Give a path as people write it, the home folder as ``~``: outputs are saved and shared."""
    try:
        return f"~/{path.absolute().relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
