"""Parse a description into a scene: place, time, weather, things and colors."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib import resources
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from inkframe.service.engines.filters import stable_number
from inkframe_demo.drawing.color import hexed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inkframe_demo.drawing.color import Color

__all__ = ["Scene", "Thing", "read_scene"]

#: If several places are named, the first of these is drawn and the others appear behind it.
PRIORITY = (
    "deep", "space", "table", "room", "street", "harbor", "beach", "lake", "river", "sea", "city",
    "desert", "forest", "garden", "village", "road", "mountains", "winter", "meadow", "sky", "abstract",
)  # fmt: skip
#: The places for descriptions without known words, weighted by repetition.
UNTOLD = ("abstract", "abstract", "abstract", "sea", "lake", "meadow", "mountains", "desert")
#: The part of the picture painted by a color before a word of this place.
PAINTED = {"sky": "sky", "space": "sky", "sea": "water", "lake": "water", "river": "water", "deep": "water"}
#: The places with boats, and those whose water is a lake.
WATERY = {
    "deep",
    "space",
    "table",
    "room",
    "street",
    "harbor",
    "beach",
    "lake",
    "river",
    "sea",
    "city",
    "sky",
    "abstract",
}
INLAND = {"forest", "mountains", "meadow", "winter", "garden", "village", "road", "desert"}
#: The most words between a color, or a count, and its thing: two glasses of red wine.
REACH = 3
REACH_OF_COUNT = 4
PLURALS = (("s", ""), ("es", ""), ("ies", "y"))
#: Things that others can be on top of, by the ground they stand on.
BASES = {"ground", "table", "shore", "water"}
MOONS = frozenset({"moon", "moons"})
#: Words that end the reach of a color.
RELATING = frozenset({"on", "in", "at", "by", "of", "with", "under", "over", "near", "beside", "behind"})
MOST_THINGS = 16
#: The number of words that are interpreted; all of them count for the seed.
MOST_WORDS = 300
#: Words for the manner of a picture, which are no things in it: an oil painting of, studio light.
_MANNER = re.compile(
    r"\b(?:oil|acrylic|pencil|charcoal|ink|chalk|glass|digital|pop|product|stock|studio)[ -]"
    r"(?:paintings?|drawings?|sketch(?:es)?|art|illustrations?|photos?|photographs?|photography|pictures?|images?|shots?"
    r"|portraits?)\b(?! (?:on|in|at|by|with) )"
    r"|\b(?:photos?|photographs?|pictures?|images?|illustrations?|drawings?|paintings?|sketch(?:es)?|renderings?|shots?|"
    r"posters?) (?:of|for|showing)\b"
    r"|\b(?:studio|soft|natural|hard) light(?:s|ing)?\b|\b(?:in|as) (?:a )?(?:photo|picture|illustration)\b",
    re.IGNORECASE,
)
#: Motifs that are part of a portrait.
PEOPLE = {"person", "woman", "child"}


@dataclass(frozen=True, slots=True)
class Thing:
    """An object in the scene, by the name of its motif; ``on_next`` if it is on top of the next one."""

    motif: str
    count: int
    size: float
    stands: str
    place: str
    color: Color | None = None
    on_next: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """The parsed content of a description.

    Args:
        seed: A hash of the whole text, so that other words draw another picture.
        place: The name of the place to draw.
        behind: Other named places.
        time: The time of day.
        weathers: The kinds of weather.
        season: A season, if one is named.
        things: The objects, in the order of the text.
        painted: Colors by the painted part: sky, water, land or all.
        layout: left, right, center, close or far.
        moons: The number of moons in a night sky.
    """

    seed: int
    place: str
    time: str
    behind: frozenset[str] = frozenset()
    weathers: frozenset[str] = frozenset()
    season: str | None = None
    things: tuple[Thing, ...] = ()
    painted: Mapping[str, Color] = field(default_factory=dict)
    layout: frozenset[str] = frozenset()
    moons: int = 1

    def rng(self, purpose: str) -> np.random.Generator:
        """Return the random generator for one purpose, so that changes in one part do not affect others."""
        return np.random.default_rng([self.seed, stable_number(purpose)])


@cache
def _words(name: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath("words", f"{name}.json").read_text("utf-8")
    return dict(json.loads(text))


@cache
def _index(kind: str) -> dict[str, str]:
    """Map each known word to its meanings for one aspect of the picture."""
    if kind == "things":
        table = {name: entry["words"] for name, entry in _words("things").items()}
    else:
        table = _words("places") if kind == "places" else _words("moods")[kind]
    return {word: value for value, words in table.items() for word in words.split()}


def _find(kind: str, word: str) -> str | None:
    """Look up a word, and the singulars it may be the plural of."""
    index = _index(kind)
    stems = [word, *(word.removesuffix(end) + put for end, put in PLURALS if word.endswith(end))]
    return next((index[stem] for stem in stems if stem in index), None)


def _tokens(description: str) -> list[str]:
    """Split a text into folded words; known compounds of two or three words are joined by an underscore."""
    words = re.findall(r"\w+", unicodedata.normalize("NFKC", description).casefold())
    read, at = words[:MOST_WORDS], 0
    joined: list[str] = []
    while at < len(read):
        phrases = (read[at : at + length] for length in (3, 2))
        phrase = next((phrase for phrase in phrases if _known("_".join(phrase))), read[at : at + 1])
        joined.append("_".join(phrase))
        at += len(phrase)
    return joined + words[MOST_WORDS:]


_SIDES = ("places", "things", "times", "weathers", "seasons", "layouts", "colors")


@lru_cache(4096)
def _known(token: str) -> bool:
    return any(_find(side, token) for side in _SIDES)


def read_scene(description: str) -> Scene:
    """Parse a description.

    Args:
        description: Any text in any language; unknown words count by their hash.
    """
    tokens = _tokens(description)
    seed = stable_number(" ".join(tokens))
    groups = _words("moods")["groups"]
    tokens = _tokens(_MANNER.sub(" ", description))
    said = [word for token in tokens[:MOST_WORDS] for word in groups.get(token, token).split()]
    if not any(_find("places", token) or _find("things", token) for token in said):
        ideas = _words("moods")["ideas"]
        said += [word for token in tokens for word in ideas.get(token, "").split()]
    places = {place for token in said if (place := _find("places", token))}
    things, painted = _things(said)
    chosen = next((place for place in PRIORITY if place in places), None)
    if chosen and not things:
        company = _words("companions")[chosen]
        things = _things(company[seed // 7 % len(company)].split())[0]
    place = _watered(
        chosen or _home(things) or ("sky" if MOONS & {*said} else UNTOLD[seed % len(UNTOLD)]), things
    )
    return Scene(
        seed=seed,
        place=place,
        time=_time(said, place, seed),
        behind=frozenset(places - {place}),
        weathers=frozenset(found for token in said if (found := _find("weathers", token))),
        season=next((found for token in said if (found := _find("seasons", token))), None),
        things=things,
        painted=painted,
        layout=frozenset(found for token in said if (found := _find("layouts", token))),
        moons=_moons(said),
    )


def _home(things: tuple[Thing, ...]) -> str | None:
    """Return the usual place of the first thing; small things are placed on a table."""
    if not things:
        return None
    laid = things[0].size < 1 and any(thing.stands == "table" for thing in things)
    return "table" if laid else next(thing.place for thing in things if not thing.on_next)


def _watered(place: str, things: tuple[Thing, ...]) -> str:
    """Add water to a scene with things in or beside water."""
    wet = {thing.stands for thing in things} & {"water", "shore"}
    if not wet or place in WATERY:
        return place
    return "lake" if wet == {"water"} and place in INLAND else "sea"


def _time(tokens: list[str], place: str, seed: int) -> str:
    named = [found for token in tokens if (found := _find("times", token))]
    if named:
        return named[0]
    if place == "space" or any(_find("weathers", token) == "aurora" for token in tokens):
        return "night"
    return ("dawn", "morning", "noon", "noon", "afternoon", "golden", "dusk")[seed // 11 % 7]


def _moons(tokens: list[str]) -> int:
    """Return the number of moons: the count before the word, else three for a plural."""
    at = next((at for at, token in enumerate(tokens) if token in MOONS), None)
    if at is None:
        return 1
    counts = (_count(token) for token in reversed(tokens[max(at - REACH, 0) : at]))
    return max(next(filter(None, counts), 1 if tokens[at] == "moon" else 3), 1)


def _count(token: str) -> int:
    """Return the number that a word stands for, else 0."""
    number = token if token.isdecimal() else _index("counts").get(token)
    return min(int(number), MOST_THINGS) if number else 0


def _things(tokens: list[str]) -> tuple[tuple[Thing, ...], dict[str, Color]]:
    """Return the things with their counts and colors, and the colors without a thing."""
    things: list[Thing] = []
    painted: dict[str, Color] = {}
    count: tuple[int, int] | None = None
    color: tuple[int, Color] | None = None
    found: list[int] = []
    for place, token in enumerate(tokens):
        number = _count(token)
        shade = None if _is_thing(tokens, place) else _find("colors", token)
        motif = None if shade else _find("things", token)
        if motif and not count and things and things[-1].motif == motif and place - found[-1] <= REACH:
            continue  # a bowl of fruit is one bowl
        if number:
            count = place, number
        elif shade:
            if color:
                painted.setdefault("all", color[1])
            color = place, hexed(shade)
        elif motif:
            near = color[1] if color and place - color[0] <= REACH else _nature(token)
            counted = count and place - count[0] <= REACH_OF_COUNT and not MOONS & {*tokens[count[0] : place]}
            many = count[1] if count and counted else _plural(token)
            things.append(_thing(motif, max(many, 1), near))
            found.append(place)
            color, count = (None if near or not color else color), None
        elif color and (named := _find("places", token) or ("sky" if _find("times", token) else None)):
            painted[PAINTED.get(named, "land")] = color[1]
            color = None
    if color:
        painted.setdefault("all", color[1])
    return _sitting(tuple(_stacked(tokens, things, found))), painted


def _stacked(tokens: list[str], things: list[Thing], places: list[int]) -> Iterator[Thing]:
    """Yield the things, and mark what is on top of the next: a cat on a red roof, not on a beach by a roof."""
    for at, thing in enumerate(things):
        between = tokens[places[at] + 1 : places[at + 1]] if at + 1 < len(things) else []
        after = between[between.index("on") + 1 :] if "on" in between else []
        yield replace(
            thing,
            on_next="on" in between
            and len(after) < REACH
            and not any(token in RELATING or _find("places", token) for token in after)
            and _fits(thing, things[at + 1]),
        )


def _fits(upper: Thing, lower: Thing) -> bool:
    """Return whether a thing can be on top of another one."""
    return upper.size < lower.size and lower.stands in BASES and upper.stands in {*BASES, "air"}


def _sitting(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """Return the things of a portrait, with the named people and without duplicates."""
    if not any(thing.motif == "portrait" for thing in things):
        return things
    others = tuple(
        replace(thing, place="wall") for thing in things if thing.motif not in {*PEOPLE, "portrait"}
    )
    if others:
        return others
    shown = next(thing for thing in things if thing.motif == "portrait")
    color = next((thing.color for thing in things if thing.color), None)
    man = any(thing.motif == "person" for thing in things)
    return (replace(shown, motif="portrait_man" if man else "portrait", count=1, color=color),)


def _is_thing(tokens: list[str], place: int) -> bool:
    """Return whether a word names a thing, not a color: in "an orange on a boat", not in "an orange boat"."""
    after = takewhile(lambda token: token not in RELATING, tokens[place + 1 : place + 1 + REACH])
    return bool(_find("things", tokens[place])) and not any(
        _find("things", t) or _find("places", t) for t in after
    )


def _nature(word: str) -> Color | None:
    """Return the natural color of a kind of thing, such as a swan's white."""
    found = _find("natures", word)
    return hexed(found) if found else None


def _plural(token: str) -> int:
    """Return a count for a plural without a number."""
    if token in _index("things"):
        return (
            3 if token in {"people", "men", "women", "geese", "mice", "wolves", "children", "cattle"} else 1
        )
    return 5 if _find("things", token) in {"bird", "flower", "tulip", "rose", "tree", "pine"} else 3


def _thing(motif: str, count: int, color: Color | None) -> Thing:
    entry = _words("things")[motif]
    return Thing(motif, count, float(entry["size"]), str(entry["stands"]), str(entry["place"]), color)
