"""The progress of everything that takes many requests."""

import pytest
from IPython.utils.capture import capture_output
from tests.services import FaultyService

from inkframe.display import console

NAMES = [f"Kettle {number}" for number in range(6)]
WANTED = [{"name": name, "description": "A kettle", "resolution": "256x256"} for name in NAMES]
DOCUMENTS = [{"name": name, "prompt": "About a kettle", "creativity": 0.5} for name in NAMES]


def push(client):
    """Push an edited frame."""
    frame = client.images.all(progress=False)
    frame["name"] = [f"Edited {number}" for number in frame.index]
    return client.images.push(frame)


#: Each run over six records, with the first words of its bar and the word of a step.
RUNS = {
    "create images": (lambda client: client.images.create_many(WANTED), "Creating images", "creations"),
    "create documents": (
        lambda client: client.documents.create_many(DOCUMENTS),
        "Creating documents",
        "creations",
    ),
    "delete": (
        lambda client: client.images.delete_many(range(1, 7), confirm=6),
        "Deleting images",
        "deletions",
    ),
    "download": (
        lambda client: client.documents.download(client.documents.all(), "texts"),
        "Writing",
        "files",
    ),
    "push": (push, "Updating images", "updates"),
}


@pytest.fixture
def client(monkeypatch, tmp_path):
    """Return a client of a service with six records of each kind; every state of a bar is shown."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INKFRAME_PROGRESS", "1")
    monkeypatch.setattr(console, "INTERVAL", 0)
    service = FaultyService(images=6, documents=6)
    with service.client() as client:
        yield client


def shown(act, client):
    """Return the result of a run, and the texts of its bar in order."""
    with capture_output() as seen:
        result = act(client)
    return result, [output.data["text/plain"] for output in seen.outputs]


@pytest.mark.parametrize("name", RUNS)
def test_each_record_is_counted(name, client, notebook_shell):
    """The bar begins at none of six, counts one by one, and ends with what was done."""
    act, words, unit = RUNS[name]
    _, texts = shown(act, client)
    states = [text.partition(f" {unit}")[0] for text in texts if text.startswith(f"{words}: ")]
    assert states == [*(f"{words}: {done} of 6" for done in range(7)), f"{words}: 6"]


def test_records_that_are_gone_are_counted_too(client, notebook_shell):
    """A record that is gone is a step like any other, so that the bar reaches its end."""
    client.images.delete(3)
    result, texts = shown(RUNS["delete"][0], client)
    assert (result["status"] == "gone").sum() == 1
    assert texts[-1].startswith("Deleting images: 6 deletions in ")


def test_a_listing_counts_from_its_second_page(monkeypatch, notebook_shell):
    """A listing of one page has no bar; a longer one counts the records of each page, of the total."""
    monkeypatch.setattr(console, "INTERVAL", 0)
    for size, expected in [(60, []), (250, [0, 200, 250, 250])]:
        service = FaultyService(images=size, documents=0)
        with service.client(concurrency=1) as client:
            _, texts = shown(lambda client: client.images.all(progress=True), client)
        assert [int(text.split()[1].replace(",", "")) for text in texts] == expected
        assert all(text.startswith("Images: ") for text in texts)
