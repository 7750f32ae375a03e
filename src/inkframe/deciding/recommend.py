"""Recommend one of several groups, or say what is missing for that, as a sentence, a table and a plot."""

from __future__ import annotations

import base64
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.charts import SERIES, SIZE, chart, figure, plain, shorten, theme
from inkframe.analysis.intervals import SIMILARITY, mean_of_pairs
from inkframe.analysis.similarity import pairwise_similarity
from inkframe.analysis.validation import attribute, confidence_level, number, positive, result_of
from inkframe.deciding.groups import CASE, Observations, blocks_of, compare, observe, plain_value
from inkframe.deciding.verdict import (
    BEST,
    CONFIDENCE,
    SMALLEST,
    UNDECIDED,
    compare_groups,
    decide,
    group_name,
    group_rows,
    group_table,
    judged_notes,
)
from inkframe.deciding.win_rates import win_rates
from inkframe.display.markup import Html, line, root, tag
from inkframe.errors import (
    ConfigurationError,
    InvalidArgument,
    check_keywords,
    checked,
    checked_calls,
    keywords_of,
)
from inkframe.frames import held_by
from inkframe.schema import DOCUMENTS, RESOURCES
from inkframe.system.files import write_file

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = ["Recommendation", "plot_compare_groups", "plot_win_rates", "recommend"]

