"""Rows refetched before they are written, with few requests for any pages and ids."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import BASELINES
from inkframe.workflows.refetch import Group


def outcomes(report):
    return report["outcome"].astype("str").tolist()


@pytest.mark.integration
@pytest.mark.parametrize("collection", ["images", "documents"])
def test_as_few_reads_as_pages_or_rows(pair, collection):
    """Many edited rows are refetched by pages, few by ids, with one write for each."""
    pair = pair(records=500)
    items = getattr(pair.client, collection)
    frame = items.all()
    pages = len(pair.sent("GET"))
    chosen = frame.sample(80, random_state=1).index
    frame.loc[chosen, "name"] = [f"new {id}" for id in chosen]
    assert outcomes(frame.ink.push()) == ["changed"] * 80
    sent = pair.sent()
    writes = [request for request in sent if request.method == "PATCH"]
    assert len({request.segments[-1] for request in writes}) == len(writes) == 80
    assert len(sent) - len(writes) <= min(pages, 80)
    frame.loc[[1, 250, 499], "name"] = "few"
    assert outcomes(frame.ink.push()) == ["changed"] * 3
    assert len(pair.sent("GET")) <= 3


@pytest.mark.integration
def test_adjacent_rows_are_read_with_one_page(pair):
    """Rows on one page of the listing need one read."""
    pair = pair(records=500)
    frame = pair.client.images.all()
    frame.loc[430:401, "favorite"] = True
    edited = sum(not pair.service.images[number]["favorite"] for number in range(401, 431))
    pair.sent()
    assert edited > 10
    assert len(frame.ink.push()) == edited
    assert len(pair.sent("GET")) == 1


@pytest.mark.integration
def test_two_rows_at_the_end_of_a_chain_are_read_by_id(pair):
    """Where pages lead forward only, rows far behind the others are read one by one, not page by page."""
    pair = pair("laravel_cursor", records=1000)
    frame = pair.client.images.all()
    pair.sent()
    edited = [*range(1, 91), 950, 990]
    frame.loc[edited, "name"] = "edited"
    assert outcomes(frame.ink.push()) == ["changed"] * 92
    assert len(pair.sent("GET")) == 3


@pytest.mark.integration
def test_a_page_is_read_again(pair):
    """The edited rows of one page need one read of the same page."""
    pair = pair(records=1000)
    frame = pair.client.images.list(style="anime", sort_by="name", per_page=25, page=2)
    asked = pair.sent()[-1]
    frame["name"] = "x " + frame["name"]
    assert outcomes(frame.ink.push()) == ["changed"] * 25
    requests = pair.sent()
    assert [r.query for r in requests if r.method == "GET"] == [asked.query]
    assert len(requests) == 26


@pytest.mark.integration
@pytest.mark.parametrize(("dialect", "most"), [("size_clamped", 3), ("laravel_cursor", 1), ("stripe", 1)])
def test_many_rows_are_read_by_pages(pair, dialect, most):
    """Rows of a whole listing need no more reads than it has pages, with positions or with cursors."""
    pair = pair(dialect, records=60, documents=0)
    frame = pair.client.images.all()
    pair.sent()
    frame["favorite"] = ~frame["favorite"]
    assert outcomes(frame.iloc[::2].ink.push()) == ["changed"] * 30
    assert len(pair.sent("GET")) <= most


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_few_rows_are_read_by_id(pair, rows):
    """Fewer rows than pages are read one by one; a page is read at most until its size is known."""
    pair = pair("size_clamped", records=90, documents=0)
    frame = pair.client.images.all().iloc[[0, 40, 80][:rows]]
    pair.sent()
    frame["name"] = "new"
    assert outcomes(frame.ink.push()) == ["changed"] * rows
    assert len(pair.sent("GET")) <= rows + 1


@pytest.mark.integration
def test_a_row_that_was_deleted_is_not_written(pair):
    """A record that is gone is reported, whether it was sought in pages or by its id."""
    pair = pair(records=12, documents=0)
    frame = pair.client.images.all()
    del pair.service.images[3]
    frame["name"] = "new"
    report = frame.ink.push().set_index("id")["outcome"].astype("str")
    assert report.index[report != "changed"].tolist() == [3]
    alone = frame.loc[[3]]
    assert outcomes(alone.ink.push()) == [report.loc[3]]


@pytest.mark.integration
def test_records_that_moved_are_found(pair):
    """Records that moved to other pages after deletions are still refetched."""
    pair = pair(records=230, documents=0)
    frame = pair.client.images.all()
    for number in range(1, 151):
        del pair.service.images[number]
    frame.loc[[200, 201, 202, 220], "name"] = "new"
    pair.service.images[202]["name"] = "theirs"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[200, 201, 202, 220]].tolist() == [
        "changed",
        "changed",
        "conflict",
        "changed",
    ]


@pytest.mark.integration
@pytest.mark.parametrize("dialect", ["laravel_cursor", "drf_offset", "stripe", "size_clamped", "rails_pagy"])
def test_other_paging_styles(pair, dialect):
    """With any pages and ids, rows are refetched by page and written once."""
    pair = pair(dialect, records=230)
    frame = pair.client.images.all()
    listed = len(pair.sent())
    frame["name"] = "x " + frame["name"]
    assert outcomes(frame.ink.push()) == ["changed"] * 230
    requests = pair.sent()
    assert len([request for request in requests if request.method == "PATCH"]) == 230
    assert len(requests) - 230 <= listed
    assert all(record["name"].startswith("x ") for record in pair.service.images.values())


@pytest.mark.integration
def test_text_ids_stay_texts(pair):
    """An id such as "000007" is sent unchanged, and 7 is not the same id."""
    pair = pair("rails_pagy", records=20)
    frame = pair.client.images.all()
    frame.loc["000007", "name"] = "seven"
    pair.sent()
    report = frame.ink.push()
    assert (report["id"].tolist(), str(report["id"].dtype)) == (["000007"], "str")
    assert pair.sent("PATCH")[0].segments[-1] == "000007"
    numbers = frame.set_axis(pd.Index(frame.index.astype("int64"), name="id"))
    with pytest.raises(ink.InvalidArgument, match="Ids must have the type str, such as '0000"):
        pair.client.images.push(numbers)


@pytest.mark.integration
def test_a_list_that_omits_a_column(pair):
    """A column that was never fetched is not updated; with details it is refetched from each record."""
    pair = pair("list_brief", records=20)
    brief = pair.client.documents.all()
    brief["result"] = "overwritten"
    brief.loc[3, "name"] = "new"
    assert brief.ink.push()[["id", "column"]].to_numpy().tolist() == [[3, "name"]]
    frame = pair.client.documents.all(details=True)
    frame.loc[[3, 4], "result"] = "mine"
    pair.service.documents[4]["result"] = "theirs"
    report = frame.ink.push().set_index("id")
    assert report["outcome"].loc[[3, 4]].tolist() == ["changed", "conflict"]


@pytest.mark.integration
def test_without_a_baseline_a_brief_list_is_not_enough(pair):
    """If the list omits an edited column, each record is fetched."""
    pair = pair("list_brief", records=6)
    frame = pair.client.documents.all(details=True)
    frame = frame.rename_axis("number").reset_index(names="id")[["id", "name", "result"]]
    BASELINES.clear()
    frame.attrs.clear()
    frame.loc[frame["id"] == 4, "result"] = "mine"
    report = pair.client.documents.push(frame)
    assert report[["id", "column", "outcome"]].to_numpy().tolist() == [[4, "result", "changed"]]


@pytest.mark.parametrize(
    ("places", "whole", "size", "total", "pages"),
    [
        ([0, 99, 100, 250], True, 300, None, [0, 1, 2]),
        ([99, 250], True, 300, 300, [0, 2]),
        ([99, 250], True, 300, 500, [0, 2]),
        ([99, 250], False, 300, 300, [0, 2]),
        ([99, 250], False, 300, 301, [0, 1, 2, 3]),
        ([99, 250], False, 300, None, [0, 1, 2]),
        (None, True, 301, None, [0, 1, 2, 3]),
        (None, True, 301, 100, [0]),
        (None, False, 301, 0, []),
    ],
)
def test_the_pages_that_have_records(places, whole, size, total, pages):
    """Positions count where the known frame has the whole listing; else every page may have the records."""
    known = None if places is None else np.array(places)
    assert Group({}, [], known, size, whole).pages(100, total) == pages
