"""Test saving and loading frames: equal values, and edits that can still be pushed."""

from pathlib import Path

import pandas as pd
import pytest
from tests.cases import with_texts

import inkframe as ink
from inkframe.frames import BASELINES, origin
from inkframe.versions import text_type


@pytest.fixture
def service_and_client(misbehaving):
    client, service = misbehaving("template_unlimited", records=30)
    return service, client


def assert_the_same(back, frame):
    pd.testing.assert_frame_equal(back, frame, check_categorical=True)
    assert back.attrs == frame.attrs
    for name in frame.columns:
        assert back[name].dtype == frame[name].dtype
        if isinstance(frame[name].dtype, pd.CategoricalDtype):
            assert back[name].cat.categories.tolist() == frame[name].cat.categories.tolist()
            assert back[name].cat.ordered == frame[name].cat.ordered


@pytest.mark.integration
@pytest.mark.parametrize("collection", ["images", "documents"])
def test_a_loaded_frame_equals_the_saved_one(service_and_client, tmp_path, collection):
    """Values, types, all categories, index, order of rows and columns, and provenance are equal."""
    _, client = service_and_client
    frame = getattr(client, collection).all(favorite=False)
    path = ink.save(frame, tmp_path / "deep" / "library")
    assert path == tmp_path / "deep" / "library.parquet"
    assert_the_same(ink.load(tmp_path / "deep" / "library"), frame)
    assert_the_same(ink.load(path), frame)


@pytest.mark.integration
def test_all_kinds_of_frames(service_and_client, tmp_path):
    """Empty and filtered frames, string ids, ids in a column, own columns and other frames are saved."""
    _, client = service_and_client
    frame = client.images.all()
    own = frame.assign(
        score=1.5,
        rank=pd.Categorical([2] * len(frame), categories=[3, 2, 1], ordered=True),
        day=pd.Categorical(pd.to_datetime(["2026-01-05"] * len(frame))),
        gap=pd.Categorical([None] + ["b"] * (len(frame) - 1), categories=["c", "b", "a"]),
    )
    several = [
        frame.head(0),
        frame[frame["style"] == "anime"],
        frame.reset_index(),
        frame.set_axis(pd.Index([f"{id:03}" for id in frame.index], dtype=text_type(), name="id")),
        own,
        pd.DataFrame({"a": [1, None], "b": ["x", "y"]}),
        pd.DataFrame(),
    ]
    for number, each in enumerate(several):
        assert_the_same(ink.load(ink.save(each, tmp_path / f"{number}.parquet")), each)


@pytest.mark.integration
def test_other_programs_read_the_file(service_and_client, tmp_path):
    """The file is plain Parquet: pandas alone reads the same values."""
    _, client = service_and_client
    frame = client.images.all()
    plain = with_texts(pd.read_parquet(ink.save(frame, tmp_path / "plain.parquet")))
    pd.testing.assert_frame_equal(plain, frame, check_categorical=False)


def test_a_saved_frame_is_replaced_but_no_other_file(tmp_path, full_disk):
    """A cell that saves can be run again; a table of another program needs ``overwrite=True``."""
    path = tmp_path / "a.parquet"
    one, two = pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]})
    ink.save(one, path)
    ink.save(two, path)
    assert ink.load(path).equals(two)
    with full_disk(10), pytest.raises(ink.InvalidArgument, match=r"^a\.parquet cannot be written"):
        ink.save(one, path)
    assert ink.load(path).equals(two)
    for other in (two.to_parquet, lambda file: file.write_text("notes")):
        other(path)
        before = path.read_bytes()
        with pytest.raises(ink.InvalidArgument, match="already exists"):
            ink.save(one, path)
        assert path.read_bytes() == before
    ink.save(one, path, overwrite=True)
    assert ink.load(path).equals(one)
    assert [each.name for each in tmp_path.iterdir()] == ["a.parquet"]


def test_a_frame_saved_by_release_0_1_is_replaced(tmp_path):
    """A file without the mark of later releases is known by its categories."""
    path = tmp_path / "a.parquet"
    path.write_bytes((Path(__file__).parents[1] / "releases" / "0.1" / "images.parquet").read_bytes())
    frame = ink.load(path)
    assert ink.save(frame, path) == path


@pytest.mark.integration
def test_edits_are_pushed_after_loading(service_and_client, tmp_path):
    """A frame that was edited, saved and loaded keeps its edits, conflicts and refused changes."""
    service, client = service_and_client
    frame = client.documents.all()
    frame.loc[3, ["name", "favorite"]] = ["three", not frame.loc[3, "favorite"]]
    frame.loc[4, "result"] = "mine"
    frame = frame[frame.index < 10]
    path = ink.save(frame, tmp_path / "edited.parquet")
    BASELINES.clear()
    service.documents[4]["result"] = "theirs"
    back = ink.load(path)
    report = back.ink.push(dry_run=True).set_index(["id", "column"])
    assert report["outcome"].to_dict() == {
        (3, "name"): "planned",
        (3, "favorite"): "planned",
        (4, "result"): "conflict",
    }
    back.loc[5, "prompt"] = "other"
    BASELINES.clear()
    again = ink.load(ink.save(ink.load(path), tmp_path / "again.parquet"))
    assert len(again.ink.push(dry_run=True)) == 3
    again.loc[5, "prompt"] = "other"
    with pytest.raises(ink.InvalidArgument, match="prompt of document 5 cannot be updated, got 'other'"):
        again.ink.push()


