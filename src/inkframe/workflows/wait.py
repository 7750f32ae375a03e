"""Waiting for what a service makes in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from inkframe.calls.arguments import short
from inkframe.errors import DeadlineExceeded, InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Callable

    from inkframe.http.clock import Clock

__all__ = ["wait_until"]

Seen = TypeVar("Seen")

#: Seconds between looks: short at first, since most things are there soon.
FIRST: Final = 0.5
LONGEST: Final = 5.0


def wait_until(
    look: Callable[[], Seen], finished: Callable[[Seen], bool], clock: Clock, timeout: float
) -> Seen:
    """Look again and again until something is finished.

    Args:
        look: Gives what is there now.
        finished: Whether that is all of it.
        clock: Time.
        timeout: Seconds to wait at most.

    Raises:
        DeadlineExceeded: It was not finished in time.
        InvalidArgument: The timeout is no number of seconds.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout >= 0:
        raise InvalidArgument(f"timeout={short(timeout)} will not do.\nGive seconds, from 0.")
    ends = clock.now() + timeout
    pause = FIRST
    while not finished(seen := look()):
        if clock.now() + pause > ends:
            raise DeadlineExceeded(
                f"It is not there after {timeout:g} s.\nIt may come later: look again with .get(), or allow more time."
            )
        clock.sleep(pause)
        pause = min(LONGEST, pause * 1.5)
    return seen
