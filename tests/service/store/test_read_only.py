"""Libraries in folders that cannot be written."""

from __future__ import annotations

import gc
import shutil
import sqlite3
import tempfile
from contextlib import closing

import pytest

from inkframe.errors import ConfigurationError
from inkframe.service import Service
from inkframe.service.store import Closed, check_library, open_library
from inkframe.service.store.library import APPLICATION_ID
from inkframe.service.store.migrations import MIGRATIONS

DOCUMENT = "INSERT INTO documents VALUES (?, 'Kettle', 1, 'p', 0.5, 'It boils.', 0, '', '')"


def add(pool, number):
    with pool.writing() as connection:
        connection.execute(DOCUMENT, (number,))


def ids(pool):
    with pool.reading() as connection:
        return [number for (number,) in connection.execute("SELECT id FROM documents ORDER BY id")]


def contents(folder):
    """Return the content of every file in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def write_first_schema(path):
    """Write a library of the first version, with one document."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        MIGRATIONS[0](connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.execute(DOCUMENT, (7,))


@pytest.fixture
def copies(locked, monkeypatch):
    """Return the folder of the copies."""
    folder = locked[0].parent / "copies"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("statement", ["CREATE VIEW spy AS SELECT * FROM documents", "DROP TABLE imports"])
def test_a_foreign_schema_is_refused_in_a_read_only_folder(locked, statement):
    """A library whose schema is not ours is not read either, so that no view of others is trusted."""
    folder, lock = locked
    open_library(folder / "library").close()
    with closing(sqlite3.connect(folder / "library")) as other:
        other.execute(statement)
        other.commit()
    lock()
    with pytest.raises(ConfigurationError, match="foreign view 'spy'|no table 'imports'"):
        open_library(folder / "library")


def test_a_library_in_a_read_only_folder_is_read_where_it_is(locked, copies):
    """It is listed without a copy or another file beside it; a change is refused."""
    folder, lock = locked
    with closing(open_library(folder / "library")) as pool:
        add(pool, 1)
    before = contents(folder)
    lock()
    with closing(open_library(folder / "library")) as pool:
        assert pool.read_only
        assert ids(pool) == [1]
        with pytest.raises(sqlite3.OperationalError, match=r"^attempt to write a read-only library$"):
            add(pool, 2)
        with pytest.raises(sqlite3.OperationalError, match="readonly"), pool.connection() as connection:
            connection.execute("DELETE FROM documents")
        assert list(copies.iterdir()) == []
    assert contents(folder) == before


def test_a_log_that_is_not_empty_is_read_too(locked, copies):
    """Records that are in the log only are read, from a private copy that is deleted afterwards."""
    folder, lock = locked
    with closing(open_library(folder / "library")) as pool:
        add(pool, 1)
    pool = open_library(folder / "library")
    add(pool, 2)
    shutil.copytree(folder, folder / "killed")  # as a process leaves it that is killed
    pool.close()
    before = contents(folder / "killed")
    assert before["library-wal"]
    lock()
    with closing(open_library(folder / "killed" / "library")) as pool:
        assert ids(pool) == [1, 2]
        (copy,) = copies.iterdir()
        assert copy.stat().st_mode & 0o777 == 0o700
        with pytest.raises(sqlite3.OperationalError, match="readonly"), pool.connection() as connection:
            connection.execute("DELETE FROM documents")
    assert list(copies.iterdir()) == []
    assert contents(folder / "killed") == before


def test_an_older_library_is_not_upgraded(locked, copies):
    """A read-only file with the first schema is read from an upgraded copy, and stays as it is."""
    folder, lock = locked
    write_first_schema(folder / "library")
    before = contents(folder)
    lock()
    pool = open_library(folder / "library")
    assert pool.read_only
    assert ids(pool) == [7]
    del pool
    gc.collect()
    assert list(copies.iterdir()) == []
    assert contents(folder) == before


