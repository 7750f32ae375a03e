"""Several walks as one: none of their records twice, and one verdict on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.library.crew import Crew, Pace
from inkframe.library.progress import Listing
from inkframe.library.walk import Verdict, Walk
from inkframe.wire.watchdog import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inkframe.wire import Page, Resource
    from inkframe.wire.records import Columns

__all__ = ["Merge"]

IGNORED_TEMPLATE: Final = (
    "the service ignores template_id, so that templates are known only where records show them"
)


class Merge:
    """The records of several queries, none twice.

    Args:
        resource: The collection.
        queries: The list parameters of each walk.
        newest_first: As in ``Walk``.
        concurrency: The most requests in flight.
        progress: Whether a bar is shown.

    Attributes:
        verdict: How complete they are together, once every page was given.
    """

    def __init__(
        self,
        resource: Resource,
        queries: Sequence[dict[str, Any]],
        *,
        newest_first: bool = False,
        concurrency: int = 1,
        progress: bool | None = False,
    ) -> None:
        self.verdict = Verdict(total=0)
        self._resource = resource
        self._queries = queries
        self._newest_first = newest_first
        self._scope = Scope()
        self._pace = Pace(concurrency)
        self._listing = Listing(progress, resource.kind.resource)
        self._seen: set[int | str] = set()

    def pages(self) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Give the records page by page, each with the query that found it."""
        try:
            yield from self._filtered()
        finally:
            self._listing.close()
        if self._resource.dialect.filters_templates is False:
            self.verdict.reasons.append(IGNORED_TEMPLATE)

    def _filtered(self) -> Iterator[tuple[Columns, dict[str, Any]]]:
        walks = [self._walk(query) for query in self._queries]
        several = len(walks) > 1
        for number, (walk, first) in enumerate(self._begun(walks), 1):
            query = self._queries[number - 1]
            self._listing.walk(number, len(walks), "template" if "template_id" in query else "filter")
            self._listing.expect(first.reply.total)
            for columns in walk.pages(first):
                fresh = [row for row, id in enumerate(columns.ids) if id not in self._seen]
                if len(fresh) < len(columns.ids) and "template_id" in query:
                    yield from self._unfiltered(query)
                    return
                if several:
                    self._seen.update(columns.ids)
                self._listing.add(len(fresh), self._pace.limit)
                if fresh:
                    yield columns if len(fresh) == len(columns.ids) else columns.take(fresh), query
            self._add(walk.verdict)

    def _walk(self, query: dict[str, Any]) -> Walk:
        return Walk(
            self._resource, query, newest_first=self._newest_first, scope=self._scope, pace=self._pace
        )

    def _begun(self, walks: Sequence[Walk]) -> Iterator[tuple[Walk, Page]]:
        """Give each walk with its first page; those of later walks are fetched ahead."""
        first = walks[0].newest()
        yield walks[0], first
        crew = Crew(Walk.newest, self._pace, self._scope, lambda page: page.headers)
        yield from zip(walks[1:], crew.run(walks[1:]), strict=True)

    def _unfiltered(self, query: dict[str, Any]) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Go on with one walk, after a record stood under two templates: the service ignores the filter."""
        self._resource.dialect.learn(filters_templates=False)
        plain = {name: value for name, value in query.items() if name != "template_id"}
        walk = self._walk(plain)
        for columns in walk.pages():
            fresh = [row for row, id in enumerate(columns.ids) if id not in self._seen]
            self._listing.add(len(fresh), self._pace.limit)
            if fresh:
                yield columns.take(fresh), plain
        self.verdict.total = 0
        self._add(walk.verdict)

    def _add(self, other: Verdict) -> None:
        total = self.verdict.total
        self.verdict.total = None if other.total is None or total is None else total + other.total
        for reason in other.reasons:
            self.verdict.lower(other.completeness, reason)
