"""Write-back: only edited cells are sent, and changes of others are not overwritten."""

import httpx
import pandas as pd
import pytest
from tests.cases import type_name
from tests.services import Faults

import inkframe as ink
from inkframe.frames import BASELINES
from inkframe.versions import text_type

COLUMNS = ["id", "column", "old", "new", "outcome", "error"]
#: A response format that lists documents of all templates together.
ONE_LIST = "template_unlimited"


def outcomes(report):
    return report["outcome"].astype(text_type()).tolist()


def test_only_the_edited_cells_are_sent(pair):
    """There is one request for each edited row, with the edited fields only."""
    pair = pair(ONE_LIST)
    frame = pair.client.documents.all()
    frame.loc[3, "name"] = "Kettle, new"
    frame.loc[7, ["result", "favorite"]] = ["Boils.", not pair.service.documents[7]["favorite"]]
    before = pair.service.documents[7]["favorite"]
    pair.sent()
    report = pair.client.documents.push(frame)
    written = {request.segments[-1]: request.form for request in pair.written()}
    assert written == {
        "3": {"name": "Kettle, new"},
        "7": {"result": "Boils.", "favorite": str(int(not before))},
    }
    assert list(report.columns) == COLUMNS
    assert set(outcomes(report)) == {"changed"}
    assert report["error"].isna().all()
    assert pair.service.documents[3]["name"] == "Kettle, new"
    assert pair.service.documents[7]["favorite"] is not before


def test_an_unedited_frame_sends_nothing(pair):
    """Without an edit there is no request, and the report is empty with the same columns."""
    pair = pair()
    frame = pair.client.images.all()
    pair.sent()
    report = frame.ink.push()
    assert (len(report), list(report.columns), pair.sent()) == (0, COLUMNS, [])


def test_a_dry_run_shows_old_and_new(pair):
    """The report has each cell that would be sent; nothing is written until the next push."""
    pair = pair()
    frame = pair.client.images.all()
    old = frame["name"].loc[[2, 5]].tolist()
    frame.loc[[2, 5], "name"] = ["b", "e"]
    frame.loc[5, "favorite"] = not frame.loc[5, "favorite"]
    pair.sent()
    report = frame.ink.push(dry_run=True)
    assert pair.written() == []
    assert sorted(report["id"]) == [2, 5, 5]
    assert set(outcomes(report)) == {"planned"}
    names = report[report["column"] == "name"].sort_values("id")
    assert (names["old"].tolist(), names["new"].tolist()) == (old, ["b", "e"])
    flipped = report[report["column"] == "favorite"].iloc[0]
    assert flipped["new"] is (not flipped["old"])
    assert outcomes(frame.ink.push()) == ["changed"] * 3


def test_the_same_frame_is_pushed_again(pair):
    """Pushing again sends nothing, and a further edit is not a conflict."""
    pair = pair()
    frame = pair.client.images.all()
    frame.loc[4, "name"] = "first"
    frame.ink.push()
    pair.sent()
    assert len(frame.ink.push()) == 0
    assert pair.sent() == []
    frame.loc[4, "name"] = "second"
    frame.loc[9, "name"] = "another"
    report = frame.ink.push()
    assert outcomes(report) == ["changed", "changed"]
    assert set(report["old"]) == {"first", report["old"][report["id"].tolist().index(9)]}
    assert pair.service.images[4]["name"] == "second"


def test_a_cell_that_changed_meanwhile_is_a_conflict(pair, capsys):
    """It is reported with the current value and what to do, and not written; other cells are, and force overwrites."""
    pair = pair()
    frame = pair.client.images.all()
    frame.loc[[2, 3, 4, 5], "name"] = ["mine 2", "mine 3", "mine 4", "mine 5"]
    pair.service.images[3]["name"] = "theirs"
    pair.service.images[5] |= {"name": "theirs", "favorite": not pair.service.images[5]["favorite"]}
    pair.service.images[4]["favorite"] = not pair.service.images[4]["favorite"]
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[2, 3, 4, 5]].tolist() == ["changed", "conflict", "changed", "conflict"]
    said = capsys.readouterr().out
    assert "others changed 2 cells meanwhile. Fetch again to keep that, or push with force=True" in said
    assert report.loc[5, "error"] == "name is now 'theirs'"
    assert report.loc[3, "error"] == "name is now 'theirs'"
    assert pair.service.images[3]["name"] == "theirs"
    assert outcomes(frame.ink.push(force=True)) == ["changed"] * 2
    assert (pair.service.images[3]["name"], pair.service.images[4]["name"]) == ("mine 3", "mine 4")


