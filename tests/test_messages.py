"""The whole message of each refusal of bad input, recorded: what was wrong, with which value, and what to do.

After an intended change, record again and review the diff before committing it::

    INKFRAME_RECORD_GOLDENS=1 pytest tests/test_messages.py
"""

import warnings

import pandas as pd
import pytest
from tests.services import FaultyService

import inkframe as ink

pytestmark = pytest.mark.integration


def edited(frame, column, value, rows=1):
    """Return a frame with another value in the first rows of a column."""
    frame = frame.copy()
    frame[column] = frame[column].astype(object)
    frame.iloc[:rows, frame.columns.get_loc(column)] = value
    return frame


def texts(count):
    """Return rows of documents."""
    return [{"name": f"a{number}", "prompt": "p"} for number in range(count)]


def calls(client, folder):
    """Yield calls with bad input, each with its words."""
    images, documents = client.images.list(per_page=10), client.documents.list(template=1, per_page=10)
    some = client.images.create_many
    push, pushed = client.images.push, client.documents.push
    scored = pd.DataFrame({"creativity": [0.0, 0.5] * 6, "rating": range(12), "variant": ["a", "b"] * 6})

    rows = {
        "one bad row": [{"name": "a", "description": ""}],
        "two bad rows": [{"name": "a", "description": ""}, {"name": "", "description": "b"}],
        "a bad repeat": [{"name": "a", "description": "b", "resolution": "256x256", "repeat": "x"}],
        "a misspelled column": [{"name": "a", "descripton": "b", "resolution": "256x256"}],
        "no rows": [],
        "a text": "rows",
        "a number": 3,
        "a list of texts": ["a"],
        "a bad style": [{"name": "a", "description": "b", "resolution": "256x256", "style": "anim"}],
    }
    yield from ((f"create_many: {words}", lambda each=each: some(each)) for words, each in rows.items())
    counts = {"too few": 25, "none": None, "true": True, "too many": 31, "a text": "30"}
    yield from (
        (
            f"create_many of 30: confirm {words}",
            lambda each=each: client.documents.create_many(texts(30), confirm=each),
        )
        for words, each in counts.items()
    )
    for name, frame in (("images", images), ("documents", documents)):
        push = getattr(client, name).push
        changes = {
            "an id": lambda frame=frame: frame.rename(index={frame.index[0]: 999}),
            "a missing name": lambda frame=frame: edited(frame, "name", None),
            "two missing names": lambda frame=frame: edited(frame, "name", None, 2),
            "an empty name": lambda frame=frame: edited(frame, "name", " "),
            "a favorite": lambda frame=frame: edited(frame, "favorite", "maybe"),
            "a time": lambda frame=frame: edited(frame, "created_at", "today"),
            "no ids": lambda frame=frame: frame.reset_index(drop=True),
            "rows twice": lambda frame=frame: pd.concat([frame, frame]),
            "columns twice": lambda frame=frame: pd.concat([frame, frame[["name"]]], axis=1),
            "nothing of ours": lambda frame=frame: frame[[]],
            "a renamed column": lambda frame=frame: frame.rename(columns={"name": "nome"}),
            "a series": lambda frame=frame: frame["name"],
        }
        yield from (
            (f"push of {name}: {words}", lambda push=push, make=make: push(make(), dry_run=True).shape)
            for words, make in changes.items()
        )
    yield "push: a missing result", lambda: pushed(edited(documents, "result", None), dry_run=True)
    yield "push: a prompt", lambda: pushed(edited(documents, "prompt", "x", 2), dry_run=True)
    yield (
        "push: a look and a size",
        lambda: client.images.push(edited(edited(images, "style", "oil"), "resolution", "1x1"), dry_run=True),
    )
    yield "push: the other collection", lambda: client.images.push(documents)
    for value in (None, "", 3.5, [1], ".", "..", True, pd.NA, b"7", "a\0b", "x" * 100, images):
        yield f"get: {str(value)[:20]!r}", lambda value=value: client.images.get(value)
    yield "get: a document", lambda: client.images.get(client.documents.get(1))
    yield "get: no record", lambda: client.images.get(999)
    for name, value in (
        ("per_page", 7), ("per_page", "10"), ("page", 0), ("page", 1.5), ("sort", "up"), ("sort_by", "size"),
        ("style", "anim"), ("style", 3), ("resolution", "512"), ("favorite", "yes"), ("search", 5), ("search_by", "x"),
        ("search", ""), ("medium", ""), ("filter", "zzzzzz"), ("color", "red"), ("limit", 3),
    ):  # fmt: skip
        yield f"list: {name}={value!r}", lambda name=name, value=value: client.images.list(**{name: value})
    for value in ("Imaginitive", 0.3, "high", True, None, -1):
        yield (
            f"create: creativity={value!r}",
            lambda value=value: client.documents.create(name="a", prompt="p", creativity=value),
        )
    for fields in ({"name": ""}, {"name": 3}, {"prompt": " "}, {"prompt": None}, {"promt": "x"}):
        yield (
            f"create: {fields}",
            lambda fields=fields: client.documents.create(**{"name": "a", "prompt": "p"} | fields),
        )
    yield "update: nothing", lambda: client.images.update(1)
    yield "update: a name", lambda: client.images.update(1, name="")
    yield "update: a favorite", lambda: client.images.update(1, favorite=1)
    for confirm in (None, 1, 3, True, "2"):
        yield (
            f"delete_many: confirm={confirm!r}",
            lambda confirm=confirm: client.images.delete_many([1, 2], confirm=confirm),
        )
    yield "delete_many: twice", lambda: client.images.delete_many([1, 1], confirm=2)
    yield "delete_many: nothing", lambda: client.images.delete_many([], confirm=0)
    yield "gallery: documents", lambda: client.images.gallery(documents)
    yield "compare: one", lambda: ink.compare([client.images.get(1)])
    yield "diff: two kinds", lambda: ink.diff(images, documents)
    yield "diff: a list", lambda: ink.diff(images, [1])
    yield "concat: two kinds", lambda: ink.concat([images, documents])
    yield "concat: nothing", lambda: ink.concat([])
    yield "concat: a frame", lambda: ink.concat(images)
    yield "save: a list", lambda: ink.save([1], folder / "a.parquet")
    yield "load: no file", lambda: ink.load(folder / "none.parquet")
    (folder / "b.parquet").write_bytes(b"PAR1 no table")
    yield "load: another file", lambda: ink.load(folder / "b.parquet")
    yield "save: on another file", lambda: ink.save(images, folder / "b.parquet")
    for words, options in {
        "no prompt": {"prompt": ""}, "no name": {"name": ""}, "a bad pattern": {"name": "{creativty}"},
        "an open brace": {"name": "{creativity"}, "no repeats": {"repeats": 0}, "a level": {"creativity": 0.3},
        "no level": {"creativity": []}, "a template": {"template": "Blog into"}, "no variable": {"prompt": "{product}"},
        "another variable": {"variables": {"product": ["a"]}}, "an empty variable": {"prompt": "{x}", "variables": {"x": []}},
        "equal names": {"name": "same", "repeats": 2},
    }.items():  # fmt: skip
        yield (
            f"plan: {words}",
            lambda options=options: len(
                ink.plan_documents(**{"prompt": "p", "name": "a {creativity} {repeat}"} | options)
            ),
        )
    for words, options in {
        "no column": {"by": "creativity", "column": "stars"}, "no group": {"by": "mood", "column": "rating"},
        "a confidence": {"by": "variant", "column": "rating", "confidence": 1.5},
    }.items():  # fmt: skip
        yield (
            f"compare_groups: {words}",
            lambda options=options: ink.analysis.compare_groups(scored, **options),
        )


def test_every_message_is_as_recorded(recorded, tmp_path):
    """The message of each refusal, or that there is none, with what was sent."""
    service, lines = FaultyService(images=12, documents=12), []
    with ink.Client(service.base_url, service.key, transport=service.transport, max_retries=0) as client:
        for words, call in list(calls(client, tmp_path)):
            begun = len(service.requests)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    told = f"no error: {type(call()).__name__}"
                except Exception as error:  # noqa: BLE001  # all of them are recorded
                    told = f"{type(error).__name__}: {error}".replace(str(tmp_path), "FOLDER")
            sent = [f"{request.method} {request.target}" for request in service.requests[begun:]]
            lines += [f"## {words}", *(f"  {line}" for line in [*told.split("\n"), *sent])]
    recorded("messages", lines)
