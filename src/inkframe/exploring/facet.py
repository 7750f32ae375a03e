"""A column that rows are filtered by: its values, or the bars of its histogram."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Kind = Literal["category", "number", "time", "text"]

__all__ = ["Facet", "histogram_label", "read_facet"]

#: More values than this are not chosen from a list; fewer different numbers than this are.
MOST_VALUES, FEW_NUMBERS = 200, 10
#: Texts that are longer on average are searched, not chosen from a list.
SENTENCE: Final = 80
#: Bars of a histogram.
BARS: Final = 24


@dataclass(frozen=True, slots=True)
class Facet:
    """A column that rows are filtered by.

    Args:
        name: The column.
        kind: ``category``, ``number``, ``time`` or ``text``.
        choices: The values of a category in the order they are shown, without missing ones.
        codes: The position of each row's value, -1 if it is missing; for numbers and times that of its bar.
        edges: The edges of the bars; times are in microseconds.
    """

    name: str
    kind: Kind
    choices: list[Any] = field(default_factory=list)
    codes: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    edges: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))


def read_facet(name: str, column: pd.Series) -> Facet | None:
    """Return the facet of a column, or None if its values cannot be compared."""
    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(kind):
        return _category(name, column)
    if pd.api.types.is_datetime64_any_dtype(kind):
        moments = pd.to_datetime(column, utc=True).astype("datetime64[us, UTC]").astype("int64")
        return _continuous(name, "time", np.where(column.isna(), np.nan, np.asarray(moments, np.float64)))
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        numbers = np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan), np.float64)
        few = 1 < len(np.unique(numbers[np.isfinite(numbers)])) <= FEW_NUMBERS
        return _category(name, column, "number") if few else _continuous(name, "number", numbers)
    is_text = pd.api.types.is_string_dtype(column.dropna())  # of objects, each is looked at
    try:
        # Long texts are not counted, which would take longer than all else.
        different = MOST_VALUES + 1 if is_text and _is_long(column) else column.nunique(dropna=True)
    except TypeError:  # lists and dictionaries
        return None
    if is_text and (different > MOST_VALUES or different > max(len(column) // 2, 2)):
        return Facet(name, "text", codes=np.where(column.isna(), -1, 0))
    return _category(name, column) if 0 < different <= MOST_VALUES else None


def _is_long(column: pd.Series) -> bool:
    sample = column.dropna().head(200)
    return len(sample) > 0 and float(sample.map(lambda each: len(str(each))).mean()) > SENTENCE


def _category(name: str, column: pd.Series, kind: Kind = "category") -> Facet:
    if isinstance(column.dtype, pd.CategoricalDtype):
        categories, codes = column.cat.categories.tolist(), column.cat.codes.to_numpy(np.int64)
    else:
        codes, found = pd.factorize(column, sort=False)
        codes, categories = codes.astype(np.int64), list(found)
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    if kind == "number":
        order = np.argsort(np.array(categories, np.float64), kind="stable")
    elif getattr(column.dtype, "ordered", False):  # an order that is given stays
        order = np.arange(len(categories))
    else:
        order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0]
    place = np.full(len(categories) + 1, -1)
    place[order] = np.arange(len(order))
    values = [categories[at] for at in order.tolist()]
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    return Facet(name, kind, plain, place[codes])


def _continuous(name: str, kind: Kind, numbers: NDArray[np.float64]) -> Facet | None:
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return None
    edges = (
        np.linspace(finite.min(), finite.max(), BARS + 1)
        if finite.min() < finite.max()
        else np.array([finite.min()] * 2)
    )
    codes = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, len(edges) - 2)
    return Facet(name, kind, [], np.where(np.isnan(numbers), -1, codes), edges)


def histogram_label(facet: Facet, value: float) -> str:
    """Return an edge of a histogram for a person."""
    if facet.kind == "time":
        return pd.Timestamp(int(value), unit="us").strftime("%Y-%m-%d")
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
