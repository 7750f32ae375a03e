"""Where a frame came from: its provenance in attrs, its ids, and its rows as they were fetched.

The kept frames share the texts of the user's frame, nearly all of its memory: only an edited column of texts is stored
twice.
"""

from __future__ import annotations

import json
import threading
import weakref
from datetime import UTC, datetime
from io import IOBase
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

import numpy as np
import pandas as pd

from inkframe.errors import EXPLAIN
from inkframe.schema import INT64, RESOURCES
from inkframe.versions import text_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = [
    "ATTRIBUTE",
    "ATTRS",
    "BASELINES",
    "COLUMNS",
    "LOCAL_SERVICE",
    "SOURCES",
    "Baselines",
    "attribute",
    "converted",
    "differing",
    "fit_int64",
    "named_service",
    "origin",
    "plain",
    "provenance",
    "same",
    "stacked",
]

#: The number of unreferenced frames that are kept.
MOST: Final = 32
#: The maximum of their bytes in total.
LARGEST: Final = 512 * 2**20
#: Rows up to which a frame is a page, whose size is negligible beside that of a library.
PAGE: Final = 1000

ATTRIBUTE: Final = "inkframe"
#: The attribute with the collection of each generated column of a frame of the user's own.
COLUMNS: Final = "columns"
#: The attribute with the service of each of these columns, and the client that filled it.
SOURCES: Final = "sources"
#: The name of the embedded service in frames, captions and messages.
LOCAL_SERVICE: Final = "local demo service"
#: Names of services in frames that release 0.1 saved, and their names now.
RENAMED: Final = {"local stand-in": LOCAL_SERVICE}

#: The types of values in the attrs of frames, which anyone can edit; other values are ignored.
ATTRS: Final[Mapping[str, Mapping[str, type]]] = {
    ATTRIBUTE: dict.fromkeys(
        ("service", "library", "collection", "fetched_at", "completeness", "client", "baseline"), str
    )
    | {"query": dict, "total": int, "reasons": list, "absent": list, "assumed": list},
    COLUMNS: {},
    SOURCES: {},
    "analysis": {"units": dict, "notes": list},
    "scoring": {"kinds": dict, "failed": dict, "judged": dict},
}


class Kept(NamedTuple):
    """The user's frame, if it still exists, its attrs, its rows as they were fetched, or what builds them, and their bytes."""

    held: weakref.ref[pd.DataFrame]
    attrs: dict[Any, Any]
    rows: pd.DataFrame | Callable[[], pd.DataFrame]
    size: int


