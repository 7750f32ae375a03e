"""What images and documents have in common: the five operations and whole listings."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from inkframe.errors import InkframeError, InvalidArgument, OutcomeUnknown
from inkframe.frames import ATTRIBUTE, FrameBuilder, provenance
from inkframe.library.arguments import (
    SORT_FIELDS,
    SORTS,
    NotGiven,
    check_boolean,
    check_choice,
    check_id,
    check_integer,
    check_page_size,
    check_text,
)
from inkframe.library.records import Document, Image
from inkframe.library.walk import Verdict, Walk
from inkframe.wire import Resource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pandas as pd

    from inkframe.library.session import Session
    from inkframe.wire import Dialect, Kind, Record
    from inkframe.wire.records import Columns

__all__ = ["Collection"]

RecordType = TypeVar("RecordType", Image, Document)

IGNORED_TEMPLATE: Final = (
    "the service ignores template_id, so that templates are known only where records show them"
)
#: How many of the newest records are compared when a lost create is looked for.
RECONCILED: Final = 100


class Collection(Generic[RecordType]):
    """One of the two collections of a service.

    Args:
        session: What it shares with the other collection.
        kind: Images or documents.
        update_method: ``PATCH`` or ``PUT``.
    """

    def __init__(self, session: Session, kind: Kind, update_method: str) -> None:
        self._session = session
        self._kind = kind
        self._resource = Resource(session.conversation, kind, update_method)

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

    def get(self, id: int | str | RecordType) -> RecordType:
        """Give one record.

        Args:
            id: Its id, or the record, to see how it is now.

        Raises:
            NotFound: There is none with this id.
        """
        return self._kept(self._resource.get(check_id(id)))

    def delete(self, id: int | str | RecordType) -> None:
        """Delete one record; this cannot be undone.

        Args:
            id: Its id, or the record.

        Raises:
            NotFound: There is none with this id.
        """
        self._resource.delete(check_id(id))

    def _create(self, fields: dict[str, Any]) -> RecordType:
        session = self._session
        session.claim_creation()
        try:
            return self._kept(self._resource.create(fields))
        except OutcomeUnknown as error:
            error._look = lambda: self._find_created(fields)  # noqa: SLF001  # the wire knows no records
            raise
        except InkframeError:
            session.return_creation()
            raise

    def _find_created(self, fields: Mapping[str, Any]) -> RecordType | None:
        """Look among the newest records for one with these fields."""
        query: dict[str, Any] = {"sort_by": "id", "sort": "desc", "per_page": RECONCILED}
        columns = self._resource.page(query).columns
        for row in range(len(columns.ids)):
            shown = {name: values[row] for name, values in columns.known.items()}
            if all(shown[name] is None or same(shown[name], value) for name, value in fields.items()):
                return self.get(columns.ids[row])
        return None

    def _update(self, id: int | str | RecordType, fields: Mapping[str, object]) -> RecordType:
        given = {name: value for name, value in fields.items() if not isinstance(value, NotGiven)}
        if not given:
            names = ", ".join(f"{name}=…" for name in fields)
            raise InvalidArgument(f"There is nothing to change.\nGive at least one of {names}.")
        sent: dict[str, Any] = {}
        for name, value in given.items():
            if name == "favorite":
                sent[name] = check_boolean(name, value)
            else:
                sent[name] = check_text(name, value, empty=name == "result")
        return self._kept(self._resource.update(check_id(id), sent))

    def _kept(self, record: Record) -> RecordType:
        raise NotImplementedError

    def _list(self, query: dict[str, Any], page: int | None) -> pd.DataFrame:
        number = 1 if page is None else check_integer("page", page)
        found = self._resource.nth_page(query, number)
        frame = self._frame([self._completed(found.columns, query)])
        shown = query if page is None else {**query, "page": number}
        self._describe(frame, shown, Verdict("page", total=found.reply.total), found.columns.absent)
        return frame

    def _pages(self, queries: list[dict[str, Any]]) -> Iterator[pd.DataFrame]:
        verdict = Verdict("page", total=0)
        for columns, query in self._columns(queries, verdict):
            frame = self._frame([columns])
            self._describe(frame, query, Verdict("page", total=verdict.total), columns.absent)
            yield frame

    def _all(self, queries: list[dict[str, Any]], shown: dict[str, Any], limit: int | None) -> pd.DataFrame:
        """Walk every query, merge by id, and sort as asked."""
        if limit is not None:
            check_integer("limit", limit)
        verdict = Verdict(total=0)
        builder = self._builder()
        absent: tuple[str, ...] = ()
        newest_first = shown.get("sort_by", "id") == "id" and shown.get("sort", "desc") == "desc"
        early = limit is not None and newest_first and len(queries) == 1
        for columns, _ in self._columns(queries, verdict, order="desc" if early else "asc"):
            self._add(builder, columns)
            absent = columns.absent
            if early and builder.count >= (limit or 0):
                break
        frame = self._sorted(builder.finish(), shown)
        if limit is not None and len(frame) > limit:
            frame = frame.head(limit)
            verdict.lower("best-effort", f"stopped at limit={limit}")
        self._describe(frame, shown, verdict, absent)
        return frame

    def _columns(
        self, queries: list[dict[str, Any]], verdict: Verdict, order: str = "asc"
    ) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Give the records of several queries, none twice, each with the query that found it."""
        seen: set[int | str] = set()
        for query in queries:
            walk = Walk(self._resource, query, order=order)
            for columns in walk.pages():
                fresh = [row for row, id in enumerate(columns.ids) if id not in seen]
                if len(fresh) < len(columns.ids) and "template_id" in query:
                    yield from self._unfiltered(query, seen, verdict, order)
                    return
                if len(queries) > 1:
                    seen.update(columns.ids)
                if fresh:
                    part = columns if len(fresh) == len(columns.ids) else columns.take(fresh)
                    yield self._completed(part, query), query
            self._merge(verdict, walk.verdict)
        if self._resource.dialect.filters_templates is False:
            verdict.reasons.append(IGNORED_TEMPLATE)

    def _unfiltered(
        self, query: dict[str, Any], seen: set[int | str], verdict: Verdict, order: str
    ) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Go on with one walk, after a record stood under two templates: the service ignores the filter."""
        self._resource.dialect.learn(filters_templates=False)
        plain = {name: value for name, value in query.items() if name != "template_id"}
        walk = Walk(self._resource, plain, order=order)
        for columns in walk.pages():
            fresh = [row for row, id in enumerate(columns.ids) if id not in seen]
            if fresh:
                yield columns.take(fresh), plain
        verdict.total = 0
        self._merge(verdict, walk.verdict)
        verdict.reasons.append(IGNORED_TEMPLATE)

    def _merge(self, verdict: Verdict, other: Verdict) -> None:
        if other.total is None or verdict.total is None:
            verdict.total = None
        else:
            verdict.total += other.total
        for reason in other.reasons:
            verdict.lower(other.completeness, reason)

    def _sorted(self, frame: pd.DataFrame, query: Mapping[str, Any]) -> pd.DataFrame:
        import numpy as np

        ascending = query.get("sort", "desc") == "asc"
        if query.get("sort_by") == "name":
            names = frame["name"].str.casefold().fillna("")
            order = names.argsort(kind="stable").to_numpy()
        elif frame.index.dtype == np.int64:
            order = np.argsort(frame.index.to_numpy(), kind="stable")
        else:
            # Text ids have no order of their own; the time of creation has one.
            order = frame["created_at"].argsort(kind="stable").to_numpy()
        return frame.iloc[order if ascending else order[::-1]]

    def _builder(self) -> FrameBuilder:
        return FrameBuilder(self._kind.resource, self._session.categories)

    def _frame(self, pages: list[Columns]) -> pd.DataFrame:
        builder = self._builder()
        for columns in pages:
            self._add(builder, columns)
        return builder.finish()

    def _completed(self, columns: Columns, query: Mapping[str, Any]) -> Columns:
        """Add what the query says of records that do not show it."""
        del query  # of no use for images
        return columns

    def _add(self, builder: FrameBuilder, columns: Columns) -> None:
        builder.add(columns.ids, columns.known, columns.extra)

    def _describe(
        self, frame: pd.DataFrame, query: Mapping[str, Any], verdict: Verdict, absent: tuple[str, ...]
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


def combinations(query: Mapping[str, Any], filters: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Give a query for each combination of the filters' values, without what only orders."""
    kept = {name: value for name, value in query.items() if name not in {"sort", "sort_by", "per_page"}}
    return [{**kept, **dict(zip(filters, values, strict=True))} for values in product(*filters.values())]


def several(field: str, given: Any) -> Sequence[Any]:
    """Give the values of a filter that takes one or any of several."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        return (given,)
    values = tuple(dict.fromkeys(given))
    if not values:
        raise InvalidArgument(f"{field} is an empty list.\nLeave it out to take every {field}.")
    return values


def single(field: str, values: Sequence[Any]) -> Any:
    """Give the one value of a filter that takes no more."""
    if len(values) != 1:
        raise InvalidArgument(
            f"{field} has {len(values)} values, and one page takes one.\nUse all() for several."
        )
    return values[0]


def shown(filters: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Give filters as provenance shows them."""
    return {field: values[0] if len(values) == 1 else [*values] for field, values in filters.items()}


def same(shown: Any, sent: Any) -> bool:
    """Whether a service shows what was sent; services trim texts and write numbers in their own way."""
    if isinstance(shown, str) and isinstance(sent, str):
        return shown.replace("\r\n", "\n").strip() == sent.replace("\r\n", "\n").strip()
    if isinstance(shown, float):
        return abs(shown - float(sent)) < 1e-9
    return bool(shown == sent)
