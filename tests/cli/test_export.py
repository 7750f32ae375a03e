import random
import shutil

import pandas as pd
import pytest
from tests.services import FaultyService

import inkframe as ink
from inkframe.cli import main


@pytest.fixture
def library(tmp_path, pen):
    """Return a library with an image and two documents."""
    path = tmp_path / "library.db"
    with ink.connect(library=path) as client:
        client.images.create(
            name="Harbor: at dawn", description="a harbor", resolution="256x256", style="anime"
        )
        client.documents.create(name="Kettle", prompt="It boils.", creativity=0.25)
        client.documents.create(name="Tea", prompt="It steeps.")
    return path


def test_a_library_becomes_tables_and_files(library, tmp_path, capsys):
    """The tables equal the listings, and the file of each record contains its settings."""
    folder = tmp_path / "new" / "out"
    assert main(["export", "--to", str(folder), "--library", str(library)]) == 0
    made = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.*"))
    assert made == [
        "documents.parquet",
        "documents/1-Kettle.md",
        "documents/2-Tea.md",
        "images.parquet",
        "images/1-Harbor-at-dawn.png",
    ]
    printed = capsys.readouterr().out
    assert f"{folder / 'documents.parquet'}: 2 documents, exact\n{folder / 'documents'}: 2 files\n" in printed
    with ink.connect(library=library) as client:
        for name in ("images", "documents"):
            assert ink.load(folder / f"{name}.parquet").equals(getattr(client, name).all())
    image = ink.open_file(folder / "images/1-Harbor-at-dawn.png")
    assert (image["name"], image["style"], image["description"]) == ("Harbor: at dawn", "anime", "a harbor")
    document = ink.open_file(folder / "documents/1-Kettle.md")
    assert (document["result"], document["creativity"], document["id"]) == ("It boils.", 0.25, 1)


@pytest.mark.parametrize("name", ["images/1-Harbor-at-dawn.png", "documents/2-Tea.md"])
def test_an_export_replaces_only_its_own_files(library, tmp_path, capsys, name):
    """A file of someone else in place of that of a record is kept and listed; all else is written."""
    folder = tmp_path / "out"
    assert main(["export", "--to", str(folder), "--library", str(library)]) == 0
    own = (folder / name).read_bytes()
    for other in (b"mine", own.replace(b"local demo service", b"https://other.test")):
        (folder / name).write_bytes(other)
        (folder / "documents/1-Kettle.md").write_bytes(
            (folder / "documents/1-Kettle.md").read_bytes().replace(b"It boils", b"It did")
        )
        capsys.readouterr()
        assert main(["export", "--to", str(folder), "--library", str(library)]) == 1
        assert f"{name.partition('/')[2]} already exists in" in capsys.readouterr().out
        assert (folder / name).read_bytes() == other
        assert ink.open_file(folder / "documents/1-Kettle.md")["result"] == "It boils."


def test_an_export_does_not_replace_that_of_another_library(library, tmp_path, pen, capsys):
    """Tables and files of another library stay as they are, also if ids and names are equal."""
    folder, other = tmp_path / "out", tmp_path / "other.db"
    with ink.connect(library=other) as client:
        client.documents.create(name="Kettle", prompt="Another text.")
    assert main(["export", "--to", str(folder), "--library", str(library)]) == 0
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    assert main(["export", "--to", str(folder), "--library", str(other)]) == 1
    assert f"{folder / 'images.parquet'} is not an export of these images." in capsys.readouterr().err
    for table in folder.glob("*.parquet"):
        table.unlink()
    assert main(["export", "--to", str(folder), "--library", str(other)]) == 1
    assert "  1: 1-Kettle.md already exists in" in capsys.readouterr().out
    assert {path: path.read_bytes() for path in folder.rglob("*.*") if path.suffix != ".parquet"} == {
        path: data for path, data in before.items() if path.suffix != ".parquet"
    }


@pytest.mark.parametrize("kind", ["text", "frame", "images", "damaged"])
def test_a_table_of_someone_else_is_kept(library, tmp_path, capsys, kind):
    """What is no export of these documents is refused before anything is written."""
    folder, table = tmp_path / "out", tmp_path / "out" / "documents.parquet"
    folder.mkdir()
    if kind == "text":
        table.write_text("mine")
    elif kind == "frame":
        ink.save(pd.DataFrame({"a": [1]}), table)
    else:
        with ink.connect(library=library) as client:
            ink.save(client.images.all(), table)
        data = table.read_bytes()
        table.write_bytes(data if kind == "images" else data[:-20])
    before = table.read_bytes()
    assert main(["export", "--to", str(folder), "--library", str(library)]) == 1
    assert f"{table} is not an export of these documents.\nNothing was written." in capsys.readouterr().err
    assert (table.read_bytes(), list(folder.iterdir())) == (before, [table])


