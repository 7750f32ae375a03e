"""Whole listings while records come and go: nothing that lived through is missing, and no verdict is too good."""

from __future__ import annotations

import random
import signal
import threading

import httpx
import pytest

import inkframe
from inkframe.testing import Fault, Faults, FaultyService

#: A reply that takes as long as those of a service nearby.
SLOWER = Fault(name="slower", delay=0.01)


def churned(seed, dialect="laravel_resource", records=650, rate=4):
    """A service whose images come, go and are flipped between replies; what lived through is returned with it."""
    service = FaultyService(dialect, images=records, documents=0, seed=seed)
    chance = random.Random(seed)
    survivors = set(service.images)

    @service.between_replies
    def churn(service):
        for _ in range(chance.randrange(rate)):
            kind = chance.choice(("insert", "delete", "pair", "flip"))
            if kind in {"delete", "pair"} and service.images:
                gone = chance.choice(list(service.images))
                del service.images[gone]
                survivors.discard(gone)
            if kind in {"insert", "pair"}:
                service.insert("images", name="new")
            if kind == "flip" and service.images:
                image = service.images[chance.choice(list(service.images))]
                image["favorite"] = not image["favorite"]

    return service, survivors


def assert_honest(frame, survivors, verdicts=("exact", "verified")):
    """None twice, and nothing missing where the verdict says so."""
    assert frame.index.is_unique
    missing = survivors - set(frame.index)
    if frame.attrs["inkframe"]["completeness"] in verdicts:
        assert not missing
    return missing


@pytest.mark.parametrize("dialect", ["laravel_resource", "laravel_simple", "drf_offset", "spring"])
def test_nothing_that_lived_through_is_missing(dialect):
    """Under inserts, deletes, pairs of both and favourite flips every survivor is listed, once."""
    for seed in range(12):
        service, survivors = churned(seed, dialect)
        with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
            missing = assert_honest(client.images.all(), survivors)
        assert not missing


def test_a_listing_that_stood_still_is_exact():
    """With a total that stays and a last page that shows the same, nothing is left to doubt."""
    service = FaultyService(images=650)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        found = client.images.all().attrs["inkframe"]
    assert (found["completeness"], found["reasons"], found["total"]) == ("exact", [], 650)
    assert len(service.requests) == 7 + 1


def test_a_delete_and_an_insert_that_cancel_are_seen():
    """The total stays the same, but the last page tells on them."""
    service = FaultyService(images=650)
    done = []

    @service.between_replies
    def swap(service):
        if len(service.requests) == 3 and not done:
            done.append(True)
            del service.images[1]
            service.insert("images", name="new")

    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        frame = client.images.all()
    assert frame.attrs["inkframe"]["completeness"] == "verified"
    assert set(service.images) <= set(frame.index)


@pytest.mark.parametrize("query", [{"favorite": True}, {"search": "a"}])
def test_filters_that_updates_change_are_best_effort(query):
    """Members of a search or of the favourites come and go without a trace, and the verdict says so."""
    service = FaultyService(images=900)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        found = client.images.all(**query)
    if len(found) > 100:
        assert found.attrs["inkframe"]["completeness"] == "best-effort"
        assert "can change while pages are read" in found.attrs["inkframe"]["reasons"][0]


def test_limit_stops_early_and_says_so():
    """The newest are given, in a few requests."""
    service = FaultyService(images=650)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        frame = client.images.all(limit=150)
    assert list(frame.index) == sorted(service.images, reverse=True)[:150]
    assert "stopped at limit=150" in frame.attrs["inkframe"]["reasons"]
    assert len(service.requests) <= 3


def test_several_values_of_a_filter_are_one_listing():
    """One walk a value, merged by id, in the order asked for."""
    service = FaultyService(images=300)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        frame = client.images.all(style=["anime", "Pop art"], sort="asc")
    expected = [n for n, image in sorted(service.images.items()) if image["style"] in {"anime", "pop_art"}]
    assert list(frame.index) == expected


def test_order_by_name_is_made_here():
    """Names are sorted whatever the service does with them."""
    service = FaultyService("names_unstable", images=300)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        names = client.images.all(sort_by="name", sort="asc")["name"]
    assert list(names) == sorted(names, key=str.casefold)


