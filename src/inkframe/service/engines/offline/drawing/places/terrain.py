"""What land is made of: ridges, hills, trees, pines, grass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.colour import bright, hexed, mix, picked, toned
from inkframe.service.engines.offline.drawing.shape import blob, diamonds, polygon, ribbon, smooth, under

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.colour import Colour
    from inkframe.service.engines.offline.drawing.stage import Stage

__all__ = [
    "draw_grass",
    "draw_hill",
    "draw_massif",
    "draw_mist",
    "draw_pines",
    "draw_trees",
    "green",
    "hill_line",
    "peak_line",
]

#: Grass and leaves by season.
GREENS = {
    None: ("#5f8f4a", "#4a7d45"), "summer": ("#6a9a45", "#3f7a44"), "spring": ("#86b35a", "#7fae62"),
    "autumn": ("#b08a3f", "#c0632c"), "winter": ("#e6ecf2", "#46645c"),
    "dry": ("#c4a755", "#7f8a45"),
}  # fmt: skip


def green(stage: Stage, leaf: bool = False) -> Colour:
    """Give the colour of grass, or of leaves, in this season and description."""
    pair = GREENS[stage.scene.season]
    colour = hexed(pair[leaf])
    tint = stage.scene.painted.get("land")
    return toned(colour, tint, 0.85) if tint and not leaf else colour


def hill_line(stage: Stage, purpose: str, base: float, height: float, knots: int = 5) -> NDArray[np.float64]:
    """Draw a soft ridge from edge to edge; ``height`` is how far it moves up and down."""
    rng = stage.rng(purpose)
    x = np.linspace(-0.15, stage.wide + 0.15, knots + 1)
    y = base - height * rng.uniform(-0.5, 1, knots + 1)
    return smooth(np.stack([x, y], 1), 12, closed=False)


def peak_line(stage: Stage, purpose: str, base: float, height: float, knots: int = 5) -> NDArray[np.float64]:
    """Draw a jagged ridge: straight slopes between peaks, each octave half as high."""
    rng = stage.rng(purpose)
    x = np.linspace(-0.1, stage.wide + 0.1, 220)
    place = np.linspace(0, 1, 220)
    rise = np.zeros(220)
    for octave in range(5):
        many = knots * 2**octave
        marks = rng.random(many + 1)
        if octave == 0:
            marks = np.where(np.arange(many + 1) % 2 == stage.flip, 0.55 + 0.45 * marks, 0.3 * marks)
        at = np.sort(np.clip(np.linspace(0, 1, many + 1) + rng.uniform(-0.3, 0.3, many + 1) / many, 0, 1))
        rise += np.interp(place, at, marks) * 0.42**octave
    return np.stack([x, base - height * rise / 1.45], 1)


def draw_hill(
    stage: Stage, line: NDArray[np.float64], colour: Colour, depth: float, kind: str = "land"
) -> None:
    """Fill a hill under its ridge, lighter above, fading into what lies below."""
    low = min(float(line[:, 1].max()) + 0.32, stage.tall + 0.3)
    foot = mix(bright(colour, 0.8), stage.light.haze, 0.18) if depth < 0.5 else bright(colour, 0.78)
    stage.add(under(line, low if depth < 0.4 else stage.tall + 0.05), (bright(colour, 1.1), colour, foot), depth, kind)


def draw_massif(
    stage: Stage, line: NDArray[np.float64], colour: Colour, depth: float, snow: float = 0.0
) -> None:
    """Fill mountains under their ridge, with a shaded side and snow down to a share of their height."""
    rng = stage.rng(f"massif {depth}")
    foot = float(line[:, 1].max()) + 0.1
    stage.add(under(line, foot + 0.2), (bright(colour, 1.12), colour, mix(colour, stage.light.haze, 0.35)), depth, "far")
    away = 1 if stage.sun_x < stage.wide / 2 else -1
    tops = [i for i in range(6, len(line) - 6) if line[i, 1] == line[i - 6 : i + 7, 1].min()]
    for top in tops:
        face = _face(line, top, away, foot, rng)
        if face is not None:
            stage.add(face, (bright(colour, 0.72), mix(bright(colour, 0.8), stage.light.haze, 0.3)), depth, "far", opacity=0.85)
    if snow:
        high = float(line[:, 1].min())
        edge = (
            high
            + (foot - high) * snow
            + np.interp(line[:, 0], np.linspace(-0.1, stage.wide + 0.1, 46), rng.uniform(-0.03, 0.03, 46))
        )
        edge += 0.25 * (line[:, 1] - high)
        cap = np.concatenate([line, np.stack([line[:, 0], np.maximum(line[:, 1], edge)], 1)[::-1]])
        stage.add(cap, (bright(hexed("#f4f6fa"), 1.2), hexed("#dfe7f0")), depth, "far", opacity=0.94)
        for top in tops:
            face = _face(line, top, away, foot, rng)
            if face is not None:
                face = np.stack(
                    [
                        face[:, 0],
                        np.minimum(
                            face[:, 1], np.interp(face[:, 0], line[:, 0], np.maximum(line[:, 1], edge))
                        ),
                    ],
                    1,
                )
                stage.add(face, hexed("#a9bbd2"), depth, "far", opacity=0.75)


def _face(
    line: NDArray[np.float64], top: int, away: int, foot: float, rng: np.random.Generator
) -> NDArray[np.float64] | None:
    """Give the side of a peak that lies in shade."""
    end = top
    while 0 < end + away < len(line) and line[end + away, 1] >= line[end, 1] - 0.012 and abs(end - top) < 60:
        end += away
    if abs(end - top) < 5:  # too small to be seen
        return None
    slope = line[top : end + away : away]
    steps = np.linspace(0, 1, 7)[1:]
    drop = foot - line[top, 1]
    x = line[top, 0] + away * (
        steps * 0.12 * drop + rng.uniform(-0.05, 0.05, 6) * drop * np.sin(steps * np.pi)
    )
    back = np.stack([x, line[top, 1] + steps * drop], 1)
    return np.concatenate([slope, [[slope[-1, 0], foot]], back[::-1]])


def draw_mist(stage: Stage, y: float, depth: float, opacity: float = 0.5) -> None:
    """Lay a band of mist across the picture."""
    rng = stage.rng(f"mist {y:.3f}")
    x = np.linspace(-0.2, stage.wide + 0.2, 7)
    band = smooth(
        np.concatenate(
            [
                np.stack([x, y - rng.uniform(0.01, 0.05, 7)], 1),
                np.stack([x[::-1], y + rng.uniform(0.02, 0.05, 7)], 1),
            ]
        )
    )
    stage.unlit(band, stage.light.haze, depth, "weather", opacity=opacity, softness=0.03)


def draw_pines(
    stage: Stage,
    line: NDArray[np.float64],
    height: float,
    depth: float,
    many: int,
    colour: Colour | None = None,
    gap: float = 0.0,
) -> None:
    """Set pines along a line, dark against what is behind them, with a gap in the middle if asked."""
    rng = stage.rng(f"pines {depth} {height:.3f}")
    leaf = colour or hexed("#2f5548")
    share = np.sort(rng.uniform(-0.5, 0.5, many))
    at = (0.5 + share * (1 - gap) + np.sign(share) * gap / 2) * (line[-1, 0] - line[0, 0]) + line[0, 0]
    foot = np.interp(at, line[:, 0], line[:, 1]) + 0.012
    tall = height * rng.uniform(0.55, 1.15, many)
    trees = tuple(_PINE * (h * 0.9, h) + (x, y) for x, y, h in zip(at, foot, tall, strict=True))
    stage.add(trees, (bright(leaf, 1.12), leaf, bright(leaf, 0.8)), depth, "land")
    if stage.scene.season == "winter" or stage.scene.place == "winter":
        caps = tuple(_SNOW * (h * 0.9, h) + (x, y) for x, y, h in zip(at, foot, tall, strict=True))
        stage.add(caps, hexed("#f2f6fb"), depth, "land", opacity=0.9)


_HALF = [(0, -1), (0.07, -0.86), (0.045, -0.85), (0.13, -0.68), (0.075, -0.67), (0.19, -0.47), (0.11, -0.46), (0.25, -0.24), (0.14, -0.235), (0.29, -0.05), (0.035, -0.06), (0.035, 0)]  # fmt: skip
_PINE = np.array(_HALF + [(-x, y) for x, y in reversed(_HALF[1:])], float)
_SNOW = polygon(
    0,
    -1,
    0.06,
    -0.87,
    0.02,
    -0.84,
    0.11,
    -0.7,
    0.02,
    -0.7,
    0.15,
    -0.52,
    -0.02,
    -0.6,
    -0.05,
    -0.74,
    -0.02,
    -0.88,
)


def draw_trees(stage: Stage, line: NDArray[np.float64], size: float, depth: float, many: int) -> None:
    """Set round trees along a line, each with its own shade of the season's leaves."""
    rng = stage.rng(f"trees {depth} {size:.3f}")
    leaf = green(stage, leaf=True)
    other = (
        hexed("#d9a03a")
        if stage.scene.season == "autumn"
        else hexed("#e7b3c0")
        if stage.scene.season == "spring"
        else bright(leaf, 1.2)
    )
    for _ in range(many):
        x = float(rng.uniform(0, stage.wide))
        y = float(np.interp(x, line[:, 0], line[:, 1])) + size * 0.1
        tall = size * float(rng.uniform(0.7, 1.25))
        shade = mix(leaf, other, float(rng.random()) * 0.7)
        stage.add(ribbon(np.array([[x, y], [x, y - tall * 0.6]]), tall * 0.08), hexed("#5a412f"), depth, "land")
        crown = [
            blob(rng, x + tall * dx, y - tall * dy, tall * 0.28, tall * 0.25)
            for dx, dy in ((-0.14, 0.55), (0.14, 0.58), (0, 0.78))
        ]
        top = (0.93, 0.96, 1.0) if stage.scene.season == "winter" else bright(shade, 1.18)
        stage.add(crown, (top, shade, bright(shade, 0.68)), depth, "land")


