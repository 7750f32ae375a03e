"""Frames built from pages and records of one collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inkframe.frames import ATTRIBUTE, BASELINES, FrameBuilder, provenance
from inkframe.listing.filter_check import FilterCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas as pd

    from inkframe.listing.completeness import Completeness
    from inkframe.listing.session import SessionCalls
    from inkframe.replies.columns import Columns

__all__ = ["FrameMaker"]


class FrameMaker:
    """Builds frames from pages and records of one collection.

    Args:
        calls: The collection.
    """

    def __init__(self, calls: SessionCalls) -> None:
        self._calls = calls
        #: The times without a zone so far, in order.
        self._assumed: dict[str, None] = {}

    def builder(self, *, turned: bool = False) -> FrameBuilder:
        """Return a builder of one frame from pages.

        Args:
            turned: Whether to reverse the order of records.
        """
        return FrameBuilder(self._calls.spec.name, self._calls.session.categories, turned=turned)

    def filter_check(self, queries: Iterable[Mapping[str, Any]]) -> FilterCheck:
        """Return the check that removes records that do not match the queries."""
        return FilterCheck(queries, self._calls.spec, self._calls.session.vocabulary)

    def warn(self, check: FilterCheck, words: str = "records that do not match are removed") -> None:
        """Print once which filters the service ignores."""
        for field in check.ignored:
            self._calls.session.say_once(
                f"{self._calls.spec.name}.{field}",
                f"{self._calls.session.host} does not filter by {field}: {words}.",
            )

    def add(self, builder: FrameBuilder, columns: Columns) -> None:
        """Add a page to a frame, with labels from the vocabulary."""
        known: dict[str, Sequence[Any]] = dict(columns.known)
        for field in self._calls.spec.labels:
            numbers = known[str(field.label_of)]
            labels = {number: self._calls.session.template_label(number) for number in set(numbers)}
            known[field.name] = [labels[number] for number in numbers]
        builder.add(columns.ids, known, columns.extra)

    def completed(self, columns: Columns, query: Mapping[str, Any]) -> Columns:
        """Fill columns that records omit with the values of the query, and note what is assumed."""
        self._assumed |= dict.fromkeys(columns.assumed)
        if self._calls.dialect.filters_templates is False:
            return columns
        for name in self._calls.spec.filter_defaults:
            if name in query and name in columns.absent:
                columns.known[name] = [query[name]] * len(columns.ids)
                columns.absent = tuple(absent for absent in columns.absent if absent != name)
        return columns

    def of_page(self, columns: Columns) -> tuple[pd.DataFrame, Callable[[], pd.DataFrame]]:
        """Return a page as a frame, and a function that builds the same frame again."""
        builder = self.builder()
        self.add(builder, columns)
        return builder.finish(keep=True), builder.finish

    def of_pages(self, pages: Iterable[Columns]) -> pd.DataFrame:
        """Return pages as one frame, in their order."""
        builder = self.builder()
        for columns in pages:
            self.add(builder, columns)
        return builder.finish()

    def of_rows(self, rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
        """Return records, given as mappings with ``id``, every column and ``extra``, as a frame."""
        columns = {name: [row[name] for row in rows] for name in self._calls.spec.columns}
        names = dict.fromkeys(name for row in rows for name in row["extra"])
        extra = {name: [row["extra"].get(name) for row in rows] for name in names}
        builder = self.builder()
        builder.add([row["id"] for row in rows], columns, extra)
        return builder.finish()

    def collected(
        self, found: Iterable[tuple[Columns, Mapping[str, Any]]], queries: Iterable[Mapping[str, Any]]
    ) -> pd.DataFrame:
        """Return pages with their queries as one frame by id ascending."""
        builder = self.builder()
        check = self.filter_check(queries)
        for columns, query in found:
            self.add(builder, self.completed(check.matching(columns), query))
        self.warn(check)
        return builder.finish("id", "asc")

    def describe(
        self,
        frame: pd.DataFrame,
        query: Mapping[str, Any],
        completeness: Completeness,
        absent: tuple[str, ...],
        build: Callable[[], pd.DataFrame] | None = None,
        known: pd.DataFrame | None = None,
    ) -> None:
        """Store the provenance of a frame in its attrs, and its baseline for ``push``.

        Args:
            frame: The frame.
            query: The parameters of the listing.
            completeness: Its completeness.
            absent: The columns that the service does not show.
            build: Builds the baseline again; by default the frame itself is kept.
            known: The baseline, where the frame is not by id.
        """
        frame.attrs[ATTRIBUTE] = provenance(
            source=self._calls.session.source,
            client=self._calls.session.id,
            collection=self._calls.spec.name,
            query=query,
            total=completeness.total,
            completeness=completeness.level,
            reasons=completeness.reasons,
            absent=absent,
            assumed=[f"{name} has no zone and is read as UTC" for name in self._assumed],
        )
        if known is None:
            BASELINES.keep(frame, build)
        else:
            BASELINES.restore(frame, known)
