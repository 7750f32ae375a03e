"""Scenes: the effects of the words in a description."""

import json
from collections import Counter
from dataclasses import replace
from importlib import resources
from itertools import cycle

import numpy as np
import pytest
from PIL import Image

from inkframe_demo import drawing
from inkframe_demo.drawing.canvas import paint
from inkframe_demo.drawing.compose import PLACES, compose
from inkframe_demo.drawing.motif import load_motif
from inkframe_demo.drawing.scene import PRIORITY, UNTOLD, read_scene

WORDS = resources.files(drawing) / "words"


def words(name):
    return json.loads((WORDS / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("text", "place", "time", "things"),
    [
        ("a harbor at dawn, two boats", "harbor", "dawn", {"boat": 2}),
        ("THREE white BIRDS over the mountains at sunset", "mountains", "golden", {"bird": 3}),
        ("a kettle and a cup on the kitchen table", "table", None, {"kettle": 1, "cup": 1}),
        ("night sky over a lake", "lake", "night", None),
        ("portrait of an old man", "wall", None, {"portrait_man": 1}),
        ("portrait of a cat", "wall", None, {"cat": 1}),
        ("a woman, portrait in green", "wall", None, {"portrait": 1}),
        ("a boat", "sea", None, {"boat": 1}),
        ("a boat in the forest", "lake", None, {"boat": 1}),
        ("a dozen tulips", "garden", None, {"tulip": 12}),
        ("5 geese on a pond", "lake", None, {"duck": 5}),
        ("a bowl of fruit", "table", None, {"bowl": 1}),
        ("hot air balloons at noon", "sky", "noon", {"balloon": 3}),
        ("freedom", "sky", None, {"bird": 3}),
        ("northern lights", None, "night", None),
        ("9999 robots", "city", None, {"robot": 16}),
    ],
)
def test_words_choose_the_scene(text, place, time, things):
    """Subjects, places, times and counts are read from the words."""
    scene = read_scene(text)
    if place:
        assert scene.place == place
    if time:
        assert scene.time == time
    if things:
        assert {thing.motif: thing.count for thing in scene.things} == things


@pytest.mark.parametrize(
    ("text", "thing", "painted"),
    [
        ("a red boat on a teal sea", "#c8372d", {"water": "#1f9490"}),
        ("an orange boat", "#e8822e", {}),
        ("an orange", None, {}),
        ("a cat, all in violet", None, {"all": "#7a4fa3"}),
        ("a bird under a golden sky", None, {"sky": "#d9a32f"}),
        ("a swan", "#f4f1ea", {}),
    ],
)
def test_colors_apply_to_the_next_word(text, thing, painted):
    """A color word paints the object or place after it, else the whole picture."""

    def hexed(color):
        return "#" + "".join(f"{round(part * 255):02x}" for part in color)

    scene = read_scene(text)
    assert (hexed(scene.things[0].color) if scene.things[0].color else None) == thing
    assert {what: hexed(color) for what, color in scene.painted.items()} == painted


@pytest.mark.parametrize(
    "text", ["", "   ", "qwertz uiop", "静かな海の朝", "пейзаж", "\ud800", "!" * 50, "a " * 3000]
)
def test_any_text_is_a_scene(text):
    """Text without a known word, in any language, selects a scene by its hash."""
    scene = read_scene(text)
    assert scene.place in UNTOLD
    assert scene.things == ()
    assert scene == read_scene(text)


@pytest.mark.parametrize(("place", "night"), list(zip(PLACES, cycle([False, True]), strict=False)))
def test_every_place_can_be_drawn(place, night):
    """Each place fills the whole picture, wide by day and tall on a rainy night."""
    word = words("places").get(place, "portrait").split()[0]
    text, size = (f"{word} at night, rain and fog", (40, 70)) if night else (f"{word} at noon", (60, 40))
    scene = read_scene(text)
    assert (scene.place, scene.time) == (place, "night" if night else "noon")
    drawn, other = (
        paint(compose(scene, size).shapes, size, ground=Image.new("RGB", size, ground)).picture
        for ground in ("black", "lime")
    )
    assert np.abs(drawn - other).max() < 0.02
    assert drawn.std() > 0.02


@pytest.mark.parametrize("motif", words("things"))
def test_every_motif_stands_on_its_foot(motif):
    """Each motif of the word list has a file with an upright drawing, in proportion, on its foot."""
    loaded = load_motif(motif)
    every = np.concatenate([outline for part in loaded.parts for outline in part.outlines])
    (left, top), (right, foot) = every.min(0), every.max(0)
    assert -1.15 < top < -0.6
    assert -0.25 < foot < 0.1
    assert right - left <= loaded.width * 1.12
    assert 0.2 < loaded.width < 3


def test_word_lists_agree():
    """Word lists name only existing places and motifs, and no word has two meanings of one kind."""
    places, things, moods, company = words("places"), words("things"), words("moods"), words("companions")
    assert set(places) | {"wall"} == set(PLACES) == set(PRIORITY) | {"wall"}
    assert {thing["place"] for thing in things.values()} <= set(PLACES)
    assert set(company) == set(places)
    named = {word for choices in company.values() for choice in choices for word in choice.split()}
    assert {word for word in named if not word.isdecimal()} <= set(things)
    for table in (
        places,
        {name: thing["words"] for name, thing in things.items()},
        moods["colors"],
        moods["counts"],
    ):
        twice = Counter(word for line in table.values() for word in set(line.split()))
        assert [word for word, times in twice.items() if times > 1] == []


@pytest.mark.parametrize(
    ("description", "things"),
    [
        ("an orange on a table", [("orange", 1)]),
        ("two glasses of red wine on a table", [("wineglass", 2)]),
        ("a family having a picnic", [("person", 1), ("woman", 1), ("child", 1)]),
        ("a fish tank with four yellow fish", [("fish", 4)]),
        ("an elephant and a giraffe", [("elephant", 1), ("giraffe", 1)]),
    ],
)
def test_things_are_what_a_reader_would_name(description, things):
    """A color ends at a preposition, a family is several people, and a fish tank is a place."""
    assert [(thing.motif, thing.count) for thing in read_scene(description).things] == things


def test_trees_of_an_autumn_forest_differ():
    """Each has its own shade; the pines of a row are all equal."""
    trees = []
    for season in ("autumn", None):
        scene = replace(read_scene("a forest at noon"), season=season, things=())
        crowns = [shape for shape in compose(scene, (48, 48)).shapes if 0.2 < shape.depth < 0.56]
        trees.append(len({str(shape.fill) for shape in crowns}))
    assert trees[0] > trees[1] + 10
