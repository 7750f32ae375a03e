"""Filters that take one value or any of several."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["combinations", "several", "shown", "single"]


def combinations(query: Mapping[str, Any], filters: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Give a query for each combination of the filters' values, without what only orders."""
    kept = {name: value for name, value in query.items() if name not in {"sort", "sort_by", "per_page"}}
    return [{**kept, **dict(zip(filters, values, strict=True))} for values in product(*filters.values())]


def several(field: str, given: Any) -> Sequence[Any]:
    """Give the values of a filter that takes one or any of several."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        return (given,)
    listed = [*given]
    values = tuple(value for position, value in enumerate(listed) if value not in listed[:position])
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
