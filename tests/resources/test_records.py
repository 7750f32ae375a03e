import copy
import dataclasses
import io
import json
import os
import pickle
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd
import PIL.Image
import pytest
from tests.services import FaultyService

import inkframe
from inkframe.display.files import open_file
from inkframe.errors import ConnectionFailed, InvalidArgument
from inkframe.resources.records import Document, Image, fields_of

MOMENT = datetime(2026, 5, 17, 8, 30, tzinfo=UTC)
FACTS = {"name": "Harbor", "favorite": True, "created_at": MOMENT, "extra": {"user.id": 7}}


class Origin:
    """A service that counts the fetches of a picture."""

    service = "content.example.com"

    def __init__(self, picture):
        self.picture = picture
        self.fetched = 0

    def picture_of(self, image):
        """Return the picture or raise."""
        del image
        self.fetched += 1
        if isinstance(self.picture, Exception):
            raise self.picture
        return self.picture


def png(width=6, height=4, noise=0):
    """Return a picture as PNG; noise makes it large."""
    pixels = np.random.default_rng(7).integers(0, noise + 1, (height, width, 3), dtype=np.uint8)
    file = io.BytesIO()
    PIL.Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def origin():
    """Return a service with a small picture."""
    return Origin(png())


@pytest.fixture
def image(origin):
    """Return an image of that service."""
    return Image(5, **FACTS, description="a harbor", resolution="256x256", style="anime", _origin=origin)


@pytest.fixture
def document():
    """Return a document."""
    return Document(
        5, **FACTS, template="FAQ", template_id=16, prompt="Ask.", creativity=0.25, result="# Q\n\nA."
    )


@pytest.mark.parametrize("record", ["image", "document"])
def test_records_are_compared_by_identity(request, record):
    """Two fetches of one record are different objects that are not equal."""
    record = request.getfixturevalue(record)
    assert record != copy.copy(record)
    assert len({record, record, copy.copy(record)}) == 2


def test_repr_shows_present_fields(image, document):
    """Missing fields are omitted, long ones are shortened, and the origin is not shown."""
    assert repr(image).startswith("Image(id=5, name='Harbor', description='a harbor', resolution='256x256',")
    assert "medium" not in repr(image)
    assert "_origin" not in repr(image)
    assert "extra={'user.id': 7}" in repr(image)
    long = dataclasses.replace(document, result="x" * 10_000)
    assert len(repr(long)) < 500


@pytest.mark.parametrize("record", ["image", "document"])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda r: pickle.loads(pickle.dumps(r))])  # noqa: S301  # our own
def test_copies_keep_the_fields_but_not_the_client(request, record, duplicate):
    """A copy or a pickle has every field and no client."""
    record = request.getfixturevalue(record)
    made = duplicate(record)
    assert fields_of(made) == fields_of(record)
    assert made._origin is None


@pytest.mark.parametrize("local", [True, False])
def test_records_become_plain_data(local, client):
    """``asdict`` and a DataFrame of records have their public fields, whatever the service."""
    if local:
        client = inkframe.connect(library=":memory:", sample=True)
    image, document = client.images.all().index[0], client.documents.all().index[0]
    records = [client.images.get(image), client.documents.get(document)]
    for record in records:
        assert dataclasses.asdict(record) == fields_of(record)
    frame = pd.DataFrame(records)
    assert list(frame.columns) == list(dict.fromkeys([*fields_of(records[0]), *fields_of(records[1])]))
    assert frame["id"].tolist() == [image, document]
    assert records[0].picture_bytes


def test_a_changed_record_keeps_its_client(image):
    """``dataclasses.replace`` returns a record with other values that is still shown and written by its client."""
    changed = dataclasses.replace(image, name="Bay")
    assert (changed.name, changed.picture.size) == ("Bay", (6, 4))


