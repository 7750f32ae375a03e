"""Searches with many matches, compared with plain Python."""

from __future__ import annotations

import random

import pytest

from inkframe.schema import DOCUMENTS
from inkframe.service.store import Query, RecordTable, Table, open_library
from inkframe.service.store.record_table import COUNTED, SMALL

COLUMNS = ("id", *DOCUMENTS.shown)
INSERT = f"INSERT INTO documents ({', '.join(COLUMNS)}) VALUES (?, ?, 1, '', 0.5, ?, ?, '', '')"  # noqa: S608


@pytest.fixture(scope="module")
def rows():
    """Return more documents than are always counted; half have a kettle, few a rare word."""
    chance = random.Random(5)
    numbers = sorted(chance.sample(range(1, 9000), SMALL + 900))
    return [
        (
            number,
            f"{chance.choice(['Kettle', 'Pot'])} {chance.randrange(2000)}",
            f"{chance.choice(['a kettle', 'a pot'])}{' rare' if at % 500 == 7 else ''}",
            int(chance.random() < 0.9),
        )
        for at, number in enumerate(numbers)
    ]


@pytest.fixture(scope="module")
def records(rows):
    pool = open_library(":memory:")
    with pool.writing() as connection:
        connection.executemany(INSERT, rows)
    yield RecordTable(pool, Table("documents", COLUMNS, large=True))
    pool.close()


def expected(rows, query):
    """Return the ids of all matches in order."""
    at = 1 if query.search_by == "name" else 2
    found = [
        row
        for row in rows
        if query.search in row[at].lower() and query.filters.get("favorite", row[3]) == row[3]
    ]
    key = (lambda row: row[0]) if query.sort_by == "id" else (lambda row: (row[1].lower(), row[0]))
    return [row[0] for row in sorted(found, key=key, reverse=query.descending)]


@pytest.mark.parametrize("sort_by", ["id", "name"])
@pytest.mark.parametrize("search_by", ["name", "result"])
@pytest.mark.parametrize("term", ["kettle", "ke", "rare", "kettle 19", "nothing"])
@pytest.mark.parametrize("filters", [{}, {"favorite": True}])
def test_every_page_is_a_slice_and_no_total_is_wrong(records, rows, filters, term, search_by, sort_by):
    """Pages in any order are slices of all matches; a total is right, and is left out only if there are many."""
    chance = random.Random(6)
    for descending in (True, False):
        settings = {"search": term, "search_by": search_by, "sort_by": sort_by, "descending": descending}
        ids = expected(rows, Query({**filters}, **settings))
        offsets = [0, 100, COUNTED - 50, COUNTED, len(ids) - 60, len(ids) - 50, len(ids), len(ids) + 90]
        chance.shuffle(offsets)
        for offset in [0, *(max(0, each) for each in offsets)]:
            query = Query({"template_id": 1, **filters}, **settings, limit=50, offset=offset, count_all=False)
            page, total = records.page(query)
            assert [record["id"] for record in page] == ids[offset : offset + 50]
            assert total in (len(ids), None)
            assert total is not None or len(ids) >= query.counted > offset + len(page)
            assert len(ids) < COUNTED or offset or total is None
            assert records.page(Query(query.filters, **settings, limit=50, offset=offset))[1] == len(ids)


def test_all_matches_of_a_short_list_are_counted(rows):
    """In a list of up to 2,000 records every total is exact; one more record makes it a long one."""
    pool = open_library(":memory:")
    with pool.writing() as connection:
        connection.executemany(INSERT, [(row[0], "kettle", "", 0) for row in rows[:SMALL]])
    records = RecordTable(pool, Table("documents", COLUMNS, large=True))
    query = Query({"template_id": 1}, search="kettle", count_all=False)
    assert records.page(query)[1] == SMALL
    with pool.writing() as connection:
        connection.execute(INSERT, (rows[SMALL][0], "kettle", "", 0))
    assert records.page(query)[1] is None
    pool.close()


@pytest.mark.parametrize("search_by", ["name", "result"])
@pytest.mark.parametrize("term", ["kettle", "ke"])
def test_nothing_is_sorted_for_the_first_page_by_id(records, term, search_by):
    """SQLite finds matches in the order of their ids, so that it can stop after a few."""
    query = Query({"template_id": 1}, search=term, search_by=search_by)
    statement, values = records._matches._matches(query, "")
    with records._pool.reading() as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
    assert not [detail for *_, detail in plan if "ORDER BY" in detail]
