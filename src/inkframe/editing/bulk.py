"""Deletions and downloads of many records."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import pandas as pd

from inkframe.creating.rows import Row, row_by_row
from inkframe.display.console import notice
from inkframe.display.markup import counted
from inkframe.errors import InvalidArgument, NotFound
from inkframe.frames import fit_int64, identified
from inkframe.system.files import check_file, write_file
from inkframe.versions import text_type
from inkframe.vocabulary.arguments import short

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from inkframe.listing.session import SessionCalls

__all__ = ["delete_many", "download", "is_own_file"]

STATUSES: Final = ("deleted", "gone", "failed")
#: What an earlier file must have in common with a record to be its own.
IDENTITY: Final = frozenset({"id", "service", "created_at"})


def delete_many(calls: SessionCalls, ids: Sequence[int | str], confirm: int) -> pd.DataFrame:
    """Delete records and return a row with the status of each.

    Args:
        calls: The collection.
        ids: Their ids.
        confirm: The number of records.

    Raises:
        InvalidArgument: The number is wrong; nothing was deleted.
    """
    if isinstance(confirm, bool) or confirm != len(ids):
        raise InvalidArgument(
            f"confirm must be {len(ids)} (the number of {calls.spec.name}), got {short(confirm)}.\n"
            f"Nothing was deleted. This cannot be undone. Pass confirm={len(ids)} to continue."
        )
    words = f"Deleting {calls.spec.name}"
    done = row_by_row(calls.delete, dict.fromkeys(ids), calls.session.width, words, "deletions")
    statuses = [_status(each) for each in done]
    reasons = [
        each.error if status == "failed" else None for each, status in zip(done, statuses, strict=True)
    ]
    shown = [each.label for each in done]
    return pd.DataFrame(
        {
            "id": pd.array(shown, dtype="int64")
            if fit_int64(shown)
            else pd.array(list(map(str, shown)), dtype=text_type()),
            "status": pd.Categorical(statuses, categories=STATUSES),
            "error": pd.array(reasons, dtype=text_type()),
            "seconds": pd.array([each.seconds for each in done], dtype="float64"),
        }
    )


def _status(done: Row) -> str:
    if done.cause is None:
        return "deleted"
    return "gone" if isinstance(done.cause, NotFound) else "failed"


def download(
    rows: Sequence[dict[str, Any]],
    folder: str | PathLike[str],
    content: Callable[[dict[str, Any]], bytes],
    ending: str,
    *,
    service: str,
    width: int,
    overwrite: bool | Literal["own"],
    progress: bool | None,
) -> pd.DataFrame:
    """Write a file for each row and return the paths; files with the content of these records are kept.

    Args:
        rows: The records' values by name.
        folder: The folder to write to.
        content: Returns the bytes of the file of a record; called from several threads at once.
        ending: The file extension, such as ``.png``.
        service: The name of the service in the files.
        width: The maximum number of files at once.
        overwrite: Whether to replace existing files, or those of the same records only; if not, nothing is
            fetched for them.
        progress: Whether a bar is shown.

    Raises:
        InvalidArgument: The folder cannot be written; nothing was fetched.
    """
    from inkframe.display.files import file_name

    place = Path(folder).expanduser()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(
            f"{folder} cannot be used as a folder: {error.strerror or error}.\nChoose another folder."
        ) from None
    used: set[str] = set()
    kept: list[str] = []
    jobs = [(row, file_name(row["id"], row.get("name"), ending, used)) for row in rows]

    def write(job: tuple[dict[str, Any], str]) -> tuple[str, int]:
        row, name = job
        earlier = place / name
        if not overwrite and not _differing(earlier, row, service):
            kept.append(name)
            return str(earlier.resolve()), earlier.stat().st_size
        is_own = partial(is_own_file, row=row, service=service) if overwrite == "own" else None
        replaces: dict[str, Any] = {"overwrite": bool(overwrite) and is_own is None, "ours": is_own}
        check_file(folder, name, **replaces)
        data = content(row)
        return str(write_file(folder, name, data, **replaces)), len(data)

    done = row_by_row(write, jobs, width, "Writing", "files", progress)
    written = [(*(each.record or (None, None)), each.error) for each in done]
    if kept:
        notice(f"{counted(len(kept), 'file')} there already and kept; overwrite=True replaces them.")
    index = pd.Index([row["id"] for row in rows], name="id")
    frame = pd.DataFrame(written, columns=["path", "bytes", "error"], index=index)
    return identified(
        frame.astype({"path": text_type(), "bytes": "Int64", "error": text_type()}), distinct=False
    )


def is_own_file(path: Path, row: dict[str, Any], service: str) -> bool:
    """Return whether a file has a record, however old."""
    return IDENTITY.isdisjoint(_differing(path, row, service))


def _differing(path: Path, row: dict[str, Any], service: str) -> set[str]:
    """Return the fields in which a file differs from a record; the id if it is not the file of a record.

    Pictures never change, so that they are neither fetched nor compared. Files are written completely or not at
    all. Services change the time of an update without one.
    """
    from inkframe.display.files import open_file, settings_of

    saved: dict[str, Any] = {"service": None, "result": ""}
    if path.is_file() and not path.is_symlink():
        with suppress(InvalidArgument, OSError):
            saved |= open_file(path)
    text = str(row.get("result") or "").encode("utf-8", "replace").decode()
    now = settings_of(row, service) | {"id": str(row["id"]), "result": text}
    saved["id"] = str(saved.get("id"))
    return {name for name in now.keys() & saved.keys() - {"updated_at"} if now[name] != saved[name]}
