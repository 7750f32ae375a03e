"""Filter a frame by the values of its columns: what divides it, how many rows each value has, and the code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import pandas as pd

from inkframe.analysis.validation import require, whole
from inkframe.display.figure import moment
from inkframe.display.markup import spell_number
from inkframe.errors import InvalidArgument, nearest
from inkframe.vocabulary.arguments import check_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Kind = Literal["category", "number", "time", "text"]

__all__ = ["Facet", "Facets", "histogram_label", "read_facet", "read_near"]

#: The filters that are a search in the columns of text: for the same words, and for a similar meaning.
SEARCH, NEAR = "search", "near"
#: The rows that are kept of those closest in meaning.
NEAREST: Final = 50
#: Conditions whose rows are remembered: those of a few searches and all values that a person tries.
REMEMBERED: Final = 32
#: Columns that are suggested, and the columns of records that come first.
SUGGESTED: Final = 5
PREFERRED: Final = ("template", "style", "medium", "creativity", "favorite", "label", "created_at")
#: Columns that are never suggested: each record has its own, or ``template`` says the same.
UNIQUE: Final = frozenset({"id", "name", "picture_url", "template_id"})
#: More values than this are not chosen from a list; fewer different numbers than this are.
MOST_VALUES, FEW_NUMBERS = 200, 10
#: Texts that are longer on average are searched, not chosen from a list.
SENTENCE: Final = 80
#: Bars of a histogram.
BARS: Final = 24


class Facets:
    """The facets of a frame, and its rows under any filters.

    Filters are a mapping from columns to a list of values, a pair of bounds (a tuple; None for no bound), or,
    under ``search``, a text that a column of texts contains. Under ``near`` are words, or a pair of them and a number:
    so many rows closest to them in meaning, of those that pass the other filters.

    Args:
        frame: Any frame; it is neither changed nor copied.
        closeness: Returns how close each row is to a text in meaning, NaN where that is not known.

    Raises:
        InvalidArgument: It is not a DataFrame, or a column appears twice.
    """

    def __init__(
        self, frame: pd.DataFrame, closeness: Callable[[str], NDArray[np.float64]] | None = None
    ) -> None:
        require(frame)
        names = [str(name) for name in frame.columns]
        if repeated := sorted({name for name in names if names.count(name) > 1}):
            raise InvalidArgument(
                f"The column {repeated[0]!r} appears twice in the frame.\nRename or drop one of them."
            )
        self.frame = frame
        self.closeness = closeness and lru_cache(1)(closeness)  # each facet counts by it
        self._columns = dict(zip(names, frame.columns, strict=True))
        self._facets: dict[str, Facet | None] = {}
        self._known: dict[tuple[str, str], NDArray[np.bool_]] = {}

    def __getitem__(self, name: str) -> Facet:
        if name not in self._columns:
            close = nearest(name, self._columns)
            advice = f"Did you mean {close!r}?" if close else f"It has: {', '.join(self._columns)}."
            raise InvalidArgument(f"The frame has no column {name!r}.\n{advice}")
        if (found := self._facet(name)) is None:
            raise InvalidArgument(f"The column {name!r} has no values to filter by.\nChoose another column.")
        return found

    def _facet(self, name: str) -> Facet | None:
        """Return the facet of a column, or None if nothing can be chosen from it."""
        if name not in self._facets:
            self._facets[name] = read_facet(name, self._column(name))
        found = self._facets[name]
        # The filters of these names are searches in all texts.
        return None if found is not None and name in (SEARCH, NEAR) and found.kind != "text" else found

    def renewed(self, frame: pd.DataFrame, changed: Iterable[str]) -> Facets:
        """Return the facets of a frame in which only some columns differ."""
        facets = Facets(frame, getattr(self.closeness, "__wrapped__", None))
        kept = facets._columns.keys() & self._facets.keys() - set(changed)  # another of its kind
        facets._facets = {name: self._facets[name] for name in kept}
        return facets

    def _column(self, name: str) -> pd.Series:
        return self.frame[self._columns[name]]

    @property
    def names(self) -> list[str]:
        """The columns with values to filter by."""
        return [name for name in self._columns if self._facet(name) is not None]

    @property
    def texts(self) -> list[str]:
        """The columns that are searched."""
        return [name for name in self.names if self[name].kind == "text"]

    def suggested(self, most: int = SUGGESTED) -> list[str]:
        """Return the columns that divide the frame best: neither constant nor unique."""
        dividing = [name for name in self.names if self._divides(name)]
        first = [name for name in PREFERRED if name in dividing]
        kinds = ("category", "number", "time")
        rest = sorted((n for n in dividing if n not in first), key=lambda n: kinds.index(self[n].kind))
        return [*first, *rest][:most]

    def _divides(self, name: str) -> bool:
        facet = self[name]
        if facet.kind == "text" or name in UNIQUE:
            return False
        used = np.unique(facet.codes)
        return len(used) > 1 and (facet.kind != "category" or len(used) < max(len(self.frame), 3))

    def check(self, filters: Mapping[str, Any]) -> dict[str, Any]:
        """Return filters after checking them.

        Raises:
            InvalidArgument: A column does not exist, or a value cannot be compared with it.
        """
        checked: dict[str, Any] = {}
        for name, wanted in filters.items():
            if name == SEARCH:
                if check_text("search", wanted, empty=True):
                    checked[SEARCH] = wanted
                continue
            if name == NEAR:
                if read_near(wanted)[0].strip():
                    self._near(wanted)  # so that a function that fails leaves the filters as they are
                    checked[NEAR] = wanted
                continue
            checked[name] = self._checked(self[name], wanted)
        return checked

    def _checked(self, facet: Facet, wanted: Any) -> Any:
        if isinstance(wanted, tuple):
            if len(wanted) != 2 or facet.kind not in ("number", "time"):
                raise InvalidArgument(
                    f"{facet.name} must be a list of values, got {wanted!r}.\n"
                    "A tuple is a pair of bounds, for numbers and times."
                )
            if facet.kind == "time":
                first = self._column(facet.name).dropna().iloc[0]
                return tuple(None if bound is None else _moment(bound, first.tzinfo) for bound in wanted)
            try:
                return tuple(None if bound is None else float(bound) for bound in wanted)
            except (TypeError, ValueError):
                raise InvalidArgument(
                    f"{facet.name} must be between two numbers, got {wanted!r}.\nPass (low, high)."
                ) from None
        if facet.kind == "text":
            raise InvalidArgument(f"The column {facet.name!r} is searched.\nPass {{'search': '…'}}.")
        if isinstance(wanted, str) or not isinstance(wanted, Iterable):
            wanted = [wanted]
        values = list(wanted)
        if facet.kind == "category" and (
            unknown := [v for v in values if not _is_missing(v) and v not in facet.choices]
        ):
            close = nearest(str(unknown[0]), map(str, facet.choices))
            advice = (
                f"Did you mean {close!r}?" if close else f"It has: {', '.join(map(str, facet.choices[:12]))}."
            )
            raise InvalidArgument(f"{facet.name} has no value {unknown[0]!r}.\n{advice}")
        return [None if _is_missing(value) else value for value in values]

    def mask(self, filters: Mapping[str, Any], *, without: str | None = None) -> NDArray[np.bool_]:
        """Return which rows pass checked filters, all of them or all but one."""
        passed = np.ones(len(self.frame), np.bool_)
        for name, wanted in filters.items():
            if name not in (without, NEAR):
                passed &= self._passed(name, wanted)
        if NEAR in filters:
            nearest = self._near(filters[NEAR], passed)
            passed = np.zeros_like(passed)
            passed[nearest] = True
        return passed

    def _near(self, wanted: Any, among: NDArray[np.bool_] | bool = True) -> NDArray[np.int64]:
        """Return the positions of the rows closest to a text in meaning, nearest first."""
        if self.closeness is None:
            raise InvalidArgument(
                "near requires a function as vectors.\n"
                "Pass Explorer(frame, vectors=…): a function from a list of texts to an array."
            )
        text, n = read_near(wanted)
        score = np.where(among, self.closeness(text), np.nan)
        return np.argsort(-score, kind="stable")[: min(n, int(np.isfinite(score).sum()))]

    def _passed(self, name: str, wanted: Any) -> NDArray[np.bool_]:
        """Return which rows pass one condition, by the same calls that ``code`` writes."""
        key = (name, repr(wanted))
        if key not in self._known:
            while len(self._known) >= REMEMBERED:
                self._known.pop(next(iter(self._known)))
            passed = self._search(wanted) if name == SEARCH else _within(self._column(name), wanted)
            self._known[key] = passed
        return self._known[key]

    def _search(self, wanted: str) -> NDArray[np.bool_]:
        found = np.zeros(len(self.frame), np.bool_)
        for name in self.texts:
            hits = self._column(name).str.contains(wanted, case=False, regex=False, na=False)
            found |= hits.to_numpy(dtype=np.bool_, na_value=False)
        return found

    def counts(self, name: str, filters: Mapping[str, Any]) -> NDArray[np.int64]:
        """Count the rows of each value or bar under all other filters; the last count is of missing values."""
        facet = self[name]
        size = len(facet.choices) or max(len(facet.edges) - 1, 0)
        codes = facet.codes[self.mask(filters, without=name)]
        return np.bincount(np.where(codes < 0, size, codes), minlength=size + 1)

    def positions(
        self,
        filters: Mapping[str, Any],
        sort_by: str | None = None,
        *,
        ascending: bool = True,
        by_length: bool = False,
    ) -> NDArray[np.int64]:
        """Return the positions of the rows that pass, in the order of a column; missing values come last.

        Args:
            filters: The checked filters.
            sort_by: The column; None for the order of the frame, or the nearest first.
            ascending: Whether the smallest value comes first.
            by_length: Whether texts are sorted by their number of characters.

        Raises:
            InvalidArgument: The column does not exist, or its values cannot be compared.
        """
        mask = self.mask(filters)
        passed = self._near(filters[NEAR], mask) if NEAR in filters else np.flatnonzero(mask)
        if sort_by is None:
            return passed
        self[sort_by]  # refuses an unknown column
        part = self._column(sort_by).iloc[passed].reset_index(drop=True)
        part = part.str.len() if by_length else part
        try:
            order = part.sort_values(ascending=ascending, kind="stable").index
        except TypeError:
            raise InvalidArgument(
                f"The column {sort_by!r} has values of different kinds.\nSort by another column."
            ) from None
        return np.asarray(passed[order.to_numpy()], np.int64)

    def code(
        self,
        filters: Mapping[str, Any],
        sort_by: str | None = None,
        *,
        ascending: bool = True,
        by_length: bool = False,
        variable: str = "frame",
        options: str = "",
    ) -> str:
        """Return the line of pandas that gives the same rows in the same order; of the nearest ones with their score.

        Where a value cannot be written, such as a date of the standard library, the line lists the rows. ``options``
        are further arguments of ``similar``.
        """
        conditions = [
            self._condition(name, wanted, variable) for name, wanted in filters.items() if name != NEAR
        ]
        by = None if sort_by is None else _written(self._columns[sort_by])
        replaced = (*self.frame.index.names, *(("score", "similarity") if NEAR in filters else ()))
        ambiguous = sort_by is not None and self._columns[sort_by] in replaced
        if None in conditions or ambiguous or (by is None) != (sort_by is None):
            found = self.positions(filters, sort_by, ascending=ascending, by_length=by_length)
            return self.rows_code(found.tolist(), variable)
        line = f"{variable}[{' & '.join(map(str, conditions))}]" if conditions else variable
        if NEAR in filters:
            text, n = read_near(filters[NEAR])
            line = f"ink.analysis.similar({line}, {text!r}, n={n}, {options})"
        if by is not None:
            down = "" if ascending else ", ascending=False"
            key = ", key=lambda texts: texts.str.len()" if by_length else ""
            line += f'.sort_values({by}{down}{key}, kind="stable")'
        return line

    def rows_code(self, positions: Sequence[int], variable: str) -> str:
        """Return the line of pandas that gives some rows: by their labels, else by their positions."""
        labels = [_written(label) for label in self.frame.index[list(positions)].tolist()]
        if self.frame.index.is_unique and None not in labels:
            return f"{variable}.loc[[{', '.join(map(str, labels))}]]"
        return f"{variable}.iloc[{list(positions)!r}]"

    def _condition(self, name: str, wanted: Any, variable: str) -> str | None:
        """Return a condition as text; None if a name or a value cannot be written."""
        labels = [_written(self._columns[each]) for each in (self.texts if name == SEARCH else [name])]
        columns = [f"{variable}[{label}]" for label in labels]
        values = [] if name == SEARCH else [_written(each) for each in wanted]
        if None in labels or None in values:
            return None
        if name == SEARCH:
            parts = [f"{of}.str.contains({wanted!r}, case=False, regex=False, na=False)" for of in columns]
            return _either(parts or [f"({variable}.index != {variable}.index)"])
        [column] = columns
        if isinstance(wanted, tuple):
            signs = zip((">=", "<="), values, strict=True)
            # Masks with missing values of Arrow and of NumPy types cannot be combined.
            plain = ".fillna(False)" if isinstance(self._column(name).dtype, pd.ArrowDtype) else ""
            bounds = [f"({column} {sign} {value}){plain}" for sign, value in signs if value != "None"]
            return " & ".join(bounds) or f"{column}.notna()"
        known = [value for value in values if value is not None and value != "None"]
        parts = [f"{column}.isin([{', '.join(known)}])"] if known or not wanted else []
        return _either([*parts, *([f"{column}.isna()"] if None in wanted else [])])


def read_near(wanted: Any) -> tuple[str, int]:
    """Return the text and the number of rows of a filter by meaning."""
    text, n = wanted if isinstance(wanted, tuple) and len(wanted) == 2 else (wanted, NEAREST)
    check_text("near", text, empty=True)
    return text, whole("near", n)


def _either(parts: list[str]) -> str:
    return f"({' | '.join(parts)})" if len(parts) > 1 else parts[0]


def _within(column: pd.Series, wanted: Any) -> NDArray[np.bool_]:
    """Return which values of a column are between two bounds, or in a list."""
    if isinstance(wanted, tuple):
        low, high = wanted
        passed = column.notna()
        passed = passed if low is None else passed & (column >= low)
        passed = passed if high is None else passed & (column <= high)
    else:
        passed = column.isin([value for value in wanted if value is not None])
        passed = passed | column.isna() if None in wanted else passed
    return passed.to_numpy(dtype=np.bool_, na_value=False)


def _written(value: Any) -> str | None:
    """Return the Python that gives a value; None where there is none."""
    if isinstance(value, pd.Timestamp):
        return f"pd.Timestamp({str(value)!r})"
    try:
        return repr(value) if ast.literal_eval(repr(value)) == value else None
    except (ValueError, SyntaxError):
        return None


def _moment(bound: Any, zone: Any) -> pd.Timestamp:
    try:
        moment = pd.Timestamp(bound)
    except (TypeError, ValueError):
        raise InvalidArgument(f"A bound must be a time, got {bound!r}.\nPass such as '2026-01-31'.") from None
    if zone is None:
        return moment.tz_localize(None) if moment.tzinfo is not None else moment
    return moment.tz_localize("UTC") if moment.tzinfo is None else moment


def _is_missing(value: Any) -> bool:
    return np.ndim(value) == 0 and bool(pd.isna(value))


@dataclass(frozen=True, slots=True)
class Facet:
    """A column that rows are filtered by.

    Args:
        name: The column.
        kind: ``category``, ``number``, ``time`` or ``text``.
        choices: The values of a category in the order they are shown, without missing ones.
        codes: The position of each row's value, -1 if it is missing; for numbers and times that of its bar.
        edges: The edges of the bars; times are in microseconds.
        is_ordered: Whether the choices of a category are in an order that was given.
    """

    name: str
    kind: Kind
    choices: list[Any] = field(default_factory=list)
    codes: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    edges: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    is_ordered: bool = False


def read_facet(name: str, column: pd.Series) -> Facet | None:
    """Return the facet of a column, or None if its values cannot be compared."""
    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(kind):
        return _category(name, column)
    if pd.api.types.is_datetime64_any_dtype(kind) and kind.type is not date:  # as days of Arrow are
        moments = (column if column.dt.tz else column.dt.tz_localize("UTC")).astype("datetime64[us, UTC]")
        return _continuous(
            name, "time", np.where(column.isna(), np.nan, moments.astype("int64").astype("float64"))
        )
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        numbers = np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan), np.float64)
        few = 1 < len(np.unique(numbers[np.isfinite(numbers)])) <= FEW_NUMBERS
        return _category(name, column, "number") if few else _continuous(name, "number", numbers)
    is_text = pd.api.types.is_string_dtype(column.dropna())  # of objects, each is looked at
    try:
        # Long texts are not counted, which would take longer than all else.
        different = MOST_VALUES + 1 if is_text and _is_long(column) else column.nunique(dropna=True)
    except (TypeError, NotImplementedError):  # lists and dictionaries, also those of Arrow
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
    is_ordered = False
    if kind == "number":
        order = np.argsort(np.array(categories, np.float64), kind="stable")
    elif is_ordered := bool(getattr(column.dtype, "ordered", False)):  # an order that is given stays
        order = np.arange(len(categories))
    else:
        order = np.argsort(-counts, kind="stable")
    order = order[counts[order] > 0]
    place = np.full(len(categories) + 1, -1)
    place[order] = np.arange(len(order))
    values = [categories[at] for at in order.tolist()]
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    return Facet(name, kind, plain, place[codes], is_ordered=is_ordered)


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
        return moment(pd.Timestamp(int(value), unit="us")).partition(",")[0]
    return f"{value:,.0f}" if abs(value) >= 100 else spell_number(float(f"{value:.3g}"))
