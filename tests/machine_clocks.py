"""The clocks of this machine, set and moved ahead by tests."""

import time
from contextlib import ExitStack, contextmanager
from unittest import mock

import pytest


class Clocks:
    """The clocks of this machine as creates read them; they stand still but for what a test lets pass.

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

    @contextmanager
    def set(self):
        """Let creates read them during the block."""
        with ExitStack() as stack:
            for name in ("create", "create_many", "journal", "rows"):
                stack.enter_context(mock.patch(f"inkframe.creating.{name}.time", self))
            yield self


@pytest.fixture
def clocks():
    """Return the clocks of this machine, which can be set and moved ahead."""
    with Clocks().set() as clocks:
        yield clocks
