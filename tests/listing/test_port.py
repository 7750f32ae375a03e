"""The five operations, request by request: what is sent, what is learned, and what is refused."""

from datetime import UTC, datetime

import httpx
import pytest
from tests.answering import Answers

import inkframe as ink
from inkframe.creating.create import Create
from inkframe.creating.identity import Identity
from inkframe.creating.journal import Journal
from inkframe.creating.rows import Row
from inkframe.listing.full_listing import Listing
from inkframe.listing.operations import Limits

ROWS = [{"id": id, "name": f"n{id}", "style": "anime"} for id in range(1, 11)]
QUERY = {"sort": "asc", "per_page": 10}


def test_what_came_of_page_parameters_is_noted():
    """Until it is known which are right; the size of a page is not one of them."""
    replies = {"page": {"data": []}, "offset": httpx.Response(422), "skip": {"data": ROWS[:3]}}
    described = {"data": ROWS, "total": 25}
    service = Answers(
        lambda request: next((replies[name] for name in replies if name in request.url.params), described)
    )
    calls = service.calls()
    calls.dialect.learn(size_parameter="limit")
    listing = Listing(calls, QUERY)
    assert listing.second(listing.first()) is None
    assert calls.dialect.attempts == {
        "page": "no records",
        "offset": "status 422",
        "skip": "other records",
        "_page": "the first page again",
        "after": "the first page again",
    }
    calls.paginator.is_understood = True
    calls.dialect.learn(page_parameter="leaf", paging="number")
    listing.second(listing.first())
    assert "leaf" not in calls.dialect.attempts


@pytest.mark.parametrize(
    "nothing", [httpx.Response(204), httpx.Response(200, content=b"null"), httpx.Response(404)]
)
def test_a_list_without_a_body_is_empty_if_the_collection_exists(nothing):
    """With filters it is; the collection itself must answer with a list, except that 204 is always empty."""
    service = Answers(lambda request: nothing if "style" in request.url.params else {"data": ROWS})
    calls = service.calls()
    page = calls.page(QUERY | {"style": "anime"})
    assert (page.columns.ids, page.reply.total, page.asked) == (
        [], 0, {"sort": "asc", "per_page": "10", "style": "anime"}
    )  # fmt: skip
    calls.page(QUERY | {"style": "anime"})
    lists = [f"{each}sort=asc&per_page=10&style=anime" for each in ("GET /api/v1/images?",)]
    proof = [] if nothing.status_code == 204 else ["GET /api/v1/images"]
    assert service.sent == [*lists, *proof, *lists]
    if nothing.status_code != 404:
        further = calls.page(QUERY | {"style": "anime"}, {"page": "2"})
        assert (further.columns.ids, further.reply.total) == ([], None)
    else:
        with pytest.raises(ink.NotFound):
            calls.page(QUERY | {"style": "anime"}, {"page": "2"})
    bare_service = Answers(nothing)
    bare = bare_service.calls()
    if nothing.status_code == 204:
        assert bare.page(QUERY).columns.ids == []
    else:
        for query, count in ((QUERY, 1), (QUERY | {"sort_by": "id"}, 1), (QUERY | {"style": "anime"}, 2)):
            with pytest.raises(ink.NotFound if nothing.status_code == 404 else ink.UnexpectedReply):
                bare.page(query, limits=Limits(seconds=7.0))
            assert bare_service.deadlines == [7] * count
            bare_service.requests.clear()
    with pytest.raises(ink.InkframeError):
        Answers(httpx.Response(205)).calls().page(QUERY)


def test_the_size_of_a_page_is_sent_by_its_learned_name():
    """A short first page that shows the name of the size is requested again with it."""
    link = "https://service.test/api/v1/images?limit=3&page=2"

    def answer(request):
        size = int(request.url.params.get("limit", 3))
        return {"data": ROWS[:size], "next": link if size < 10 else None}

    service = Answers(answer)
    calls = service.calls()
    page = calls.page(QUERY, limits=Limits(seconds=7.0))
    first = "GET /api/v1/images?sort=asc&per_page=10"
    assert (len(page.columns.ids), service.sent) == (10, [first, f"{first}&limit=10"])
    assert service.deadlines == [7, 7]
    calls.page({})
    assert service.sent[2:] == ["GET /api/v1/images"]


def test_a_short_list_that_ends_is_not_requested_again():
    """Whatever its links show, it has no more records."""
    whole = {"data": ROWS[:3], "total": 3, "has_more": False, "links": {"last": "/api/v1/images?limit=3"}}
    service = Answers(whole)
    calls = service.calls()
    assert calls.page(QUERY).columns.ids == [1, 2, 3]
    assert (calls.dialect.size_parameter, len(service.sent)) == ("limit", 1)


def test_where_records_are_is_learned_before_another_page_is_refused():
    """A further page that shows no list is read once more, with the keys of the whole list, if they are unknown."""
    first = {"box": {"things": ROWS[:3]}, "next": "https://service.test/api/v1/images?limit=3&page=2"}
    further = {None: first, "2": {"box": {"things": None}}, "3": {"box": {}}}
    lists = ["GET /api/v1/images?sort=asc&per_page=10&page=", "GET /api/v1/images"]
    for page in ("2", "3"):
        service = Answers(lambda request: further[request.url.params.get("page")])
        calls = service.calls()
        assert calls.page(QUERY, {"page": page}, Limits(seconds=7.0)).columns.ids == []
        assert service.sent == [f"{lists[0]}{page}", lists[1]]
        assert service.deadlines == [7, 7]
        service.answer = lambda _: {"message": "No."}
        with pytest.raises(ink.UnexpectedReply):
            calls.page(QUERY, {"page": page})
        assert len(service.sent) == 3
    with pytest.raises(ink.UnexpectedReply):
        calls.page(QUERY)
    assert len(service.sent) == 4


