"""``inkframe import``: copy another service's records into the local library."""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import closing
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from inkframe.client import connect, library_path
from inkframe.display.console import progress_bar
from inkframe.display.markup import line
from inkframe.display.picture import as_png
from inkframe.errors import ConnectionFailed, InkframeError, InvalidArgument
from inkframe.http.worker_pool import WorkerPool
from inkframe.resources.records import Image, rows_of, values_of
from inkframe.schema import RESOURCES
from inkframe.service.imports import Arrival, Imports, arrival, digest

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from inkframe import Client

__all__ = ["run"]

Row = dict[str, Any]

#: The number of pictures fetched at once and stored together.
TOGETHER: Final = 8
#: Columns that a copy requires; if a list omits one, each record is fetched by itself.
NEEDED: Final = {
    field.name
    for spec in RESOURCES.values()
    for field in spec.fields
    if field.create == "required" or field.name in (spec.file_field, "created_at")
} - {"name"}
#: The most failed records that are listed.
NAMED: Final = 5

#: The outcomes of a record, in the order of the report.
OUTCOMES: Final = {
    "copied": "copied now",
    "known": "copied before",
    "changed": "changed there since they were copied; the copy was not updated",
    "unfinished": "not finished there yet",
    "failed": "could not be copied",
}


def run(options: Namespace) -> int:
    """Copy new records, then verify every copy."""
    library = options.library or library_path()
    with connect(options.source) as client, closing(Imports(library, client.service)) as imports:
        if _identity_of(client) == imports.identity:
            raise InvalidArgument(
                f"{client.service} serves the library {library} itself.\nChoose another with --library FILE."
            )
        copies = [Copy(client, imports, name) for name in RESOURCES]
        for copy in copies:
            copy.run()
        sys.stdout.write(f"From {client.service} to {library}:\n")
        complete = [copy.report() for copy in copies]
    if not all(complete):
        sys.stdout.write("Run the same command again to copy the missing records; nothing is copied twice.\n")
    return 0 if all(complete) else 1


class Copy:
    """The copy of one collection.

    Args:
        client: A client of the service to copy.
        imports: The imports of the local library.
        name: ``images`` or ``documents``.
    """

    def __init__(self, client: Client, imports: Imports, name: str) -> None:
        self._client = client
        self._imports = imports
        self._name = name
        self._spec = RESOURCES[name]
        self._collection: Any = getattr(client, name)
        self._known = imports.digests(name)
        self._seen: dict[str, None] = {}
        self._counts: Counter[str] = Counter()
        self._problems: list[str] = []

    def run(self) -> None:
        """Fetch the whole collection and store each new record."""
        with progress_bar(None, None, f"Copying {self._name}", "records") as bar:
            for frame in self._collection.pages():
                lacking = not NEEDED.isdisjoint(frame.attrs["inkframe"]["absent"])
                # Without pictures and with all columns in the list, no further requests are necessary.
                alone = not self._spec.has_picture and not lacking
                for chunk in _chunks(_oldest_first(rows_of(frame)), len(frame) if alone else TOGETHER):
                    wanted = [row for row in chunk if self._is_wanted(row, lacking=lacking)]
                    fetch = WorkerPool(partial(self._fetch, lacking=lacking), 1 if alone else TOGETHER)
                    self._store(wanted, list(fetch.run(wanted)))
                    bar.update(len(chunk))

    def _is_wanted(self, row: Row, *, lacking: bool) -> bool:
        source_id = str(row["id"])
        if source_id in self._seen:  # 1 and "1", of which the service can fetch only one
            self._counts["failed"] += 1
            self._problems.append(f"{source_id}: another record there has the same id")
            return False
        self._seen[source_id] = None
        came = self._known.get(source_id)
        if came is None:
            return True
        as_before = lacking or came.partition("-")[0] == digest(self._name, self._arrival(row).values)
        self._counts["known" if as_before else "changed"] += 1
        return False

    def _fetch(self, row: Row, *, lacking: bool) -> Arrival | InkframeError | None:
        """Fetch a complete record with its picture; return the error of a failure, None if unfinished."""
        try:
            whole = row | values_of(self._collection.get(row["id"])) if lacking else row
            if self._spec.file_field and whole.get(self._spec.file_field) is None:
                return None
            picture = b""
            if self._spec.has_picture:
                image = Image(whole["id"], picture_url=whole.get("picture_url"))
                picture = as_png(self._client.images.picture_of(image))
            return self._arrival(whole, picture)
        except InkframeError as error:
            return error

    def _store(self, wanted: Sequence[Row], fetched: Iterable[Arrival | InkframeError | None]) -> None:
        arrivals: list[Arrival] = []
        for row, each in zip(wanted, fetched, strict=True):
            if isinstance(each, Arrival):
                arrivals.append(each)
            elif each is None:
                self._counts["unfinished"] += 1
            else:
                self._counts["failed"] += 1
                self._problems.append(f"{row['id']}: {str(each).splitlines()[0]}")
        self._imports.add(self._name, arrivals)
        self._counts["copied"] += len(arrivals)

    def _arrival(self, row: Row, picture: bytes = b"") -> Arrival:
        return arrival(self._name, str(row["id"]), row, self._client.vocabulary, picture)

    def report(self) -> bool:
        """Print the outcomes of the records, and whether each copy is unchanged."""
        here = self._imports.digests(self._name)
        copies = [source_id for source_id in self._seen if source_id in here]
        altered = self._imports.altered(self._name, copies)
        lines = [f"{count:,} {OUTCOMES[name]}" for name in OUTCOMES if (count := self._counts[name])]
        sys.stdout.write(f"{self._name}: {len(self._seen):,} there" + "".join(f"; {each}" for each in lines))
        sys.stdout.write(
            f"\n  verified: {len(copies) - len(altered):,} of {len(copies):,} copies are unchanged\n"
        )
        if altered:
            sys.stdout.write(f"  changed here since (ids there): {_named(altered)}\n")
        for problem in self._problems[:NAMED]:
            sys.stdout.write(f"  {line(problem)}\n")
        return len(copies) == len(self._seen) and not self._counts["failed"]


def _identity_of(client: Client) -> str | None:
    """Return the identity of a library served by inkframe; copying a library into itself would never end.

    Raises:
        ConnectionFailed: The service does not respond. There are no retries, since nothing has been copied
            yet.
    """
    try:
        sender = client._session.sender  # noqa: SLF001  # the path is not part of the interface
        found = json.loads(sender.send("GET", "/health", tries=1, picture=True).body)
    except ConnectionFailed:
        raise
    except (InkframeError, ValueError):
        return None
    return found.get("library") if isinstance(found, dict) else None


def _oldest_first(found: list[Row]) -> list[Row]:
    """Return the records of a page in order of creation, so that their new ids have the same order."""
    for name, kind in (("id", int), ("created_at", datetime)):
        if all(isinstance(row.get(name), kind) for row in found):
            return sorted(found, key=lambda row: row[name])
    return found


def _chunks(found: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    for start in range(0, len(found), max(size, 1)):
        yield found[start : start + size]


def _named(ids: Sequence[str]) -> str:
    return ", ".join(line(id, 80) for id in ids[:NAMED]) + (
        f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    )
