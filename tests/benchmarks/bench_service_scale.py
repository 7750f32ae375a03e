"""Measure a large library: lists, deep pages, totals and search.

Run by hand: ``python -m tests.benchmarks.bench_service_scale --documents 1000000 --library large.inkframe``.
The library is created by the first run and reused by the next ones. A million documents take some minutes
and about 1.5 GB.
"""

# ruff: noqa: S608  # the names in the SQL are those of our own tables

from __future__ import annotations

import argparse
import random
import statistics
import time
from itertools import islice
from pathlib import Path

from inkframe.service.collections import TABLES
from inkframe.service.store import Query, RecordTable, open_library

MOMENT = "2025-01-06T07:30:00.000000Z"
COLUMNS = ("name", "template_id", "prompt", "creativity", "result", "favorite", "created_at", "updated_at")


def texts(count, chance):
    """Return rows with words by Zipf's law; every thousandth result has ``zebraquill``, one ``onlyonce``."""
    syllables = [
        a + b for a in "bcdfghlmnprst" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "ou", "st")
    ]
    words = ["".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3, 3, 4)))) for _ in range(20_000)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    pool = chance.choices(words, weights, k=2_000_000)
    for number in range(count):
        start = chance.randrange(len(pool) - 100)
        result = " ".join(pool[start : start + 85])[:500]
        if number % max(count // 1000, 1) == 3:
            result += " Zebraquill"
        if number == count // 2:
            result += " OnlyOnce"
        name = " ".join(pool[start + 3 : start + 7]).title()
        template = 1 if number % 10 else number % 52 + 1
        favorite = int(number % 97 == 0)
        yield name, template, f"About {name}", 0.5, result, favorite, MOMENT, MOMENT


def build(pool, count):
    """Fill an empty library like a bulk import, with all triggers."""
    sql = f"INSERT INTO documents ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    rows = texts(count, random.Random(1))
    began = time.perf_counter()
    while chunk := list(islice(rows, 10_000)):
        with pool.writing() as connection:
            connection.executemany(sql, chunk)
    print(f"built {count:,} documents in {time.perf_counter() - began:.0f} s")


def measure(label, call, repeats=15):
    """Print the median and the slowest of several calls, in milliseconds."""
    call()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        found = call()
        times.append((time.perf_counter() - began) * 1000)
    print(f"{label:<52} p50 {statistics.median(times):9.3f} ms   max {max(times):9.3f} ms   {found}")


def sizes(pool):
    """Print the sizes of the table and the search index."""
    sql = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name"
    with pool.connection() as connection:
        found = dict(connection.execute(sql).fetchall())
    table = found["documents"]
    trigrams = sum(size for name, size in found.items() if "_trigrams" in name)
    narrow = sum(size for name, size in found.items() if "_by_" in name)
    print(
        f"table {table / 1e6:,.0f} MB, trigrams {trigrams / table:.2f} of it, narrow indexes {narrow / table:.2f}"
    )


def main():
    """Build the library if necessary, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--library", type=Path, required=True)
    options = parser.parse_args()
    pool = open_library(options.library)
    records = RecordTable(pool, TABLES["documents"])
    with pool.connection() as connection:
        (present,) = connection.execute("SELECT ifnull(sum(total), 0) FROM documents_totals").fetchone()
    if not present:
        build(pool, options.documents)
    sizes(pool)

    def page(**settings):
        return lambda: records.page(Query(**settings, count_all=False))[1]

    def first_search(**settings):
        def call():
            with pool.connection() as connection:
                connection.last_search = (None, (), False)
            return records.page(Query(**settings, count_all=False))[1]

        return call

    freestyle = {"template_id": 1}
    total = page(filters=freestyle)()
    measure("get", lambda: records.get(total // 2)["id"])
    measure("first page of 10", page(filters=freestyle))
    for share in (0.1, 0.5, 0.9, 0.9999):
        measure(f"page of 100 at {share:.2%}", page(filters=freestyle, limit=100, offset=int(total * share)))
    measure(
        "page of 100 by name at 50 %", page(filters=freestyle, sort_by="name", limit=100, offset=total // 2)
    )
    measure("favorites", page(filters={**freestyle, "favorite": True}))
    measure("favorites by name", page(filters={**freestyle, "favorite": True}, sort_by="name"))
    others = {**freestyle, "favorite": False}
    measure("not favorites at 50 %", page(filters=others, offset=total // 2))
    for share in (0.1, 0.5, 0.9):
        measure(
            f"page of 100 not favorites by name at {share:.0%}",
            page(filters=others, sort_by="name", limit=100, offset=int(total * 0.98 * share)),
        )
    for column, term in (
        ("result", "zebraquill"),
        ("result", "ZEBRA"),
        ("result", "onlyonce"),
        ("result", "not in there"),
        ("name", "zebraquill"),
        ("name", "oupan"),
        ("result", "ou ba"),
        ("name", "ou"),
    ):
        settings = {"filters": freestyle, "search": term, "search_by": column}
        measure(f"search {column} for {term!r}", first_search(**settings), repeats=5)
        measure("  its second page", page(**settings, offset=10), repeats=5)
    like = "SELECT count(*) FROM documents WHERE template_id = 1 AND result LIKE '%zebraquill%'"
    with pool.connection() as connection:
        measure("the same with LIKE", lambda: connection.execute(like).fetchone()[0], repeats=3)
    pool.close()


if __name__ == "__main__":
    main()
