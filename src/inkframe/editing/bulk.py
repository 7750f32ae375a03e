"""Downloads of records, one file each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkframe.creating.row_by_row import row_by_row
from inkframe.display.console import notice
from inkframe.display.plain_text import counted
from inkframe.errors import InvalidArgument
from inkframe.output_file import check_file, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    import pandas as pd

__all__ = ["download"]


def download(
    rows: Sequence[dict[str, Any]],
    folder: str | PathLike[str],
    content: Callable[[dict[str, Any]], bytes],
    ending: str,
    *,
    width: int,
    overwrite: bool,
    progress: bool | None,
) -> pd.DataFrame:
    """Write a file for each row and return the paths; files of these records that are there are kept.

    Args:
        rows: The records' values by name.
        folder: The folder to write to.
        content: Returns the bytes of the file of a record; called from several threads at once.
        ending: The file extension, such as ``.png``.
        width: The maximum number of files at once.
        overwrite: Whether to replace existing files; if not, nothing is fetched for them.
        progress: Whether a bar is shown.

    Raises:
        InvalidArgument: The folder cannot be written; nothing was fetched.
    """
    import pandas as pd

    from inkframe.display.files import file_name

    _make(folder)
    used: set[str] = set()
    kept: list[str] = []
    jobs = [(row, file_name(row["id"], row.get("name"), ending, used)) for row in rows]

    def write(job: tuple[dict[str, Any], str]) -> tuple[str, int]:
        row, name = job
        earlier = Path(folder).expanduser() / name
        if not overwrite and _is_of(earlier, row["id"]):
            kept.append(name)
            return str(earlier.resolve()), earlier.stat().st_size
        check_file(folder, name, overwrite=overwrite)
        data = content(row)
        return str(write_file(folder, name, data, overwrite=overwrite)), len(data)

    done = row_by_row(write, jobs, width, "Writing", "files", progress)
    written = [(*(each.value or (None, None)), each.reason if each.error else None) for each in done]
    if kept:
        notice(f"{counted(len(kept), 'file')} there already and kept; overwrite=True replaces them.")
    index = pd.Index([row["id"] for row in rows], name="id")
    frame = pd.DataFrame(written, columns=["path", "bytes", "error"], index=index)
    return frame.astype({"path": "str", "bytes": "Int64", "error": "str"})


def _is_of(path: Path, id: int | str) -> bool:
    """Return whether a file of an earlier download has this record; files are written completely or not at all."""
    from inkframe.display.files import open_file

    if path.is_symlink() or not path.is_file():
        return False
    try:
        return str(open_file(path).get("id")) == str(id)
    except (InvalidArgument, OSError):
        return False


def _make(folder: str | PathLike[str]) -> None:
    try:
        Path(folder).expanduser().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(
            f"{folder} cannot be used as a folder: {error.strerror or error}.\nChoose another folder."
        ) from None