#: The columns of a plan that say what a row is about, beside its fields.
ABOUT: Final = ("prompt_template", "variant", CASE)
#: The maximum number of texts of a group in a case whose similarity is shown.
COMPARED: Final = 50
PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Recommendation</title>
<meta name="viewport" content="width=device-width"><style>:root{{color-scheme:light dark}}
body{{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}
td,th{{padding:2px 10px;text-align:right}}img{{max-width:100%}}</style>{}</html>
"""
#: The beginnings of saved files, and the most characters of a sentence.
BEGINNINGS: Final = (PAGE.partition("\n")[0].encode(), b'{\n  "choice": ')
LONGEST: Final = 1000
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
    smallest: float = SMALLEST,
    confidence: float = CONFIDENCE,
) -> Recommendation:
    """Recommend the group with the largest mean of a column, if the data allow it.

    Verdicts come at 10 (of 7 cases, at 11), 20 and 30 documents in each group, taken in the order they were rated
    (``rated_at``, else by id), and when all are rated, so that looking at the result while rating does no harm. A group is best if
    Welch's test against every other has p < 0.016, or, from 8 cases on, the paired test over the cases p < 0.012;
    over all looks, one of two equally good groups is then called best in about 5 % of comparisons at most. If all groups surely differ by less than ``smallest`` from the
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
        ``no difference above 0.5: any will do`` or ``undecided``; ``needed`` is the range of documents to add
        to each group that would probably settle an undecided comparison, and ``needed_code`` the line that
        adds the fewest; ``frame`` is the table of the documents that the verdict is from, with that of each
        group (``left out`` if it lacks what is required), and the similarity of its texts, which is not
        weighed. What is required is of all documents.

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
    names = [group_name(label) for label in observed.labels]
    required, kept, unsure = _required(frame, observed, require or {}, by, block, confidence)
    wanted = " and ".join(f"{name} of at least {least:g}" for name, least in (require or {}).items())
    meeting: list[int] = np.flatnonzero(kept).tolist()
    notes: Sequence[str] = observed.notes
    choice, verdict, needed, end = None, UNDECIDED, None, len(observed.data)
    rows: dict[int, dict[str, Any]] = {}
    used: dict[int, Any] = {}
    if len(meeting) > 1:
        among = observed.only(meeting)
        found = decide(among, smallest, confidence)
        verdict, needed, end, notes = found.verdict, found.needed, found.end, found.notes
        sentence = found.sentence + ("" if kept.all() else f" Groups without {wanted} were left out.")
        choice = _value(among.labels[found.leading[0]]) if verdict == BEST else None
        rows |= zip(meeting, group_rows(found.comparison, found.verdicts, confidence), strict=True)
        used |= zip(meeting, found.comparison.places, strict=True)
    elif meeting:  # there is nothing to compare
        sentence = f"Only {names[meeting[0]]} has {wanted}{' so far' if unsure.any() else ''}."
        choice, verdict = (None, UNDECIDED) if unsure.any() else (_value(observed.labels[meeting[0]]), BEST)
    else:
        sentence = f"No group has {wanted}."
    for at in {*range(len(names))} - rows.keys():
        said = "left out" if at not in meeting else "best" if verdict == BEST else UNDECIDED
        alone = compare(observed.only([at]).until(end))
        rows[at] = group_rows(alone, [said], confidence)[0] | {"difference": nan}
        used[at] = alone.places[0]
    notes = [*notes, *judged_notes(frame, column)]
    if observed.is_check and smallest >= SMALLEST:  # shares seldom differ by more
        notes.append(f"smallest={smallest:g} is half of all documents. Pass less to compare checks.")
    notes += [
        f"{names[at]} was left out, but more documents may show that it has what is required."
        for at in np.flatnonzero(unsure)
    ]
    table = group_table(observed, [rows[at] for at in range(len(names))], notes).assign(**required)
    if "result" in frame.columns:
        table["similarity"] = [_similarity(frame.iloc[used[at]]) for at in range(len(names))]
        table.attrs["analysis"]["units"]["similarity"] = "mean similarity of two texts; not weighed"
    groups = [observed.labels[at] for at in meeting]
    blocks = blocks_of(frame, [*observed.labels[0]], block)
    code = _code(frame, groups, blocks, needed) if needed else ""
    return Recommendation(choice, verdict, needed, sentence, table, code)


def _required(
    frame: pd.DataFrame,
    observed: Observations,
    require: Mapping[str, float],
    by: Any,
    block: Any,
    confidence: float,
) -> tuple[dict[str, Any], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the columns of what is required, which groups have it, and which may have it after all."""
    kept, unsure = np.ones(len(observed.labels), bool), np.zeros(len(observed.labels), bool)
    required: dict[str, Any] = {}
    for name, least in require.items():
        checks = observe(frame, by=by, column=name, block=block)
        if checks.labels != observed.labels:
            raise InvalidArgument(f"A group has no value in {name!r}.\nFill the column, or drop the group.")
        shares = compare(checks)
        values = np.array([estimate.value for estimate in shares.estimates])
        lows, highs = np.array([shares.ends(at, confidence) for at in range(len(kept))]).T
        required |= {name: values, f"{name}_low": lows, f"{name}_high": highs}
        fails = values < number(f"require[{name!r}]", least)
        kept &= ~fails
        unsure |= fails & ~(highs < least)
    return required, kept, unsure


def _similarity(rows: pd.DataFrame) -> float:
    """Return the mean similarity of two texts with the same prompt."""
    rows = rows[rows["result"].notna()]
    prompts = rows.groupby("prompt" if "prompt" in rows.columns else lambda _: 0, observed=True)["result"]
    alike = [pairwise_similarity(texts.head(COMPARED).tolist()) for _, texts in prompts if len(texts) > 1]
    return mean_of_pairs(alike, SIMILARITY, 0.95).value


def _code(
    frame: pd.DataFrame, groups: Sequence[Mapping[str, Any]], blocks: Sequence[str], needed: tuple[int, int]
) -> str:
    """Return the line that creates as many records more of each group; empty where the frame lacks what makes them."""
    spec = RESOURCES[held_by(frame) or DOCUMENTS.name]
    fewest = needed[0] or needed[1]
    if spec.source not in frame.columns or not fewest:
        return ""
    wanted = dict.fromkeys([spec.source, *spec.settings, *ABOUT, *blocks, *groups[0]])
    rows = frame[[name for name in wanted if name in frame.columns]].dropna(subset=[spec.source])
    found = (
        {name: plain_value(value) for name, value in row.items() if pd.notna(value)}
        for row in rows.drop_duplicates().to_dict("records")
    )
    cells = [cell for cell in found if {name: cell.get(name) for name in groups[0]} in groups]
    sizes = Counter(tuple(cell[name] for name in groups[0]) for cell in cells)
    times = -(-fewest // min(sizes.values()))
    lines = "".join(f"    {cell!r},\n" for cell in cells)
    return (
        f"cells = [\n{lines}]\n"
        f"more = client.{spec.name}.create_many(\n"
        f'    [cell | {{"name": f"More {{number}}"}} for number, cell in enumerate(cells * {times}, {len(frame) + 1})],\n'
        f"    confirm={len(cells) * times},\n)"
    )


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
        needed: The fewest and the most documents to add to each group that would probably settle an undecided
            comparison; None where there is a verdict, or none can come any more.
        sentence: The verdict as a sentence to quote.
        frame: A row for each group, as ``compare_groups`` returns them.
        needed_code: The line that adds the fewest of ``needed``; empty where nothing is to be added.
    """

    choice: Any
    verdict: str
    needed: tuple[int, int] | None
    sentence: str
    frame: pd.DataFrame
    needed_code: str = ""

    def plot(self) -> chart.Chart:
        """Plot the groups with their intervals.

        Raises:
            ConfigurationError: matplotlib is not installed.
        """
        return plot_compare_groups(self.frame)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the sentence, the table and the plot as a page (``.html``), or the values as JSON (``.json``).

        Args:
            path: The file. A recommendation that was saved there before is replaced.
            overwrite: Whether to replace any other file, too.

        Returns:
            The path written.

        Raises:
            InvalidArgument: The suffix is another one, there is another file, or it cannot be written.
        """
        target = Path(path).expanduser()
        if target.suffix == ".json":
            values = {
                "choice": self.choice,
                "verdict": self.verdict,
                "needed": self.needed,
                "sentence": self.sentence,
                "notes": self._notes(),
                "groups": json.loads(self.frame.to_json(orient="records", date_format="iso")),
            }
            content = json.dumps(values, indent=2, ensure_ascii=False, default=str) + os.linesep
        elif target.suffix in {".html", ".htm"}:
            content = PAGE.format(self._repr_html_())
        else:
            raise InvalidArgument(f"path must end in .html or .json, got {target.name!r}.")
        return write_file(
            target.parent,
            target.name,
            content.encode("utf-8", "backslashreplace"),
            overwrite=overwrite,
            ours=_is_own,
        )

    def __repr__(self) -> str:
        shown = [line(self.sentence, LONGEST), "", self._table().to_string(index=False)]
        return "\n".join([*shown, *self._notes()])

    def _repr_html_(self) -> str:
        sentence = line(self.sentence, LONGEST)
        table = Html(self._table().to_html(index=False, border=0, na_rep=""))
        parts = [tag("p", tag("strong", sentence)), table]
        with suppress(ConfigurationError):  # matplotlib is an extra
            picture, size = self.plot()._repr_png_()
            source = f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}"
            parts.append(tag("p", tag("img", alt=sentence, width=size["width"], src=source)))
        return str(root(*parts, *(tag("p", tag("small", note)) for note in self._notes())))

    def _table(self) -> pd.DataFrame:
        """Return the groups with rounded numbers, and with names and texts that are safe to show."""
        return (
            self.frame.round(2)
            .rename(columns=line)
            .map(lambda value: line(value) if isinstance(value, str) else value)
        )

    def _notes(self) -> list[str]:
        return [line(note, LONGEST) for note in attribute(self.frame, "analysis").get("notes", [])]


def _is_own(path: Path) -> bool:
    """Return whether a file is a recommendation that was saved."""
    with path.open("rb") as file:
        return file.read(LONGEST).startswith(BEGINNINGS)


@checked
def plot_compare_groups(groups: pd.DataFrame, **options: Any) -> chart.Chart:
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
    groups = result_of(compare_groups, groups, ("n", "mean", "low", "high", "verdict"), **options)
    label = str(attribute(groups, "analysis").get("units", {}).get("mean", "mean"))
    rows = zip(groups["mean"], groups["verdict"], groups["n"], strict=True)
    beside = [f"{mean:.2f} · {verdict}, n = {n}" for mean, verdict, n in rows]
    colors = [COLORS.get(verdict, SERIES[0]) for verdict in groups["verdict"]]
    return _dots(groups, ["mean", "low", "high"], beside, colors, label)


@checked
def plot_win_rates(rates: pd.DataFrame, **options: Any) -> chart.Chart:
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
    rates = result_of(win_rates, rates, ("n", "win_rate", "low", "high"), **options)
    beside = [f"{rate:.2f}, n = {n}" for rate, n in zip(rates["win_rate"], rates["n"], strict=True)]
    return _dots(rates, ["win_rate", "low", "high"], beside, [SERIES[0]] * len(rates), "win rate")


def _dots(
    groups: pd.DataFrame, values: list[str], beside: list[str], colors: list[str], label: str
) -> chart.Chart:
    """Plot a value and its interval for each row, which the columns before ``n`` name."""
    columns = groups.columns[: list(groups.columns).index("n")]
    names = [line(", ".join(map(str, row))) for row in groups[columns].itertuples(index=False)]
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
