"""Records in parts and wrappers of any names, beside other things: each field is read from its own place, or not at all."""

import random

import pandas as pd
import pytest

from inkframe.replies.dialect import NAMES, Dialect
from inkframe.replies.layout import id_name, layout_of
from inkframe.replies.values import READERS
from inkframe.schema import DOCUMENTS

TIME, OTHER = "2026-03-01T11:00:00Z", "2020-01-01T00:00:00Z"
DOCUMENT = {"id": 3, "name": "Tea", "prompt": "About tea", "creativity": 0.75, "result": "Green.", "favorite": True,
            "template_id": 7, "created_at": TIME}  # fmt: skip
SPELLINGS = (
    "_".join,
    "-".join,
    lambda words: words[0] + "".join(map(str.capitalize, words[1:])),
    lambda words: "".join(map(str.capitalize, words)),
    lambda words: "_".join(words).upper(),
    lambda words: "dc:" + "_".join(words),
    lambda words: "_".join(["document", *words]),
)
PARTS = "attributes fields settings input output details content sys zzz dates flags"
WRAPPERS = ("data", "document", "result", "response", "payload", "zzz", "item", "body", "record", "prompt")
AROUND = (
    {},
    {"ok": True},
    {"status": "success", "took": 3},
    {"id": "req-7"},
    {"jsonrpc": "2.0", "id": 1},
    {"errors": []},
)
OTHERS = {
    "user": {"id": 9, "name": "Ann", "description": "paints", "created_at": OTHER},
    "author": {"name": "Ann", "favorite": False},
    "model": {"id": "m1", "name": "large"},
    "usage": {"prompt": 12, "result": 30},
    "moderation": {"result": "passed", "flagged": False},
    "history": [{"id": 1, "prompt": "first", "name": "x"}],
    "variants": [{"name": "a", "prompt": "b"}, {"name": "c", "prompt": "d"}],
    "latest_version": {"id": 8, "name": "Old", "prompt": "Old", "result": "Old", "created_at": OTHER},
    "folder": {"id": 4, "name": "Drafts", "created_at": OTHER, "favorite": False},
    "category": {"name": "Spring", "slug": "spring"},
    "cache": {"created_at": OTHER, "hit": True},
    "evaluation": {"result": "good", "score": 0.9},
    "i18n": {"de": {"name": "Tee", "prompt": "Über Tee"}},
    "defaults": {"creativity": 0.25},
    "feedback": {"favorite": False, "text": "ok", "id": 7},
    "seo": {"name": "Title", "description": "Words"},
    "parent": {"id": 2, "name": "Parent", "prompt": "Other"},
}  # fmt: skip


def reply_of(draw):
    """Return a reply around a record, and the fields that are in it."""
    shown = {name: value for name, value in DOCUMENT.items() if name == "id" or draw.random() < 0.85}
    spell = draw.choice(SPELLINGS)
    names = [None, *draw.sample(PARTS.split(), draw.choice([0, 0, 1, 2]))]
    parts = {}
    for name, value in shown.items():
        part = None if name == "id" else draw.choice(names)
        parts.setdefault(part, {})[spell(name.split("_"))] = value
    others = draw.sample([*OTHERS.items()], draw.choice([0, 1, 2, 4]))
    items = [*parts.pop(None).items(), *parts.items(), *others]
    reply = dict(draw.sample(items, len(items)))
    for _ in range(draw.choice([0, 1, 2])):
        around = [*draw.choice(AROUND).items(), (draw.choice(WRAPPERS), reply)]
        reply = dict(draw.sample(around, len(around)))
    return reply, shown


@pytest.mark.parametrize("begin", range(0, 600, 200))
def test_a_field_is_read_from_its_own_place_or_not_at_all(begin):
    """Nothing is taken from another thing, and nine of ten fields are found."""
    found = total = 0
    for seed in range(begin, begin + 200):
        reply, shown = reply_of(random.Random(seed))
        layout = layout_of(reply, DOCUMENTS, Dialect())
        if layout is None:
            continue
        record = layout.flat(reply)
        assert record.get(id_name(record, DOCUMENTS)) in (3, None), (seed, reply)
        for name, key in NAMES["documents"].of(record).columns.items():
            if (value := READERS[DOCUMENTS.shown[name].type](record[key])) is not None:
                expected = READERS[DOCUMENTS.shown[name].type](shown.get(name))
                assert value == expected, (seed, name, reply)
                found += not pd.isna(value)
        total += len(shown) - 1
    assert found > 0.9 * total
