"""``inkframe sample``: fill the local library with example records."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from inkframe.connect_client import library_path
from inkframe.display.console import progress_bar
from inkframe.schema import RESOURCES
from inkframe.service import Service

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

__all__ = ["fill", "run"]


def run(options: Namespace) -> int:
    """Fill the library and print its path."""
    library = options.library or library_path()
    counts = {name: vars(options).get(name) for name in RESOURCES}
    fill(library, seed=options.seed, **{name: count for name, count in counts.items() if count is not None})
    sys.stdout.write(f"Library: {library}\n")
    return 0


def fill(library: Path, *, only_if_empty: bool = False, **sample: Any) -> None:
    """Fill a library with example records, with a progress bar.

    Args:
        library: The file.
        only_if_empty: Whether to skip a library with records.
        **sample: The arguments of ``Service.sample``.
    """
    with Service(library) as service:
        if only_if_empty and not service.is_empty():
            return
        with progress_bar(None, None, "Sample library", "records") as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            service.sample(**sample, progress=progress)
