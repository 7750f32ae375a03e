"""Pages from the narrow indexes, compared with plain slices."""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from inkframe.schema import DOCUMENTS
from inkframe.service.collections import TABLES
from inkframe.service.store import Query, RecordTable, Table, open_library
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
    yield RecordTable(pool, Table("documents", COLUMNS, large=True))
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


@pytest.mark.parametrize("sort_by", ["id", "name"])
@pytest.mark.parametrize("descending", [True, False])
def test_whole_statements_of_pages(records, recorded, sort_by, descending):
    """What SQLite is asked for pages: near and deep, of all records, of favorites, and of searches."""
    statements = []
    settings = {"sort_by": sort_by, "descending": descending, "limit": 2}
    with records._pool.connection() as connection:
        connection.set_trace_callback(statements.append)
    for filters in (
        {"template_id": 1},
        {"template_id": 1, "favorite": True},
        {"template_id": 1, "favorite": False},
    ):
        for offset in (0, module.BLOCK, module.BLOCK + 1, 8000):
            records.page(Query(filters, offset=offset, **settings))
    for term, search_by in (("name 12", "name"), ("na", "name"), ("nothing", "result")):
        for more in ({}, {"count_all": False}, {"count_all": False, "offset": 600}):
            records.page(Query({"template_id": 1}, term, search_by, **settings, **more))
    with records._pool.connection() as connection:
        connection.set_trace_callback(None)
    asked = [each for each in statements if each.startswith("SELECT")]  # those of SQLite itself begin with --
    shown = [each if len(each) < 500 else f"{each[:500]}… {len(each)} characters" for each in asked]
    recorded(f"{sort_by} {'down' if descending else 'up'}", shown)


def test_whole_statements_of_a_record(recorded, monkeypatch):
    """What SQLite is asked to insert, list, read, update and delete a record, and its answers."""
    monkeypatch.setattr(module, "BLOCK", 0)
    pool = open_library(":memory:")
    images = RecordTable(pool, TABLES["images"])
    said = []
    with pool.connection() as connection:
        connection.set_trace_callback(said.append)
    values = {"name": "n", "description": "d", "resolution": "r", "created_at": "c", "updated_at": "u"}
    for picture in (b"png", None):
        with pool.writing() as connection:
            said.append(images.insert(connection, values, picture))
    said += [images.picture(1), images.picture(2), images.get(1), images.get(3)]
    said += [images.page(Query(sort_by=name, offset=1)) for name in ("id", "name")]
    said += [images.update(1, {"name": "other", "favorite": 1}), images.update(3, {"name": "n"})]
    said += [images.delete(1), images.delete(1), images.page(Query()), images.page(Query(offset=1))]
    # SQLite repeats a statement for each one of its triggers.
    recorded("record", [repr(each) for each, _ in groupby(said) if not str(each).startswith("-- ")])
    pool.close()