@pytest.mark.parametrize(
    ("record", "name", "meant"),
    [
        ("image", "url", "picture_url"),
        ("image", "size", "picture.size"),
        ("image", "show", "picture.show"),
        ("document", "text", "result"),
        ("document", "content", "result"),
        ("document", "favourite", "favorite"),
    ],
)
def test_names_of_other_libraries_are_understood(request, record, name, meant):
    """An attribute that Pillow or a client of another service has is answered with ours."""
    with pytest.raises(AttributeError, match=f"Did you mean '{meant}'"):
        getattr(request.getfixturevalue(record), name)


def test_a_picture_is_fetched_once(image, origin):
    """``picture`` is a ``PIL.Image`` whose bytes are fetched at first use and cached."""
    assert origin.fetched == 0
    assert image.picture.size == (6, 4)
    assert image.picture is image.picture
    assert image.picture_bytes == origin.picture
    assert origin.fetched == 1


@pytest.mark.parametrize("mode", ["RGB", "L", "P", "RGBA"])
def test_an_image_is_an_array_of_pixels(mode):
    """``numpy.asarray`` and ``plt.imshow`` take an image as they take a ``PIL.Image``, with colors, not their numbers."""
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    file = io.BytesIO()
    PIL.Image.open(io.BytesIO(png(noise=255))).convert(mode).save(file, "PNG")
    image = Image(5, _origin=Origin(file.getvalue()))
    pixels = np.asarray(image)
    assert pixels.tolist() == np.asarray(image.picture).tolist()
    assert pixels.shape == (4, 6, 4 if mode == "RGBA" else 3)
    assert np.array(image, dtype=float).dtype == float
    assert Figure().subplots().imshow(image).get_array().shape[:2] == (4, 6)
    assert pd.Series([image, image]).tolist() == [image, image]


def test_a_copy_has_no_picture_to_fetch(image):
    """The error of a copy without a client has the call that fetches the image again."""
    with pytest.raises(InvalidArgument, match=r"client\.images\.get\(5\)"):
        _ = copy.copy(image).picture


@pytest.mark.parametrize(
    ("name", "format"),
    [("a.png", "PNG"), ("a.PNG", "PNG"), ("a.jpg", "JPEG"), ("a.webp", "WEBP"), ("a", "PNG")],
)
def test_save_writes_the_picture(image, tmp_path, name, format):
    """The extension sets the format, a missing one is added, and the path is returned."""
    path = image.save(tmp_path / name)
    assert path.name == ("a.png" if name == "a" else name)
    with PIL.Image.open(path) as saved:
        assert (saved.format, saved.size) == (format, (6, 4))


def test_a_saved_picture_keeps_its_pixels_and_its_settings(image, tmp_path):
    """A PNG has the pixels of the service, and the settings that ``open_file`` reads."""
    path = image.save(str(tmp_path / "a.png"))
    with PIL.Image.open(path) as saved:
        assert saved.tobytes() == image.picture.tobytes()
    found = open_file(path)
    assert (found["name"], found["service"]) == ("Harbor", "content.example.com")


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "a.gif"])
def test_a_saved_picture_is_replaced_but_no_other_file(image, tmp_path, name, full_disk):
    """A cell that saves can be run again; a picture of somebody else needs ``overwrite=True``."""
    path = image.save(tmp_path / name)
    before = path.read_bytes()
    assert image.save(path).read_bytes() == before
    with full_disk(10), pytest.raises(InvalidArgument, match="cannot be written"):
        image.save(path)
    assert path.read_bytes() == before
    PIL.Image.new("RGB", (2, 2)).save(path)
    theirs = path.read_bytes()
    with pytest.raises(InvalidArgument, match="already exists"):
        image.save(path)
    assert path.read_bytes() == theirs
    assert image.save(path, overwrite=True).read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("folder", ["pics", "new/", ".", "..", "v1.2"])