def test_a_copy_is_not_deleted_by_a_forked_child(locked, copies, in_child):
    """A child reads the copy of its parent, and leaves it there."""
    folder, lock = locked
    pool = open_library(folder / "library")
    add(pool, 1)
    shutil.copytree(folder, folder / "killed")
    pool.close()
    lock()
    with closing(open_library(folder / "killed" / "library")) as pool:
        assert in_child(lambda: (ids(pool), pool.close())) == ([1], None)
        assert ids(pool) == [1]


def test_a_library_that_changes_while_it_is_read_is_refused(locked):
    """A program that may write replaces the file; what was read meanwhile is not returned."""
    folder, lock = locked
    for name, number in (("library", 1), ("other", 2)):
        with closing(open_library(folder / name)) as pool:
            add(pool, number)
    file = (folder / "library").open("r+b")
    other = (folder / "other").read_bytes()
    lock()
    with closing(open_library(folder / "library")) as pool, file:
        assert ids(pool) == [1]
        file.write(other)
        file.flush()
        with pytest.raises(Closed) as caught:
            ids(pool)
        assert str(caught.value) == "Another program changed the library while it was read. Connect again."


def test_a_busy_library_is_not_copied_half(locked, copies, monkeypatch):
    """A library with a log that another program keeps writing to is refused after some tries."""
    folder, lock = locked
    pool = open_library(folder / "library")
    add(pool, 1)
    lock()
    monkeypatch.setattr("inkframe.service.store.pool.PAUSE", 3600)
    monkeypatch.setattr("inkframe.service.store.pool.COPIES", 1)
    monkeypatch.setattr("inkframe.service.store.pool.time.sleep", lambda _: None)
    with pytest.raises(ConfigurationError) as caught:
        open_library(folder / "library")
    assert str(caught.value) == (
        f"Another program is writing to the library {folder / 'library'}.\nTry again when it is closed."
    )
    assert list(copies.iterdir()) == []
    pool.close()


def test_a_read_only_library_is_checked(locked):
    """The check reads a file that cannot be written."""
    folder, lock = locked
    with closing(open_library(folder / "library")) as pool:
        add(pool, 1)
    lock()
    assert check_library(folder / "library") == len(MIGRATIONS)


def test_nothing_is_drawn_for_a_read_only_library(locked, engine, connect):
    """A create is refused before the engine works, and lists go on."""
    folder, lock = locked
    form = {"name": "n", "description": "d", "resolution": "256x256"}
    with Service(folder / "library", engine=engine) as service, connect(service) as client:
        assert client.post("/api/v1/images", data=form).status_code == 201
    lock()
    with Service(folder / "library", engine=engine) as service, connect(service) as client:
        refused = client.post("/api/v1/images", data=form)
        assert refused.status_code == 500
        assert "read-only" in refused.json()["message"]
        assert len(engine.requests) == 1
        assert client.patch("/api/v1/images/1", data={"favorite": "1"}).status_code == 500
        assert client.get("/api/v1/images").json()["meta"]["total"] == 1
        assert service.read_only


def test_a_file_system_that_refuses_to_write_is_read(tmp_path, monkeypatch):
    """Where permissions do not show it, as on some network mounts, SQLite's refusal does."""
    with closing(open_library(tmp_path / "library")) as pool:
        add(pool, 1)
    refusal = sqlite3.OperationalError("attempt to write a readonly database")
    refusal.sqlite_errorname = "SQLITE_READONLY_DBMOVED"

    def refuse(_path):
        raise refusal

    monkeypatch.setattr("inkframe.service.store.library._open", refuse)
    with closing(open_library(tmp_path / "library")) as pool:
        assert pool.read_only
        assert ids(pool) == [1]


def test_a_copy_of_an_older_library_has_the_current_schema(locked, copies):
    """The copy is upgraded: pages are listed from its totals, and its version is that of a new library."""
    folder, lock = locked
    write_first_schema(folder / "library")
    lock()
    with closing(open_library(folder / "library")) as pool, pool.reading() as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("SELECT sum(total) FROM documents_totals").fetchone() == (1,)
