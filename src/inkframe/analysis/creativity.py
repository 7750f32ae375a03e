"""The response of texts to the creativity level, and its plot."""

from __future__ import annotations

from itertools import combinations
from math import isnan, nan
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.charts import MARKERS, SERIES, SIZE, chart, figure, plain, shorten, theme
from inkframe.analysis.intervals import (
    DIFFERENT,
    LENGTH,
    PROMPTS,
    SIMILARITY,
    Mean,
    difference,
    holm,
    mean_of_pairs,
    wilson,
)
from inkframe.analysis.similarity import UNIT, pairwise_similarity
from inkframe.analysis.text_measures import count_words
from inkframe.analysis.validation import (
    annotate,
    attribute,
    confidence_level,
    levels,
    require,
    result_of,
    texts,
)
from inkframe.errors import InvalidArgument, checked, options_of
from inkframe.vocabulary.vocabulary import read_choices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


__all__ = ["creativity_response", "level_label", "plot_creativity_response"]

#: If one prompt and level has more texts, they are sampled, since the pairs grow with the square.
MOST: Final = 200
#: The minimum number of prompts for the interval of the share with a copy: with fewer, it covers some shares
#: in more than 98 % of samples.
PROMPTS_WITH_COPY: Final = 30
RESPONSES: Final = {
    "similarity": f"mean over pairs of repeats: {UNIT}",
    "length_spread": "mean absolute difference of the lengths of two repeats, words",
    "with_copy": "share of prompts of which two repeats are equal, 0 to 1",
}
UNITS: Final = {
    "creativity": "level, 0 to 1",
    "prompts": "prompts with at least two texts",
    "texts": "texts",
    "repeats": "texts of the prompt with the fewest, among those with at least two",
    "distinct": "texts of a prompt that differ in more than white space",
    "distinct_share": "distinct texts among all, 0 to 1",
    "length": "mean length, words (letters in scripts without spaces)",
    **{f"{name}{end}": unit for name, unit in RESPONSES.items() for end in ("", "_low", "_high")},
}

#: Panels by measure: title and unit. Shares are from 0 to 1.
PANELS: Final = {
    "similarity": ("Similarity", "words in common, 0 to 1"),
    "distinct_share": ("Distinct texts", "share of all texts"),
    "length_spread": ("Length variation", "mean difference, words"),
}
SHARES: Final = ("similarity", "distinct_share")
#: The maximum number of prompts with a color and a name of their own.
NAMED: Final = 8
#: Characters at the beginning that prompts may have in common and show.
SAME: Final = 24


@checked
def creativity_response(
    frame: pd.DataFrame,
    *,
    column: str | None = None,
    by_prompt: bool = False,
    edited: bool = False,
    confidence: float = 0.95,
    random_state: int = 0,
) -> pd.DataFrame:
    """Measure how much the texts of a prompt differ at each creativity level.

    Only texts of the same prompt and level are compared. If a row covers several prompts, their measures are
    averaged. Where 8 prompts or more contribute, prompts are the unit, and intervals are of Student's t with
    jackknife errors, of similarity on the logit scale and of length on the log scale. Else repeats are the
    unit, the interval is for these prompts, and it is of a weighted bootstrap; where most texts are of one
    kind, the lower end of similarity allows for a kind that none of the repeats has. An interval is missing
    where simulation shows that it does not hold: of similarity below 15 repeats of a prompt, of length below
    60, and with too few different texts or with texts in even groups. The share of prompts with a copy has
    Wilson's interval over 30 prompts or more.

    Args:
        frame: Documents with ``prompt``, ``creativity`` and the column of texts, such as the result of a
            plan. Rows without text or level are left out.
        column: The column of texts; by default the generated one, or ``result``.
        by_prompt: Whether to return one row for each level and prompt, instead of one for each level.
        edited: Whether to include records that changed after they were created.
        confidence: The confidence level of the intervals, such as 0.95.
        random_state: Seed of the sample of texts, if one prompt and level has more than 200.

    Returns:
        A frame sorted by level: creativity, label, prompt (with ``by_prompt``), prompts, texts, repeats,
        distinct, distinct_share, length, then similarity, length_spread and with_copy, each with ``_low``
        and ``_high``, then enough (whether similarity has an interval) and note (why not).
        ``attrs["analysis"]`` has the units, which levels differ, and what was left out.

    Raises:
        InvalidArgument: A column is missing or of the wrong type, or no row has both text and level.
        ConfigurationError: SciPy is not installed, and there are intervals to compute.

    Example:
        >>> creativity_response(client.documents.create_many(plan))[["label", "similarity", "note"]]
    """
    confidence_level(confidence)
    runs, said = _runs(frame, column, edited=edited)
    random = np.random.default_rng(random_state)
    measured: dict[Any, dict[str, Any]] = {
        (level, prompt): _measure(group["text"].tolist(), random)
        for (level, prompt), group in runs.groupby(["creativity", "prompt"], sort=False, observed=True)
    }
    rows, similarities = [], []
    for level in sorted(runs["creativity"].unique()):
        prompts = [prompt for of, prompt in measured if of == level]
        for chosen in ([prompt] for prompt in prompts) if by_prompt else (prompts,):
            of_prompt = {"prompt": chosen[0]} if by_prompt else {}
            row, similarity = _row([measured[level, prompt] for prompt in chosen], confidence)
            rows.append({"creativity": level, "label": level_label(level)} | of_prompt | row)
            similarities.append((level, similarity))
    result = pd.DataFrame(rows)
    told = "" if by_prompt else _told_apart(similarities, confidence)
    return annotate(result, UNITS, _verdict(result), told, said)