def test_details_show_what_lists_leave_out():
    """A brief list is completed from the records; what no record shows is named as absent."""
    service = FaultyService("list_brief", documents=60)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        brief = client.documents.all()
        whole = client.documents.all(details=True)
    assert brief.attrs["inkframe"]["absent"]
    assert whole.attrs["inkframe"]["absent"] == []
    assert whole["result"].notna().all()


def test_pages_give_the_same_records():
    """A frame a page, together all of it."""
    service = FaultyService(images=450)
    with inkframe.Client(service.base_url, service.key, transport=service.transport) as client:
        frames = list(client.images.pages())
    assert [len(frame) for frame in frames] == [100, 100, 100, 100, 50]
    assert {id for frame in frames for id in frame.index} == set(service.images)


def test_an_interrupt_ends_a_listing_and_leaves_no_thread():
    """Ctrl-C in the middle of pages in flight ends it within a moment; every thread is gone."""
    service = FaultyService(images=6000, faults=Faults(rates={SLOWER: 1.0}))
    main = threading.main_thread().ident

    @service.between_replies
    def interrupt(service):
        if len(service.requests) == 20:
            signal.pthread_kill(main, signal.SIGINT)

    with service.serve() as address, inkframe.Client(address, service.key) as client:
        with pytest.raises(KeyboardInterrupt):
            client.images.all()
        assert not [t for t in threading.enumerate() if t.name.startswith("inkframe-worker")]
    assert len(service.requests) < 60


def test_parallel_pages_over_sockets_are_complete():
    """Sixteen requests in flight give exactly what one gives."""
    service = FaultyService(
        images=2500, faults=Faults(rates={SLOWER: 0.9, "limited": 0.02, "reset_in_body": 0.02}, seed=5)
    )
    with service.serve() as address, inkframe.Client(address, service.key) as client:
        frame = client.images.all()
    assert set(frame.index) == set(service.images)
    assert frame.attrs["inkframe"]["completeness"] == "exact"


def counting(count, says, end="empty", **described):
    """A service whose total says what it likes, with pages of 100 that end as it likes."""

    def answer(request):
        asked.append(int(request.url.params.get("page", 1)))
        ids = range(1, count + 1) if request.url.params["sort"] == "asc" else range(count, 0, -1)
        pages = -(-count // 100)
        page = min(asked[-1], pages) if end == "again" else asked[-1]
        rows = [{"id": id, "name": "a name"} for id in ids[(page - 1) * 100 : page * 100]]
        return httpx.Response(
            200, json={"data": rows, "meta": {"total": says, "current_page": page, **described}}
        )

    asked = []
    return httpx.MockTransport(answer), asked


def walked(transport, **arguments):
    with inkframe.Client("http://counting.test", "a-key", transport=transport) as client:
        return client.images.all(**arguments)


@pytest.mark.parametrize("says", [0, 100, 281, 431, 481])
@pytest.mark.parametrize("end", ["empty", "again"])
def test_a_total_that_is_wrong_loses_nothing(says, end):
    """Counted by the page, too low or too high: every record is there, and exact is only what is right."""
    transport, _ = counting(431, says, end, last_page=5)
    frame = walked(transport)
    assert sorted(frame.index) == list(range(1, 432))
    assert (frame.attrs["inkframe"]["completeness"] == "exact") == (says == 431)


@pytest.mark.parametrize("end", ["empty", "again"])
def test_a_total_of_billions_is_not_believed(end):
    """A service is not asked for millions of pages that it does not have."""
    transport, asked = counting(431, 10**10, end)
    assert len(walked(transport)) == 431
    assert len(asked) < 1100


def test_a_listing_that_stops_early_tells_the_total():
    """What there is in all is known from the first page."""
    transport, asked = counting(431, 431)
    assert walked(transport, limit=5).attrs["inkframe"]["total"] == 431
    assert len(asked) == 1


def test_pages_tell_the_total():
    """Each frame of a stream says how many records there are in all."""
    transport, _ = counting(431, 431)
    with inkframe.Client("http://counting.test", "a-key", transport=transport) as client:
        assert {page.attrs["inkframe"]["total"] for page in client.images.pages()} == {431}
