"""Compare groups of documents or images by a column: means or rates with intervals, and a verdict each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.intervals import Mean, Rate, difference, holm
from inkframe.analysis.pair_means import PROMPTS
from inkframe.analysis.validation import annotate, confidence_level, positive
from inkframe.deciding.observations import judged_notes, observe
from inkframe.errors import InvalidArgument
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from inkframe.analysis.intervals import Difference
    from inkframe.deciding.observations import Observations

__all__ = ["Comparison", "compare", "compare_groups", "group_table", "is_equivalent"]

#: The share of all documents that the cases of every group must hold, to compare within cases.
COMMON: Final = 0.5
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
        row = {"n": counts[at], "mean": estimate.value, "low": low, "high": high}
        row |= {"difference": against.value, "difference_low": ends[0], "difference_high": ends[1]}
        rows.append(observed.labels[at] | row | {"verdict": verdict})
    others = {row["verdict"] for at, row in enumerate(rows) if at != best}
    rows[best]["verdict"] = next((each for each in ("undecided", "equivalent") if each in others), "best")
    what = f"{'share' if observed.is_check else 'mean'} {observed.column}"
    units = dict.fromkeys(observed.labels[0], "group") | UNITS | {"mean": what}
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

    estimates: Sequence[Mean | Rate]
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
    scope = f"for these {cases} prompts" if cases > 1 else "for this prompt"
    if cases >= PROMPTS:
        scope = f"for prompts like these {cases}"
    elif not has_blocks:
        scope = ""
    else:
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


def _rate(part: pd.DataFrame) -> Rate:
    """Return the mean over cases, with the number of trials that has its variance."""
    cells: Any = part.groupby("block")["value"].agg(["mean", "size"])
    value, count = float(cells["mean"].mean()), len(cells)
    trials = count**2 / float((1 / cells["size"]).sum())
    if count >= PROMPTS and (variance := float(cells["mean"].var() / count)) > 0:
        trials = min(trials, value * (1 - value) / variance)
    return Rate(value, trials)