def test_what_the_service_stored_instead_is_reported():
    """An update counts as done, with the value that the service made of it; the report has a row for each cell."""
    row = {"id": 7, "name": "Lamp", "description": "d", "resolution": "256x256", "favorite": False}

    def answer(request):
        if request.method == "PATCH":
            row.update(name="Ket", favorite=True)
        shown = row if request.url.path.endswith("/7") else [row]
        return httpx.Response(200, json={"data": shown, "total": 1})

    transport = httpx.MockTransport(answer)
    with ink.Client("https://service.test", "key", transport=transport, max_retries=0) as client:
        frame = client.images.all()
        frame.loc[7, ["name", "favorite"]] = ["Kettle", True]
        report = client.images.push(frame)
        assert report.astype(object).where(report.notna(), None).to_numpy().tolist() == [
            [7, "name", "Lamp", "Kettle", "changed", "the service stored 'Ket' instead"],
            [7, "favorite", False, True, "changed", None],
        ]
        assert report.dtypes.map(type_name).tolist() == [
            "int64",
            "str",
            "object",
            "object",
            "category",
            "str",
        ]
        assert report.attrs["inkframe"] == {
            "service": "https://service.test", "client": client._session.id, "collection": "images",
            "dry_run": False, "conflicts_checked": True,
        }  # fmt: skip
        empty = client.images.push(client.images.all(), dry_run=True)
        assert (len(empty), empty.attrs["inkframe"]["dry_run"]) == (0, True)
        assert empty.dtypes.map(type_name).tolist() == report.dtypes.map(type_name).tolist()


def test_a_deleted_record_is_reported(pair):
    """A deleted record has its own outcome; the others are written."""
    pair = pair()
    frame = pair.client.images.all()
    frame.loc[[2, 3], "name"] = "new"
    del pair.service.images[2]
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[2, 3]].tolist() == ["deleted", "changed"]
    assert outcomes(frame.ink.push(force=True)) == ["deleted"]


def test_without_a_baseline_it_is_compared_with_the_service(pair, capsys):
    """A message is printed, differences are sent, and unknown records are refused before the first write."""
    pair = pair(records=250)
    frame = pair.client.images.all()
    with ink.Client(pair.service.base_url, pair.service.key, transport=pair.service.transport) as another:
        frame.attrs.clear()
        frame.loc[5, "name"] = "five"
        pair.sent()
        report = another.images.push(frame)
        assert report[["id", "outcome"]].to_numpy().tolist() == [[5, "changed"]]
        assert report.attrs["inkframe"]["conflicts_checked"] is False
        assert "conflicts cannot be detected." in capsys.readouterr().out
        assert len(pair.sent()) == 4 + 1 + 1  # pages are read, and the edited row is read and written
        with pytest.raises(ink.InvalidArgument, match="There is no image 999 on the service"):
            another.images.push(frame.rename({7: 999}))
        with pytest.raises(ink.InvalidArgument, match="description of image 250 cannot be updated, got 'x'"):
            another.images.push(frame.assign(description="x"))
        assert pair.written() == []


def test_columns_that_are_not_sent_are_named(pair, capsys):
    """A column of one's own is named in one line, beside edits that are sent; fetched columns are not."""
    frame = pair().client.images.all()
    frame.loc[2, "name"] = "two"
    assert outcomes(frame.assign(rating=3, kept=True).ink.push()) == ["changed"]
    assert "Not sent, since images have no such column: rating, kept.\n" in capsys.readouterr().out
    frame.loc[2, "name"] = "three"
    frame.ink.push()
    assert "Not sent" not in capsys.readouterr().out


def test_columns_that_the_list_leaves_out_are_no_conflicts(pair):
    """They were never fetched, so that others cannot be found to have changed them."""
    pair = pair("list_brief", records=5)
    frame = pair.client.documents.all()
    frame.loc[[2, 3, 4], "name"] = ["two", "three", "four"]
    pair.service.documents[3]["name"] = "theirs"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].astype(text_type()).to_dict() == {2: "changed", 3: "conflict", 4: "changed"}


def test_a_given_baseline(pair):
    """``baseline=`` is used for the comparison, regardless of the attrs."""
    pair = pair()
    old = pair.client.images.all()
    new = old.copy()
    new.loc[3, "name"] = "three"
    new.attrs.clear()
    assert outcomes(pair.client.images.push(new, baseline=old)) == ["changed"]
    pair.service.images[4]["name"] = "theirs"
    new.loc[4, "name"] = "mine"
    report = pair.client.images.push(new, baseline=old).set_index("id")
    assert report["outcome"].loc[[3, 4]].tolist() == ["already", "conflict"]
    new.loc[5, "name"] = "five"
    pair.service.images[5]["favorite"] = not pair.service.images[5]["favorite"]
    report = pair.client.images.push(new[["name"]], baseline=old[["name"]]).set_index("id")
    assert report["outcome"].loc[[3, 4, 5]].tolist() == ["already", "conflict", "changed"]


def test_a_frame_of_another_origin_is_refused(pair):
    """Frames of the other collection or of another service are not pushed."""
    pair = pair()
    frame = pair.client.images.all()
    with pytest.raises(
        ink.InvalidArgument, match="The frame must be of collection 'documents', got 'images'"
    ):
        pair.client.documents.push(frame)
    with (
        ink.connect(library=":memory:") as local,
        pytest.raises(ink.InvalidArgument, match="The frame must be of service 'local demo service', got"),
    ):
        local.images.push(frame)
    with pytest.raises(ink.InvalidArgument, match=r"client.images.push\(frame\) or client.documents.push"):
        pd.DataFrame({"id": [1], "name": ["a"]}).ink.push()


