"""Opening library files."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from contextlib import closing

import pytest

from inkframe.errors import ConfigurationError
from inkframe.service.store import inspect_library, open_library, repair_library
from inkframe.service.store.migrations import MIGRATIONS
from inkframe.service.store.schema_check import APPLICATION_ID

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask():
    before = os.umask(0)
    yield
    os.umask(before)


@POSIX
@pytest.mark.usefixtures("open_umask")
def test_new_files_and_folders_are_private(tmp_path):
    """The file, its log, shared memory and new folders are readable by the user only, whatever the umask."""
    path = tmp_path / "one" / "two" / "library.inkframe"
    pool = open_library(path)
    with pool.writing() as connection:
        connection.execute("UPDATE counters SET value = 1")
    made = sorted(path.parent.iterdir())
    assert [file.name for file in made] == [
        "library.inkframe",
        "library.inkframe-shm",
        "library.inkframe-wal",
    ]
    assert {mode(file) for file in made} == {0o600}
    assert mode(tmp_path / "one") == mode(tmp_path / "one" / "two") == 0o700
    pool.close()


@POSIX
def test_what_exists_keeps_its_permissions(tmp_path):
    """An existing folder does not change."""
    tmp_path.chmod(0o755)
    open_library(tmp_path / "library").close()
    assert mode(tmp_path) == 0o755


def test_a_library_is_known_and_kept(tmp_path):
    """The file has its identity, its version and WAL, and keeps its records."""
    path = tmp_path / "library"
    pool = open_library(path)
    with pool.writing() as connection:
        connection.execute("UPDATE counters SET value = 41")
    pool.close()
    pool = open_library(path)
    with pool.connection() as connection:
        assert connection.execute("SELECT value FROM counters").fetchone() == (41,)
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    pool.close()


def test_a_home_folder_is_found(tmp_path, monkeypatch):
    """A path may start with ``~``."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    open_library("~/library").close()
    assert (tmp_path / "library").exists()


def refused(path):
    with pytest.raises(ConfigurationError) as caught:
        open_library(path)
    assert str(path) in str(caught.value)
    assert str(caught.value).count("\n") <= 2
    return str(caught.value)


def test_a_foreign_database_is_rejected_unchanged(tmp_path):
    """A database of another application does not change."""
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE t (x)")
    other.close()
    before = path.read_bytes()
    assert "not an inkframe library" in refused(path)
    assert path.read_bytes() == before


def test_a_file_of_another_kind_is_rejected_unchanged(tmp_path):
    """A file that is not a database does not change."""
    path = tmp_path / "notes.txt"
    path.write_text("notes " * 500)
    refused(path)
    assert path.read_text() == "notes " * 500


def test_a_newer_library_is_rejected(tmp_path):
    """The error for a file of a later version names the remedy."""
    path = tmp_path / "library"
    pool = open_library(path)
    with pool.connection() as connection:
        connection.execute("PRAGMA user_version = 99")
    pool.close()
    assert "pip install --upgrade inkframe" in refused(path)


def test_a_path_that_cannot_be_written_is_rejected(tmp_path):
    """A folder, or a path below a file, is not a library."""
    refused(tmp_path)
    (tmp_path / "file").write_text("")
    refused(tmp_path / "file" / "library")


def failing(error):
    """Return a function that raises an error."""

    def fail(*_):
        raise error

    return fail


@pytest.mark.integration
def test_whole_errors(tmp_path, recorded, monkeypatch):
    """The words for each file that is no library, is damaged, is newer, or cannot be opened."""
    found = {}

    def note(name, path, call=open_library):
        with pytest.raises(ConfigurationError) as caught:
            call(path)
        found[name] = str(caught.value).replace(str(tmp_path), "FOLDER")

    (tmp_path / "text").write_text("notes " * 500)
    with closing(sqlite3.connect(tmp_path / "other", isolation_level=None)) as other:
        other.execute("CREATE TABLE t (x)")
    open_library(tmp_path / "newer").close()
    with closing(sqlite3.connect(tmp_path / "newer", isolation_level=None)) as newer:
        newer.execute("PRAGMA user_version = 99")
    open_library(tmp_path / "altered").close()
    with closing(sqlite3.connect(tmp_path / "altered", isolation_level=None)) as altered:
        for number in range(5):
            altered.execute(f"CREATE VIEW v{number} AS SELECT 1")
    with closing(sqlite3.connect(tmp_path / "old", isolation_level=None)) as old:
        MIGRATIONS[0](old)
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        old.execute("PRAGMA user_version = 1")
    for name in ("text", "other", "newer", "altered"):
        note(name, tmp_path / name)
    note("folder", tmp_path)
    note("below a file", tmp_path / "text" / "library")
    note("inspected", tmp_path / "none", inspect_library)
    note("repaired", tmp_path / "old", repair_library)
    for name in ("SQLITE_FULL", "SQLITE_CORRUPT", "SQLITE_READONLY", "SQLITE_BUSY_SNAPSHOT"):
        error = sqlite3.OperationalError("it failed")
        error.sqlite_errorname = name
        monkeypatch.setattr("inkframe.service.store.library.known_version", failing(error))
        note(name, tmp_path / "library")
        monkeypatch.setattr("inkframe.service.store.inspection.known_version", failing(error))
        note(f"repaired {name}", tmp_path / "library", repair_library)
    monkeypatch.setattr("inkframe.service.store.library.OLDEST_SQLITE", (99, 0))
    note("old SQLite", tmp_path / "library")
    found["old SQLite"] = found["old SQLite"].replace(sqlite3.sqlite_version, "VERSION")
    recorded("errors", found)
