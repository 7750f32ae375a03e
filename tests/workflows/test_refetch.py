"""Rows refetched before they are written, with few requests for any pages and ids."""

from __future__ import annotations

import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import BASELINES


def outcomes(report):
    return report["outcome"].astype("str").tolist()


@pytest.mark.parametrize("collection", ["images", "documents"])
def test_as_few_reads_as_pages_or_rows(desk, collection):
    """Many edited rows are refetched by pages, few by ids, with one write for each."""
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


def test_adjacent_rows_are_read_with_one_page(desk):
    """Rows on one page of the listing need one read."""
    desk = desk(records=500)
    frame = desk.client.images.all()
    frame.loc[430:401, "favorite"] = True
    edited = sum(not desk.service.images[number]["favorite"] for number in range(401, 431))
    desk.sent()
    assert edited > 10
    assert len(frame.ink.push()) == edited
    assert len(desk.sent("GET")) == 1


def test_a_page_is_read_again(desk):
    """The edited rows of one page need one read of the same page."""
    desk = desk(records=1000)
    frame = desk.client.images.list(style="anime", sort_by="name", per_page=25, page=2)
    asked = desk.sent()[-1]
    frame["name"] = "x " + frame["name"]
    assert outcomes(frame.ink.push()) == ["changed"] * 25
    requests = desk.sent()
    assert [r.query for r in requests if r.method == "GET"] == [asked.query]
    assert len(requests) == 26


def test_records_that_moved_are_found(desk):
    """Records that moved to other pages after deletions are still refetched."""
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
def test_other_paging_styles(desk, dialect):
    """With any pages and ids, rows are refetched by page and written once."""
    desk = desk(dialect, records=230)
    frame = desk.client.images.all()
    listed = len(desk.sent())
    frame["name"] = "x " + frame["name"]
    assert outcomes(frame.ink.push()) == ["changed"] * 230
    requests = desk.sent()
    assert len([request for request in requests if request.method == "PATCH"]) == 230
    assert len(requests) - 230 <= listed
    assert all(record["name"].startswith("x ") for record in desk.service.images.values())


def test_text_ids_stay_texts(desk):
    """An id such as "000007" is sent unchanged, and 7 is not the same id."""
    desk = desk("rails_pagy", records=20)
    frame = desk.client.images.all()
    frame.loc["000007", "name"] = "seven"
    desk.sent()
    report = frame.ink.push()
    assert (report["id"].tolist(), str(report["id"].dtype)) == (["000007"], "str")
    assert desk.sent("PATCH")[0].segments[-1] == "000007"
    numbers = frame.set_axis(pd.Index(frame.index.astype("int64"), name="id"))
    with pytest.raises(ink.InvalidArgument, match="Ids must have the type str, such as '0000"):
        desk.client.images.push(numbers)


def test_a_list_that_omits_a_column(desk):
    """A column that was never fetched is not updated; with details it is refetched from each record."""
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
    """If the list omits an edited column, each record is fetched."""
    desk = desk("list_brief", records=6)
    frame = desk.client.documents.all(details=True)
    frame = frame.rename_axis("number").reset_index(names="id")[["id", "name", "result"]]
    BASELINES._kept.clear()
    frame.attrs.clear()
    frame.loc[frame["id"] == 4, "result"] = "mine"
    report = desk.client.documents.push(frame)
    assert report[["id", "column", "outcome"]].to_numpy().tolist() == [[4, "result", "changed"]]
