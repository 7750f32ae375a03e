"""Styles that change the geometry: origami, art deco, abstract."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from inkframe.service.engines.offline.drawing.canvas import paint, to_image
from inkframe.service.engines.offline.drawing.colour import Colour, bright, gray, hexed, mix, vivid
from inkframe.service.engines.offline.drawing.compose import compose
from inkframe.service.engines.offline.drawing.shape import Shape, ellipse, polygon, rectangle, ribbon
from inkframe.service.engines.offline.drawing.texture import blurred, clouded, coordinates, shifted, stepped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from inkframe.service.engines.offline.drawing.canvas import Canvas
    from inkframe.service.engines.offline.drawing.scene import Scene
    from inkframe.service.engines.offline.drawing.stage import Stage

__all__ = ["abstract", "art_deco", "origami"]


def origami(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Everything cut straight and folded: facets of plain paper, each layer casting a shadow on the next."""
    unit, rng = min(size) / 512, scene.rng("origami")
    stage = compose(scene, size)
    shapes = [
        _cut(shape)
        for shape in stage.shapes
        if shape.kind not in {"glint", "shadow", "weather", "reflection"} and shape.softness < 0.02
    ]
    canvas = paint(shapes, size)
    order = canvas.owner.astype(np.float32)
    high = np.array([shape.depth for shape in canvas.shapes], np.float32)[canvas.owner] + order * np.float32(
        0.12 / len(shapes)
    )
    lifted = shifted(high, round(4 * unit) or 1, round(6 * unit) or 1)
    shadow = blurred(np.clip((lifted - high) * 14, 0, 1), max(4 * unit, 0.8))
    folds = _facets(canvas, size, rng)
    fibre = clouded(rng, size, 5 * unit, 2) - 0.5
    light = folds * (1 - np.float32(0.42) * shadow) + fibre * np.float32(0.05)
    return np.clip(canvas.picture * light, 0, 1)


def _cut(shape: Shape) -> Shape:
    """Straighten outlines and make the paper one clean colour."""
    colour = vivid(bright(shape.fill[0], 1.16) if shape.kind == "sky" else bright(shape.colour, 1.1), 1.3)
    keep = 0.03 if shape.kind in {"land", "far", "water", "cloud"} else 0.006
    return replace(
        shape,
        outlines=tuple(_straight(outline, keep) for outline in shape.outlines),
        fill=(colour,),
        softness=0.0,
        opacity=1.0 if shape.solid or shape.kind == "cloud" else shape.opacity,
    )


def _straight(outline: NDArray[np.float64], keep: float) -> NDArray[np.float64]:
    """Keep the corners of an outline and every few points of its curves."""
    before, after = outline - np.roll(outline, 1, 0), np.roll(outline, -1, 0) - outline
    turn = np.abs(
        np.angle(np.exp(1j * (np.arctan2(after[:, 1], after[:, 0]) - np.arctan2(before[:, 1], before[:, 0]))))
    )
    step = np.cumsum(np.hypot(before[:, 0], before[:, 1])) // max(
        keep, 0.22 * float(np.ptp(outline, axis=0).max())
    )
    kept = (turn > 0.7) | (np.diff(step, prepend=-1) > 0)  # radians
    return outline[kept] if kept.sum() > 2 else outline


