"""Rows refetched before they are written, with one request for each and any ids."""

import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink
from inkframe.frames import BASELINES
from inkframe.versions import text_type


def outcomes(report):
    return report["outcome"].astype(text_type()).tolist()


@pytest.mark.integration
@pytest.mark.parametrize("collection", ["images", "documents"])
def test_one_read_and_one_write_for_each_row(pair, collection):
    """Each edited row is refetched and updated once; the other rows are not requested."""
    pair = pair(records=500)
    items = getattr(pair.client, collection)
    frame = items.all()
    for count in (80, 1):
        chosen = frame.sample(count, random_state=count).index
        frame.loc[chosen, "name"] = [f"new {count} {id}" for id in chosen]
        pair.sent()
        assert outcomes(frame.ink.push()) == ["changed"] * count
        sent = pair.sent()
        for method in ("GET", "PATCH"):
            ids = [request.segments[-1] for request in sent if request.method == method]
            assert sorted(ids) == sorted(map(str, chosen))
        assert len(sent) == 2 * count


@pytest.mark.integration
def test_a_row_that_was_deleted_is_not_written(pair):
    """A record that is gone is reported, among others and alone."""
    pair = pair(records=12, documents=0)
    frame = pair.client.images.all()
    del pair.service.images[3]
    frame["name"] = "new"
    report = frame.ink.push().set_index("id")["outcome"].astype(text_type())
    assert report.index[report != "changed"].tolist() == [3]
    alone = frame.loc[[3]]
    assert outcomes(alone.ink.push()) == [report.loc[3]]


@pytest.mark.integration
def test_records_are_found_after_deletions(pair):
    """Records are refetched although others were deleted, with a conflict where one has changed."""
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
    """With any pages and ids, each row is refetched and written once."""
    pair = pair(dialect, records=230)
    frame = pair.client.images.all()
    pair.sent()
    frame["name"] = "x " + frame["name"]
    assert outcomes(frame.ink.push()) == ["changed"] * 230
    requests = pair.sent()
    assert len([request for request in requests if request.method == "PATCH"]) == 230
    assert len(requests) == 2 * 230
    assert all(record["name"].startswith("x ") for record in pair.service.images.values())


@pytest.mark.integration
def test_text_ids_stay_texts(pair):
    """An id such as "000007" is sent unchanged, and 7 is not the same id."""
    pair = pair("rails_pagy", records=20)
    frame = pair.client.images.all()
    frame.loc["000007", "name"] = "seven"
    pair.sent()
    report = frame.ink.push()
    assert (report["id"].tolist(), type_name(report["id"].dtype)) == (["000007"], "str")
    assert pair.sent("PATCH")[0].segments[-1] == "000007"
    numbers = frame.set_axis(pd.Index(frame.index.astype("int64"), name="id"))
    with pytest.raises(ink.InvalidArgument, match="Ids must have the type str(ing)?, such as '0000"):
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


@pytest.mark.integration
def test_without_a_baseline_an_empty_text_is_updated(pair):
    """A text that is empty on the service differs from an edited one, even if no other row was fetched."""
    pair = pair(records=6)
    pair.service.documents[4]["result"] = None
    report = pair.client.documents.push(pd.DataFrame({"id": [4], "result": ["mine"]}))
    assert report[["id", "column", "outcome"]].to_numpy().tolist() == [[4, "result", "changed"]]


@pytest.mark.integration
@pytest.mark.parametrize(
    ("dialect", "collection", "most"),
    [("template_unlimited", "documents", 4), (None, "images", 4), ("laravel_cursor", "images", 5)],
)
def test_without_a_baseline_most_rows_are_read_by_page(pair, dialect, collection, most):
    """Of many rows, those that differ from their page are read one by one, and then compared as records."""
    pair = pair(dialect, records=250) if dialect else pair(records=250)
    items, stored = getattr(pair.client, collection), getattr(pair.service, collection)
    frame = pd.DataFrame(items.all().drop(columns="template_id", errors="ignore"))
    BASELINES.clear()
    frame.attrs.clear()
    frame.loc[frame.index[7], "name"] = "mine"
    stored[frame.index[200]]["name"] = "theirs"
    pair.sent()
    report = items.push(frame)
    assert sorted(report["id"]) == sorted(frame.index[[7, 200]])
    assert outcomes(report) == ["changed"] * 2
    requests = pair.sent()
    assert len([request for request in requests if request.method == "PATCH"]) == 2
    reads = [request for request in requests if request.method == "GET"]
    assert len([request for request in reads if request.segments[-1] != collection]) == 2
    assert len(reads) <= most + 2


@pytest.mark.integration
def test_without_a_baseline_few_pages_are_read(pair):
    """A few rows of a large collection are not worth its pages."""
    pair = pair(records=1200, documents=0)
    frame = pair.client.images.all()
    BASELINES.clear()
    frame.attrs.clear()
    for count, most in ((20, 0), (21, 5)):
        pair.sent()
        assert pair.client.images.push(frame.iloc[600 : 600 + count]).empty
        are_pages = [request.segments[-1] == "images" for request in pair.sent()]
        assert are_pages.count(False) == count
        assert are_pages.count(True) <= most


@pytest.mark.integration
def test_without_a_baseline_lists_that_shorten_texts_are_not_trusted(pair):
    """A text that a list shows in part is compared with the whole text of the record."""
    pair = pair("list_brief", records=30)
    frame = pair.client.documents.all(details=True)
    BASELINES.clear()
    frame.attrs.clear()
    assert pair.client.documents.push(frame).empty
    frame.loc[4, "result"] = "mine"
    report = pair.client.documents.push(frame)
    assert report[["id", "column", "outcome"]].to_numpy().tolist() == [[4, "result", "changed"]]
