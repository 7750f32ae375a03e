"""Write-back: only what was edited goes out, and nothing that others changed is overwritten."""

from __future__ import annotations

import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import BASELINES
from inkframe.testing import Faults

COLUMNS = ["id", "column", "old", "new", "outcome", "error"]
#: A service that lists the documents of every template at once.
ONE_LIST = "template_unlimited"


def outcomes(report):
    return report["outcome"].astype("str").tolist()


def test_only_the_edited_cells_go_out(desk):
    """One request for each edited row, with the fields that were edited and no others."""
    desk = desk(ONE_LIST)
    frame = desk.client.documents.all()
    frame.loc[3, "name"] = "Kettle, new"
    frame.loc[7, ["result", "favorite"]] = ["Boils.", not desk.service.documents[7]["favorite"]]
    before = desk.service.documents[7]["favorite"]
    desk.sent()
    report = desk.client.documents.push(frame)
    written = {request.segments[-1]: request.form for request in desk.written()}
    assert written == {
        "3": {"name": "Kettle, new"},
        "7": {"result": "Boils.", "favorite": str(int(not before))},
    }
    assert list(report.columns) == COLUMNS
    assert set(outcomes(report)) == {"changed"}
    assert report["error"].isna().all()
    assert desk.service.documents[3]["name"] == "Kettle, new"
    assert desk.service.documents[7]["favorite"] is not before


def test_an_unedited_frame_asks_nothing(desk):
    """Without an edit there is no request, and an empty report of the same columns."""
    desk = desk()
    frame = desk.client.images.all()
    desk.sent()
    report = frame.ink.push()
    assert (len(report), list(report.columns), desk.sent()) == (0, COLUMNS, [])


def test_a_dry_run_shows_old_and_new(desk):
    """Cell by cell what would be sent; nothing is written, and pushing afterwards does just that."""
    desk = desk()
    frame = desk.client.images.all()
    old = frame["name"].loc[[2, 5]].tolist()
    frame.loc[[2, 5], "name"] = ["b", "e"]
    frame.loc[5, "favorite"] = not frame.loc[5, "favorite"]
    desk.sent()
    report = frame.ink.push(dry_run=True)
    assert desk.written() == []
    assert sorted(report["id"]) == [2, 5, 5]
    assert set(outcomes(report)) == {"planned"}
    names = report[report["column"] == "name"].sort_values("id")
    assert (names["old"].tolist(), names["new"].tolist()) == (old, ["b", "e"])
    flipped = report[report["column"] == "favorite"].iloc[0]
    assert flipped["new"] is (not flipped["old"])
    assert outcomes(frame.ink.push()) == ["changed"] * 3


def test_the_same_frame_is_pushed_again(desk):
    """What was sent is known: pushing again sends nothing, and a further edit is no conflict."""
    desk = desk()
    frame = desk.client.images.all()
    frame.loc[4, "name"] = "first"
    frame.ink.push()
    desk.sent()
    assert len(frame.ink.push()) == 0
    assert desk.sent() == []
    frame.loc[4, "name"] = "second"
    frame.loc[9, "name"] = "another"
    report = frame.ink.push()
    assert outcomes(report) == ["changed", "changed"]
    assert set(report["old"]) == {"first", report["old"][report["id"].tolist().index(9)]}
    assert desk.service.images[4]["name"] == "second"


def test_a_row_that_changed_meanwhile_is_a_conflict(desk):
    """It is reported with what the service has now, and stays; the other rows are written; force overwrites."""
    desk = desk()
    frame = desk.client.images.all()
    frame.loc[[2, 3, 4], "name"] = ["mine 2", "mine 3", "mine 4"]
    desk.service.images[3]["name"] = "theirs"
    desk.service.images[4]["favorite"] = not desk.service.images[4]["favorite"]
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[2, 3, 4]].tolist() == ["changed", "conflict", "conflict"]
    assert report.loc[3, "error"] == "name is now 'theirs'"
    assert report.loc[4, "error"] == f"favorite is now {desk.service.images[4]['favorite']}"
    assert desk.service.images[3]["name"] == "theirs"
    assert outcomes(frame.ink.push(force=True)) == ["changed", "changed"]
    assert (desk.service.images[3]["name"], desk.service.images[4]["name"]) == ("mine 3", "mine 4")


