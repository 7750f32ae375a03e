from __future__ import annotations

import pytest

import inkframe as ink
from inkframe.cli import main
from inkframe.testing import FaultyService


@pytest.fixture
def library(tmp_path, pen):
    """A library with an image and two documents."""
    path = tmp_path / "library.db"
    with ink.connect(library=path) as client:
        client.images.create(
            name="Harbour: at dawn", description="a harbour", resolution="256x256", style="anime"
        )
        client.documents.create(name="Kettle", prompt="It boils.", creativity=0.25)
        client.documents.create(name="Tea", prompt="It steeps.")
    return path


def test_a_library_becomes_tables_and_files(library, tmp_path, capsys):
    """The tables load as they are shown, and each record is a file from which its settings can be read."""
    folder = tmp_path / "new" / "out"
    assert main(["export", "--to", str(folder), "--library", str(library)]) == 0
    made = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*"))
    assert made == [
        "documents.parquet",
        "documents/1-Kettle.md",
        "documents/2-Tea.md",
        "images.parquet",
        "images/1-Harbour-at-dawn.png",
    ]
    told = capsys.readouterr().out
    assert f"{folder / 'documents.parquet'}: 2 documents, exact\n{folder / 'documents'}: 2 files\n" in told
    with ink.connect(library=library) as client:
        for name in ("images", "documents"):
            assert ink.load(folder / f"{name}.parquet").equals(getattr(client, name).all())
    image = ink.open_file(folder / "images/1-Harbour-at-dawn.png")
    assert (image["name"], image["style"], image["description"]) == ("Harbour: at dawn", "anime", "a harbour")
    document = ink.open_file(folder / "documents/1-Kettle.md")
    assert (document["result"], document["creativity"], document["id"]) == ("It boils.", 0.25, 1)


def test_an_export_can_be_run_again(library, tmp_path):
    """Files are replaced by what the library holds now."""
    folder = tmp_path / "out"
    for text in ("first", "second"):
        with ink.connect(library=library) as client:
            client.documents.update(1, result=text)
        assert main(["export", "--to", str(folder), "--library", str(library)]) == 0
        assert ink.open_file(folder / "documents/1-Kettle.md")["result"] == text


def test_ones_own_library_is_the_default(library, tmp_path, monkeypatch):
    """Without a name it is the library that connect() opens."""
    monkeypatch.setenv("INKFRAME_LIBRARY", str(library))
    assert main(["export", "--to", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "images.parquet").exists()


def test_a_service_can_be_exported(tmp_path, monkeypatch, capsys):
    """It is asked with the key as connect() finds it; a picture that cannot be had is named."""
    service = FaultyService("list_brief", images=2, documents=1)
    monkeypatch.setenv("INKFRAME_API_KEY", service.key)
    monkeypatch.setattr("inkframe.testing.reference_service.draw", lambda _number: b"<svg/>")
    with service.serve() as address:
        assert main(["export", "--from", address, "--to", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().out
    assert "images: 0 files" in told.replace(str(tmp_path / "out") + "/", "")
    assert "  2: The picture must be PNG, JPEG, WEBP or GIF, got" in told
    assert ink.load(tmp_path / "out" / "documents")["result"].notna().all()


def test_a_library_that_is_not_there_is_not_made(tmp_path, capsys):
    """A misspelt name is an error."""
    assert main(["export", "--to", str(tmp_path / "out"), "--library", str(tmp_path / "none.db")]) == 1
    assert "There is no library" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(library, tmp_path, capsys):
    """The error names the place."""
    (tmp_path / "file").touch()
    assert main(["export", "--to", str(tmp_path / "file"), "--library", str(library)]) == 1
    assert "cannot be written" in capsys.readouterr().err
