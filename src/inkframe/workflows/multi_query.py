"""Several walks as one: none of their records twice, and one verdict on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.concurrency.worker_pool import Crew, Pace
from inkframe.display.console import ListingProgress
from inkframe.http.deadline import Scope
from inkframe.workflows.full_listing import Verdict, Walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inkframe.calls.pages import Page
    from inkframe.calls.port import Resource
    from inkframe.replies.record_reply import Columns

__all__ = ["Merge"]

#: Walks that are read side by side, and the most records of one that is: more pages of its own keep every line busy.
ABREAST: Final = 8
SHORT: Final = 2_000
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
        self._listing = ListingProgress(progress, resource.kind.resource)
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
        for number, (walk, first, read) in enumerate(self._begun(walks), 1):
            query = self._queries[number - 1]
            self._listing.begin(number, len(walks), "template" if "template_id" in query else "filter")
            self._expect(first.reply.total)
            for columns in walk.pages(first) if read is None else read:
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
        self._note_refusals(walks)

    def _note_refusals(self, walks: Sequence[Walk]) -> None:
        """Say which templates the service does not know, if it knows any."""
        refused = {walk.template: walk.refusal for walk in walks if walk.refusal is not None}
        if len(refused) == len(walks):
            raise next(iter(refused.values()))
        if refused:
            self.verdict.reasons.append(f"the service does not know template {', '.join(map(str, refused))}")

    def _walk(self, query: dict[str, Any]) -> Walk:
        return Walk(
            self._resource, query, newest_first=self._newest_first, scope=self._scope, pace=self._pace
        )

    def _begun(self, walks: Sequence[Walk]) -> Iterator[tuple[Walk, Page, list[Columns] | None]]:
        """Give each walk with its first page, and with all it gives where that was read meanwhile."""
        yield walks[0], walks[0].newest(), None
        abreast = min(ABREAST, self._pace.width)
        each = self._pace.width // abreast

        def begin(walk: Walk) -> tuple[Walk, Page, list[Columns] | None]:
            first = walk.newest()
            if abreast == 1 or first.reply.total is None or first.reply.total > SHORT:
                return walk, first, None
            return walk, first, [*walk.pages(first, self._pace.part(each))]

        crew = Crew(begin, self._pace.part(abreast), self._scope, lambda begun: begun[1].headers)
        yield from crew.run(walks[1:])

    def _unfiltered(self, query: dict[str, Any]) -> Iterator[tuple[Columns, dict[str, Any]]]:
        """Go on with one walk, after a record stood under two templates: the service ignores the filter."""
        self._resource.dialect.learn(filters_templates=False)
        plain = {name: value for name, value in query.items() if name != "template_id"}
        walk = self._walk(plain)
        first = walk.newest()
        self.verdict.total = first.reply.total
        for columns in walk.pages(first):
            fresh = [row for row, id in enumerate(columns.ids) if id not in self._seen]
            self._listing.add(len(fresh), self._pace.limit)
            if fresh:
                yield columns.take(fresh), plain
        self._add(walk.verdict)

    def _expect(self, total: int | None) -> None:
        """Take account of how many records a walk will give."""
        known = self.verdict.total
        self.verdict.total = None if total is None or known is None else known + total
        self._listing.expect(total)

    def _add(self, other: Verdict) -> None:
        if other.total is None:
            self.verdict.total = None
        for reason in other.reasons:
            self.verdict.lower(other.completeness, reason)
