"""Files that older releases wrote are read by this one.

``make.py`` wrote the folders beside this file, each with the release it is named after; they are not to be rewritten:

- ``journal.jsonl``: three batches at ``https://content.example.com``. The last line of one creation is missing, as
  after a kernel was killed. ``journal.json``: its place under ``INKFRAME_HOME``, and the records of that service.
- ``table.jsonl``, from 0.3: the same of a table with generated columns (``table.csv``), and of records that were created
  one by one. ``table.json``: its place and the records.
- ``images.parquet``: a snapshot of the images of that service. ``images.json``: what it holds.
- ``library.db.gz``: a local library with an image and three documents. ``library.json``: what it holds.
- ``local.parquet``: a snapshot of the documents of the library, saved with an edited cell that was not pushed.
- ``files/``: downloads from the library.
- ``ratings.jsonl``, from 0.2: two ratings, one with its reason.
- ``notebook.ipynb``: executed on a copy of the library, with a form and the saved state of its widgets.
"""

import base64
import json
import os
import re
import shutil
from io import BytesIO
from pathlib import Path

import pandas as pd
import PIL.Image
import pytest
from tests.cases import type_name

import inkframe as ink

from .make import (
    BALL,
    DOCUMENTS,
    ENSURED,
    IMAGES,
    KETTLE,
    LOST,
    SHOP,
    SINGLE,
    fill_table,
    filled_service,
    frame_data,
    open_client,
    pixels,
    plan_rows,
    unpack_library,
)

HERE = Path(__file__).parent
RELEASES = ("0.1", "0.2", "0.3")
WIDGETS = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(params=RELEASES)
def release(request):
    """The folder of a release."""
    return HERE / request.param


@pytest.fixture
def written(release):
    """Return a function that reads a file of the release as JSON."""
    return lambda name: json.loads((release / name).read_text(encoding="utf-8"))


@pytest.fixture
def service(release):
    """A service with the records of the journal, at any address."""
    return filled_service(release)


@pytest.fixture
def client(service):
    with open_client(service) as client:
        yield client


@pytest.fixture
def library_client(release, tmp_path):
    """A client of a copy of the library."""
    with ink.connect(library=unpack_library(release, tmp_path)) as client:
        yield client


@pytest.fixture
def notebook(release):
    import nbformat  # here: it takes two seconds to load

    return nbformat.reads((release / "notebook.ipynb").read_text(encoding="utf-8"), as_version=4)


def planned(report):
    return report[["id", "column", "old", "new", "outcome"]].to_numpy().tolist()


@pytest.mark.parametrize("place", ["given", "default"])
def test_a_journal_prevents_creating_again(release, written, service, client, tmp_path, place):
    """The rows of its batches exist, also the row whose answer was lost, and nothing is created."""
    name = written("journal.json")["name"]
    journal = tmp_path / "own.jsonl" if place == "given" else Path(os.environ["INKFRAME_HOME"]) / name
    journal.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(release / "journal.jsonl", journal)
    option = {"journal": journal} if place == "given" else {}
    images = client.images.create_many(IMAGES, **option)
    documents = client.documents.create_many(DOCUMENTS, **option)
    runs = client.documents.create_many(plan_rows(), **option)
    assert [*images["id"], *documents["id"], *runs["id"]] == [1, 2, 3, 1, 2, 3, 4, 5, 6, 7]
    for frame in (images, documents, runs):
        assert frame["status"].tolist() == ["existing"] * len(frame)
    assert runs["id"].iloc[LOST] == written("journal.json")["lost"]
    assert runs["result"].notna().all()
    assert (service.generations, client.created) == (0, 0)
    assert not [request for request in service.requests if request.method != "GET"]


@pytest.mark.parametrize("table", ["new", "from a file"])
def test_a_table_creates_nothing_again(tmp_path, table):
    """The rows of its journal have their texts and pictures, and so have records that were created one by one."""
    service = filled_service(HERE / "0.3", "table.json")
    facts = json.loads((HERE / "0.3" / "table.json").read_text(encoding="utf-8"))
    journal = Path(os.environ["INKFRAME_HOME"]) / facts["name"]
    journal.parent.mkdir(parents=True)
    shutil.copy(HERE / "0.3" / "table.jsonl", journal)
    with open_client(service) as client:
        shop = pd.DataFrame(SHOP) if table == "new" else pd.read_csv(HERE / "0.3" / "table.csv")
        shop = fill_table(client, shop)
        single, ensured = client.documents.ensure(**SINGLE), client.documents.ensure(**ENSURED)
    assert [*shop["text_id"], *shop["picture_id"], single.id, ensured.id] == [1, 2, 1, 2, 3, 4]
    assert not [request for request in service.requests if request.method != "GET"]


@pytest.mark.parametrize("folder", RELEASES[1:])
def test_ratings_are_read(folder):
    """Both ratings have their value, their reason and their rater."""
    ratings = ink.load_ratings(HERE / folder / "ratings.jsonl")
    assert ratings["value"].tolist() == [4, 2]
    assert ratings["reason"].fillna("").tolist() == ["clear", ""]
    assert ratings["rater"].tolist() == ["a rater"] * 2


def data_of(frame):
    """Return the content of a frame, with the names that every version of pandas has for the types."""
    found = frame_data(frame)
    found["index"][1] = type_name(frame.index.dtype)
    return found | {"columns": {name: type_name(frame[name].dtype) for name in found["columns"]}}


