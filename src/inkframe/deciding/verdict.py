"""The verdict on some groups: one rule for all that names a best group, and the table of what it is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, isnan, nan
from statistics import NormalDist
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from inkframe.analysis.creativity import level_label
from inkframe.analysis.intervals import Difference, Mean
from inkframe.analysis.validation import annotate, confidence_level, positive
from inkframe.deciding.groups import RATING, Comparison, Observations, compare, observe
from inkframe.errors import InvalidArgument, checked
from inkframe.frames import attribute
from inkframe.versions import text_type

__all__ = [
    "BEST",
    "CONFIDENCE",
    "MOST",
    "SMALLEST",
    "UNDECIDED",
    "Decision",
    "compare_groups",
    "decide",
    "group_name",
    "group_rows",
    "group_table",
    "is_equivalent",
    "judged_notes",
]

BEST, UNDECIDED = "one is best", "undecided"
#: At each look, the share of ``1 - confidence`` that a winner may take, that one over enough cases to sample these may
#: take, and that "any will do" may take. ``tests/benchmarks/bench_recommend.py`` simulates them over all looks.
WINNER, OVER_CASES, SAME = 0.32, 0.24, 0.48
#: The most documents of each group that are advised. Each addition is one more look.
MOST: Final = 40
#: The smallest difference of ratings that matters, and the confidence level, if no others are given.
SMALLEST, CONFIDENCE = 0.5, 0.95
#: The probability with which the needed number of documents settles the comparison.
POWER: Final = 0.8
#: The column of human labels, and the minimum number of records to compare a model's judgments with.
LABEL, ENOUGH = "label", 3
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
    confidence: float = CONFIDENCE,
    smallest: float | None = None,
) -> pd.DataFrame:
    """Compare groups of records by a number or a check; larger is better.

    Groups are compared within cases, which are weighted equally. Documents are the replicates; from 8 cases
    on, cases are, and the result is about further cases, too. Means have intervals of Student's t and are
    compared by Welch's test; checks have Wilson intervals and are compared by Newcombe's. Each interval is for
    one group or one difference; those of differences are wider with more groups, since the best is found in the
    same data. An interval is missing where nothing varies, and of a mean of fewer than three documents.

    Ratings (the column ``rating``) have the verdict of ``recommend``, which comes at 10 (of 7 cases, at 11), 20 and 30 documents of each
    group and when all are rated, and all numbers are of the documents that it is from. Of other columns, a group is worse than
    the best if its p-value, adjusted by Holm for all pairs of groups, is below ``1 - confidence``. It is
    equivalent if the interval of its difference with a confidence of ``2 * confidence - 1`` lies within
    ``smallest`` (two one-sided tests).

    Several rows of one document, such as ratings by several raters, are averaged after the raters were
    centered. Ratings that were not blind are left out. Copies of a text share one rating, and count as one
    judgment. Means and intervals of ratings do not leave their scale. In simulations the intervals of means cover the
    truth in 93 to 96 % of cases, and in only 87 to 93 % where a mean is within 0.3 of an end of the scale.

    Args:
        frame: Documents or images with the columns.
        by: The column of the groups, or a list of columns.
        column: The column to compare: numbers or booleans.
        block: The column of cases, several, or None. If a frame has no ``case``, its ``prompt`` is used.
        confidence: The confidence level, above 0.5.
        smallest: The smallest difference that matters: 0.5 for ratings; of other columns, no group is
            equivalent without it.

    Returns:
        A row for each group in its own order: the group, n (documents), mean, low, high, difference (to the
        best), difference_low, difference_high, verdict (``best``, ``worse``, ``equivalent`` or
        ``undecided``). ``best`` is named only if all others are worse. ``attrs["analysis"]["notes"]`` says
        what the result is about and what was left out, for ratings after the verdict as a sentence.

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
    if column == RATING:
        found = decide(observed, SMALLEST if smallest is None else smallest, confidence)
        rows, notes = group_rows(found.comparison, found.verdicts, confidence), [found.sentence, *found.notes]
    else:
        whole = compare(observed)
        rows, notes = group_rows(whole, _verdicts(whole, confidence, smallest), confidence), whole.notes
    return group_table(observed, rows, [*notes, *judged_notes(frame, column)])


def _verdicts(comparison: Comparison, confidence: float, smallest: float | None) -> list[str]:
    """Return the verdict of each group on its difference to the best in all documents at once."""
    best = comparison.best
    found = ["worse" if p < 1 - confidence else UNDECIDED for p in comparison.adjusted]
    for at in comparison.order if smallest is not None else ():
        if is_equivalent(comparison.difference(at, best), smallest or nan, confidence):
            found[at] = "equivalent"
    others = {each for at, each in enumerate(found) if at != best}
    found[best] = next((each for each in (UNDECIDED, "equivalent") if each in others), "best")
    return found


