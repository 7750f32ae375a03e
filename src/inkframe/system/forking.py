"""Fork: connections are released before it or opened anew after it, so that two processes never share one.

A SQLite connection that is used on both sides of a fork loses commits, and a shared socket mixes up replies.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING
from weakref import WeakSet

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Forkable", "on_fork"]


class Forkable:
    """An object whose connections must not be shared with a child process."""

    def before_fork(self) -> None:
        """Release what a child must not inherit."""

    def after_fork(self, *, in_child: bool) -> None:
        """Continue in the parent, or start anew in the child, which has this thread only."""


_registered: WeakSet[Forkable] = WeakSet()
_lock = threading.Lock()


def on_fork(each: Forkable) -> None:
    """Call the methods of an object at every fork of this process, as long as the object exists."""
    with _lock:
        _registered.add(each)


def _each(act: Callable[[Forkable], None]) -> None:
    with _lock:
        found = list(_registered)
    for each in found:
        act(each)


def _in_child() -> None:
    global _lock  # noqa: PLW0603  # another thread of the parent may have held it
    _lock = threading.Lock()
    _each(lambda each: each.after_fork(in_child=True))


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(
        before=lambda: _each(lambda each: each.before_fork()),
        after_in_parent=lambda: _each(lambda each: each.after_fork(in_child=False)),
        after_in_child=_in_child,
    )
