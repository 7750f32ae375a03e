from __future__ import annotations

import threading

from inkframe.errors import PermissionDenied
from inkframe.library import Document
from inkframe.widgets.run import MOST_FAILURES, Row, Run


def rows(count):
    return [Row(at, {"name": f"Draft {at}"}) for at in range(count)]


def finished(name):
    return Document(id=name, name=name, result="text")


def test_each_row_is_seen_when_it_begins_and_when_it_ends():
    """A row has no status when it begins, and its record when it has ended."""
    seen, given = [], rows(2)
    run = Run(
        lambda **fields: finished(fields["name"]),
        threading.Event(),
        lambda row: seen.append((row.label, row.status)),
    )
    run.run(given, 1)
    assert seen == [(0, ""), (0, "created"), (1, ""), (1, "created")]
    assert [row.record.name for row in given] == ["Draft 0", "Draft 1"]


def test_cancelling_stops_what_has_not_begun():
    """What is under way when the run is cancelled is awaited and kept; the rest is skipped."""
    cancelled, begun, go = threading.Event(), threading.Semaphore(0), threading.Event()

    def create(**fields):
        begun.release()
        assert go.wait(5)
        return finished(fields["name"])

    run, given = Run(create, cancelled, lambda _row: None), rows(6)
    thread = threading.Thread(target=run.run, args=(given, 2))
    thread.start()
    begun.acquire(timeout=5)
    begun.acquire(timeout=5)
    cancelled.set()
    go.set()
    thread.join(5)
    assert [row.status for row in given] == ["created"] * 2 + ["skipped"] * 4


def test_failures_in_a_row_end_a_run():
    """What ails every creation is not tried on all of them."""

    def create(**_):
        raise PermissionDenied("No.", status=403)

    run, given = Run(create, threading.Event(), lambda _row: None), rows(9)
    run.run(given, 1)
    assert [row.status for row in given].count("failed") == MOST_FAILURES == len(run.failures)
    assert "not begun" in given[-1].error
