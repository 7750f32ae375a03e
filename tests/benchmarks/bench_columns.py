"""Fill columns of random tables, edit and run again, and count what was paid for each row and prompt.

    .venv/bin/python -m tests.benchmarks.bench_columns [--runs 500] [--seed 0]

Random tables (types, names of columns, repeated index, missing values) are filled by ``write`` or ``draw`` several
times. In between cells are edited and emptied, inputs changed and set back, rows moved and repeated; rows are
masked, made again, previewed, and asked for with examples, on services that change names, shorten texts in lists,
answer late, or lose replies. A model of a few lines says what each call costs. It fails if the service created more
or less than that, a row has the record of another one, an edited cell changed that ``again`` did not ask for, or the
index or another column changed. Programs that are killed in ``write`` are those of ``bench_kills --way write``.
"""

import contextlib
import io
import os
import random
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from itertools import count
from pathlib import Path

import pandas as pd
from tests.benchmarks.bench_kernel_kills import is_create, shortened
from tests.benchmarks.measuring import is_wrong, options
from tests.services import Faults, FaultyService

import inkframe

#: Services by what they do otherwise than others.
SERVICES = (
    "plain",
    "plain",
    "short names",
    "title case",
    "short lists",
    "late texts",
    "slow",
    "lost replies",
)
STORES = {
    "short names": shortened,
    "title case": lambda fields: fields | {"name": fields["name"].title()} if "name" in fields else fields,
}
DIALECTS = ("laravel_resource", "drf_page", "drf_offset", "fastapi_page", "spring", "hal")
WORDS = (
    "a kettle",
    "a kettle",
    "a lamp",
    "a lamp ",
    "=1+1",
    "{x}",
    "ä – “b”",
    "A Kettle",
    "  ",
    "",
    None,
    "7",
)
#: How texts call the columns, by the column; numbers below zero are levels of the index.
CALLS = {"product": 0, "5": 1, "a b": 2, "day": 3, "kind": 4}
PATTERNS = (
    "On {product}.",
    "{product} for {5}, {{x}}",
    "{a b}: {product}",
    "{kind} {product}",
    "Of {day}",
    "{key} {product}",
)
NAME_PATTERNS = ("{product}", "{key}", "{product} {5}", "{kind}", "Text")
GENERATED = {
    "write": ("documents", "text", "prompt", "result"),
    "draw": ("images", "picture", "description", "picture"),
}


def table(chance, count):
    """Return a random table."""

    def some(*values):
        return [chance.choice(values) for _ in range(count)]

    columns = {
        "product": some(*WORDS),
        5: some(1.0, 2.0, 2.5, None),
        ("a", "b"): pd.array(some(1, 2, None), dtype="Int64"),
        "day": pd.to_datetime(some("2026-01-01", "2026-01-02 10:00", None), format="mixed"),
        "kind": pd.Categorical(some("x", "y", "y", None)),
    }
    frame = pd.concat([pd.Series(values) for values in columns.values()], axis=1)
    names = [*columns]
    if chance.random() < 0.3:
        frame = pd.concat([frame, pd.DataFrame({"u": range(count), "v": some("p", None)})], axis=1)
        names += ["unused", "unused"]
    frame.columns = pd.Index(names, dtype=object, tupleize_cols=False)
    keys = some("k", "l", "m n", 7)
    index = [
        pd.Index(keys, name="key", dtype=object),
        pd.MultiIndex.from_arrays([keys, some(1, 2)], names=["key", None]),
    ]
    frame.index = chance.choice(index)
    return frame


def plain(value):
    """Return how a value of a table stands in a text."""
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    is_day = isinstance(value, pd.Timestamp) and value == value.normalize()
    return str(value)[:10] if is_day else str(value).strip()


def filled(pattern, frame):
    """Return the text of each row, None where one of its values is missing."""
    texts = []
    for at in range(len(frame)):
        text = pattern.replace("{{", "\0").replace("}}", "\1")
        label = frame.index[at]
        values = {word: frame.iloc[at, place] for word, place in CALLS.items()}
        values["key"] = label[0] if isinstance(label, tuple) else label
        used = {word: value for word, value in values.items() if f"{{{word}}}" in text}
        if any(pd.isna(value) or (isinstance(value, str) and not value.strip()) for value in used.values()):
            texts.append(None)
            continue
        # In one pass, since values may have braces.
        parts = text.replace("{", "}").split("}")
        parts = [plain(used[part]) if place % 2 else part for place, part in enumerate(parts)]
        texts.append("".join(parts).replace("\0", "{").replace("\1", "}"))
    return texts


