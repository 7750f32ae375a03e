"""What IPython shows of an error: the lines of the user, and not those of this package and of installed ones."""

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
    """
    from IPython import get_ipython

    writer = get_ipython().InteractiveTB
    frames, skipped = _users_frames(error), 0
    cause, quiet = error.__cause__, error.__suppress_context__
    chained = cause if cause is not None or quiet else error.__context__
    # ``%tb`` and the debugger show an error that was handled before.
    if frames is None or sys.exc_info()[1] is not error or writer.mode == "Verbose":
        frames, skipped = error.__traceback__, 1  # the frame of IPython itself
    elif chained is not None and not _is_users(_raised_in(chained)):
        error.__cause__ = None  # also hides the context
    try:
        lines: list[str] = writer.structured_traceback(type(error), error, frames, tb_offset=skipped)
    finally:
        error.__cause__, error.__suppress_context__ = cause, quiet
    return lines


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

    def short_cause(error: BaseException | None) -> Any:
        found = cause_of(error)
        if found is None or sys.exc_info()[1] is None or writer.mode == "Verbose":
            return found
        short, is_ours = _users_frames(found[1]), _raised_in(found[1]).startswith(PACKAGE)
        return (*found[:2], short) if is_ours and short is not None else found

    writer.get_parts_of_chained_exception = short_cause


def _users_frames(error: BaseException) -> TracebackType | None:
    """Return the traceback of an error with the user's frames only, or None if it has none."""
    short = None
    for each in reversed(_frames(error)):
        if _is_users(each.tb_frame.f_code.co_filename):
            short = TracebackType(short, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return short


def _raised_in(error: BaseException) -> str:
    """Return the file that raised an error, or an empty text."""
    return next((each.tb_frame.f_code.co_filename for each in reversed(_frames(error))), "")


def _frames(error: BaseException) -> list[TracebackType]:
    found = [error.__traceback__]
    while found[-1] is not None:
        found.append(found[-1].tb_next)
    return [each for each in found if each is not None]


def _is_users(file: str) -> bool:
    return file != "" and not file.startswith(NOT_THE_USERS) and not file.endswith(".pyx")
