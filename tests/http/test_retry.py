"""Retries: which requests are sent again, how often, and after which waits. Time is virtual."""

from itertools import pairwise

import pytest
from tests.cases import cases
from tests.services import Fault, Faults, FaultyService

import inkframe
from inkframe.http.pace import (
    LONGEST_BACKOFF,
    PASSING,
    RetryBudget,
    backoff,
    request_limit,
    requests_left,
    rest_after,
    retry_after,
    stated_rate,
)

#: The wait before each retry of the default four is drawn from 0 to this many seconds.
BOUNDS = (0.5, 1.0, 2.0, 4.0)
#: The longest wait of all requests of a client after a 429 that requests none.
PACE = 1.5


def fails_with(status, **headers):
    """Return a service that answers everything with one status."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    fault = Fault(name="always", about="always", handled=False, status=status, headers=named)
    return FaultyService(images=3, faults=Faults(rates={fault: 1.0}))


def gaps_of(service):
    """Return a list that gets the seconds between the requests that follow."""
    moments, gaps = [], []

    def note(service):
        moments.append(service.clock.now())
        gaps[:] = [later - earlier for earlier, later in pairwise(moments)]

    service.between_replies(note)
    return gaps


def write(client):
    return client.images.update(1, name="Renamed")


def read(client):
    return client.images.get(1)


def remove(client):
    return client.images.delete(1)


@cases("status", [408, 425, 429, 500, 502, 503, 504])
@cases("call", [read, write, remove])
def test_temporary_failures_are_retried_four_times(status, call):
    """Five requests are sent, with waits between them that stay within bounds that double."""
    service = fails_with(status)
    gaps = gaps_of(service)
    with service.client(timeout=600) as client, pytest.raises(inkframe.ServiceError) as caught:
        call(client)
    assert caught.value.status == status
    assert len(service.requests) == 5
    more = PACE if status == 429 else 1e-9
    assert all(0 <= gap <= bound + more for gap, bound in zip(gaps, BOUNDS, strict=True))


@pytest.mark.parametrize(("retries", "requests"), [(0, 1), (1, 2), (6, 7)])
def test_max_retries_bounds_the_tries(retries, requests):
    """``max_retries`` is the number of requests after the first one."""
    service = fails_with(503)
    with service.client(timeout=600, max_retries=retries) as client:
        with pytest.raises(inkframe.ServerError):
            read(client)
    assert len(service.requests) == requests


def test_backoff_is_bounded():
    """The bound doubles with each try up to 20 seconds, and a requested wait is at most a second longer."""
    for tries, bound in [(1, 0.5), (2, 1), (5, 8), (6, 16), (7, LONGEST_BACKOFF), (60, LONGEST_BACKOFF)]:
        drawn = [backoff(tries, None) for _ in range(200)]
        assert 0 <= min(drawn) < bound / 5
        assert bound * 4 / 5 < max(drawn) <= bound
    for asked, more in [(0, 0), (2, 0.2), (100, 1)]:
        drawn = [backoff(9, asked) - asked for _ in range(200)]
        assert 0 <= min(drawn) <= more / 5
        assert more * 4 / 5 <= max(drawn) <= more + 1e-9


def test_the_budget_of_retries_is_refilled_by_successes():
    """Retries end when the budget is used up, and two successes allow another one, up to the maximum."""
    budget = RetryBudget(most=3, earned=0.5)
    budget.earn()
    assert [budget.spend() for _ in range(4)] == [True, True, True, False]
    budget.earn()
    assert not budget.spend()
    budget.earn()
    assert [budget.spend(), budget.spend()] == [True, False]
    for _ in range(20):
        budget.earn()
    assert [budget.spend() for _ in range(4)] == [True, True, True, False]


DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
LATER = "Sun, 06 Nov 1994 08:50:07 GMT"


@cases(
    ("headers", "wait"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-5"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": LATER, "date": DATE}, 30),
        ({"retry-after": DATE, "date": LATER}, 0),
        ({"retry-after": LATER}, 784111807 - 784111700),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "-1"}, 0),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "12"}, 12),
        ({"x-ratelimit-remaining": "1", "x-ratelimit-reset": "12"}, None),
        ({"x-ratelimit-reset": "12"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1000000040"}, 215_888_340),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "999999999"}, 999_999_999),
        ({"ratelimit": '"api";r=0;t=4'}, 4),
        ({"ratelimit": '"api";r=2;t=4'}, None),
        ({"ratelimit": f'"api";r=0;t={"9" * 5000}'}, 999_999_999),
        ({"retry-after": "soon", "ratelimit": '"api";r=0;t=4'}, 4),
    ],
)
def test_requested_waits_are_read_in_every_form(headers, wait):
    """A wait is read as seconds, milliseconds, a date, a time of reset or the draft's header."""
    assert retry_after(headers, now=784111700) == wait


