"""Estimates of groups, and the differences between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.analysis.intervals import Mean, Rate, difference, holm
from inkframe.analysis.pair_means import PROMPTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from inkframe.analysis.intervals import Difference
    from inkframe.analysis.observations import Observations

__all__ = ["Comparison", "compare"]

#: The share of all documents that the cases of every group must hold, to compare within cases.
COMMON: Final = 0.5


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
