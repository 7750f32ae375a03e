"""Write-back: only what was edited goes out, nothing that others changed is overwritten, bad input sends nothing."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import BASELINES
from inkframe.testing import Faults

COLUMNS = ["id", "column", "old", "new", "outcome", "error"]
#: A service that lists the documents of every template at once.
ONE_LIST = "template_unlimited"
WRITES = ("PATCH", "PUT", "POST", "DELETE")


class Desk:
    """A service, a client of it, and what was sent since the last look."""

    def __init__(self, client, service):
        self.client, self.service = client, service
        self._seen = 0

    def sent(self, *methods):
        """Give the requests since the last call, those of some methods only."""
        requests, self._seen = self.service.requests[self._seen :], len(self.service.requests)
        return [request for request in requests if not methods or request.method in methods]


@pytest.fixture
def desk(inkframe_misbehaving):
    """Give a function that makes a desk."""

    def make(dialect="laravel_resource", records=30, **options):
        return Desk(*inkframe_misbehaving(dialect, records=records, **options))

    return make


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
    written = {request.segments[-1]: request.form for request in desk.sent(*WRITES)}
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
    assert desk.sent(*WRITES) == []
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
    assert len(desk.sent(*WRITES)) == 1


def test_a_deleted_record_is_reported(desk):
    """A row whose record is gone is told apart; the others are written."""
    desk = desk()
    frame = desk.client.images.all()
    frame.loc[[2, 3], "name"] = "new"
    del desk.service.images[2]
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[2, 3]].tolist() == ["deleted", "changed"]
    assert outcomes(frame.ink.push(force=True)) == ["deleted"]


@pytest.mark.parametrize("collection", ["images", "documents"])
def test_as_few_reads_as_pages_or_rows(desk, collection):
    """Many edited rows are looked at again by pages, few by their ids; one write for each."""
    desk = desk(records=500)
    items = getattr(desk.client, collection)
    frame = items.all()
    pages = len(desk.sent("GET"))
    chosen = frame.sample(80, random_state=1).index
    frame.loc[chosen, "name"] = [f"new {id}" for id in chosen]
    assert outcomes(frame.ink.push()) == ["changed"] * 80
    sent = desk.sent()
    writes = [request for request in sent if request.method == "PATCH"]
    assert len({request.segments[-1] for request in writes}) == len(writes) == 80
    assert len(sent) - len(writes) <= min(pages, 80)
    frame.loc[[1, 250, 499], "name"] = "few"
    assert outcomes(frame.ink.push()) == ["changed"] * 3
    assert len(desk.sent("GET")) <= 3


def test_neighbours_are_read_with_one_page(desk):
    """Rows that stand on one page of the listing take one read."""
    desk = desk(records=500)
    frame = desk.client.images.all()
    frame.loc[430:401, "favorite"] = True
    edited = sum(not desk.service.images[number]["favorite"] for number in range(401, 431))
    desk.sent()
    assert edited > 10
    assert len(frame.ink.push()) == edited
    assert len(desk.sent("GET")) == 1


def test_a_page_is_read_again_as_it_was(desk):
    """The edited rows of one page of a list take one read, of the same page."""
    desk = desk(records=1000)
    frame = desk.client.images.list(style="anime", sort_by="name", per_page=25, page=2)
    asked = desk.sent()[-1]
    frame["name"] = "x " + frame["name"]
    assert outcomes(frame.ink.push()) == ["changed"] * 25
    requests = desk.sent()
    assert [r.query for r in requests if r.method == "GET"] == [asked.query]
    assert len(requests) == 26


def test_records_that_moved_are_found(desk):
    """Where records were deleted since, those that stand on other pages now are still looked at."""
    desk = desk(records=500)
    frame = desk.client.images.all()
    for number in range(1, 151):
        del desk.service.images[number]
    frame.loc[[300, 301, 302, 400], "name"] = "new"
    desk.service.images[302]["name"] = "theirs"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[300, 301, 302, 400]].tolist() == [
        "changed",
        "changed",
        "conflict",
        "changed",
    ]


@pytest.mark.parametrize("dialect", ["laravel_cursor", "drf_offset", "stripe", "size_clamped", "rails_pagy"])
def test_other_ways_of_paging(desk, dialect):
    """Whatever pages and ids look like, rows are read again by the page and written once."""
    desk = desk(dialect, records=230)
    frame = desk.client.images.all()
    listed = len(desk.sent())
    frame["name"] = "x " + frame["name"]
    assert outcomes(frame.ink.push()) == ["changed"] * 230
    requests = desk.sent()
    assert len([request for request in requests if request.method == "PATCH"]) == 230
    assert len(requests) - 230 <= listed
    assert all(record["name"].startswith("x ") for record in desk.service.images.values())


def test_ids_that_are_texts_stay_texts(desk):
    """An id such as "000007" goes back as it came, and 7 is not taken for it."""
    desk = desk("rails_pagy", records=20)
    frame = desk.client.images.all()
    frame.loc["000007", "name"] = "seven"
    desk.sent()
    report = frame.ink.push()
    assert (report["id"].tolist(), str(report["id"].dtype)) == (["000007"], "str")
    assert desk.sent("PATCH")[0].segments[-1] == "000007"
    numbers = frame.set_axis(pd.Index(frame.index.astype("int64"), name="id"))
    with pytest.raises(ink.InvalidArgument, match="Its ids look like '0000.+keep them of the type str"):
        desk.client.images.push(numbers)


def test_a_list_that_leaves_a_column_out(desk):
    """A column that was never fetched is left alone, said so; with details it is looked at by each record."""
    desk = desk("list_brief", records=20)
    brief = desk.client.documents.all()
    brief["result"] = "overwritten"
    brief.loc[3, "name"] = "new"
    assert brief.ink.push()[["id", "column"]].to_numpy().tolist() == [[3, "name"]]
    frame = desk.client.documents.all(details=True)
    frame.loc[[3, 4], "result"] = "mine"
    desk.service.documents[4]["result"] = "theirs"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[3, 4]].tolist() == ["changed", "conflict"]


def test_what_was_never_fetched_is_said(desk, capsys):
    """A line tells which edits are left alone."""
    desk = desk("list_brief", records=5)
    frame = desk.client.documents.all()
    frame["result"] = "overwritten"
    frame.ink.push()
    assert "result was never fetched, so that it is left alone." in capsys.readouterr().out


def edited(column, value, rows=(3,)):
    """Give a function that puts a value into some rows of a column."""

    def edit(frame):
        frame = frame.astype({column: object})
        for row in rows:
            frame.loc[row, column] = value
        return frame

    return edit


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        pytest.param(edited("name", None), "name of document 3 is missing (NA).", id="NA"),
        pytest.param(edited("favorite", pd.NA), "favorite of document 3 is missing (NA).", id="NA favourite"),
        pytest.param(edited("result", np.nan, (3, 5)), "is missing (NA) (and 1 more).", id="NA results"),
        pytest.param(edited("name", "  "), "document 3: name is empty.", id="empty name"),
        pytest.param(edited("name", 7), "document 3: name=7 is no text.", id="number for a name"),
        pytest.param(
            edited("favorite", "yes"), "document 3: favorite='yes' is neither", id="text for a favourite"
        ),
        pytest.param(edited("favorite", 2), "document 3: favorite=2 is neither", id="number for a favourite"),
        pytest.param(
            edited("prompt", "other"), "prompt of document 3 became 'other', and no update", id="prompt"
        ),
        pytest.param(edited("template", "FAQ?"), "template of document 3 became 'FAQ?'", id="template"),
        pytest.param(edited("creativity", 0.3), "creativity of document 3 became 0.3", id="creativity"),
        pytest.param(edited("created_at", None), "created_at of document 3 became None", id="time"),
        pytest.param(
            lambda f: pd.concat([f, f.loc[[3]]]), "The id 3 stands in more than one row.", id="twice"
        ),
        pytest.param(lambda f: f.rename({3: 99}), "There is no document 99 among the rows", id="unknown id"),
        pytest.param(lambda f: f.rename({3: "x"}), "There is no document", id="id of another type"),
        pytest.param(
            lambda f: f.reset_index().astype({"id": "Int64"}).replace({"id": {3: pd.NA}}),
            "has no id.",
            id="no id",
        ),
        pytest.param(lambda f: f.reset_index(drop=True), "The frame has no ids", id="no ids"),
        pytest.param(lambda f: f["name"], "A Series was given.", id="no frame"),
    ],
)
def test_bad_input_sends_nothing(desk, edit, message):
    """It is refused with the row, the column and what to do, before the first request, whatever else is right."""
    desk = desk(ONE_LIST, records=8)
    frame = desk.client.documents.all()
    frame.loc[6, "name"] = "a good edit"
    frame = edit(frame)
    desk.sent()
    with pytest.raises(ink.InvalidArgument) as refused:
        desk.client.documents.push(frame)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 2
    assert desk.sent() == []


@pytest.mark.parametrize("value", [True, np.True_, np.bool_(1)])
@pytest.mark.parametrize("dtype", ["boolean", "bool", object])
def test_truths_of_every_kind(desk, value, dtype):
    """Python's and numpy's truths are sent alike, in a column of any type that holds them."""
    desk = desk(records=5)
    for record in desk.service.images.values():
        record["favorite"] = False
    frame = desk.client.images.all().astype({"favorite": dtype})
    frame.loc[2, "favorite"] = value
    report = frame.ink.push()
    assert report[["id", "old", "new"]].to_numpy().tolist() == [[2, False, True]]
    assert desk.sent("PATCH")[0].form == {"favorite": "1"}


def test_ids_in_a_column_rows_left_out_and_own_columns(desk):
    """The id may be a column, rows may be missing, in any order, and a person's own columns are ignored."""
    desk = desk()
    frame = desk.client.images.all().reset_index().assign(score=1.5)
    frame = frame[frame["id"].isin([4, 9, 2])].sort_values("name")
    frame.loc[frame["id"] == 9, "name"] = "nine"
    assert frame.ink.push()[["id", "outcome"]].to_numpy().tolist() == [[9, "changed"]]


def test_after_a_csv_file(desk):
    """A frame that went through a CSV file has lost its types and attrs, and is still compared by value."""
    desk = desk(ONE_LIST, records=12)
    frame = desk.client.documents.all()
    back = pd.read_csv(StringIO(frame.to_csv()))
    back.loc[back["id"] == 5, "name"] = "from the file"
    desk.sent()
    report = desk.client.documents.push(back)
    assert report[["id", "column", "outcome"]].to_numpy().tolist() == [[5, "name", "changed"]]
    assert report.attrs["inkframe"]["conflicts_checked"] is True


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
        with pytest.raises(ink.InvalidArgument, match="description of image 6 became 'x'"):
            another.images.push(edited("description", "x", (6,))(frame))
        assert desk.sent(*WRITES) == []


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
    desk.service.plan(Faults.weather(0.2, seed=3))
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
