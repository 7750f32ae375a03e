"""What one look of the doctor came to."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from textwrap import fill
from typing import Final

__all__ = ["PIP", "Condition"]

#: Installs into the environment of this Python, whatever is first on the path.
PIP: Final = (
    f'"{sys.executable}" -m pip install' if " " in sys.executable else f"{sys.executable} -m pip install"
)

#: Characters in a line, and those of them for the name.
WIDTH: Final = 110
NAME: Final = 20


@dataclass(frozen=True, slots=True)
class Condition:
    """One line of the doctor's page.

    Args:
        name: What was looked at.
        text: What was found.
        cure: The one command, or the one thing to do, that mends it.
        optional: Whether it can be done without: then a cure is an offer, and nothing is wrong.
    """

    name: str
    text: str
    cure: str = ""
    optional: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether it has to be mended."""
        return bool(self.cure) and not self.optional

    def __str__(self) -> str:
        mark = "ok" if not self.cure else "--" if self.optional else "NO"
        # A path or a command is never broken, so that it can be copied.
        text = fill(
            self.text,
            WIDTH,
            initial_indent=f"{mark}  {self.name:<{NAME}}",
            subsequent_indent=" " * (NAME + 4),
            break_long_words=False,
            break_on_hyphens=False,
        )
        return f"{text}\n{' ' * (NAME + 4)}{self.cure}" if self.cure else text
