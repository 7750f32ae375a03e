"""Migrations of older files."""

# ruff: noqa: S608  # the names in the SQL are those of our own tables

from __future__ import annotations

import re
import sqlite3

import pytest

from inkframe.service import Service
from inkframe.service.store import open_library
from inkframe.service.store.library import APPLICATION_ID, SHADOWS
from inkframe.service.store.migrations import MIGRATIONS
from inkframe.service.store.pool import fold

MOMENT = "2025-01-06T07:30:00.000000Z"


@pytest.fixture
def old_library(tmp_path):
    """Return a file with the first schema, two documents and an image."""
    path = tmp_path / "old.inkframe"
    connection = sqlite3.connect(path, isolation_level=None)
    MIGRATIONS[0](connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.executemany(
        "INSERT INTO documents VALUES (?, ?, 1, 'p', 0.5, ?, ?, ?, ?)",
        [(5000, "Kettle", "Über Kessel", 1, MOMENT, MOMENT), (9, "Pot", "on pots", 0, MOMENT, MOMENT)],
    )
    connection.execute(
        "INSERT INTO images VALUES (3, 'Harbor', 'd', '256x256', 'anime', NULL, NULL, 0, ?, ?)",
        (MOMENT, MOMENT),
    )
    connection.close()
    return path


def test_records_of_an_older_file_are_listed_counted_and_found(old_library, engine, connect):
    """Totals, indexes and search include the records from before the migration."""
    with Service(old_library, engine=engine) as service, connect(service) as client:
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


def test_a_migrated_file_has_the_schema_of_a_new_one(old_library, tmp_path):
    """A migrated file and a new file have the same schema."""

    def schema(path):
        pool = open_library(path)
        with pool.connection() as connection:
            found = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        pool.close()
        return found

    assert schema(old_library) == schema(tmp_path / "new")


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

    def broken(connection):
        connection.execute("CREATE TABLE half (x)")
        raise RuntimeError("broken")

    monkeypatch.setattr("inkframe.service.store.migrations.MIGRATIONS", (*MIGRATIONS[:2], broken))
    with pytest.raises(RuntimeError):
        open_library(old_library)
    connection = sqlite3.connect(old_library)
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    assert not names & {"half", "documents_totals"}
    connection.close()


def test_stored_totals_match_the_counts(client, service, new_image, new_document):
    """After creates, updates and deletes the stored totals match the counts, and the index is intact."""
    images = [new_image(style=style)["id"] for style in ("anime", "retro", "anime")]
    documents = [new_document(name=name)["id"] for name in ("a one", "b two", "c three")]
    client.patch(f"/api/v1/images/{images[0]}", data={"favorite": "1"})
    client.patch(f"/api/v1/documents/{documents[0]}", data={"favorite": "1", "name": "new name"})
    client.delete(f"/api/v1/images/{images[1]}")
    client.delete(f"/api/v1/documents/{documents[1]}")
    with service.pool.connection() as connection:
        for table, column in (("images", "style"), ("documents", "template_id")):
            counted = connection.execute(
                f"SELECT {column}, favorite, count(*) FROM {table} GROUP BY 1, 2 ORDER BY 1, 2"
            ).fetchall()
            kept = connection.execute(
                f"SELECT {column}, favorite, sum(total) FROM {table}_totals"
                " GROUP BY 1, 2 HAVING sum(total) > 0 ORDER BY 1, 2"
            ).fetchall()
            assert kept == counted
        for index in ("images_name", "documents_name", "documents_result"):
            connection.execute(f"INSERT INTO {index}_trigrams ({index}_trigrams) VALUES ('integrity-check')")
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT fold('ẞ')").fetchone() == (fold("ß"),)
