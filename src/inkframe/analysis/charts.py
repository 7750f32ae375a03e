"""Colors and layout that all plots share.

Text and lines are middle gray on a transparent background, and series have middle tones, so that a plot is
readable on white (contrast 4.3) and on the dark background of a notebook (4.4). Series differ in hue (blue,
orange, green, purple after M. Okabe and K. Ito, 2008) and in their markers. If a matplotlib style is in use,
its background and text color are used instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from inkframe.errors import optional_library
from inkframe.versions import Later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from inkframe.analysis import chart
else:
    chart = Later("inkframe.analysis.chart")  # which imports matplotlib

__all__ = ["MARKERS", "SERIES", "SIZE", "bars", "chart", "figure", "panels", "plain", "shorten", "theme"]

#: The width in inches of a notebook's text column, at 100 dots per inch.
WIDTH: Final = 9.4
SERIES: Final = ("#4c7fe0", "#c8691b", "#0f9070", "#b25fc9")
MARKERS: Final = ("o", "s", "^", "D")
#: The font size in points.
SIZE: Final = 10.5
#: Quantities whose axes show integers only.
COUNTED: Final = frozenset({"groups", "records", "texts"})


@dataclass(frozen=True, slots=True)
class Theme:
    """The colors of a figure.

    Args:
        text: Color of text.
        line: Color of axes and grids.
        ground: Color of the background, or ``none``.
    """

    text: str
    line: str
    ground: str


def theme() -> Theme:
    """Return the colors of the matplotlib style in use, or those for light and dark notebooks."""
    matplotlib = _matplotlib()
    chosen, default = matplotlib.rcParams, matplotlib.rcParamsDefault
    names = ("text.color", "figure.facecolor", "axes.facecolor")
    if all(chosen[name] == default[name] for name in names):
        return Theme(text="#7a7a7a", line="#7a7a7a", ground="none")
    return Theme(text=chosen["text.color"], line=chosen["axes.edgecolor"], ground=chosen["figure.facecolor"])


def figure(height: float, description: str, title: str = "") -> chart.Chart:
    """Create an empty figure as wide as a notebook.

    Args:
        height: Inches.
        description: The content of the figure, as alternative text.
        title: A heading above all panels.

    Raises:
        ConfigurationError: matplotlib is not installed.
    """
    _matplotlib()
    colors = theme()
    made = chart.Chart(description=description, figsize=(WIDTH, height), dpi=100, facecolor=colors.ground)
    if title:
        made.suptitle(title, x=0.008, ha="left", fontsize=SIZE + 2, fontweight="bold", color=colors.text)
    return made


def panels(figure: chart.Chart, count: int, across: int = 3, **options: Any) -> list[Axes]:
    """Create the axes of some panels in rows; the rest of a last row of several stays empty."""
    across = min(across, max(count, 1))
    every = list(figure.subplots(max(-(-count // across), 1), across, squeeze=False, **options).flat)
    for axes in every[count:]:
        axes.set_visible(False)
    return every[:count]


def plain(
    axes: Axes, title: str = "", *, x: str = "", y: str = "", grid: Literal["", "x", "y"] = "y"
) -> None:
    """Remove what an axes does not need, and label it.

    Args:
        axes: The axes.
        title: The title.
        x: The quantity along the bottom, with its unit.
        y: The quantity up the side, with its unit.
        grid: Direction of the faint grid: ``x``, ``y`` or nothing.
    """
    colors = theme()
    axes.set(facecolor="none", axisbelow=True)
    for side in ("top", "right", "left", "bottom"):
        is_shown = side == "bottom" or (side == "left" and grid != "x")
        axes.spines[side].set(visible=is_shown, color=colors.line, alpha=0.6)
    axes.tick_params(colors=colors.text, labelsize=SIZE - 1, length=0)
    axes.set_title(title, loc="left", fontsize=SIZE + 0.5, fontweight="bold", color=colors.text, pad=8)
    axes.set_xlabel(x, fontsize=SIZE - 0.5, color=colors.text)
    axes.set_ylabel(y, fontsize=SIZE - 0.5, color=colors.text)
    if x in COUNTED:
        axes.locator_params(axis="x", integer=True)
    if y in COUNTED:
        axes.locator_params(axis="y", integer=True)
    if grid:
        axes.grid(axis=grid, color=colors.line, alpha=0.22, linewidth=0.8)


def bars(
    axes: Axes,
    names: Sequence[str],
    values: Sequence[float],
    labels: Sequence[float] | None = None,
    **options: Any,
) -> None:
    """Draw horizontal bars, the first at the top, with their names and their values, or other labels."""
    drawn = axes.barh(range(len(names)), values, height=0.68, **({"color": SERIES[0]} | options))
    axes.set_yticks(range(len(names)), labels=[shorten(name) for name in names])
    said = [f"{value:,.0f}" for value in (values if labels is None else labels)]
    axes.bar_label(drawn, labels=said, padding=3, fontsize=SIZE - 1.5, color=theme().text)
    axes.margins(x=0.12)
    axes.set_ylim(len(names) - 0.4, -0.6)


def shorten(name: object, length: int = 26) -> str:
    """Return a name that fits beside an axis, with dollar signs escaped."""
    text = " ".join(str(name).split())
    text = text if len(text) <= length else f"{text[: length - 1]}…"
    return text.replace("$", r"\$")


def _matplotlib() -> Any:
    message = 'Plots need matplotlib, which is not installed.\nInstall it: pip install "inkframe[analysis]"'
    optional_library("matplotlib.figure", message)
    return optional_library("matplotlib", message)
