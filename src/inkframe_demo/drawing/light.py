"""The light of a scene: colors of the sky by time of day and weather, and their effect on things."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from inkframe_demo.drawing.color import (
    Color,
    bright,
    gray,
    hexed,
    mix,
    times,
    toned,
    turn,
)

if TYPE_CHECKING:
    from inkframe_demo.drawing.scene import Scene

__all__ = ["Light", "light_of"]

#: The height of the sun or the moon, from 0 (the horizon) to 1 (the top).
HEIGHTS = {
    "dawn": 0.12, "morning": 0.45, "noon": 0.78, "afternoon": 0.55, "golden": 0.14, "dusk": 0.05, "night": 0.68,
}  # fmt: skip
#: The effect of each weather on the sky: a color, its share, and the added haze.
VEILS = {
    "rain": ("#8b98a6", 0.62, 0.35), "storm": ("#46525f", 0.72, 0.2), "fog": ("#d5d8d6", 0.7, 0.9),
    "snowfall": ("#c9d6e4", 0.62, 0.3), "cloudy": ("#b3bec8", 0.35, 0.1),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Light:
    """The light of a scene.

    Args:
        sky: Colors from the zenith to the horizon.
        sun: The color of the sun or the moon.
        haze: The color that far things fade into.
        ambient: The color of a white surface.
        height: The height of the sun or the moon, from 0 to 1.
        murk: The rate at which things fade with distance.
        dark: Whether lamps are lit.
        veiled: Whether clouds hide the sun.
    """

    sky: tuple[Color, ...]
    sun: Color
    haze: Color
    ambient: Color
    height: float
    murk: float = 0.8
    dark: bool = False
    veiled: bool = False

    def on(self, color: Color, depth: float, lift: float = 0.0) -> Color:
        """Return the color of a surface in this light, at a depth from 0 (far) to 1 (near)."""
        return mix(
            times(color, mix(self.ambient, (1.0, 1.0, 1.0), lift)),
            self.haze,
            min(self.murk * (1 - depth) ** 2.1, 1.0),
        )


@cache
def _skies() -> dict[str, list[dict[str, Any]]]:
    return dict(json.loads(resources.files(__package__).joinpath("skies.json").read_text("utf-8")))


def light_of(scene: Scene) -> Light:
    """Return the light of a scene."""
    rng = scene.rng("light")
    variants = _skies()[scene.time]
    entry = variants[int(rng.integers(len(variants)))]
    drift = float(rng.uniform(-0.02, 0.02))
    sky, sun, haze, ambient = (
        tuple(turn(hexed(color), drift) for color in entry["sky"]),
        hexed(entry["sun"]),
        turn(hexed(entry["haze"]), drift),
        hexed(entry["ambient"]),
    )
    light = Light(sky, sun, haze, ambient, HEIGHTS[scene.time], dark=scene.time in {"night", "dusk"})
    for weather in sorted(scene.weathers & VEILS.keys()):
        light = _veiled(light, *VEILS[weather])
    return _tinted(light, scene)


def _veiled(light: Light, color: str, share: float, murk: float) -> Light:
    veil = times(hexed(color), mix(light.ambient, (1.0, 1.0, 1.0), 0.7))
    if light.dark:
        veil = bright(veil, 0.55)
    return replace(
        light,
        sky=tuple(mix(stop, bright(veil, 0.8 + 0.1 * step), share) for step, stop in enumerate(light.sky)),
        haze=mix(light.haze, veil, share),
        ambient=mix(light.ambient, mix(veil, (1.0, 1.0, 1.0), 0.25), share * 0.6),
        murk=min(light.murk + murk * 0.2, 1.0),
        veiled=light.veiled or share > 0.4,  # the sun is visible through a thin veil
    )


def _tinted(light: Light, scene: Scene) -> Light:
    """Apply the color words of the sky and of the whole picture to the light."""
    whole, above = scene.painted.get("all"), scene.painted.get("sky")
    if whole:
        light = replace(
            light,
            sky=tuple(toned(stop, whole, 0.55) for stop in light.sky),
            haze=toned(light.haze, whole, 0.5),
            ambient=toned(light.ambient, whole, 0.35),
        )
    if above:
        steps = len(light.sky) - 1
        sky = tuple(
            mix(toned(stop, above, 0.9), bright(above, 0.75 + 0.5 * step / steps), 0.5)
            for step, stop in enumerate(light.sky)
        )
        light = replace(light, sky=sky, haze=mix(light.haze, toned(light.haze, above, 1.0), 0.7))
    if gray(light.ambient) < 0.2:  # nothing is ever quite black
        light = replace(light, ambient=mix(light.ambient, (1.0, 1.0, 1.0), 0.2))
    return light
