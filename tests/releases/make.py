"""Write the files of a release with inkframe as it is installed: ``python -m tests.releases.make FOLDER``.

The folders beside this file were written by the releases that they are named after and stay as they are.
"""

import gzip
import hashlib
import json
import os
import sys
import tempfile
from datetime import datetime
from pathlib import Path

import nbformat
import pandas as pd
from nbclient import NotebookClient

import inkframe as ink

try:
    from tests.services import FaultyService
except ImportError:  # up to release 0.2
    from inkframe.testing import FaultyService

ADDRESS = "https://content.example.com"
BALL = {"description": "a red ball", "resolution": "256x256"}
KETTLE = {"prompt": "Product text for a kettle: quiet & quick"}
IMAGES = [
    BALL | {"name": "Ball"},
    BALL | {"name": "Ball", "repeat": 2},
    BALL | {"name": "東京の夜", "style": "Pop art", "medium": None, "filter": "sepia"},
]
DOCUMENTS = [
    KETTLE | {"name": "Kettle"},
    KETTLE | {"name": "Kettle", "creativity": "Imaginative"},
    KETTLE | {"name": "Kettle", "creativity": 0.25, "repeat": 2, "note": "not sent"},
]
#: The position in the plan of a row of which the journal has "sent" and no more, as after a kernel was killed.
LOST = 1
SOURCES = (
    'import inkframe as ink\n\nclient = ink.connect(library="library.db")',
    "client.images.get(1)",
    "client.documents.get(1)",
    "client.images.gallery(client.images.list())",
    "client.documents.all()",
    'ink.DocumentForm(client, name="Kettle", prompt="Product text for a kettle")',
)

#: A table whose rows get a text and a picture, and records that are created one by one.
SHOP = {"product": ["a kettle", "a lamp"], "look": ["retro", "anime"]}
SINGLE = {"name": "Single", "prompt": "One text"}
ENSURED = {"name": "Ensured", "prompt": "One text that is there once"}
FORM = {"name": "Form", "prompt": "One text of a form"}


def plan_rows():
    """Return a plan of four documents."""
    return ink.plan_documents(
        "About a kettle", name="Kettle {creativity} {repeat}", creativity=[0, "Creative"], repeats=2
    )


def open_client(service, **options):
    """Return a client of a test service under a fixed address."""
    return ink.Client(ADDRESS, service.key, transport=service.transport, **options)


def filled_service(folder, facts="journal.json"):
    """Return a test service with the records that the creations of a journal left behind."""
    service = FaultyService(images=0, documents=0)
    records = json.loads((folder / facts).read_text(encoding="utf-8"))
    for collection in ("images", "documents"):
        for fields in records[collection].values():
            service.insert(collection, **fields)
    return service


def unpack_library(folder, target):
    """Write the library of a folder to another place, and return its path."""
    path = Path(target) / "library.db"
    path.write_bytes(gzip.decompress((folder / "library.db.gz").read_bytes()))
    return path


def frame_data(frame):
    """Return the content of a frame as JSON data."""
    columns = {name: str(frame[name].dtype) for name in frame.columns}
    return {
        "index": [frame.index.name, str(frame.index.dtype), *frame.index.tolist()],
        "columns": columns,
        "categories": {
            name: frame[name].cat.categories.tolist() for name in columns if columns[name] == "category"
        },
        "rows": [[cell_data(cell) for cell in row] for row in frame.itertuples(index=False, name=None)],
        "attrs": frame.attrs["inkframe"],
    }


def cell_data(cell):
    """Return a cell as JSON data."""
    if pd.isna(cell):
        return None
    if isinstance(cell, datetime):
        return cell.isoformat()
    return cell.item() if hasattr(cell, "item") else cell


def pixels(picture):
    """Return a digest of a picture's pixels."""
    return hashlib.sha256(picture.convert("RGB").tobytes()).hexdigest()[:16]