def level_label(level: float) -> str:
    """Return the label of a creativity level, such as ``Original`` for 0.5; else the number."""
    return next((c.label for c in read_choices("creativities") if float(c.code) == level), f"{level:g}")


def _runs(frame: pd.DataFrame, column: str | None, *, edited: bool) -> tuple[pd.DataFrame, str]:
    require(frame, "prompt", "creativity")
    values, present = texts(frame, column)
    prompts, named = texts(frame, "prompt")
    steps = levels(frame)
    usable = present & named & ~np.isnan(steps)
    said = ""
    if not edited and {"created_at", "updated_at"} <= set(frame.columns):
        later = _times(frame["updated_at"]) > _times(frame["created_at"])
        changed = later.to_numpy(bool, na_value=False) & usable
        if 2 * changed.sum() > usable.sum():  # a service that writes the text after it made the record
            said = "Edited records are not recognized: most have an updated_at later than their created_at."
        elif changed.any():
            usable &= ~changed
            said = (
                f"Left out as changed since they were created: {changed.sum()} of {len(frame)} records"
                " (a new favorite is a change, too). Pass edited=True to include them."
            )
    if not usable.any():
        raise InvalidArgument(
            "No row has a prompt, a creativity level and a text.\n"
            "Create documents first, for example with plan_documents(prompt, repeats=15)."
        )
    columns = {"text": values.to_pylist(), "prompt": prompts.to_pylist(), "creativity": steps}
    return pd.DataFrame(columns).loc[usable], said


def _times(values: pd.Series) -> pd.Series:
    return pd.to_datetime(values, utc=True, errors="coerce").reset_index(drop=True)


def _measure(group: Sequence[str], random: np.random.Generator) -> dict[str, Any]:
    """Return the counts of the texts of one prompt and level, and the measures of their pairs."""
    distinct = len({" ".join(text.split()) for text in group})
    lengths = count_words(group)[0]
    found: dict[str, Any] = {"texts": len(group), "distinct": distinct, "length": lengths.mean()}
    if len(group) > MOST:
        kept = np.sort(random.choice(len(group), MOST, replace=False))
        group, lengths = [group[at] for at in kept], lengths[kept]
    return found | {
        "similarity": pairwise_similarity(group),
        "length_spread": np.abs(lengths[:, None] - lengths),
    }


