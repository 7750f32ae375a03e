"""Integrity checks of a library."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import astuple, replace

import pytest

from inkframe.errors import ConfigurationError
from inkframe.schema import RESOURCES
from inkframe.service.store import Finding, inspect_library, open_library, picture_digest, repair_library
from inkframe.service.store.connection import connect
from inkframe.service.store.migrations import KEPT_TOTALS, MIGRATIONS, SEARCHED
from inkframe.service.store.schema_check import APPLICATION_ID

ALL = ["schema", "pages", "records", "pictures", "orphans", "totals", "search", "imports"]
IMAGE = "INSERT INTO images VALUES (?, ?, 'd', '256x256', 'anime', NULL, NULL, 0, '', '')"
DOCUMENT = "INSERT INTO documents VALUES (?, 'Kettle', 1, 'p', 0.5, 'It boils.', 0, '', '')"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a library with two images and three documents, created once."""
    path = tmp_path_factory.mktemp("made") / "library"
    pool = open_library(path)
    with pool.writing() as connection:
        for number, name in ((1, "Harbor"), (2, "Café")):
            connection.execute(IMAGE, (number, name))
            connection.execute("INSERT INTO pictures VALUES (?, ?, ?)", (number, PNG, picture_digest(PNG)))
        for number in (1, 2, 5000):
            connection.execute(DOCUMENT, (number,))
    pool.close()
    return path.read_bytes()


@pytest.fixture
def library(made, tmp_path):
    path = tmp_path / "library"
    path.write_bytes(made)
    return path


@pytest.fixture
def damage(library):
    """Return a function that changes the library without its triggers."""

    def run(*statements):
        with closing(connect(str(library))) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            for statement in statements:
                connection.execute(statement)

    return run


