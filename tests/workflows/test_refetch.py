"""Rows looked at again before they are written: by few requests, whatever the service's pages and ids."""

from __future__ import annotations

import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import BASELINES


def outcomes(report):
    return report["outcome"].astype("str").tolist()


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


def test_without_a_baseline_a_brief_list_is_not_enough(desk):
    """Where the list leaves an edited column out, each record is shown for it."""
    desk = desk("list_brief", records=6)
    frame = desk.client.documents.all(details=True)
    frame = frame.rename_axis("number").reset_index(names="id")[["id", "name", "result"]]
    BASELINES._kept.clear()
    frame.attrs.clear()
    frame.loc[frame["id"] == 4, "result"] = "mine"
    report = desk.client.documents.push(frame)
    assert report[["id", "column", "outcome"]].to_numpy().tolist() == [[4, "result", "changed"]]