def draw_grass(
    stage: Stage, colour: Colour, depth: float = 0.9, height: float = 0.09, many: int = 130
) -> None:
    """Let grass grow from the lower edge, with specks of flowers in it."""
    rng = stage.rng(f"grass {depth}")
    foot = np.stack(
        [
            rng.uniform(-0.05, stage.wide + 0.05, int(many * stage.wide)),
            np.full(int(many * stage.wide), stage.tall + 0.02),
        ],
        1,
    )
    tall = height * rng.uniform(0.35, 1.0, len(foot)) + 0.02
    lean = rng.uniform(-0.35, 0.35, len(foot)) * tall
    blades = [polygon(x - 0.004, y, x + d * 0.4 - 0.002, y - t * 0.6, x + d, y - t, x + d * 0.4 + 0.003, y - t * 0.6, x + 0.004, y)
              for (x, y), t, d in zip(foot.tolist(), tall.tolist(), lean.tolist(), strict=True)]
    stage.add(blades, (bright(colour, 0.95), bright(colour, 0.62)), depth, "land")
    if stage.scene.season == "winter":
        return
    tips = (foot + np.stack([lean, -tall], 1))[:: max(len(foot) // 26, 1)]
    petals = picked(rng, ("#f4e3a8", "#f2b8c0", "#ffffff", "#e9a04f", "#c7a6e0"))
    stage.add(diamonds(tips, rng.uniform(0.004, 0.009, len(tips))), petals, depth, "detail")
