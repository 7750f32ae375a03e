"""The order of listings where ids are texts, and what a limit leaves out of them."""

from _thread import interrupt_main

import httpx
import pytest
from tests.answering import Answers, facts

import inkframe as ink

STYLES = ["anime", "retro", "pop_art", "sketch", "origami"]
UNKNOWN = "the order is not known: ids are texts, and not every record shows its time"


class Shelf(Answers):
    """A service of images named by their numbers in the order of creation, and the requests that it had.

    Args:
        count: The number of images.
        ids: ``text`` for ids without an order, else numbers.
        times: The time of creation of an image by its number, if it has one.
        honors: Whether lists are sorted as requested; a service may refuse to, or keep an order of its own.
        size: The most images on a page.
        describes: Whether a reply describes its page.
    """

    def __init__(self, count=8, *, ids="text", times=None, honors=True, size=100, describes=True):
        super().__init__(self.reply)
        self.rows = [
            {"id": f"k{i * 7919 % 9973:04d}" if ids == "text" else i, "name": f"n{i}", "style": STYLES[i % 5]}
            | ({"created_at": times(i)} if times else {})
            for i in range(1, count + 1)
        ]
        self.honors, self.size, self.describes = honors, size, describes
        self.lists, self.shown = [], []

    def reply(self, request):
        """Return the reply to a request."""
        asked = request.url.params
        if not request.url.path.endswith("/images"):
            self.shown.append(request.url.path.rpartition("/")[2])
            row = next(row for row in self.rows if str(row["id"]) == self.shown[-1])
            return {"data": row | {"description": f"of {row['name']}", "seed": 7}}
        self.lists.append((asked.get("style"), asked.get("sort"), int(asked.get("page", 1))))
        if self.honors == "desc" and asked.get("sort") == "asc":
            return httpx.Response(422, json={"message": "sort must be desc"})
        rows = [row for row in self.rows if asked.get("style") in (None, row["style"])]
        if not self.honors:
            rows = rows[::2] + rows[1::2]
        elif asked.get("sort") != "asc":
            rows.reverse()
        size = min(int(asked["per_page"]), self.size)
        page = int(asked.get("page", 1))
        said = {"total": len(rows), "current_page": page, "last_page": -(-len(rows) // size)}
        return {"data": rows[(page - 1) * size : page * size]} | ({"meta": said} if self.describes else {})

    def listed(self, **query):
        """Return the numbers of the listed images, and what their frame says of them."""
        with self.client() as client:
            frame = client.images.all(**query)
        return [int(name[1:]) for name in frame["name"]], *facts(frame)

    def client(self):
        """Return a client that sends one request at a time."""
        return super().client(concurrency=1)


def same_time(_number):
    return "2026-01-01T00:00:00Z"


def second(number):
    return f"2026-01-01T00:{number // 60:02d}:{number % 60:02d}Z"


def spread(numbers, sort):
    """Return numbers as they come by style: those of each style in the order of the list."""
    return [n for style in (0, 1, 2) for n in (numbers if sort == "asc" else numbers[::-1]) if n % 5 == style]


@pytest.mark.parametrize("times", [None, same_time])
@pytest.mark.parametrize(("size", "describes"), [(100, True), (100, False), (3, False)])
@pytest.mark.parametrize(
    ("sort", "numbers"), [("desc", [8, 7, 6, 5, 4, 3, 2, 1]), ("asc", [1, 2, 3, 4, 5, 6, 7, 8])]
)
def test_one_listing_has_the_requested_order(times, size, describes, sort, numbers):
    """Without times, or with equal ones, the order of arrival is that of the list, however it was read."""
    shelf = Shelf(times=times, size=size, describes=describes)
    found, _, reasons = shelf.listed(sort=sort)
    assert (found, UNKNOWN in reasons) == (numbers, False)


@pytest.mark.parametrize("sort", ["desc", "asc"])
def test_one_page_is_exact_and_its_order_is_tried_once(sort):
    """Whether a service honors the order is asked for with one request by each client, and only if ids are texts."""
    for ids, times, requests in (("text", None, 3), ("text", second, 2), ("number", None, 2)):
        shelf = Shelf(ids=ids, times=times)
        with shelf.client() as client:
            frames = [client.images.all(sort=sort) for _ in range(2)]
        assert len(shelf.lists) == requests
        for frame in frames:
            assert frame["name"].tolist() == [f"n{n}" for n in sorted(range(1, 9), reverse=sort == "desc")]
            assert facts(frame) == ("exact", [])


@pytest.mark.parametrize("sort", ["desc", "asc"])
@pytest.mark.parametrize("size", [100, 3])
def test_where_the_order_is_ignored_rows_stay_as_they_came(sort, size):
    """The reasons say that the order is not known; the records are those of any other listing."""
    found, _, reasons = Shelf(honors=False, size=size).listed(sort=sort)
    assert found == [1, 3, 5, 7, 2, 4, 6, 8]
    assert UNKNOWN in reasons


def test_an_order_that_is_not_the_opposite_one_is_not_honored():
    """Pages that merely differ do not show that the service sorts."""
    shelf = Shelf()

    def answer(request):
        shelf.honors = request.url.params.get("sort") == "desc"
        return shelf.reply(request)

    shelf.answer = answer
    found, _, reasons = shelf.listed()
    assert (found, reasons) == ([*range(8, 0, -1)], [UNKNOWN])


@pytest.mark.parametrize("count", [0, 1])
def test_no_record_or_one_has_any_order(count):
    """There is nothing to ask for, and no reason."""
    shelf = Shelf(count, honors=False)
    assert shelf.listed() == ([1][:count], "exact", [])
    assert len(shelf.lists) == 1


def test_a_service_may_refuse_to_sort():
    """A page that was read stays as it came."""
    assert Shelf(honors="desc").listed() == ([8, 7, 6, 5, 4, 3, 2, 1], "exact", [])


@pytest.mark.parametrize("sort", ["desc", "asc"])
@pytest.mark.parametrize("honors", [True, False])
@pytest.mark.parametrize("size", [100, 2])
def test_several_listings_stay_one_after_the_other(sort, honors, size):
    """Without times nothing tells the order of two listings: each has its own, and the reasons say so."""
    shelf = Shelf(18, honors=honors, size=size)
    found, _, reasons = shelf.listed(style=STYLES[:3], sort=sort)
    of_style = [[n for n in range(1, 19) if n % 5 == style] for style in (0, 1, 2)]
    as_came = [n for rows in of_style for n in rows[::2] + rows[1::2]]
    assert found == (spread([*range(1, 19)], sort) if honors else as_came)
    assert UNKNOWN in reasons


def test_one_listing_with_records_among_several_is_in_order():
    """Listings without records leave no doubt."""
    assert Shelf(1).listed(style=STYLES[1:4]) == ([1], "exact", [])
    shelf = Shelf(20)
    shelf.rows = [row for row in shelf.rows if row["style"] == "retro"]
    assert shelf.listed(style=STYLES, sort="asc") == ([1, 6, 11, 16], "exact", [])


def test_times_tell_the_order_of_several_listings():
    """Records are in the order of their times; one without a time makes the order unknown."""
    shelf = Shelf(times=second)
    assert shelf.listed(style=STYLES) == ([8, 7, 6, 5, 4, 3, 2, 1], "exact", [])
    shelf.rows[4]["created_at"] = None
    assert shelf.listed(style=STYLES)[2] == [UNKNOWN]
    assert shelf.listed(style=STYLES, sort_by="name")[2] == []


def test_equal_names_have_the_requested_order():
    """What has the same name is in the order of the list."""
    shelf = Shelf(4)
    with shelf.client() as client:
        ids = [row["id"] for row in shelf.rows]
        for row in shelf.rows:
            row["name"] = "n1"
        assert client.images.all(sort_by="name", sort="asc").index.tolist() == ids
        assert client.images.all(sort_by="name", sort="desc").index.tolist() == ids[::-1]


@pytest.mark.parametrize(("sort", "numbers"), [("desc", [*range(1000, 990, -1)]), ("asc", [*range(1, 11)])])
@pytest.mark.parametrize(("ids", "times"), [("number", None), ("number", second), ("text", second)])
def test_a_limit_reads_one_page_of_each_listing(sort, numbers, ids, times):
    """The first page by id of each query has all that a limit may need, in either order."""
    shelf = Shelf(1000, ids=ids, times=times)
    assert shelf.listed(style=STYLES, limit=10, sort=sort) == (
        numbers,
        "best-effort",
        ["stopped at limit=10"],
    )
    assert shelf.lists == [(style, sort, 1) for style in STYLES]
    shelf.lists.clear()
    assert shelf.listed(limit=10, sort=sort) == (numbers, "best-effort", ["stopped at limit=10"])
    assert shelf.lists == [(None, sort, 1)]


def test_a_limit_larger_than_a_page_reads_as_many():
    """Each listing is read until it has as many records as the limit, or ends."""
    shelf = Shelf(1000, ids="number")
    found, level, reasons = shelf.listed(style=STYLES[:2], limit=150, sort="asc")
    assert found == [n for n in range(1, 1001) if n % 5 < 2][:150]
    assert (level, reasons) == ("best-effort", ["stopped at limit=150"])
    assert {*shelf.lists} == {(style, "asc", page) for style in STYLES[:2] for page in (1, 2)}
    shelf.lists.clear()
    assert shelf.listed(limit=100)[0] == [*range(1000, 900, -1)]
    assert len(shelf.lists) == 1
    assert Shelf(7, ids="number").listed(style=STYLES, limit=8) == ([7, 6, 5, 4, 3, 2, 1], "exact", [])
    assert Shelf(7, ids="number").listed(limit=8, sort="asc") == ([1, 2, 3, 4, 5, 6, 7], "exact", [])


def test_a_limit_without_an_order_reads_what_comes_first():
    """Where nothing tells the order of several listings, no further one is read, and the reason says so."""
    shelf = Shelf(60)
    found, _, reasons = shelf.listed(style=STYLES, limit=14)
    assert (found, reasons) == (spread([*range(1, 61)], "desc")[:14], [UNKNOWN, "stopped at limit=14"])
    assert [(style, sort) for style, sort, _ in shelf.lists] == [
        (STYLES[0], "desc"),
        (STYLES[0], "asc"),  # whether the service honors the order
        (STYLES[1], "desc"),
    ]
    assert Shelf(60).listed(limit=14)[2] == ["stopped at limit=14"]
    assert Shelf(60, honors=False).listed(limit=14)[2] == [UNKNOWN, "stopped at limit=14"]
    shelf.lists.clear()
    assert shelf.listed(style=STYLES, limit=5)[2] == [UNKNOWN, "stopped at limit=5"]
    assert {style for style, *_ in shelf.lists} == {STYLES[0]}


@pytest.mark.parametrize("sort", ["desc", "asc"])
@pytest.mark.parametrize(("ids", "times"), [("number", None), ("text", second)])
def test_an_ignored_order_that_records_tell_is_made_here(ids, times, sort):
    """Rows are in the requested order by their ids or times, so that nothing needs to be said of it."""
    found = Shelf(ids=ids, times=times, honors=False).listed(sort=sort)
    assert found == (sorted(range(1, 9), reverse=sort == "desc"), "exact", [])


@pytest.mark.parametrize(("ids", "times"), [("number", None), ("text", second)])
def test_a_limit_of_a_service_that_ignores_the_order_reads_everything(ids, times):
    """The newest records may be on any page."""
    for query in ({}, {"style": STYLES}):
        found, level, _ = Shelf(300, ids=ids, times=times, honors=False).listed(limit=5, **query)
        assert (found, level) == ([300, 299, 298, 297, 296], "best-effort")


def test_one_page_out_of_order_is_enough_to_read_everything():
    """A service whose second page happens to be in order has not shown that the newest records were read."""
    shelf = Shelf(300, ids="number", honors=False)
    rows = [*shelf.rows[:100], *shelf.rows[:199:-1], *shelf.rows[100:200]]
    shelf.rows = [row for pair in zip(rows[:150], rows[150:], strict=True) for row in pair]
    assert shelf.listed(limit=105)[0] == [*range(300, 195, -1)]


def test_records_that_were_read_in_both_orders_have_none():
    """Where no second page is found, the first ones in both orders are read, and nothing tells what is between."""
    shelf = Shelf(150)
    shelf.answer = lambda request: shelf.reply(httpx.Request("GET", request.url.copy_remove_param("page")))
    found, _, reasons = shelf.listed()
    assert len(found) == 150
    assert UNKNOWN in reasons


@pytest.mark.parametrize("query", [{}, {"style": STYLES}, {"sort_by": "name", "sort": "asc"}])
def test_details_are_fetched_of_the_records_in_the_frame(query):
    """A limit is applied first; the columns that lists omit, and further ones, are those of the records."""
    shelf = Shelf(300, ids="number")
    with shelf.client() as client:
        frame = client.images.all(details=True, limit=5, **query)
        whole = client.images.all(details=True, style="anime")
    assert len(frame) == 5
    assert shelf.shown[:5] == [str(id) for id in frame.index]
    assert frame["description"].tolist() == [f"of {name}" for name in frame["name"]]
    assert (frame["seed"].tolist(), frame["seed"].dtype) == ([7] * 5, whole["seed"].dtype)
    assert frame.columns.tolist() == whole.columns.tolist()
    assert frame.attrs["inkframe"]["absent"] == whole.attrs["inkframe"]["absent"]


def test_details_have_the_labels_of_what_lists_omit():
    """A template that only the record shows has its label, and what a list shows stays as it was."""

    def answer(request):
        row = {"id": 1, "name": "a", "kind": "list"}
        if request.url.path.endswith("/1"):
            return row | {"name": "b", "prompt": "p", "template_id": 16, "kind": "record"}
        return {"data": [row], "total": 1}

    with Answers(answer).client() as client:
        frame = client.documents.all(details=True, limit=3)
        none = client.documents.all(details=True, limit=3, search="nothing", template=3)
    shown = frame[["name", "template", "template_id", "kind"]]
    assert shown.astype(object).to_numpy().tolist() == [["a", "FAQ", 16, "list"]]
    assert "template" not in frame.attrs["inkframe"]["absent"]
    assert len(none) == 1


def test_an_interrupt_while_details_are_fetched_keeps_the_rows():
    """The frame of the interrupt has the records of the list."""
    shelf = Shelf(300, ids="number")

    def answer(request):
        if shelf.shown:
            interrupt_main()
        return shelf.reply(request)

    shelf.answer = answer
    with shelf.client() as client:
        with pytest.raises(ink.ListingInterrupted) as caught:
            client.images.all(details=True, limit=5)
    assert caught.value.frame.index.tolist() == [300, 299, 298, 297, 296]
    assert "the listing was interrupted" in facts(caught.value.frame)[1]


def test_a_missing_text_and_an_empty_one_stay_apart_on_a_page():
    """One page with both has both in the frame, in each column of texts, listed, pushed and saved."""
    texts = [None, "", "Boils.", None, ""]
    rows = [
        {"id": n, "name": f"n{n}", "prompt": text, "result": text, "note": text, "template_id": 1}
        for n, text in enumerate(texts, 1)
    ]

    def answer(request):
        number = request.url.path.rpartition("/")[2]
        found = rows[int(number) - 1] if number.isdigit() else rows
        return {"data": found, "meta": {"total": 5, "current_page": 1, "last_page": 1}}

    service = Answers(answer)
    with service.client() as client:
        frames = [
            client.documents.list(),
            client.documents.all(template=1, sort="asc"),
            *client.documents.pages(template=1),
        ]
        record = client.documents.get(2), client.documents.get(1)
        frame = frames[1]
        assert len(client.documents.push(frame)) == 0
        frame.loc[[1, 2], "result"] = ["", "Now."]
        report = client.documents.push(frame, dry_run=True)
    for found in frames:
        for column in ("prompt", "result", "note"):
            assert [
                None if missing else text
                for text, missing in zip(found[column], found[column].isna(), strict=True)
            ] == (texts if found is not frame or column != "result" else ["", "Now.", *texts[2:]])
    assert [each.result for each in record] == ["", None]
    old = [
        None if missing else text for text, missing in zip(report["old"], report["old"].isna(), strict=True)
    ]
    assert list(zip(report["id"], old, report["new"], strict=True)) == [(1, None, ""), (2, "", "Now.")]
    assert "PATCH" not in {request.method for request in service.requests}
