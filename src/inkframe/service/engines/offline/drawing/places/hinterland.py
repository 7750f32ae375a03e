"""What stands at the horizon when the description names a second place."""

from __future__ import annotations

from inkframe.service.engines.offline.drawing.colour import hexed
from inkframe.service.engines.offline.drawing.places.terrain import (
    draw_hill,
    draw_massif,
    draw_pines,
    hill_line,
    peak_line,
)
from inkframe.service.engines.offline.drawing.places.town import draw_skyline
from inkframe.service.engines.offline.drawing.stage import Stage

__all__ = ["draw_hinterland"]


def draw_hinterland(stage: Stage, depth: float = 0.2) -> bool:
    """Draw the places behind the main one at its horizon; tell whether there were any."""
    behind = stage.scene.behind
    land = stage.painted("land", hexed("#5d7480"))
    if behind & {"mountains", "winter"} or stage.has("castle", "temple"):
        draw_massif(stage, peak_line(stage, "far peaks", stage.horizon + 0.02, 0.36), land, depth, 0.45)
    elif behind & {"meadow", "village", "garden", "road"}:
        draw_hill(stage, hill_line(stage, "far hills", stage.horizon + 0.01, 0.12), land, depth, "far")
    elif "desert" in behind:
        draw_hill(
            stage, hill_line(stage, "far dunes", stage.horizon + 0.01, 0.1), hexed("#d2a468"), depth, "far"
        )
    if behind & {"city", "street", "harbour"}:
        draw_skyline(stage, stage.horizon + 0.015, 0.3, depth + 0.06)
    elif "forest" in behind:
        line = hill_line(stage, "far wood", stage.horizon + 0.012, 0.02)
        draw_pines(stage, line, 0.14, depth + 0.08, 60)
    return bool(
        behind
        & {
            "mountains",
            "winter",
            "meadow",
            "village",
            "garden",
            "road",
            "desert",
            "city",
            "street",
            "harbour",
            "forest",
        }
    )