def group_rows(comparison: Comparison, verdicts: Sequence[str], confidence: float) -> list[dict[str, Any]]:
    """Return what a comparison says of each group."""
    best = comparison.best
    rows = []
    for at, verdict in enumerate(verdicts):
        low, high = comparison.ends(at, confidence)
        ends = comparison.difference_ends(at, best, confidence) if at != best else (nan, nan)
        numbers = (len(comparison.places[at]), comparison.estimates[at].value, low, high,
                   comparison.difference(at, best).value, *ends, verdict)  # fmt: skip
        rows.append(dict(zip([*UNITS, "verdict"], numbers, strict=True)))
    return rows


def group_table(observed: Observations, rows: Sequence[dict[str, Any]], notes: Sequence[str]) -> pd.DataFrame:
    """Return the rows of groups as a frame.

    Raises:
        InvalidArgument: A column of the groups has the name of one of the result.
    """
    if clash := sorted(UNITS.keys() & observed.labels[0].keys()):
        raise InvalidArgument(f"The group {clash[0]!r} is a column of the result.\nRename it in the frame.")
    units = dict.fromkeys(observed.labels[0], "group") | UNITS | {"mean": observed.what}
    table = pd.DataFrame([label | row for label, row in zip(observed.labels, rows, strict=True)])
    return annotate(table, units, *notes)


def is_equivalent(against: Mean | Difference, smallest: float, confidence: float) -> bool:
    """Return whether a difference is surely smaller than one that matters, by two one-sided tests."""
    low, high = against.interval(2 * confidence - 1)
    return -smallest < low and high < smallest


class Decision(NamedTuple):
    """A verdict on some groups.

    Args:
        verdict: The verdict.
        end: The last row of the observations that it is from.
        comparison: The comparison of these documents.
        leading: The best groups, the largest mean first.
        verdicts: The verdict of each group.
        sentence: The verdict as a sentence to quote.
        notes: What the verdict is about, and what was left out.
        needed: The range of documents to add to each group that would probably give a verdict; None where
            there is one, or none can come.
    """

    verdict: str
    end: int
    comparison: Comparison
    leading: list[int]
    verdicts: list[str]
    sentence: str = ""
    notes: Sequence[str] = ()
    needed: tuple[int, int] | None = None


def decide(observed: Observations, smallest: float, confidence: float) -> Decision:
    """Return the first verdict that is possible.

    Where there are too few documents for one, the numbers are of all of them.
    """
    for end in observed.looks():
        found = _verdict_at(observed.until(end), end, smallest, confidence)
        if found.verdict != UNDECIDED:
            break
    notes, needed, advice = [*found.comparison.notes], None, ""
    if later := int((observed.data.index > found.end).sum()):
        notes.append(
            f"Verdicts come at {', '.join(map(str, observed.verdicts_at))} documents of each group and when all are rated;"
            f" this one is without {later} later {'one' if later == 1 else 'ones'}."
        )
    if found.verdict == UNDECIDED:
        notes += [
            f"Nothing is known of {group_name(label)}: its values do not vary, or are of too few texts."
            for label, mean in zip(observed.labels, found.comparison.compared, strict=False)
            if isnan(mean.error)
        ]
        needed, advice = _needed(found, observed, smallest, 1 - confidence)
    said = _sentence(found, observed, confidence) + advice
    return found._replace(sentence=said[0].upper() + said[1:], notes=notes, needed=needed)


def _verdict_at(observed: Observations, end: int, smallest: float, confidence: float) -> Decision:
    """Return the verdict on the documents up to a look, which may be that there is none."""
    comparison = compare(observed)
    best, everyone = comparison.best, range(len(comparison.estimates))
    verdict, leading, verdicts = UNDECIDED, comparison.order, [UNDECIDED for _ in everyone]
    if min(observed.counts) < observed.verdicts_at[0]:
        return Decision(verdict, end, comparison, leading, verdicts)
    wrong, winner = 1 - confidence, (1 - confidence) * (WINNER if comparison.cells is None else OVER_CASES)
    rivals = {at: comparison.difference(at, best) for at in comparison.order[1:]}
    worse = {at for at in rivals if comparison.adjusted[at] < winner}
    near = [at for at in comparison.order if at not in worse]
    if all(each.p < winner for each in rivals.values()):
        verdict, verdicts = BEST, ["best" if at == best else "worse" for at in everyone]
    elif all(is_equivalent(rivals[at], smallest, 1 - SAME * wrong) for at in near[1:]):
        names = ", ".join(group_name(observed.labels[at]) for at in sorted(near))
        verdict = f"no difference above {smallest:g}: {f'any of {names}' if worse else 'any'} will do"
        leading, verdicts = near, ["worse" if at in worse else "equivalent" for at in everyone]
    return Decision(verdict, end, comparison, leading, verdicts)


