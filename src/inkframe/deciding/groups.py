"""Groups of documents or images and their values: means or rates with intervals, within cases."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from math import inf, nan
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.intervals import (
    FEWEST,
    PROMPTS,
    Difference,
    Mean,
    Proportion,
    difference,
    holm,
    verdicts_at,
)
from inkframe.analysis.validation import flags, require
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


__all__ = [
    "CASE",
    "RATING",
    "SCALE",
    "Comparison",
    "Observations",
    "blocks_of",
    "columns_of_groups",
    "compare",
    "observe",
    "plain_value",
    "strictness",
]

#: The column of cases, and its substitute in frames without it.
CASE, PROMPT = "case", "prompt"
#: The share of all documents that the cases of every group must hold, to compare within cases.
COMMON: Final = 0.5
#: The column of human ratings, and the key of their highest value in the attrs of a frame.
RATING, SCALE = "rating", "rating_scale"
#: The column of positions in the given frame, while its rows are in another order.
PLACE: Final = "inkframe.place"
#: The ends of the scale of ratings where nothing tells others.
LOWEST, HIGHEST = 1.0, 5.0
#: The best group is found in the same data, which makes its lead look larger, the more groups there are. The
#: intervals of differences allow for it: of ``k`` groups, ``1 - confidence`` shrinks by ``(2 / k) ** SELECTED``.
#: ``tests/benchmarks/bench_recommend.py`` simulates them, also over several looks.
SELECTED: Final = 0.45
#: The degrees of freedom that the variance of all groups adds to that of two over the cases, which few cases tell
#: little of. Where there are no other groups, it adds none.
POOLED: Final = 3


@dataclass(frozen=True)
class Comparison:
    """Groups that are compared with each other.

    Args:
        estimates: The mean or the rate of each group.
        places: The positions in the frame of the documents of each group that these are from.
        scale: The ends of the scale of the values.
        scope: What the result is about, such as ``for these 2 cases``.
        notes: What was left out.
        cells: The mean of each group (row) in each case, if cases are the unit of sampling.
        compared: The means as they are compared, if they are.
    """

    estimates: Sequence[Mean | Proportion]
    places: list[NDArray[np.int64]]
    scale: tuple[float, float]
    scope: str
    notes: list[str]
    cells: NDArray[np.float64] | None = None
    compared: Sequence[Mean] = ()

    @cached_property
    def order(self) -> list[int]:
        """The groups, the largest estimate first."""
        return sorted(range(len(self.estimates)), key=lambda at: -self.estimates[at].value)

    @property
    def best(self) -> int:
        """The group with the largest estimate."""
        return self.order[0]

    def difference(self, one: int, other: int) -> Mean | Difference:
        """Return the difference of two groups."""
        if self.cells is not None:
            return _paired(self.cells, one, other)
        return difference(*((self.compared or self.estimates)[at] for at in (one, other)))

    def ends(self, at: int, confidence: float) -> tuple[float, float]:
        """Return the interval of a group, which does not leave the scale."""
        return _within(self.estimates[at].interval(confidence), *self.scale)

    def difference_ends(self, one: int, other: int, confidence: float) -> tuple[float, float]:
        """Return the interval of the difference of two groups, of which one is the best."""
        share = (1 - confidence) * (2 / len(self.estimates)) ** SELECTED
        width = self.scale[1] - self.scale[0]
        return _within(self.difference(one, other).interval(1 - share), -width, width)

    @cached_property
    def adjusted(self) -> list[float]:
        """The p-value of each group against the best, adjusted for all pairs; NaN for the best.

        The best group is found in the same data, so that its rivals alone would be too few to adjust for.
        """
        pairs = list(combinations(range(len(self.estimates)), 2))
        p = dict(zip(pairs, holm([self.difference(*pair).p for pair in pairs]), strict=True))
        best = self.best
        return [p.get((min(at, best), max(at, best)), nan) for at in range(len(self.estimates))]


def compare(observed: Observations) -> Comparison:
    """Estimate each group, within the cases that all groups have.

    Cases are weighted equally. The variance within cases is pooled for each group, so that a group with one
    document in each case has none.
    """
    data, groups = observed.data, len(observed.labels)
    notes = list(observed.notes)
    having = data.groupby("block")["group"].nunique()
    within = data["block"].isin(having.index[having == groups])
    has_blocks = observed.has_blocks
    if within.mean() < COMMON:
        notes.append("The groups have too few cases in common, so cases are not taken into account.")
        data, has_blocks = data.assign(block=0), False
    elif not within.all():
        notes.append(f"Left out: {(~within).sum()} documents of cases that not every group has a value in.")
        data = data[within]
    cases = data["block"].nunique()
    if cases >= PROMPTS:
        scope = f"for cases like these {cases}"
    elif not has_blocks:
        scope = ""
    else:
        scope = f"for these {cases} cases" if cases > 1 else "for this case"
        notes.append(f"The result is {scope}; one about further cases needs at least {PROMPTS}.")
    parts = [part for _, part in data.groupby("group")]
    make = partial(
        Comparison,
        places=[part["at"].to_numpy() for part in parts],
        scale=observed.scale,
        scope=scope,
        notes=notes,
    )
    if observed.is_check:
        return make([_rate(part) for part in parts])
    if cases >= PROMPTS:
        cells = data.pivot_table(index="group", columns="block", values="value").to_numpy()
        return make([_mean_of(row) for row in cells], cells=cells)
    means = [_mean(part) for part in parts]
    # A level that writes one text again and again has many copies but one judgment of them, which tells no variance:
    # it is compared with that of all groups.
    whole, spread, _ = _mean(data.assign(block=data["block"] * len(parts) + data["group"]))
    compared = [
        Mean(mean.value, spread * weight, whole.df)
        if mean.df < FEWEST and len(part) >= observed.verdicts_at[0]
        else mean
        for (mean, _, weight), part in zip(means, parts, strict=True)
    ]
    return make([mean for mean, *_ in means], compared=compared)


def _within(ends: tuple[float, float], least: float, most: float) -> tuple[float, float]:
    """Return the ends of an interval, moved to those of what is possible."""
    low, high = np.clip(ends, least, most).tolist()
    return low, high


def _mean_of(values: NDArray[np.float64]) -> Mean:
    return Mean(float(values.mean()), float(values.var(ddof=1) / values.size), values.size - 1)


def _paired(cells: NDArray[np.float64], one: int, other: int) -> Mean:
    """Return the difference of two groups over the cases, with an error that all groups tell a part of."""
    apart, (groups, cases) = _mean_of(cells[one] - cells[other]), cells.shape
    left = cells - cells.mean(0) - cells.mean(1, keepdims=True) + cells.mean()
    pooled, more = 2 * (left**2).sum() / ((groups - 1) * (cases - 1) * cases), POOLED * (groups > 2)
    return Mean(
        apart.value, float(apart.df * apart.variance + more * pooled) / (apart.df + more), apart.df + more
    )


def _mean(part: pd.DataFrame) -> tuple[Mean, float, float]:
    """Return the mean over cases, the variance of a text, and its weight in that of the mean.

    The copies of a text in a case are one judgment, with their weight.
    """
    block, value = (part[name].to_numpy() for name in ("block", "value"))
    _, first, text, sizes = np.unique(
        part[["block", "text"]].to_numpy(), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    _, cell = np.unique(block[first], return_inverse=True)
    total, squares = np.bincount(cell, sizes), np.bincount(cell, sizes**2)
    texts = np.bincount(text, value) / sizes
    means = np.bincount(cell, texts * sizes) / total
    free = (total - squares / total).sum()
    spread = float((sizes * (texts - means[cell]) ** 2).sum() / free) if free > 0 else nan
    weight = float((squares / total**2).sum() / means.size**2)
    return Mean(float(means.mean()), spread * weight, sizes.size - means.size), spread, weight


def _rate(part: pd.DataFrame) -> Proportion:
    """Return the mean over cases, with the number of trials that has its variance."""
    cells: Any = part.groupby("block")["value"].agg(["mean", "size"])
    value, count = float(cells["mean"].mean()), len(cells)
    trials = count**2 / float((1 / cells["size"]).sum())
    if count >= PROMPTS and (variance := float(cells["mean"].var() / count)) > 0:
        trials = min(trials, value * (1 - value) / variance)
    return Proportion(value, trials)


@dataclass(frozen=True, slots=True)
class Observations:
    """The values of two or more groups.

    Args:
        data: A row for each document: group, block and text as numbers from 0, value, and its position.
        labels: The value of each column of the groups, by group.
        column: The column of the values.
        is_check: Whether the values are booleans.
        has_blocks: Whether there is a column of cases.
        scale: The ends of the scale of the values.
        waiting: The number of documents of each group that can still be rated.
        left: The number of documents that the panel has still to show.
        notes: What was left out.
    """

    data: pd.DataFrame
    labels: list[dict[str, Any]]
    column: str
    is_check: bool
    has_blocks: bool
    scale: tuple[float, float] = (-inf, inf)
    waiting: list[int] = field(default_factory=list)
    left: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def what(self) -> str:
        """What is estimated, such as ``mean rating``."""
        return f"{'share' if self.is_check else 'mean'} {self.column}"

    @property
    def counts(self) -> list[int]:
        """The number of documents of each group."""
        return [int((self.data["group"] == at).sum()) for at in range(len(self.labels))]

    @property
    def verdicts_at(self) -> tuple[int, ...]:
        """The numbers of documents of each group at which a verdict can come."""
        return verdicts_at(self.data["block"].nunique())

    def looks(self) -> list[int]:
        """Return at which rows a verdict can come: once each group has enough, and at the last if nothing is left."""
        number, fewest = self.data.groupby("group").cumcount() + 1, min(self.counts)
        ends = [int(number.index[number == count].max()) for count in self.verdicts_at if count <= fewest]
        return ends if ends and self.left else [*ends, int(self.data.index[-1])]

    def until(self, end: int) -> Observations:
        """Return the observations up to a row, in the order they were made."""
        return replace(self, data=self.data.loc[:end])

    def only(self, kept: Sequence[int]) -> Observations:
        """Return the observations of some of the groups."""
        data = self.data[self.data["group"].isin(kept)]
        data = data.assign(group=np.searchsorted(kept, data["group"]))
        labels, waiting = [self.labels[at] for at in kept], [self.waiting[at] for at in kept]
        return replace(self, data=data, labels=labels, waiting=waiting)


def columns_of_groups(by: str | Sequence[str]) -> list[str]:
    """Return the columns of the groups.

    Raises:
        InvalidArgument: There is none.
    """
    columns = [by] if isinstance(by, str) else list(by)
    if not columns:
        raise InvalidArgument("by must be a column or a list of columns, got [].")
    return columns


def observe(
    frame: pd.DataFrame, *, by: str | Sequence[str], column: str, block: str | Sequence[str] | None
) -> Observations:
    """Return the observations of a column of a frame.

    Raises:
        InvalidArgument: A column is missing or of the wrong type, or there are fewer than two groups.
    """
    columns = columns_of_groups(by)
    blocks = blocks_of(frame, columns, block)
    require(frame, *columns, column, *blocks)
    frame = _in_order(frame.assign(**{PLACE: np.arange(len(frame))}))
    documents = frame["id"] if "id" in frame.columns else frame.index
    rows = frame.reset_index(drop=True)
    values, is_check = _values(rows, column)
    usable = values.notna() & rows[columns].notna().all(axis=1)
    notes = []
    if missing := int((~usable).sum()):
        notes.append(f"Left out without {column} or group: {missing} of {len(rows)} rows.")
    # Filling a column of objects converts it in pandas 2.
    blind = rows["blind"].where(rows["blind"].notna(), other=True) if "blind" in rows.columns else True
    can_count = flags(rows.assign(blind=blind), "blind")
    if (seen := usable & ~can_count).any():
        notes.append(f"Left out as rated after the group was seen: {seen.sum()} of {len(rows)} rows.")
    usable &= can_count
    is_open = can_count & values.isna() & rows.get("result", values.fillna(0)).notna() & (column == RATING)
    unrated = rows[is_open].groupby(columns, observed=True).size()
    left = int((is_open & rows.get("raters", values.fillna(0)).notna()).sum())
    rows, scale = rows[usable], _scale(frame, column, values[usable])
    groups = rows.groupby(columns, sort=True, observed=True)
    labels = [dict(zip(columns, map(plain_value, name), strict=True)) for name, _ in groups]
    if len(labels) < 2:  # a comparison needs two
        raise InvalidArgument(
            f"A comparison needs at least 2 groups, got {len(labels)} in {', '.join(map(repr, columns))}.\n"
            f"Pass another column with by=…, or rows with a value in {column!r}."
        )
    data = pd.DataFrame({"group": groups.ngroup(), "block": 0, "value": values.loc[rows.index]})
    if blocks:
        data["block"] = rows.groupby(blocks, dropna=False, observed=True).ngroup()
    data["at"], data["text"] = rows[PLACE], range(len(rows))
    if column == RATING and "result" in rows.columns:  # which people give once for all copies of a text
        texts = rows["result"].map(lambda text: " ".join(str(text).split()), na_action="ignore")
        data["text"] = pd.factorize(texts)[0]
    if "rater" in rows.columns:
        data = _by_document(data, np.asarray(documents)[rows.index], rows["rater"])
        data["value"] = data["value"].clip(*scale)  # without its rater's share, a rating may leave the scale
        is_check = False
    data = data.reset_index(drop=True)
    sizes = {(name if isinstance(name, tuple) else (name,)): size for name, size in unrated.items()}
    waiting = [sizes.get(tuple(label.values()), 0) for label in labels]
    return Observations(data, labels, column, is_check, bool(blocks), scale, waiting, left, notes)


def _scale(frame: pd.DataFrame, column: str, values: pd.Series) -> tuple[float, float]:
    """Return the ends of the scale of a column; ratings that leave the usual one have a wider one of their own."""
    if column != RATING:
        return -inf, inf
    highest = frame.attrs.get(SCALE) or HIGHEST
    return min(LOWEST, values.min()), max(highest, values.max())


def _in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows in the order they were rated, or in that of their index.

    The order of the frame itself may be one of the ratings.
    """
    if "rated_at" in frame.columns:
        return frame.sort_values("rated_at", kind="stable")
    try:
        return frame.sort_index(kind="stable")
    except TypeError:  # numbers and texts
        return frame


