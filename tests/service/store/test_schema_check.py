"""The schema of a library is ours alone."""

import sqlite3
from contextlib import closing

import pytest

from inkframe.errors import ConfigurationError
from inkframe.service import Service
from inkframe.service.store import open_library

TRIGGER = "CREATE TRIGGER evil AFTER INSERT ON documents BEGIN DELETE FROM images; END"


def alter(path, *statements):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        for statement in statements:
            other.execute(statement)


@pytest.fixture
def library(tmp_path):
    path = tmp_path / "library"
    open_library(path).close()
    return path


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ([TRIGGER], "a foreign trigger 'evil'"),
        (["CREATE VIEW spy AS SELECT * FROM documents"], "a foreign view 'spy'"),
        (["CREATE UNIQUE INDEX one ON documents (name)"], "a foreign index 'one'"),
        (
            ["ALTER TABLE counters RENAME TO kept", "CREATE VIEW counters AS SELECT * FROM kept"],
            "a foreign view 'counters', no table 'counters'",
        ),
        (["DROP TRIGGER images_imports_delete"], "no trigger 'images_imports_delete'"),
        (
            [
                "DROP TRIGGER images_imports_delete",
                "CREATE TRIGGER images_imports_delete AFTER DELETE ON images BEGIN DELETE FROM imports; END",
            ],
            "a changed trigger 'images_imports_delete'",
        ),
        (["ALTER TABLE documents ADD COLUMN spy TEXT DEFAULT (1)"], "a changed table 'documents'"),
        (
            ["ALTER TABLE documents ADD COLUMN spy TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL"],
            "a changed table 'documents'",
        ),
    ],
)
def test_a_schema_that_is_not_ours_is_refused_unchanged(library, statements, said):
    """Whatever would run or fail with our writes is named, and the file is not written."""
    alter(library, *statements)
    before = library.read_bytes()
    with pytest.raises(ConfigurationError) as caught:
        open_library(library)
    assert said in str(caught.value)
    assert str(caught.value).count("\n") == 1
    assert library.read_bytes() == before


@pytest.mark.integration
def test_tables_and_statistics_of_others_are_accepted(library):
    """A table of one's own with its index, and the statistics of SQLite, change nothing of ours."""
    alter(library, "CREATE TABLE notes (text)", "CREATE INDEX notes_by_text ON notes (text)", "ANALYZE")
    open_library(library).close()


@pytest.mark.integration
def test_a_trigger_that_is_added_later_is_refused_before_the_next_write(library, engine, connect):
    """The schema is compared again after every change of it, also in a service that is running."""
    form = {"name": "n", "prompt": "p"}
    with Service(library, engine=engine) as service, connect(service) as client:
        assert client.post("/api/v1/documents", data=form).status_code == 201
        alter(library, TRIGGER)
        refused = client.post("/api/v1/documents", data=form)
        assert refused.status_code == 500
        assert "a foreign trigger 'evil'" in refused.json()["message"]
        assert client.get("/api/v1/documents").json()["meta"]["total"] == 1
        alter(library, "DROP TRIGGER evil")
        assert client.post("/api/v1/documents", data=form).status_code == 201
