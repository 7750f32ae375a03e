"""Example records: varied, with awkward values, and deterministic for a seed."""

import random

from tests.services.interface_fields import IMAGES

#: The time before the first record, in epoch seconds: 6 January 2025, 08:00 UTC.
BEGINNING = 1_736_150_400
#: Seconds between two records.
STEP = 137
NAMES = (
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
SUBJECTS = ("two boats", "a copper kettle", "a bridge in fog", "a street after rain", "a small café")
SENTENCES = (
    "It boils before you have found your cup.",
    "Made from copper, kept for years.",
    "Naïve, perhaps; but it works — every day.",
    "Line one\nand line two, with a\ttab.",
    "Ask for it by name.",
)


def sample(collection, count, seed, vocabulary):
    """Return records by number, starting at 1; the same seed gives the same."""
    chance = random.Random(f"{collection}/{seed}")
    return {number: example(collection, number, vocabulary, chance) for number in range(1, count + 1)}


def example(collection, number, vocabulary, chance):
    """Return a record of a collection, made up."""
    return (
        {"id": number, "name": _name(number, chance)}
        | MAKERS[collection](vocabulary, chance)
        | _marks(number, chance)
    )


def _image(vocabulary, chance):
    """Return the values of an image; looks that the deployment does not offer are no fields of it."""
    record = {"description": f"{chance.choice(SUBJECTS)}, {chance.choice(SUBJECTS)}"}
    for field in IMAGES.choices:
        if codes := vocabulary.codes(field):
            is_open = field in IMAGES.optional and chance.random() < 0.2
            record[field] = None if is_open else chance.choice(codes)
    return record


def _document(vocabulary, chance):
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
MAKERS = {"images": _image, "documents": _document}


def _name(number, chance):
    name = chance.choice(NAMES)
    return name if chance.random() < 0.1 else f"{name} {number}"  # some names appear twice


def _marks(number, chance):
    created = BEGINNING + number * STEP
    return {
        "favorite": chance.random() < 0.25,  # a quarter are favorites
        "created_at": created,
        "updated_at": created + chance.choice((0, 0, 3600)),
    }
