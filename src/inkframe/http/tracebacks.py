"""Errors without frames, since a traceback shows the variables of each frame."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["bare"]

Error = TypeVar("Error", bound=BaseException)


def bare(error: Error) -> Error:
    """Return an error without frames and without the errors it was raised in, whose frames have variables too.

    Explicit causes stay, without their frames.
    """
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        each.__traceback__ = each.__context__ = None
        each = each.__cause__
    return error
