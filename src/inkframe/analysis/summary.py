"""Summarize a library: counts by setting, favorites, growth, and the coverage of looks, with plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.charts import SERIES, SIZE, bars, chart, figure, plain, shorten, theme
from inkframe.analysis.creativity import level_label
from inkframe.analysis.intervals import wilson
from inkframe.analysis.text_measures import prose
from inkframe.analysis.validation import annotate, confidence_level, flags, levels, require, result_of, texts
from inkframe.analysis.words import word_counts
from inkframe.errors import InvalidArgument, checked, options_of
from inkframe.schema import RESOURCES
from inkframe.versions import text_type
from inkframe.vocabulary.vocabulary import read_choices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes


__all__ = ["coverage", "library_summary", "plot_coverage", "plot_library_summary"]

#: The fields with a list of values, those of documents first; templates are counted by label.
LISTED: Final = {
    field.name: field
    for spec in reversed(RESOURCES.values())
    for field in spec.fields
    if field.vocabulary and field.type != "integer"
}
SETTINGS: Final = tuple(LISTED)
#: Settings whose values have their own order; the others are sorted by number of records.
ORDERED: Final = ("creativity", "resolution")
#: The order of the values if a column is plain text.
STANDARD: Final = {
    name: tuple(choice.code for choice in read_choices(str(field.vocabulary)))
    for name, field in LISTED.items()
    if field.type == "choice"
}
#: The value of a setting that was left open.
NONE: Final = "(none)"
#: Names of periods, their pandas frequency, and the longest span in days for which they are used.
PERIODS: Final = {"day": ("D", 62), "month": ("M", 1200), "year": ("Y", 1e6)}
UNITS: Final = {
    "records": "records",
    "share": "share of all records, 0 to 1",
    "favorites": "records",
    "favorite_share": "share of favorites in this row, 0 to 1",
    "favorite_low": "lower end of its Wilson interval",
    "favorite_high": "upper end of its Wilson interval",
    "median_words": "words in the result of a document, or the description of an image",
}

#: The maximum number of upright names along the top; more are slanted.
UPRIGHT: Final = 8
#: The maximum number of values of a setting; the others are counted together.
MOST: Final = 15
#: The maximum number of period labels along an axis.
LABELS: Final = 8
#: Colors of few and of many records. White numbers are readable on both, and both on any page.
FEW, MANY = np.array([0x6B, 0x76, 0x90]) / 255, np.array([0x2F, 0x62, 0xE0]) / 255
#: Inches for a bar, and for the rest of a panel.
BAR, AROUND = 0.235, 0.75


@checked
def library_summary(frame: pd.DataFrame, *, confidence: float = 0.95) -> pd.DataFrame:
    """Count the records of a library by every setting, with favorites, lengths and growth.

    Args:
        frame: Documents or images, with at least one of the settings, such as template or style. The columns
            favorite, created_at and result (or description) are optional.
        confidence: The confidence level of the intervals of the shares of favorites.

    Returns:
        A frame with one row for each value of each setting: setting, value, records, share, favorites,
        favorite_share, favorite_low, favorite_high and median_words. The first row is the whole library
        (setting ``all``). The last rows are the growth by ``day``, ``month`` or ``year``, depending on the
        span, including empty periods. Values without records are left out. A setting that was left open is
        ``(none)``.

    Raises:
        InvalidArgument: The frame has none of the settings, or a column is of the wrong type.

    Example:
        >>> library_summary(images).query("setting == 'style'")[["value", "records", "favorite_share"]]
    """
    confidence_level(confidence)
    require(frame)
    known = [name for name in SETTINGS if name in frame.columns]
    if not known:
        raise InvalidArgument(
            f"The frame has none of the settings {', '.join(SETTINGS)}.\n"
            "Pass documents or images, or rename its columns."
        )
    require(frame, *known)
    facts = _facts(frame)
    parts: list[Any] = [("all", pd.Series(["all"] * len(frame)), ["all"])]
    parts += [(name, *_labels(frame[name], name)) for name in known]
    if "created_at" in frame.columns:
        parts += _periods(frame["created_at"])
    rows = [
        row for setting, values, order in parts for row in _rows(setting, values, order, facts, confidence)
    ]
    result = pd.DataFrame(rows, columns=["setting", "value", *UNITS])
    types = {"setting": text_type(), "value": text_type(), "records": "int64", "favorites": "Int64"}
    return annotate(result.astype(types), UNITS)


@checked
def coverage(frame: pd.DataFrame, rows: str = "style", columns: str = "medium") -> pd.DataFrame:
    """Count the records of every combination of two settings, including the empty ones.

    Args:
        frame: Images, or any frame with the two columns.
        rows: The setting of the rows.
        columns: The setting of the columns.

    Returns:
        A frame of integers: every value of ``rows`` by every value of ``columns``. If a column is
        categorical, as in frames of this package, values without records are included with 0. ``(none)``
        comes last if a record left a setting open. ``attrs["analysis"]["notes"]`` has the number of empty
        combinations.

    Raises:
        InvalidArgument: A column is missing.
    """
    require(frame, rows, columns)
    side, top = (_every_value(frame[name]).cat for name in (rows, columns))
    numbers = np.zeros((len(side.categories), len(top.categories)), np.int64)
    np.add.at(numbers, (side.codes, top.codes), 1)
    labels = [pd.Index(pd.array(each.categories, text_type())) for each in (side, top)]
    counts = pd.DataFrame(numbers, labels[0].rename(rows), labels[1].rename(columns))
    empty = int((counts == 0).to_numpy().sum())
    return annotate(counts, {}, f"{empty} of {counts.size} combinations are empty.")


def _facts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return favorite (1, 0 or missing) and the number of words (or missing) of each record."""
    facts = pd.DataFrame({"favorite": np.nan, "words": np.nan}, index=range(len(frame)))
    if "favorite" in frame.columns:
        facts["favorite"] = np.where(frame["favorite"].isna(), np.nan, flags(frame, "favorite"))
    column = next((name for name in ("result", "description") if name in frame.columns), None)
    if column:
        values, present = texts(frame, column)
        words, spaced = word_counts(prose(values))
        facts["words"] = np.where(present & spaced, words, np.nan)
    return facts


