"""The frame behind an explorer: its rows by key, its pictures, its client, and the labels given to records."""

from __future__ import annotations

import hashlib
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import pandas as pd

from inkframe.analysis.term_weights import similar
from inkframe.analysis.validation import align_vectors, ask_vectors, cosines, require
from inkframe.deciding.ratings import Judgment, RatingsFile, record_key, user_name
from inkframe.display.console import progress_bar, variable_name
from inkframe.errors import InvalidArgument
from inkframe.exploring.facets import NEAR, Facets
from inkframe.frames import kind_of, of_column, origin, records_of
from inkframe.resources.views import collection_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["LABEL", "FrameSource", "restore_labels", "save_label"]

#: The column of files, as ``download`` returns it.
FILES: Final = "path"
#: The largest picture file that is read.
MOST_BYTES: Final = 50_000_000
#: The column of labels, and the question under which the file has them.
LABEL: Final = "label"
QUESTION: Final = "Label"
#: The columns of texts that identify a record, beside its time of creation: the first that a frame has.
TEXTS: Final = ("prompt", "description", "result")


class FrameSource:
    """The rows of a frame by key: their ids as text, or their positions if it has none, or one is repeated.

    Args:
        frame: The frame, which is kept as it is now.
        x: The column of own positions on the map.
        y: The column of their second coordinate.
        vectors: Own vectors, a row for each, or a function from a list of texts to their vectors.
        column: The generated column whose records are shown, where there are several.

    Raises:
        InvalidArgument: A column does not exist, or the vectors do not fit.

    Attributes:
        frame: The frame as it is now.
        facets: Its facets.
        spec: The schema of its records; documents if it is of neither collection.
        column: The generated column of these records; empty if each row is a record.
        collection: The collection of its client, or None.
        ids: The id of each row, or its position.
        keys: The key of each row.
        places: Own positions on the map, or None.
        given_vectors: The vectors or the function that was given, or None.
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        x: str | None = None,
        y: str | None = None,
        vectors: Any = None,
        column: str | None = None,
    ) -> None:
        require(frame)
        self.frame = frame.copy()
        self._given: pd.DataFrame | None = frame
        self.spec, self.column = kind_of(frame, column=column)
        self.given_vectors = vectors
        #: Called with the share of the texts whose vectors are known, before each batch that a function is asked for.
        self.progress: Callable[[float], object] = lambda _share: None
        self._vectors: NDArray[np.float32] | None = None
        if not callable(vectors):
            self._vectors = self.vectors
        #: Columns that were added here, not given, and the names of those that were found.
        self.added: set[str] = set()
        self.names: dict[str, str] = {}
        self._renew()
        if (x is None) != (y is None):
            raise InvalidArgument("x and y must be passed together.\nPass both columns, or none.")
        own = [self.facets[name].name for name in (x, y) if name is not None]
        self.places = self.frame[own] if own else None
        self.collection: Any = None
        if self.has_ids and origin(self._records):
            with suppress(InvalidArgument):  # no client is known
                self.collection = collection_of(self._records, self.spec.name)
        self.service = str(origin(self._records).get("service", ""))

    def _renew(self) -> None:
        self.facets = Facets(self.frame, self._closeness if callable(self.given_vectors) else None)
        self._records, found = self.frame, {}
        with suppress(InvalidArgument):
            held = records_of(self.frame, self.spec.name, column=self.column or None, distinct=True)
            self._records, found = held.frame, dict(zip(held.places, held.frame.index.tolist(), strict=True))
        self.has_ids = bool(found)
        missing = "row {}" if found else "{}"
        self.ids: list[Any] = [found.get(at, missing.format(at)) for at in range(len(self.frame))]
        self.keys = [str(id) for id in self.ids]
        self._at = {key: at for at, key in enumerate(self.keys)}

    @property
    def text_column(self) -> str | None:
        """The column of texts that records are compared by; None for ``result`` or the description of images.

        Raises:
            InvalidArgument: The frame has no texts.
        """
        if self.column and not self.spec.has_picture:
            return self.column
        if {"result", "description"} & set(self.frame.columns):
            return None
        for name in self.facets.texts:
            return name
        raise InvalidArgument("The frame has no texts to compare.\nAdd a column of texts.")

    @property
    def unasked(self) -> range:
        """The rows for which a function is asked when vectors are needed."""
        return range(len(self.frame) if callable(self.given_vectors) and self._vectors is None else 0)

    @property
    def vectors(self) -> NDArray[np.float32] | None:
        """Own vectors in the order of the frame, NaN where there is none, or None; a function is asked for new texts."""
        if self._vectors is None and (given := self.given_vectors) is not None:
            column, count = self.text_column if callable(given) else None, len(self.unasked)
            # Threads of a panel have its bar; code waits for this one.
            is_awaited = bool(count) and threading.current_thread() is threading.main_thread()
            with progress_bar(None if is_awaited else False, count, "Vectors", "texts", leave=False) as bar:

                def tell(share: float) -> None:
                    self.progress(share)
                    bar.update(round(count * share) - bar.n)

                values, present = align_vectors(self.frame, given, column, tell)
            self._vectors = np.where(present[:, None], values, np.float32(np.nan))
        return self._vectors

    def nearest(self, text: str, n: int) -> pd.DataFrame:
        """Return the rows closest to a text in meaning, as ``similar`` does.

        Raises:
            InvalidArgument: There is no function of vectors, or it failed.
        """
        self.facets.check({NEAR: (text, n)})
        return similar(self.frame, text, n, column=self.text_column, vectors=self.given_vectors)

    def similar_options(self, panel: str) -> str:
        """Return the arguments of ``similar`` for the vectors, with the user's own name of the function.

        Args:
            panel: The name of the explorer, which has a function without a name.
        """
        given, column = self.given_vectors, self.text_column
        owner = variable_name(getattr(given, "__self__", self), "")
        name = variable_name(given, f"{owner}.{given.__name__}" if owner else f"{panel}.vectors")
        return f"vectors={name}" + (f", column={column!r}" if column else "")

    def _closeness(self, text: str) -> NDArray[np.float64]:
        """Return the cosine of each row with a text, NaN without a vector."""
        values = cast("NDArray[np.float32]", self.vectors)
        return cosines(values, ask_vectors(self.given_vectors, [text])[0])

    def positions(self, keys: Iterable[str]) -> list[int]:
        """Return the positions of rows, in the order of the frame."""
        return sorted(self._at[key] for key in keys if key in self._at)

    def rows(self, positions: Sequence[int]) -> dict[str, dict[str, Any]]:
        """Return the values of some rows by key; ``id`` is the key where there is no id."""
        part = self.frame.iloc[list(positions)]
        part = of_column(part, self.column, self.spec) if self.column else part
        return {
            self.keys[at]: {"id": self.ids[at]}
            | {str(name): value for name, value in row.items() if name != "id"}
            for at, row in zip(positions, part.to_dict("records"), strict=True)
        }

    def __contains__(self, key: str) -> bool:
        return key in self._at

    def __getitem__(self, key: str) -> dict[str, Any]:
        return self.rows([self._at[key]])[key]

    @property
    def variable(self) -> str:
        """The name of the user's variable that holds the same values; empty once some were changed here."""
        return "" if self._given is None else variable_name(self._given, "frame")

    @property
    def fetch(self) -> Callable[[Mapping[str, Any]], bytes] | None:
        """What returns the picture of a row by its key: through the client, or from files; None without either."""
        if FILES in self.frame.columns and "picture_url" in self.frame.columns:
            return lambda record: _file(self[str(record["id"])][FILES])
        if self.spec.has_picture and self.collection is not None:
            source = self.collection
            return lambda record: bytes(source.picture_of_row(self[str(record["id"])]))
        return None

    def set(self, column: str, positions: Sequence[int], value: Any) -> None:
        """Set a column of some rows; other columns stay shared with the given frame.

        Of a record beside a person's own columns, only what was generated is in the frame.
        """
        if self.column and column in self.spec.columns:
            if column != self.spec.generated:
                return
            column = self.column
        index = self.frame.index
        values = (
            self.frame[column].copy()
            if column in self.frame.columns
            else pd.Series(pd.Categorical([None] * len(index)), index)
        )
        if isinstance(values.dtype, pd.CategoricalDtype):
            if value is not None and value not in values.cat.categories:
                values = values.cat.add_categories([value])
        elif isinstance(value, str) and not pd.api.types.is_string_dtype(values.dtype):
            values = values.astype("object")
        values.iloc[list(positions)] = value
        self._put({column: values})

    def add(self, columns: Mapping[str, pd.Series]) -> list[str]:
        """Add columns for all rows, in place of those that were added before; return their names.

        A column of the same name that was given is kept: the new one gets a longer name.
        """
        named: dict[str, pd.Series] = {}
        for name, values in columns.items():
            while name in self.frame.columns and name not in self.added:
                name += " found"  # noqa: PLW2901  # until it is free
            named[name] = values
        self._put(named)
        self.added |= set(named)
        self.names |= dict(zip(columns, named, strict=True))
        return list(named)

    def _put(self, columns: Mapping[str, pd.Series]) -> None:
        self.frame = self.frame.copy()
        for name, values in columns.items():
            self.frame[name] = values.array
        self._given = None
        self._vectors = None if callable(self.given_vectors) else self._vectors  # a text may be another one
        self.facets = self.facets.renewed(self.frame, columns)

    def drop(self, keys: Iterable[str]) -> None:
        """Drop rows that no longer exist."""
        left = np.delete(np.arange(len(self.frame)), self.positions(keys))
        self.frame = self.frame.take(left)
        self.places = None if self.places is None else self.places.take(left)
        self._vectors = None if self._vectors is None else self._vectors[left]
        self._given = None
        self._renew()


