"""Recommend one of several groups, or say what is missing for that, as a sentence, a table and a plot."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from html import escape
from math import ceil, isnan
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from inkframe.analysis.charts import SERIES, SIZE, figure, plain, shorten, theme
from inkframe.analysis.creativity import level_label
from inkframe.analysis.intervals import SIMILARITY, mean_of_pairs
from inkframe.analysis.similarity import pairwise_similarity
from inkframe.analysis.validation import confidence_level, number, positive, require
from inkframe.deciding.groups import (
    VERDICTS_AT,
    Comparison,
    Observations,
    compare,
    compare_groups,
    group_table,
    is_equivalent,
    judged_notes,
    observe,
)
from inkframe.deciding.win_rates import win_rates
from inkframe.errors import (
    ConfigurationError,
    InvalidArgument,
    check_keywords,
    checked,
    checked_calls,
    keywords_of,
)
from inkframe.files import write_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    import pandas as pd

    from inkframe.analysis.chart import Chart

__all__ = ["BEST", "UNDECIDED", "Recommendation", "plot_compare_groups", "plot_win_rates", "recommend"]

BEST, UNDECIDED = "one is best", "undecided"
#: At each number of ``VERDICTS_AT``, the share of ``1 - confidence`` that a winner may take, and that "any will do" may take.
#: ``tests/benchmarks/bench_recommend.py`` simulates both over all of them.
WINNER, SAME = 0.32, 0.48
#: The probability with which the needed number of documents settles the comparison.
POWER: Final = 0.8
#: The maximum number of texts of a group in a case whose similarity is shown.
COMPARED: Final = 50
PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Recommendation</title>
<meta name="viewport" content="width=device-width"><style>:root{{color-scheme:light dark}}
body{{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}
td,th{{padding:2px 10px;text-align:right}}img{{max-width:100%}}</style>{}</html>
"""
#: Colors by verdict; the verdict is written beside each group, too.
COLORS: Final = {"best": SERIES[2], "worse": SERIES[1]}
#: Inches for a group, and around all.
GROUP, AROUND = 0.36, 1.1


@checked
def recommend(
    frame: pd.DataFrame,
    *,
    by: str | Sequence[str] = "creativity",
    column: str,
    require: Mapping[str, float] | None = None,
    block: str | Sequence[str] | None = "case",
    smallest: float = 0.5,
    confidence: float = 0.95,
) -> Recommendation:
    """Recommend the group with the largest mean of a column, if the data allow it.

    Verdicts come at 10, 20, 30 and 40 documents in each group, taken in the order they were rated
    (``rated_at``, else by id), so that looking at the result while rating does no harm. A group is best if
    Welch's test against every other has p < 0.016; over all looks, one of two equally good groups is then
    called best in at most 5 % of comparisons. If all groups surely differ by less than ``smallest`` from the
    best, any will do. With ratings on a scale of 5, a difference of one standard deviation is found by 40
    documents in a group in 96 % of comparisons of two groups and 87 % of five; half of one in 42 % and 12 %.

    Args:
        frame: Documents or images with the columns, such as ``panel.frame``.
        by: The column of the groups, or a list of columns.
        column: The column to compare: ratings, scores or a check; larger is better.
        require: The least mean or share of further columns, such as ``{"passed": 0.9}``. Groups below are
            left out first.
        block: The column of cases, several, or None. If a frame has no ``case``, its ``prompt`` is used.
        smallest: The smallest difference that matters, in units of the column.
        confidence: The confidence level of the intervals and of the verdict, above 0.5.

    Returns:
        A recommendation that renders as a sentence, a table and a plot. ``choice`` is the value of the best
        group (a dict for several columns), None if there is none; ``verdict`` is ``one is best``,
        ``no difference above 0.5: any will do`` or ``undecided``; ``needed`` is the range of documents in
        each group that would probably settle an undecided comparison; ``frame`` is the table of all
        documents, with the verdict of each group (``left out`` if it lacks what is required), and the
        similarity of its texts, which is not weighed.

    Raises:
        InvalidArgument: A column is missing or of the wrong type, or there are fewer than two groups.
        ConfigurationError: SciPy is not installed, and there are intervals to compute.

    Example:
        >>> best = recommend(panel.frame, by="creativity", column="rating", require={"passed": 0.9})
        >>> ink.DocumentForm(client, creativity=best.choice)
    """
    positive("smallest", smallest)
    confidence_level(confidence)
    observed = observe(frame, by=by, column=column, block=block)
    whole = compare(observed)
    table = group_table(observed, whole, confidence, None)
    notes: list[str] = table.attrs["analysis"]["notes"]
    notes += judged_notes(frame, column)
    if observed.is_check and smallest >= 0.5:  # shares seldom differ by more
        notes.append(f"smallest={smallest:g} is half of all documents. Pass less to compare checks.")
    names = [_name(label) for label in observed.labels]
    kept, unsure = np.ones(len(table), bool), np.zeros(len(table), bool)
    for name, least in (require or {}).items():
        checks = observe(frame, by=by, column=name, block=block)
        required = compare(checks).estimates
        if checks.labels != observed.labels:
            raise InvalidArgument(f"A group has no value in {name!r}.\nFill the column, or drop the group.")
        ends = np.array([estimate.interval(confidence) for estimate in required])
        table[name] = [estimate.value for estimate in required]
        table[f"{name}_low"], table[f"{name}_high"] = ends.T
        fails = table[name].to_numpy() < number(f"require[{name!r}]", least)
        kept &= ~fails
        unsure |= fails & ~(ends[:, 1] < least)
    if "result" in frame.columns:
        table["similarity"] = [_similarity(frame, label) for label in observed.labels]
        table.attrs["analysis"]["units"]["similarity"] = "mean similarity of two texts; not weighed"
    notes += [
        f"{names[at]} was left out, but more documents may show that it has what is required."
        for at in np.flatnonzero(unsure)
    ]
    meeting = np.flatnonzero(kept).tolist()
    table["verdict"] = [UNDECIDED if each else "left out" for each in kept]
    wanted = " and ".join(f"{name} of at least {least:g}" for name, least in (require or {}).items())
    if not meeting:
        return Recommendation(None, UNDECIDED, None, f"No group has {wanted}.", table)
    if len(meeting) == 1:  # there is nothing to compare
        only, sure = meeting[0], not unsure.any()
        sentence = f"Only {names[only]} has {wanted}{'' if sure else ' so far'}."
        choice = _value(observed.labels[only]) if sure else None
        table.loc[only, "verdict"] = "best" if sure else UNDECIDED
        return Recommendation(choice, BEST if sure else UNDECIDED, None, sentence, table)
    among = observed.only(meeting)
    found = _decide(among, smallest, confidence)
    table.loc[meeting, "verdict"] = found.verdicts
    text = _sentence(found, among, confidence)
    text += "" if kept.all() else f" Groups without {wanted} were left out."
    choice = _value(among.labels[found.leading[0]]) if found.verdict == BEST else None
    return Recommendation(choice, found.verdict, found.needed, text, table)