class Baselines:
    """Fetched frames by the random id of their fetch, for every client of this process.

    A frame that is still referenced shares its texts and costs little. Of the others, the latest are kept.

    Args:
        most: How many frames are kept that nothing references any more.
        largest: The maximum of their bytes in total. The latest frame is kept whatever its size.
    """

    def __init__(self, most: int = MOST, largest: int = LARGEST) -> None:
        self._most, self._largest, self._threshold = most, largest, most
        self._kept: dict[str, Kept] = {}
        self._lock = threading.RLock()

    def keep(
        self,
        frame: pd.DataFrame,
        fetched: pd.DataFrame | Callable[[], pd.DataFrame] | None = None,
        came: Mapping[str, Any] | None = None,
    ) -> None:
        """Keep a frame before it is edited under the id of its fetch; rows that are known already stay as they are.

        Args:
            frame: The user's frame.
            fetched: The known rows of the frame as they were fetched, by id, or what builds them once they are needed,
                since few pages are edited; by default the frame as it is.
            came: The provenance of the rows, where it is not that of the frame.
        """
        attrs: dict[Any, Any] = {ATTRIBUTE: dict(came or frame.attrs[ATTRIBUTE])}
        key = attrs[ATTRIBUTE]["baseline"]
        rows = fetched if callable(fetched) else (frame if fetched is None else fetched).copy()
        with self._lock:
            if (known := self.find(key)) is not None and not callable(rows):
                attrs, rows = known.attrs, stacked(known, rows[~rows.index.isin(known.index)])
            if not callable(rows):
                rows.attrs = attrs
            self._kept.pop(key, None)
            self._kept[key] = Kept(weakref.ref(frame), attrs, rows, _size(rows))
            # Checking all frames for each page of a stream would take longer than reading the pages.
            if len(self._kept) > self._threshold or len(frame) > PAGE:
                self._forget()

    def clear(self) -> None:
        """Forget every frame, as a new process has none."""
        with self._lock:
            self._kept.clear()

    def _forget(self) -> None:
        size, free = 0, [key for key, kept in reversed(self._kept.items()) if kept.held() is None]
        for count, key in enumerate(free, start=1):
            size += self._kept[key].size
            if count > self._most or (size > self._largest and count > 1):
                del self._kept[key]
        self._threshold = len(self._kept) + self._most // 4

    def find(self, key: object) -> pd.DataFrame | None:
        """Return the frame of a fetch by its id, or None."""
        with self._lock:
            if not isinstance(key, str) or (kept := self._kept.get(key)) is None:
                return None
            rows = kept.rows() if callable(kept.rows) else kept.rows
            rows.attrs = kept.attrs
            self._kept[key] = kept._replace(rows=rows)
            return rows

    def covering(self, client: str, collection: str, frame: pd.DataFrame) -> pd.DataFrame | None:
        """Return the latest frame of a client and collection with all rows of a frame and what can be edited, or None.

        Args:
            client: The client's random id.
            collection: ``images`` or ``documents``.
            frame: The frame, by id.
        """
        wanted = {"client": client, "collection": collection}.items()
        with self._lock:
            latest = [
                key for key, kept in reversed(self._kept.items()) if wanted <= kept.attrs[ATTRIBUTE].items()
            ]
        edited = {*RESOURCES[collection].updates}.intersection(frame.columns)
        found = (rows for key in latest if (rows := self.find(key)) is not None)
        return next(
            (rows for rows in found if edited <= {*rows.columns} and frame.index.isin(rows.index).all()), None
        )

    def amend(self, key: object, values: Mapping[str, Mapping[Any, Any]]) -> None:
        """Update a kept frame with the values that the service has now.

        Args:
            key: The id of the fetch; an unknown one changes nothing.
            values: For each column, the new values by the records' ids.
        """
        with self._lock:
            if (known := self.find(key)) is None:
                return
            rows = known.copy()
            for column, cells in values.items():
                rows.loc[[*cells], column] = [*cells.values()]
            self._kept[str(key)] = self._kept[str(key)]._replace(rows=rows)

    def __len__(self) -> int:
        return len(self._kept)


def _size(rows: pd.DataFrame | Callable[[], pd.DataFrame]) -> int:
    """Return about how many bytes kept rows take, nearly all of it text."""
    if callable(rows) or len(rows) <= PAGE:
        return 0
    texts = [int(column.array.nbytes) for _, column in rows.items() if column.dtype == text_type()]
    return sum(texts) + 64 * len(rows)


