"""The clocks of this machine, set and moved ahead by tests."""

from __future__ import annotations

import time

import pytest


class Clocks:
    """The clocks of this machine as the journal reads them; they stand still but for what a test lets pass.

    Attributes:
        wall: The seconds by which the clock on the wall was set ahead.
        uptime: The seconds by which more has passed.
    """

    def __init__(self):
        self.wall = self.uptime = 0.0
        self._time, self._monotonic = int(time.time()), int(time.monotonic())

    def time(self):
        """Return the time of the clock on the wall."""
        return self._time + self.wall + self.uptime

    def monotonic(self):
        """Return the time of the clock that nobody can set."""
        return self._monotonic + self.uptime

    def let_pass(self, seconds=181.0):
        """Let the create timeout of a client pass, or other seconds."""
        self.uptime += seconds


@pytest.fixture
def clocks(monkeypatch):
    """Return the clocks of this machine, which can be set and moved ahead."""
    clocks = Clocks()
    monkeypatch.setattr("inkframe.creating.journal.time", clocks)
    return clocks