def _labels(values: pd.Series, name: str) -> tuple[pd.Series, list[str] | None]:
    """Return the values of a setting as text, and their own order, if they have one."""
    if name == "creativity":
        steps = pd.Series(levels(values.to_frame(name)), index=values.index)
        order = [level_label(level) for level in sorted(steps.dropna().unique())]
        text = steps.map(level_label, na_action="ignore")
    else:
        known = _every_value(values).cat.categories
        order, text = [str(value) for value in known], values.astype("object").map(str, na_action="ignore")
    text = text.astype("object").where(values.notna(), NONE).reset_index(drop=True)
    return text, [*order, NONE] if name in ORDERED else None


def _every_value(values: pd.Series) -> pd.Series:
    if not isinstance(values.dtype, pd.CategoricalDtype):
        found = [str(value) for value in values.dropna().unique()]
        usual = [code for code in STANDARD.get(str(values.name), ()) if code in found]
        values = values.map(str, na_action="ignore").astype("object")
        values = values.astype(pd.CategoricalDtype([*usual, *sorted(set(found) - set(usual))]))
    if values.isna().any():
        values = values.cat.add_categories([NONE]).fillna(NONE)
    return values


def _periods(created: pd.Series) -> Iterator[tuple[str, pd.Series, list[str]]]:
    try:
        times = pd.to_datetime(created, utc=True).dt.tz_localize(None)
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"The column 'created_at' must hold times, got {created.dtype}.\n"
            "Convert it with pandas.to_datetime."
        ) from None
    if times.notna().any():
        days = (times.max() - times.min()).days
        name = next(name for name, (_, longest) in PERIODS.items() if days <= longest)
        periods = times.dt.to_period(PERIODS[name][0])
        every = pd.period_range(periods.min(), periods.max()).astype(text_type()).tolist()
        yield name, periods.astype("object").map(str, na_action="ignore").reset_index(drop=True), every


