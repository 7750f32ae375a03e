"""Several walks as one: none of their records twice, and one verdict on all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.library.walk import Walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inkframe.library.walk import Verdict
    from inkframe.wire import Resource
    from inkframe.wire.records import Columns

__all__ = ["merged"]

IGNORED_TEMPLATE: Final = (
    "the service ignores template_id, so that templates are known only where records show them"
)


def merged(
    resource: Resource, queries: Sequence[dict[str, Any]], verdict: Verdict, order: str = "asc"
) -> Iterator[tuple[Columns, dict[str, Any]]]:
    """Give the records of several queries, none twice, each page with the query that found it.

    Args:
        resource: The collection.
        queries: The list parameters of each walk.
        verdict: Takes how complete all of them are together; its total must start at 0.
        order: As in ``Walk``.
    """
    seen: set[int | str] = set()
    for query in queries:
        walk = Walk(resource, query, order=order)
        for columns in walk.pages():
            fresh = [row for row, id in enumerate(columns.ids) if id not in seen]
            if len(fresh) < len(columns.ids) and "template_id" in query:
                yield from _unfiltered(resource, query, seen, verdict, order)
                return
            if len(queries) > 1:
                seen.update(columns.ids)
            if fresh:
                yield columns if len(fresh) == len(columns.ids) else columns.take(fresh), query
        _add(verdict, walk.verdict)
    if resource.dialect.filters_templates is False:
        verdict.reasons.append(IGNORED_TEMPLATE)


def _unfiltered(
    resource: Resource, query: dict[str, Any], seen: set[int | str], verdict: Verdict, order: str
) -> Iterator[tuple[Columns, dict[str, Any]]]:
    """Go on with one walk, after a record stood under two templates: the service ignores the filter."""
    resource.dialect.learn(filters_templates=False)
    plain = {name: value for name, value in query.items() if name != "template_id"}
    walk = Walk(resource, plain, order=order)
    for columns in walk.pages():
        fresh = [row for row, id in enumerate(columns.ids) if id not in seen]
        if fresh:
            yield columns.take(fresh), plain
    verdict.total = 0
    _add(verdict, walk.verdict)
    verdict.reasons.append(IGNORED_TEMPLATE)


def _add(verdict: Verdict, other: Verdict) -> None:
    if other.total is None or verdict.total is None:
        verdict.total = None
    else:
        verdict.total += other.total
    for reason in other.reasons:
        verdict.lower(other.completeness, reason)
