"""Open water: its color from the sky, its waves, and the glitter of light on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inkframe_demo.drawing.color import WHITE, bright, hexed, mix, toned
from inkframe_demo.drawing.shape import lenses

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene_layout import Stage

__all__ = ["draw_water"]


def draw_water(
    stage: Stage, top: float, depth: float = 0.32, deep: str = "#1f5f86", calm: float = 0.0
) -> None:
    """Fill the picture with water from a height down to its lower edge.

    Args:
        stage: The stage.
        top: The height of the far edge.
        depth: The depth of the far edge.
        deep: The water's own color.
        calm: From 0 (waves) to 1 (a mirror).
    """
    light, tint = stage.light, stage.scene.painted.get("water")
    own = light.on(hexed(deep), 0.85)
    if tint:
        own = mix(toned(own, tint, 1.0), light.on(tint, 0.85), 0.5)
    far, middle = mix(light.sky[-1], own, 0.25), mix(light.sky[-2], own, 0.55 - 0.2 * calm)
    near = mix(light.sky[0], own, 0.75 - 0.3 * calm)
    stage.unlit(stage.floor(top), (far, middle, mix(middle, near, 0.6), near), depth, "water")
    _waves(stage, top, depth, calm)
    if not light.veiled:
        _glitter(stage, top, depth)


def _waves(stage: Stage, top: float, depth: float, calm: float) -> None:
    rng, light = stage.rng(f"waves {top:.3f}"), stage.light
    rough = 1.6 if stage.scene.weathers & {"storm", "wind"} else 1.0
    many = int(70 * (1 - 0.5 * calm) * max(stage.wide, 1))
    down = rng.random(many) ** 1.8
    x, y = rng.uniform(-0.05, stage.wide + 0.05, many), top + 0.006 + down * (stage.tall - top)
    across = (0.02 + 0.13 * down) * rng.uniform(0.4, 1.3, many)
    marks = lenses(x, y, across, (0.0012 + 0.0075 * down) * rng.uniform(0.5, 1.2, many) * rough)
    pale, dark = mix(light.sky[-1], WHITE, 0.25), bright(mix(light.sky[0], hexed("#12384f"), 0.5), 0.8)
    stage.unlit(marks[: many // 2], pale, depth + 0.001, "glint", opacity=0.3)
    stage.unlit(marks[many // 2 :], dark, depth + 0.001, "glint", opacity=0.28)


def _glitter(stage: Stage, top: float, depth: float) -> None:
    """Draw the glitter under the sun, which is longer for a low sun."""
    rng, light = stage.rng("glitter"), stage.light
    many = 90 if light.height < 0.3 or light.dark else 50
    down = rng.random(many) ** 1.3
    x = stage.sun_x + rng.normal(0, 1, many) * (0.025 + 0.11 * down * (0.7 + light.height))
    y = top + 0.004 + down * (stage.tall - top)
    marks = lenses(x, y, 0.012 + 0.045 * down * rng.random(many), 0.0012 + 0.005 * down)
    stage.unlit(marks, bright(light.sun, 1.1), depth + 0.002, "glint", opacity=0.62)
