"""Compare groups of documents or images by a column: means or rates with intervals, and a verdict each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.intervals import PROMPTS, Difference, Mean, Proportion, difference, holm
from inkframe.analysis.validation import annotate, confidence_level, flags, positive, require
from inkframe.errors import InvalidArgument, checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


__all__ = [
    "CASE",
    "VERDICTS_AT",
    "Comparison",
    "Observations",
    "columns_of_groups",
    "compare",
    "compare_groups",
    "group_table",
    "is_equivalent",
    "judged_notes",
    "observe",
    "plain_value",
    "strictness",
]

#: The numbers of documents in each group at which a verdict can come. People look while they rate, and a
#: test at every look would find a winner by chance too often.
VERDICTS_AT: Final = (10, 20, 30, 40)
#: The column of cases, and its substitute in frames without it.
CASE, PROMPT = "case", "prompt"
#: The share of all documents that the cases of every group must hold, to compare within cases.
COMMON: Final = 0.5
#: The columns of human judgments, and the minimum number of records to compare a model's with.
RATING, LABEL, ENOUGH = "rating", "label", 3
UNITS: Final = {
    "n": "documents",
    "mean": "mean",
    "low": "lower end of its interval",
    "high": "upper end of its interval",
    "difference": "mean minus the largest mean",
    "difference_low": "lower end of the interval of the difference",
    "difference_high": "upper end of the interval of the difference",
}


@checked
def compare_groups(
    frame: pd.DataFrame,
    *,
    by: str | Sequence[str],
    column: str,
    block: str | Sequence[str] | None = "case",
    confidence: float = 0.95,
    smallest: float | None = None,
) -> pd.DataFrame:
    """Compare groups of records by a number or a check; larger is better.

    Groups are compared within cases, which are weighted equally. Documents are the replicates; from 8 cases
    on, cases are, and the result is about further cases, too. Means have intervals of Student's t and are
    compared by Welch's test; checks have Wilson intervals and are compared by Newcombe's. A group is worse
    than the best if its p-value, adjusted by Holm for all pairs of groups, is below ``1 - confidence``. It is
    equivalent if the interval of its difference with a confidence of ``2 * confidence - 1`` lies within
    ``smallest`` (two one-sided tests). Each interval is for one group or one difference; it is missing where
    nothing varies, and of a mean of fewer than three documents. Several rows of one document, such as ratings by
    several raters, are averaged after the raters were centered. Ratings that were not blind are left out. Copies
    of a text share one rating, and count as one judgment.

    Args:
        frame: Documents or images with the columns.
        by: The column of the groups, or a list of columns.
        column: The column to compare: numbers or booleans.
        block: The column of cases, several, or None. If a frame has no ``case``, its ``prompt`` is used.
        confidence: The confidence level, above 0.5.
        smallest: The smallest difference that matters; without it no group is equivalent.

    Returns:
        A row for each group in its own order: the group, n (documents), mean, low, high, difference (to the
        best), difference_low, difference_high, verdict (``best``, ``worse``, ``equivalent`` or
        ``undecided``). ``best`` is named only if all others are worse. ``attrs["analysis"]["notes"]`` says
        what the result is about and what was left out.

    Raises:
        InvalidArgument: A column is missing or of the wrong type, or there are fewer than two groups.
        ConfigurationError: SciPy is not installed, and there are intervals to compute.

    Example:
        >>> compare_groups(panel.frame, by="creativity", column="rating", smallest=0.5)
    """
    confidence_level(confidence)
    if smallest is not None:
        positive("smallest", smallest)
    observed = observe(frame, by=by, column=column, block=block)
    table = group_table(observed, compare(observed), confidence, smallest)
    table.attrs["analysis"]["notes"] += judged_notes(frame, column)
    return table


def group_table(
    observed: Observations, comparison: Comparison, confidence: float, smallest: float | None
) -> pd.DataFrame:
    """Return the rows of ``compare_groups``.

    Raises:
        InvalidArgument: A column of the groups has the name of one of the result.
    """
    rows: list[dict[str, Any]] = []
    if clash := sorted(UNITS.keys() & observed.labels[0].keys()):
        raise InvalidArgument(f"The group {clash[0]!r} is a column of the result.\nRename it in the frame.")
    best, counts = comparison.best, observed.counts
    for at, estimate in enumerate(comparison.estimates):
        low, high = estimate.interval(confidence)
        against = comparison.difference(at, best)
        ends = against.interval(confidence) if at != best else (nan, nan)
        verdict = "worse" if comparison.adjusted[at] < 1 - confidence else "undecided"
        if smallest is not None and is_equivalent(against, smallest, confidence):
            verdict = "equivalent"
        row = {"n": counts[at], "mean": estimate.value, "low": low, "high": high, "difference": against.value,
               "difference_low": ends[0], "difference_high": ends[1], "verdict": verdict}  # fmt: skip
        rows.append(observed.labels[at] | row)
    others = {row["verdict"] for at, row in enumerate(rows) if at != best}
    rows[best]["verdict"] = next((each for each in ("undecided", "equivalent") if each in others), "best")
    units = dict.fromkeys(observed.labels[0], "group") | UNITS | {"mean": observed.what}
    return annotate(pd.DataFrame(rows), units, *comparison.notes)


def is_equivalent(against: Mean | Difference, smallest: float, confidence: float) -> bool:
    """Return whether a difference is surely smaller than one that matters, by two one-sided tests."""
    low, high = against.interval(2 * confidence - 1)
    return -smallest < low and high < smallest


@dataclass(frozen=True)
class Comparison:
    """Groups that are compared with each other.

    Args:
        estimates: The mean or the rate of each group.
        cells: The mean of each group (row) in each case, if cases are the unit of sampling.
        scope: What the result is about, such as ``for these 2 prompts``.
        notes: What was left out.
    """

    estimates: Sequence[Mean | Proportion]
    cells: NDArray[np.float64] | None
    scope: str
    notes: list[str]

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
            return _mean_of(self.cells[one] - self.cells[other])
        return difference(self.estimates[one], self.estimates[other])

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
        notes.append(f"Left out: {(~within).sum()} documents of cases that not every group has.")
        data = data[within]
    cases = data["block"].nunique()
    if cases >= PROMPTS:
        scope = f"for prompts like these {cases}"
    elif not has_blocks:
        scope = ""
    else:
        scope = f"for these {cases} prompts" if cases > 1 else "for this prompt"
        notes.append(f"The result is {scope}; one about further prompts needs at least {PROMPTS}.")
    parts = [part for _, part in data.groupby("group")]
    if observed.is_check:
        return Comparison([_rate(part) for part in parts], None, scope, notes)
    if cases >= PROMPTS:
        cells = data.pivot_table(index="group", columns="block", values="value").to_numpy()
        return Comparison([_mean_of(row) for row in cells], cells, scope, notes)
    return Comparison([_mean(part) for part in parts], None, scope, notes)


def _mean_of(values: NDArray[np.float64]) -> Mean:
    return Mean(float(values.mean()), float(values.var(ddof=1) / values.size), values.size - 1)


def _mean(part: pd.DataFrame) -> Mean:
    """Return the mean over cases; the copies of a text in a case are one judgment, with their weight."""
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
    return Mean(float(means.mean()), spread * weight, sizes.size - means.size)


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
        data: A row for each document: group, block and text as numbers from 0, and value.
        labels: The value of each column of the groups, by group.
        column: The column of the values.
        is_check: Whether the values are booleans.
        has_blocks: Whether there is a column of cases.
        notes: What was left out.
    """

    data: pd.DataFrame
    labels: list[dict[str, Any]]
    column: str
    is_check: bool
    has_blocks: bool
    notes: list[str] = field(default_factory=list)

    @property
    def what(self) -> str:
        """What is estimated, such as ``mean rating``."""
        return f"{'share' if self.is_check else 'mean'} {self.column}"

    @property
    def counts(self) -> list[int]:
        """The number of documents of each group."""
        return [int((self.data["group"] == at).sum()) for at in range(len(self.labels))]

    def first(self, count: int) -> Observations:
        """Return the observations of the first documents of each group."""
        return replace(self, data=self.data.groupby("group").head(count))

    def only(self, kept: Sequence[int]) -> Observations:
        """Return the observations of some of the groups."""
        data = self.data[self.data["group"].isin(kept)]
        data = data.assign(group=np.searchsorted(kept, data["group"]))
        return replace(self, data=data, labels=[self.labels[at] for at in kept])


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
    blocks = _blocks(frame, columns, block)
    require(frame, *columns, column, *blocks)
    frame = _in_order(frame)
    documents = frame["id"] if "id" in frame.columns else frame.index
    rows = frame.reset_index(drop=True)
    values, is_check = _values(rows, column)
    usable = values.notna() & rows[columns].notna().all(axis=1)
    notes = []
    if missing := int((~usable).sum()):
        notes.append(f"Left out without {column} or group: {missing} of {len(rows)} rows.")
    if "blind" in rows.columns and (seen := usable & ~flags(rows.fillna({"blind": True}), "blind")).any():
        notes.append(f"Left out as rated after the group was seen: {seen.sum()} of {len(rows)} rows.")
        usable &= ~seen
    rows = rows[usable]
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
    data["text"] = range(len(rows))
    if column == RATING and "result" in rows.columns:  # which people give once for all copies of a text
        texts = rows["result"].map(lambda text: " ".join(str(text).split()), na_action="ignore")
        data["text"] = pd.factorize(texts)[0]
    if "rater" in rows.columns:
        data = _by_document(data, np.asarray(documents)[rows.index], rows["rater"])
        is_check = False
    return Observations(data.reset_index(drop=True), labels, column, is_check, bool(blocks), notes)


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


