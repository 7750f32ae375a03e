"""Pages from the narrow indexes, compared with plain slices."""

from __future__ import annotations

import random

import pytest

from inkframe.schema import DOCUMENTS
from inkframe.service.store import Query, Records, Table, open_library
from inkframe.service.store import record_table as module

COLUMNS = ("id", *DOCUMENTS.shown)
INSERT = (
    "INSERT INTO documents (id, name, template_id, prompt, creativity, result, favorite, created_at, updated_at)"
    " VALUES (?, ?, ?, '', 0.5, '', ?, '', '')"
)


@pytest.fixture(scope="module")
def rows():
    """Return documents in four blocks of ids, with gaps; the middle is more than a block from either end."""
    chance = random.Random(3)
    numbers = sorted(chance.sample(range(1, 4 * module.BLOCK), 14_000))
    found = [
        (n, f"name {chance.randrange(3000)}", 1 + (chance.random() < 0.1), int(chance.random() < 0.25))
        for n in numbers
    ]
    assert sum(template == 1 and not favorite for *_, template, favorite in found) > 2 * module.BLOCK + 1_000
    return found


@pytest.fixture(scope="module")
def records(rows):
    pool = open_library(":memory:")
    with pool.writing() as connection:
        connection.executemany(INSERT, rows)
    yield Records(pool, Table("documents", COLUMNS, large=True))
    pool.close()


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("sort_by", ["id", "name"])
@pytest.mark.parametrize("filters", [{}, {"favorite": True}, {"favorite": False}])
def test_every_page_is_the_slice_it_should_be(records, rows, filters, sort_by, descending):
    """Every page, deep or shallow, from either end and any index, is a slice of all ordered records."""
    wanted = [
        (number, name)
        for number, name, template, favorite in rows
        if template == 1 and filters.get("favorite", favorite) == favorite
    ]
    key = (lambda row: row[0]) if sort_by == "id" else (lambda row: (row[1], row[0]))
    ordered = [number for number, _ in sorted(wanted, key=key, reverse=descending)]
    count = len(ordered)
    offsets = (
        0,
        90,
        count // 3,
        module.BLOCK,
        module.BLOCK + 1,
        count // 2 - 5,
        count // 2,
        count * 5 // 6,
        count - 7,
        count - 1,
        count,
        count + 50,
    )
    for offset in offsets:
        page, total = records.page(
            Query(
                {"template_id": 1, **filters}, sort_by=sort_by, descending=descending, limit=50, offset=offset
            )
        )
        assert [record["id"] for record in page] == ordered[offset : offset + 50]
        assert total == count


@pytest.mark.parametrize(
    "query",
    [
        Query({"template_id": 1}),
        Query({"template_id": 1}, sort_by="name"),
        Query({"template_id": 1, "favorite": True}),
        Query({"template_id": 1, "favorite": True}, sort_by="name"),
        Query({"template_id": 1, "favorite": False}, offset=4500),
        Query({"template_id": 1, "favorite": False}, sort_by="name", offset=4500),
    ],
)
def test_no_page_is_scanned_or_sorted_for(records, query):
    """SQLite reads a page's ids in order from a covering index, and never reads the table to count."""
    plans = []
    with records._pool.reading() as connection:
        connection.set_trace_callback(plans.append)
        records._list(connection, query)
        connection.set_trace_callback(None)
        for statement in [sql for sql in plans if sql.startswith("SELECT")]:
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchall()
            assert not [detail for *_, detail in plan if detail.startswith("SCAN documents")]
            if "INDEXED BY" in statement:
                subqueries = [row[0] for row in plan if row[3].startswith("LIST SUBQUERY")]
                [above] = subqueries or [0]  # what finds the start of a page has none
                inner = [detail for _, parent, _, detail in plan if parent == above]
                assert len(inner) == 1
                assert "USING COVERING INDEX documents_" in inner[0]