def stacked(*parts: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of several frames as one; an empty one has no say in the types."""
    return pd.concat([part for part in parts if len(part)] or parts[:1])


#: The baselines of this process, for all clients: files and joined frames know their fetch, but not its
#: client.
BASELINES: Final = Baselines()


def provenance(
    *,
    source: Mapping[str, str],
    client: str,
    collection: str,
    query: Mapping[str, Any],
    total: int | None,
    completeness: str,
    reasons: Sequence[str] = (),
    absent: Sequence[str] = (),
    assumed: Sequence[str] = (),
    label: str = "",
) -> dict[str, Any]:
    """Return the provenance of a frame, as plain JSON without secrets.

    Args:
        source: The ``service``, its base address or ``local demo service``, and the identity of a local ``library``.
        client: The random id of the client that fetched.
        collection: ``images`` or ``documents``.
        query: The list parameters.
        total: How many records matched, if the service reports it.
        completeness: ``page``, ``exact``, ``verified`` or ``best-effort``.
        reasons: Why the completeness is not better.
        absent: Columns that the service does not show.
        assumed: What is not certain about the values; the key is left out if there is nothing.
        label: The user's name for the service; the key is left out if there is none.
    """
    return {
        **source,
        "collection": collection,
        "query": dict(query),
        "fetched_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "total": total,
        "completeness": completeness,
        "reasons": list(reasons),
        "absent": list(absent),
        **({"assumed": list(assumed)} if assumed else {}),
        **({"label": label} if label else {}),
        "client": client,
        "baseline": uuid4().hex,
    }


def attribute(frame: pd.DataFrame, name: str) -> dict[str, Any]:
    """Return what the attrs of a frame have under a name of ours, without values of another type than ours."""
    given: Any = frame.attrs.get(name)
    types = ATTRS[name]
    return {
        key: value
        for key, value in (given.items() if isinstance(given, dict) else ())
        if isinstance(value, types.get(key, object))
        and (not isinstance(value, list) or all(isinstance(each, str) for each in value))
    }


def _oddity(given: Any) -> str | None:
    """Return why a file, a frame, the frame of an accessor, or one in a list cannot be used; None if nothing is odd."""
    if isinstance(given, list | tuple):
        return next(filter(None, map(_oddity, given)), None)
    if isinstance(given, IOBase):
        return f"path must be a file name, got {type(given).__name__}.\nPass the path; files are written whole or not at all."
    frame = getattr(given, "_frame", given)
    if not isinstance(frame, pd.DataFrame):
        return None
    odd = [name for name in frame.columns if not isinstance(name, str) or not name.isprintable()]
    if odd := odd or frame.columns[frame.columns.duplicated()].tolist():
        return f"The name of each column must be a text that no other has, got {ascii(odd[0])[:60]}.\nRename or drop it."
    try:
        json.dumps(frame.attrs)
    except (TypeError, ValueError):
        return "The attrs of the frame must be plain JSON.\nRemove what was added to frame.attrs."
    return None


EXPLAIN.append(_oddity)


def origin(frame: pd.DataFrame) -> dict[str, Any]:
    """Return the provenance of a frame, or an empty dictionary."""
    came = attribute(frame, ATTRIBUTE)
    if came.get("collection") not in RESOURCES:
        came.pop("collection", None)
    renamed = RENAMED.get(str(came.get("service")))
    return came | {"service": renamed} if renamed else came


def named_service(frame: pd.DataFrame) -> str:
    """Return the name of the service of a frame in captions: its label, if it has one."""
    return str((came := origin(frame)).get("label") or came.get("service", ""))


def differing(*origins: Mapping[str, Any]) -> tuple[str, list[str]] | None:
    """Return the field in which frames are of different sources, and its values; None if they are of one.

    A service or library with a label is named by that, with its value where two have the same.

    A frame without a field fits any other: only local libraries have an identity.
    """
    for field in ("collection", "service", "library"):
        values = list(dict.fromkeys(str(each[field]) for each in origins if each.get(field) is not None))
        if len(values) > 1:
            labels = {str(each.get(field)): str(each.get("label") or "") for each in origins}
            given = list(labels.values())
            names = [
                (labels[value] if given.count(labels[value]) == 1 else f"{labels[value]} ({value})")
                if field != "collection" and labels[value]
                else value
                for value in values
            ]
            return field, names
    return None


def same(new: pd.Series, old: pd.Series) -> np.ndarray:
    """Return for each row whether two columns have the same value; missing values are equal.

    Args:
        new: A column. Strings that can be read as the other's type are converted, as after a CSV file.
        old: The column to compare with, by position.

    Returns:
        A boolean array.
    """
    missing, missed = new.isna().to_numpy(), old.isna().to_numpy()
    return (missing & missed) | (_equal(new, old) & ~missing & ~missed)


def _equal(new: pd.Series, old: pd.Series) -> np.ndarray:
    if new.dtype != old.dtype:
        new = converted(new, old.dtype)
    if new.dtype != old.dtype:
        return np.array([a == b for a, b in zip(plain(new), plain(old), strict=True)], dtype=bool)
    return np.asarray(pd.array(new.array == old.array, dtype="boolean").to_numpy(dtype=bool, na_value=False))


def converted(column: pd.Series, dtype: Any) -> pd.Series:
    """Return a column in another type, or unchanged if a value cannot be converted."""
    if isinstance(dtype, pd.CategoricalDtype) or isinstance(column.dtype, pd.CategoricalDtype):
        return column
    try:
        if isinstance(dtype, pd.DatetimeTZDtype):
            # A time without a zone is in UTC, as files have it; fractions of seconds may be left out.
            return pd.to_datetime(column, utc=True, format="ISO8601").astype(dtype)
        return column.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        return column


def plain(column: pd.Series) -> list[Any]:
    """Return a column's values as Python objects, None for missing ones."""
    return column.astype(object).where(column.notna(), None).tolist()


def fit_int64(values: Iterable[Any]) -> bool:
    """Return whether all values are integers within int64."""
    return all(isinstance(value, int) and value in INT64 for value in values)