def test_edits_that_no_update_accepts_are_refused_after_loading(service_and_client, tmp_path):
    """An edit of a column that update does not accept is refused after loading, too."""
    _, client = service_and_client
    frame = client.images.all()
    frame.loc[3, "style"] = "anime" if frame.loc[3, "style"] != "anime" else "retro"
    path = ink.save(frame, tmp_path / "edited.parquet")
    BASELINES.clear()
    with pytest.raises(ink.InvalidArgument, match="style of image 3 cannot be updated, got"):
        ink.load(path).ink.push()


@pytest.mark.integration
def test_edits_pushed_since_are_known(service_and_client, tmp_path):
    """In the kernel that pushed, an older file of the same fetch shows the pushed value as the old one."""
    _, client = service_and_client
    frame = client.images.all()
    path = ink.save(frame, tmp_path / "before.parquet")
    frame.loc[3, "name"] = "three"
    frame.ink.push()
    back = ink.load(path)
    assert back.ink.push(dry_run=True)["new"].tolist() == [back.loc[3, "name"]]
    assert "three" in back.ink.push(dry_run=True)["old"].tolist()


@pytest.mark.integration
def test_parts_of_one_fetch(service_and_client, tmp_path):
    """Two files of different rows of one fetch can both be pushed."""
    _, client = service_and_client
    frame = client.images.all()
    paths = [ink.save(frame.iloc[:10], tmp_path / "a"), ink.save(frame.iloc[10:], tmp_path / "b")]
    BASELINES.clear()
    parts = [ink.load(path) for path in paths]
    for part in parts:
        part["name"] = "x " + part["name"]
        assert (part.ink.push()["outcome"] == "changed").all()


@pytest.mark.integration
def test_another_client_later(tmp_path):
    """A snapshot can be edited and pushed after the client was closed and the fetch was dropped."""
    library = tmp_path / "library.inkframe"
    with ink.connect(library=library) as client:
        for number in range(3):
            client.documents.create(name=f"Note {number}", prompt="p")
        frame = client.documents.all()
        frame["name"] = "new " + frame["name"]
        ink.save(frame, tmp_path / "kept")
    del frame
    BASELINES.clear()
    frame = ink.load(tmp_path / "kept")
    with ink.connect(library=library) as client:
        theirs = frame.index[0]
        client.documents.update(theirs, name="theirs")
        report = client.documents.push(frame).set_index("id")
        assert report.loc[theirs, "outcome"] == "conflict"
        assert (report["outcome"] == "changed").sum() == 2
        assert len(frame.ink.push(dry_run=True)) == 1


def test_frames_and_files_that_cannot_be_saved_or_loaded(tmp_path):
    """Other values and files are refused with the reason."""
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "file").write_text("")
    frame = pd.DataFrame({"a": [1]})
    other = frame.copy()
    other.attrs["client"] = object()
    for call, message in [
        (lambda: ink.load(tmp_path / "none.parquet"), "There is no file"),
        (lambda: ink.load(tmp_path / "broken.parquet"), "cannot be read"),
        (lambda: ink.save([1], tmp_path / "x"), "Expected a DataFrame, got list"),
        (
            lambda: ink.save(pd.DataFrame({"a": [1, "x", object()]}), tmp_path / "x"),
            "The frame cannot be written",
        ),
        (lambda: ink.save(other, tmp_path / "x"), "The frame cannot be written"),
        (lambda: ink.save(pd.DataFrame({"a": [10**24]}), tmp_path / "x"), "The frame cannot be written"),
        (lambda: ink.save(frame, tmp_path / "file" / "x"), "cannot be written"),
        # What pandas or Arrow write, and do not read back.
        (lambda: ink.save(frame.assign(b=pd.interval_range(0, 1)), tmp_path / "x"), "The frame cannot be"),
        (lambda: ink.save(frame.set_axis(pd.CategoricalIndex(["a"]), axis=1), tmp_path / "x"), "categorical"),
    ]:
        with pytest.raises(ink.InvalidArgument, match=message):
            call()
    assert {path.name for path in tmp_path.iterdir()} == {"broken.parquet", "file"}


@pytest.mark.integration
def test_a_frame_of_unknown_fetch(service_and_client, tmp_path):
    """Without a known baseline the frame is saved unchanged, with its provenance."""
    _, client = service_and_client
    frame = client.images.all()
    BASELINES.clear()
    back = ink.load(ink.save(frame, tmp_path / "x"))
    assert_the_same(back, frame)
    assert BASELINES.find(origin(back)["baseline"]) is None


@pytest.mark.integration
def test_edits_of_generated_columns_are_pushed_after_loading(tmp_path):
    """What others changed since a table was filled is a conflict or left alone, also in another kernel."""
    library, products = (
        tmp_path / "library.db",
        pd.DataFrame({"product": ["a kettle", "a lamp", "a rug", None]}),
    )
    with ink.connect(library=library) as client:
        frame = client.documents.write(products, "Describe {product}.")
        frame = client.documents.write(frame, "Praise {product}.", into="praise")
        frame.loc[1, "text"] = "Mine."
        path = ink.save(frame.iloc[::-1], tmp_path / "table")
    del frame
    BASELINES.clear()
    with ink.connect(library=library) as client:
        back = ink.load(path)
        for row in (0, 1):
            client.documents.update(int(back.loc[row, "text_id"]), result="Theirs.")
        back.loc[2, "praise"] = "Mine, too."
        for column, outcomes in (("text", {1: "conflict"}), ("praise", {2: "changed"})):
            report = client.documents.push(back, column=column).set_index("id")["outcome"]
            ids = back[f"{column}_id"]
            assert report.to_dict() == {int(ids[row]): outcome for row, outcome in outcomes.items()}
        assert client.documents.get(int(back.loc[0, "text_id"])).result == "Theirs."