def test_a_frame_of_another_library_is_refused(tmp_path):
    """Two local libraries are two services: records with the same ids are not written to the wrong one."""
    with ink.connect(library=tmp_path / "one.db") as one:
        one.images.create(name="a", description="a cat", resolution="256x256")
        ink.save(one.images.all(), tmp_path / "frame")
    frame = ink.load(tmp_path / "frame").assign(name="b")
    with ink.connect(library=tmp_path / "two.db") as two:
        two.images.create(name="c", description="a cat", resolution="256x256")
        with pytest.raises(
            ink.InvalidArgument, match=r"must be of library '[^']+', got '[^']+'\.\nNothing was"
        ):
            two.images.push(frame)
        with pytest.raises(ink.InvalidArgument, match="no client of its service is open"):
            frame.ink.push()
        with pytest.raises(ink.InvalidArgument, match="All frames must be of one library"):
            ink.concat([frame, two.images.all()])
        assert two.images.get(1).name == "c"
        with ink.connect(library=tmp_path / "one.db") as again:
            assert frame.ink.push()["outcome"].tolist() == ["changed"]
            assert again.images.get(1).name == "b"


def test_faults_change_nothing(pair):
    """After lost or broken replies each edit is still sent, without conflicts."""
    pair = pair(records=60)
    frame = pair.client.images.all()
    frame["name"] = "x " + frame["name"]
    pair.service.plan(Faults.passing(0.2, seed=3))
    assert outcomes(frame.ink.push()) == ["changed"] * 60
    assert all(record["name"].startswith("x ") for record in pair.service.images.values())


def test_a_refused_row_does_not_stop_the_others(pair):
    """A refused row is reported with the message of the service, and is sent again by the next push."""
    refused = Faults(script={1: "forbidden"}, where=lambda r: r.method == "PATCH" and r.segments[-1] == "3")
    pair = pair(faults=refused)
    frame = pair.client.images.all()
    frame.loc[[2, 3, 4], "name"] = "new"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[2, 3, 4]].tolist() == ["changed", "failed", "changed"]
    assert isinstance(report.loc[3, "error"], str)
    again = frame.ink.push()
    assert again[["id", "outcome"]].to_numpy().tolist() == [[3, "changed"]]


def test_an_interrupt_loses_nothing(pair):
    """After Ctrl-C, pushing the same frame again sends the remaining edits without conflicts."""
    pair = pair(records=60)
    frame = pair.client.images.all()
    frame["name"] = "x " + frame["name"]
    pair.sent()
    armed = [True]  # no later reply may interrupt again, wherever the first one ended the push

    def interrupt(service):
        if armed and sum(request.method == "PATCH" for request in service.requests) >= 20:
            armed.clear()
            raise KeyboardInterrupt

    pair.service.between_replies(interrupt)
    with pytest.raises(KeyboardInterrupt):
        frame.ink.push()
    sent = {request.segments[-1] for request in pair.sent("PATCH")}
    assert 20 <= len(sent) < 60
    report = frame.ink.push()
    assert set(outcomes(report)) <= {"changed", "already"}
    assert len(report) <= 60 - 19
    assert all(record["name"].startswith("x ") for record in pair.service.images.values())


def test_a_key_that_is_refused_stops_the_rest(pair):
    """If every further request would fail, none is sent."""
    pair = pair(records=60)
    frame = pair.client.images.all()
    frame["name"] = "new"
    pair.service.key = pair.service._application._key = "another"
    pair.sent()
    report = pair.client.images.push(frame, force=True)
    assert set(outcomes(report)) == {"failed", "skipped"}
    assert len(pair.sent("PATCH")) < 30


def test_spaces_at_the_ends(pair):
    """A service that trims texts causes no conflict."""
    pair = pair()
    frame = pair.client.images.all()
    frame.loc[3, "name"] = "  spaced  "
    assert outcomes(frame.ink.push()) == ["changed"]
    assert pair.service.images[3]["name"] == "spaced"
    frame.loc[3, "name"] = "other"
    assert outcomes(frame.ink.push()) == ["changed"]


def test_another_baseline_replaces_a_lost_one(pair):
    """A frame whose baseline was dropped uses a later fetch of the same ids."""
    pair = pair()
    frame = pair.client.images.all()
    old = pair.service.images[3]["name"]
    BASELINES.clear()
    pair.client.images.all()
    frame.loc[3, "name"] = "new"
    report = frame.ink.push()
    assert report["old"].tolist() == [old]
    assert report.attrs["inkframe"]["conflicts_checked"] is True


def test_ids_that_became_floats(pair):
    """Floats without a fraction are accepted as ids."""
    pair = pair()
    frame = pair.client.images.all().reset_index()
    frame["id"] = frame["id"].astype("float64")
    frame.loc[3, "name"] = "new"
    assert outcomes(frame.ink.push()) == ["changed"]
