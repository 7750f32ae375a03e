"""Rows that were sent earlier: which may be created, and what is known of the others."""

from __future__ import annotations

import threading

import pytest
from tests.services import FaultyService

import inkframe as ink
from inkframe.creating.earlier_creates import EarlierCreates
from inkframe.creating.journal import Journal
from inkframe.creating.rows import Row


@pytest.fixture
def service():
    return FaultyService(images=0, documents=3)


@pytest.fixture
def journal():
    return Journal()


@pytest.fixture
def earlier(service, journal):
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        yield EarlierCreates(client.documents._calls, journal, lambda record: record.id, threading.Event())


def row(identity):
    return Row(0, {"name": identity, "prompt": "About a kettle", "creativity": 0.5}, identity=identity)


def test_the_last_line_of_a_row_decides(earlier, journal):
    """A create may have happened while its outcome is open; it is known once its record has an id."""
    found = {}
    for state, id in (("sent", None), ("unknown", None), ("created", 2), ("failed", None), ("deleted", None)):
        journal.note(state, state, id, collection="documents")
        found[state] = earlier.is_created(row(state)), earlier.is_open(row(state))
    assert found == {
        "sent": (False, True),
        "unknown": (False, True),
        "created": (True, False),
        "failed": (False, False),
        "deleted": (False, False),
    }
    assert (earlier.is_created(row("another")), earlier.is_open(row("another"))) == (False, False)


def test_rows_that_another_program_settled_meanwhile(earlier, journal, service):
    """A record that another program created is fetched; what failed there or has no line is created."""
    journal.note("created", "created", 2, collection="documents")
    journal.note("failed", "failed", collection="documents")
    journal.note("deleted", "deleted", collection="documents")
    rows, created = [row(name) for name in ("created", "failed", "deleted", "none")], []
    earlier.search(rows, created.append)
    assert created == rows[1:]
    assert [(each.status, each.record) for each in rows] == [
        ("existing", 2),
        ("", None),
        ("", None),
        ("", None),
    ]
    assert [(request.method, request.path) for request in service.requests] == [
        ("GET", "/api/v1/documents/2")
    ]
    earlier.search([row("failed")], None)
    assert len(service.requests) == 1


def test_nothing_is_fetched_after_a_stop(service, journal):
    """Once the run was stopped, rows with a record stay as they are, without a request."""
    journal.note("created", "created", 2, collection="documents")
    known, stop = row("created"), threading.Event()
    stop.set()
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        earlier = EarlierCreates(client.documents._calls, journal, lambda record: record.id, stop)
        assert earlier.fetch([known], lambda _: None) is None
    assert (known.status, service.requests) == ("", [])