def _needed(
    found: Decision, observed: Observations, smallest: float, wrong: float
) -> tuple[tuple[int, int] | None, str]:
    """Return how many documents to add to each group, and what would probably lead to a verdict, as a sentence.

    The range of documents that give one is from the largest plausible difference on; its upper end is for a
    difference of ``smallest``, below which any group will do. Neither is beyond ``MOST``.
    """
    count, have = min(observed.counts), min(map(sum, zip(observed.counts, observed.waiting, strict=True)))
    if count < observed.verdicts_at[0]:
        return (max(0, observed.verdicts_at[0] - have), max(0, MOST - have)), ""
    low, high = found.comparison.difference(*found.leading[:2]).interval(1 - wrong)
    fewest, most = 10 * (count // 10 + 1), MOST
    if not isnan(low):
        normal, seen = NormalDist(), min(len(places) for places in found.comparison.places)
        error = (high - low) / 2 / normal.inv_cdf(1 - wrong / 2)
        steps = normal.inv_cdf(1 - WINNER * wrong / 2) + normal.inv_cdf(POWER)
        ends = [seen * (error * steps / each) ** 2 for each in (max(high, smallest), smallest)]
        fewest, most = (max(10 * ceil(end / 10), fewest) for end in ends)
    waiting, how = min(observed.waiting), "" if observed.left else f", with per_group={have}"
    rest = f" Rate the other {waiting} of each group first{how}." if waiting else ""
    if fewest > MOST:
        return None, f"{rest} More documents would probably not settle it."
    needed, would = (
        (max(0, fewest - have), max(0, min(most, MOST) - have)),
        "may" if most > MOST else "would probably",
    )
    return needed, rest + f" About {_range(*needed)} more documents each {would} settle it." * any(needed)


def _range(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _sentence(found: Decision, observed: Observations, confidence: float) -> str:
    """Return the verdict as a sentence to quote, with the numbers of its table."""
    if (fewest := min(observed.counts)) < (least := observed.verdicts_at[0]):
        return f"Undecided: a verdict needs at least {least} documents of each group, got {fewest}."
    comparison, what = found.comparison, observed.what
    means = [_two(estimate.value) for estimate in comparison.estimates]
    sizes = [len(places) for places in comparison.places]
    each = f"{_range(min(sizes), max(sizes))} documents each" + (
        f", {comparison.scope}" if comparison.scope else ""
    )
    if found.verdict not in {BEST, UNDECIDED}:
        leading = f"{means[found.leading[-1]]} to {means[found.leading[0]]}"
        return f"{found.verdict} ({what} {leading}; {each})."
    first, second = found.leading[:2]
    best, other = (group_name(observed.labels[at]) for at in (first, second))
    lead = _two(comparison.difference(first, second).value)
    low, high = comparison.difference_ends(first, second, confidence)
    ends = each if isnan(low) else f"{confidence * 100:g} % interval {_two(low)} to {_two(high)}, {each}"
    if found.verdict == BEST:
        return f"{best} is best: its {what} of {means[first]} is {lead} above that of {other} ({ends})."
    if not float(lead):
        return f"Undecided: {best} and {other} are level in {what} ({ends})."
    return f"Undecided: {best} leads {other} by {lead} in {what} ({ends})."


def _two(value: float) -> str:
    """Return a number with two decimals, rounded as the table rounds."""
    return f"{np.round(value, 2):.2f}"


def group_name(label: Mapping[str, Any]) -> str:
    """Return the name of a group, such as ``creativity 0.5 (Original)``."""
    parts = []
    for column, value in label.items():
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        level = level_label(value) if column == "creativity" and isinstance(value, float) else shown
        parts.append(f"{column} {shown}" + (f" ({level})" if level != shown else ""))
    return ", ".join(parts)


def judged_notes(frame: pd.DataFrame, column: str) -> list[str]:
    """Return a note on a judged column: its agreement with human ratings, where there are any.

    Numbers are compared by Spearman's rank correlation, choices by the share that is the same.

    Args:
        frame: The frame with both columns; ``attrs["scoring"]`` names those that were judged by a model.
        column: The column of judgments.
    """
    if column not in attribute(frame, "scoring").get("judged", {}):
        return []
    human = next((name for name in (RATING, LABEL) if name in frame.columns), None)
    both = frame[[column, human]].dropna() if human else None
    if both is None or len(both) < ENOUGH:
        return [f"{column} was judged by a model; there are no human ratings to compare it with."]
    if human == LABEL:
        same = (both[column].astype(text_type()) == both[LABEL].astype(text_type())).mean()
        return [
            f"{column} was judged by a model; it is the human label for {same:.0%} of {len(both)} records."
        ]
    ranks = both.astype("float64").rank()
    correlation = ranks[column].corr(ranks[RATING])
    if isnan(correlation):  # one of them never varies
        return [f"{column} was judged by a model; of {len(both)} human ratings or its own, all are equal."]
    how = f"its rank correlation with human ratings is {correlation:.2f} over {len(both)} records"
    return [f"{column} was judged by a model; {how}."]
