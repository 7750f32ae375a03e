"""What must be seen in the pictures of fifty descriptions."""

from dataclasses import replace

import numpy as np
import pytest

from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.compose import compose
from inkframe_demo.drawing.scene import read_scene
from inkframe_demo.picture import draw_scene

SIZE = (72, 72)
#: Descriptions, and the place, things and moons of their pictures; "on" is on top of the next thing.
SEEN = """
a cat on a roof | meadow: cat on house
a black cat on the roof of a house at night | meadow: cat on house
three crows on a rooftop | meadow: 3 bird on house
a cat on a sofa | room: cat on sofa
a dog on an armchair | room: dog on chair
a man on a horse | meadow: person on horse
two owls on a chair | room: 2 owl on chair
an apple on a book | table: apple on book
a bird on a boat | sea: bird on boat
a robin on a red car | road: songbird on car
a cat on a piano | room: cat on piano
a penguin on a rock | beach: penguin on rock
a cat on a beach by a house | beach: cat, house
a lighthouse on a rock | sea: lighthouse, rock
a cup on the kitchen table | table: cup
an orange on a table beside a vase | table: orange, vase
a boat on a lake | lake: boat
a robot | city: robot
two robots in a garden | garden: 2 robot
a robot on a horse | meadow: robot on horse
a silver robot in a library | room: robot
an android in the desert | desert: robot
a moon | sky: 1 moon
three moons | sky: 3 moon
two moons over a village | village: 2 moon
two moons over a red boat | sea: boat, 2 moon
five moons above the mountains | mountains: 5 moon
a full moon over the sea | sea: 1 moon
an astronaut on the moon | space: astronaut
a rocket and two planets | space: rocket, 2 planet
four boats on the sea | sea: 4 boat
a harbor at dawn, two boats | harbor: 2 boat
five sheep on a meadow | meadow: 5 sheep
two cats and a dog | room: 2 cat, dog
three apples and a pear | table: 3 apple, pear
a dozen tulips | garden: 12 tulip
seven balloons | sky: 7 balloon
an elephant and a mouse | meadow: elephant, rabbit
a fox in the snow | winter: fox
a whale at midnight | sea: whale
a castle in the mountains | mountains: castle
a bridge over a river | river: bridge
a windmill and three cows | meadow: windmill, 3 cow
a bicycle in an alley | street: bicycle
a bus in the city | city: bus
a tent in the forest | forest: tent
a teapot and two cups | table: teapot, 2 cup
a woman with an umbrella | meadow: woman, umbrella
a cactus in the desert | desert: cactus
two goldfish in an aquarium | deep: 2 fish
"""
LINES = [line.split(" | ") for line in SEEN.strip().splitlines()]


def described(scene):
    """Return a scene as a line of the list."""
    things = ""
    for thing in scene.things:
        name = f"{thing.count} {thing.motif}" if thing.count > 1 else thing.motif
        things += name + (" on " if thing.on_next else ", ")
    return f"{scene.place}: {things}".rstrip(", :")


def changed(scene, at):
    """Return where a picture changes with the color of one thing."""
    pictures = []
    for color in ((1.0, 0.0, 1.0), (0.0, 1.0, 0.0)):
        things = [replace(thing, color=color) if at == n else thing for n, thing in enumerate(scene.things)]
        stage = compose(replace(scene, things=tuple(things)), SIZE)
        pictures.append(paint(stage.shapes, SIZE).picture)
    return np.abs(pictures[0] - pictures[1]).max(0 if pictures[0].shape[0] == 3 else -1) > 0.05


def test_there_are_fifty():
    """The list has fifty different descriptions."""
    assert len({text for text, _ in LINES}) == len(LINES) == 50


@pytest.mark.parametrize(("text", "seen"), LINES, ids=[text for text, _ in LINES])
def test_nouns_and_places_are_seen(text, seen):
    """Things, their counts, what they are on, the place and moons are those of the description."""
    scene = read_scene(text)
    *things, last = seen.replace(": ", ", ").split(", ")
    moons = int(last.split()[0]) if last.endswith(" moon") else None
    expected = [*things, last] if moons is None else things
    place, *found = described(scene).replace(": ", ", ").split(", ")
    assert [place, *found] == expected or (len(expected) == 1 and place == expected[0])
    if moons is not None:
        assert (scene.time, scene.moons) == ("night", moons)
    for at, thing in enumerate(scene.things):
        mask = changed(scene, at)
        assert mask.mean() > 0.001, thing.motif
        if thing.on_next:
            base = changed(scene, at + 1)
            rows, columns = np.nonzero(mask)
            assert rows.mean() < np.nonzero(base)[0].mean()
            assert np.nonzero(base)[1].min() - 6 <= columns.mean() <= np.nonzero(base)[1].max() + 6


@pytest.mark.parametrize(("text", "count"), [("two cats", 2), ("a cat", 1), ("three apples on a table", 3)])
def test_art_deco_has_the_number_of_things_that_was_counted(text, count):
    """The symmetry of art deco doubles nothing: things are arranged around the middle."""
    scene, size = read_scene(text), (160, 160)
    plain = draw_scene(replace(scene, things=()), size, "art_deco")
    full = draw_scene(scene, size, "art_deco")
    axis = 0 if plain.shape[0] == 3 else 2
    columns = (np.abs(plain - full).max(axis) > 0.1).mean(0) > 0.03
    assert np.count_nonzero(np.diff(columns.astype(int)) == 1) + int(columns[0]) == count


@pytest.mark.parametrize("count", [1, 2, 4])
def test_moons_are_counted(count):
    """Each moon is another light in the sky, away from the others."""
    scene = read_scene(f"{count} moons over the sea")
    lights = [
        shape.outlines[0]
        for shape in compose(scene, SIZE).shapes
        if shape.kind == "light" and shape.depth == 0.02
    ]
    assert len({tuple(outline.mean(0).round(3)) for outline in lights}) == count
