"""Filter a frame by the values of its columns: what divides it, how many rows each value has, and the code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.facet import Facet, read_facet
from inkframe.analysis.validation import require
from inkframe.errors import InvalidArgument
from inkframe.spelling import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Facets"]

#: The filter that is a search in the columns of text, and the key of the columns it is limited to.
SEARCH: Final = "search"
#: Columns that are suggested, and the columns of records that come first.
SUGGESTED: Final = 5
PREFERRED: Final = ("template", "style", "medium", "creativity", "favorite", "label", "created_at")
#: Columns that are never suggested: each record has its own.
UNIQUE: Final = frozenset({"id", "name", "picture_url"})


class Facets:
    """The facets of a frame, and its rows under any filters.

    Filters are a mapping from columns to a list of values, a pair of bounds (a tuple; None for no bound), or,
    under ``search``, a text that a column of texts contains.

    Args:
        frame: Any frame; it is neither changed nor copied.

    Raises:
        InvalidArgument: It is not a DataFrame, or a column appears twice.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        require(frame)
        names = [str(name) for name in frame.columns]
        if repeated := sorted({name for name in names if names.count(name) > 1}):
            raise InvalidArgument(
                f"The column {repeated[0]!r} appears twice in the frame.\nRename or drop one of them."
            )
        self.frame = frame
        self._columns = dict(zip(names, frame.columns, strict=True))
        self._facets: dict[str, Facet | None] = {}
        self._searches: dict[tuple[str, str], NDArray[np.bool_]] = {}

    def __getitem__(self, name: str) -> Facet:
        if name not in self._columns:
            close = nearest(name, self._columns)
            advice = f"Did you mean {close!r}?" if close else f"It has: {', '.join(self._columns)}."
            raise InvalidArgument(f"The frame has no column {name!r}.\n{advice}")
        if name not in self._facets:
            self._facets[name] = read_facet(name, self.frame[self._columns[name]])
        found = self._facets[name]
        if found is None:
            raise InvalidArgument(f"The column {name!r} has no values to filter by.\nChoose another column.")
        return found

    @property
    def names(self) -> list[str]:
        """The columns with values to filter by."""
        found = []
        for name in self._columns:
            try:
                found.append(self[name].name)
            except InvalidArgument:
                continue
        return found

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
                if not isinstance(wanted, str):
                    raise InvalidArgument(f"search must be a string, got {wanted!r}.\nPass a text.")
                if wanted:
                    checked[SEARCH] = wanted
                continue
            checked[name] = self._checked(self[name], wanted)
        return checked

    def _checked(self, facet: Facet, wanted: Any) -> Any:
        if isinstance(wanted, tuple):
            if len(wanted) != 2 or facet.kind not in ("number", "time"):  # a pair
                raise InvalidArgument(
                    f"{facet.name} must be a list of values, got {wanted!r}.\n"
                    "A tuple is a pair of bounds, for numbers and times."
                )
            if facet.kind == "time":
                zone = getattr(self.frame[self._columns[facet.name]].dtype, "tz", None)
                return tuple(None if bound is None else _moment(bound, zone) for bound in wanted)
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
            if name != without:
                passed &= self._search(wanted) if name == SEARCH else _passed(self[name], wanted)
        return passed

    def _search(self, wanted: str) -> NDArray[np.bool_]:
        found = np.zeros(len(self.frame), np.bool_)
        for name in self.texts:
            key = (name, wanted)
            if key not in self._searches:
                column = self.frame[self._columns[name]]
                hits = column.str.contains(wanted, case=False, regex=False, na=False)
                while len(self._searches) > 2 * len(self.texts):
                    self._searches.pop(next(iter(self._searches)))
                self._searches[key] = hits.to_numpy(dtype=np.bool_, na_value=False)
            found |= self._searches[key]
        return found

    def counts(self, name: str, filters: Mapping[str, Any]) -> NDArray[np.int64]:
        """Count the rows of each value or bar under all other filters; the last count is of missing values."""
        facet = self[name]
        size = len(facet.choices) or max(len(facet.edges) - 1, 0)
        codes = facet.codes[self.mask(filters, without=name)]
        return np.bincount(np.where(codes < 0, size, codes), minlength=size + 1)

    def positions(
        self, filters: Mapping[str, Any], sort_by: str | None = None, *, ascending: bool = True
    ) -> NDArray[np.int64]:
        """Return the positions of the rows that pass, in the order of a column; missing values come last."""
        passed = np.flatnonzero(self.mask(filters))
        if sort_by is None:
            return passed
        self[sort_by]  # refuses an unknown column
        part = self.frame[self._columns[sort_by]].iloc[passed].reset_index(drop=True)
        order = part.sort_values(ascending=ascending, kind="stable").index
        return np.asarray(passed[order.to_numpy()], np.int64)

    def code(
        self,
        filters: Mapping[str, Any],
        sort_by: str | None = None,
        *,
        ascending: bool = True,
        variable: str = "frame",
    ) -> str:
        """Return the line of pandas that gives the same rows in the same order."""
        conditions = [self._condition(name, wanted, variable) for name, wanted in filters.items()]
        line = f"{variable}[{' & '.join(conditions)}]" if conditions else variable
        if sort_by is not None:
            down = "" if ascending else ", ascending=False"
            line += f'.sort_values({sort_by!r}{down}, kind="stable")'
        return line

    def _condition(self, name: str, wanted: Any, variable: str) -> str:
        if name == SEARCH:
            each = [
                f"{variable}[{text!r}].str.contains({wanted!r}, case=False, regex=False, na=False)"
                for text in self.texts
            ]
            return (
                f"({' | '.join(each)})"
                if len(each) > 1
                else each[0]
                if each
                else f"({variable}.index != {variable}.index)"
            )
        column = f"{variable}[{name!r}]"
        if isinstance(wanted, tuple):
            low, high = (
                f"pd.Timestamp({str(b)!r})" if isinstance(b, pd.Timestamp) else repr(b) for b in wanted
            )
            bounds = {">=": (wanted[0], low), "<=": (wanted[1], high)}
            parts = [
                f"({column} {sign} {text})" for sign, (bound, text) in bounds.items() if bound is not None
            ]
            return " & ".join(parts) or f"{column}.notna()"
        known = [value for value in wanted if value is not None]
        parts = [f"{column}.isin({known!r})"] if known or None not in wanted else []
        parts += [f"{column}.isna()"] if None in wanted else []
        return f"({' | '.join(parts)})" if len(parts) > 1 else parts[0]


