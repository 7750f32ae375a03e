"""Filters that a service ignores: records that contradict them are removed, with a message."""

import httpx
import pytest
from tests import answering
from tests.answering import Answers
from tests.cases import cases

from inkframe.listing.page_search import keeps_filters
from inkframe.replies.columns import Columns, Page
from inkframe.replies.list_reply import ListReply

IMAGES = [
    {"id": 1, "name": "a", "style": "anime", "medium": None, "favorite": True},
    {"id": 2, "name": "b", "style": "retro", "medium": None, "favorite": False},
    {"id": 3, "name": "c", "style": None, "medium": None},
    {"id": 4, "name": "d", "style": "Anime", "medium": None, "favorite": False},
    {"id": 5, "name": "e", "style": "house style", "medium": None, "favorite": True},
]
WORDS = {"total": 4, "current_page": 1, "last_page": 1}
DOCUMENTS = [{"id": 1, "name": "a", "template_id": 1}, {"id": 2, "name": "b", "template_id": 4},
             {"id": 3, "name": "c", "template_id": 9}, {"id": 4, "name": "d", "template_id": 77}]  # fmt: skip


@pytest.fixture
def client():
    """Yield a client of a service that ignores all filters."""

    def answer(request):
        rows = IMAGES if request.url.path.endswith("images") else DOCUMENTS
        rows = rows if request.url.params.get("sort") == "asc" else rows[::-1]
        return {"data": rows, "total": len(rows), "last_page": 1}

    with Answers(answer).client() as client:
        yield client


def facts(frame):
    """Return the sorted ids of a frame, its completeness and the reasons for it."""
    return sorted(frame.index), *answering.facts(frame)


def test_another_value_is_removed_with_a_reason(client):
    """A label, another case and an unknown style are kept; another style and a missing one are removed."""
    by_style = ["the service does not filter by style"]
    assert facts(client.images.all(style="anime")) == ([1, 4, 5], "verified", by_style)
    page = client.images.list(style="anime")
    assert facts(page) == ([1, 2, 3, 4, 5], "page", by_style)
    assert [facts(frame) for frame in client.images.pages(style="anime")] == [([1, 4, 5], "page", by_style)]
    assert facts(client.images.all(style=["anime", "sketch"]))[0] == [1, 4, 5]


def test_pages_of_which_nothing_is_left_are_said(capsys):
    """A service whose every record is of another style is said to ignore the filter, though there is no page to say it."""
    with Answers({"data": IMAGES[1:2], **WORDS}).client() as client:
        assert [*client.images.pages(style="sketch")] == []
    assert "does not filter by style" in capsys.readouterr().out


def test_a_missing_favorite_is_false(client):
    """Services omit false values."""
    assert facts(client.images.all(favorite=True))[0] == [1, 5]
    assert facts(client.images.all(favorite=False))[0] == [2, 3, 4]


def test_an_empty_column_removes_nothing(client, capsys):
    """If no record has a value, lists may not contain the field, or the service ignores the filter, which is said."""
    words = "shows no medium of records, by which it may not filter"
    assert facts(client.images.all(medium="ink")) == ([1, 2, 3, 4, 5], "verified", [f"the service {words}"])
    assert capsys.readouterr().out.splitlines() == [f"service.test {words}."]


def test_a_record_without_a_value_beside_others_shows_an_ignored_filter():
    """A medium of some records is one that the others do not have; a favorite that is left out is false."""
    rows = [{"id": id, "name": "n", "medium": value} for id, value in enumerate(["ink", None, None, "ink"])]
    with Answers({"data": rows, **WORDS}).client() as client:
        frame = client.images.all(medium="ink", sort="asc")
    assert facts(frame) == ([0, 3], "verified", ["the service does not filter by medium"])
    assert frame.attrs["inkframe"]["total"] is None


@pytest.mark.parametrize("shown", [{"resolution": "256x256"}, {"resolution": None}, {}])
def test_records_of_several_values_show_an_ignored_filter(shown, capsys):
    """Each record has one resolution, so that the same records for another one are said, and counted once."""
    rows = [{"id": id, "name": "n", **shown} for id in range(4)]
    with Answers({"data": rows, **WORDS}).client() as client:
        found = client.images.all(resolution=["256x256", "512x512"])
    ids, level, reasons = facts(found)
    assert (ids, level, found.attrs["inkframe"]["total"]) == ([0, 1, 2, 3], "verified", None)
    assert reasons[-1] == "the service does not filter by resolution"
    assert "service.test does not filter by resolution" in capsys.readouterr().out


def test_documents_of_other_templates_are_removed(client):
    """Documents of other templates are removed for one template or several; unknown templates are kept."""
    by_template = ["the service does not filter by template"]
    assert facts(client.documents.all(template=4)) == ([2, 4], "verified", by_template)
    assert facts(client.documents.all(template=[1, 4]))[0] == [1, 2, 4]
    assert facts(client.documents.all())[0] == [1, 2, 3, 4]


def test_the_message_is_printed_once(client, capsys):
    """One line per filter is printed the first time records are removed."""
    client.images.list(style="anime")
    client.images.list(style="retro")
    client.images.all(style="anime", favorite=True)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "service.test does not filter by style",
        "service.test does not filter by favorite",
    ]