def write_json(path, value):
    """Write data as JSON."""
    path.write_text(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")


def make_journal(folder, home):
    """Write the journal of three batches, its name under ``INKFRAME_HOME``, and the records that were created."""
    service = FaultyService(images=0, documents=0)
    with open_client(service, concurrency=1) as client:
        client.images.create_many(IMAGES)
        client.documents.create_many(DOCUMENTS)
        lost = int(client.documents.create_many(plan_rows())["id"].iloc[LOST])
    (journal,) = home.rglob("*.jsonl")
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    created = [number for number, line in enumerate(lines) if '"created"' in line]
    del lines[created[len(IMAGES) + len(DOCUMENTS) + LOST]]
    (folder / "journal.jsonl").write_text("".join(lines), encoding="utf-8")
    facts = {"name": journal.relative_to(home).as_posix(), "lost": lost}
    write_json(folder / "journal.json", facts | {"images": service.images, "documents": service.documents})


def fill_table(client, table):
    """Return a table with a text and a picture for each row."""
    table = client.documents.write(table, "Describe {product}.")
    return client.images.draw(table, "A photo of {product}", resolution="256x256", style="{look}")


def make_table(folder, home):
    """Write a table with generated columns, the journal of it and of single creates, and the records."""
    service = FaultyService(images=0, documents=0)
    with open_client(service, concurrency=1) as client:
        fill_table(client, pd.DataFrame(SHOP)).to_csv(folder / "table.csv", index=False)
        client.documents.create(**SINGLE)
        client.documents.ensure(**ENSURED)
        ink.DocumentForm(client, **FORM).submit().result()
    (journal,) = home.rglob("*.jsonl")
    journal.rename(folder / "table.jsonl")
    facts = {"name": journal.relative_to(home).as_posix()}
    write_json(folder / "table.json", facts | {"images": service.images, "documents": service.documents})


def make_ratings(folder):
    """Write the ratings of two texts of the service."""
    with open_client(filled_service(folder)) as client:
        panel = ink.RatingPanel(client.documents.all(), path=folder / "ratings.jsonl", rater="a rater")
        panel.rate(4, reason="clear")
        panel.rate(2)


def make_library(folder, home):
    """Write a local library, files downloaded from it, a snapshot with an unsent edit, and what they hold."""
    library = home / "library.db"
    with ink.connect(library=library) as client:
        image = client.images.create(name="Ball", **BALL)
        client.images.update(image, favorite=True)
        for creativity in (0, 0.5):
            client.documents.create(name=f"Kettle {creativity}", creativity=creativity, **KETTLE)
        prompt = ink.compose_prompt("FAQ", "the Quiet Kettle")
        client.documents.create(name="Questions", prompt=prompt, creativity="Imaginative")
        client.documents.update(1, result="# Edited\n\nby *hand*: ünïcode, 東京")
        documents = client.documents.all()
        facts = {
            "images": frame_data(client.images.all()),
            "documents": frame_data(documents),
            "picture": pixels(client.images.get(1).picture),
        }
        client.images.download([1], folder / "files")
        client.documents.download([1, 3], folder / "files")
        documents.loc[2, "name"] = "Edited before it was saved"
        ink.save(documents, folder / "local.parquet")
    (folder / "library.db.gz").write_bytes(gzip.compress(library.read_bytes(), mtime=0))
    write_json(folder / "library.json", facts)


def make_snapshot(folder):
    """Write a frame of a service at an address, and what it holds."""
    with open_client(filled_service(folder)) as client:
        images = client.images.all()
        ink.save(images, folder / "images.parquet")
    write_json(folder / "images.json", frame_data(images))


def make_notebook(folder, home):
    """Execute a notebook beside a copy of the library, and write it with outputs and widget state."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(
        metadata={"kernelspec": kernel},
        cells=[nbformat.v4.new_code_cell(source, id=f"cell-{at}") for at, source in enumerate(SOURCES)],
    )
    unpack_library(folder, home)
    client = NotebookClient(notebook, resources={"metadata": {"path": str(home)}}, record_timing=False)
    # Outputs show the home folder as ~, whoever runs this.
    client.execute(env=os.environ | {"HOME": str(home), "PWD": str(home)})
    nbformat.write(notebook, folder / "notebook.ipynb")


def main(folder):
    """Write all files that the release can write into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"INKFRAME_HOME": home, "INKFRAME_PROGRESS": "0"}
        make_journal(folder, Path(home))
    with tempfile.TemporaryDirectory() as home:
        os.environ["INKFRAME_HOME"] = home
        make_library(folder, Path(home))
        make_snapshot(folder)
        make_notebook(folder, Path(home))
        if "RatingPanel" in ink.__all__:
            make_ratings(folder)
    if "Sheet" in ink.__all__:
        with tempfile.TemporaryDirectory() as home:
            os.environ["INKFRAME_HOME"] = home
            make_table(folder, Path(home))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
