"""Migrations of older files."""

# ruff: noqa: S608  # the names in the SQL are those of our own tables

import random
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import blake2b
from string import ascii_letters

import pytest

import inkframe as ink
from inkframe.service import Service
from inkframe.service.store import check_library, open_library
from inkframe.service.store.library import APPLICATION_ID, MIGRATIONS, SHADOWS, migrate

MOMENT = "2025-01-06T07:30:00.000000Z"
#: The columns of documents that every version has.
DOCUMENT = "id, name, template_id, prompt, creativity, result, favorite, created_at, updated_at"


def write_library(path, version):
    """Write a library of a version with two documents and an image, as that version did."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.create_function(
            "fold", 1, lambda text: text.casefold().replace("\0", "\ufffd"), deterministic=True
        )
        connection.create_function("folded", 1, str.casefold)
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, version)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.executemany(
            f"INSERT INTO documents ({DOCUMENT}) VALUES (?, ?, 1, 'p', 0.5, ?, ?, ?, ?)",
            [(5000, "Kettle", "Über Kessel", 1, MOMENT, MOMENT), (9, "Pot", "on pots", 0, MOMENT, MOMENT)],
        )
        connection.execute(
            "INSERT INTO images VALUES (3, 'Harbor', 'd', '256x256', 'anime', NULL, NULL, 0, ?, ?)",
            (MOMENT, MOMENT),
        )
        connection.execute("INSERT INTO pictures VALUES (3, x'89', 'digest')")


def add_documents(path):
    """Add documents to a library of the last version with trigrams, of which these need as much room as the texts."""
    chance = random.Random(8)
    texts = ("".join(chance.choices(ascii_letters + "ÉÜ", k=300)) for _ in range(2000))
    with closing(sqlite3.connect(path)) as connection:
        connection.create_function("fold", 1, str.casefold)
        connection.executemany(
            f"INSERT INTO documents ({DOCUMENT}) VALUES (NULL, 'n', 1, '', 0.5, ?, 0, '', '')",
            zip(texts, strict=True),
        )
        connection.commit()


def contents(path):
    """Return the rows of the tables of records, with the columns that every version has."""
    columns = {"images": "*", "pictures": "*", "documents": DOCUMENT, "counters": "*"}
    with closing(sqlite3.connect(path)) as connection:
        return {
            table: connection.execute(f"SELECT {names} FROM {table} ORDER BY 1").fetchall()
            for table, names in columns.items()
        }


@pytest.fixture
def old_library(tmp_path):
    """Return a file with the first schema, two documents and an image."""
    path = tmp_path / "old.inkframe"
    write_library(path, 1)
    return path


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_records_of_an_older_file_are_listed_counted_and_found(tmp_path, version, engine, connect):
    """A library of every version opens with all of its records; lists and searches include them."""
    write_library(tmp_path / "old", version)
    before = contents(tmp_path / "old")
    assert check_library(tmp_path / "old") == version
    open_library(tmp_path / "old").close()
    assert contents(tmp_path / "old") == before
    assert check_library(tmp_path / "old") == len(MIGRATIONS)
    with Service(tmp_path / "old", engine=engine) as service, connect(service) as client:
        page = client.get("/api/v1/documents").json()
        assert [record["id"] for record in page["data"]] == [5000, 9]
        assert page["meta"]["total"] == 2
        assert client.get("/api/v1/documents", params={"favorite": "1"}).json()["meta"]["total"] == 1
        params = {"search": "ÜBER", "search_by": "result"}
        assert client.get("/api/v1/documents", params=params).json()["data"][0]["id"] == 5000
        params = {"style": "anime", "search": "harb"}
        assert client.get("/api/v1/images", params=params).json()["meta"]["total"] == 1
        assert client.delete("/api/v1/documents/5000").status_code == 204
        assert client.get("/api/v1/documents").json()["meta"]["total"] == 1


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS) + 1))
def test_a_migrated_file_has_the_schema_of_a_new_one(tmp_path, version):
    """A migrated file and a new file have the same schema."""
    write_library(tmp_path / "old", version)

    def schema(path):
        pool = open_library(path)
        with pool.connection() as connection:
            found = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        pool.close()
        return found

    assert schema(tmp_path / "old") == schema(tmp_path / "new")


def test_the_schema_of_older_versions(recorded):
    """The steps create to the letter what older files have, as the check of their schema requires."""
    schemas = {}
    for version in range(1, len(MIGRATIONS)):
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            connection.create_function("folded", 1, str.casefold)
            migrate(connection, version)
            rows = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
        digest = blake2b(repr([row for row in rows if not row[0].endswith(SHADOWS)]).encode(), digest_size=12)
        schemas[version] = digest.hexdigest()
    recorded("older", schemas)


def test_the_whole_schema(tmp_path, recorded):
    """Every table, index and trigger of a library, the rows of a new one, and the settings of a connection."""
    pool = open_library(tmp_path / "library")
    with pool.connection() as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()
        counters = connection.execute("SELECT * FROM counters").fetchall()
        ((identity,),) = connection.execute("SELECT id FROM identity").fetchall()
        names = (
            "foreign_keys",
            "synchronous",
            "cache_size",
            "temp_store",
            "journal_size_limit",
            "user_version",
        )
        settings = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}
        assert connection.isolation_level is None
    pool.close()
    own = [list(row) for row in rows if not row[1].endswith(SHADOWS)]
    recorded("schema", {"schema": own, "counters": counters, "settings": settings})
    assert re.fullmatch("[0-9a-f]{32}", identity)


def test_a_migration_that_fails_leaves_the_file_as_it_was(old_library, monkeypatch):
    """All steps are applied, or none."""
    broken = ["CREATE TABLE half (x)", "SELECT broken"]
    monkeypatch.setattr("inkframe.service.store.library.MIGRATIONS", (*MIGRATIONS[:2], broken))
    with pytest.raises(ink.ConfigurationError, match="no such column: broken"):
        open_library(old_library)
    connection = sqlite3.connect(old_library)
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert not names & {"half", "documents_totals"}
    connection.close()


KILLED = """
import os, sys
from inkframe.service.store import library, pool