class Run:
    """A table that is filled several times, and a model of what that costs.

    Args:
        seed: The seed.
    """

    def __init__(self, seed):
        self.chance = chance = random.Random(f"columns/{seed}")
        self.kind = chance.choice(SERVICES)
        self.method = "draw" if chance.random() < 0.15 else "write"
        self.collection, self.into, self.source, _ = GENERATED[self.method]
        self.about = f"seed {seed}, {self.kind}, {self.method}"
        self.sent, self.log = [], []
        slow = {"slow": {"slow": 0.3}, "lost replies": {"late_error": 0.25}}
        self.service = FaultyService(
            chance.choice(DIALECTS),
            images=0,
            documents=chance.choice([0, 3]),
            seed=seed,
            background=60.0 if self.kind == "late texts" else 0.0,
            stores=self.store,
            faults=Faults(slow.get(self.kind, {}), seed=seed, where=is_create),
        )
        if self.kind == "short lists":
            show = self.service._application.show
            self.service._application.show = lambda *args, listed=False: _cut(
                show(*args, listed=listed), listed
            )
        self.frame = self.first = table(chance, chance.choice([1, 2, 3, 5, 8, 30]))
        #: What was created for each row by what it was asked with; and what each record is for, and its number.
        self.made, self.owners = {}, {}
        self.pictures, self.of_call = {}, {}
        self.creates = self.calls = 0

    def store(self, fields):
        """Store the fields of a create or an update."""
        if self.source in fields:
            self.sent.append(fields)
        return STORES.get(self.kind, dict)(fields)

    def run(self):
        """Return the problems of all calls."""
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(self.chance.randint(2, 7)):
                with inkframe.Client(
                    self.service.base_url, self.service.key, transport=self.service.transport, max_retries=0
                ) as client:
                    problems = self.call(client, Path(folder) / "journal")
                if problems:
                    return [*self.log, *problems]
                self.change()
        return []

    def text_of(self, id):
        """Return what the service generated for a record."""
        number = self.owners[id][2]
        if self.method == "write":
            return self.service.documents[number]["result"]
        return self.pictures.get(id)

    def call(self, client, journal):
        """Fill the column once and return the problems."""
        frame = self.frame
        cells, ids = values_of(frame, self.into), values_of(frame, f"{self.into}_id")
        if not self.log or self.chance.random() < 0.25:
            self.drawn = self.chance.choice(PATTERNS), self.chance.choice(NAME_PATTERNS)
        prompt, name = self.drawn
        own = [self.owners.get(id, (None,))[0] for id in ids]
        roots = roots_of(filled(prompt, frame), filled(name, frame), own)
        options, marks = self.draw_options(roots, cells, ids)
        fates, is_edited = self.expect(roots, marks, cells, ids, options)
        new = fates.count("new")
        self.log.append(
            f"call {len(self.log)}: {prompt!r}, name={name!r}, {options}, expected: {dict(Counter(fates))}"
        )
        before, paid = frame.copy(deep=True), self.service.generations
        fill = getattr(getattr(client, self.collection), self.method)
        if self.method == "draw":
            fill = partial(fill, resolution="256x256")
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                made = fill(
                    frame, prompt, name=name, journal=journal, progress=False, confirm=new or None, **options
                )
        except inkframe.InkframeError as error:
            return [f"{type(error).__name__}: {error}"]
        self.calls += 1
        self.creates += new
        problems = changed(before, frame, made)
        if self.service.generations - paid != new:
            problems.append(f"{self.service.generations - paid} paid, not {new}")
        after = (
            values_of(made, self.into),
            values_of(made, f"{self.into}_id"),
            values_of(made, f"{self.into}_status"),
        )
        self.take_over(paid, roots, marks, fates, after[1])
        for at, (fate, cell, id, status) in enumerate(zip(fates, *after, strict=True)):
            stays = is_edited[at] or fate in {"left", "stale", "waiting"}
            # A row whose reply was lost is found, or stays as it is.
            is_other = (
                fate in {"new", "fetched"}
                and status != "unknown"
                and self.owners.get(id, (None,))[0] != roots[at]
            )
            if stays and (cell, id) != (cells[at], ids[at]):
                problems.append(
                    f"row {at} ({fate}): {cells[at]!r} of {ids[at]} became {cell!r} of {id}, {status}"
                )
            if is_other:
                problems.append(f"row {at} ({fate}): {roots[at]} has {id} of {self.owners.get(id)}, {status}")
            if fate in {"new", "fetched"} and cell is not None:
                self.pictures.setdefault(id, cell)
        self.frame = self.chance.choice([made, made, made, frame])
        return problems

    def draw_options(self, roots, cells, ids):
        """Return the masks and the preview of a call, and the examples as prompts and texts."""
        chance, frame, options, marks = self.chance, self.frame, {}, ()

        def mask(share):
            return [chance.random() < share for _ in roots]

        if chance.random() < 0.3:
            where = mask(0.6)
            options["where"] = chance.choice(
                [where, pd.Series(where, frame.index), pd.array(where, dtype="boolean")]
            )
        if chance.random() < 0.35 and any(id is not None for id in ids):
            options["again"] = mask(0.3)
        able = [at for at, root in enumerate(roots) if root and cells[at] is not None]
        if self.method == "write" and able and chance.random() < 0.3:
            chosen = sorted(chance.sample(able, min(len(able), chance.randint(1, 3))))
            options["examples"] = [at in chosen for at in range(len(roots))]
            marks = tuple((roots[at][1], cells[at]) for at in chosen)
        for at, is_again in enumerate(options.get("again", ())):
            # Which of two records of one call is the later one is left to chance.
            later, owner = self.made.get((roots[at], marks)), self.owners.get(ids[at])
            if is_again and later and owner and self.of_call[later[-1]] == self.of_call[owner[2]]:
                options["again"][at] = roots[at] == owner[0]
        if chance.random() < 0.4:
            options["preview"] = chance.choice([1, 3])
        return options, marks

    def expect(self, roots, marks, cells, ids, options):
        """Return what becomes of each row, and whether its cell is an edited one that stays; equal rows get their numbers."""
        every = [
            [*options.get(name, [name == "where"] * len(roots))] for name in ("where", "again", "examples")
        ]
        fates, is_edited, left = [], [], options.get("preview", len(roots))
        holders = {}
        for at, (root, id) in enumerate(zip(roots, ids, strict=True)):
            if root is not None and self.owners.get(id, (None,))[0] == root:
                holders.setdefault(root, at)
        for at, (cell, id, is_in, is_again, is_approved) in enumerate(zip(cells, ids, *every, strict=True)):
            root = roots[at]
            is_own = cell is not None and (id not in self.owners or cell != self.text_of(id))
            is_again = is_again and not is_approved  # noqa: PLW2901
            is_filled = is_in and root is not None
            stays = not is_again and (
                is_own or (cell is not None and self.owners.get(id, (None,))[0] == root)
            )
            if is_filled and not stays and holders.setdefault(root, at) != at:
                root = roots[at] = next(each for n in count(1) if (each := (*root[:2], n)) not in holders)
                holders[root] = at
            fate = (
                self.fate(root, marks, id, cell, is_edited=is_own, is_again=is_again) if is_filled else "left"
            )
            fate = "stale" if fate == "new" and fates.count("new") == left else fate
            fates.append(fate)
            is_edited.append(is_own and not (is_again and is_filled))
        return fates, is_edited

    def fate(self, root, marks, id, cell, *, is_edited, is_again):
        """Return what becomes of a row that is filled: left, fetched, or new."""
        owner = self.owners.get(id)
        is_own = owner is not None and owner[0] == root
        if not is_again:
            if is_edited or (cell is not None and is_own):
                return "left"
            is_there = is_own or any(each == root for each, _ in self.made)
            return "fetched" if is_there else "new"
        numbers = self.made.get((root, marks), [])
        return "fetched" if numbers and (owner is None or numbers[-1] > owner[2]) else "new"

    def take_over(self, paid, roots, marks, fates, ids):
        """Note which new record belongs to which row, by what was sent."""
        free = {}
        for (_, number), fields in zip(self.service.created[paid:], self.sent[paid:], strict=True):
            text = fields[self.source].partition("\n\nThese are approved examples")[0]
            free.setdefault((fields["name"], text.strip()), []).append(number)
        numbers = {self.service.public_id(number): number for _, number in self.service.created[paid:]}
        new = [
            (root, numbers.get(id)) for root, fate, id in zip(roots, fates, ids, strict=True) if fate == "new"
        ]
        # A row whose reply was lost has what the others left.
        for root, number in sorted(new, key=lambda each: each[1] is None):
            left = free.get((root[0], root[1].strip()), [])
            if left:
                own = left.pop(left.index(number) if number in left else 0)
                self.owners[self.service.public_id(own)] = root, marks, own
                self.made.setdefault((root, marks), []).append(own)
                self.of_call[own] = self.calls

    def change(self):
        """Change the table as a person would."""
        chance = self.chance
        frame = self.frame.copy(deep=True)
        if self.kind == "late texts" and chance.random() < 0.6:
            self.service.clock.advance(61)
        for _ in range(chance.randint(0, 4)):
            frame = self.change_once(frame, chance.randrange(len(frame)), chance.random())
        self.frame = frame

    def change_once(self, frame, at, way):
        """Change a cell, the id beside it, an input, or the rows of a table, and return it."""
        chance, names = self.chance, [*frame.columns]
        if way < 0.2:
            frame.iloc[at, 0] = chance.choice(WORDS)
        elif way < 0.4:
            frame.iloc[at, 0] = self.first.iloc[min(at, len(self.first) - 1), 0]  # set back
        elif way < 0.45:
            return frame.iloc[chance.sample(range(len(frame)), len(frame))]
        elif way < 0.5 and len(frame) < 40:
            return frame.iloc[[*range(len(frame)), at]]
        elif way < 0.52:
            return self.first.copy(deep=True)
        elif self.into in names:
            cell, id = names.index(self.into), names.index(f"{self.into}_id")
            if way < 0.8:
                own = f"own {len(self.log)} {chance.random():.3f}"
                frame.iloc[at, cell] = chance.choice([own, own, own, None, "", " "])
            elif way < 0.9:
                frame.iloc[at, id] = None
            else:
                ids = values_of(frame, names[id])
                frame.isetitem(id, pd.Series(ids, dtype=chance.choice([object, "float64", "Int64"])).array)
        return frame


