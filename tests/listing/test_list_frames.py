"""Listings as frames: the reasons of single pages, and what remains of a listing that is interrupted."""

from _thread import interrupt_main

import pytest
from tests.answering import Answers, facts
from tests.services import FaultyService, Paging, drawn

import inkframe as ink

LISTING = {"data": "$rows", "meta": {"total": "$total", "current_page": "$number"}}


@pytest.mark.integration
@pytest.mark.parametrize("after", [6, 9])
def test_an_interrupted_listing_keeps_its_rows(after):
    """Ctrl-C in ``all`` raises an interrupt with the rows so far, best-effort with the reason."""
    service = FaultyService(images=900, documents=0)
    with service.client(concurrency=2) as client:
        armed = [1]
        service.between_replies(
            lambda service: armed and len(service.requests) == after and armed.pop() and interrupt_main()
        )
        with pytest.raises(KeyboardInterrupt) as caught:
            client.images.all()
        error = caught.value
        assert isinstance(error, ink.ListingInterrupted)
        assert 0 < len(error.frame) < 900
        assert error.frame.index.is_unique
        assert set(error.frame.index) <= set(service.images)
        assert error.frame["name"].notna().all()
        assert str(error).startswith(f"{len(error.frame)} images so far")
        assert facts(error.frame)[0] == "best-effort"
        assert "the listing was interrupted" in facts(error.frame)[1]
        assert len(client.images.all()) == 900


def connected(paging, count=263):
    service = FaultyService(drawn(LISTING, paging=paging), images=count)
    return service.client()


@pytest.mark.parametrize("past_end", ["empty", "not found", "null"])
def test_a_missing_page_has_a_reason(past_end, capsys):
    """An empty page below the total is no end: its frame has the reason, and a line is printed."""
    with connected(Paging(lost=(2,), past_end=past_end)) as client:
        client.images.list(page=2)
        frame = client.images.list(page=3)
    assert frame.empty
    assert frame.attrs["inkframe"]["reasons"] == ["page 3 has no records although the service reports 263"]
    assert "page 3 has no records" in capsys.readouterr().out


@pytest.mark.parametrize(("count", "page"), [(263, 28), (260, 27)])
def test_a_page_past_the_end_is_empty_without_a_reason(count, page, capsys):
    """A page after the last one is empty, and nothing is missing."""
    with connected(Paging(), count) as client:
        client.images.list(page=2)
        frame = client.images.list(page=page)
    assert (len(frame), frame.attrs["inkframe"]["reasons"], capsys.readouterr().out) == (0, [], "")


def test_a_repeated_page_has_a_reason():
    """A full page past the end of the total is another page again."""
    with connected(Paging(past_end="last page"), count=260) as client:
        client.images.list(page=2)
        frame = client.images.list(page=27)
    assert frame.attrs["inkframe"]["reasons"] == ["page 27 has records although the service reports 260"]


def test_a_second_page_that_is_not_found_is_an_error():
    """A parameter that cannot be found is an error that names the pin, not an empty page."""
    with (
        connected(Paging(parameter="leaf", strangers="filter")) as client,
        pytest.raises(ink.InvalidArgument, match="page=2 cannot be fetched"),
    ):
        client.images.list(page=2)


@pytest.mark.parametrize(("count", "total"), [(9, 9), (10, None), (11, None)])
def test_a_total_that_may_be_the_size_of_the_page(count, total):
    """A full page whose total is the number of its records may be one of many."""
    rows = [{"id": id, "name": f"n{id}"} for id in range(count, 0, -1)]
    with Answers({"data": rows, "total": count}).client() as client:
        assert client.images.list().attrs["inkframe"]["total"] == total


@pytest.mark.parametrize("value", [0, -1, "1", 1.0])
def test_the_number_of_a_page(value):
    """It is an integer from 1."""
    with connected(Paging(), 3) as client, pytest.raises(ink.InvalidArgument, match=r"^page must be "):
        client.images.list(page=value)
    with connected(Paging(), 3) as client, pytest.raises(ink.InvalidArgument, match=r"^limit must be "):
        client.images.all(limit=value)