@pytest.mark.parametrize("prefix", ["x-ratelimit-", "ratelimit-", "x-rate-limit-"])
def test_limits_are_read(prefix):
    """The allowed and remaining requests are read, and a rest only where none remain."""
    limit = {f"{prefix}limit": "60", f"{prefix}remaining": " 2 ", "retry-after": "9"}
    none = {f"{prefix}remaining": "0"}
    assert (request_limit(limit), requests_left(limit), rest_after(limit)) == ("limit 60", 2, None)
    assert (requests_left(limit | none), rest_after(limit | none)) == (0, 9.0)
    assert (request_limit({f"{prefix}limit": "many"}), rest_after(none)) == (None, None)
    wrong = {f"{prefix}remaining": "9" * 5000, f"{prefix}limit": "-3"}
    assert (requests_left(wrong), request_limit(wrong), request_limit({f"{prefix}limit": "9" * 5000})) == (
        None,
        None,
        None,
    )
    assert request_limit({f"{prefix}limit": " 1000 "}) == "limit 1,000"
    assert (request_limit({}), requests_left({}), rest_after({})) == (None, None, None)


def test_stated_rates():
    """The lowest rate with a window of at most ten seconds is read from either header, in both spellings."""
    for headers, rate in (
        ({"ratelimit-policy": '"burst";q=20;w=1'}, (20, 1.0)),
        ({"ratelimit-limit": "20;w=1"}, (20, 1.0)),
        ({"ratelimit-policy": "20;w=1, 50;w=10"}, (50, 10.0)),
        ({"ratelimit-policy": "50 ; w=10, 20;w=1"}, (50, 10.0)),
        ({"ratelimit-policy": "20;w=1", "ratelimit-limit": "9;w=1"}, (9, 1.0)),
        ({"ratelimit-policy": '"burst";q=20;w=1, "daily";q=1000;w=86400'}, (20, 1.0)),
        ({"ratelimit-policy": "100;w=10, 5;w=1"}, (5, 1.0)),
        ({"ratelimit-limit": "20, 20;w=2"}, (20, 2.0)),
        ({"ratelimit-policy": "0;w=1, 5;w=0, 60;w=60"}, None),
        ({"ratelimit-policy": "20;w=11"}, None),
        ({"ratelimit-policy": "0;w=1, 20;w=0"}, None),
        ({"ratelimit-policy": "1;w=10"}, (1, 10.0)),
        ({"ratelimit-limit": "20"}, None),
        ({"ratelimit-policy": " " * 1000 + "20;w=1"}, None),
        ({}, None),
    ):
        assert stated_rate(headers) == rate, headers


def test_a_rest_after_an_accepted_reply():
    """A reply that tells that no request is left asks for a rest; any other asks for none."""
    left = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "12"}
    assert rest_after(left) == 12.0
    assert rest_after(left | {"x-ratelimit-remaining": "1"}) is None
    assert rest_after({"x-rate-limit-remaining": "0", "x-rate-limit-reset": "2.5"}) == 2.5
    assert rest_after({"x-ratelimit-remaining": "0"}) is None
    assert rest_after({"retry-after": "9"}) is None
    assert rest_after({"ratelimit-remaining": "0", "retry-after": "9"}) == 9.0


def test_statuses_worth_a_retry():
    """These statuses, and no others."""
    assert sorted(PASSING) == [408, 425, 429, 500, 502, 503, 504]


def test_a_create_without_a_known_outcome_says_how_to_find_it():
    """The error names the request and what happened, and says what to call; nothing is sent again."""
    service = FaultyService(images=0, faults=Faults(script={1: "lost_reply"}))
    with service.client(max_retries=3) as client, pytest.raises(inkframe.OutcomeUnknown) as unknown:
        client.documents.create(name="a", prompt="About a kettle")
    first, reason, remedy = str(unknown.value).split("\n")
    assert first == "The outcome of the create is unknown: POST /api/v1/documents."
    assert reason == str(unknown.value.__cause__).split("\n")[0]
    assert remedy == "Call .reconcile() on this error: it searches for the record and never creates one."
    assert [request.method for request in service.requests].count("POST") == 1
