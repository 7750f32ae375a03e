"""Lists of one collection: a page as the service gives it, or every record there is."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from inkframe.calls.arguments import (
    SORT_FIELDS,
    SORTS,
    check_boolean,
    check_choice,
    check_integer,
    check_page_size,
    check_text,
)
from inkframe.calls.port import Resource
from inkframe.display.console import notice
from inkframe.frames import ATTRIBUTE, BASELINES, FrameBuilder, provenance
from inkframe.replies.filter_check import Narrowing
from inkframe.workflows.details import detailed
from inkframe.workflows.full_listing import Verdict
from inkframe.workflows.multi_query import Merge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import pandas as pd

    from inkframe.replies.dialect import Dialect
    from inkframe.replies.record_reply import Columns
    from inkframe.replies.resource_spec import Kind
    from inkframe.workflows.session import Session

__all__ = ["Listed"]

#: The most requests in flight where each page becomes a frame of its own.
STREAMED: Final = 6


class Listed:
    """A collection as far as it is listed.

    Args:
        session: What it shares with the other collection.
        kind: Images or documents.
        update_method: ``PATCH`` or ``PUT``.
    """

    def __init__(self, session: Session, kind: Kind, update_method: str | None) -> None:
        self._session = session
        self._kind = kind
        self._resource = Resource(session.conversation, kind, lambda: session.vocabulary, update_method)
        #: The filters that the service was said to ignore.
        self._warned: set[str] = set()

    @property
    def resource(self) -> str:
        """The interface's name of the collection: ``images`` or ``documents``."""
        return self._kind.resource

    @property
    def service(self) -> str:
        """What captions call the service."""
        return self._session.service

    @property
    def dialect(self) -> Dialect:
        """What was learned about this collection; assign an ``ink.Dialect`` to pin facts."""
        return self._resource.dialect

    @dialect.setter
    def dialect(self, dialect: Dialect) -> None:
        self._resource.dialect = dialect

    def to_dask(self, *, partition_size: int | None = None, **filters: Any) -> Any:
        """Give a lazy dask DataFrame of every matching record, whose partitions are fetched by the workers.

        It holds the records that are there now. Where ids are numbers, a partition is a range of them, and each
        record is in it once, whatever comes and goes meanwhile; with a search or favourites a change may move one
        out of its place. Where ids are texts, a partition is a range of pages, and records may be missing or
        stand twice if others come or go before they are read.

        Args:
            partition_size: About how many records a partition has; 1,000 to 10,000 if not given.
            **filters: As in ``pages``.

        Returns:
            A ``dask.dataframe.DataFrame`` with the columns and types of ``all``; its divisions are known where ids
            are numbers.

        Raises:
            ConfigurationError: The extra ``dask`` is not installed.
            InvalidArgument: A value is not allowed; nothing was sent.

        Example:
            >>> lazy = client.documents.to_dask(template="FAQ")
            >>> lazy["result"].str.len().mean().compute()
        """
        size = None if partition_size is None else check_integer("partition_size", partition_size)
        # A template may be given by its label as well.
        narrowing = {*self._kind.filters, *(name.removesuffix("_id") for name in self._kind.filters)}
        for name in filters.keys() - {"search", "search_by", "favorite", *narrowing}:
            raise TypeError(f"to_dask() got an unexpected keyword argument {name!r}")
        search, search_by, favorite = (
            filters.pop(name, None) for name in ("search", "search_by", "favorite")
        )
        queries = self._queries(self._common(search, search_by, favorite, None, None), filters)
        # By name: dask opens clients of its own and stands above the library.
        return import_module("inkframe.dask").to_dask(self, queries, size)

    def _queries(self, query: dict[str, Any], filters: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
        """Give the queries that together list what matches."""
        raise NotImplementedError

    def _list(self, query: dict[str, Any], page: int | None) -> pd.DataFrame:
        number = 1 if page is None else check_integer("page", page)
        found = self._resource.nth_page(query, number)
        columns = found.columns
        # A page is given as the service answers it; what it does not filter by is said.
        narrowing = self._narrowing([query])
        narrowing.matching(columns)
        frame, build = self._built(self._completed(columns, query))
        shown = query if page is None else {**query, "page": number}
        # A full page that says it is all may be one of many.
        is_open = found.is_doubtful and len(columns.ids) >= found.asked_size
        verdict = Verdict("page", narrowing.reasons, None if is_open else found.reply.total)
        self._warn(narrowing, "a page shows other records too")
        self._describe(frame, shown, verdict, columns.absent, build)
        return frame

    def _pages(self, queries: Sequence[dict[str, Any]]) -> Iterator[pd.DataFrame]:
        # Few, since each frame takes a while to build: more would only wait, and take up memory.
        merge = Merge(self._resource, queries, concurrency=min(self._width, STREAMED))
        narrowing = self._narrowing(queries)
        given = 0
        for found, query in merge.pages():
            given += len(found.ids)
            columns = narrowing.matching(found)
            self._warn(narrowing)
            if not columns.ids:
                continue
            frame, build = self._built(self._completed(columns, query))
            # The total of all, which is known from the start where there is one walk.
            total = merge.verdict.total if len(queries) == 1 else None
            self._describe(frame, query, Verdict("page", narrowing.reasons, total), columns.absent, build)
            yield frame
        self._warn_of_rest(merge.verdict, given, narrowing)

    def _all(
        self,
        queries: Sequence[dict[str, Any]],
        shown: dict[str, Any],
        *,
        limit: int | None,
        details: bool,
        progress: bool | None,
    ) -> pd.DataFrame:
        """Walk every query, merge by id, and sort as asked."""
        if limit is not None:
            check_integer("limit", limit)
        sort_by, sort = shown.get("sort_by", "id"), shown.get("sort", "desc")
        early = limit is not None and (sort_by, sort) == ("id", "desc") and len(queries) == 1
        merge = Merge(
            self._resource,
            queries,
            newest_first=early,
            concurrency=self._width,
            progress=progress,
        )
        builder = self._builder(turned=sort == "desc" and not early)
        absent: tuple[str, ...] = ()
        narrowing = self._narrowing(queries)
        given = 0
        for found, query in merge.pages():
            given += len(found.ids)
            columns = narrowing.matching(found)
            part = self._completed(self._detailed(columns) if details else columns, query)
            self._add(builder, part)
            absent = part.absent
            if early and builder.count >= (limit or 0):
                break
        else:
            self._warn_of_rest(merge.verdict, given, narrowing)
        self._warn(narrowing)
        for reason in narrowing.reasons:
            merge.verdict.lower("verified", reason)
        frame = builder.finish(sort_by, sort)
        if limit is not None and (len(frame) > limit or (early and len(frame) == limit)):
            frame = frame.head(limit)
            merge.verdict.lower("best-effort", f"stopped at limit={limit}")
        self._describe(frame, shown, merge.verdict, absent)
        return frame

    def _narrowing(self, queries: Iterable[Mapping[str, Any]]) -> Narrowing:
        return Narrowing(queries, self._kind, self._session.vocabulary)

    def _warn(self, narrowing: Narrowing, words: str = "what does not match is left out here") -> None:
        """Say once by what the service does not filter."""
        for field in narrowing.ignored:
            if field not in self._warned:
                self._warned.add(field)
                notice(f"{self._session.host} does not filter by {field}: {words}.")

    def _warn_of_rest(self, verdict: Verdict, given: int, narrowing: Narrowing) -> None:
        """Say that the service counts more than it gave; what it does not filter it counts several times."""
        is_less = verdict.completeness == "best-effort" and (verdict.total or 0) > given
        if is_less and not narrowing.ignored:
            notice(
                f"{self._session.host} counts {verdict.total:,} {self._kind.resource} and gave {given:,}: "
                f"{verdict.reasons[0]}."
            )

    @property
    def _width(self) -> int:
        """The most requests in flight; threads only slow the embedded service."""
        return 1 if self._session.is_local else self._session.concurrency

    def _detailed(self, columns: Columns) -> Columns:
        """Show each record for the columns that the list leaves out; a list that shows all is left as it is."""
        return detailed(self._resource, columns, self._width) if columns.absent else columns

    def _builder(self, *, turned: bool = False) -> FrameBuilder:
        return FrameBuilder(self._kind.resource, self._session.categories, turned=turned)

    def _gathered(
        self, found: Iterable[tuple[Columns, Mapping[str, Any]]], queries: Iterable[Mapping[str, Any]]
    ) -> pd.DataFrame:
        """Give pages, each with the query that found it, as a frame by id ascending; queries are all of these."""
        builder = self._builder()
        narrowing = self._narrowing(queries)
        for columns, query in found:
            self._add(builder, self._completed(narrowing.matching(columns), query))
        self._warn(narrowing)
        return builder.finish("id", "asc")

    def _built(self, page: Columns) -> tuple[pd.DataFrame, Callable[[], pd.DataFrame]]:
        """Give a page as a frame, and what makes the same frame once more."""
        known = self._known(page)
        builders = self._builder(), self._builder()
        for builder in builders:
            builder.add(page.ids, known, page.extra)
        return builders[0].finish(), builders[1].finish

    def _frame(self, pages: list[Columns]) -> pd.DataFrame:
        builder = self._builder()
        for columns in pages:
            self._add(builder, columns)
        return builder.finish()

    def _completed(self, columns: Columns, query: Mapping[str, Any]) -> Columns:
        """Add what the query says of records that do not show it."""
        del query  # of no use for images
        return columns

    def _known(self, columns: Columns) -> Mapping[str, Any]:
        """Give the values of each column of the collection."""
        return columns.known

    def _add(self, builder: FrameBuilder, columns: Columns) -> None:
        builder.add(columns.ids, self._known(columns), columns.extra)

    def _describe(
        self,
        frame: pd.DataFrame,
        query: Mapping[str, Any],
        verdict: Verdict,
        absent: tuple[str, ...],
        build: Callable[[], pd.DataFrame] | None = None,
    ) -> None:
        frame.attrs[ATTRIBUTE] = provenance(
            service=self._session.service,
            client=self._session.id,
            collection=self._kind.resource,
            query=query,
            total=verdict.total,
            completeness=verdict.completeness,
            reasons=verdict.reasons,
            absent=absent,
        )
        BASELINES.keep(frame, build)

    def _common(
        self,
        search: str | None,
        search_by: str | None,
        favorite: bool | None,
        sort_by: str | None,
        sort: str | None,
        per_page: int | None = None,
    ) -> dict[str, Any]:
        """Check the list parameters that both collections have; what is None is not sent."""
        query: dict[str, Any] = {}
        if search is not None:
            query["search"] = check_text("search", search)
        if search_by is not None:
            query["search_by"] = check_choice("search_by", search_by, self._kind.search_by)
        if favorite is not None:
            query["favorite"] = check_boolean("favorite", favorite)
        if sort_by is not None:
            query["sort_by"] = check_choice("sort_by", sort_by, SORT_FIELDS)
        if sort is not None:
            query["sort"] = check_choice("sort", sort, SORTS)
        if per_page is not None:
            query["per_page"] = check_page_size(per_page)
        return query

    def __repr__(self) -> str:
        return f"<{self._kind.resource} of {self._session.host}>"