@pytest.mark.integration
def test_a_filtered_listing_is_safe_to_delete(client):
    """A filtered listing contains only records that match the filter."""
    assert 2 not in client.images.all(style="anime").index
    pytest.importorskip("dask")
    assert client.images.to_dask(style="anime").compute(scheduler="sync").index.tolist() == [1, 4, 5]


@pytest.mark.parametrize("keeps", [True, False])
def test_links_that_lose_the_filter_are_not_followed(keeps):
    """Where only the links of a service lead on, their pages count only if they still have the filter."""
    styles = ["anime" if number % 2 else "retro" for number in range(600)]
    rows = [{"id": 600 - at, "name": f"n{at}", "style": style} for at, style in enumerate(styles)]

    def answer(request):
        query = dict(request.url.params)
        if query.keys() - {"style", "per_page", "sort", "sort_by", "token"}:
            return httpx.Response(400, json={"message": "unknown parameter"})
        if "token" in query:
            if query.keys() - {"token"}:
                return httpx.Response(400, json={"message": "a token stands alone"})
            start, style, order = query["token"].split("-")
            style = style if keeps else ""
        else:
            start, style, order = 0, query.get("style", ""), query.get("sort", "desc")
        found = [row for row in rows if style in ("", row["style"])]
        page = found[:: -1 if order == "asc" else 1][int(start) : int(start) + 100]
        following = f"/api/v1/images?token={int(start) + 100}-{style}-{order}"
        return {"data": page, "next": following if len(page) == 100 else None}

    with Answers(answer).client() as client:
        frame = client.images.all(style="anime")
    assert set(frame["style"]) == {"anime"}
    assert len(frame) == (300 if keeps else 200)  # the first page in both orders
    assert frame.attrs["inkframe"]["completeness"] == "best-effort"


def page_of(claimed=None, **known):
    """Return a page whose records have some values."""
    count = len(next(iter(known.values())))
    return Page(ListReply([]), Columns(list(range(count)), known, {}), {}, {}, claimed)


def test_a_page_behind_a_link_keeps_the_filters_or_the_total():
    """An equal total is enough; without one, the records must match, unless those of the first page differ, too."""
    style = {"style": "anime", "sort": "asc", "sort_by": "id", "per_page": 100}
    ours, mixed, other = ["anime", "anime"], ["anime", "retro"], ["retro", "retro"]

    def keeps(first, page, query=style, totals=(None, None)):
        name = "style" if "style" in query else "name"
        before, after = page_of(totals[0], **{name: first}), page_of(totals[1], **{name: page})
        return keeps_filters(before, after, query)

    assert keeps(ours, ours)
    assert not keeps(ours, mixed)
    assert not keeps(ours, other)
    assert keeps(mixed, other)
    assert keeps(ours, mixed, totals=(9, 9))
    assert not keeps(ours, mixed, totals=(9, 8))
    assert not keeps(ours, mixed, totals=(9, None))
    assert keeps(ours, other, {"sort": "asc", "sort_by": "id", "per_page": 100})
    search = {"search": "Kettle", "sort": "asc"}
    assert keeps(["kettle 1"], ["The KETTLE"], search)
    assert not keeps(["kettle 1"], ["kettle 2", None], search)
    assert not keeps(["tea"], ["pot"], search)
    assert not keeps(ours, mixed, totals=(2, 2))
    result = search | {"search_by": "result"}
    assert keeps_filters(
        page_of(result=["kettle"], name=["a"]), page_of(result=["kettle"], name=["b"]), result
    )
    assert not keeps_filters(
        page_of(result=["kettle"], name=["kettle"]), page_of(result=["b"], name=["kettle"]), result
    )


@cases(
    ("sent", "query", "is_kept"),
    [
        ({"page": "2"}, {"template_id": 4}, False),
        ({"page": "2", "sort": "desc", "sort_by": "id", "search_by": "name"}, {"template_id": 4}, False),
        ({"page": "2", "template_id": "4"}, {"template_id": 4}, True),
        ({"page": "2", "filter[template_id]": "4"}, {"template_id": 4}, True),
        ({"page": "2", "template_id": "4"}, {"template_id": 4, "search": "tea"}, False),
        ({"page": "2", "search": "tea"}, {"template_id": 4, "search": "tea"}, False),
        ({"page": "2", "search": "tea", "template_id": "4"}, {"template_id": 4, "search": "tea"}, True),
        ({"cursor": "eyJpZCI6M30"}, {"template_id": 4, "search": "tea"}, True),
        ({"page": "2"}, {"favorite": True}, True),
        ({"page": "2"}, {"style": "anime", "template_id": 4}, False),
    ],
)
def test_a_link_must_have_the_filters_that_records_do_not_show(sent, query, is_kept):
    """A number leads to a page of all records, while a token may stand for the filters."""
    known = {
        "name": ["a", "b"],
        "template_id": [None, None],
        "favorite": [False, True],
        "style": ["retro", None],
    }
    first, page = page_of(**known), page_of(**known)
    page.asked.update(sent)
    assert keeps_filters(first, page, query) is is_kept


def test_each_filter_is_kept_by_itself():
    """A field that no record shows does not excuse another one that is lost."""
    first = page_of(style=["anime"], template_id=[None])
    page = page_of(style=["retro"], template_id=[None])
    page.asked.update({"cursor": "eyJpZCI6M30"})
    assert not keeps_filters(first, page, {"style": "anime", "template_id": 4})