@pytest.mark.parametrize("record", ["image", "document"])
def test_save_writes_into_a_folder(request, record, folder, tmp_path, monkeypatch):
    """A folder, or a path with a slash at its end, gets a file with the name that ``download`` gives."""
    here = tmp_path / "here"
    for name in ("pics", "v1.2"):
        (here / name).mkdir(parents=True)
    monkeypatch.chdir(here)
    path = request.getfixturevalue(record).save(folder)
    assert path == (here / folder).resolve() / ("5-Harbor.png" if record == "image" else "5-Harbor.md")
    assert open_file(path)["name"] == "Harbor"


@pytest.mark.parametrize("record", ["image", "document"])
@pytest.mark.parametrize("target", [io.BytesIO, lambda: open(os.devnull, "wb")], ids=["memory", "file"])  # noqa: PTH123, SIM115  # as people write it
def test_save_takes_a_path(request, record, target):
    """An open file is refused, with the line that writes into it."""
    with target() as file, pytest.raises(InvalidArgument, match=r"file\.write\(image\.picture_bytes\)"):
        request.getfixturevalue(record).save(file)


def test_a_saved_document_is_the_downloaded_one(client, tmp_path):
    """``document.save`` writes the same Markdown as ``download``, again if it is run again, and over no other file."""
    document = client.documents.get(2)
    downloaded = client.documents.download([2], tmp_path / "all")["path"][2]
    path = document.save(tmp_path / "note")
    assert path == tmp_path / "note.md"
    assert path.read_bytes() == Path(downloaded).read_bytes()
    assert document.update(result="Edited.").save(path).read_text("utf-8").endswith("Edited.\n")
    with pytest.raises(InvalidArgument, match="already exists"):
        client.documents.get(1).save(path)
    path.write_text("---\ntitle: mine\n---\n\nMy own.", encoding="utf-8")
    with pytest.raises(InvalidArgument, match="already exists"):
        document.save(path)
    assert open_file(document.save(path, overwrite=True))["result"] == document.result


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "L"])
def test_a_picture_with_transparency_can_be_a_jpeg(tmp_path, mode):
    """Transparent pixels become white in JPEG."""
    file = io.BytesIO()
    PIL.Image.new("RGBA", (6, 4), (255, 255, 255, 0)).convert(mode).save(file, "PNG")
    path = Image(5, _origin=Origin(file.getvalue())).save(tmp_path / "a.jpg")
    with PIL.Image.open(path) as saved:
        assert saved.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("name", ["a.xyz", "a.txt", "v1.2"])
def test_save_refuses_an_unknown_format(image, tmp_path, name):
    """An extension that is not a picture format is refused, and nothing is written."""
    with pytest.raises(InvalidArgument, match="The extension must be a picture format, got"):
        image.save(tmp_path / name)
    assert list(tmp_path.glob("*.*")) == []


@pytest.mark.integration
def test_a_shown_image_is_small():
    """One displayed image adds at most 150 kB to the notebook."""
    image = Image(5, name="Noise", _origin=Origin(png(640, 640, noise=255)))
    assert len(json.dumps(image._repr_mimebundle_())) <= 150_000


def test_an_image_without_its_picture_still_renders():
    """If the picture cannot be fetched, the text and the reason are displayed."""
    image = Image(5, name="Harbor", _origin=Origin(ConnectionFailed("The picture is gone.")))
    bundle = image._repr_mimebundle_()
    assert "Harbor" in bundle["text/plain"]
    assert "The picture is gone." in bundle["text/html"]


def test_a_document_is_its_text(document):
    """``str`` returns the text alone."""
    assert (str(document), str(Document(5))) == ("# Q\n\nA.", "")


@pytest.fixture
def client():
    """Return a client of a service with three images and three documents."""
    service = FaultyService(images=3, documents=3)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        yield client


def test_records_are_updated_through_their_client(client):
    """``update`` returns the changed record, and the record itself stays as it was fetched."""
    image, document = client.images.get(1), client.documents.get(1)
    changed = image.update(name="Pier", favorite=not image.favorite)
    assert (changed.id, changed.name, changed.favorite) == (1, "Pier", not image.favorite)
    assert image.name != "Pier"
    assert document.update(result="A new text.").result == "A new text."
    assert client.documents.get(1).result == "A new text."


