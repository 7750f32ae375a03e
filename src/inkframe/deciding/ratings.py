"""Ratings: a file that grows by a line with each judgment, and its judgments as a DataFrame."""

from __future__ import annotations

import getpass
import json
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import pandas as pd

from inkframe.errors import ConfigurationError, InvalidArgument, checked
from inkframe.frames.baselines import fit_int64
from inkframe.system.files import home_folder, read_lines
from inkframe.system.processes import append_line
from inkframe.versions import text_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "Judgment",
    "RatingsFile",
    "Reveal",
    "load_ratings",
    "ratings_frame",
    "record_key",
    "same_service",
    "user_name",
]

Id = int | str
#: The columns of a frame of ratings, and their types; ``value`` and the ids depend on the values.
COLUMNS: Final = {"id": None, "other": None, "value": None, "winner": None, "rater": text_type(), "reason": text_type(),
                  "blind": "boolean", "rated_at": "datetime64[us, UTC]", "mode": text_type(), "question": text_type(),
                  "service": text_type(), "collection": text_type()}  # fmt: skip
#: The types of the values of a line.
_TEXT, _ID = (str,), (int, str)
TYPES: Final = {
    "id": _ID, "other": (*_ID, type(None)), "winner": (*_ID, type(None)), "rater": _TEXT, "mode": _TEXT,
    "question": _TEXT, "service": _TEXT, "collection": _TEXT, "content": _TEXT, "value": (*_ID, type(None)),
    "reason": (str, type(None)), "blind": (bool,), "options": (int, list, type(None)), "rated_at": _TEXT,
    "judgment": _TEXT, "by": (list,), "groups": (list,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judgment of one rater.

    Args:
        id: The id of the record; in a pair, of the one shown first.
        rater: The name of the rater.
        mode: ``scale``, ``pairs`` or ``labels``.
        question: The question that was asked.
        service: The service of the record, and of a local one its library, if known.
        collection: The collection of the record.
        content: A hash of the rated text, so that the judgment of an edited text is not mixed up.
        other: The id of the other record of a pair.
        value: The rating or the label; None for a pair.
        winner: The id of the better record of a pair; None for a tie.
        reason: The reason that the rater wrote.
        blind: Whether the group was hidden.
        options: The highest rating of a scale, or the labels.
        rated_at: The time in UTC.
        judgment: A random id of the judgment.
    """

    id: Id
    rater: str
    mode: str
    question: str
    service: str = ""
    collection: str = "documents"
    content: str = ""
    other: Id | None = None
    value: int | str | None = None
    winner: Id | None = None
    reason: str | None = None
    blind: bool = True
    options: int | list[str] | None = None
    rated_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    judgment: str = field(default_factory=lambda: uuid4().hex)


@dataclass(frozen=True, slots=True)
class Reveal:
    """The groups of records that a rater has seen.

    Args:
        rater: The name of the rater.
        by: The columns that make the groups.
        groups: Pairs of an id and the values of these columns.
        service: The service of the records, as of a judgment.
        collection: The collection of the records.
    """

    rater: str
    by: list[str]
    groups: list[list[Any]]
    service: str = ""
    collection: str = "documents"

    def shown(self) -> dict[str, list[Any]]:
        """Return the values that make the group of each record, by its key."""
        return {record_key(self.collection, id): values for id, values in self.groups}


class RatingsFile:
    """An append-only file of judgments, for several raters, panels and processes at once.

    Args:
        path: The file; by default ``ratings.jsonl`` in the folder of inkframe.

    Raises:
        InvalidArgument: No file can have this path.
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        if not str(path).isprintable():
            raise InvalidArgument(f"path must be the path of a file, got {str(path)!a}.")
        self.path = home_folder() / "ratings.jsonl" if path is None else Path(path).expanduser()

    def add(self, entry: Judgment | Reveal) -> None:
        """Write a judgment or a reveal; once this returns, it survives the end of the process.

        Raises:
            ConfigurationError: It could not be written.
        """
        kind = type(entry).__name__.lower()
        self._append({"kind": kind} | {each.name: getattr(entry, each.name) for each in fields(entry)})

    def undo(self, judgment: Judgment) -> None:
        """Write that a judgment does not count.

        Raises:
            ConfigurationError: It could not be written.
        """
        self._append({"kind": "undo", "judgment": judgment.judgment})

    def read(self) -> tuple[list[Judgment], list[Reveal], int]:
        """Return the judgments that count and the reveals, in their order, and the number of damaged lines.

        Raises:
            InvalidArgument: The file cannot be read, or is something else.
        """
        judgments: dict[str, Judgment] = {}
        reveals: list[Reveal] = []
        undone: set[str] = set()
        damaged = 0
        try:
            for line in read_lines(self.path):
                given = line or {}
                if given.get("kind") == "undo":
                    undone.add(str(given.get("judgment", "")))
                elif isinstance(entry := _read_entry(given), Judgment):
                    judgments[entry.judgment] = entry
                elif entry is not None:
                    reveals.append(entry)
                else:
                    damaged += 1
        except FileNotFoundError:
            return [], [], 0
        except OSError as error:
            raise InvalidArgument(
                f"The ratings file {self.path} cannot be read: {error.strerror}.\nPass another file with path=…"
            ) from None
        if damaged and not (judgments or reveals or undone):
            raise InvalidArgument(
                f"{self.path} is not a ratings file.\nPass a file that a RatingPanel wrote."
            )
        return [each for key, each in judgments.items() if key not in undone], reveals, damaged

    def _append(self, content: Mapping[str, Any]) -> None:
        try:
            append_line(self.path, content)
        except OSError as error:
            raise ConfigurationError(
                f"The rating was not saved: {error.strerror}.\n"
                f"Free some space or fix {self.path}, or choose another file with path=…"
            ) from None


def _read_entry(line: Mapping[str, Any]) -> Judgment | Reveal | None:
    """Return the entry of a line, or None where it is damaged."""
    kind = {"judgment": Judgment, "reveal": Reveal}.get(str(line.get("kind")))
    if kind is None:
        return None
    given = {each.name: line[each.name] for each in fields(kind) if each.name in line}
    try:
        # Neither a lone surrogate nor an integer that no float can have fits a column.
        json.dumps(given, ensure_ascii=False, allow_nan=False).encode()
        entry = kind(**given)
        if isinstance(entry, Judgment):
            pd.DatetimeIndex([entry.rated_at], tz="UTC").astype("datetime64[us, UTC]")
            float(entry.value if isinstance(entry.value, int) else 0)
        else:
            entry.shown()
    except (TypeError, ValueError, OverflowError):
        return None
    is_sound = all(isinstance(value, TYPES[name]) for name, value in given.items())
    if is_sound and isinstance(entry, Reveal):  # its groups are complete
        is_sound = all(isinstance(group, list) and len(group) == len(entry.by) for _, group in entry.groups)
    return entry if is_sound else None


@checked
def load_ratings(path: str | PathLike[str] | None = None) -> pd.DataFrame:
    """Read all judgments of a ratings file, of every rater and question, without those that were undone.

    Args:
        path: The file; by default the one that every panel writes to.

    Returns:
        One row for each judgment, in the order they were made: id, other (the other record of a pair), value,
        winner, rater, reason, blind, rated_at, mode, question, service and collection. The groups are columns
        once they were revealed. ``attrs["ratings"]`` has the number of damaged lines.

    Raises:
        InvalidArgument: There is no such file, or it is something else.
    """
    file = RatingsFile(path)
    if path is not None and not file.path.exists():
        raise InvalidArgument(f"There is no ratings file {file.path}.\nCheck the path.")
    judgments, reveals, damaged = file.read()
    frame = ratings_frame(judgments, reveals)
    frame.attrs["ratings"] = {"file": str(file.path), "damaged_lines": damaged}
    return frame


def ratings_frame(judgments: Sequence[Judgment], reveals: Iterable[Reveal] = ()) -> pd.DataFrame:
    """Return one row for each judgment, with the groups that were revealed."""
    frame = pd.DataFrame(
        {name: pd.Series([getattr(each, name) for each in judgments], dtype=object) for name in COLUMNS}
    )
    ids = [each for name in ("id", "other", "winner") for each in frame[name] if each is not None]
    whole = fit_int64(ids)
    for name in ("id", "other", "winner"):
        if not whole:
            frame[name] = frame[name].map(str, na_action="ignore")
        number = "int64" if name == "id" else "Int64"
        frame = frame.astype({name: number if whole else text_type()})
    if all(each is None or isinstance(each, int) for each in frame["value"]):
        frame["value"] = frame["value"].astype("float64")
    frame = frame.astype({name: dtype for name, dtype in COLUMNS.items() if dtype})
    for reveal in reveals:
        _add_groups(frame, judgments, reveal)
    return frame


def _add_groups(frame: pd.DataFrame, judgments: Sequence[Judgment], reveal: Reveal) -> None:
    """Add the revealed groups as columns: of the record, and of the other one of a pair."""
    known = reveal.shown()
    unknown = [None] * len(reveal.by)
    for of, prefix in (("id", ""), ("other", "other_")):
        keys = [
            record_key(each.collection, getattr(each, of))
            if same_service(each.service, reveal.service)
            else ""
            for each in judgments
        ]
        if known.keys().isdisjoint(keys):
            continue
        for at, name in enumerate(reveal.by):
            column = f"{prefix}group.{name}" if name in COLUMNS else prefix + name
            found = pd.Series([known.get(key, unknown)[at] for key in keys], frame.index, dtype=object)
            before = frame[column].astype(object) if column in frame else found
            frame[column] = found.where(found.notna(), before).infer_objects()


def user_name() -> str:
    """Return the name of the user, ``rater`` where the system has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may have no name for its user
        return "rater"


def record_key(collection: str, id: Id | None) -> str:
    """Return what identifies a record within a service; ids compare as text."""
    return f"{collection}/{id}"


def same_service(one: str, other: str) -> bool:
    """Return whether two records can be of one service: a frame may have lost where it came from, or its library."""
    return not one or not other or f"{one} ".startswith(f"{other} ") or f"{other} ".startswith(f"{one} ")