def test_a_service_can_be_exported(tmp_path, monkeypatch, capsys):
    """The key is looked up as in connect(), and a picture that cannot be fetched is listed."""
    service = FaultyService("list_brief", images=2, documents=1)
    monkeypatch.setenv("INKFRAME_API_KEY", service.key)
    monkeypatch.setattr("tests.services.reference_service.draw", lambda _number: b"<svg/>")
    with service.serve() as address:
        assert main(["export", "--from", address, "--to", str(tmp_path / "out")]) == 1
    printed = capsys.readouterr().out
    assert "images: 0 files" in printed.replace(str(tmp_path / "out") + "/", "")
    assert "  2: The picture must be PNG, JPEG, WEBP or GIF, got" in printed
    assert ink.load(tmp_path / "out" / "documents")["result"].notna().all()


def test_the_library_of_the_lab_is_named(library, tmp_path, monkeypatch, capsys):
    """Without ``--library``, the export says what it takes and where that of the lab is, also if there is none."""
    home = tmp_path / "home"
    monkeypatch.setenv("INKFRAME_LIBRARY", str(home / "library.db"))
    (home / "lab").mkdir(parents=True)
    shutil.copy(library, home / "lab" / "library.db")
    assert main(["export", "--to", str(tmp_path / "out")]) == 1
    named = f"inkframe lab uses another one: --library {home / 'lab' / 'library.db'}"
    assert capsys.readouterr().err.strip().endswith(f"There is no library {home / 'library.db'}.\n{named}")
    shutil.copy(library, home / "library.db")
    assert main(["export", "--to", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(
        f"Library: {home / 'library.db'}\nThat of inkframe lab is another one: --library {home}"
    )
    assert main(["export", "--to", str(tmp_path / "out2"), "--library", str(library)]) == 0
    assert "lab" not in capsys.readouterr().out.replace(str(tmp_path), "")


def test_a_missing_library_is_not_created(tmp_path, capsys):
    """A misspelled name is an error."""
    assert main(["export", "--to", str(tmp_path / "out"), "--library", str(tmp_path / "none.db")]) == 1
    assert "There is no library" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(library, tmp_path, capsys):
    """The error says that it cannot be written."""
    (tmp_path / "file").touch()
    assert main(["export", "--to", str(tmp_path / "file"), "--library", str(library)]) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_library_in_a_read_only_folder_is_exported(library, locked, tmp_path, capsys):
    """Nothing is written beside the library, and the line of the client says that it is read-only."""
    folder, lock = locked
    shutil.copy(library, folder / "library.db")
    out = folder.parent / "out"
    out.mkdir()
    out.chmod(0o777)
    # Once before, since another user cannot load modules from everywhere.
    assert main(["export", "--to", str(tmp_path), "--library", str(library)]) == 0
    lock()
    capsys.readouterr()
    assert main(["export", "--to", str(out), "--library", str(folder / "library.db")]) == 0
    assert "library.db; read-only." in capsys.readouterr().out
    assert len(ink.load(out / "documents.parquet")) == 2
    assert (out / "images" / "1-Harbor-at-dawn.png").exists()
    assert [path.name for path in folder.iterdir()] == ["library.db"]


def test_an_export_follows_no_link_out_of_its_folder(library, tmp_path, capsys):
    """Where a folder of files is a link to another place, nothing is written there."""
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / "images").symlink_to(elsewhere)
    assert main(["export", "--to", str(folder), "--library", str(library)]) == 1
    assert "is a link out of the folder" in capsys.readouterr().err
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("fits", [True, False])
def test_a_full_disk_ends_an_export(tmp_path, pen, capsys, full_disk, fits):
    """A table or a file of a record that is too large is an error, no part of it stays, and all else is whole."""
    path, folder = tmp_path / "library.db", tmp_path / "out"
    # The table compresses the repeated text.
    text = "word " * 50_000 if fits else random.Random(1).randbytes(200_000).hex()
    with ink.connect(library=path) as client:
        client.documents.create(name="Long", prompt=text)
        client.documents.create(name="Short", prompt="It boils.")
    with full_disk(100_000):
        assert main(["export", "--to", str(folder), "--library", str(path)]) == 1
    said = capsys.readouterr()
    files = sorted(file.name for file in folder.rglob("*") if file.is_file())
    if fits:
        assert files == ["2-Short.md", "documents.parquet", "images.parquet"]
        assert f"{folder / 'documents'}: 1 files\n  1: 1-Long.md cannot be written to" in said.out
    else:
        assert files == ["images.parquet"]
        assert (
            f"documents.parquet cannot be written to {folder}: File too large.\nFree some space" in said.err
        )