def test_what_the_service_has_already_is_not_sent(desk):
    """Where somebody made the same change, there is nothing to send and no conflict."""
    desk = desk()
    frame = desk.client.images.all()
    frame.loc[[2, 3], "name"] = "same"
    desk.service.images[2]["name"] = "same"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[2, 3]].tolist() == ["already", "changed"]
    assert len(desk.written()) == 1


def test_a_deleted_record_is_reported(desk):
    """A row whose record is gone is told apart; the others are written."""
    desk = desk()
    frame = desk.client.images.all()
    frame.loc[[2, 3], "name"] = "new"
    del desk.service.images[2]
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[2, 3]].tolist() == ["deleted", "changed"]
    assert outcomes(frame.ink.push(force=True)) == ["deleted"]


def test_without_a_baseline_it_is_compared_with_the_service(desk, capsys):
    """It says so, sends what differs, and refuses unknown records before the first write."""
    desk = desk(records=250)
    frame = desk.client.images.all()
    with ink.Client(desk.service.base_url, desk.service.key, transport=desk.service.transport) as another:
        frame.attrs.clear()
        frame.loc[5, "name"] = "five"
        desk.sent()
        report = another.images.push(frame)
        assert report[["id", "outcome"]].to_numpy().tolist() == [[5, "changed"]]
        assert report.attrs["inkframe"]["conflicts_checked"] is False
        assert "conflicts could not be checked" in capsys.readouterr().out
        assert len(desk.sent()) <= 5
        with pytest.raises(ink.InvalidArgument, match="There is no image 999 on the service"):
            another.images.push(frame.rename({7: 999}))
        with pytest.raises(ink.InvalidArgument, match="description of image 250 became 'x'"):
            another.images.push(frame.assign(description="x"))
        assert desk.written() == []


def test_a_given_baseline(desk):
    """``baseline=`` is what is compared with, whatever the attrs say."""
    desk = desk()
    old = desk.client.images.all()
    new = old.copy()
    new.loc[3, "name"] = "three"
    new.attrs.clear()
    assert outcomes(desk.client.images.push(new, baseline=old)) == ["changed"]
    desk.service.images[4]["name"] = "theirs"
    new.loc[4, "name"] = "mine"
    report = desk.client.images.push(new, baseline=old).set_index("id")
    assert report["outcome"].loc[[3, 4]].tolist() == ["already", "conflict"]


def test_a_frame_of_elsewhere_is_refused(desk):
    """Frames of the other collection or of another service are not pushed."""
    desk = desk()
    frame = desk.client.images.all()
    with pytest.raises(ink.InvalidArgument, match="The frame is of another collection: 'images'"):
        desk.client.documents.push(frame)
    with (
        ink.connect(library=":memory:") as local,
        pytest.raises(ink.InvalidArgument, match="another service"),
    ):
        local.images.push(frame)
    with pytest.raises(ink.InvalidArgument, match=r"client.images.push\(frame\) or client.documents.push"):
        pd.DataFrame({"id": [1], "name": ["a"]}).ink.push()


def test_bad_weather_changes_nothing(desk):
    """Replies that are lost or broken are asked for again: each edit arrives, none as a conflict."""
    desk = desk(records=60)
    frame = desk.client.images.all()
    frame["name"] = "x " + frame["name"]
    desk.service.plan(Faults.passing(0.2, seed=3))
    assert outcomes(frame.ink.push()) == ["changed"] * 60
    assert all(record["name"].startswith("x ") for record in desk.service.images.values())


def test_a_refused_row_does_not_stop_the_others(desk):
    """What the service refuses is reported with its words, and stays an edit for the next push."""
    refused = Faults(script={1: "forbidden"}, where=lambda r: r.method == "PATCH" and r.segments[-1] == "3")
    desk = desk(faults=refused)
    frame = desk.client.images.all()
    frame.loc[[2, 3, 4], "name"] = "new"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[2, 3, 4]].tolist() == ["changed", "failed", "changed"]
    assert isinstance(report.loc[3, "error"], str)
    again = frame.ink.push()
    assert again[["id", "outcome"]].to_numpy().tolist() == [[3, "changed"]]


