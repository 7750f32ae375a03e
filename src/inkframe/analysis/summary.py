"""Summarize a library: counts by setting, favorites, growth, and the coverage of looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.creativity import level_label
from inkframe.analysis.intervals import wilson
from inkframe.analysis.prose import prose
from inkframe.analysis.validation import annotate, confidence_level, flags, levels, require, texts
from inkframe.analysis.words import word_counts
from inkframe.errors import InvalidArgument
from inkframe.schema import RESOURCES
from inkframe.signatures import checked
from inkframe.vocabulary.vocabulary import read_choices

if TYPE_CHECKING:
    from collections.abc import Iterator


__all__ = ["NONE", "PERIODS", "SETTINGS", "coverage", "library_summary"]

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
    whole_numbers = {"records": "int64", "favorites": "Int64"}
    return annotate(result.astype({"setting": "str", "value": "str"} | whole_numbers), UNITS)


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
    # pandas 3.0 cannot count rows with equal labels.
    side, top = (_every_value(frame[name]).reset_index(drop=True) for name in (rows, columns))
    counts = pd.crosstab(side, top, dropna=False)
    counts = counts.reindex(index=side.cat.categories, columns=top.cat.categories, fill_value=0).astype(
        "int64"
    )
    counts.index = pd.Index(counts.index.astype("str"), name=rows)
    counts.columns = pd.Index(counts.columns.astype("str"), name=columns)
    empty = int((counts == 0).to_numpy().sum())
    return annotate(counts, {}, f"{empty} of {counts.size} combinations are empty.")


def _facts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return favorite (1, 0 or missing) and the number of words (or missing) of each record."""
    facts = pd.DataFrame({"favorite": np.nan, "words": np.nan}, index=range(len(frame)))
    if "favorite" in frame.columns:
        liked = flags(frame, "favorite").astype(float)
        facts["favorite"] = np.where(frame["favorite"].isna(), np.nan, liked)
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
        every = pd.period_range(periods.min(), periods.max()).astype("str").tolist()
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
