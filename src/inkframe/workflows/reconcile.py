"""Search for a record by its fields, for lost creates and to avoid duplicates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.calls.pages import PAGE_SIZE
from inkframe.replies.same_content import same_content
from inkframe.workflows.full_listing import FullListing

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from inkframe.calls.port import Calls
    from inkframe.replies.columns import Columns
    from inkframe.schema import ResourceSpec

__all__ = ["find"]

NEWEST: Final[dict[str, Any]] = {"sort_by": "id", "sort": "desc", "per_page": PAGE_SIZE}
#: The allowed difference in seconds between the clocks of a service and this machine.
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
    """Return the id of a record with these fields, searching the newest records and then by name.

    Args:
        calls: The collection.
        fields: The fields of the create.
        searches: List parameters that search the whole collection for the name.
        since: The minimum time of creation in seconds since 1970, if the service returns times.
        beside: Ids of records that are known to be different.
        wholly: Whether more than the name must be present and equal.

    Returns:
        The id, or None; and whether a record with this name has no other fields to compare.
    """
    named = False
    for columns in _candidates(calls, searches):
        for row, id in enumerate(columns.ids):
            shown = {name: values[row] for name, values in columns.known.items()}
            if id in beside or _is_older(shown, since) or not _matches(calls.spec, shown, fields):
                continue
            if wholly and shown[calls.spec.source] is None:
                # Lists may omit the text of the record.
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
    """Return whether all fields that a record has are equal, at least its name."""
    if shown["name"] is None or any(
        same_content(value, shown[name]) == "other" for name, value in fields.items()
    ):
        return False
    # Optional fields that were not sent must be empty on the record.
    optional = (name for name, field in spec.creates.items() if field.create == "optional")
    return all(shown.get(name) in (None, "") for name in optional if name not in fields)


def _is_older(shown: Mapping[str, Any], since: float | None) -> bool:
    made = shown.get("created_at")
    return since is not None and made is not None and made.timestamp() < since - SKEW
