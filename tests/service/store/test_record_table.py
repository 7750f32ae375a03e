"""Pages of lists, compared with plain slices, and what SQLite is asked for."""

import random
from itertools import groupby

import pytest

from inkframe.schema import DOCUMENTS
from inkframe.service.collections import TABLES
from inkframe.service.store import Query, RecordTable, Table, open_library

COLUMNS = ("id", *DOCUMENTS.shown)
INSERT = (
    "INSERT INTO documents (id, name, template_id, prompt, creativity, result, favorite, created_at, updated_at)"
    " VALUES (?, ?, ?, '', 0.5, '', ?, '', '')"
)


@pytest.fixture(scope="module")
def rows():
    """Return documents with gaps between their ids, equal names, and two templates."""
    chance = random.Random(3)
    return [
        (n, f"name {chance.randrange(300)}", 1 + (chance.random() < 0.1), int(chance.random() < 0.25))
        for n in sorted(chance.sample(range(1, 5000), 1400))
    ]


@pytest.fixture(scope="module")
def records(rows):
    pool = open_library(":memory:")
    with pool.writing() as connection:
        connection.executemany(INSERT, rows)
    yield RecordTable(pool, Table("documents", COLUMNS))
    pool.close()


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("sort_by", ["id", "name"])
@pytest.mark.parametrize("filters", [{}, {"favorite": True}, {"favorite": False}])
def test_every_page_is_the_slice_it_should_be(records, rows, filters, sort_by, descending):
    """Every page is a slice of all ordered records, and its total is their number."""
    wanted = [
        (number, name)
        for number, name, template, favorite in rows
        if template == 1 and filters.get("favorite", favorite) == favorite
    ]
    key = (lambda row: row[0]) if sort_by == "id" else (lambda row: (row[1], row[0]))
    ordered = [number for number, _ in sorted(wanted, key=key, reverse=descending)]
    count = len(ordered)
    for offset in (0, 90, count // 2 - 5, count - 50, count - 7, count, count + 50):
        page, total = records.page(
            Query(
                {"template_id": 1, **filters}, sort_by=sort_by, descending=descending, limit=50, offset=offset
            )
        )
        assert [record["id"] for record in page] == ordered[offset : offset + 50]
        assert total == count


def asked(records, *queries):
    """Return the statements that SQLite is asked for pages."""
    statements = []
    with records._pool.connection() as connection:
        connection.set_trace_callback(statements.append)
    for query in queries:
        records.page(query)
    with records._pool.connection() as connection:
        connection.set_trace_callback(None)
    return [each for each in statements if each.startswith("SELECT")]  # those of SQLite itself begin with --


@pytest.mark.parametrize("sort_by", ["id", "name"])
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize(
    ("name", "filters"),
    [
        ("documents", {"template_id": 1}),
        ("documents", {"template_id": 1, "favorite": True}),
        ("documents", {"template_id": 1, "favorite": False}),
        ("images", {}),
        ("images", {"style": "anime"}),
        ("images", {"filter": "sepia", "favorite": True}),
    ],
)
def test_a_list_is_counted_and_found_in_an_index(records, name, filters, sort_by, descending):
    """SQLite reads no record to count a list or to skip to its page, and sorts only the page."""
    table = RecordTable(records._pool, TABLES[name])
    query = Query(filters, sort_by=sort_by, descending=descending, offset=500)
    statements = asked(table, query)
    assert len(statements) == 2
    with records._pool.reading() as connection:
        for statement in statements:
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
            (read,) = [detail for detail in plan if "INTEGER PRIMARY KEY" not in detail and name in detail]
            assert f"USING COVERING INDEX {name}_by_" in read
            assert f"_by_{sort_by}" in read or "count(*)" in statement


@pytest.mark.parametrize("sort_by", ["id", "name"])
@pytest.mark.parametrize("descending", [True, False])
def test_whole_statements_of_pages(records, recorded, sort_by, descending):
    """What SQLite is asked for pages: of all records, of favorites, and of searches."""
    settings = {"sort_by": sort_by, "descending": descending, "limit": 2}
    lists = [
        Query(filters, offset=800, **settings)
        for filters in ({"template_id": 1}, {"template_id": 1, "favorite": True})
    ]
    searches = [
        Query({"template_id": 1}, term, search_by, offset=1, **settings)
        for term, search_by in (("Name 12", "name"), ("nothing", "result"))
    ]
    recorded(f"{sort_by} {'down' if descending else 'up'}", asked(records, *lists, *searches))


def test_whole_statements_of_a_record(recorded):
    """What SQLite is asked to insert, list, read, update and delete a record, and its answers."""
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