def test_records_are_refreshed_and_deleted_through_their_client(client):
    """``refresh`` returns the current record, and ``delete`` removes it from the service."""
    for collection in (client.images, client.documents):
        record = collection.get(2)
        collection.update(2, name="Renamed")
        assert record.refresh().name == "Renamed"
        assert record.refresh() is not record
        assert record.delete() is None
        for call in (record.refresh, record.delete):
            with pytest.raises(inkframe.NotFound):
                call()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_without_a_client_says_how_to_fetch_the_record(client, copied):
    """A copy leaves its client behind, so that nothing can be sent through it."""
    for collection, name in ((client.images, "images"), (client.documents, "documents")):
        record = copied(collection.get(3))
        for call in (record.refresh, record.delete, lambda record=record: record.update(name="New")):
            with pytest.raises(
                InvalidArgument, match=rf"has no client\.\nFetch it with client\.{name}\.get\(3\)"
            ):
                call()


def test_misuse_of_record_methods_is_refused(client):
    """Nothing to change, an unknown field and a closed client are errors that say what to do."""
    image = client.images.get(1)
    with pytest.raises(InvalidArgument, match="nothing to change"):
        image.update()
    with pytest.raises(InvalidArgument, match="favorite"):
        image.update(favourite=True)
    client.close()
    for call in (image.refresh, image.delete, lambda: image.update(name="New")):
        with pytest.raises(inkframe.InkframeError, match="closed"):
            call()


def test_a_record_is_created_again_with_changes(client):
    """``again`` creates another record with the settings that are not changed; None drops one, the first stays."""
    image = client.images.create(
        name="Harbor", description="a harbor", resolution="256x256", style="anime", medium="ink"
    )
    other = image.again(style="retro", medium=None)
    shown = (other.name, other.description, other.resolution, other.style, other.medium, other.filter)
    assert shown == ("Harbor", "a harbor", "256x256", "retro", None, None)
    assert other.id != image.id
    assert image.refresh().style == "anime"
    assert image.again().id not in (image.id, other.id)


def test_a_prompt_of_a_template_is_sent_as_it_is(client):
    """``again`` sends the prompt of a document word for word, and takes a label of the creativity."""
    prompt = inkframe.compose_prompt("FAQ", topic="{kettles} and lamps")
    document = client.documents.create(name="Questions", prompt=prompt, creativity=0.25)
    other = document.again(creativity="Creative")
    assert (other.name, other.prompt, other.creativity) == ("Questions", prompt, 0.75)


def test_again_is_a_create_and_refuses_what_create_refuses(client):
    """Wrong keywords and values, a copy without a client and a reached limit are refused before anything is sent."""
    image = client.images.create(name="Harbor", description="a harbor", resolution="256x256")
    with pytest.raises(InvalidArgument, match="Did you mean 'style'"):
        image.again(stile="retro")
    with pytest.raises(InvalidArgument, match="Did you mean 'retro'"):
        image.again(style="retor")
    with pytest.raises(InvalidArgument, match="has no client"):
        copy.copy(image).again()
    assert client.created == 1
    with inkframe.connect(library=":memory:", create_limit=1) as limited:
        document = limited.documents.create(name="Kettle", prompt="Write.")
        with pytest.raises(InvalidArgument, match="create_limit=1 is reached"):
            document.again()


def test_again_needs_what_the_service_does_not_show(client):
    """A required setting that is not shown is asked for; an optional one is not sent."""
    image = client.images.create(name="Harbor", description="a harbor", resolution="256x256", style="anime")
    hidden = dataclasses.replace(image, description=None, style=None)
    with pytest.raises(
        InvalidArgument, match=r"(?s)^The description of image .* is not known.*again\(description=…\)"
    ):
        hidden.again()
    other = hidden.again(description="a bay")
    assert (other.description, other.style) == ("a bay", None)