def _file(path: object) -> bytes:
    file = Path(str(path))
    if not file.is_file() or file.stat().st_size > MOST_BYTES:
        raise InvalidArgument(f"There is no picture file {file.name}.\nCheck the column {FILES!r}.")
    return file.read_bytes()


def save_label(source: FrameSource, positions: Sequence[int], value: str | None) -> None:
    """Save the label of some rows; None takes it away.

    Raises:
        ConfigurationError: The file cannot be written.
    """
    file = RatingsFile()
    for at in positions:
        id = source.ids[at]
        file.add(
            Judgment(
                id if isinstance(id, int | str) else str(id),
                user_name(),
                "labels",
                QUESTION,
                service=source.service,
                collection=source.spec.name,
                content=" ".join(_marks(source, at)),
                value=value,
                blind=False,
            )
        )


def restore_labels(source: FrameSource) -> list[str]:
    """Add the labels that the records were given before, and return the different ones.

    Frames with a column of labels keep it; frames without provenance have no records to recognize.
    """
    if LABEL in source.frame.columns or not source.service or not source.has_ids:
        return []
    try:
        judgments, _, _ = RatingsFile().read()
    except InvalidArgument:
        return []  # the first label that is given says that the file cannot be used
    places = {record_key(source.spec.name, id): at for at, id in enumerate(source.ids)}
    given: dict[int, Any] = {}
    for each in judgments:
        at = places.get(record_key(each.collection, each.id))
        if at is None or each.question != QUESTION or each.service != source.service:
            continue
        then = dict(mark.partition(":")[::2] for mark in each.content.split())
        here = dict(mark.partition(":")[::2] for mark in _marks(source, at))
        common = [kind for kind in here if kind in then]  # the time first, which decides where both have it
        if here[common[0]] == then[common[0]] if common else not (here and then):
            given[at] = each.value
    labels = list(dict.fromkeys(value for value in given.values() if isinstance(value, str)))
    for label in labels:
        source.set(LABEL, [at for at, value in given.items() if value == label], label)
    return labels


def _marks(source: FrameSource, at: int) -> list[str]:
    """Return what a record has beside its id, which records of other local libraries share.

    A frame may lack the time, and another the text.
    """
    frame = source.frame
    marks = []
    if "created_at" in frame.columns and pd.notna(time := frame["created_at"].iloc[at]):
        marks.append(f"created:{pd.Timestamp(time).as_unit('us').value}")
    for name in TEXTS:
        if name in frame.columns and isinstance(text := frame[name].iloc[at], str):
            digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
            marks.append(f"{name}:{digest[:16]}")
            break
    return marks
