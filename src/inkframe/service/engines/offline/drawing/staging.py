"""Putting things on the stage: how large, where, and with which shadow or reflection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from inkframe.service.engines.offline.drawing.colour import Colour, bright, hexed, mix, recolour
from inkframe.service.engines.offline.drawing.motif import load_motif
from inkframe.service.engines.offline.drawing.shape import ellipse, lens, moved
from inkframe.service.engines.offline.drawing.stage import Ground

if TYPE_CHECKING:
    from inkframe.service.engines.offline.drawing.motif import Motif, Part
    from inkframe.service.engines.offline.drawing.scene import Thing
    from inkframe.service.engines.offline.drawing.stage import Stage

__all__ = ["draw_things", "put"]

LAMP = hexed("#ffdf94")
SKINS = ("#e8bb98", "#c98f68", "#8a5a3c", "#f0cdb0", "#a8734e", "#5f3d2a")
HAIRS = ("#3b2620", "#1f1a1c", "#8a5a34", "#c9a05f", "#6b2f22", "#8f8a88")
ROOFS = ("#a5483a", "#5b6470", "#7a5a48", "#3f5f6b")
LEAVES = {"autumn": "#c0702f", "spring": "#dfa0b0", "winter": "#7f948c"}
#: How large the main thing is, from what it stands on.
SHARES = {"table": 0.36, "bust": 0.98, "air": 0.3, "deep": 0.36, "span": 0.44}
PEOPLE = {"person", "woman", "child"}


def put(
    stage: Stage,
    motif: Motif,
    x: float,
    y: float,
    size: float,
    depth: float,
    tint: Colour | None = None,
    *,
    flip: bool = False,
) -> None:
    """Put a motif on the stage.

    Args:
        stage: Where to.
        motif: What.
        x: The middle of its foot.
        y: The height of its foot.
        size: Its height.
        depth: Its depth.
        tint: The colour of its tinted parts, or None for its own.
        flip: Whether it is mirrored.
    """
    for part in motif.parts:
        outlines = [moved(outline, x, y, size, flip=flip) for outline in part.outlines]
        kind = "detail" if "detail" in part.roles or part.opacity < 1 else "thing"
        colour = _coloured(stage, part, motif, tint)
        if "glow" in part.roles and stage.light.dark:
            shine = mix(colour, LAMP, 0.85)
            halo = [ellipse(*outlines[0].mean(0).tolist(), max(float(np.ptp(outlines[0])) * 0.14, 0.02))]
            if "lamp" in part.roles:
                stage.shine(halo, LAMP, depth, opacity=0.4, softness=0.045)
            stage.unlit(outlines, shine, depth, "thing")
            continue
        fill = (colour,) if kind == "detail" else (bright(colour, 1.1), colour, bright(colour, 0.9))
        toward = stage.sun_x > x
        stage.add(outlines, fill[::-1] if toward else fill, depth, kind, opacity=part.opacity, sideways=True)


def _coloured(stage: Stage, part: Part, motif: Motif, tint: Colour | None) -> Colour:
    """Give a part the colour that its role, the season or the description asks for."""
    pick = stage.rng("varieties").integers(0, 1 << 16, 3)
    if "tint" in part.roles and tint is not None:
        return recolour(part.colour, tint, motif.base)
    for role, choices, number in (("skin", SKINS, 0), ("hair", HAIRS, 1), ("roof", ROOFS, 2)):
        if role in part.roles:
            return recolour(part.colour, hexed(choices[int(pick[number]) % len(choices)]), hexed(choices[0]))
    if "leaf" in part.roles and stage.scene.season in LEAVES:
        return recolour(part.colour, hexed(LEAVES[stage.scene.season or ""]), hexed("#4d7c45"))
    return part.colour


def draw_things(stage: Stage) -> None:
    """Put everything that the description names on the stage, the main thing at the focus."""
    things = stage.scene.things
    if not things:
        return
    taken: list[tuple[float, float, float]] = []
    sizes = _sizes(stage)
    for number, (thing, size) in enumerate(zip(things, sizes, strict=True)):
        motif = load_motif(thing.motif)
        rng = stage.rng(f"thing {number} {thing.motif}")
        if thing.stands == "air":
            spots = [
                _aloft(stage, rng, size * max(motif.width, 1), taken, main=number + at == 0)
                for at in range(thing.count)
            ]
        else:
            spots = _standing(stage, rng, thing, size * motif.width, taken, main=number == 0)
        if number == 0:
            stage.main_depth = spots[0][3]
        for at, (x, y, scale, depth) in enumerate(spots):
            own = scale * size * (1.0 if at == 0 else float(rng.uniform(0.86, 1.06)))
            _place(
                stage,
                thing,
                motif,
                (x, y, own, depth),
                flip=bool(rng.integers(2)) and thing.stands != "bust",
                tint=_tint(thing, at, rng),
            )


def _tint(thing: Thing, at: int, rng: np.random.Generator) -> Colour | None:
    if thing.colour:
        return thing.colour
    if thing.motif in {
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
        "cup",
        "book",
        "umbrella",
        "gift",
        "butterfly",
        "vase",
    } and (at or rng.random() < 0.5):
        return hexed(
            ("#c8503f", "#2f6f88", "#e0a53a", "#4f7f5f", "#7a5f92", "#d9785f", "#3f4f6f", "#e6d6b8")[
                int(rng.integers(8))
            ]
        )
    return None


def _sizes(stage: Stage) -> list[float]:
    """Give each thing a height: by its nature against the main one, but never lost and never too large."""
    things, layout = stage.scene.things, stage.scene.layout
    first = things[0]
    share = SHARES.get(first.stands, 0.37) * (1.35 if "close" in layout else 0.68 if "far" in layout else 1.0)
    if stage.scene.place in {"table", "room", "wall"} and first.stands not in SHARES:
        share *= 1.25
    heights = []
    for thing in things:
        width = load_motif(thing.motif).width
        ratio = float(np.clip((thing.size / first.size) ** 0.35, 0.35, 1.7))
        many = thing.count**-0.25 if thing.count > 1 else 1.0
        height = share * ratio * many / float(np.sqrt(max(width, 0.35)))
        if thing.motif in PEOPLE and stage.scene.place not in {"room", "table", "wall"}:
            height *= 0.72
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
) -> tuple[float, float, float, float]:
    """Find a free place in the air; the height is that of the foot."""
    low = stage.grounds["air"].near if "air" in stage.grounds else stage.horizon * 0.82
    wide = stage.wide
    if main:
        best = (stage.focus, low * 0.62)
    else:
        tries = rng.uniform(
            (0.1 * wide, 0.12 * stage.tall), (0.9 * wide, max(low, 0.3 * stage.tall)), (14, 2)
        ).tolist()
        best = max(
            tries,
            key=lambda spot: min([np.hypot(spot[0] - x, spot[1] - y) - r for x, y, r in taken] or [1.0]),
        )
    taken.append((best[0], best[1], reach * 0.5))
    return best[0], best[1] + reach * 0.35, 1.0 if main else float(rng.uniform(0.7, 1.05)), 0.42


def _standing(
    stage: Stage,
    rng: np.random.Generator,
    thing: Thing,
    width: float,
    taken: list[tuple[float, float, float]],
    *,
    main: bool,
) -> list[tuple[float, float, float, float]]:
    """Find places side by side on the ground that the thing stands on, the far ones smaller."""
    ground = (
        stage.grounds.get(thing.stands)
        or stage.grounds.get("ground")
        or Ground(stage.tall * 0.85, stage.tall * 0.92)
    )
    spots = []
    for at in range(thing.count):
        share = 0.7 if main and at == 0 else float(rng.random()) * (0.9 if main else 0.75)
        scale = ground.shrink + (1 - ground.shrink) * share
        half = width * scale / 2
        if main and at == 0:
            x = stage.focus if thing.count == 1 else stage.focus * 0.8 + stage.wide * 0.1
        else:
            tries = rng.uniform(
                min(half + 0.05, stage.wide / 2), max(stage.wide - half - 0.05, stage.wide / 2), 12
            ).tolist()
            x = max(tries, key=lambda x: min([abs(x - other) - reach for other, _, reach in taken] or [1.0]))
        y = ground.far + (ground.near - ground.far) * share
        taken.append((x, y, half * 1.3))
        spots.append((x, y, scale, ground.depth[0] + (ground.depth[1] - ground.depth[0]) * share))
    return spots


def _place(
    stage: Stage,
    thing: Thing,
    motif: Motif,
    spot: tuple[float, float, float, float],
    *,
    flip: bool,
    tint: Colour | None,
) -> None:
    """Put one thing in its spot, with what grounds it."""
    x, y, size, depth = spot
    reach = size * motif.width / 2
    wet = thing.stands == "water" and stage.scene.place in {"sea", "harbour", "lake", "river", "beach"}
    if wet:
        _reflect(stage, motif, spot, tint, flip=flip)
    elif thing.stands not in {"air", "deep", "bust"} and stage.scene.place != "sky":
        lean = -0.25 if stage.sun_x > x else 0.25
        stage.unlit(ellipse(x + reach * lean, y - size * 0.005, reach * 1.05, max(reach * 0.16, 0.008)), hexed("#1a1c28"), depth, "shadow", opacity=0.34, softness=0.006 + reach * 0.03)
    put(stage, motif, x, y, size, depth, tint, flip=flip)
    if wet:
        foam = [
            lens(x + dx * reach, y + dy, reach * w, 0.004)
            for dx, dy, w in ((0, -0.002, 1.05), (0.3, 0.008, 0.6), (-0.4, 0.014, 0.4))
        ]
        stage.unlit(foam, mix(stage.light.sky[-1], (1.0, 1.0, 1.0), 0.35), depth, "glint", opacity=0.6)


def _reflect(
    stage: Stage, motif: Motif, spot: tuple[float, float, float, float], tint: Colour | None, *, flip: bool
) -> None:
    x, y, size, depth = spot
    for part in motif.parts:
        if "detail" in part.roles:
            continue
        outlines = [moved(outline, x, 0, size, flip=flip) * (1, -0.62) + (0, y) for outline in part.outlines]
        outlines = [o + np.stack([0.006 * np.sin(o[:, 1] * 160), np.zeros(len(o))], 1) for o in outlines]
        stage.add(outlines, bright(_coloured(stage, part, motif, tint), 0.8), depth, "reflection", opacity=0.32, softness=0.004)
