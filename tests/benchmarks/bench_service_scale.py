"""Measure a large library: creates, every kind of list and page, and searches.

Run by hand: ``python -m tests.benchmarks.bench_service_scale``. The time is that of the processor, of which other programs
take nothing. Texts are plain, partly not ASCII (dashes and quotes), accented, Cyrillic or CJK.
"""

import random
import statistics
import tempfile
import time
from contextlib import closing
from functools import partial
from itertools import islice, product
from pathlib import Path

from tests.benchmarks.measuring import options

from inkframe.service.collections import TABLES
from inkframe.service.store import Query, RecordTable, open_library

MOMENT = "2025-01-06T07:30:00.000000Z"
#: The terms of searches by kind of text: a rare one, a frequent one, and one that is in no text.
TERMS = {
    "plain": ("ZEBRAQUILL", "ou", "not in there"),
    "dashes": ("ZEBRAQUILL", "\u2014", "\u201cnot in there"),
    "accented": ("ZEBRAQUILL", "\u00c9", "\u00fcnot in there"),
    "cyrillic": ("ZEBRAQUILL", "\u0410\u0411", "\u0430\u0430\u0430\u0430\u0430\u0430"),
    "cjk": ("ZEBRAQUILL", "\u4e00", "\u4e00\u4e01\u4e02"),
}
CYRILLIC = str.maketrans("abcdefghilmnoprstu", "".join(chr(0x430 + number) for number in range(18)))


def vocabulary(kind, chance):
    """Return words of a kind of text, frequent ones first."""
    syllables = [
        a + b for a in "bcdfghlmnprst" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "ou", "st")
    ]
    if kind == "cjk":
        syllables = [chr(0x4E00 + number) for number in range(3000)]
    words = ["".join(chance.choices(syllables, k=chance.choice((1, 2, 2, 3, 3, 4)))) for _ in range(20_000)]
    change = {
        "dashes": lambda n, word: f"{word}\u2014" if n % 40 == 3 else f"\u201c{word}\u201d" if n % 40 == 9 else word,
        "accented": lambda n, word: "\u00c9" + word.replace("e", "\u00e9") if n % 8 == 3 else word.replace("u", "\u00fc"),
        "cyrillic": lambda n, word: word.translate(CYRILLIC).capitalize() if n % 8 == 3 else word.translate(CYRILLIC),
    }.get(kind, lambda _, word: word)  # fmt: skip
    return [change(number, word) for number, word in enumerate(words)]


def documents(count, kind):
    """Yield rows with words by Zipf's law; every thousandth result has ``Zebraquill``."""
    chance = random.Random(1)
    words = vocabulary(kind, chance)
    pool = chance.choices(words, [1 / (rank + 2) for rank in range(len(words))], k=1_000_000)
    for number in range(count):
        start = chance.randrange(len(pool) - 300)
        result = ("" if kind == "cjk" else " ").join(pool[start : start + 250])[:500]
        name = " ".join(pool[start + 3 : start + 7])
        yield {
            "name": name,
            "template_id": 1 if number % 10 else number % 52 + 1,
            "prompt": f"About {name}",
            "creativity": 0.5,
            "result": f"{result} Zebraquill" if number % 1000 == 3 else result,
            "favorite": number % 97 == 0,
            "created_at": MOMENT,
            "updated_at": MOMENT,
        }


def images(count):
    """Yield rows of images without pictures, in three styles."""
    chance = random.Random(2)
    for number in range(count):
        yield {
            "name": f"Harbor {chance.randrange(10**6)}",
            "description": "A harbor at dawn. " * 10,
            "resolution": chance.choice(("256x256", "512x512")),
            "style": chance.choice((None, "anime", "retro")),
            "favorite": number % 97 == 0,
            "created_at": MOMENT,
            "updated_at": MOMENT,
        }


def build(pool, records, rows, count):
    """Create records as an import does, in transactions of 1,000, and return the microseconds of each."""
    spent = 0.0
    while chunk := list(islice(rows, 1000)):
        began = time.process_time()
        with pool.writing() as connection:
            for row in chunk:
                records.insert(connection, row)
        spent += time.process_time() - began
    return spent / count * 1e6


def timed(call, repeats=5):
    """Return the median of the milliseconds of several calls."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        call()
        times.append((time.process_time() - began) * 1000)
    return statistics.median(times)


def measure_lists(records, filters):
    """Print the slowest of the first, middle and last pages of 100, by each filter in each order."""
    times = []
    for chosen, sort_by, descending in product(filters, ("id", "name"), (False, True)):
        total = records.page(Query(chosen))[1]
        for offset in sorted({0, total // 2, max(total - 100, 0)}):
            query = Query(chosen, sort_by=sort_by, descending=descending, limit=100, offset=offset)
            times.append((timed(lambda query=query: records.page(query)), query))
    slowest, query = max(times, key=lambda each: each[0])
    print(
        f"  {len(times)} pages of lists: median {statistics.median(t for t, _ in times):.1f} ms, slowest {slowest:.1f} ms"
    )
    print(f"    the slowest: {query}")


def measure_searches(records, kind):
    """Print the time of each search, by name and by text, in both orders."""
    for term, search_by, sort_by in product(TERMS[kind], ("name", "result"), ("id", "name")):
        query = Query({"template_id": 1}, term, search_by, sort_by)
        spent = timed(lambda query=query: records.page(query))
        total = records.page(query)[1]
        print(
            f"  search of {search_by:<6} by {sort_by:<4} for {term!r:<24} {spent:7.1f} ms  {total:>7,} matches"
        )


def main():
    """Build a library of each kind of text, and measure it."""
    given = options(__doc__, documents=100_000, kinds=list(TERMS))
    count = given.documents
    favorites = ({}, {"favorite": True}, {"favorite": False})
    for kind in given.kinds:
        with tempfile.TemporaryDirectory() as folder, closing(open_library(Path(folder, "library"))) as pool:
            records = RecordTable(pool, TABLES["documents"])
            spent = build(pool, records, documents(count, kind), count)
            print(f"\n{count:,} documents, {kind}: {spent:.0f} us each to create")
            measure_lists(
                records, [{"template_id": template} | each for template in (1, 3) for each in favorites]
            )
            print(f"  counts of templates {timed(partial(records.counts, 'template_id')):.1f} ms")
            measure_searches(records, kind)
    with tempfile.TemporaryDirectory() as folder, closing(open_library(Path(folder, "library"))) as pool:
        records = RecordTable(pool, TABLES["images"])
        print(f"\n{count:,} images: {build(pool, records, images(count), count):.0f} us each to create")
        looks = ({}, {"style": "anime"}, {"style": "retro", "resolution": "256x256"}, {"filter": "sepia"})
        measure_lists(records, [look | each for look in looks for each in favorites])


if __name__ == "__main__":
    main()
