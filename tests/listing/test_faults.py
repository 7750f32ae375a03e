"""Faults in numbers: complete listings, no second bill, bounded retries. Time is virtual."""

from contextlib import suppress

import pytest
from tests.services import FAULTS, Faults, FaultyService

import inkframe


def test_ten_thousand_records_despite_faults():
    """With faults in a fifth of the replies every row is listed once, with 1.5 times the requests."""
    service = FaultyService(
        "laravel_resource", images=10_000, documents=0, faults=Faults.passing(0.2, seed=1)
    )
    with service.client() as client:
        frame = client.images.all()
    assert sorted(frame.index) == sorted(service.images)
    assert frame.attrs["inkframe"]["completeness"] == "exact"
    assert len(service.requests) <= 1.5 * 101


@pytest.mark.parametrize("fault", FAULTS)
def test_a_create_is_billed_once_under_every_fault(fault):
    """At most one record is created; if the outcome is unknown, reconcile returns the record or None."""
    creates = Faults(script={1: fault, 2: fault}, where=lambda request: request.method == "POST")
    service = FaultyService(faults=creates, documents=0, images=0)
    with service.client() as client:
        record, error = None, None
        try:
            record = client.documents.create(name="Kettle", prompt="About a kettle")
        except inkframe.OutcomeUnknown as unknown:
            error = unknown
            service.plan(None)
            record = unknown.reconcile()
        except inkframe.InkframeError as refused:
            error = refused
    assert service.generations <= 1
    if error is None or isinstance(error, inkframe.OutcomeUnknown):
        assert (record is not None) == (service.generations == 1)
    else:
        assert service.generations == 0


def test_a_thousand_seeded_creates_never_generate_twice():
    """Under any mixture of faults no create happens twice."""
    service = FaultyService(documents=0, images=0)
    names = [name for name in FAULTS if name not in {"gzip_bomb", "endless"}]
    with service.client() as client:
        for seed in range(100):
            service.plan(Faults(rates=dict.fromkeys(names, 0.9 / len(names)), seed=seed))
            for number in range(10):
                before = service.generations
                with suppress(inkframe.InkframeError):
                    client.documents.create(name=f"{seed}-{number}", prompt="About a kettle")
                assert service.generations <= before + 1
    made = [service.documents[number]["name"] for _, number in service.created]
    assert len(made) == len(set(made))


def test_an_outage_is_not_made_worse():
    """A thousand calls during an outage send at most 1,200 requests: successes refill the retries."""
    service = FaultyService(faults=Faults(rates={"server_error": 1.0}), images=5)
    with service.client() as client:
        for _ in range(1000):
            with pytest.raises(inkframe.ServerError):
                client.images.get(1)
    assert len(service.requests) <= 1200


def test_an_update_or_delete_is_retried_and_a_late_404_is_success():
    """A delete whose reply was lost is repeated, and a 404 then counts as success."""
    service = FaultyService(images=3, faults=Faults(script={1: "lost_reply"}))
    with service.client() as client:
        client.images.delete(1)
        assert 1 not in service.images
        service.plan(Faults(script={1: "bad_gateway"}))
        assert client.images.update(2, name="Renamed").name == "Renamed"
        with pytest.raises(inkframe.NotFound):
            client.images.delete(1)


@pytest.mark.parametrize(
    ("fault", "least", "most"),
    [
        ("limited", 0.5, 200),
        ("limited_fraction", 0.01, 10),
        ("limited_milliseconds", 0.01, 60),
        ("limited_date", 0.5, 200),
        ("limited_draft", 0.5, 200),
        ("limited_past", 0.0, 25),
        ("limited_negative", 0.0, 25),
        ("limited_garbage", 0.0, 25),
        ("limited_infinite", 0.0, 25),
    ],
)
def test_retry_after_is_followed_in_all_its_forms(fault, least, most):
    """A requested wait is kept; an invalid one is replaced by the default."""
    service = FaultyService(images=3, faults=Faults(script={1: fault}))
    with service.client(timeout=600) as client:
        assert client.images.get(1).id == 1
    assert least <= sum(service.clock.slept) <= most


@pytest.mark.parametrize("fault", ["limited_huge", "limited_long"])
def test_a_wait_that_is_too_long_is_an_error_at_once(fault):
    """A client never sleeps for hours: the error has the requested time."""
    service = FaultyService(images=3, faults=Faults(script={1: fault}))
    with service.client() as client, pytest.raises(inkframe.RateLimited) as caught:
        client.images.get(1)
    assert caught.value.retry_after > 30
    assert not service.clock.slept


@pytest.mark.parametrize("fault", ["deep_json", "gzip_bomb", "endless", "long_header", "slow_body"])
def test_hostile_replies_are_typed_errors(fault):
    """Hostile replies end in an InkframeError within bounds of memory and time."""
    service = FaultyService(images=3, faults=Faults(rates={fault: 1.0}))
    with service.client() as client, pytest.raises(inkframe.InkframeError) as caught:
        client.images.list()
    assert len(str(caught.value).splitlines()) <= 3


@pytest.mark.parametrize(
    "fault",
    ["byte_order_mark", "duplicate_keys", "lone_surrogate", "long_integer", "not_a_number", "mistyped"],
)
def test_unusual_json_is_parsed(fault):
    """A byte order mark, a lone surrogate, NaN, an integer of 5,000 digits or a wrong content type lose no record."""
    service = FaultyService(images=20, faults=Faults(rates={fault: 1.0}))
    with service.client() as client:
        frame = client.images.list(per_page=10)
    assert len(frame) == 10
    "".join(frame["name"]).encode("utf-8")