def old_file(path):
    """Create a library with the first schema."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        MIGRATIONS[0](connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")


def problems(library):
    """Return the problems by the name of the check, and whether each can be repaired."""
    return {f.name: (f.problem, f.repairable) for f in inspect_library(library) if f.problem}


@pytest.mark.integration
def test_a_sound_library_is_found_sound(library):
    """Every check reports what it covered, and the file does not change."""
    before = library.read_bytes()
    found = inspect_library(library)
    assert [finding.name for finding in found] == ALL
    assert [finding.problem for finding in found] == [None] * len(ALL)
    details = {finding.name: finding.detail for finding in found}
    assert details["records"] == "2 images, 3 documents"
    assert details["orphans"] == "none"
    assert all(details.values())
    assert details["search"] == "8 texts looked up, all found"
    assert library.read_bytes() == before
    assert [finding.name for finding in inspect_library(library, ("records",))] == ["schema", "records"]


@pytest.mark.integration
@pytest.mark.parametrize(
    ("statement", "name", "words", "repairable"),
    [
        ("DELETE FROM pictures WHERE image_id = 2", "pictures", "1 image (2) without a picture", False),
        (
            "UPDATE pictures SET png = x'00' WHERE image_id = 1",
            "pictures",
            "1 image (1) with a picture that has changed",
            False,
        ),
        ("INSERT INTO pictures VALUES (9, x'00', '')", "orphans", "1 picture (9) without an image", True),
        ("UPDATE documents_totals SET total = total + 1 WHERE block = 0", "totals", "of documents", True),
        ("DELETE FROM images_totals", "totals", "of images", True),
        (
            "INSERT INTO documents_name_trigrams (documents_name_trigrams, rowid, name) VALUES ('delete', 2, 'kettle')",
            "search",
            "1 document (2) not found by name",
            True,
        ),
        (
            "INSERT INTO images_name_trigrams (images_name_trigrams) VALUES ('delete-all')",
            "search",
            "2 images",
            True,
        ),
        ("INSERT INTO imports VALUES ('s', 'images', '1', 77, '')", "imports", "1 image (77)", True),
    ],
)
def test_problems_are_named_and_repaired(library, damage, statement, name, words, repairable):
    """Each kind of damage is found by its own check; derived data is rebuilt, and nothing else changes."""
    damage(statement)
    found = problems(library)
    assert list(found) == [name]
    assert words in found[name][0]
    assert found[name][1] is repairable
    repair_library(library)
    assert problems(library) == ({} if repairable else found)
    with closing(connect(str(library))) as connection:
        assert connection.execute("SELECT count(*) FROM documents").fetchone() == (3,)


def test_damaged_pages_are_found(library):
    """An overwritten page is found and is not reported as repairable."""
    with closing(sqlite3.connect(library)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'documents'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(library.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    library.write_bytes(data)
    found = problems(library)
    assert "damaged" in found["pages"][0] or "could not be checked" in found["pages"][0]
    assert not found["pages"][1]
    with pytest.raises(ConfigurationError, match="cannot be repaired"):
        repair_library(library)


def test_a_file_that_is_cut_is_found(library):
    """Half a file is damaged, not foreign."""
    library.write_bytes(library.read_bytes()[:50_000])
    assert [(each.name, each.problem.split(":")[0]) for each in inspect_library(library)] == [
        ("schema", "the file cannot be read")
    ]


def test_a_file_that_is_not_a_library_is_rejected(tmp_path):
    """A missing file is not created, and another kind of file is not called damaged."""
    with pytest.raises(ConfigurationError, match="There is no library"):
        inspect_library(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    (tmp_path / "notes").write_text("notes " * 1000)
    with pytest.raises(ConfigurationError, match="is not an inkframe library"):
        inspect_library(tmp_path / "notes")
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(ConfigurationError, match="is a database of another application"):
        inspect_library(tmp_path / "other")


def test_a_file_with_an_older_schema_is_checked_up_to_its_version(tmp_path):
    """An empty file and a file with an older schema pass, do not change, and are not repaired."""
    (tmp_path / "empty").touch()
    assert inspect_library(tmp_path / "empty") == [
        Finding("schema", detail="none yet; the file stays empty until its first use")
    ]
    old = tmp_path / "old"
    old_file(old)
    found = inspect_library(old)
    assert [finding.name for finding in found] == ["schema", "pages", "records", "pictures", "orphans"]
    upgraded = "1; upgraded when it is next opened, such as with inkframe.connect(library=…)"
    assert found[0].detail == upgraded
    with pytest.raises(ConfigurationError, match="older schema"):
        repair_library(old)
    with closing(sqlite3.connect(old)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_file_from_before_a_collection_is_not_called_broken(library, monkeypatch):
    """A collection that a later version adds is left out, and the finding says when the file is upgraded."""
    later = replace(RESOURCES["documents"], name="audios")
    for module in ("inspection", "schema_check"):
        monkeypatch.setattr(f"inkframe.service.store.{module}.MIGRATIONS", (*MIGRATIONS, print))
    monkeypatch.setattr("inkframe.service.store.inspection.RESOURCES", {**RESOURCES, "audios": later})
    monkeypatch.setattr(
        "inkframe.service.store.inspection.KEPT_TOTALS", (*KEPT_TOTALS, ("audios", ("favorite",), "0"))
    )
    monkeypatch.setattr("inkframe.service.store.inspection.SEARCHED", (*SEARCHED, ("audios", "name")))
    found = inspect_library(library)
    assert [finding.problem for finding in found] == [None] * len(ALL)
    assert "upgraded when it is next opened, such as with inkframe.connect" in found[0].detail
    assert found[2].detail == "2 images, 3 documents"


def test_foreign_parts_of_the_schema_are_found(library, damage):
    """The check of the schema names a foreign trigger; a library with one is not repaired."""
    damage("CREATE TRIGGER evil AFTER INSERT ON documents BEGIN DELETE FROM images; END")
    assert problems(library) == {"schema": ("a foreign trigger 'evil'", False)}
    with pytest.raises(ConfigurationError, match="a foreign trigger 'evil'"):
        repair_library(library)


@pytest.mark.parametrize("look", [inspect_library, repair_library, open_library])
def test_a_library_that_another_program_has_locked(library, monkeypatch, look):
    """A locked file is not damaged: the error asks to try again, not to repair it."""
    monkeypatch.setattr("inkframe.service.store.connection.PATIENCE", 0)
    library.unlink()
    if look is open_library:
        old_file(library)
    else:
        open_library(library).close()
    with closing(sqlite3.connect(library, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ConfigurationError, match=r"^Another program has .*library open\. Close it"):
            look(library)


@pytest.mark.parametrize("look", [inspect_library, repair_library, open_library])
def test_a_file_that_is_no_database(library, look):
    """The error says so, with both ways to choose another file."""
    library.write_text("hello\n" * 100)
    with pytest.raises(ConfigurationError, match=r"is not an inkframe library\.\n.*library= .*--library"):
        look(library)


def test_whole_findings(library, damage, recorded):
    """Every check of a sound and of a damaged library, with its words."""
    recorded("sound", list(map(astuple, inspect_library(library))))
    damage(
        "DELETE FROM pictures",
        "WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 1019)"
        " INSERT INTO pictures SELECT x, x'00', '' FROM n",
        "WITH RECURSIVE n(x) AS (SELECT 70 UNION ALL SELECT x + 1 FROM n WHERE x < 81)"
        " INSERT INTO imports SELECT 's', 'images', x, x, '' FROM n",
        "UPDATE documents_totals SET total = total + 1 WHERE block = 0",
        "INSERT INTO documents_result_trigrams (documents_result_trigrams) VALUES ('delete-all')",
    )
    recorded("damaged", list(map(astuple, inspect_library(library))))


def test_a_record_that_breaks_its_table_is_found(library, damage):
    """A value that the table forbids is a damage of the file, with what SQLite says of it."""
    damage("PRAGMA ignore_check_constraints = ON", "UPDATE images SET favorite = 7 WHERE id = 2")
    [found] = [each for each in inspect_library(library) if each.name == "pages"]
    assert found.problem == "the file is damaged: CHECK constraint failed in images"
