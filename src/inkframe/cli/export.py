"""``inkframe export``: a whole library as Parquet, pictures and Markdown."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from inkframe.connect_client import ADDRESS_VARIABLE, connect, library_path
from inkframe.display.markup import line
from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Write the tables, then one file per record."""
    from inkframe.frames.snapshots import save

    folder: Path = options.to
    failed = 0
    with connect(options.source, library=_library(options)) as client:
        for name in RESOURCES:
            collection: Any = getattr(client, name)
            if (folder / name).is_symlink():
                raise InvalidArgument(f"{folder / name} is a link out of the folder.\nChoose another --to.")
            frame = collection.all(details=True)
            table = save(frame, folder / f"{name}.parquet")
            files = collection.download(frame, folder / name, overwrite=True)
            problems = files["error"].dropna()
            failed += len(problems)
            sys.stdout.write(
                f"{table}: {len(frame):,} {name}, {frame.attrs['inkframe']['completeness']}\n"
                f"{folder / name}: {len(files) - len(problems):,} files\n"
            )
            for id, problem in problems.head(5).items():
                sys.stdout.write(f"  {line(id)}: {problem.splitlines()[0]}\n")
    return 1 if failed else 0


def _library(options: Namespace) -> Path | None:
    """Return the given library file, which must exist: an export does not create it."""
    if options.source or (os.environ.get(ADDRESS_VARIABLE) and not options.library):
        return None
    library: Path = options.library or library_path()
    if not library.is_file():
        raise ConfigurationError(f"There is no library {library}.\nChoose another with --library FILE.")
    return library