def _row(parts: list[dict[str, Any]], confidence: float) -> tuple[dict[str, Any], Mean]:
    total, distinct = sum(part["texts"] for part in parts), sum(part["distinct"] for part in parts)
    compared = [part for part in parts if part["texts"] > 1]
    repeats = min(part["texts"] for part in compared or parts)
    row: dict[str, Any] = {
        "prompts": len(compared),
        "texts": total,
        "repeats": repeats,
        "distinct": distinct,
        "distinct_share": distinct / total,
        "length": float(np.mean([part["length"] for part in parts])),
    }
    similarity = mean_of_pairs([part["similarity"] for part in compared], SIMILARITY, confidence)
    spread = mean_of_pairs([part["length_spread"] for part in compared], LENGTH, confidence)
    copies, count = sum(part["distinct"] < part["texts"] for part in compared), len(compared)
    low, high = wilson(copies, count, confidence) if count >= PROMPTS_WITH_COPY else (nan, nan)
    for name, value, ends in (
        ("similarity", similarity.value, similarity.ends),
        ("length_spread", spread.value, spread.ends),
        ("with_copy", copies / count if count else nan, (float(low), float(high))),
    ):
        row |= {name: value, f"{name}_low": ends[0], f"{name}_high": ends[1]}
    enough = not isnan(row["similarity_low"])
    note = (
        ""
        if enough
        else _note(count, repeats, min(part["distinct"] for part in compared or parts), distinct, total)
    )
    return row | {"enough": enough, "note": note}, similarity.estimate


def _note(prompts: int, repeats: int, fewest: int, distinct: int, total: int) -> str:
    if repeats < 2:  # a comparison needs two
        return f"a comparison needs 2 repeats and an interval needs {SIMILARITY.repeats}, got {repeats}"
    if prompts >= PROMPTS:
        return "the prompts are equally similar, so that there is no interval"
    if repeats < SIMILARITY.repeats:
        return f"an interval needs {SIMILARITY.repeats} repeats, got {repeats}"
    if fewest < DIFFERENT:
        return f"too few different texts for an interval, {distinct} of {total}"
    return "the texts are too equally similar, or fall into too even groups, for an interval"


def _verdict(result: pd.DataFrame) -> str:
    is_short = (result["repeats"] < SIMILARITY.repeats) & (result["prompts"] < PROMPTS)
    short = result.loc[~result["enough"] & is_short, "repeats"]
    if short.empty:
        return ""
    return (
        f"At least {SIMILARITY.repeats} repeats per level are needed, got {short.min()}. "
        f"Plan with repeats={SIMILARITY.repeats} or more."
    )


def _told_apart(similarities: list[tuple[float, Mean]], confidence: float) -> str:
    """Return which levels differ in similarity, by Welch's test on the logit scale with Holm's adjustment."""
    known = [(level, estimate) for level, estimate in similarities if estimate.error > 0]
    pairs = list(combinations(known, 2))
    if not pairs:
        return ""
    adjusted = holm([difference(one, other).p for (_, one), (_, other) in pairs])
    found = [
        f"{first:g} and {second:g}"
        for ((first, _), (second, _)), p in zip(pairs, adjusted, strict=True)
        if p < 1 - confidence
    ]
    tested = f"Welch's test, adjusted for {len(pairs)} pairs of levels" if len(pairs) > 1 else "Welch's test"
    among = "" if len(known) == len(similarities) else f", among the {len(known)} with an interval"
    return f"Levels that similarity tells apart{among} ({tested}): {', '.join(found) or 'none'}."


