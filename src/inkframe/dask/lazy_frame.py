"""A listing as a lazy dask DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pandas as pd

from inkframe.dask.partition import divide
from inkframe.dask.worker_source import Source
from inkframe.errors import ConfigurationError, UnexpectedReply
from inkframe.frames import ATTRIBUTE, provenance
from inkframe.listing.frames import FrameMaker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.dask.parts import Part
    from inkframe.listing.session import SessionCalls

__all__ = ["Fetch", "to_dask"]


def to_dask(calls: SessionCalls, queries: Sequence[dict[str, Any]], partition_size: int | None) -> Any:
    """Return a lazy frame of the records of several queries.

    Args:
        calls: The collection.
        queries: The list parameters of each list.
        partition_size: The approximate number of records in a partition.

    Raises:
        ConfigurationError: The extra ``dask`` is not installed.
    """
    try:
        import dask.dataframe

        import dask
    except ImportError as error:
        raise ConfigurationError(
            'to_dask() needs the extra "dask".\nInstall it with: pip install "inkframe[dask]"'
        ) from error
    partition = divide(calls, queries, partition_size, calls.session.width)
    sample = FrameMaker(calls).collected(partition.sample, queries)
    # Built separately, since a slice would keep the texts of the sample in memory.
    empty = {name: pd.Series([], dtype=dtype) for name, dtype in sample.dtypes.items()}
    meta = pd.DataFrame(empty, index=pd.Index([], dtype=sample.index.dtype, name="id"))
    meta.attrs[ATTRIBUTE] = provenance(
        source=calls.session.source,
        client=calls.session.id,
        collection=calls.spec.name,
        query=queries[0] if len(queries) == 1 else {},
        total=None,
        completeness="best-effort",
        reasons=["The parts are read one by one, and records may change meanwhile."],
    )
    fetch = Fetch(Source.of(calls), meta)
    known: Any = dask.dataframe  # the library has incomplete types
    # Texts keep the type that they have in all().
    with dask.config.set({"dataframe.convert-string": False}):
        return known.from_map(
            fetch,
            partition.parts,
            meta=meta,
            divisions=partition.divisions,
            label=f"inkframe-{calls.spec.name}",
        )


class Fetch:
    """Fetches a part on any worker.

    Args:
        source: The source of the records.
        meta: An empty frame with the columns of every part.
    """

    def __init__(self, source: Source, meta: pd.DataFrame) -> None:
        self.source = source
        self.meta = meta
        self._name = uuid4().hex

    def __dask_tokenize__(self) -> str:
        # Unique, since the records of the service may change between frames.
        return self._name

    def __call__(self, part: Part, columns: list[str] | None = None) -> pd.DataFrame:
        """Return the records of a part by id ascending.

        Args:
            part: The part.
            columns: The required columns; by default all.

        Raises:
            ConfigurationError: This process has no key for the service.
            InkframeError: The service could not be read.
        """
        calls = self.source.open()
        queries = [page_range.query for page_range in part.page_ranges]
        frame = FrameMaker(calls).collected(part.read(calls), queries)
        return conformed(frame, self.meta if columns is None else self.meta[columns])


def conformed(frame: pd.DataFrame, meta: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with the columns and types of another.

    Columns that a part lacks are empty, and columns that the other frame lacks are dropped. New values of a
    category are added after the known ones.

    Raises:
        UnexpectedReply: The values of a column do not fit its type.
    """
    columns = {}
    for name, dtype in meta.dtypes.items():
        if name not in frame.columns:
            columns[name] = pd.Series(None, index=frame.index, dtype=dtype)
        elif isinstance(dtype, pd.CategoricalDtype):
            values = frame[name].cat.remove_unused_categories()
            known = dtype.categories
            columns[name] = values.cat.set_categories(
                known.append(values.cat.categories.difference(known, sort=False))
            )
        else:
            columns[name] = _as(frame[name], dtype)
    index = frame.index if frame.index.dtype == meta.index.dtype else frame.index.astype(meta.index.dtype)
    whole = pd.DataFrame(columns, index=index)
    whole.attrs = dict(meta.attrs)  # the same in each part, so that they are kept when parts are joined
    return whole


def _as(values: pd.Series, dtype: Any) -> Any:
    if values.dtype == dtype:
        return values
    if values.isna().all():
        return pd.Series(None, index=values.index, dtype=dtype)
    try:
        return values.astype(dtype)
    except (TypeError, ValueError):
        raise UnexpectedReply(
            f"The column {values.name!r} must be {dtype} in every part, got {values.dtype}.\n"
            "Fetch the listing at once with all()."
        ) from None