def roots_of(texts, names, own):
    """Return the name, the text and the number of each row, of its record or among equal ones; None if it lacks something."""
    roots, met = [], Counter()
    for text, name, root in zip(texts, names, own, strict=True):
        if text is None or name is None:
            roots.append(None)
            continue
        name = " ".join(name.split())  # noqa: PLW2901
        met[name, text] += 1
        roots.append(root if root and root[:2] == (name, text) else (name, text, met[name, text]))
    return roots


def changed(before, frame, made):
    """Return whether a call changed the given frame, its index, or a column that was not generated."""
    try:
        pd.testing.assert_frame_equal(before, frame)
        kept = [at for at, name in enumerate(made.columns) if not _is_generated(name)]
        own = [at for at, name in enumerate(before.columns) if not _is_generated(name)]
        pd.testing.assert_frame_equal(made.iloc[:, kept], before.iloc[:, own])
    except AssertionError as error:
        return [f"changed: {error}"]
    return []


def _is_generated(name):
    return str(name).removesuffix("_id").removesuffix("_status").removesuffix("_error") in {"text", "picture"}


def _cut(record, listed):
    """Return a record as a list shows it whose texts are short."""
    for fields in (record, record.get("attributes", {})) if listed else ():
        if isinstance(fields.get("result"), str):
            fields["result"] = fields["result"][:20]
    return record


def values_of(frame, name):
    """Return the values of a column, None where one is missing or blank."""
    if name not in [*frame.columns]:
        return [None] * len(frame)
    values = frame.iloc[:, [*frame.columns].index(name)].tolist()
    values = [None if pd.isna(each) or not str(each).strip() else each for each in values]
    return [int(each) if isinstance(each, float) else each for each in values]


def main():
    """Run everything and return the number of runs with a problem."""
    given = options(__doc__, runs=500, seed=0)
    os.environ["INKFRAME_PROGRESS"] = "0"
    began, bad, runs = time.perf_counter(), 0, []
    for seed in range(given.seed, given.seed + given.runs):
        runs.append(run := Run(seed))
        bad += is_wrong(run)
    print(
        f"{len(runs)} runs, {sum(each.calls for each in runs):,} calls, "
        f"{sum(each.creates for each in runs):,} creates, {time.perf_counter() - began:.0f} s: {bad} wrong",
        flush=True,
    )
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
