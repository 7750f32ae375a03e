"""List whole libraries of random services, and check each level of completeness against the truth.

    .venv/bin/python -m tests.benchmarks.bench_verdicts [--runs 10000] [--known 300] [--seed 0] [--show SEED]

Each run draws a service from its seed: an envelope, a way of paging, totals that may count something else,
parameters that are ignored, refused or taken for filters, pages that are missing, faults, and records that change
between two replies. It fails if a listing that is exact or verified lacks a record that matched from the first
request to the last, if a record appears twice, if ``pages()`` lacks records without a reason, if a listing raises,
and if it takes more than twice its pages and 60 requests. Where a filter with several values is ignored,
the whole collection is read twice. Time is virtual.

Runs of ``--known`` draw one of the services of the tests, and a number of requests in flight whose replies overtake each
other. They also fail if a record is missing although the service describes its numbered pages or offsets, its ids
increase, and no update changes the matches of the filter.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace

import httpx
from tests.benchmarks.measuring import options
from tests.services import (
    DIALECTS,
    ODDITIES,
    Faults,
    FaultyService,
    Links,
    Paging,
    RecordForm,
    WireDialect,
)

import inkframe

#: What a field named like a total may count; the first is the truth.
TOTALS = ("$total", "$pages", "$count", "$running_total", "$next_total", "$everything", "$reachable_total",
          "$shown_total", "$size", 10**10, 0)  # fmt: skip
TOTAL_NAMES = (
    "total",
    "count",
    "totalCount",
    "total_count",
    "TotalItems",
    "recordsTotal",
    "x-total",
    "found",
)
CURRENT_NAMES = ("page", "current_page", "PageIndex", "pageNumber", "number", "currentPage")
LAST_NAMES = ("last_page", "total_pages", "totalPages", "pages", "PageCount")
OFFSET_NAMES = ("offset", "skip", "start", "startIndex")
NUMBER_PARAMETERS = ("page", "page", "_page", "pageNumber", "PageIndex", "current_page", "p", "page[number]")
OFFSET_PARAMETERS = ("offset", "skip", "start", "$skip", "from")
TOKEN_PARAMETERS = ("cursor", "pageToken", "NextToken", "next_cursor", "page", "start_cursor")
TOKEN_NAMES = ("next_cursor", "nextPageToken", "NextToken", "nextCursor", "cursor", "endCursor")
#: The part of the services that call every page the last one.
LIES = 0.3
#: The filters of a listing; an update changes the matches of the last two.
QUERIES = {
    "images": [{}, {}, {}, {"style": "anime"}, {"style": ["anime", "sketch"]}, {"resolution": "512x512"}],
    "documents": [{"template": 1}, {"template": 4}, {"template": [1, 4, 9]}, {}],
}
UNSTEADY = [{"favorite": True}, {"search": "a"}]
#: Known services with pages by number or offset and numeric ids: the most common, so half of their runs.
COMMON = ("laravel_resource", "laravel", "laravel_simple", "drf_page", "drf_offset", "fastapi_page", "spring")
VOCABULARY = inkframe.Vocabulary(
    templates={number: f"Template {number}" for number in range(1, 7)} | {9: "Nine"}
)


@dataclass
class Case:
    """A listing of a random service, drawn from a seed."""

    seed: int
    dialect: WireDialect
    collection: str
    query: dict
    count: int
    size: int
    way: str
    churn: float
    faults: float
    width: int

    @classmethod
    def draw(cls, seed):
        """Return the case of a seed."""
        chance = random.Random(f"verdict/{seed}")
        size = chance.choice([1, 3, 7, 10, 20, 25, 50, 100])
        collection = chance.choice(["images", "images", "documents"])
        query = chance.choice(QUERIES[collection] if chance.random() < 0.85 else UNSTEADY)
        lists = 6 if collection == "documents" or query else 2
        pages = chance.choice([0, 1, 2, 2, 3, 4, 6, 9])
        dialect = draw_dialect(chance, size)
        lie = random.Random(f"lie/{seed}")
        if (
            lie.random() < LIES
            and isinstance(dialect.listing, dict)
            and size >= 10
            and "per_page" not in dialect.ignores
        ):
            # Constants, so that no page says that another follows; what a shorter page says is believed.
            end = lie.choice(
                [{"has_more": False}, {"page": 1, "last_page": 1}, {"isLast": True, "total": "$size"}]
            )
            dialect = replace(dialect, listing={**dialect.listing, **end})
        count = max(size * pages * lists // 2 + chance.choice([0, 0, 1, -1, size // 2]), 0)
        return cls(
            seed,
            dialect,
            collection,
            query,
            min(count, 700),
            size,
            chance.choices(["all", "again", "pages", "both"], [5, 2, 2, 1])[0],
            chance.choice([0, 0, 0, 0.1, 0.5, 1.0, min(2.0, size / 4)]),
            chance.choice([0, 0, 0, 0.1]),
            1,
        )

    @classmethod
    def known(cls, seed):
        """Return the case of a seed with a service of the tests."""
        chance = random.Random(f"case/{seed}")
        every = {**DIALECTS, **ODDITIES}
        dialect = every[chance.choice(COMMON if chance.random() < 0.5 else [*every])]
        size = chance.choice([1, 2, 3, 5, 7, 10, 13, 25, 40, 50, 73, 100])
        paging = replace(dialect.paging, largest=min(size, dialect.paging.largest), sizes=())
        collection = chance.choice(["images", "images", "documents"])
        query = chance.choice(QUERIES[collection] if chance.random() < 0.65 else UNSTEADY)
        pages = chance.choice([0, 1, 2, 3, 5, 8, 15, 30])
        lists = 6 if collection == "documents" and not query else 3
        return cls(
            seed,
            replace(dialect, paging=paging),
            collection,
            query,
            min(size * pages * lists // 3 + chance.randrange(size + 1), 1200),
            size,
            chance.choices(["all", "again", "details", "pages"], [6, 2, 1, 1])[0],
            min(chance.choice([0.05, 0.3, 1.0, 3.0]), size / 4),
            chance.choice([0, 0, 0, 0.05]),
            chance.choice([1, 1, 2, 4, 8, 16]),
        )

    @property
    def is_known(self):
        """Whether the service is one of the tests."""
        return self.dialect.name != "random"

    @property
    def cannot_miss(self):
        """Whether the service allows a complete listing."""
        plain = self.is_known and not {"sort", "page"} & set(self.dialect.ignores)
        counted = self.dialect.paging.by in {"number", "offset"} and self.dialect.record.id_form == "number"
        described = self.dialect.name not in ODDITIES or "meta" in self.dialect.listing
        return plain and counted and described and self.query not in UNSTEADY

    def matches(self, record):
        """Return whether a record matches the listing."""
        for name, wanted in self.query.items():
            values = wanted if isinstance(wanted, list) else [wanted]
            if name == "search":
                if wanted not in record["name"].casefold():
                    return False
            elif record["template_id" if name == "template" else name] not in values:
                return False
        return True


def draw_dialect(chance, size):
    """Return a random dialect with pages of a size."""
    by = chance.choices(["number", "offset", "cursor", "after", "nothing"], [9, 5, 3, 2, 0.3])[0]
    parameter = chance.choice(
        {"number": NUMBER_PARAMETERS, "offset": OFFSET_PARAMETERS, "cursor": TOKEN_PARAMETERS,
         "after": ("after", "starting_after"), "nothing": ("page",)}[by]
    )  # fmt: skip
    listing, headers, shown = draw_listing(chance, by, parameter)
    ignores = [name for name, rate in (("sort", 0.04), ("sort_by", 0.02), ("per_page", 0.1), ("style", 0.04),
                                       ("template_id", 0.04), ("search", 0.03), (parameter, 0.08))
               if chance.random() < rate]  # fmt: skip
    is_lossy = chance.random() < 0.1
    return WireDialect(
        name="random",
        about=shown,
        listing=listing,
        listing_headers=headers,
        paging=Paging(
            by=by,
            parameter=parameter,
            first=chance.choice([1, 1, 1, 0]),
            size=chance.choice(["per_page", "per_page", "limit", "page_size"]),
            usual=chance.choice([10, 20, 100]),
            largest=size,
            past_end=chance.choice(["empty", "empty", "null", "not found", "last page", "first page"]),
            past_end_status=chance.choice([404, 404, 410, 416, 400, 422]),
            unreadable=chance.choice(["first page", "not found", "refused"]),
            strangers=chance.choices(["ignored", "filter", "refused"], [5, 2, 2])[0],
            alone=by == "cursor" and chance.random() < 0.25,
            deepest=size * chance.choice([1, 2, 3]) if is_lossy and chance.random() < 0.6 else None,
            lost=(chance.choice([1, 2, 3]),) if is_lossy else (),
        ),
        links=Links(
            form=chance.choice(["absolute", "path", "query", "insecure", "elsewhere"]),
            keep_query=chance.random() < 0.6,
        ),
        record=RecordForm(
            id_form=chance.choices(["number", "text", "uuid", "padded"], [12, 1, 1, 1])[0],
            omits=("template_id",) if chance.random() < 0.3 else (),
        ),
        ignores=tuple(ignores),
        usual_template=chance.choice([1, 1, None]),
    )


def draw_listing(chance, by, parameter):
    """Return the pattern of a list, its headers, and what it shows in words."""
    total = chance.choice(TOTALS) if chance.random() < 0.4 else "$total"
    around = draw_counts(chance, total) | draw_position(chance, by, parameter)
    following, headers = draw_following(chance, by)
    around |= following
    if chance.random() < 0.3:
        around[chance.choice(["per_page", "limit", "pageSize"])] = "$size"
    rows = {chance.choice(["data", "data", "results", "items", "$collection", "content"]): "$rows"}
    place = chance.random()
    if place < 0.55:
        listing = {**rows, **around}
    elif place < 0.8:
        listing = {**rows, chance.choice(["meta", "pagination", "page_info"]): around}
    elif place < 0.9:
        listing = {"response": {**rows, **around}}
    else:
        listing = "$rows"
        headers |= {"X-Total-Count": total} if isinstance(total, str) and chance.random() < 0.7 else {}
    return listing, headers, f"{listing} {headers}"


def draw_counts(chance, total):
    """Return the totals of a page."""
    counts = {chance.choice(TOTAL_NAMES): total} if chance.random() < 0.75 else {}
    return counts | ({"recordsFiltered": "$total"} if counts and chance.random() < 0.1 else {})


def draw_position(chance, by, parameter):
    """Return what a page says about its position, sometimes by the name of its parameter."""
    position = {}
    if by in {"number", "offset"} and chance.random() < 0.5:
        usual = chance.choice(CURRENT_NAMES if by == "number" else OFFSET_NAMES)
        name = parameter.strip("$_") if chance.random() < 0.4 else usual
        position[name] = "$number" if by == "number" else "$start"
    if by == "number" and chance.random() < 0.4:
        position[chance.choice(LAST_NAMES)] = chance.choice(["$pages", "$last_number", "$total"])
    return position


def draw_following(chance, by):
    """Return what a page says about the next one, and its headers."""
    ways = [
        {chance.choice(TOKEN_NAMES): "$next_token"},
        {chance.choice(["next", "next_page_url"]): "$next_url"},
        {"links": {"next": "$next_link"}},
        {chance.choice(["has_more", "hasNext"]): "$has_more"},
        {"next_page": "$next_number"},
        {"link": "header"},
        {},
    ]
    weights = [12 * (by == "cursor"), 5, 2, 3, by == "number", 2, 7 - 5 * (by == "cursor")]
    following = chance.choices(ways, weights)[0]
    return ({}, {"Link": "$link_header"}) if "link" in following else (following, {})


class Churn:
    """Changes a library after every reply, and records which records matched all the time."""

    def __init__(self, service, case):
        self.chance = random.Random(f"churn/{case.seed}")
        self.service, self.case = service, case
        self.records = getattr(service, case.collection)
        self.alive = {id for id, record in self.records.items() if case.matches(record)}
        self.ever = set(self.alive)
        self.inserted = 0
        self.after = self.chance.choice([0, 0, 2, 3, 5])
        service.between_replies(self.change)

    def change(self, service):
        """Change the library a few times."""
        if len(service.requests) <= self.after:
            return
        whole, part = divmod(self.chance.uniform(0, 2 * self.case.churn), 1)
        for _ in range(int(whole) + (self.chance.random() < part)):
            kind = self.chance.choice(["insert", "delete", "pair", "flip"] + ["rename"] * self.case.is_known)
            if kind in {"delete", "pair"} and self.records:
                ids = list(self.records)
                gone = self.chance.choice(self.chance.choice([ids, ids[:3], ids[-3:]]))
                del self.records[gone]
                self.alive.discard(gone)
            if kind in {"insert", "pair"}:
                record = service.insert(
                    self.case.collection, name=self.chance.choice(["Kettle", "Fog", "Harbor"])
                )
                self.inserted += 1
                self.ever.add(record["id"])
            if kind in {"flip", "rename"} and self.records:
                id = self.chance.choice(list(self.records))
                if kind == "flip":
                    self.records[id]["favorite"] = not self.records[id]["favorite"]
                else:
                    self.records[id]["name"] = self.chance.choice(["Kettle", "Fog", "Harbor"])
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
    level: str
    reasons: list
    records: int
    truth: int
    requests: int
    most: int
    missing: int
    twice: int
    printed: str

    @property
    def fault(self):
        """What is wrong with it, empty if nothing."""
        if self.twice:
            return "twice"
        if self.level.startswith("raised"):
            return "" if self.case.faults and "UnexpectedReply" in self.level else "raised"
        if self.missing and self.level in {"exact", "verified"}:
            return f"wrong {self.level}"
        if self.missing and self.case.cannot_miss:
            return "missing"
        if self.missing and not self.reasons:
            return "silent"
        if self.requests > self.most and not self.case.faults and not self.case.is_known:
            return "too many requests"
        return ""


def listed(collection, case):
    """Return the ids of a listing, its level and its reasons."""
    if case.way != "pages":
        frame = collection.all(**case.query, details=case.way == "details")
        facts = frame.attrs["inkframe"]
        return [str(id) for id in frame.index], facts["completeness"], facts["reasons"]
    frames = list(collection.pages(**case.query))
    ids = [str(id) for frame in frames for id in frame.index]
    return ids, "page", frames[-1].attrs["inkframe"]["reasons"] if frames else ["no frame"]


def run(seed, draw=Case.draw):
    """List one library."""
    case = draw(seed)
    counts = {"images": 40, "documents": 40, case.collection: case.count}
    service = FaultyService(case.dialect, seed=seed, vocabulary=VOCABULARY, **counts)
    transport = Slow(service.transport, seed) if case.width > 1 else service.transport
    options = {"transport": transport, "max_retries": 8, "vocabulary": VOCABULARY}
    if case.is_known:
        options["concurrency"] = case.width
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        inkframe.Client(service.base_url, service.key, **options) as client,
    ):
        collection = getattr(client, case.collection)
        try:
            if case.way == "again":
                collection.all(**case.query)
            if case.way == "both":
                (client.documents if case.collection == "images" else client.images).all()
        except inkframe.InkframeError as error:
            return outcome(
                case, f"raised {type(error).__name__}: {error}", [], [], 0, service, Churn(service, case), ""
            )
        churn = Churn(service, case)
        begun = len(service.requests)
        if case.faults:
            service.plan(Faults.passing(case.faults, seed=seed))
        try:
            ids, level, reasons = listed(collection, case)
        except inkframe.InkframeError as error:
            ids, level, reasons = [], f"raised {type(error).__name__}: {error}", []
    return outcome(case, level, reasons, ids, begun, service, churn, printed.getvalue())


def outcome(case, level, reasons, ids, begun, service, churn, printed):
    """Return the outcome of a listing."""
    alive = {str(service.public_id(id)) for id in churn.alive}
    size = min(case.size, 10 if "per_page" in case.dialect.ignores else case.size)
    queries = max(len(next((v for v in case.query.values() if isinstance(v, list)), [1])), 1)
    if case.collection == "documents" and "template" not in case.query:
        queries = 8
    is_filtered = not {"style", "template_id", "search"} & set(case.dialect.ignores)
    pages = -(-(len(churn.ever) if is_filtered else case.count + churn.inserted) // size) + queries
    # Where a filter with several values turns out to be ignored, the whole collection is read twice.
    readings = 1 if is_filtered else min(queries, 2)
    most = 2 * pages * readings + 60
    return Outcome(
        case, level, reasons, len(ids), len(alive), len(service.requests) - begun, most,
        len(alive - set(ids)), len(ids) - len(set(ids)), printed,
    )  # fmt: skip


def main():
    """Run all cases and return the number of failures."""
    given = options(__doc__, runs=10_000, known=300, seed=0, show=int)
    os.environ |= {"INKFRAME_PROGRESS": "0", "INKFRAME_HOME": tempfile.mkdtemp()}
    seeds = range(given.seed, given.seed + given.runs) if given.show is None else [given.show]
    began = time.perf_counter()
    outcomes = [run(seed) for seed in seeds]
    if given.show is None:
        outcomes += [run(seed, Case.known) for seed in range(given.seed, given.seed + given.known)]
    wrong = [each for each in outcomes if each.fault]
    for each in wrong[:40]:
        print(
            f"seed {each.case.seed}: {each.fault}: {each.missing} of {each.truth} missing, {each.level[:150]}, {each.reasons}"
        )
        print(
            f"   {each.case.dialect.about} {each.case.query} churn {each.case.churn} {each.case.way} requests {each.requests}"
        )
    levels = Counter(
        (each.level.split(":")[0], "missing some" if each.missing else "whole") for each in outcomes
    )
    for (level, state), number in sorted(levels.items()):
        print(f"{level:<24}{state:<14}{number:>7,}")
    print(f"{len(outcomes):,} runs, {sum(each.requests for each in outcomes):,} requests, "
          f"{time.perf_counter() - began:.0f} s; wrong: {dict(Counter(each.fault for each in wrong))}")  # fmt: skip
    if given.show is not None:
        print(outcomes[0])
    return len(wrong)


if __name__ == "__main__":
    sys.exit(bool(main()))