def test_a_further_page_without_a_body_is_empty():
    """No filter is needed for it, since the list itself has records."""
    service = Answers(lambda request: httpx.Response(200, content=b"null") if "page" in request.url.params
                      else {"data": ROWS})  # fmt: skip
    page = service.calls().page(QUERY, {"page": "2"})
    assert (page.columns.ids, page.reply.total) == ([], None)
    assert service.sent == ["GET /api/v1/images?sort=asc&per_page=10&page=2", "GET /api/v1/images"]


def test_a_record_without_any_known_field_is_refused():
    """The id alone may be that of anything."""
    with pytest.raises(ink.UnexpectedReply) as refused:
        Answers({"id": 7, "weight": 3}).calls().get(7)
    assert str(refused.value) == (
        "The reply has no field of images, got {id: number, weight: number}.\n"
        "Check base_url: it may be the address of another service."
    )


def test_what_a_create_shows_is_stored():
    """Its costs are those of the record; fields that were kept word for word, or left empty, are remembered."""
    record = {"id": 1, "name": "Harbor", "description": "Boats", "style": "anime", "filter": None}
    service = Answers(httpx.Response(201, json=record, headers={"X-Credits-Used": "3"}))
    calls = service.calls()
    made = Create(calls, Row(0, {"name": "Harbor", "description": "Boat", "style": "anime"})).pay()
    assert made.costs == {"credits": 3.0}
    assert [calls.kept.is_kept(name) for name in ("name", "description", "style")] == [True, False, True]
    assert calls.kept.changed == {"description"}


def test_the_key_of_a_create_is_sent():
    """That of an open one in the journal, else a new one for each create."""
    service = Answers(httpx.Response(422))
    calls, journal, keys = service.calls(), Journal(), []
    journal.note(Identity("a"), "sent", collection="images", key="mine")
    for _ in range(3):
        with pytest.raises(ink.ValidationFailed):
            Create(calls, Row(0, {"name": "a"}, identity=Identity("a")), journal).pay()
        keys.append(service.requests[-1].headers["Idempotency-Key"])
    assert keys[0] == "mine"
    assert [len(key) for key in keys[1:]] == [36, 36]
    assert len(set(keys)) == 3


def test_a_clock_that_is_far_behind_is_noted():
    """A record that was created more than five minutes before it was sent shows the clock of the service."""
    made = datetime(2026, 3, 1, 11, tzinfo=UTC)
    record = {"id": 1, "name": "a", "created_at": made.isoformat()}
    calls = Answers(record).calls()
    found = calls.get(1)
    seen = []
    for since in (made.timestamp(), made.timestamp() + 300, made.timestamp() + 300.5, made.timestamp()):
        calls.learn_created(found, {"name": "a"}, since)
        seen.append(calls.has_other_clock)
    assert seen == [False, False, True, True]


def test_another_record_is_refused_with_what_to_do():
    """The message names both records, what is known of the state, and the line that pins the id."""
    id = "k" * 90
    service = Answers({"id": id, **dict.fromkeys(("name", "description", "resolution"), "a")})
    remedy = "Check base_url, or pin the key of the id: client.images.dialect = ink.Dialect(id_name=…)."
    got = f"The reply for image 7 contains image '{'k' * 78}…."
    with pytest.raises(ink.UnexpectedReply) as refused:
        service.calls().get(7)
    assert str(refused.value) == f"{got} Nothing was read from it.\n{remedy}"
    with pytest.raises(ink.UnexpectedReply) as refused:
        service.calls().update(7, {"name": "a"})
    assert (
        str(refused.value) == f"{got} The update was sent; fetch the record to see what it has now.\n{remedy}"
    )


@pytest.mark.parametrize(
    ("refusal", "falls_back"),
    [
        (httpx.Response(405), True),
        (httpx.Response(501), True),
        (httpx.Response(404, json={"message": "Cannot PATCH /api/v1/images/7"}), True),
        (httpx.Response(404, html="<title>Error</title><pre>Cannot PATCH /api/v1/images/7</pre>"), True),
        (httpx.Response(404, json={"message": "No image 7."}), False),
        (httpx.Response(422, json={"message": "Cannot PATCH this."}), False),
    ],
)
def test_put_is_tried_once_for_a_method_that_is_refused(refusal, falls_back):
    """It is noted, remembered, displayed, and not tried for a given method or after PUT itself was refused."""
    record = {"id": 7, "name": "b", "description": "d", "resolution": "r", "style": None, "medium": None,
              "filter": None, "favorite": False, "picture_url": "/a.png", "created_at": None, "updated_at": None}  # fmt: skip
    service = Answers(lambda request: refusal if request.method == "PATCH" else record)
    client, path = service.client(), "/api/v1/images/7"
    calls = client.images._calls
    if not falls_back:
        with pytest.raises(ink.ServiceError):
            calls.update(7, {"name": "b"})
        assert (service.sent, calls.dialect.attempts) == ([f"PATCH {path}"], {})
        return
    calls.update(7, {"name": "b"})
    calls.update(7, {"name": "b"})
    assert service.sent == [f"PATCH {path}", f"PUT {path}", f"PUT {path}"]
    assert calls.dialect.attempts == {"PATCH": f"status {refusal.status_code}"}
    assert calls.dialect.update_method == "PUT"
    assert "update_method: PUT" in repr(client.describe())
    service.requests.clear()
    with pytest.raises(ink.ServiceError):
        service.calls(update_method="PATCH").update(7, {"name": "b"})
    service.answer = lambda _: httpx.Response(405)
    with pytest.raises(ink.ServiceError):
        calls.update(7, {"name": "b"})
    assert service.sent == [f"PATCH {path}", f"PUT {path}"]
