"""Lines that a person should read once, such as which service this is and what a run will cost."""

from __future__ import annotations

__all__ = ["notice"]


def notice(text: str) -> None:
    """Print a line."""
    print(text, flush=True)  # noqa: T201  # a notebook shows what is printed
