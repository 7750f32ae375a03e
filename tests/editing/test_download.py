"""Downloads of records as files."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.cases import type_name
from tests.services import Fault, Faults

import inkframe as ink

HOSTILE = [
    "../../etc/passwd",
    "CON",
    "a/b\\c:d",
    "\u202egnp.exe",
    "x" * 400,
    "",
    "Kettle",
    "kettle",
    "日本語",
]


@pytest.fixture
def service_and_client(misbehaving):
    """Return a service whose records have invalid file names, and its client."""
    client, service = misbehaving(records=0)
    for name in HOSTILE:
        service.insert("images", name=name, description="two boats", style="pop_art", favorite=True)
        service.insert(
            "documents",
            name=name,
            prompt="A prompt: with\nlines",
            result="# Text\n\nof it\n",
            creativity=0.25,
        )
    return service, client


@pytest.mark.integration
def test_pictures_carry_their_settings(service_and_client, tmp_path):
    """Each picture is a PNG file inside the folder and contains its settings."""
    _, client = service_and_client
    frame = client.images.all(sort="asc")
    written = client.images.download(frame, tmp_path / "new" / "pictures")
    assert written["error"].isna().all()
    assert written.index.equals(frame.index)
    assert sorted(written["path"]) == sorted(str(path) for path in (tmp_path / "new" / "pictures").iterdir())
    for number, path in written["path"].items():
        settings = ink.open_file(path)
        assert (settings["id"], settings["style"]) == (number, "pop_art")
        assert settings["service"] == "https://service.test"
        assert len(Path(path).name) < 130
        assert not set(Path(path).name) & set('<>:"/\\|?*')
        with Image.open(path) as picture:
            picture.load()
    assert written["bytes"].sum() == sum(Path(path).stat().st_size for path in written["path"])


def test_documents_are_markdown_with_front_matter(service_and_client, tmp_path):
    """The text and every setting are preserved, also for ids."""
    _, client = service_and_client
    written = client.documents.download([3, "1", np.int64(2)], tmp_path)
    assert list(written.index) == [3, 1, 2]
    found = ink.open_file(written["path"].loc[3])
    assert found["name"] == "a/b\\c:d"
    assert found["prompt"] == "A prompt: with\nlines"
    assert found["result"] == "# Text\n\nof it\n"
    assert found["creativity"] == 0.25


def test_nothing_is_overwritten_unless_asked(service_and_client, tmp_path):
    """An existing file is kept and its picture is not fetched; links are replaced, not followed."""
    service, client = service_and_client
    path = Path(client.images.download(1, tmp_path)["path"].loc[1])
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    path.unlink()
    path.symlink_to(outside)
    asked = len(service.requests)
    again = client.images.download([client.images.get(1)], tmp_path)
    assert "overwrite=True" in again["error"].iloc[0]
    assert len(service.requests) == asked + 1
    assert client.images.download(1, tmp_path, overwrite=True)["error"].isna().all()
    assert outside.read_text() == "mine"
    assert ink.open_file(path)["id"] == 1


@pytest.mark.integration
def test_a_download_goes_on_where_it_stopped(service_and_client, tmp_path, capsys):
    """Files of the same records are kept and not fetched again, and a line says so; the rest is written."""
    service, client = service_and_client
    frame = client.images.all()
    first = client.images.download(frame.iloc[:2], tmp_path)
    before = {path: Path(path).stat().st_mtime_ns for path in first["path"]}
    fetched = pictures(service)
    written = client.images.download(frame, tmp_path)
    assert written["error"].isna().all()
    assert written["bytes"].gt(0).all()
    assert len(pictures(service)) - len(fetched) == len(frame) - 2
    assert {path: Path(path).stat().st_mtime_ns for path in before} == before
    assert "2 files there already and kept; overwrite=True replaces them." in capsys.readouterr().out


@pytest.mark.parametrize("content", ["mine", "---\nid: 99\nname: other\n---\ntext"])
def test_a_file_of_another_content_is_not_taken_for_the_record(service_and_client, tmp_path, content):
    """A file of the same name that has no record, or another one, is an error of its row and is kept."""
    _, client = service_and_client
    path = Path(client.documents.download(1, tmp_path)["path"].loc[1])
    path.write_text(content)
    again = client.documents.download(1, tmp_path)
    assert "overwrite=True" in again["error"].loc[1]
    assert path.read_text() == content


def written_before(service_and_client, tmp_path, name="documents"):
    """Return the service, the collection, and the file of its first record."""
    service, client = service_and_client
    collection = getattr(client, name)
    return service, collection, Path(collection.download(1, tmp_path)["path"].loc[1])


@pytest.mark.parametrize("name", ["images", "documents"])
def test_a_file_of_another_service_is_not_taken_for_the_record(service_and_client, tmp_path, name):
    """A record of another service may have the same id and name; its file is kept, and an error of the row."""
    _, collection, path = written_before(service_and_client, tmp_path, name)
    for other in (b"https://other.test", b"https://service.tesu"):
        data = path.read_bytes().replace(b"https://service.test", other)
        path.write_bytes(data)
        for overwrite in (False, "own"):
            again = collection.download([1, 2], tmp_path, overwrite=overwrite)
            assert "already exists" in again["error"].loc[1]
            assert again["path"].isna().tolist() == [True, False]
            assert path.read_bytes() == data
    path.write_bytes(data.replace(b"service", b"servant"))
    assert collection.download(1, tmp_path)["error"].notna().all()
    assert collection.download(1, tmp_path, overwrite=True)["error"].isna().all()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("documents", {"result": "# New\n"}),
        ("documents", {"result": ""}),
        ("documents", {"result": None}),
        ("documents", {"favorite": True}),
        ("documents", {"prompt": "another"}),
        ("images", {"favorite": False}),
        ("images", {"description": "three boats"}),
    ],
)
def test_a_file_with_older_content_is_not_taken_for_the_record(service_and_client, tmp_path, name, change):
    """What was edited since is an error of its row, unless files of the same records are to be replaced."""
    service, collection, path = written_before(service_and_client, tmp_path, name)
    before = path.read_bytes()
    getattr(service, name)[1].update(change)
    again = collection.download(1, tmp_path)
    assert "already exists" in again["error"].loc[1]
    assert path.read_bytes() == before
    again = collection.download(1, tmp_path, overwrite="own")
    assert again["error"].isna().all()
    now = ink.open_file(path)
    assert {name: now.get(name) or None for name in change} == {
        name: value or None for name, value in change.items()
    }
    assert collection.download(1, tmp_path)["error"].isna().all()


def test_a_text_that_came_later_is_not_in_the_file(service_and_client, tmp_path):
    """A file that was written before there was a text is not that of the text."""
    service, client = service_and_client
    service.documents[1]["result"] = ""
    for error in (False, True):
        assert client.documents.download(1, tmp_path)["error"].notna().tolist() == [error]
        service.documents[1]["result"] = "# Text"


def test_a_link_to_the_same_content_is_not_the_file(service_and_client, tmp_path):
    """What a link leads to belongs to someone else."""
    _, collection, path = written_before(service_and_client, tmp_path)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    for overwrite in (False, "own"):
        assert "already exists" in collection.download(1, tmp_path, overwrite=overwrite)["error"].loc[1]


@pytest.mark.parametrize("name", ["images", "documents"])
def test_a_file_of_a_record_that_was_made_anew_is_another(service_and_client, tmp_path, name):
    """A record of the same id and content that was created at another time is not the one of the file."""
    service, collection, _ = written_before(service_and_client, tmp_path, name)
    getattr(service, name)[1]["created_at"] += 1
    for overwrite in (False, "own"):
        assert "already exists" in collection.download(1, tmp_path, overwrite=overwrite)["error"].loc[1]


@pytest.mark.parametrize("name", ["images", "documents"])
def test_the_same_record_is_known_however_it_is_given(service_and_client, tmp_path, capsys, name):
    """Its file is kept for an id, a record and a row of a frame, also after an update that changed nothing."""
    service, collection, path = written_before(service_and_client, tmp_path, name)
    before = path.stat().st_mtime_ns
    getattr(service, name)[1]["updated_at"] += 86_400
    frame = collection.all()
    texts = frame.set_axis(frame.index.astype("str").rename("id"))
    for given in ("1", collection.get(1), [1], frame[frame.index == 1], texts[texts.index == "1"]):
        assert collection.download(given, tmp_path)["error"].isna().all()
        assert "1 file there already and kept" in capsys.readouterr().out
    brief = frame.drop(columns=["description", "prompt", "created_at"], errors="ignore")
    assert collection.download(brief[brief.index == 1], tmp_path)["error"].isna().all()
    assert path.stat().st_mtime_ns == before


def test_own_files_are_written_again(service_and_client, tmp_path, capsys):
    """To replace files of the same records, they are written even where nothing has changed."""
    _, collection, path = written_before(service_and_client, tmp_path)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"updated_at", b"modified"))
    assert collection.download(1, tmp_path, overwrite="own")["error"].isna().all()
    assert path.read_bytes() == data
    assert "kept" not in capsys.readouterr().out
    path.write_text("mine")
    assert collection.download(1, tmp_path, overwrite="own")["error"].notna().all()
    assert path.read_text() == "mine"


def pictures(service):
    return [request for request in service.requests if "pictures" in request.target]


@pytest.mark.integration
def test_one_failure_ends_its_row_only(service_and_client, tmp_path):
    """A missing picture has an error, and the others are written."""
    service, client = service_and_client
    gone = Fault(name="gone", handled=False, status=404)
    service.plan(
        Faults(script=dict.fromkeys(range(1, 20), gone), where=lambda request: "pictures/2" in request.target)
    )
    written = client.images.download(client.images.all(), tmp_path)
    assert list(written.index[written["path"].isna()]) == [2]
    assert "404" in written["error"].loc[2]
    assert (
        list(written.index[written["bytes"].isna()]) == list(written.index[written["error"].notna()]) == [2]
    )
    assert len(list(tmp_path.iterdir())) == len(HOSTILE) - 1
    assert [type_name(kind) for kind in written.dtypes] == ["str", "Int64", "str"]


@pytest.mark.integration
def test_texts_that_lists_omit_are_written(misbehaving, tmp_path):
    """Files contain the text even if the list omits it."""
    client, service = misbehaving("list_brief", records=3)
    written = client.documents.download(client.documents.all(), tmp_path)
    for number, path in written["path"].items():
        assert ink.open_file(path)["result"] == service.documents[number]["result"]


def test_no_records_return_an_empty_frame(service_and_client, tmp_path):
    """Without records there are no files, and the frame keeps its columns."""
    written = service_and_client[1].images.download([], tmp_path)
    assert written.empty
    assert list(written.columns) == ["path", "bytes", "error"]


def test_an_unusable_folder_is_an_error_at_once(service_and_client, tmp_path):
    """A file at the path of the folder is an error before any request."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ink.InvalidArgument, match="cannot be used as a folder: File exists"):
        service_and_client[1].images.download([1, 2], tmp_path / "file")