connect = pool.connect

def traced(*args):
    connection = connect(*args)
    connection.set_trace_callback(lambda sql: os._exit(9) if sql.startswith(sys.argv[2]) else None)
    return connection

library.connect = traced
library.open_library(sys.argv[1])
"""


@pytest.mark.integration
@pytest.mark.parametrize(
    "statement",
    ["DROP TABLE documents_result_trigrams", "INSERT INTO documents_folded", "PRAGMA application_id =", "COMMIT", "VACUUM"],
)  # fmt: skip
def test_a_process_killed_during_a_migration_loses_nothing(tmp_path, statement):
    """Wherever the process ends, the library opens afterwards with all of its records."""
    path = tmp_path / "library"
    write_library(path, 6)
    add_documents(path)
    before = contents(path)
    killed = subprocess.run([sys.executable, "-c", KILLED, path, statement], check=False)
    assert killed.returncode == 9
    assert check_library(path) == (len(MIGRATIONS) if statement == "VACUUM" else 6)
    open_library(path).close()
    assert check_library(path) == len(MIGRATIONS)
    assert contents(path) == before


@pytest.mark.parametrize("most", [1_000_000, 10])
def test_a_migrated_file_has_few_free_pages(tmp_path, monkeypatch, most):
    """The pages of dropped tables are returned to the disk, unless the file is so large that this takes long."""
    monkeypatch.setattr("inkframe.service.store.library.MOST_PAGES", most)
    path = tmp_path / "library"
    write_library(path, 6)
    add_documents(path)
    size = path.stat().st_size
    open_library(path).close()
    with closing(sqlite3.connect(path)) as connection:
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    assert (free == 0) == (path.stat().st_size < 0.8 * size) == (most > 10)
