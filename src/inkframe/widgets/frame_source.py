"""The frame behind an explorer: its rows by key, its pictures, and the client it came from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.analysis.facets import Facets
from inkframe.analysis.validation import require
from inkframe.errors import InvalidArgument
from inkframe.frames import origin
from inkframe.resources.open_collections import collection_of
from inkframe.resources.selection import held_by
from inkframe.schema import DOCUMENTS, RESOURCES
from inkframe.widgets.call_source import variable_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["FrameSource"]

#: The column of files, as ``download`` returns it.
FILES: Final = "path"
#: The largest picture file that is read.
MOST_BYTES: Final = 50_000_000


class FrameSource:
    """The rows of a frame by key: their ids as text, or their positions where ids are not unique.

    Args:
        frame: The frame; its columns are shared, not copied.

    Attributes:
        frame: The frame as it is now.
        facets: Its facets.
        spec: The schema of its records; documents if it is of neither collection.
        collection: The collection of its client, or None.
        keys: The key of each row.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        require(frame)
        self.frame = frame.copy(deep=False)
        self._given: pd.DataFrame | None = frame
        held = held_by(frame)
        self.spec = DOCUMENTS if held is None else RESOURCES[held]
        self.service = str(origin(frame).get("service", ""))
        self._renew()
        self.collection: Any = _collection(frame, held) if self.has_ids else None

    def _renew(self) -> None:
        self.facets = Facets(self.frame)
        texts = [str(label) for label in self.frame.index]
        self.has_ids = len(set(texts)) == len(texts)
        self.keys = texts if self.has_ids else [str(at) for at in range(len(texts))]
        self._at = {key: at for at, key in enumerate(self.keys)}

    def positions(self, keys: Iterable[str]) -> list[int]:
        """Return the positions of rows, in the order of the frame."""
        return sorted(self._at[key] for key in keys if key in self._at)

    def rows(self, positions: Sequence[int]) -> dict[str, dict[str, Any]]:
        """Return the values of some rows by key."""
        part = self.frame.iloc[list(positions)]
        records = part.to_dict("records")
        return {
            self.keys[at]: {"id": id} | {str(name): value for name, value in row.items()}
            for at, id, row in zip(positions, part.index, records, strict=True)
        }

    @property
    def variable(self) -> str:
        """The name of the user's variable that holds the same values; empty once some were changed here."""
        return "" if self._given is None else variable_name(self._given, "frame")

    @property
    def fetch(self) -> Callable[[Mapping[str, Any]], bytes] | None:
        """What returns the picture of a row by its key: through the client, or from files; None without either."""
        if FILES in self.frame.columns and "picture_url" in self.frame.columns:
            return lambda record: _file(self._row(record)[FILES])
        if self.spec.has_picture and self.collection is not None:
            source = self.collection
            return lambda record: bytes(source.picture_of_row(self._row(record)))
        return None

    def _row(self, record: Mapping[str, Any]) -> dict[str, Any]:
        key = str(record["id"])
        return self.rows([self._at[key]])[key]

    def set(self, column: str, positions: Sequence[int], value: Any) -> None:
        """Set a column of some rows; other columns stay shared with the given frame."""
        before = self.frame[column] if column in self.frame.columns else None
        values = (
            before.astype("object") if before is not None else pd.Series(None, self.frame.index, "object")
        )
        values = values.copy()
        values.iloc[list(positions)] = value
        dtype: Any = "category" if before is None else before.dtype
        if isinstance(dtype, pd.CategoricalDtype) and value is not None and value not in dtype.categories:
            dtype = pd.CategoricalDtype([*dtype.categories, value], dtype.ordered)
        self.frame = self.frame.assign(**{column: values.astype(dtype)})
        self._given = None
        self.facets = Facets(self.frame)

    def drop(self, keys: Iterable[str]) -> None:
        """Drop rows that no longer exist."""
        gone = set(self.positions(keys))
        self.frame = self.frame.iloc[[at for at in range(len(self.frame)) if at not in gone]]
        self._given = None
        self._renew()


def _collection(frame: pd.DataFrame, held: str | None) -> Any:
    """Return the collection that a frame was fetched from; None where no client is known."""
    if held is None or not origin(frame):
        return None
    try:
        return collection_of(frame, held)
    except InvalidArgument:
        return None


def _file(path: object) -> bytes:
    file = Path(str(path))
    if not file.is_file() or file.stat().st_size > MOST_BYTES:
        raise InvalidArgument(f"There is no picture file {file.name}.\nCheck the column {FILES!r}.")
    return file.read_bytes()
