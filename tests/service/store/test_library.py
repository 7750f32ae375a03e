"""Opening library files."""

import os
import sqlite3
import stat
import sys
from contextlib import closing

import pytest

from inkframe.errors import ConfigurationError
from inkframe.service.store import check_library, open_library
from inkframe.service.store.library import APPLICATION_ID, MIGRATIONS, migrate
from inkframe.service.store.pool import connect

DOCUMENT = "INSERT INTO documents VALUES (?, 'Kettle', 1, 'p', 0.5, 'It boils.', 0, '', '', NULL, NULL)"
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


@pytest.fixture
def library(tmp_path):
    """Return a library with two documents."""
    path = tmp_path / "library"
    pool = open_library(path)
    with pool.writing() as connection:
        for number in (1, 2):
            connection.execute(DOCUMENT, (number,))
    pool.close()
    return path


def old_file(path):
    """Create a library with the first schema."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, 1)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def damaged(path):
    """Return what the check of a damaged library says; the file must not change."""
    before = path.read_bytes()
    with pytest.raises(ConfigurationError) as caught:
        check_library(path)
    assert path.read_bytes() == before
    said, _, remedy = str(caught.value).partition("\n")
    assert said.startswith(f"The library {path} is damaged: ")
    assert remedy == f"Recover its records with: sqlite3 {path} .recover | sqlite3 {path}.rescued.db"
    return said


@pytest.mark.integration
def test_a_sound_library_is_found_sound(library):
    """The check returns the version of the schema, and the file does not change."""
    before = library.read_bytes()
    assert check_library(library) == check_library(library, whole=False) == len(MIGRATIONS)
    assert library.read_bytes() == before


@pytest.mark.integration
def test_damaged_pages_are_found(library):
    """An overwritten page is found when the whole file is read."""
    with closing(sqlite3.connect(library)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'documents'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(library.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    library.write_bytes(data)
    damaged(library)
    assert check_library(library, whole=False) == len(MIGRATIONS)


def test_a_file_that_is_cut_is_found(library):
    """Half a file is damaged, not foreign."""
    library.write_bytes(library.read_bytes()[:50_000])
    assert damaged(library).endswith("database disk image is malformed.")


@pytest.mark.integration
def test_a_record_that_breaks_its_table_is_found(library):
    """A value that the table forbids is a damage of the file, with what SQLite says of it."""
    with closing(connect(str(library))) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE documents SET favorite = 7 WHERE id = 2")
    assert damaged(library).endswith(": CHECK constraint failed in documents.")


def test_a_file_that_is_not_a_library_is_not_checked(tmp_path):
    """A missing file is not created, and another kind of file is not called damaged."""
    with pytest.raises(ConfigurationError, match="There is no library"):
        check_library(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(ConfigurationError, match="is a database of another application"):
        check_library(tmp_path / "other")


def test_a_file_with_an_older_schema_is_checked_up_to_its_version(tmp_path):
    """An empty file and a file with an older schema pass, and do not change."""
    (tmp_path / "empty").touch()
    assert check_library(tmp_path / "empty") == 0
    old_file(tmp_path / "old")
    assert check_library(tmp_path / "old") == 1
    with closing(sqlite3.connect(tmp_path / "old")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


@pytest.mark.parametrize("whole", [True, False])
def test_foreign_parts_of_the_schema_are_found(library, whole):
    """A foreign trigger is named without opening the library for writing."""
    with closing(connect(str(library))) as connection:
        connection.execute("CREATE TRIGGER evil AFTER INSERT ON documents BEGIN DELETE FROM images; END")
    with pytest.raises(ConfigurationError, match="a foreign trigger 'evil'"):
        check_library(library, whole=whole)


@pytest.mark.parametrize("look", [check_library, open_library])
def test_a_library_that_another_program_has_locked(tmp_path, monkeypatch, look):
    """A locked file is not damaged: the error asks to try again, not to recover it."""
    monkeypatch.setattr("inkframe.service.store.pool.PATIENCE", 0)
    old_file(tmp_path / "library")
    with closing(sqlite3.connect(tmp_path / "library", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ConfigurationError, match=r"^Another program has .*library open\. Close it"):
            look(tmp_path / "library")


@pytest.mark.parametrize("look", [check_library, open_library])
def test_a_file_that_is_no_database(library, look):
    """The error says so, with both ways to choose another file."""
    library.write_text("hello\n" * 100)
    with pytest.raises(ConfigurationError, match=r"is not an inkframe library\.\n.*library= .*--library"):
        look(library)


def failing(error):
    """Return a function that raises an error."""

    def fail(*_):
        raise error

    return fail


@pytest.mark.integration
def test_whole_errors(tmp_path, recorded, monkeypatch):
    """The words for each file that is no library, is damaged, is newer, or cannot be opened; it stays as it is."""
    found = {}

    def note(name, path, call=open_library):
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(ConfigurationError) as caught:
            call(path)
        assert before == (path.read_bytes() if path.is_file() else None)
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
    open_library(tmp_path / "library").close()
    for name in ("text", "other", "newer", "altered"):
        note(name, tmp_path / name)
    note("folder", tmp_path)
    note("below a file", tmp_path / "text" / "library")
    note("checked", tmp_path / "none", check_library)
    for name in ("SQLITE_FULL", "SQLITE_CORRUPT", "SQLITE_READONLY", "SQLITE_BUSY_SNAPSHOT"):
        error = sqlite3.OperationalError("it failed")
        error.sqlite_errorname = name
        monkeypatch.setattr("inkframe.service.store.library.known_version", failing(error))
        note(name, tmp_path / "library")
        note(f"checked {name}", tmp_path / "library", check_library)
    monkeypatch.setattr("inkframe.service.store.library.OLDEST_SQLITE", (99, 0))
    note("old SQLite", tmp_path / "library")
    found["old SQLite"] = found["old SQLite"].replace(sqlite3.sqlite_version, "VERSION")
    recorded("errors", found)
