"""Progress bars: shown for work that takes a while, off by ``progress=False`` or ``INKFRAME_PROGRESS=0``."""

from __future__ import annotations

import os
from typing import Any, Final

__all__ = ["progress_bar"]

VARIABLE: Final = "INKFRAME_PROGRESS"


def progress_bar(wanted: bool | None, total: int | None, words: str, unit: str) -> Any:
    """Give a bar as a context, with ``update(n)`` and ``set_postfix_str``.

    Args:
        wanted: Whether it is shown; None asks the environment, and shows none for a single step.
        total: How many steps there are, where that is known.
        words: What is being done.
        unit: What is counted.
    """
    from tqdm.auto import tqdm

    if wanted is None:
        wanted = os.environ.get(VARIABLE) != "0" and total != 1
    return tqdm(total=total, desc=words, unit=f" {unit}", disable=not wanted)
