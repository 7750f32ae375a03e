"""Place things in the scene: their sizes, positions, shadows and reflections."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from inkframe_demo.drawing.color import (
    WHITE,
    Color,
    bright,
    hexed,
    mix,
    picked,
    recolor,
)
from inkframe_demo.drawing.motif import load_motif
from inkframe_demo.drawing.scene_layout import Ground
from inkframe_demo.drawing.shape import ellipse, lens, moved, points

if TYPE_CHECKING:
    from inkframe_demo.drawing.motif import Motif, MotifPart
    from inkframe_demo.drawing.scene import Thing
    from inkframe_demo.drawing.scene_layout import Stage
    from inkframe_demo.drawing.shape import Outline

__all__ = ["draw_things", "put"]

LAMP = hexed("#ffdf94")
#: The colors of each role of a part, the first as drawn in the motif.
VARIETIES = {
    "skin": ("#e8bb98", "#c98f68", "#8a5a3c", "#f0cdb0", "#a8734e", "#5f3d2a"),
    "hair": ("#3b2620", "#1f1a1c", "#8a5a34", "#c9a05f", "#6b2f22", "#8f8a88"),
    "roof": ("#a5483a", "#5b6470", "#7a5a48", "#3f5f6b"),
}
LEAVES = {"autumn": "#c0702f", "spring": "#dfa0b0", "winter": "#7f948c"}
#: Colors of things that vary in color.
MANY_COLORED = frozenset(
    [
        "boat",
        "rowboat",
        "balloon",
        "flower",
        "tulip",
        "car",
        "person",
        "woman",
        "child",
        "portrait",
        "portrait_man",
        "cup",
        "book",
        "umbrella",
        "gift",
        "butterfly",
        "vase",
    ]
)
COATS = ("#c8503f", "#2f6f88", "#e0a53a", "#4f7f5f", "#7a5f92", "#d9785f", "#3f4f6f", "#e6d6b8")
#: The size of the main thing, by the ground it stands on, and by default.
SHARES = {"table": 0.36, "bust": 0.98, "air": 0.3, "deep": 0.36, "span": 0.44}
SHARE = 0.42
INDOORS = {"table", "room", "wall"}
WATERS = {"sea", "harbor", "lake", "river", "beach"}
PEOPLE = {"person", "woman", "child"}


class Spot(NamedTuple):
    """The position of a thing: the middle of its foot, its relative size, and its depth."""

    x: float
    y: float
    scale: float
    depth: float


def put(
    stage: Stage,
    motif: Motif,
    x: float,
    y: float,
    size: float,
    depth: float,
    tint: Color | None = None,
    *,
    flip: bool = False,
) -> None:
    """Add a motif to the stage.

    Args:
        stage: The stage.
        motif: The motif.
        x: The middle of its foot.
        y: The height of its foot.
        size: Its height.
        depth: Its depth.
        tint: The color of its tinted parts, or None for its own.
        flip: Whether it is mirrored.
    """
    for part in motif.parts:
        outlines = [moved(outline, x, y, size, flip=flip) for outline in part.outlines]
        color = _colored(stage, part, motif, tint)
        if "glow" in part.roles and stage.light.dark:
            if "lamp" in part.roles:
                x0, y0 = outlines[0].mean(0).tolist()
                halo = ellipse(x0, y0, max(float(np.ptp(outlines[0])) * 0.14, 0.02))
                stage.shine(halo, LAMP, depth, opacity=0.4, softness=0.045)
            stage.unlit(outlines, mix(color, LAMP, 0.85), depth, "thing")
        elif "detail" in part.roles or part.opacity < 1:
            stage.add(outlines, color, depth, "detail", opacity=part.opacity)
        else:
            near, far = (0.9, 1.1) if stage.sun_x > x else (1.1, 0.9)
            stage.add(
                outlines, (bright(color, near), color, bright(color, far)), depth, "thing", sideways=True
            )


def _colored(stage: Stage, part: MotifPart, motif: Motif, tint: Color | None) -> Color:
    """Return a part in the color of its role, the season or the description."""
    if "tint" in part.roles and tint is not None:
        return recolor(part.color, tint, motif.base)
    for role, names in VARIETIES.items():
        if role in part.roles:
            return recolor(part.color, picked(stage.rng(role), names), hexed(names[0]))
    if "leaf" in part.roles and stage.scene.season in LEAVES:
        return recolor(part.color, hexed(LEAVES[stage.scene.season]), hexed("#4d7c45"))
    return part.color


def draw_things(stage: Stage) -> None:
    """Draw everything that the description names, with the main thing at the focus."""
    taken: list[tuple[float, float, float]] = []
    things, sizes = stage.scene.things, _sizes(stage)
    base: tuple[list[Outline], Spot] | None = None
    # What is on top of the next thing comes after it.
    order = sorted(range(len(things)), key=lambda at: at + 1.5 * things[at].on_next)
    for number in order:
        thing, size = things[number], sizes[number]
        motif, rng = load_motif(thing.motif), stage.rng(f"thing {number} {thing.motif}")
        for at in range(thing.count):
            if thing.on_next and base:
                _put_on(stage, base, thing, motif, size, at, rng)
                continue
            main = (number, at) == (order[0], 0)
            if thing.stands == "air" or (thing.stands == "deep" and "air" in stage.grounds):
                spot = _aloft(stage, rng, size * max(motif.width, 1), taken, main=main)
            else:
                spot = _standing(stage, rng, thing, size * motif.width, taken, main=main)
            if main:
                stage.main_depth = spot.depth
            vary = 1.0 if at == 0 else float(rng.uniform(0.86, 1.06))
            flip = bool(rng.integers(2)) and thing.stands != "bust"
            spot = spot._replace(scale=spot.scale * size * vary)
            _place(stage, thing, motif, spot, _tint(thing, at, rng), flip=flip)
            if at == 0:
                parts = [outline for part in motif.parts for outline in part.outlines]
                base = [moved(outline, spot.x, spot.y, spot.scale, flip=flip) for outline in parts], spot


def _put_on(
    stage: Stage,
    base: tuple[list[Outline], Spot],
    thing: Thing,
    motif: Motif,
    size: float,
    at: int,
    rng: np.random.Generator,
) -> None:
    """Draw a thing on top of another one, which belongs to the same depth."""
    outlines, spot = base
    every = np.concatenate(outlines)
    left, right = float(every[:, 0].min()), float(every[:, 0].max())
    size = min(size, 0.75 * spot.scale, float(every[:, 1].min()) - 0.03)
    step = min(size * motif.width * 1.1, (right - left) * 0.8 / thing.count)
    x = (left + right) / 2 + (at - (thing.count - 1) / 2) * step
    tops = [y for outline in outlines for y in _crossed(outline, x)]
    y = min(tops, default=float(every[:, 1].min())) + 0.03 * size
    put(stage, motif, x, y, size, spot.depth, _tint(thing, at, rng), flip=bool(rng.integers(2)))


def _crossed(outline: Outline, x: float) -> list[float]:
    """Return the heights at which an outline crosses a vertical line."""
    before, after = outline, np.roll(outline, -1, axis=0)
    cut = (before[:, 0] <= x) != (after[:, 0] <= x)
    (x0, y0), (x1, y1) = before[cut].T, after[cut].T
    return list((y0 + (x - x0) * (y1 - y0) / (x1 - x0)).tolist())


def _tint(thing: Thing, at: int, rng: np.random.Generator) -> Color | None:
    if thing.color or thing.motif not in MANY_COLORED:
        return thing.color
    return picked(rng, COATS) if at or rng.random() < 0.5 else None


def _sizes(stage: Stage) -> list[float]:
    """Return the height of each thing, relative to the main one, within limits."""
    things, layout, inside = stage.scene.things, stage.scene.layout, stage.scene.place in INDOORS
    if not things:
        return []
    first, heights = next(thing for thing in things if not thing.on_next), []
    share = SHARES.get(first.stands, SHARE * (1.1 if inside else 1.0))
    share *= 1.35 if "close" in layout else 0.68 if "far" in layout else 1.0
    for thing in things:
        width = load_motif(thing.motif).width
        ratio = float(np.clip((thing.size / first.size) ** 0.35, 0.35, 1.7))
        height = share * ratio * thing.count**-0.25 / float(np.sqrt(max(width, 0.35)))
        if thing.motif in PEOPLE and not inside:
            height *= 0.72
        if thing.stands == "water" and stage.scene.place == "river":
            height *= 0.6
        if thing.stands == "air" and (thing is not first or thing.count > 1):
            height *= 0.6
        limit = 0.98 if thing.stands == "bust" else 0.66
        heights.append(min(height, limit * stage.tall, 0.8 * stage.wide / width))
    return heights


def _aloft(
    stage: Stage,
    rng: np.random.Generator,
    reach: float,
    taken: list[tuple[float, float, float]],
    *,
    main: bool,
) -> Spot:
    """Find a free position in the air; the height is that of the foot."""
    wide, high = stage.wide, stage.tall
    low = stage.grounds["air"].near if "air" in stage.grounds else stage.horizon * 0.82
    x, y = stage.focus, low * 0.62
    if not main:
        edge = min(reach / 2 + 0.03, wide / 2)
        tries = rng.uniform((edge, 0.12 * high), (wide - edge, max(low, 0.3 * high)), (14, 2)).tolist()
        x, y = max(tries, key=lambda at: _room(at, taken))
    taken.append((x, y, reach / 2))
    return Spot(
        x, y + reach * 0.35, 1.0 if main else float(rng.uniform(0.7, 1.05)), 0.42 + 0.001 * len(taken)
    )


def _room(at: list[float], taken: list[tuple[float, float, float]]) -> float:
    """Return the distance to the nearest thing."""
    return min((float(np.hypot(at[0] - x, at[1] - y)) - reach for x, y, reach in taken), default=1.0)


def _standing(
    stage: Stage,
    rng: np.random.Generator,
    thing: Thing,
    width: float,
    taken: list[tuple[float, float, float]],
    *,
    main: bool,
) -> Spot:
    """Find a free position on the ground of the thing; farther things are smaller."""
    low = Ground(stage.tall * 0.85, stage.tall * 0.92)
    ground = stage.grounds.get(thing.stands) or stage.grounds.get("ground", low)
    share = 0.7 if main else float(rng.uniform(0, 0.8))
    if thing.size > stage.scene.things[0].size:
        share *= 0.8  # behind the main thing, which it would hide
    scale = ground.shrink + (1 - ground.shrink) * share
    half, middle = width * scale / 2, stage.wide / 2
    y = ground.far + (ground.near - ground.far) * share
    x = stage.focus if thing.count == 1 else stage.focus * 0.8 + middle * 0.2
    if not main:
        edge = min(half + 0.05, middle)
        tries = rng.uniform(edge, stage.wide - edge, 12).tolist()
        x = max(
            tries, key=lambda at: min((abs(at - other) - reach for other, _, reach in taken), default=1.0)
        )
    taken.append((x, y, half * 1.3))
    return Spot(x, y, scale, ground.depth[0] + (ground.depth[1] - ground.depth[0]) * share)


def _place(stage: Stage, thing: Thing, motif: Motif, spot: Spot, tint: Color | None, *, flip: bool) -> None:
    """Draw one thing in its spot, with a reflection and foam, or a shadow."""
    x, y, size, depth = spot
    reach = size * motif.width / 2
    wet = thing.stands == "water" and stage.scene.place in WATERS
    if wet:
        _reflect(stage, motif, spot, tint, flip=flip)
    elif thing.stands not in {"air", "deep", "bust"} and stage.scene.place != "sky":
        lean = -0.25 if stage.sun_x > x else 0.25
        shadow = ellipse(x + reach * lean, y - size * 0.005, reach * 1.05, max(reach * 0.16, 0.008))
        stage.unlit(shadow, hexed("#1a1c28"), depth, "shadow", opacity=0.34, softness=0.006 + reach * 0.03)
    put(stage, motif, x, y, size, depth, tint, flip=flip)
    if wet:
        marks = ((0, -0.002, 1.05), (0.3, 0.008, 0.6), (-0.4, 0.014, 0.4))
        foam = [lens(x + right * reach, y + down, reach * broad, 0.004) for right, down, broad in marks]
        stage.unlit(foam, mix(stage.light.sky[-1], WHITE, 0.35), depth, "glint", opacity=0.6)


def _reflect(stage: Stage, motif: Motif, spot: Spot, tint: Color | None, *, flip: bool) -> None:
    """Draw the wavy reflection of a thing in the water."""
    for part in motif.parts:
        if "detail" in part.roles:
            continue
        turned = [
            moved(o, spot.x, 0, spot.scale, flip=flip) * (1, -0.62) + (0, spot.y) for o in part.outlines
        ]
        waved = [points(o[:, 0] + 0.006 * np.sin(o[:, 1] * 160), o[:, 1]) for o in turned]
        color = bright(_colored(stage, part, motif, tint), 0.8)
        stage.add(waved, color, spot.depth, "reflection", opacity=0.32, softness=0.004)
