"""Example records: varied, with awkward values, and deterministic for a seed."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from inkframe import Vocabulary

__all__ = ["BEGINNING", "document", "image", "sample"]

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
    make = {"images": image, "documents": document}[collection]
    return {number: make(number, vocabulary, chance) for number in range(1, count + 1)}


def image(number: int, vocabulary: Vocabulary, chance: random.Random) -> dict[str, Any]:
    """Create an image record; looks without values in the deployment are not fields of it."""
    record: dict[str, Any] = {"id": number, "name": _name(number, chance)}
    record["description"] = f"{chance.choice(SUBJECTS)}, {chance.choice(SUBJECTS)}"
    for field in ("resolution", "style", "medium", "filter"):
        if codes := vocabulary.codes(field):
            record[field] = None if field != "resolution" and chance.random() < 0.2 else chance.choice(codes)
    return record | _marks(number, chance)


def document(number: int, vocabulary: Vocabulary, chance: random.Random) -> dict[str, Any]:
    """Create a document record of any template."""
    templates = [template.id for template in vocabulary.all_templates] or [1]
    levels = vocabulary.codes("creativity") or ("0.5",)
    record: dict[str, Any] = {"id": number, "name": _name(number, chance)}
    record["template_id"] = chance.choice(templates)
    record["prompt"] = f"Write about {chance.choice(SUBJECTS)}."
    record["creativity"] = float(chance.choice(levels))
    record["result"] = " ".join(chance.sample(SENTENCES, 3))
    return record | _marks(number, chance)


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
