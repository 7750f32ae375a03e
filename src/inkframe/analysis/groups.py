"""Compare groups of documents or images by a column: means or rates with intervals, and a verdict each."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.analysis.comparison import compare
from inkframe.analysis.dask_support import gathers
from inkframe.analysis.judged import judged_notes
from inkframe.analysis.observations import observe
from inkframe.analysis.validation import annotate, confidence_level, positive
from inkframe.errors import InvalidArgument
from inkframe.signatures import checked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.analysis.comparison import Comparison
    from inkframe.analysis.intervals import Difference, Mean
    from inkframe.analysis.observations import Observations

__all__ = ["compare_groups", "group_table", "is_equivalent"]

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
@gathers
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
    nothing varies. Several rows of one document, such as ratings by several raters, are averaged after the
    raters were centered. Ratings that were not blind are left out. Copies of a text share one rating, and
    count as one judgment.

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
