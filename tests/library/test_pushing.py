"""Write-back: only what was edited goes out, nothing that others changed is overwritten, bad input sends nothing."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import BASELINES
from inkframe.testing import Faults, FaultyService

COLUMNS = ["id", "column", "old", "new", "outcome", "error"]
READS = ("GET",)
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
    desk = desk()
    frame = desk.client.documents.all()
    frame.loc[3, "name"] = "Kettle, new"
    frame.loc[7, ["result", "favorite"]] = ["Boils.", not desk.service.documents[7]["favorite"]]
    before = desk.service.documents[7]["favorite"]
    desk.sent()
    report = desk.client.documents.push(frame)
    written = {request.segments[-1]: request.form for request in desk.sent(*WRITES)}
    assert written == {"3": {"name": "Kettle, new"}, "7": {"result": "Boils.", "favorite": str(int(not before))}}
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
    desk = desk(records=1000)
    items = getattr(desk.client, collection)
    frame = items.all()
    pages = len(desk.sent("GET"))
    chosen = frame.sample(150, random_state=1).index
    frame.loc[chosen, "name"] = [f"new {id}" for id in chosen]
    assert outcomes(frame.ink.push()) == ["changed"] * 150
    sent = desk.sent()
    writes = [request for request in sent if request.method == "PATCH"]
    assert len({request.segments[-1] for request in writes}) == len(writes) == 150
    assert len(sent) - len(writes) <= min(pages, 150)
    frame.loc[[1, 500, 999], "name"] = "few"
    assert outcomes(frame.ink.push()) == ["changed"] * 3
    assert len(desk.sent("GET")) <= 3


def test_neighbours_are_read_with_one_page(desk):
    """Rows that stand on one page of the listing take one read."""
    desk = desk(records=1000)
    frame = desk.client.images.all()
    frame.loc[430:401, "favorite"] = True
    edited = int((frame["favorite"] != pd.Series({n: r["favorite"] for n, r in desk.service.images.items()})).sum())
    desk.sent()
    assert edited > 10
    assert len(frame.ink.push()) == edited
    assert (len(desk.sent("GET"))) == 1


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
    desk = desk(records=1000)
    frame = desk.client.images.all()
    for number in range(1, 251):
        del desk.service.images[number]
    frame.loc[[300, 301, 302, 700], "name"] = "new"
    desk.service.images[302]["name"] = "theirs"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[300, 301, 302, 700]].tolist() == ["changed", "changed", "conflict", "changed"]


@pytest.mark.parametrize("dialect", ["laravel_cursor", "spring", "drf_offset", "fastapi_cursor", "json_server_legacy"])
def test_other_ways_of_paging(desk, dialect):
    """Whatever pages are called, rows are read again by few requests and written once."""
    from inkframe.testing import DIALECTS

    if dialect not in DIALECTS:
        pytest.fail(f"there are {sorted(DIALECTS)}")
    desk = desk(dialect, records=400)
    frame = desk.client.images.all()
    frame["name"] = "x " + frame["name"]
    desk.sent()
    assert outcomes(frame.ink.push()) == ["changed"] * 400
    requests = desk.sent()
    assert len([r for r in requests if r.method in WRITES]) == 400
    assert len([r for r in requests if r.method == "GET"]) <= 41
