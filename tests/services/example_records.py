"""Example records: varied, with awkward values, and deterministic for a seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from tests.services.interface_fields import IMAGES

if TYPE_CHECKING:
    from inkframe import Vocabulary

__all__ = ["BEGINNING", "example", "sample"]

#: The time before the first record, in epoch seconds: 6 January 2025, 08:00 UTC.
BEGINNING: Final = 1_736_150_400
#: Seconds between two records.
STEP: Final = 137
NAMES: Final = (
    "Harbor at dawn",
    "Kettle",
    "Über die Brücke",
    'A "quoted" name, with commas',
    "東京の夜",
    "Fish & chips <b>shop</b>",
    "100 % linen + wool = warm?",
    "Lighthouse 🌊",
    "Кофейня",
    "Harbor at dawn",
)
SUBJECTS: Final = ("two boats", "a copper kettle", "a bridge in fog", "a street after rain", "a small café")
SENTENCES: Final = (
    "It boils before you have found your cup.",
    "Made from copper, kept for years.",
    "Naïve, perhaps; but it works — every day.",
    "Line one\nand line two, with a\ttab.",
    "Ask for it by name.",
)


def sample(collection: str, count: int, seed: int, vocabulary: Vocabulary) -> dict[int, dict[str, Any]]:
    """Return records by number, starting at 1.

    Args:
        collection: ``images`` or ``documents``.
        count: The number of records.
        seed: The same seed gives the same records.
        vocabulary: The values of the deployment.
    """
    chance = random.Random(f"{collection}/{seed}")
    return {number: example(collection, number, vocabulary, chance) for number in range(1, count + 1)}


def example(collection: str, number: int, vocabulary: Vocabulary, chance: random.Random) -> dict[str, Any]:
    """Return a record of a collection, made up."""
    return (
        {"id": number, "name": _name(number, chance)}
        | MAKERS[collection](vocabulary, chance)
        | _marks(number, chance)
    )


def _image(vocabulary: Vocabulary, chance: random.Random) -> dict[str, Any]:
    """Return the values of an image; looks that the deployment does not offer are no fields of it."""
    record: dict[str, Any] = {"description": f"{chance.choice(SUBJECTS)}, {chance.choice(SUBJECTS)}"}
    for field in IMAGES.choices:
        if codes := vocabulary.codes(field):
            is_open = field in IMAGES.optional and chance.random() < 0.2
            record[field] = None if is_open else chance.choice(codes)
    return record


def _document(vocabulary: Vocabulary, chance: random.Random) -> dict[str, Any]:
    """Return the values of a document of any template."""
    templates = [template.id for template in vocabulary.all_templates] or [1]
    levels = vocabulary.codes("creativity") or ("0.5",)
    return {
        "template_id": chance.choice(templates),
        "prompt": f"Write about {chance.choice(SUBJECTS)}.",
        "creativity": float(chance.choice(levels)),
        "result": " ".join(chance.sample(SENTENCES, 3)),
    }


#: The functions that make up the values of a record, by collection.
MAKERS: Final = {"images": _image, "documents": _document}


def _name(number: int, chance: random.Random) -> str:
    name = chance.choice(NAMES)
    return name if chance.random() < 0.1 else f"{name} {number}"  # some names appear twice


def _marks(number: int, chance: random.Random) -> dict[str, Any]:
    created = BEGINNING + number * STEP
    return {
        "favorite": chance.random() < 0.25,  # a quarter are favorites
        "created_at": created,
        "updated_at": created + chance.choice((0, 0, 3600)),
    }
