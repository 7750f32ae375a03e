"""The horizon of a scene whose description names a second place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe_demo.drawing.color import hexed
from inkframe_demo.drawing.places.plants import draw_pines
from inkframe_demo.drawing.places.skyline import draw_skyline
from inkframe_demo.drawing.places.terrain import (
    draw_hill,
    draw_massif,
    hill_line,
    peak_line,
)

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["draw_hinterland"]

HIGH = {"mountains", "winter"}
LOW = {"meadow", "village", "garden", "road"}
BUILT = {"city", "street", "harbor"}


def draw_hinterland(stage: Stage) -> bool:
    """Draw the places behind the main one at its horizon; return whether there are any."""
    behind, foot, depth = stage.scene.behind, stage.horizon + 0.01, 0.2
    land = stage.tinted("land", hexed("#5d7480"))
    if behind & HIGH or stage.has("castle", "temple"):
        draw_massif(stage, peak_line(stage, "far peaks", foot, 0.36), land, depth, 0.45)
    elif behind & LOW:
        draw_hill(stage, hill_line(stage, "far hills", foot, 0.12), land, depth, "far")
    elif "desert" in behind:
        draw_hill(stage, hill_line(stage, "far dunes", foot, 0.1), hexed("#d2a468"), depth, "far")
    if behind & BUILT:
        draw_skyline(stage, foot + 0.005, 0.3, depth + 0.06)
    elif "forest" in behind:
        draw_pines(stage, hill_line(stage, "far wood", foot, 0.02), 0.14, depth + 0.08, 60, hexed("#2f5548"))
    return bool(behind & (HIGH | LOW | BUILT | {"desert", "forest"}))
