"""A map of records on which similar ones lie close together: the positions, the plot, and the canvas with a lasso."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import anywidget
import numpy as np
import pandas as pd
import traitlets
from PIL import Image, ImageDraw

from inkframe.analysis.charts import SERIES, SIZE, chart, figure, panels, plain, shorten, theme
from inkframe.analysis.validation import annotate, attribute, require
from inkframe.display.figure import words
from inkframe.display.markup import Html, join, tag
from inkframe.display.picture import encode
from inkframe.display.view import data_uri
from inkframe.errors import InvalidArgument, checked, options_of
from inkframe.exploring.embed import content_key, read_vectors, require_sklearn, stored
from inkframe.widgets.panel import front, script

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from inkframe.exploring.frame_source import FrameSource

__all__ = ["RecordMap", "plot_map", "project"]

#: Larger frames are mapped by a sample of this size.
MOST: Final = 20_000
#: Fewer records have too few neighbors for t-SNE.
FEWEST: Final = 10
PERPLEXITY: Final = 30.0
#: Iterations of each of the two parts of t-SNE: with early exaggeration, and without.
ITERATIONS: Final = 250
#: The accuracy of Barnes-Hut; compared with 0.5 it takes half the time, and neighborhoods stay as good.
ANGLE: Final = 0.8
METHODS: Final = ("tsne", "linear")

#: The groups with a color and a label of their own; all others are gray.
GROUPS, OTHERS = 10, "other"
#: Middle tones that are distinct on light and dark backgrounds, beside those of all plots.
COLORS: Final = (*SERIES, "#b8890c", "#d0506e", "#3f93b8", "#7d8f2a", "#8b6fd6", "#a5644e")
OTHER_COLOR: Final = "#8a8a8a"
#: Cells along a side of the grid that finds where a group is densest.
CELLS: Final = 12
#: A point's area, which shrinks as their number grows.
LARGEST, SMALLEST, AREA = 36.0, 3.0, 12_000.0

#: The bits of a point's state on the canvas.
SHOWN, CHOSEN = 1, 2
#: Pixels of the static picture, twice its width on the page, those of a point's radius, and the most points of it.
PIXELS, DOT, MOST_DRAWN = 960, 4, 20_000


@checked
def project(
    frame: pd.DataFrame,
    *,
    method: Literal["tsne", "linear"] = "tsne",
    vectors: Any = None,
    column: str | None = None,
    random_state: int = 0,
    progress: Callable[[float], object] | None = None,
) -> pd.DataFrame:
    """Compute the position of each record on a map.

    t-SNE (L. van der Maaten and G. Hinton, 2008) keeps neighbors together; distances between groups mean
    little. The linear method is instant and keeps the two directions of the largest variance. Frames of more
    than 20,000 records are mapped by a random sample; the other records are NA.

    Args:
        frame: Documents, images, or any frame with a column of texts.
        method: ``tsne`` or ``linear``.
        vectors: A function from a list of texts to an array with a row for each, or such an array or frame; by
            default those of ``embed``.
        column: The column of texts; by default ``result``, or the description and settings of images.
        random_state: The seed.
        progress: Called with the share that is done, 0 to 1; an exception that it raises cancels the
            computation.

    Returns:
        A frame with the index of the given frame: x and y, within -1 and 1.

    Raises:
        InvalidArgument: The method is not known, the column is missing, or the vectors do not fit.
        ConfigurationError: scikit-learn is not installed.
    """
    require_sklearn()
    require(frame)
    if method not in METHODS:
        raise InvalidArgument(f"method must be 'tsne' or 'linear', got {method!r}.")
    report = progress or (lambda _share: None)
    # The share of the map itself begins with 0 once there are vectors.
    values, present = read_vectors(frame, vectors, column, random_state, lambda _share: report(0.0))
    chosen = np.flatnonzero(present)
    note = ""
    if chosen.size > MOST:
        chosen = np.sort(np.random.default_rng(random_state).choice(chosen, MOST, replace=False))
        note = f"The map shows a random sample of {MOST:,} of {int(present.sum()):,} records."
    report(0.0)
    used = values[chosen]
    linear = _linear(used)
    if method == "linear" or len(used) < FEWEST:
        positions = linear
    else:
        key = content_key(used, PERPLEXITY, ITERATIONS, ANGLE, random_state)
        positions = stored("map", key, lambda: _tsne(used, linear, random_state, report))
    report(1.0)
    places = np.full((len(frame), 2), np.nan)
    places[chosen] = positions
    return annotate(pd.DataFrame(places, frame.index, ["x", "y"]), {"x": "no unit", "y": "no unit"}, note)


def _linear(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the first two principal components, within -1 and 1."""
    centered = values - values.mean(axis=0)
    _, _, axes = np.linalg.svd(centered.T @ centered)
    two = np.zeros((len(values), 2), np.float32)
    two[:, : min(2, len(axes))] = centered @ axes[:2].T
    # The sign of a component is arbitrary: the record farthest from the middle is on its positive side.
    two *= np.sign(two[np.abs(two).argmax(axis=0), [0, 1]])
    return _within(two)


