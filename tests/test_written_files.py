"""Every file that is written for people is written completely or not at all."""

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.cli import doctor as notebooks
from inkframe.cli.doctor import working_folder
from inkframe.system.files import FileCache


def choice():
    """Return a recommendation."""
    levels = np.repeat([0.0, 1.0], 20)
    ratings = levels * 2 + np.tile([1.0, 2.0], 20)
    return ink.analysis.recommend(
        pd.DataFrame({"creativity": levels, "prompt": "p", "rating": ratings}), column="rating"
    )


#: A function for each public call that writes one file: it gets an image, its frame, and the path without suffix.
WRITERS = {
    "csv": lambda _, frame, path: frame.ink.to_csv(path.with_suffix(".csv"), overwrite=True),
    "excel": lambda _, frame, path: frame.ink.to_excel(path.with_suffix(".xlsx"), overwrite=True),
    "image": lambda image, _, path: image.save(path.with_suffix(".png")),
    "parquet": lambda _, frame, path: ink.save(frame, path.with_suffix(".parquet")),
    "recommendation": lambda _, __, path: choice().save(path.with_suffix(".json")),
    "recommendation page": lambda _, __, path: choice().save(path.with_suffix(".html")),
    "report": lambda _, frame, path: ink.report(frame, path.with_suffix(".html")),
}


@pytest.fixture
def image(inkframe_client):
    """Return an image of the embedded service."""
    return inkframe_client.images.create(name="Harbor", description="a harbor", resolution="256x256")


@pytest.fixture
def folder(tmp_path):
    """Return an empty folder."""
    path = tmp_path / "folder"
    path.mkdir()
    return path


def content(folder):
    """Return the bytes of each file in a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# openpyxl closes its temporary file, which does not fit either, when it is collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk_leaves_the_old_file_or_none(writer, image, inkframe_client, folder, full_disk):
    """A file that does not fit is an error; nothing stays of it, and an older file stays as it was."""
    write, frame = WRITERS[writer], inkframe_client.images.list()
    choice()._repr_html_()  # the fonts of plots are found, and remembered in a file, before the disk is full
    with full_disk(10), pytest.raises(ink.InvalidArgument, match="cannot be written"):
        write(image, frame, folder / "a")
    assert content(folder) == {}
    path = write(image, frame, folder / "a")
    before = content(folder)
    assert list(before) == [path.name]
    with full_disk(10), pytest.raises(ink.InvalidArgument, match="cannot be written"):
        write(image, frame, folder / "a")
    assert content(folder) == before


@pytest.mark.parametrize("name", ["images", "documents"])
def test_a_full_disk_leaves_no_half_download(name, misbehaving, folder, full_disk):
    """Each file that does not fit is an error in its row; those of an earlier download stay as they were."""
    client, _ = misbehaving(records=3)
    records = getattr(client, name)
    rows = records.all()
    with full_disk(10):
        done = records.download(rows, folder, progress=False)
    assert done["error"].str.contains("cannot be written").all()
    assert done["path"].isna().all()
    assert content(folder) == {}
    records.download(rows.head(1), folder, progress=False)
    before = content(folder)
    with full_disk(10):
        done = records.download(rows, folder, overwrite=True, progress=False)
    assert done["error"].notna().all()
    assert len(before) == 1
    assert content(folder) == before


def test_a_full_disk_leaves_no_half_notebook(tmp_path, monkeypatch, full_disk):
    """A copy of an example notebook that does not fit is not there, so that the next start copies it."""
    shipped = tmp_path / "package" / "notebooks"
    shipped.mkdir(parents=True)
    (shipped / "01_tour.ipynb").write_bytes(b"x" * 1000)
    monkeypatch.setattr(notebooks, "PACKAGE", tmp_path / "package")
    monkeypatch.chdir(tmp_path)
    with full_disk(10), pytest.raises(ink.InvalidArgument, match="cannot be written"):
        working_folder()
    assert content(tmp_path / "inkframe-notebooks") == {}
    copies = working_folder()
    assert [path.read_bytes() for path in copies.glob("*.ipynb")] == [b"x" * 1000]


def test_a_full_disk_leaves_no_half_thumbnail(folder, full_disk):
    """A small picture that does not fit is not stored; an older one of its key stays as it was."""
    cache = FileCache(folder)
    cache.put("a", b"old")
    with full_disk(10):
        cache.put("a", b"x" * 1000)
        cache.put("b", b"x" * 1000)
    assert content(folder) == {"a": b"old"}