class _Decision(NamedTuple):
    """A verdict on some groups.

    Args:
        verdict: The verdict.
        documents: The number of documents of each group that it is from.
        comparison: The comparison of these documents.
        leading: The best groups, the largest mean first.
        verdicts: The verdict of each group.
        needed: The range of documents of each group that would probably give a verdict.
    """

    verdict: str
    documents: int
    comparison: Comparison
    leading: list[int]
    verdicts: list[str]
    needed: tuple[int, int] | None = None


def _decide(observed: Observations, smallest: float, confidence: float) -> _Decision:
    """Return the first verdict that is possible."""
    fewest, wrong = min(observed.counts), 1 - confidence
    counts = [count for count in VERDICTS_AT if count <= fewest]
    for count in counts:
        comparison = compare(observed.first(count))
        best = comparison.best
        rivals = {at: comparison.difference(at, best) for at in comparison.order[1:]}
        if all(each.p < WINNER * wrong for each in rivals.values()):
            verdicts = ["best" if at == best else "worse" for at in range(len(comparison.estimates))]
            return _Decision(BEST, count, comparison, comparison.order, verdicts)
        worse = {at for at in rivals if comparison.adjusted[at] < WINNER * wrong}
        leading = [at for at in comparison.order if at not in worse]
        if all(is_equivalent(rivals[at], smallest, 1 - SAME * wrong) for at in leading[1:]):
            names = ", ".join(_name(observed.labels[at]) for at in sorted(leading))
            any_of = f"any of {names}" if worse else "any"
            verdict = f"no difference above {smallest:g}: {any_of} will do"
            verdicts = ["worse" if at in worse else "equivalent" for at in range(len(comparison.estimates))]
            return _Decision(verdict, count, comparison, leading, verdicts)
    count = counts[-1] if counts else fewest
    comparison = compare(observed.first(count))
    needed = _needed(comparison, count, smallest, wrong)
    verdicts = [UNDECIDED] * len(observed.labels)
    return _Decision(UNDECIDED, count, comparison, comparison.order, verdicts, needed)


