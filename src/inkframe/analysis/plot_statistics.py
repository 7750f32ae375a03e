"""Plot the distributions of the measures of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from inkframe.analysis.charts import SERIES, SIZE, figure, panels, plain, theme
from inkframe.analysis.statistics import MEASURES, text_statistics
from inkframe.analysis.validation import require
from inkframe.errors import InvalidArgument
from inkframe.signatures import checked, options_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer

    from inkframe.analysis.plot_chart import Chart

__all__ = ["plot_text_statistics"]

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
@options_of(text_statistics)
def plot_text_statistics(statistics: pd.DataFrame, **options: Any) -> Chart:
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
        look: dict[str, Any] = {"padding": 2, "fontsize": SIZE - 2.5, "color": theme().text}
        axes.bar_label(cast("BarContainer", drawn), labels=said, **look)
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