def _blocks(frame: Any, columns: list[str], block: str | Sequence[str] | None) -> list[str]:
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
    every = {"block": "first", "value": "mean", "text": "first"}
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


def judged_notes(frame: pd.DataFrame, column: str) -> list[str]:
    """Return a note on a judged column: its agreement with human ratings, where there are any.

    Numbers are compared by Spearman's rank correlation, choices by the share that is the same.

    Args:
        frame: The frame with both columns; ``attrs["scoring"]`` names those that were judged by a model.
        column: The column of judgments.
    """
    if column not in frame.attrs.get("scoring", {}).get("judged", {}):
        return []
    human = next((name for name in (RATING, LABEL) if name in frame.columns), None)
    both = frame[[column, human]].dropna() if human else None
    if both is None or len(both) < ENOUGH:
        return [f"{column} was judged by a model; there are no human ratings to compare it with."]
    if human == LABEL:
        same = (both[column].astype("str") == both[LABEL].astype("str")).mean()
        return [
            f"{column} was judged by a model; it is the human label for {same:.0%} of {len(both)} records."
        ]
    ranks = both.astype("float64").rank()
    correlation = ranks[column].corr(ranks[RATING])
    if isnan(correlation):  # one of them never varies
        return [f"{column} was judged by a model; of {len(both)} human ratings or its own, all are equal."]
    how = f"its rank correlation with human ratings is {correlation:.2f} over {len(both)} records"
    return [f"{column} was judged by a model; {how}."]