def _rows(
    setting: str, values: pd.Series, order: list[str] | None, facts: pd.DataFrame, confidence: float
) -> Iterator[dict[str, Any]]:
    groups = dict(iter(facts.groupby(values, sort=False, dropna=True)))
    if order is None:
        order = sorted(groups, key=lambda value: (-len(groups[value]), value))
    elif setting in ORDERED:
        order = [value for value in order if value in groups]
    for value in order:
        part = groups.get(value, facts.iloc[:0])
        rated = part["favorite"].dropna()
        low, high = wilson(rated.sum(), rated.size, confidence)
        yield {
            "setting": setting,
            "value": value,
            "records": len(part),
            "share": len(part) / max(len(facts), 1),
            "favorites": int(rated.sum()) if rated.size or not len(part) else pd.NA,
            "favorite_share": rated.mean() if rated.size else np.nan,
            "favorite_low": float(low),
            "favorite_high": float(high),
            "median_words": part["words"].median(),
        }


@checked
@options_of(library_summary)
def plot_library_summary(summary: pd.DataFrame, **options: Any) -> chart.Chart:
    """Plot the growth of a library, and for each setting the counts and the share of favorites.

    Args:
        summary: Documents or images, or the result of ``library_summary``.
        options: Arguments of ``library_summary``, for documents or images.

    Raises:
        InvalidArgument: The frame is neither, or is empty.
        ConfigurationError: matplotlib is not installed.
    """
    summary = result_of(library_summary, summary, ("setting", "value", "records"), **options)
    found = set(summary["setting"])
    settings = [name for name in SETTINGS if name in found]
    period = next((name for name in PERIODS if name in found), None)
    if not settings and not period:
        raise InvalidArgument("There is nothing to draw: the library is empty.\nPass documents or images.")
    tables = [_most(summary[summary["setting"] == name]) for name in settings]
    heights = [*([2.1] if period else []), *(BAR * max(len(table), 2) + AROUND for table in tables)]
    overall = summary[summary["setting"] == "all"].iloc[0]
    title = _headline(overall)
    chart = figure(sum(heights) + 0.5, f"Summary of a library: {title}.", title)
    grid = chart.add_gridspec(len(heights), 2, height_ratios=heights, width_ratios=[3, 2])
    if period:
        _growth(chart.add_subplot(grid[0, :]), summary[summary["setting"] == period], period)
    for row, (name, table) in enumerate(zip(settings, tables, strict=True), start=1 if period else 0):
        rated = table["favorite_share"].notna().any()
        left = chart.add_subplot(grid[row, 0 if rated else slice(None)])
        _counts(left, table)
        plain(left, name.capitalize(), x="records", grid="x")
        if rated:
            _liked(chart.add_subplot(grid[row, 1], sharey=left), table, overall["favorite_share"])
    return chart


