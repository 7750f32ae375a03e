"""List whole libraries that change between any two replies, and check for missing and duplicate records.

    .venv/bin/python -m tests.benchmarks.bench_churn [--runs 300] [--seed 0] [--dialect NAME]

Each run draws a service, a page size, a number of requests in flight and a filter from its seed, and lists
the library while records are inserted, deleted, replaced, renamed and marked as favorites after every reply.
It fails if a record appears twice, if one that matched from the first request to the last reply is missing
from a listing that is exact or verified, and if one is missing although the service describes its numbered
pages or offsets, its ids increase, and no update changes the matches of the filter.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace

import httpx
from tests.services import DIALECTS, ODDITIES, Faults, FaultyService

import inkframe

#: Services with pages by number or offset and numeric ids: the most common, so half of the runs.
COMMON = ("laravel_resource", "laravel", "laravel_simple", "drf_page", "drf_offset", "fastapi_page", "spring")
#: The filters of a listing by collection; an update changes the matches of the last four.
STEADY = {
    "images": [{}, {}, {"style": ["anime", "pop_art", "sketch"]}, {"resolution": "512x512"}],
    "documents": [{}, {}, {"template": [1, 4, 9, 30]}, {"template": 2}],
}
UNSTEADY = [{"favorite": True}, {"favorite": False}, {"search": "a"}, {"search": "e", "favorite": True}]
NAMES = ("Harbor at dawn", "Kettle", "Quiet steel", "Window", "Morning light", "Fog")
CHANGES = ("insert", "delete", "pair", "flip", "rename")


@dataclass
class Case:
    """A listing, drawn from a seed."""

    seed: int
    collection: str
    dialect: object
    size: int
    width: int
    query: dict
    way: str
    slow: bool

    @classmethod
    def draw(cls, seed, name=None):
        """Return a random case for a seed."""
        chance = random.Random(f"case/{seed}")
        every = {**DIALECTS, **ODDITIES}
        drawn = chance.choice(COMMON if chance.random() < 0.5 else [*every])
        dialect = every[name or drawn]
        size = chance.choice([1, 2, 3, 5, 7, 10, 13, 25, 40, 50, 73, 100])
        paging = replace(dialect.paging, largest=min(size, dialect.paging.largest), sizes=())
        collection = chance.choice(["images", "images", "documents"])
        query = chance.choice(STEADY[collection] if chance.random() < 0.65 else UNSTEADY)
        width = chance.choice([1, 1, 2, 4, 8, 16])
        way = chance.choices(["all", "again", "details", "pages", "faults"], [5, 2, 1, 1, 2])[0]
        return cls(seed, collection, replace(dialect, paging=paging), size, width, query, way, width > 1)

    @property
    def cannot_miss(self):
        """Whether the service allows a complete listing."""
        plain = not {"sort", "page"} & set(self.dialect.ignores)
        counted = self.dialect.paging.by in {"number", "offset"} and self.dialect.record.id_form == "number"
        described = self.dialect.name not in ODDITIES or "meta" in self.dialect.listing
        return plain and counted and described and self.query not in UNSTEADY

    def matches(self, record):
        """Return whether a record matches the listing."""
        template = self.query.get("template")
        style = self.query.get("style")
        return (
            (
                template is None
                or record["template_id"] in (template if isinstance(template, list) else [template])
            )
            and (style is None or record["style"] in style)
            and self.query.get("resolution") in {None, record.get("resolution")}
            and self.query.get("favorite") in {None, record["favorite"]}
            and self.query.get("search", "") in record["name"].casefold()
        )


class Churn:
    """Changes a library after every reply, and records which records matched all the time."""

    def __init__(self, service, case):
        self.chance = random.Random(f"churn/{case.seed}")
        self.service, self.case = service, case
        self.records = getattr(service, case.collection)
        self.most = self.chance.choice([0.05, 0.3, 1.0, 3.0])
        # Not faster than pages are fetched, or a listing would never end.
        self.most = min(self.most, case.size / 4)
        self.count = 0
        self.begin()
        service.between_replies(self.change)

    def begin(self):
        """Record everything that matches now as alive."""
        self.alive = {id for id, record in self.records.items() if self.case.matches(record)}

    def change(self, service):
        """Change the library a few times."""
        del service
        whole, part = divmod(self.chance.uniform(0, 2 * self.most), 1)
        for _ in range(int(whole) + (self.chance.random() < part)):
            self.count += 1
            getattr(self, self.chance.choice(CHANGES))()

    def insert(self):
        """Add a record."""
        self.service.insert(self.case.collection, name=self.chance.choice(NAMES))

    def delete(self):
        """Delete a record."""
        if self.records:
            gone = self.chance.choice(self.ends())
            del self.records[gone]
            self.alive.discard(gone)

    def ends(self):
        """Return the records to choose from: any, the oldest, or the newest."""
        ids = list(self.records)
        return self.chance.choice([ids, ids[:3], ids[-3:]])

    def pair(self):
        """Delete one record and add another, so that the total stays."""
        self.delete()
        self.insert()

    def flip(self):
        """Change the favorite of one record."""
        self.update(lambda record: record.update(favorite=not record["favorite"]))

    def rename(self):
        """Rename one record."""
        self.update(lambda record: record.update(name=self.chance.choice(NAMES)))

    def update(self, act):
        """Update one record in place."""
        if self.records:
            id = self.chance.choice(list(self.records))
            act(self.records[id])
            if not self.case.matches(self.records[id]):
                self.alive.discard(id)


class Slow(httpx.BaseTransport):
    """A transport with random delays in both directions, so that replies overtake each other."""

    def __init__(self, transport, seed):
        self.transport, self.clock = transport, transport.clock
        self.chance = random.Random(f"way/{seed}")

    def handle_request(self, request):
        """Send a request and return its reply, each after a delay."""
        time.sleep(self.chance.uniform(0.002, 0.006))
        response = self.transport.handle_request(request)
        time.sleep(self.chance.uniform(0.0, 0.006))
        return response


@dataclass
class Outcome:
    """The outcome of a run."""

    case: Case
    completeness: str
    records: int
    requests: int
    changes: int
    missing: int
    twice: int

    @property
    def failed(self):
        """Whether the listing raised."""
        return self.completeness not in {"exact", "verified", "best-effort", "page"}

    @property
    def is_wrong(self):
        """Whether a record is duplicated or wrongly missing, or the listing raised."""
        claimed = self.completeness not in {"page", "best-effort"} or self.case.cannot_miss
        return bool(self.twice or self.failed or (self.missing and claimed))


def listed(collection, case):
    """Return the ids of a listing, and its completeness."""
    if case.way == "pages":
        return [str(id) for frame in collection.pages(**case.query) for id in frame.index], "page"
    frame = collection.all(**case.query, details=case.way == "details")
    return [str(id) for id in frame.index], frame.attrs["inkframe"]["completeness"]


def run(seed, dialect=None):
    """List one library."""
    case = Case.draw(seed, dialect)
    chance = random.Random(f"library/{seed}")
    pages = chance.choice([0, 1, 2, 3, 5, 8, 15, 30])
    lists = 20 if case.collection == "documents" and "template" not in case.query else 3
    count = min(case.size * pages * lists // 3 + chance.randrange(case.size + 1), 1200)
    counts = {"images": 0, "documents": 0, case.collection: count}
    service = FaultyService(case.dialect, seed=seed, **counts)
    transport = Slow(service.transport, seed) if case.slow else service.transport
    options = {"transport": transport, "concurrency": case.width, "max_retries": 8}
    with inkframe.Client(service.base_url, service.key, **options) as client:
        collection = getattr(client, case.collection)
        if case.way == "again":
            collection.all(**case.query)
        churn = Churn(service, case)
        before = len(service.requests)
        if case.way == "faults":
            service.plan(Faults.passing(0.05, seed=seed))
        try:
            ids, said = listed(collection, case)
        except Exception as error:  # noqa: BLE001  # every error is a finding
            ids, said = [], f"{type(error).__name__}: {str(error).splitlines()[0]}"
        missing = {str(service.public_id(id)) for id in churn.alive} - set(ids)
    twice = len(ids) - len(set(ids))
    requests = len(service.requests) - before
    return Outcome(case, said, len(ids), requests, churn.count, len(missing), twice)


def table(title, groups):
    """Print a line for each group of runs."""
    names = ("runs", "records", "requests", "changes", "runs missing some", "missing", "twice", "wrong")
    print(f"\n{title:<28}" + "".join(f"{name:>{max(len(name), 8) + 2}}" for name in names))
    for label, outcomes in groups.items():
        sums = (
            len(outcomes),
            *(sum(getattr(o, name) for o in outcomes) for name in ("records", "requests", "changes")),
            sum(bool(o.missing) for o in outcomes),
            *(sum(getattr(o, name) for o in outcomes) for name in ("missing", "twice", "is_wrong")),
        )
        print(
            f"{label:<28}"
            + "".join(f"{n:>{max(len(name), 8) + 2},}" for n, name in zip(sums, names, strict=True))
        )


def grouped(outcomes, key):
    """Return the outcomes grouped by a function."""
    return {label: [o for o in outcomes if key(o) == label] for label in sorted({key(o) for o in outcomes})}


def narrowed(outcome):
    """Return the name of the filter."""
    kind = "updates change who matches" if outcome.case.query in UNSTEADY else "steady filter"
    return f"{outcome.case.collection}, {kind if outcome.case.query else 'all'}"


def main():
    """Run all cases and return the number of failures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dialect", help="a name of tests.services's DIALECTS or ODDITIES, for all runs")
    options = parser.parse_args()
    os.environ["INKFRAME_PROGRESS"] = "0"
    os.environ["INKFRAME_HOME"] = tempfile.mkdtemp()
    began = time.perf_counter()
    outcomes = [run(seed, options.dialect) for seed in range(options.seed, options.seed + options.runs)]
    table("called", grouped(outcomes, lambda o: o.completeness))
    table("listed", grouped(outcomes, narrowed))
    table("requests in flight, at most", grouped(outcomes, lambda o: f"{o.case.width:>2}"))
    print(f"\n{time.perf_counter() - began:.0f} s; {Counter(o.case.way for o in outcomes)}")
    wrong = [o for o in outcomes if o.is_wrong]
    for o in wrong:
        print(
            f"seed {o.case.seed}: {o.missing} missing, {o.twice} twice, {o.completeness}: {o.case.dialect.name}, "
            f"{o.case.collection}, {o.case.query}, size {o.case.size}, width {o.case.width}, {o.case.way}"
        )
    return len(wrong)


if __name__ == "__main__":
    sys.exit(bool(main()))