def _needed(comparison: Comparison, count: int, smallest: float, wrong: float) -> tuple[int, int]:
    """Return how many documents of each group give a verdict, from the largest plausible difference on.

    The upper end is for a difference of ``smallest``, below which any group will do.
    """
    low, high = comparison.difference(*comparison.order[:2]).interval(1 - wrong)
    further = 10 * (count // 10 + 1)
    if isnan(low):
        return max(VERDICTS_AT[0], further), VERDICTS_AT[-1]
    normal = NormalDist()
    error = (high - low) / 2 / normal.inv_cdf(1 - wrong / 2)
    steps = normal.inv_cdf(1 - WINNER * wrong / 2) + normal.inv_cdf(POWER)
    ends = [count * (error * steps / each) ** 2 for each in (max(high, smallest), smallest)]
    fewest, most = (max(10 * ceil(end / 10), further) for end in ends)
    return fewest, most


def _sentence(found: _Decision, observed: Observations, confidence: float) -> str:
    """Return the verdict as a sentence to quote."""
    comparison, count, what = found.comparison, found.documents, observed.what
    means = [estimate.value for estimate in comparison.estimates]
    each = f"{count} documents each" + (f", {comparison.scope}" if comparison.scope else "")
    if found.verdict not in {BEST, UNDECIDED}:
        leading = [means[at] for at in found.leading]
        return f"{_capital(found.verdict)} ({what} {min(leading):.2f} to {max(leading):.2f}; {each})."
    if found.verdict == UNDECIDED and count < VERDICTS_AT[0]:
        return f"Undecided: a verdict needs at least {VERDICTS_AT[0]} documents of each group, got {count}."
    first, second = found.leading[:2]
    best, other = _name(observed.labels[first]), _name(observed.labels[second])
    against = comparison.difference(first, second)
    low, high = against.interval(confidence)
    ends = each if isnan(low) else f"{confidence * 100:g} % interval {low:.2f} to {high:.2f}, {each}"
    if found.verdict == BEST:
        return (
            f"{_capital(best)} is best: its {what} of {means[first]:.2f} is {against.value:.2f} above"
            f" that of {other} ({ends})."
        )
    least, most = found.needed or VERDICTS_AT[:2]
    number_of = f"{least}" if least == most else f"{least} to {most}"
    advice = (
        f"About {number_of} documents each would probably settle it."
        if most <= VERDICTS_AT[-1]
        else f"Verdicts end at {VERDICTS_AT[-1]} documents each; it would take about {number_of}."
    )
    return f"Undecided: {best} leads {other} by {against.value:.2f} in {what} ({ends}). {advice}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _similarity(frame: pd.DataFrame, label: Mapping[str, Any]) -> float:
    """Return the mean similarity of two texts of a group with the same prompt."""
    rows = frame[np.logical_and.reduce([frame[name].eq(value) for name, value in label.items()])]
    rows = rows[rows["result"].notna()]
    prompts = rows.groupby("prompt" if "prompt" in rows.columns else lambda _: 0)["result"]
    alike = [pairwise_similarity(texts.head(COMPARED).tolist()) for _, texts in prompts if len(texts) > 1]
    return mean_of_pairs(alike, SIMILARITY, 0.95).value


def _name(label: Mapping[str, Any]) -> str:
    """Return the name of a group, such as ``creativity 0.5 (Original)``."""
    parts = []
    for column, value in label.items():
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        level = level_label(value) if column == "creativity" and isinstance(value, float) else shown
        parts.append(f"{column} {shown}" + (f" ({level})" if level != shown else ""))
    return ", ".join(parts)


def _value(label: Mapping[str, Any]) -> Any:
    """Return the value of a group, or a dict of those of several columns."""
    return dict(label) if len(label) > 1 else next(iter(label.values()))


@checked_calls
@dataclass(frozen=True, eq=False, slots=True)
class Recommendation:
    """The result of ``recommend``.

    Args:
        choice: The value of the best group, or a dict of the values of several columns; None if there is none.
        verdict: ``one is best``, ``no difference above …: any will do``, or ``undecided``.
        needed: The range of documents of each group that would probably settle an undecided comparison.
        sentence: The verdict as a sentence to quote.
        frame: A row for each group, as ``compare_groups`` returns them.
    """

    choice: Any
    verdict: str
    needed: tuple[int, int] | None
    sentence: str
    frame: pd.DataFrame

    def plot(self) -> Chart:
        """Plot the groups with their intervals.

        Raises:
            ConfigurationError: matplotlib is not installed.
        """
        return plot_compare_groups(self.frame)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the sentence, the table and the plot as a page (``.html``), or the values as JSON (``.json``).

        Args:
            path: The file. An existing file is replaced.

        Returns:
            The path written.

        Raises:
            InvalidArgument: The suffix is another one, or the file cannot be written.
        """
        target = Path(path).expanduser()
        if target.suffix == ".json":
            content = self._json()
        elif target.suffix in {".html", ".htm"}:
            content = PAGE.format(self._repr_html_())
        else:
            raise InvalidArgument(f"path must end in .html or .json, got {target.name!r}.")
        return write_file(target.parent, target.name, content.encode(), overwrite=True)

    def __repr__(self) -> str:
        return "\n".join([self.sentence, "", self.frame.round(2).to_string(index=False), *self._notes()])

    def _repr_html_(self) -> str:
        table = self.frame.round(2).to_html(index=False, border=0, na_rep="")
        notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in self._notes())
        try:
            picture, size = self.plot()._repr_png_()
        except ConfigurationError:  # matplotlib is an extra
            return f"<p><strong>{escape(self.sentence)}</strong></p>{table}{notes}"
        source = base64.b64encode(picture).decode("ascii")
        plot = f'<img alt="{escape(self.sentence)}" width="{size["width"]}" src="data:image/png;base64,{source}">'
        return f"<p><strong>{escape(self.sentence)}</strong></p>{table}<p>{plot}</p>{notes}"

    def _json(self) -> str:
        values = {
            "choice": self.choice,
            "verdict": self.verdict,
            "needed": self.needed,
            "sentence": self.sentence,
            "notes": self._notes(),
            "groups": json.loads(self.frame.to_json(orient="records", date_format="iso")),
        }
        return json.dumps(values, indent=2, ensure_ascii=False, default=str) + os.linesep

    def _notes(self) -> list[str]:
        return list(self.frame.attrs["analysis"]["notes"])


@checked
def plot_compare_groups(groups: pd.DataFrame, **options: Any) -> Chart:
    """Plot the mean of each group with its interval, and its verdict.

    Args:
        groups: Documents or images, or the result of ``compare_groups``.
        options: Arguments of ``compare_groups``, for documents or images.

    Raises:
        InvalidArgument: The frame is neither.
        WrongKeyword: ``compare_groups`` does not take an option.
        ConfigurationError: matplotlib is not installed.
    """
    check_keywords("plot_compare_groups", options, keywords_of(compare_groups))
    require(groups)
    if not {"n", "mean", "low", "high", "verdict"} <= set(groups.columns):
        groups = compare_groups(groups, **options)
    label = groups.attrs.get("analysis", {}).get("units", {}).get("mean", "mean")
    rows = zip(groups["mean"], groups["verdict"], groups["n"], strict=True)
    beside = [f"{mean:.2f} · {verdict}, n = {n}" for mean, verdict, n in rows]
    colors = [COLORS.get(verdict, SERIES[0]) for verdict in groups["verdict"]]
    return _dots(groups, ["mean", "low", "high"], beside, colors, label)


@checked
def plot_win_rates(rates: pd.DataFrame, **options: Any) -> Chart:
    """Plot the rate at which each group wins, with its interval.

    Args:
        rates: Judgments of pairs, or the result of ``win_rates``.
        options: Arguments of ``win_rates``, for judgments.

    Raises:
        InvalidArgument: The frame is neither.
        WrongKeyword: ``win_rates`` does not take an option.
        ConfigurationError: matplotlib is not installed.
    """
    check_keywords("plot_win_rates", options, keywords_of(win_rates))
    require(rates)
    if not {"n", "win_rate", "low", "high"} <= set(rates.columns):
        rates = win_rates(rates, **options)
    beside = [f"{rate:.2f}, n = {n}" for rate, n in zip(rates["win_rate"], rates["n"], strict=True)]
    return _dots(rates, ["win_rate", "low", "high"], beside, [SERIES[0]] * len(rates), "win rate")


def _dots(groups: pd.DataFrame, values: list[str], beside: list[str], colors: list[str], label: str) -> Chart:
    """Plot a value and its interval for each row, which the columns before ``n`` name."""
    columns = groups.columns[: list(groups.columns).index("n")]
    names = [", ".join(map(str, row)) for row in groups[columns].itertuples(index=False)]
    description = "; ".join(f"{name} {text}" for name, text in zip(names, beside, strict=True))
    chart = figure(GROUP * len(names) + AROUND, f"{label} by group: {description}.")
    axes = chart.subplots()
    small: dict[str, Any] = {"va": "center", "fontsize": SIZE - 1.5, "color": theme().text}
    estimates = groups[values].to_numpy(float)
    for at, ((value, low, high), color) in enumerate(zip(estimates, colors, strict=True)):
        ends = np.maximum(np.nan_to_num([[value - low], [high - value]]), 0)
        axes.errorbar([value], [at], xerr=ends, fmt="o", color=color, markersize=6, linewidth=1.6)
        axes.annotate(beside[at], (1.02, at), xycoords=("axes fraction", "data"), **small)
    axes.set_yticks(range(len(names)), labels=[shorten(name, 40) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.08)
    plain(axes, label[0].upper() + label[1:], x="mean and interval", grid="x")
    return chart
