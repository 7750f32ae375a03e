"""Looking for a record by what it was made from: for lost creates, and so that none is made twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from inkframe.workflows.full_listing import Walk

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from inkframe.calls.port import Resource
    from inkframe.replies.record_reply import Columns

__all__ = ["find"]

NEWEST: Final[dict[str, Any]] = {"sort_by": "id", "sort": "desc", "per_page": 100}
#: Seconds by which the clocks of a service and of this machine may differ.
SKEW: Final = 300.0


def find(
    resource: Resource,
    fields: Mapping[str, Any],
    searches: Iterable[dict[str, Any]],
    *,
    since: float | None = None,
    beside: Container[int | str] = (),
    wholly: bool = False,
) -> tuple[int | str | None, bool]:
    """Give the id of a record with these fields: among the newest, then by its name.

    Args:
        resource: The collection.
        fields: What a create sends.
        searches: List parameters that search the whole collection for the name.
        since: Nothing older than this counts, in seconds since 1970, where the service shows times.
        beside: Ids of records that are known to be others.
        wholly: Whether more than the name must be shown, and be the same.

    Returns:
        The id, or None; and whether there was one of this name that shows nothing else to compare.
    """
    named = False
    for columns in _looked_at(resource, searches):
        for row, id in enumerate(columns.ids):
            shown = {name: values[row] for name, values in columns.known.items()}
            if id in beside or _is_older(shown, since) or not _matches(shown, fields):
                continue
            if wholly and not _shows_text(shown, fields):
                # Lists may leave the text out where the record itself shows it.
                shown = resource.get(id).known
                if not _shows_text(shown, fields) or not _matches(shown, fields):
                    named = named or not _shows_text(shown, fields)
                    continue
            return id, named
    return None, named


def _looked_at(resource: Resource, searches: Iterable[dict[str, Any]]) -> Iterator[Columns]:
    yield resource.page(dict(NEWEST)).columns
    for query in searches:
        yield from Walk(resource, query).pages()


def _matches(shown: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Whether all that a record shows of these fields is the same, its name at least."""
    compared = {name: value for name, value in fields.items() if shown[name] is not None}
    if not all(_same(shown[name], value) for name, value in compared.items()):
        return False
    # A look that was not asked for must not stand on the record either.
    looks = (name for name in ("style", "medium", "filter") if name not in fields)
    return "name" in compared and not any(shown.get(name) for name in looks)


def _shows_text(shown: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    return shown["prompt" if "prompt" in fields else "description"] is not None


def _same(shown: Any, sent: Any) -> bool:
    """Whether a service shows what was sent; services trim texts and write numbers in their own way."""
    if isinstance(shown, str) and isinstance(sent, str):
        return shown.replace("\r\n", "\n").strip() == sent.replace("\r\n", "\n").strip()
    if isinstance(shown, float):
        return abs(shown - float(sent)) < 1e-9
    return bool(shown == sent)


def _is_older(shown: Mapping[str, Any], since: float | None) -> bool:
    made = shown.get("created_at")
    return since is not None and made is not None and made.timestamp() < since - SKEW