def _facets(canvas: Canvas, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """Shade triangles of a skewed grid, each shape with a grid of its own size and turn."""
    x, y = coordinates(size)
    owner, many, unit = canvas.owner, len(canvas.shapes), min(size)
    reach = np.array(
        [float(np.sqrt(np.prod(np.ptp(shape.outlines[0], axis=0)) + 1e-4)) for shape in canvas.shapes]
    )
    pitches = np.clip(reach * 0.42, 0.05, 0.26) * unit
    pitch, angle, shift = (
        table.astype(np.float32)[owner]
        for table in (pitches, rng.uniform(0, 3, many), rng.uniform(0, 2, many) * unit)
    )
    c, s = np.cos(angle), np.sin(angle)
    u, v = (x * c + y * s + shift) / pitch, (y * c - x * s * np.float32(0.8) + shift) / pitch
    column, row = np.floor(u), np.floor(v)
    u, v = u - column, v - row
    code = (column * 37 + row * 91 + (u + v > 1) * 53 + owner * 17).astype(np.int32)
    shade = rng.uniform(0.78, 1.17, 1024).astype(np.float32)[code % 1024]
    crease = np.minimum(np.abs(u + v - 1), np.minimum(np.minimum(u, 1 - u), np.minimum(v, 1 - v))) * pitch
    return shade + np.float32(0.09) * stepped(crease, unit / 340, unit / 900)


DECO = ("#0d1b26", "#12343b", "#1f5a5c", "#4f8a80", "#c9a24b", "#e9d7a2", "#f7efd9")
GOLD = hexed("#d9b45a")


def art_deco(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """Strict symmetry, rays of gold from the horizon, dark greens, gold lines, a stepped frame."""
    stage = compose(replace(scene, layout=scene.layout | {"centre"}), size)
    tones = [hexed(colour) for colour in DECO]
    background = [
        _gilt(shape, tones)
        for shape in stage.shapes
        if shape.kind in {"land", "far", "water", "wall"}
        and not (scene.place == "room" and shape.kind == "wall")
    ]
    background += _rays(stage, tones)
    things = [
        _gilt(shape, tones)
        for shape in stage.shapes
        if shape.kind in {"thing", "detail"} and shape.depth > 0.3
    ]
    lone = sum(thing.count for thing in scene.things) == 1
    back = to_image(paint(background if lone else background + things, size, line=(GOLD, 0.0034)).picture)
    half = back.crop((0, 0, (size[0] + 1) // 2, size[1]))
    back.paste(half.transpose(Image.Transpose.FLIP_LEFT_RIGHT), (size[0] // 2, 0))
    front = [*(things if lone else []), *_frame(stage, tones)]
    picture = paint(front, size, ground=back, line=(GOLD, 0.0036)).picture
    sheen = clouded(stage.rng("sheen"), size, min(size) / 6, 2)
    return np.clip(picture * (0.9 + 0.2 * sheen), 0, 1)


def _gilt(shape: Shape, tones: list[Colour]) -> Shape:
    level = gray(shape.colour)
    warm = shape.colour[0] - shape.colour[2]
    tone = tones[min(int(level * 7), 6)]
    if shape.kind in {"thing", "detail"} and warm > 0.18:
        tone = mix(hexed("#b5483a") if level < 0.5 else GOLD, tone, 0.25)
    return replace(
        shape,
        fill=(bright(tone, 1.12), bright(tone, 0.8)),
        softness=0.0,
        opacity=1.0 if shape.solid else shape.opacity,
    )


def _rays(stage: Stage, tones: list[Colour]) -> list[Shape]:
    """A fan of rays behind a half disc at the middle of the horizon."""
    x, y = stage.wide / 2, min(stage.horizon, stage.tall * 0.7)
    edge = np.linspace(np.pi, 2 * np.pi, 30)
    sky = Shape((rectangle(0, 0, stage.wide, stage.tall),), (tones[0], tones[1], tones[2]), 0.0, "sky")
    fans = [
        polygon(x, y, x + 3 * np.cos(a), y + 3 * np.sin(a), x + 3 * np.cos(b), y + 3 * np.sin(b))
        for a, b in zip(edge[::2], edge[1::2], strict=True)
    ]
    rings = [Shape((ellipse(x, y, radius, points=96),), (colour,), 0.002 + 0.0005 * step, "far")
             for step, (radius, colour) in enumerate(((0.3, tones[1]), (0.285, GOLD), (0.25, tones[5]), (0.2, GOLD), (0.185, tones[4])))]
    return [sky, Shape(tuple(fans), (GOLD, mix(GOLD, tones[1], 0.55)), 0.001, "light"), *rings]


def _frame(stage: Stage, tones: list[Colour]) -> list[Shape]:
    wide, tall, shapes = stage.wide, stage.tall, []
    for inset, width, colour in ((0.0, 0.05, tones[0]), (0.022, 0.006, GOLD), (0.042, 0.0035, GOLD)):
        box = [
            rectangle(inset, inset, wide - inset, inset + width),
            rectangle(inset, tall - inset - width, wide - inset, tall - inset),
            rectangle(inset, inset, inset + width, tall - inset),
            rectangle(wide - inset - width, inset, wide - inset, tall - inset),
        ]
        shapes.append(Shape(tuple(box), (colour,), 0.98, "detail"))
    steps = []
    for cx, cy, sx, sy in ((0, 0, 1, 1), (wide, 0, -1, 1), (0, tall, 1, -1), (wide, tall, -1, -1)):
        for k in range(3):
            a, b = 0.055 + 0.03 * k, 0.145 - 0.03 * k
            steps.append(ribbon(np.array([[cx + sx * a, cy + sy * 0.05], [cx + sx * a, cy + sy * b]]), 0.004))
            steps.append(ribbon(np.array([[cx + sx * 0.05, cy + sy * a], [cx + sx * b, cy + sy * a]]), 0.004))
    return [*shapes, Shape(tuple(steps), (GOLD,), 0.99, "detail")]


#: The ground, then four colours that carry.
POSTERS = (
    ("#f3ead7", "#1d3f6e", "#e2472f", "#f2b632", "#2f8f83"), ("#f6efe2", "#22223b", "#e4572e", "#17bebb", "#ffc914"),
    ("#efe6d8", "#0b3c49", "#c5283d", "#e9724c", "#ffc857"), ("#f4f0e8", "#3d348b", "#f18701", "#7678ed", "#f7b801"),
    ("#f2e9e1", "#1b4332", "#d62839", "#f4a261", "#52b69a"),
)  # fmt: skip


def abstract(scene: Scene, size: tuple[int, int]) -> NDArray[np.float32]:
    """The scene told in planes, discs, bars and triangles, overlapping like cut paper."""
    stage, rng = compose(scene, size), scene.rng("abstract style")
    palette = [hexed(colour) for colour in POSTERS[int(rng.integers(len(POSTERS)))]]
    whole = scene.painted.get("all")
    palette = [mix(colour, whole, 0.35) for colour in palette] if whole else palette
    told = [
        shape
        for shape in stage.shapes
        if shape.solid and shape.kind in {"land", "far", "thing", "water", "wall", "cloud", "light"}
    ]
    large = sorted(told, key=lambda shape: -float(np.prod(np.ptp(np.concatenate(shape.outlines), axis=0))))[
        :24
    ]
    shapes = [
        Shape((rectangle(0, 0, stage.wide, stage.tall),), (bright(palette[0], 1.06), palette[0]), 0.0, "sky")
    ]
    for number, y in enumerate((0.3, 0.56, 0.8)):
        tilt = float(rng.uniform(-0.3, 0.3))
        plane = polygon(
            -0.1,
            stage.tall * y - tilt,
            stage.wide + 0.1,
            stage.tall * y + tilt,
            stage.wide + 0.1,
            stage.tall + 0.5,
            -0.1,
            stage.tall + 0.5,
        )
        colour = mix(palette[(4, 1, 2)[number]], palette[0], 0.15)
        shapes.append(
            Shape((plane,), (bright(colour, 1.12), colour), 0.01 + 0.01 * number, "land", opacity=0.85)
        )
    for number, shape in enumerate(large):
        shapes += _token(shape, stage, palette, number, rng)
    bars = [
        ribbon(rng.uniform((0, 0), (stage.wide, stage.tall), (2, 2)), float(rng.uniform(0.003, 0.008)))
        for _ in range(5)
    ]
    shapes.append(Shape(tuple(bars), (hexed("#1d1b22"),), 0.9, "thing"))
    picture = paint(shapes, size).picture
    return np.clip(picture * (0.95 + 0.1 * clouded(rng, size, min(size) / 90, 3)), 0, 1)


def _token(
    shape: Shape, stage: Stage, palette: list[Colour], number: int, rng: np.random.Generator
) -> list[Shape]:
    """Stand for a shape with a disc, a half disc, a bar or a triangle of about its size and colour."""
    every = np.clip(np.concatenate(shape.outlines), (0, 0), (stage.wide, stage.tall))
    (left, top), (right, bottom) = every.min(0).tolist(), every.max(0).tolist()
    x, y, reach = (
        (left + right) / 2,
        (top + bottom) / 2,
        float(np.clip(np.hypot(right - left, bottom - top) / 2, 0.05, 0.32)),
    )
    if right - left > 0.8 * stage.wide:
        x, y = float(rng.uniform(0.1, 0.9)) * stage.wide, top + reach * float(rng.uniform(0.2, 0.8))
    near = palette[1 + number % 4]
    colour = mix(near, vivid(shape.colour, 1.6), 0.2)
    turn, kind = float(rng.uniform(0, 2 * np.pi)), int(rng.integers(4))
    angle = np.linspace(0, 2 * np.pi if kind == 0 else np.pi, 72) + turn
    disc = np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], 1)
    corner = turn + np.array([0, 2.1, 4.2])
    spike = np.stack([x + reach * 1.1 * np.cos(corner), y + reach * 1.1 * np.sin(corner)], 1)
    bar = ribbon(
        np.array(
            [
                [x - reach * np.cos(turn), y - reach * np.sin(turn)],
                [x + reach * np.cos(turn), y + reach * np.sin(turn)],
            ]
        ),
        reach * 0.5,
    )
    form = (disc, disc, spike, bar)[kind]
    made = [
        Shape((form,), (bright(colour, 1.1), bright(colour, 0.9)), 0.1 + 0.02 * number, "land", opacity=0.88)
    ]
    if number % 5 == 1:
        ring = np.stack([x + reach * 1.15 * np.cos(angle), y + reach * 1.15 * np.sin(angle)], 1)
        made.append(Shape((ribbon(ring, 0.007),), (palette[1],), 0.1 + 0.02 * number, "thing"))
    return made
