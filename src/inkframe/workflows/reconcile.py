"""Looking for a record by what it was made from: for lost creates, and so that none is made twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.calls.pages import PAGE_SIZE
from inkframe.replies.same_content import same_content
from inkframe.workflows.full_listing import FullListing

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from inkframe.calls.port import Calls
    from inkframe.replies.record_reply import Columns
    from inkframe.schema import ResourceSpec

__all__ = ["find"]

NEWEST: Final[dict[str, Any]] = {"sort_by": "id", "sort": "desc", "per_page": PAGE_SIZE}
#: Seconds by which the clocks of a service and of this machine may differ.
SKEW: Final = 300.0


def find(
    calls: Calls,
    fields: Mapping[str, Any],
    searches: Iterable[dict[str, Any]],
    *,
    since: float | None = None,
    beside: Container[int | str] = (),
    wholly: bool = False,
) -> tuple[int | str | None, bool]:
    """Return the id of a record with these fields: among the newest, then by its name.

    Args:
        calls: The collection.
        fields: What a create sends.
        searches: List parameters that search the whole collection for the name.
        since: Nothing older than this counts, in seconds since 1970, where the service shows times.
        beside: Ids of records that are known to be others.
        wholly: Whether more than the name must be shown, and be the same.

    Returns:
        The id, or None; and whether there was one of this name that shows nothing else to compare.
    """
    named = False
    for columns in _candidates(calls, searches):
        for row, id in enumerate(columns.ids):
            shown = {name: values[row] for name, values in columns.known.items()}
            if id in beside or _is_older(shown, since) or not _matches(calls.spec, shown, fields):
                continue
            if wholly and shown[calls.spec.source] is None:
                # Lists may leave the text out where the record itself shows it.
                shown = calls.get(id).known
                if shown[calls.spec.source] is None or not _matches(calls.spec, shown, fields):
                    named = named or shown[calls.spec.source] is None
                    continue
            return id, named
    return None, named


def _candidates(calls: Calls, searches: Iterable[dict[str, Any]]) -> Iterator[Columns]:
    yield calls.page(NEWEST).columns
    for query in searches:
        yield from FullListing(calls, query).pages()


def _matches(spec: ResourceSpec, shown: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Whether all that a record shows of these fields is the same, its name at least."""
    if shown["name"] is None or any(
        same_content(value, shown[name]) == "other" for name, value in fields.items()
    ):
        return False
    # A setting that was not asked for must not be on the record either.
    optional = (name for name, field in spec.creates.items() if field.create == "optional")
    return all(shown.get(name) in (None, "") for name in optional if name not in fields)


def _is_older(shown: Mapping[str, Any], since: float | None) -> bool:
    made = shown.get("created_at")
    return since is not None and made is not None and made.timestamp() < since - SKEW