def blocks_of(frame: Any, columns: list[str], block: str | Sequence[str] | None) -> list[str]:
    """Return the columns of the cases that groups are compared within."""
    blocks = [block] if isinstance(block, str) else list(block or ())
    if blocks == [CASE] and isinstance(frame, pd.DataFrame) and CASE not in frame.columns:
        blocks = [PROMPT] if PROMPT in frame.columns else []
    return [name for name in blocks if name not in columns]


def _values(rows: pd.DataFrame, column: str) -> tuple[pd.Series, bool]:
    """Return a column as numbers, NaN where a value is missing, and whether it holds booleans."""
    given = rows[column]
    known = given.dropna()
    is_check = bool(known.map(type).isin([bool, np.bool_]).all())
    try:
        values = given.astype("Float64").astype("float64")
    except (TypeError, ValueError):
        values = None
    if values is None or isinstance(given.dtype, pd.CategoricalDtype) or np.isinf(values).any():
        raise InvalidArgument(
            f"The column {column!r} must hold numbers or booleans, got {given.dtype}.\n"
            "Pass a rating, a score or a check."
        )
    return values, is_check


def _by_document(data: pd.DataFrame, documents: Any, raters: pd.Series) -> pd.DataFrame:
    """Return one row for each document: the mean of its ratings, without how strict each rater is."""
    data = data.assign(document=documents, rater=raters.fillna("").to_numpy())
    data["value"] -= strictness(data["value"], data["rater"], data["group"])
    every = {"block": "first", "value": "mean", "text": "first", "at": "first"}
    return data.groupby(["document", "group"], sort=False).agg(every).reset_index()


def strictness(values: pd.Series, raters: pd.Series, groups: pd.Series) -> pd.Series:
    """Return how much more than the others the rater of each value gives.

    That is the mean, over the groups that the rater rated, of the difference to all ratings of the group, so
    that a rater of one group only does not change its standing.
    """
    beyond = values - values.groupby(groups).transform("mean")
    by_rater = beyond.groupby([raters, groups]).mean().groupby(level=0).mean()
    return raters.map(by_rater).round(9)


def plain_value(value: Any) -> Any:
    """Return a value of numpy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value