@checked
def plot_coverage(counts: pd.DataFrame, rows: str = "style", columns: str = "medium") -> chart.Chart:
    """Plot how many records each combination of two settings has; empty ones are outlined.

    Args:
        counts: Images, or the result of ``coverage``.
        rows: The setting of the rows, for images.
        columns: The setting of the columns, for images.

    Raises:
        InvalidArgument: The frame is neither, or is empty.
        ConfigurationError: matplotlib is not installed.
    """
    require(counts)
    if "analysis" not in counts.attrs or counts.columns.name is None:
        counts = coverage(counts, rows, columns)
    if not counts.size:
        raise InvalidArgument("There is nothing to draw: no record has these settings.\nPass images.")
    values = counts.to_numpy(float)
    empty = int((values == 0).sum())
    title = f"{counts.index.name} × {counts.columns.name}: {empty} of {values.size} combinations are empty".capitalize()
    chart = figure(0.36 * len(counts) + 1.5, f"{title}.", title)
    axes = chart.subplots()
    strongest = max(values.max(initial=0), 1)
    for (row, column), count in np.ndenumerate(values):
        _cell(axes, row, column, count, strongest)
    axes.set(xlim=(-0.5, values.shape[1] - 0.5), ylim=(values.shape[0] - 0.5, -0.5))
    plain(axes, grid="", x="numbers are records; an outline is an empty combination")
    slanted: dict[str, Any] = (
        {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if values.shape[1] > UPRIGHT else {}
    )
    axes.xaxis.tick_top()
    axes.set_xticks(range(values.shape[1]), [shorten(name, 14) for name in counts.columns], **slanted)
    axes.set_yticks(range(values.shape[0]), [shorten(name, 18) for name in counts.index])
    axes.tick_params(colors=theme().text, length=0)
    axes.spines[:].set_visible(False)
    return chart


def _cell(axes: Axes, row: int, column: int, count: float, strongest: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    if count:
        look = {"facecolor": FEW + np.sqrt(count / strongest) * (MANY - FEW), "linewidth": 0}
        axes.text(column, row, f"{count:,.0f}", ha="center", va="center", fontsize=SIZE - 1, color="white")
    else:
        look = {"facecolor": "none", "edgecolor": theme().line, "alpha": 0.6, "linewidth": 0.8}
        look["linestyle"] = (0, (3, 3))
    shape = "round,pad=0,rounding_size=0.08"
    axes.add_patch(FancyBboxPatch((column - 0.42, row - 0.38), 0.84, 0.76, boxstyle=shape, **look))


def _headline(overall: Any) -> str:
    words = f"{overall['records']:,} records"
    if overall["favorite_share"] == overall["favorite_share"]:  # not missing
        words += f", {overall['favorite_share']:.0%} favorites"
    if overall["median_words"] == overall["median_words"]:  # not missing
        words += f", median length {overall['median_words']:,.0f} words"
    return words


def _most(table: pd.DataFrame) -> pd.DataFrame:
    """Return the first rows, and one more for the sum of all others."""
    if len(table) <= MOST:
        return table
    kept, rest = table.iloc[: MOST - 1], table.iloc[MOST - 1 :]
    rated = rest.loc[rest["favorite_share"].notna(), "records"].sum()
    low, high = wilson(rest["favorites"].sum(), rated)
    others = {
        "value": f"{len(rest)} others",
        "records": rest["records"].sum(),
        "favorites": rest["favorites"].sum(),
        "favorite_share": rest["favorites"].sum() / rated if rated else np.nan,
        "favorite_low": float(low),
        "favorite_high": float(high),
    }
    found = pd.concat([kept, pd.DataFrame([others])], ignore_index=True)
    found.attrs["has_others"] = True
    return found


def _counts(axes: Axes, table: pd.DataFrame) -> None:
    """Draw a bar for each value; that of all others is an outline no longer than the longest."""
    values, records = table["value"].tolist(), table["records"].tolist()
    if not table.attrs.get("has_others"):
        bars(axes, values, records)
        return
    bars(axes, values, [*records[:-1], min(records[-1], max(records[:-1]))], labels=records)
    axes.patches[-1].set(facecolor="none", edgecolor=theme().line, linestyle=(0, (3, 3)))


def _growth(axes: Axes, table: pd.DataFrame, period: str) -> None:
    position = np.arange(len(table))
    total = table["records"].cumsum()
    axes.fill_between(position, total, color=SERIES[0], alpha=0.18, linewidth=0)
    axes.plot(position, total, color=SERIES[0], linewidth=1.8, label="all so far")
    axes.bar(position, table["records"], color=SERIES[1], width=0.6, label=f"new each {period}")
    step = max(1, -(-len(table) // LABELS))
    axes.set_xticks(position[::step], labels=table["value"].iloc[::step])
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=SIZE - 1, labelcolor=theme().text, loc="upper left")
    plain(axes, "Growth", x=period, y="records")


def _liked(axes: Axes, table: pd.DataFrame, overall: float) -> None:
    position = np.arange(len(table))
    share = table["favorite_share"].to_numpy(float)
    low, high = (table[f"favorite_{end}"].to_numpy(float) for end in ("low", "high"))
    axes.errorbar(
        share,
        position,
        xerr=np.maximum([share - low, high - share], 0),
        fmt="s",
        color=SERIES[2],
        markersize=5,
        linewidth=1.4,
        clip_on=False,
    )
    for at, (liked, records) in enumerate(zip(table["favorites"], table["records"], strict=True)):
        if not np.isnan(share[at]):
            rated = round(liked / share[at]) if liked else records
            axes.annotate(
                f"{liked:,} of {rated:,}",
                (1, at),
                xytext=(8, 0),
                textcoords="offset points",
                va="center",
                fontsize=SIZE - 2.5,
                color=theme().text,
                annotation_clip=False,
            )
    axes.axvline(overall, color=theme().line, linewidth=1, linestyle=":")
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "25", "50", "75", "100 %"])
    plain(axes, "Favorites", x="share and interval; dotted: all records", grid="x")
    axes.tick_params(labelleft=False)