def _tsne(
    values: NDArray[np.float32],
    first: NDArray[np.float32],
    random_state: int,
    progress: Callable[[float], object],
) -> NDArray[np.float32]:
    from sklearn.manifold import TSNE
    from sklearn.neighbors import NearestNeighbors
    from threadpoolctl import threadpool_limits

    perplexity = min(PERPLEXITY, (len(values) - 1) / 3)
    # t-SNE looks at three times as many neighbors; each record is its own first neighbor.
    many = min(int(3 * perplexity) + 2, len(values))
    # Threads that wait for each other keep a processor busy, and the notebook needs one.
    with threadpool_limits(max(1, (os.cpu_count() or 1) // 2)):
        distances = NearestNeighbors(n_neighbors=many).fit(values).kneighbors_graph(values, mode="distance")
        progress(0.1)
        positions = first * 1e-4 / max(float(first[:, 0].std()), 1e-12)
        for exaggeration, done in ((12.0, 0.4), (1.0, 1.0)):
            model = TSNE(
                perplexity=perplexity,
                metric="precomputed",
                init=positions,
                early_exaggeration=exaggeration,
                max_iter=ITERATIONS,
                angle=ANGLE,
                random_state=random_state,
            )
            positions = np.asarray(model.fit_transform(distances), np.float32)
            progress(done)
    return _within(positions)


def _within(positions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return positions centered and scaled to -1 to 1, with one scale for both axes."""
    centered = positions - (positions.max(axis=0) + positions.min(axis=0)) / 2
    extent = float(np.abs(centered).max())
    return np.asarray(centered / extent if extent > 0 else centered, np.float32)


@checked
@options_of(project)
def plot_map(frame: pd.DataFrame, color: str | None = None, **options: Any) -> chart.Chart:
    """Plot the records as points; similar records lie close together.

    Args:
        frame: Records with the columns ``x`` and ``y``, or texts, whose positions are computed by ``project``.
        color: A column: of categories, whose ten largest have a color and a label at a central record, or of
            numbers.
        options: Further arguments of ``project``.

    Raises:
        InvalidArgument: The column is missing.
        ConfigurationError: scikit-learn or matplotlib is not installed.

    Example:
        >>> plot_map(documents.join(ink.analysis.topics(documents)), color="label")
    """
    require(frame, *([color] if color is not None else []))
    placed = {"x", "y"} <= set(frame.columns)
    positions = frame[["x", "y"]] if placed else project(frame, **options)
    notes = attribute(positions, "analysis").get("notes", [])
    try:
        places = positions.to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise InvalidArgument(
            "The columns 'x' and 'y' must hold numbers.\nDrop them to compute them."
        ) from None
    shown = np.isfinite(places).all(axis=1)
    places = places[shown]
    values = frame[color][shown] if color is not None else None
    title = f"{len(places):,} records" + (f", colored by {color}" if color is not None else "")
    chart = figure(6.2, f"A map of {title}; similar records lie close together.", title)
    (axes,) = panels(chart, 1, 1)
    size = float(np.clip(AREA / max(len(places), 1), SMALLEST, LARGEST))
    if values is not None and pd.api.types.is_numeric_dtype(values) and values.dtype != bool:
        _numbers(chart, axes, places, values, size, str(color))
    else:
        _categories(axes, places, values, size)
    plain(axes, grid="")
    axes.set(xticks=[], yticks=[])
    axes.set_aspect("equal", adjustable="datalim")
    axes.spines[:].set_visible(False)
    if notes:
        chart.supxlabel(notes[0], fontsize=SIZE - 1, color=theme().text)
    return chart


def _numbers(
    chart: chart.Chart, axes: Axes, places: NDArray[np.float64], values: pd.Series, size: float, name: str
) -> None:
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    drawn = axes.scatter(
        places[:, 0], places[:, 1], c=numbers, s=size, cmap="viridis", linewidths=0, plotnonfinite=True
    )
    bar = chart.colorbar(drawn, ax=axes, shrink=0.6)
    bar.set_label(name, color=theme().text, fontsize=SIZE - 0.5)
    bar.ax.tick_params(colors=theme().text, labelsize=SIZE - 1)
    bar.outline.set_visible(False)


def _categories(axes: Axes, places: NDArray[np.float64], values: pd.Series | None, size: float) -> None:
    if values is None:
        axes.scatter(places[:, 0], places[:, 1], s=size, color=SERIES[0], linewidths=0, alpha=0.7)
        return
    counts = values.value_counts().head(GROUPS)
    names = counts.index[counts > 0].tolist()
    rest = (~values.isin(names)).to_numpy()
    axes.scatter(places[rest, 0], places[rest, 1], s=size, color=OTHER_COLOR, linewidths=0, alpha=0.35)
    for name, color in zip(names, COLORS, strict=False):
        group = places[(values == name).to_numpy(na_value=False)]
        axes.scatter(group[:, 0], group[:, 1], s=size, color=color, linewidths=0, alpha=0.75)
        axes.annotate(
            shorten(name, 28),
            tuple(_densest(group)),
            color=color,
            fontsize=SIZE - 0.5,
            fontweight="bold",
            ha="center",
            va="bottom",
            path_effects=_outline(),
        )


def _densest(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the record in the middle of the fullest cell of a grid; the mean may lie where there is none."""
    low = places.min(axis=0)
    extent = np.maximum(places.max(axis=0) - low, 1e-9)
    cells = np.minimum((places - low) / extent * CELLS, CELLS - 1).astype(np.int64) @ np.array([CELLS, 1])
    fullest = places[cells == np.bincount(cells).argmax()]
    middle: NDArray[np.float64] = fullest[np.abs(fullest - fullest.mean(axis=0)).sum(axis=1).argmin()]
    return middle


def _outline() -> list[Any]:
    from matplotlib.patheffects import withStroke

    ground = theme().ground
    return [] if ground == "none" else [withStroke(linewidth=3, foreground=ground)]


class RecordMap(anywidget.AnyWidget):
    """Points on a canvas; the page holds positions and colors, and nothing else of the records.

    Args:
        chosen: Called with the positions in the frame of the records inside a lasso, or of the one clicked.
        source: The frame, whose columns of few values color the points.
    """

    _esm = script("record_map", package=__package__)
    _css = front("record_map.css", __package__)

    #: The columns that points can be colored by, and the one in use.
    colors: traitlets.List[str] = traitlets.List().tag(sync=True)
    color = traitlets.Unicode().tag(sync=True)
    #: The names of the colors, in their order.
    groups: traitlets.List[str] = traitlets.List().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode("Map").tag(sync=True)

    def __init__(self, chosen: Callable[[NDArray[np.int64]], Any], source: FrameSource) -> None:
        super().__init__()
        self._chosen, self._source = chosen, source
        self._rows = np.empty(0, np.int64)
        self._places = np.empty((0, 2), np.float32)
        self._codes = self._states = np.empty(0, np.uint8)
        self.on_msg(self._on_message)

    @property
    def is_placed(self) -> bool:
        """Whether there are points."""
        return bool(len(self._places))

    def places(self, progress: Callable[[float], object]) -> Iterator[tuple[pd.DataFrame, str]]:
        """Yield places with a note: own ones, or linear ones at once and better ones when they are computed.

        Args:
            progress: Called with the share that is done; raises ``InterruptedError`` to cancel.
        """
        if self._source.places is not None:
            places = self._source.places.astype("float64")
            middle = (places.max() + places.min()) / 2
            yield (places - middle) / max(float((places - middle).abs().max().max()), 1e-12), ""
            return
        frame, vectors = self._source.frame, self._source.vectors
        linear = project(frame, method="linear", vectors=vectors)
        yield linear, "A linear map; a better one is being computed."
        try:
            places = project(frame, vectors=vectors, progress=progress)
        except InterruptedError:
            yield linear, "A linear map; the better one was cancelled."
        else:
            yield places, " ".join(attribute(places, "analysis").get("notes", []))

    def place(self, places: NDArray[np.floating]) -> None:
        """Show points at their places; rows without a place have no point.

        Args:
            places: x and y of each row of the frame, within -1 and 1.
        """
        self._rows = np.flatnonzero(np.isfinite(places).all(axis=1))
        self._places = np.ascontiguousarray(places[self._rows], np.float32)
        self._codes = np.zeros(len(self._rows), np.uint8)
        self._states = np.full(len(self._rows), SHOWN, np.uint8)
        self.label = f"Map of {len(self._rows):,} records"
        self._deliver("points", self._places)

    def offer_colors(self) -> None:
        """Offer the columns that have a list of values."""
        facets = self._source.facets
        self.colors = ["", *(name for name in facets.names if facets[name].choices)]

    def color_by(self, name: str) -> None:
        """Color the points by a column, its ten largest groups apart; by none if it has no list of values."""
        facets = self._source.facets
        self.offer_colors()
        self.color = name if name in self.colors else ""
        if not self.color:
            self._codes = np.zeros(len(self._rows), np.uint8)
            self.groups = []
        else:
            facet = facets[name]
            counts = np.bincount(facet.codes[facet.codes >= 0], minlength=len(facet.choices))
            largest = np.argsort(-counts, kind="stable")[:GROUPS]
            ranks = np.full(len(facet.choices) + 1, GROUPS)
            ranks[largest] = np.arange(len(largest))
            self._codes = ranks[facet.codes[self._rows]].astype(np.uint8)
            shown = [facet.choices[at] for at in largest.tolist()]
            rest = [OTHERS] if (self._codes == GROUPS).any() else []
            self.groups = [*(words({name: value}, name) or str(value) for value in shown), *rest]
        self._deliver("codes", self._codes)

    def mark(self, shown: NDArray[np.bool_], chosen: NDArray[np.bool_]) -> None:
        """Fade the rows that are not shown, and frame those that are chosen."""
        self._states = (SHOWN * shown + CHOSEN * chosen)[self._rows].astype(np.uint8)
        self._deliver("shown", self._states)

    def picture(self) -> Html:
        """Return the points that are shown as an element without scripts; nothing if there are none."""
        if not self.is_placed:
            return join()
        sheet = Image.new("RGBA", (PIXELS, PIXELS))
        draw = ImageDraw.Draw(sheet)
        shown = np.flatnonzero(self._states & SHOWN)[:MOST_DRAWN]
        for (x, y), code in zip((self._places[shown] + 1) * (PIXELS / 2), self._codes[shown], strict=True):
            color = OTHER_COLOR if code == GROUPS else COLORS[code]
            draw.ellipse((x - DOT, PIXELS - y - DOT, x + DOT, PIXELS - y + DOT), fill=color)
        picture = encode(sheet.quantize(16, Image.Quantize.FASTOCTREE), "PNG")
        source = data_uri(picture, "image/png")
        return tag("img", src=source, alt=self.label, width=PIXELS // 2, style="max-width:100%;height:auto")

    def _deliver(self, kind: str, values: NDArray[Any]) -> None:
        self.send({"kind": kind}, [values.tobytes()])

    def _on_message(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        kind = message.get("kind")
        if kind == "ready":
            self._deliver("points", self._places)
            self._deliver("codes", self._codes)
            self._deliver("shown", self._states)
        elif kind == "color":
            self.color_by(str(message.get("name", "")))
        elif kind == "lasso":
            inside = _inside(self._places, np.array(message["polygon"], float))
            self._chosen(self._rows[inside & ((self._states & SHOWN) > 0)])
        elif kind == "near" and len(self._places):
            away = np.linalg.norm(self._places - np.array(message["place"], float), axis=1)
            away[(self._states & SHOWN) == 0] = np.inf
            nearest = away.argmin()
            self._chosen(
                self._rows[[nearest]] if away[nearest] <= float(message["within"]) else self._rows[:0]
            )


def _inside(places: NDArray[np.float32], polygon: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which places are inside a polygon, by the number of its edges that a ray from them crosses."""
    inside = np.zeros(len(places), np.bool_)
    x, y = places[:, 0].astype(float), places[:, 1].astype(float)
    for (x1, y1), (x2, y2) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y1 == y2:
            continue
        crosses = (y1 > y) != (y2 > y)
        inside ^= crosses & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    return inside