def test_a_library_holds_the_same_records(library_client, written):
    """Every record, every column and the picture are those that the release showed."""
    for name in ("images", "documents"):
        before = written("library.json")[name]
        now = data_of(getattr(library_client, name).all())
        # Where the local service keeps its pictures, and further columns, are not part of the promise.
        kept = [column for column in before["columns"] if column != "picture_url"]
        assert now["index"] == before["index"]
        assert [now["columns"][column] for column in kept] == [before["columns"][column] for column in kept]
        assert columns_of(now, kept) == columns_of(before, kept)
    assert pixels(library_client.images.get(1).picture) == written("library.json")["picture"]
    assert library_client.documents.list(search="ünïcode", search_by="result").index.tolist() == [1]


def columns_of(data, names):
    places = [list(data["columns"]).index(name) for name in names]
    return [[row[place] for place in places] for row in data["rows"]]


def test_a_library_is_written_to(library_client):
    """Ensure finds existing records, and new records get the next ids."""
    assert library_client.images.ensure(name="Ball", **BALL).id == 1
    assert library_client.documents.ensure(name="Kettle 0", creativity="Repetitive", **KETTLE).id == 1
    prompt = ink.compose_prompt("FAQ", "the Quiet Kettle")
    assert library_client.documents.ensure(name="Questions", prompt=prompt, creativity=1).id == 3
    assert library_client.created == 0
    assert library_client.documents.create(name="New", prompt="Something new").id == 4
    library_client.documents.delete(2)
    assert sorted(library_client.documents.all().index) == [1, 3, 4]


def test_a_snapshot_is_the_frame_that_was_saved(release, written):
    """Load returns the values, types, categories, index and attributes that were saved."""
    assert data_of(ink.load(release / "images.parquet")) == written("images.json")


@pytest.mark.parametrize("how", ["collection", "accessor"])
def test_a_snapshot_knows_what_was_fetched(release, service, client, how):
    """A push of an edited snapshot plans exactly the edited cell, and sees what others changed."""
    frame = ink.load(release / "images.parquet")
    push = client.images.push if how == "collection" else lambda frame, **options: frame.ink.push(**options)
    assert planned(push(frame, dry_run=True)) == []
    frame.loc[2, "name"] = "Edited"
    assert planned(push(frame, dry_run=True)) == [[2, "name", "Ball", "Edited", "planned"]]
    service.images[2]["name"] = "Changed by others"
    assert planned(push(frame, dry_run=True)) == [[2, "name", "Ball", "Edited", "conflict"]]


def test_a_snapshot_of_a_library_keeps_its_edits(release, library_client, written):
    """A cell that was edited before saving is pushed to the library after loading."""
    frame = ink.load(release / "local.parquet")
    before = written("library.json")["documents"]
    now = data_of(frame)
    before["rows"][1][0] = "Edited before it was saved"
    assert {name: now[name] for name in now if name != "attrs"} == {
        name: before[name] for name in before if name != "attrs"
    }
    assert now["attrs"]["completeness"] == "exact"
    report = planned(library_client.documents.push(frame))
    assert report == [[2, "name", "Kettle 0.5", "Edited before it was saved", "changed"]]
    assert library_client.documents.get(2).name == "Edited before it was saved"


def test_downloaded_files_are_opened(release, written):
    """Settings and texts come back from a picture and from Markdown."""
    data = written("library.json")
    image = dict(zip(data["images"]["columns"], data["images"]["rows"][0], strict=True))
    found = ink.open_file(release / "files" / "1-Ball.png")
    assert found["id"] == 1
    assert {name: found.get(name) for name in image if name != "picture_url"} == {
        name: value for name, value in image.items() if name != "picture_url"
    }
    with PIL.Image.open(release / "files" / "1-Ball.png") as picture:
        assert pixels(picture) == data["picture"]
    documents = data["documents"]
    for name, row in (("1-Kettle-0.md", 2), ("3-Questions.md", 0)):
        expected = dict(zip(documents["columns"], documents["rows"][row], strict=True))
        found = ink.open_file(release / "files" / name)
        assert found["id"] == documents["index"][2 + row]
        assert {name: found.get(name) for name in expected} == expected


def test_the_outputs_of_a_notebook_are_whole(notebook):
    """Every cell has an output with plain text, and each picture in it can be decoded."""
    import nbformat

    nbformat.validate(notebook)
    pictures = 0
    for cell in notebook.cells[1:]:
        data = cell.outputs[0].data
        assert data["text/plain"]
        for found in re.findall(r"data:(image/\w+);base64,([^\"']+)", data.get("text/html", "")):
            pictures += 1
            with PIL.Image.open(BytesIO(base64.b64decode(found[1]))) as picture:
                assert picture.get_format_mimetype() == found[0]
                picture.load()
    assert pictures == 2
    image, document, gallery, frame, form = (
        cell.outputs[0].data["text/plain"] for cell in notebook.cells[1:]
    )
    assert "a red ball" in image
    assert "by *hand*: ünïcode, 東京" in document
    assert "Ball" in gallery
    assert "Questions" in frame
    assert "client.documents.create(" in form


def test_the_widget_state_of_a_notebook_is_whole(notebook):
    """The state has the view that is shown, and every model that another one names."""
    state = notebook.metadata.widgets[WIDGETS]
    assert state["version_major"] == 2
    views = [
        output.data[VIEW]["model_id"]
        for cell in notebook.cells
        for output in cell.outputs
        if VIEW in output.get("data", {})
    ]
    named = set(re.findall(r"IPY_MODEL_(\w+)", json.dumps(state["state"])))
    assert len(views) == 1
    assert {*views, *named} <= set(state["state"])
    for model in state["state"].values():
        assert {"model_name", "model_module", "model_module_version", "state"} <= set(model)


@pytest.mark.integration
def test_a_notebook_is_converted(notebook):
    """The notebook becomes a page with its records and the state of its widgets."""
    from nbconvert import HTMLExporter

    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert 'alt="Ball: a red ball"' in page
    assert "ünïcode, 東京" in page
    assert WIDGETS in page