@checked
@options_of(creativity_response)
def plot_creativity_response(response: pd.DataFrame, **options: Any) -> chart.Chart:
    """Plot how much the texts of a prompt differ at each creativity level.

    Points are the measures of ``creativity_response``, and whiskers are their intervals. Of one line, the distinct
    texts are written beside it. If there
    are too few repeats for intervals, the points are hollow, and a note below says so.

    Args:
        response: Documents, or the result of ``creativity_response``.
        options: Arguments of ``creativity_response``, for documents.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    response = result_of(creativity_response, response, ("similarity", "label"), **options)
    pooled = response if response["creativity"].is_unique else None
    if pooled is None:
        require(response, "prompt")
    curves: list[tuple[Any, pd.DataFrame]] = (
        [("", response)]
        if pooled is not None
        else list(response.groupby("prompt", sort=False, observed=True))
    )
    title = "Response to creativity" + (f", {len(curves)} prompts, one line each" if len(curves) > 1 else "")
    chart = figure(5.7, _words(response), title)
    notes = attribute(response, "analysis").get("notes", [])
    names = _names([str(prompt) for prompt, _ in curves])
    grid = chart.add_gridspec(2, 2)
    places = (grid[0, :], grid[1, 0], grid[1, 1])
    for (name, (title, unit)), place in zip(PANELS.items(), places, strict=True):
        axes = chart.add_subplot(place)
        for number, (prompt, curve) in enumerate(curves):
            _curve(axes, curve, name, number, names[prompt])
        if name == "distinct_share" and len(curves) == 1:
            _counts(axes, response)
        plain(axes, title, y=unit)
        top = 1.06 if name in SHARES else max(axes.get_ylim()[1], 1)
        axes.set_ylim(-0.04 * top, top)
        _steps(axes, response)
    if len(curves) > 1:
        lines = [line for line in chart.axes[0].lines if not str(line.get_label()).startswith("_")]
        chart.legend(
            handles=lines,
            loc="outside upper right",
            ncols=2,
            frameon=False,
            fontsize=SIZE - 2,
            labelcolor=theme().text,
        )
    warned = any("are needed" in note for note in notes)
    below = "\n".join(fill(note, 120) for note in notes)
    chart.supxlabel(below or "creativity", fontsize=SIZE - 1, color=SERIES[1] if warned else theme().text)
    return chart


def _curve(axes: Axes, curve: pd.DataFrame, name: str, number: int, prompt: str) -> None:
    """Draw a measure by level, with its interval, or with the counts of distinct texts."""
    named = number < NAMED
    color = SERIES[number % len(SERIES)] if named else theme().line
    x, y = curve["creativity"], curve[name]
    axes.plot(
        x,
        y,
        color=color,
        marker=MARKERS[number % len(MARKERS)],
        markersize=6,
        markerfacecolor=color if curve["enough"].all() else "none",
        linewidth=1.6,
        linestyle=("-", "--")[number // len(SERIES) % 2],
        alpha=1 if named else 0.5,
        label=prompt if named else None,
    )
    if f"{name}_low" in curve:
        low, high = curve[f"{name}_low"], curve[f"{name}_high"]
        known = (low.notna() & y.notna()).to_numpy()
        whiskers = np.maximum(np.array([y - low, high - y])[:, known], 0)
        axes.errorbar(x[known], y[known], whiskers, fmt="none", color=color, alpha=0.65, linewidth=1.4)


def _counts(axes: Axes, response: pd.DataFrame) -> None:
    columns = response[["creativity", "distinct_share", "distinct", "texts"]]
    for level, share, distinct, count in columns.itertuples(index=False):
        axes.annotate(
            f"{distinct} of {count}",
            (level, share),
            xytext=(0, -14),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=theme().text,
        )


def _names(prompts: list[str]) -> dict[str, str]:
    """Return a short name for each prompt, without the beginning that all have in common if it is long."""
    letters = enumerate(zip(*prompts, strict=False))
    same = next((at for at, each in letters if len(set(each)) > 1), 0)
    return {prompt: shorten(f"…{prompt[same:]}" if same > SAME else prompt, 48) for prompt in prompts}


def _steps(axes: Axes, response: pd.DataFrame) -> None:
    steps = {float(choice.code): choice.label for choice in read_choices("creativities")}
    steps |= dict(zip(response["creativity"], response["label"], strict=True))
    levels = sorted(steps)
    labels = [
        f"{steps[level]}\n{level:g}" if steps[level] != f"{level:g}" else f"{level:g}" for level in levels
    ]
    axes.set_xticks(levels, labels=labels)
    axes.tick_params(labelbottom=True, labelsize=8)
    axes.set_xlim(min(levels) - 0.07, max(levels) + 0.07)


def _words(response: pd.DataFrame) -> str:
    by_level = response.groupby("creativity")["similarity"].mean()
    steps = ", ".join(f"{level:g}: {value:.2f}" for level, value in by_level.items())
    return f"Response to creativity; mean similarity of repeats at each level: {steps}."
