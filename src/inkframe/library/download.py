"""Records as files, one each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.errors import InkframeError
from inkframe.library.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    import pandas as pd

__all__ = ["download"]


def download(
    rows: Sequence[dict[str, Any]],
    folder: str | PathLike[str],
    content: Callable[[dict[str, Any]], tuple[str, bytes]],
    *,
    overwrite: bool,
    progress: bool | None,
) -> pd.DataFrame:
    """Write a file for each row; gives where each went.

    Args:
        rows: The records' values by name.
        folder: Where to write.
        content: Gives the ending and the bytes of a record's file.
        overwrite: Whether files that are there are replaced.
        progress: Whether a bar is shown.
    """
    import pandas as pd

    from inkframe.display import file_name, write_file

    written: list[tuple[str | None, int | None, str | None]] = []
    used: set[str] = set()
    with progress_bar(progress, len(rows), "Writing", "files") as bar:
        for row in rows:
            try:
                ending, data = content(row)
                name = file_name(row["id"], row.get("name"), ending, used)
                path = write_file(folder, name, data, overwrite=overwrite)
                written.append((str(path), len(data), None))
            except InkframeError as error:
                written.append((None, None, str(error)))
            bar.update()
    index = pd.Index([row["id"] for row in rows], name="id")
    frame = pd.DataFrame(written, columns=["path", "bytes", "error"], index=index)
    return frame.astype({"path": "str", "bytes": "Int64", "error": "str"})
