"""A map of records: points on a canvas, chosen with a lasso."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets
from PIL import Image, ImageDraw

from inkframe.display.figure import words
from inkframe.display.markup import Html, join, tag
from inkframe.display.view import data_uri
from inkframe.exploring.plot_map import COLORS
from inkframe.exploring.plot_map import OTHER as OTHER_COLOR
from inkframe.exploring.projection import project
from inkframe.widgets.front import script, sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import pandas as pd
    from numpy.typing import NDArray

    from inkframe.exploring.frame_source import FrameSource

__all__ = ["RecordMap"]

#: Groups with a color of their own, and the name of all others.
COLORED, OTHER = 10, "other"
#: Pixels of the static picture, twice its width on the page, those of a point's radius, and the most points of it.
PIXELS, DOT, MOST_DRAWN = 960, 4, 20_000
#: The bits of a point's state.
SHOWN, CHOSEN = 1, 2


class RecordMap(anywidget.AnyWidget):
    """Points on a canvas; the page holds positions and colors, and nothing else of the records.

    Args:
        chosen: Called with the positions in the frame of the records inside a lasso, or of the one clicked.
        source: The frame, whose columns of few values color the points.
    """

    _esm = script("record_map")
    _css = sheet("record_map")

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
        frame, vectors = self._source.frame, self._source.vectors
        if self._source.places is not None:
            places = self._source.places.astype("float64")
            middle = (places.max() + places.min()) / 2
            yield (places - middle) / max(float((places - middle).abs().max().max()), 1e-12), ""
            return
        linear = project(frame, method="linear", vectors=vectors)
        yield linear, "A linear map; a better one is being computed."
        try:
            places = project(frame, vectors=vectors, progress=progress)
        except InterruptedError:
            yield linear, "A linear map; the better one was cancelled."
        else:
            yield places, " ".join(places.attrs.get("analysis", {}).get("notes", []))

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
            largest = np.argsort(-counts, kind="stable")[:COLORED]
            ranks = np.full(len(facet.choices) + 1, COLORED)
            ranks[largest] = np.arange(len(largest))
            self._codes = ranks[facet.codes[self._rows]].astype(np.uint8)
            shown = [facet.choices[at] for at in largest.tolist()]
            rest = [OTHER] if (self._codes == COLORED).any() else []
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
            color = OTHER_COLOR if code == COLORED else COLORS[code]
            draw.ellipse((x - DOT, PIXELS - y - DOT, x + DOT, PIXELS - y + DOT), fill=color)
        with io.BytesIO() as file:
            sheet.quantize(16, Image.Quantize.FASTOCTREE).save(file, "PNG", optimize=True)
            source = data_uri(file.getvalue(), "image/png")
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