def _passed(facet: Facet, wanted: Any) -> NDArray[np.bool_]:
    if isinstance(wanted, tuple):
        low, high = (_number(bound) for bound in wanted)
        with np.errstate(invalid="ignore"):
            passed = np.isfinite(facet.numbers) | np.isinf(facet.numbers)
            if low is not None:
                passed &= facet.numbers >= low
            if high is not None:
                passed &= facet.numbers <= high
        return passed
    if facet.kind == "category":
        chosen = [facet.choices.index(value) for value in wanted if value is not None]
        passed = np.isin(facet.codes, chosen)
    else:
        passed = np.isin(facet.numbers, [float(value) for value in wanted if value is not None])
    return passed | (facet.codes < 0) if None in wanted else passed


def _moment(bound: Any, zone: Any) -> pd.Timestamp:
    try:
        moment = pd.Timestamp(bound)
    except (TypeError, ValueError):
        raise InvalidArgument(f"A bound must be a time, got {bound!r}.\nPass such as '2026-01-31'.") from None
    if zone is None:
        return moment.tz_localize(None) if moment.tzinfo is not None else moment
    return moment.tz_localize("UTC") if moment.tzinfo is None else moment


def _number(bound: Any) -> float | None:
    if isinstance(bound, pd.Timestamp):
        return float(bound.value)
    return None if bound is None else float(bound)


def _is_missing(value: Any) -> bool:
    return value is None or (np.ndim(value) == 0 and bool(pd.isna(value)))
