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
    """Fill an empty library and print its path; add to another one only on request."""
    library = options.library or library_path()
    counts = {name: vars(options).get(name) for name in RESOURCES}
    given = {name: count for name, count in counts.items() if count is not None}
    if not fill(library, only_if_empty=not options.add, seed=options.seed, **given):
        sys.stdout.write("Nothing was added: the library has records. To add examples anyway, pass --add.\n")
    sys.stdout.write(f"Library: {library}\n")
    return 0


def fill(library: Path, *, only_if_empty: bool = False, **sample: Any) -> bool:
    """Fill a library with example records, with a progress bar; return whether any were added.

    Args:
        library: The file.
        only_if_empty: Whether to skip a library with records.
        **sample: The arguments of ``Service.sample``.
    """
    with Service(library) as service:
        if only_if_empty and not service.is_empty():
            return False
        with progress_bar(None, None, "Sample library", "records") as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            service.sample(**sample, progress=progress)
    return True
