"""Plot the near duplicates of a library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from inkframe.analysis.charts import SERIES, figure, plain, theme
from inkframe.analysis.duplicates import near_duplicates
from inkframe.analysis.validation import require
from inkframe.signatures import checked, options_of

if TYPE_CHECKING:
    import pandas as pd

    from inkframe.analysis.plot_chart import Chart

__all__ = ["plot_near_duplicates"]

#: Groups with at least this many records are counted together.
MANY: Final = 8


@checked
@options_of(near_duplicates)
def plot_near_duplicates(duplicates: pd.DataFrame, threshold: float | None = None, **options: Any) -> Chart:
    """Plot the sizes of the groups of near duplicates, and the similarity of their records.

    Args:
        duplicates: Documents or images, or the result of ``near_duplicates``.
        threshold: As in ``near_duplicates``, for documents or images.
        options: Further arguments of ``near_duplicates``.

    Raises:
        InvalidArgument: The frame is neither.
        ConfigurationError: matplotlib is not installed.
    """
    require(duplicates)
    if "is_representative" not in duplicates.columns:
        duplicates = near_duplicates(duplicates, threshold, **options)
    sizes = duplicates.loc[duplicates["is_representative"], "size"].clip(upper=MANY).value_counts()
    others = duplicates.loc[~duplicates["is_representative"], "similarity"].to_numpy()
    words = f"{int(sizes.sum()):,} groups of near duplicates; {others.size:,} records can be dropped"
    chart = figure(2.9, words, words)
    left, right = chart.subplots(1, 2)
    names = [str(size) if size < MANY else f"{MANY}+" for size in range(2, MANY + 1)]
    drawn = left.bar(
        names, [int(sizes.get(size, 0)) for size in range(2, MANY + 1)], color=SERIES[0], width=0.7
    )
    left.bar_label(
        drawn, labels=[f"{n:,}" if n else "" for n in drawn.datavalues], color=theme().text, fontsize=9
    )
    left.margins(y=0.14)
    plain(left, "Size of groups", x="records in a group", y="groups")
    right.hist(
        others, bins=np.linspace(others.min() if others.size else 0.0, 1, 21), color=SERIES[1], rwidth=0.9
    )
    right.locator_params(axis="x", nbins=6)
    unit = duplicates.attrs.get("analysis", {}).get("units", {}).get("similarity", "0 to 1")
    plain(right, "Similarity to the representative", x=unit, y="records")
    return chart
