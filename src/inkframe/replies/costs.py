"""The cost of a create, read from the headers and the body of its reply by the usual names."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

from inkframe.replies.operation import objects_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inkframe.http.body import Response

__all__ = ["COSTS", "read_costs"]

#: The names of each column without case, separators, and the ``X-`` of headers. A bare ``credits`` is left out,
#: since it may be a price or a balance.
NAMES: Final = {
    "credits": {"creditsused", "usedcredits", "creditscharged", "creditsspent", "creditsconsumed", "creditcost",
                "creditscost", "costcredits", "costincredits"},
    "price": {"price", "cost", "totalcost", "totalprice", "requestcost", "amountcharged", "costusd", "priceusd",
              "costinusd", "usagecost"},
    "credits_left": {"creditsleft", "creditsremaining", "remainingcredits", "creditbalance", "creditsbalance",
                     "balance", "remainingbalance"},
}  # fmt: skip
COSTS: Final = tuple(NAMES)
COLUMNS: Final = {name: column for column, names in NAMES.items() for name in names}


def read_costs(response: Response) -> dict[str, float]:
    """Return the costs that a reply reports by column; the body counts more than the headers."""
    found: dict[str, float] = {}
    for name, value in (*_pairs(response.value), *response.headers.items()):
        column = COLUMNS.get(re.sub(r"^x-|[^a-z]", "", name.lower()))
        number = _number(value)
        if column is not None and number is not None:
            found.setdefault(column, number)
    return found


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    for _, each in objects_in(value):
        items: Iterable[tuple[str, Any]] = each.items()
        yield from items


def _number(value: Any) -> float | None:
    """Return a number that is not negative, also from a text such as ``$0.04``."""
    if isinstance(value, str):
        match = re.fullmatch(r"\s*[$€£]?\s*(\d{1,12}(?:\.\d{1,9})?)\s*(?:[A-Za-z]{3})?\s*", value)
        value = None if match is None else float(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        return None
    return float(value)
