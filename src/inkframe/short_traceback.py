"""Tracebacks in IPython that end at the user's own line."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["short_traceback", "shorten_causes"]

PACKAGE: Final = str(Path(__file__).parent)
#: Folders whose code the user did not write: this package, the standard library, installed packages.
NOT_THE_USERS: Final = (
    PACKAGE,
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    "<frozen",
)


def short_traceback(error: BaseException) -> list[str]:
    """Return the lines that IPython shows for an error: the user's frames and the message.

    IPython's ``%tb``, its mode ``Verbose``, its debugger and all other programs still show every frame.

    Args:
        error: The error, with its traceback.
    """
    from IPython import get_ipython

    writer = get_ipython().InteractiveTB
    short = _users_frames(error)
    # ``%tb`` and the debugger show an error that was handled before.
    if short is None or sys.exc_info()[1] is not error or writer.mode == "Verbose":
        return _lines(writer, error, error.__traceback__, skipped=1)  # the frame of IPython itself
    cause, quiet = error.__cause__, error.__suppress_context__
    chained = cause if cause is not None or quiet else error.__context__
    if chained is not None and not _is_users(_last(chained)):
        error.__cause__ = None  # also hides the context
    try:
        return _lines(writer, error, short, skipped=0)
    finally:
        error.__cause__, error.__suppress_context__ = cause, quiet


def shorten_causes(shell: InteractiveShell) -> None:
    """Show the user's frames only of an error of this package from which the user raised another.

    The user's own error is written by IPython, which asks for its cause and the cause's frames.

    Args:
        shell: The shell; it is changed once.
    """
    writer: Any = shell.InteractiveTB
    cause_of = getattr(writer, "get_parts_of_chained_exception", None)
    if cause_of is None or getattr(cause_of, "__module__", "") == __name__:
        return

    def short_cause(error: BaseException | None) -> tuple[type, BaseException, TracebackType | None] | None:
        found: tuple[type, BaseException, TracebackType | None] | None = cause_of(error)
        if found is None or sys.exc_info()[1] is None or writer.mode == "Verbose":
            return found
        last, short = _last(found[1]), _users_frames(found[1])
        is_ours = last is not None and last.tb_frame.f_code.co_filename.startswith(PACKAGE)
        return (*found[:2], short) if is_ours and short is not None else found

    writer.get_parts_of_chained_exception = short_cause


def _lines(writer: Any, error: BaseException, frames: TracebackType | None, skipped: int) -> list[str]:
    lines: list[str] = writer.structured_traceback(type(error), error, frames, tb_offset=skipped)
    return lines


def _users_frames(error: BaseException) -> TracebackType | None:
    """Return the traceback of an error with the user's frames only, or None if it has none."""
    short = None
    for each in reversed(_frames(error)):
        if _is_users(each):
            short = TracebackType(short, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return short


def _last(error: BaseException) -> TracebackType | None:
    return next(reversed(_frames(error)), None)


def _frames(error: BaseException) -> list[TracebackType]:
    found = []
    frame = error.__traceback__
    while frame is not None:
        found.append(frame)
        frame = frame.tb_next
    return found


def _is_users(frame: TracebackType | None) -> bool:
    if frame is None:
        return False
    file = frame.tb_frame.f_code.co_filename
    return not file.startswith(NOT_THE_USERS) and not file.endswith(".pyx")