def test_an_interrupt_loses_nothing(desk):
    """After Ctrl-C in the middle, pushing the same frame again sends what is missing, and no conflict."""
    desk = desk(records=60)
    frame = desk.client.images.all()
    frame["name"] = "x " + frame["name"]
    desk.sent()

    def interrupt(service):
        if sum(request.method == "PATCH" for request in service.requests) == 20:
            raise KeyboardInterrupt

    desk.service.between_replies(interrupt)
    with pytest.raises(KeyboardInterrupt):
        frame.ink.push()
    sent = {request.segments[-1] for request in desk.sent("PATCH")}
    assert 20 <= len(sent) < 60
    report = frame.ink.push()
    assert set(outcomes(report)) <= {"changed", "already"}
    assert len(report) <= 60 - 19
    assert all(record["name"].startswith("x ") for record in desk.service.images.values())


def test_a_key_that_is_refused_stops_the_rest(desk):
    """Where every further request would fail alike, none is sent."""
    desk = desk(records=60)
    frame = desk.client.images.all()
    frame["name"] = "new"
    desk.service.key = desk.service._application._key = "another"
    desk.sent()
    report = desk.client.images.push(frame, force=True)
    assert set(outcomes(report)) == {"failed", "skipped"}
    assert len(desk.sent("PATCH")) < 30


def test_the_embedded_service(inkframe_client):
    """The same on the local service, whose records come from it."""
    made = [inkframe_client.documents.create(name=f"Note {n}", prompt="p") for n in range(3)]
    frame = inkframe_client.documents.all()
    frame.loc[made[0].id, ["name", "result", "favorite"]] = ["Renamed", "A text.", True]
    inkframe_client.documents.update(made[1], name="theirs")
    frame.loc[made[1].id, "name"] = "mine"
    report = frame.ink.push()
    assert sorted(outcomes(report)) == ["changed", "changed", "changed", "conflict"]
    record = inkframe_client.documents.get(made[0])
    assert (record.name, record.result, record.favorite) == ("Renamed", "A text.", True)
    assert outcomes(frame.ink.push(force=True)) == ["changed"]


def test_spaces_at_the_ends(desk):
    """A service that trims texts makes no conflict of what it was sent."""
    desk = desk()
    frame = desk.client.images.all()
    frame.loc[3, "name"] = "  spaced  "
    assert outcomes(frame.ink.push()) == ["changed"]
    assert desk.service.images[3]["name"] == "spaced"
    frame.loc[3, "name"] = "other"
    assert outcomes(frame.ink.push()) == ["changed"]


def test_baselines_are_bounded_by_what_is_known(desk):
    """A frame whose fetch was forgotten is found by a later fetch of the same ids."""
    desk = desk()
    frame = desk.client.images.all()
    forgotten = BASELINES._kept.pop(frame.attrs["inkframe"]["baseline"])
    desk.client.images.all()
    frame.loc[3, "name"] = "new"
    report = frame.ink.push()
    assert report["old"].tolist() == [forgotten.loc[3, "name"]]
    assert report.attrs["inkframe"]["conflicts_checked"] is True


def test_ids_that_a_join_made_floats(desk):
    """Whole numbers are ids, however another program wrote them."""
    desk = desk()
    frame = desk.client.images.all().reset_index()
    frame["id"] = frame["id"].astype("float64")
    frame.loc[3, "name"] = "new"
    assert outcomes(frame.ink.push()) == ["changed"]


def test_columns_that_no_update_takes_are_named_together(desk):
    """One line leaves all of them out."""
    desk = desk()
    frame = desk.client.images.all().assign(description="x", style="anime")
    with pytest.raises(ink.InvalidArgument, match=r"frame.drop\(columns=\['description', 'style'\]\)"):
        frame.ink.push()
    assert desk.written() == []


def test_ids_of_another_type_are_shown_plainly(desk):
    """What the ids look like is said as it is typed."""
    desk = desk()
    frame = desk.client.images.all()
    with pytest.raises(ink.InvalidArgument, match="Its ids look like 30: keep them of the type int64"):
        frame.set_axis(frame.index.astype("str"), axis=0).ink.push()
