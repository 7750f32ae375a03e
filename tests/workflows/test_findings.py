"""Findings of a check: what an error shows about the service, and values in evidence."""

from __future__ import annotations

import pytest

import inkframe as ink
from inkframe.workflows.findings import named, of_error


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        *((status, "fails") for status in (400, 404, 405, 409, 422, 499)),
        *((status, "unknown") for status in (399, 401, 402, 403, 407, 408, 419, 425, 429, 500, 503)),
    ],
)
def test_a_refusal_fails_and_a_failure_shows_nothing(status, verdict):
    """Only statuses that are about the parameters of a request contradict the interface."""
    error = ink.ServiceError("No such field.\nCheck it.", status=status)
    assert of_error(error) == (verdict, f"status {status}: No such field.")


def test_a_request_without_a_reply_shows_nothing():
    """A failed connection has no status."""
    assert of_error(ink.ConnectionFailed("It is down.\nTry later.")) == ("unknown", "It is down.")


def test_values_in_evidence():
    """Three values are named, and long ones are shortened."""
    assert named([]) == ""
    assert named([1, "a", None]) == "1, 'a', None"
    assert named(iter([1, 2, 3, 4])) == "1, 2, 3, …"
    assert len(named(["x" * 100])) <= 60
