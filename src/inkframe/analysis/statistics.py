"""Measure each text of a frame, and plot the distributions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from inkframe.analysis.charts import SERIES, SIZE, chart, figure, panels, plain, theme
from inkframe.analysis.text_measures import (
    PATTERNS,
    count_matches,
    count_sentences,
    is_english,
    moving_type_token_ratio,
    prose,
    reading_ease,
    repeated_share,
    syllables_of,
)
from inkframe.analysis.validation import annotate, is_lazy, require, texts, whole
from inkframe.analysis.words import tokens, word_counts
from inkframe.errors import InvalidArgument, checked, options_of

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


__all__ = ["plot_text_statistics", "text_statistics"]

#: Every measure and its unit, in the order of the columns.
MEASURES: Final = {
    "characters": "code points",
    "words": "words",
    "sentences": "sentences",
    "paragraphs": "paragraphs",
    "reading_minutes": "minutes at 238 words per minute",
    "syllables": "syllables, English only",
    "reading_ease": "Flesch reading ease, 100 very easy to 0 very hard, English only",
    "type_token_ratio": "mean share of distinct words in a moving window, 0 to 1",
    "repeated_ngrams": "share of sequences of 4 words that occurred before, 0 to 1",
    "headings": "Markdown and HTML headings",
    "links": "links and web addresses",
    "hashtags": "hashtags",
}
#: Mean speed of silent reading of English non-fiction: M. Brysbaert, "How many words do we read per
#: minute?", Journal of Memory and Language 109 (2019).
WORDS_PER_MINUTE: Final = 238
#: Words in a sequence that may repeat.
NGRAM: Final = 4
#: Measures that need the words, not only their number.
OF_TOKENS: Final = ("syllables", "reading_ease", "type_token_ratio", "repeated_ngrams")
#: Panels in order: title and unit by measure. Measures without a value are left out.
PANELS: Final = {
    "words": ("Length", "words"),
    "sentences": ("Sentences", "sentences"),
    "reading_minutes": ("Reading time", "minutes"),
    "reading_ease": ("Reading ease", "Flesch, 0 very hard to 100 very easy"),
    "type_token_ratio": ("Variety of words", "share of distinct words in 50"),
    "repeated_ngrams": ("Repetition", "share of repeated 4-word sequences"),
    "characters": ("Length", "code points"),
}
#: The maximum number of bars.
BINS: Final = 30
#: The maximum number of bars with their values.
FEW: Final = 12
#: The range of measures that have one; values beyond it widen it.
RANGES: Final = {"reading_ease": (0, 100), "type_token_ratio": (0, 1)}


@checked
def text_statistics(
    frame: pd.DataFrame,
    *,
    column: str | None = None,
    language: str | None = None,
    measures: Iterable[str] | None = None,
    window: int = 50,
) -> pd.DataFrame:
    """Count and measure each text of a frame.

    Words are found by the word boundaries of Unicode. Code, addresses of links, HTML tags and numbers of
    lists are left out first, from words, sentences, and all that is based on them; the words of a link stay. Texts in scripts without spaces have characters but no
    words, so measures based on words are missing. Syllables and reading ease are for English and missing
    unless the language is known to be English. The language is never guessed.

    Args:
        frame: Documents, or any frame with a column of texts. Each partition of a dask frame is measured
            lazily.
        column: The column of texts, such as ``prompt``; by default the generated one, or ``result``.
        language: The language of all texts, such as ``"en"``. The default is the column ``language`` for each
            row, if there is one.
        measures: The columns to compute, by default all. Syllables, reading ease, type-token ratio and
            repeated n-grams take most of the time.
        window: Words in the moving window of the type-token ratio. Shorter texts have none.

    Returns:
        A frame with the same index and one column for each measure: counts as ``Int64``, the rest as
        ``float64``. ``attrs["analysis"]["units"]`` has the units.

    Raises:
        InvalidArgument: The frame has no such column, it does not hold text, or there is no such measure.

    Example:
        >>> text_statistics(documents, language="en")[["words", "reading_ease"]].describe()
    """
    wanted = _wanted(measures)
    options: dict[str, Any] = {
        "column": column,
        "language": language,
        "measures": wanted,
        "window": whole("window", window),
    }
    if is_lazy(frame):
        from dask.dataframe.dispatch import make_meta

        lazy: Any = frame
        empty = text_statistics(make_meta(lazy), **options)
        return cast("pd.DataFrame", lazy.map_partitions(text_statistics, meta=empty, **options))
    values, present = texts(frame, column)
    words_only = prose(values)
    found: dict[str, Any] = {
        name: count_matches(values, PATTERNS[name]) for name in wanted if name in PATTERNS
    }
    if "characters" in wanted:
        found["characters"] = pc.utf8_length(values).to_numpy()
    if {"sentences", "reading_ease"} & set(wanted):
        found["sentences"] = count_sentences(words_only)
    words, spaced = word_counts(words_only)
    spaced &= present
    if set(wanted) & set(OF_TOKENS):
        found |= _of_tokens(words_only, wanted, _english(frame, language) & spaced, spaced, window)
    if "reading_ease" in wanted:
        with np.errstate(divide="ignore", invalid="ignore"):
            ease = reading_ease(words, np.maximum(found["sentences"], 1), found["syllables"])
        found["reading_ease"] = np.where(words > 0, ease, np.nan)
    found["words"] = np.where(spaced, words, np.nan)
    found["reading_minutes"] = found["words"] / WORDS_PER_MINUTE
    columns = {name: _column(name, found[name], present) for name in wanted}
    result = pd.DataFrame(columns, index=frame.index)
    return annotate(
        result, MEASURES, "" if present.all() else f"Rows without text: {(~present).sum()} of {len(frame)}."
    )


def _wanted(measures: Iterable[str] | None) -> list[str]:
    names = (
        list(MEASURES) if measures is None else [measures] if isinstance(measures, str) else list(measures)
    )
    for name in names:
        if name not in MEASURES:
            raise InvalidArgument(f"measures must be any of {', '.join(MEASURES)}, got {name!r}.")
    return names


def _english(frame: pd.DataFrame, language: str | None) -> NDArray[np.bool_]:
    if language is not None or "language" not in frame.columns:
        return np.full(len(frame), is_english(language))
    require(frame, "language")
    return np.array([is_english(value) for value in frame["language"]], np.bool_)


def _of_tokens(
    values: pa.ChunkedArray,
    wanted: list[str],
    english: NDArray[np.bool_],
    spaced: NDArray[np.bool_],
    window: int,
) -> dict[str, NDArray[np.float64]]:
    found = {name: np.full(len(values), np.nan) for name in OF_TOKENS}
    for parts in tokens(values):
        rows = parts.chunk.rows
        if "type_token_ratio" in wanted:
            ratio = moving_type_token_ratio(parts, window)
            found["type_token_ratio"][rows] = np.where(spaced[rows], ratio, np.nan)
        if "repeated_ngrams" in wanted:
            repeated = repeated_share(parts, NGRAM)
            found["repeated_ngrams"][rows] = np.where(spaced[rows], repeated, np.nan)
        if {"syllables", "reading_ease"} & set(wanted) and english[rows].any():
            found["syllables"][rows] = np.where(english[rows], syllables_of(parts), np.nan)
    return found


def _column(name: str, values: NDArray[Any], present: NDArray[np.bool_]) -> Any:
    if name in ("reading_minutes", "reading_ease", "type_token_ratio", "repeated_ngrams"):
        return values
    missing = ~present | np.isnan(values)
    return pd.arrays.IntegerArray(np.where(missing, 0, values).astype(np.int64), missing)


@checked
@options_of(text_statistics)
def plot_text_statistics(statistics: pd.DataFrame, **options: Any) -> chart.Chart:
    """Plot the distributions of the measures of texts.

    Args:
        statistics: Documents, or the result of ``text_statistics``.
        options: Arguments of ``text_statistics``, for documents.

    Raises:
        InvalidArgument: The frame is neither, or has no text.
        ConfigurationError: matplotlib is not installed.
    """
    require(statistics)
    if not set(statistics.columns) <= set(MEASURES):
        statistics = text_statistics(statistics, **options)
    known = {name: statistics[name].dropna().to_numpy(float) for name in PANELS if name in statistics.columns}
    drawn = [name for name, values in known.items() if values.size][:6]
    if not drawn:
        raise InvalidArgument("There is nothing to draw: no row has a text.\nPass documents with results.")
    medians = ", ".join(f"{PANELS[name][0].lower()} {np.median(known[name]):.3g}" for name in drawn)
    chart = figure(
        2.6 * -(-len(drawn) // 3) + 0.4,
        f"Distributions over {len(statistics)} texts; medians: {medians}.",
        f"{len(statistics):,} texts",
    )
    for axes, name in zip(panels(chart, len(drawn)), drawn, strict=True):
        _distribution(axes, known[name])
        if name in RANGES:
            axes.set_xlim(min(RANGES[name][0], known[name].min()), max(RANGES[name][1], known[name].max()))
        plain(axes, PANELS[name][0], x=PANELS[name][1], y="texts")
    return chart


def _distribution(axes: Axes, values: Any) -> None:
    whole = np.all(values == np.round(values))
    low, high = values.min(), values.max()
    edges: Any = min(BINS, max(5, int(np.sqrt(values.size) * 1.5)))
    if whole:
        step = max(1, int(np.ceil((high - low + 1) / edges)))
        edges = np.arange(low, high + step + 1, step) - 0.5
    counts, _, drawn = axes.hist(values, bins=edges, color=SERIES[0], rwidth=0.9)
    if len(counts) <= FEW:
        said = [f"{count:,.0f}" if count else "" for count in counts]
        axes.bar_label(cast("Any", drawn), labels=said, padding=2, fontsize=SIZE - 2.5, color=theme().text)
    axes.margins(y=0.24)
    median = float(np.median(values))
    axes.axvline(median, color=SERIES[1], linewidth=1.6, linestyle="--")
    left = median - low > (high - low) / 2
    axes.annotate(
        f"median {median:,.3g}",
        (median, 1),
        xycoords=("data", "axes fraction"),
        xytext=(-4 if left else 4, -2),
        textcoords="offset points",
        ha="right" if left else "left",
        va="top",
        fontsize=9,
        color=theme().text,
    )
