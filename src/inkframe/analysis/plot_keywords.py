"""Plot the distinctive words of each group, and the records closest to a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pandas.api.types import is_numeric_dtype

from inkframe.analysis.charts import SERIES, SIZE, figure, panels, plain, shorten, theme
from inkframe.analysis.creativity import level_label
from inkframe.analysis.term_weights import keywords, similar
from inkframe.analysis.validation import require
from inkframe.signatures import checked, options_of

if TYPE_CHECKING:
    import pandas as pd

    from inkframe.analysis.plot_chart import Chart

__all__ = ["plot_keywords", "plot_similar"]

#: The maximum number of groups in a plot, words in each, and groups in a row.
GROUPS, WORDS, ACROSS = 12, 8, 3
#: How much more frequent a distinctive term is in the texts of its group than in the others. Words of little
#: meaning are about as frequent in both.
LIFT: Final = 2
#: Words that are computed for each that is drawn.
SPARE: Final = 4
UNIT: Final = "TF-IDF inside minus outside"


@checked
@options_of(keywords)
def plot_keywords(words: pd.DataFrame, by: str = "template", *, n: int = WORDS, **options: Any) -> Chart:
    """Plot the distinctive words of each group, in the order of a scale, else those with the most texts first.

    Args:
        words: Documents, or the result of ``keywords``.
        by: The column of groups.
        n: The maximum number of words in each group. Words at least twice as frequent in the texts of the group
            as in the others come alone, if there are any.
        options: Further arguments of ``keywords``, for documents.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    require(words)
    if not {"keyword", "weight", "texts"} <= set(words.columns):
        words = keywords(words, by, n=SPARE * n, **options)
    require(words, by, "keyword", "weight", "texts")
    every = words.groupby(by, observed=True, sort=False)
    groups: dict[Any, pd.DataFrame] = {name: _telling(part).head(n) for name, part in every}
    order = sorted(groups, key=lambda name: -groups[name]["texts"].iloc[0])
    if is_numeric_dtype(words[by]):  # a scale
        order = sorted(groups)
    shown = order[:GROUPS]
    more = f", {len(order) - len(shown)} smaller groups not shown" if len(order) > len(shown) else ""
    rows = max(-(-len(shown) // ACROSS), 1)
    described = "; ".join(f"{name}: {', '.join(groups[name]['keyword'][:3])}" for name in shown)
    chart = figure(2.3 * rows + 0.4, f"Keywords by {by}: {described}.", f"Distinctive terms per {by}{more}")
    for axes, name in zip(panels(chart, len(shown), ACROSS, sharex=True), shown, strict=True):
        part = groups[name]
        axes.barh(range(len(part)), part["weight"], color=SERIES[0], height=0.7)
        axes.set_yticks(range(len(part)), labels=[shorten(word, 18) for word in part["keyword"]])
        axes.set_ylim(max(WORDS, len(part)) - 0.4, -0.6)
        title = level_label(name) if by == "creativity" else name
        plain(axes, f"{shorten(title, 22)} ({part['texts'].iloc[0]:,})", grid="x")
    chart.supxlabel(f"{UNIT}; number of texts in brackets", fontsize=SIZE - 0.5, color=theme().text)
    return chart


def _telling(part: pd.DataFrame) -> pd.DataFrame:
    """Return the words that only few texts outside the group have; all, if there are none."""
    telling = part[part["inside"] >= LIFT * part["outside"]]
    return telling if len(telling) else part


@checked
@options_of(similar)
def plot_similar(found: pd.DataFrame, text: str | None = None, n: int = 5, **options: Any) -> Chart:
    """Plot the scores of the records closest to a text.

    Args:
        found: The result of ``similar``, or documents with ``text``.
        text: Some words, or a whole text, for documents.
        n: The maximum number of records.
        options: Further arguments of ``similar``.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    require(found)
    if text is not None:
        found = similar(found, text, n, **options)
    require(found, "score")
    found = found.head(n)
    names = found["name"] if "name" in found.columns else found.index.astype("str")
    labels = [shorten(f"{name} ({key})", 44) for key, name in zip(found.index, names, strict=True)]
    described = ", ".join(f"{label} {value:.2f}" for label, value in zip(labels, found["score"], strict=True))
    chart = figure(0.32 * max(len(found), 1) + 1.3, f"Closest records: {described or 'none'}.")
    axes = chart.subplots()
    drawn = axes.barh(range(len(found)), found["score"], color=SERIES[0], height=0.68)
    axes.bar_label(drawn, fmt="%.2f", padding=3, fontsize=SIZE - 1.5, color=theme().text)
    axes.set_yticks(range(len(found)), labels=labels)
    axes.set_ylim(max(len(found), 1) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    title = f"Closest to “{shorten(text, 60)}”" if text else "Closest records"
    plain(axes, title, x="score (cosine of TF-IDF), 0 to 1", grid="x")
    return chart
