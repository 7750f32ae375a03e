"""Libraries in folders that cannot be written."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from inkframe.errors import ConfigurationError
from inkframe.service import Service
from inkframe.service.store import Closed, check_library, open_library
from inkframe.service.store.library import APPLICATION_ID, MIGRATIONS, migrate

DOCUMENT = (
    "INSERT INTO documents (id, name, template_id, prompt, creativity, result, created_at, updated_at)"
    " VALUES (?, 'Kettle', 1, 'p', 0.5, 'It boils.', '', '')"
)


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
        migrate(connection, 1)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(DOCUMENT, (7,))


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


def test_a_library_in_a_read_only_folder_is_read_where_it_is(locked):
    """It is listed without another file beside it; a change is refused."""
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
    assert contents(folder) == before


def test_a_log_that_is_not_empty_is_refused(locked):
    """Records that are in the log only would be missing, so nothing is read; the way to read them is named."""
    folder, lock = locked
    pool = open_library(folder / "library")
    add(pool, 1)
    shutil.copytree(folder, folder / "killed")  # as a process leaves it that is killed
    pool.close()
    before = contents(folder / "killed")
    lock()
    for read in (open_library, check_library):
        with pytest.raises(ConfigurationError) as caught:
            read(folder / "killed" / "library")
        assert str(caught.value) == (
            f"The library {folder / 'killed' / 'library'} was not closed by its last program. Its folder is read-only.\n"
            "Copy the file and its logs to a folder that can be written, and open the copy."
        )
    assert contents(folder / "killed") == before


def test_an_older_library_is_not_upgraded(locked):
    """A read-only file with the first schema is refused, and stays as it is."""
    folder, lock = locked
    write_first_schema(folder / "library")
    before = contents(folder)
    lock()
    with pytest.raises(
        ConfigurationError, match=r"written by an older inkframe\. Its folder is read-only\.\nCopy"
    ):
        open_library(folder / "library")
    assert contents(folder) == before


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
