"""What images and documents have in common, beside their lists: records made, changed, written and deleted."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from inkframe.calls.arguments import (
    NotGiven,
    check_field,
    check_id,
)
from inkframe.display.console import notice
from inkframe.errors import InkframeError, InvalidArgument, NotFound, OutcomeUnknown
from inkframe.resources.records import Document, Image
from inkframe.resources.selection import select
from inkframe.workflows.create_many import Batch
from inkframe.workflows.create_rows import is_finished
from inkframe.workflows.delete_many import delete_many
from inkframe.workflows.download import download
from inkframe.workflows.journal import identity
from inkframe.workflows.list_frames import Listed
from inkframe.workflows.push import Push
from inkframe.workflows.reconcile import find
from inkframe.workflows.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    import pandas as pd

    from inkframe.calls.port import Record

__all__ = ["Collection"]

RecordType = TypeVar("RecordType", Image, Document)


class Collection(Listed, Generic[RecordType]):
    """One of the two collections of a service.

    Args:
        session: What it shares with the other collection.
        kind: Images or documents.
        update_method: ``PATCH`` or ``PUT``.
    """

    def get(self, id: int | str | RecordType) -> RecordType:
        """Give one record.

        Args:
            id: Its id, or the record, to see how it is now.

        Raises:
            NotFound: There is none with this id.
        """
        return self._kept(self._resource.get(check_id(id, self.record_type)))

    def delete(self, id: int | str | RecordType) -> None:
        """Delete one record; this cannot be undone.

        Args:
            id: Its id, or the record.

        Raises:
            NotFound: There is none with this id.
        """
        self._resource.delete(check_id(id, self.record_type))

    def delete_many(
        self, ids: Iterable[int | str | RecordType] | pd.DataFrame, *, confirm: int
    ) -> pd.DataFrame:
        """Delete records; this cannot be undone.

        Args:
            ids: Ids, records, or a frame; all are read before the first is deleted.
            confirm: How many there are: ``confirm=len(ids)``.

        Returns:
            A row for each with id, status (``deleted``; ``gone`` before; ``failed``), error, and seconds.

        Raises:
            InvalidArgument: An id is none, or the number is another; nothing was deleted.
        """
        return delete_many(self, ids, confirm)

    def push(
        self,
        edited: pd.DataFrame,
        *,
        baseline: pd.DataFrame | None = None,
        dry_run: bool = False,
        force: bool = False,
    ) -> pd.DataFrame:
        """Send the cells of a frame that were edited since it was fetched, and no others.

        Edited rows are looked at again first: one that others changed meanwhile is a conflict, and stays as it
        is. Rows that are missing from the frame are left alone, and so are columns that were never fetched.
        Ctrl-C ends it once the writes that are in flight are answered; push again to send the rest.

        Args:
            edited: A fetched frame, edited in pandas; ids are its index or a column ``id``.
            baseline: The frame as it was fetched; if not given, the client remembers it. Where it does not, the
                rows are compared with the service as it is now, and conflicts cannot be told.
            dry_run: Send nothing; say what would become of each cell.
            force: Overwrite what others changed.

        Returns:
            A row for each edited cell with id, column, old, new, outcome (``changed``, ``already`` so,
            ``conflict``, ``deleted``, ``failed``, ``unknown``, ``skipped``; ``planned`` in a dry run), and error.

        Raises:
            InvalidArgument: A column that no update takes was edited, an id is unknown or stands twice, or a
                value is missing or of the wrong type; nothing was sent.

        Example:
            >>> docs = client.documents.all()
            >>> docs.loc[docs["result"].str.contains("kettle"), "favorite"] = True
            >>> docs.ink.push(dry_run=True)
        """
        return Push(self, edited, baseline).run(dry_run=dry_run, force=force)

    def create_many(
        self,
        rows: pd.DataFrame | Iterable[Mapping[str, Any]],
        *,
        journal: str | PathLike[str] | None = None,
        confirm: int | None = None,
        fresh: bool = False,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Create a record for each row; a row that was made before is not made again.

        Every row is checked before any is sent. A journal remembers what was sent and what became of it, by the
        service, the row's content, and its ``repeat``: running a cell again, or after a kernel was killed, makes
        only what is missing. Two programs that run the same rows at the same moment may both make them.

        Args:
            rows: A DataFrame, a plan, or mappings, with the fields of ``create``; other columns come back as they are.
            journal: The journal's file; this service's own under ``INKFRAME_HOME`` if not given.
            confirm: The number of creations, or of rows, which a service at an address asks for past 25.
            fresh: Make every row once more.
            progress: Whether a bar is shown; ``INKFRAME_PROGRESS`` decides if not given.

        Returns:
            The same rows and index with every field of the record, then id, status (``created``, ``existing``,
            ``pending``, ``failed``, ``unknown``, ``skipped``), error, and seconds. Rows can be sent again by a
            mask: ``create_many(runs[runs["status"] == "failed"])``.

        Raises:
            InvalidArgument: A row will not do, or the number is not confirmed; nothing was sent.
        """
        batch = Batch(self, rows, self._session.journal(journal), fresh=fresh)
        batch.run(confirm, progress)
        return batch.frame()

    def _ensure(self, fields: dict[str, Any]) -> RecordType:
        """Give the record with these fields, made only if neither the journal nor the service knows it."""
        journal = self._session.journal()
        known = identity(self._session.place, self.resource, fields)
        entry = journal.find(known)
        if entry is not None and entry.id is not None:
            with suppress(NotFound):
                return self.get(entry.id)
        found, named = find(self._resource, fields, self._searches(fields["name"].strip()), wholly=True)
        if found is not None:
            journal.note(known, "created", found)
            return self.get(found)
        if named:
            notice(
                f"{self._session.host} has {self._kind.noun} {fields['name']!r}, but shows neither its text nor its "
                "settings: a name alone is no match, so another is created."
            )
        journal.note(known, "sent")
        record = self._create(fields)
        journal.note(known, "created", record.id)
        return record

    def _create(self, fields: dict[str, Any]) -> RecordType:
        session = self._session
        session.claim_creation()
        sent = time.time()
        try:
            record = self._kept(self._resource.create(fields))
        except OutcomeUnknown as error:
            # The wire knows no records, so that looking for one is added here.
            error._look = lambda: self._find(fields, since=sent, beside=session.made)  # noqa: SLF001
            raise
        except InkframeError:
            session.return_creation()
            raise
        session.made.add(record.id)
        return record

    def _find(self, fields: Mapping[str, Any], **limits: Any) -> RecordType | None:
        found, _ = find(self._resource, fields, self._searches(fields["name"].strip()), **limits)
        return None if found is None else self.get(found)

    def _update(self, id: int | str | RecordType, fields: Mapping[str, object]) -> RecordType:
        given = {name: value for name, value in fields.items() if not isinstance(value, NotGiven)}
        if not given:
            names = ", ".join(f"{name}=…" for name in fields)
            raise InvalidArgument(f"There is nothing to change.\nGive at least one of {names}.")
        sent = {name: check_field(name, value) for name, value in given.items()}
        return self._kept(self._resource.update(check_id(id, self.record_type), sent))

    #: What a record of the collection is.
    record_type: type[RecordType]
    #: The fields of a create.
    _creatable: tuple[str, ...] = ()
    #: How the name of a record's file ends, and a column without which there is no file.
    _file_ending: str
    _file_needs: str | None = None

    def _kept(self, record: Record) -> RecordType:
        raise NotImplementedError

    def _file(self, row: dict[str, Any]) -> bytes:
        raise NotImplementedError

    def _checked(self, **fields: Any) -> dict[str, Any]:
        raise NotImplementedError

    def _searches(self, name: str) -> Iterable[dict[str, Any]]:
        raise NotImplementedError

    def download(
        self,
        selected: pd.DataFrame | Iterable[int | str | RecordType] | int | str | RecordType,
        folder: str | PathLike[str],
        *,
        overwrite: bool = False,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Write records to files that carry their settings: pictures as PNG, documents as Markdown.

        ``ink.open_file`` reads the settings back.

        Args:
            selected: A frame, ids, or records.
            folder: Where to write; it is made if it is not there.
            overwrite: Whether files that are there are replaced.
            progress: Whether a bar is shown; ``INKFRAME_PROGRESS`` decides if not given.

        Returns:
            A DataFrame by id with path, bytes and error; a file that could not be written says why.
        """
        return download(
            select(self, selected, needed=self._file_needs),
            folder,
            self._file,
            self._file_ending,
            width=self._width,
            overwrite=overwrite,
            progress=progress,
        )

    def wait(self, record: int | str | RecordType, timeout: float = 180) -> RecordType:
        """Give a record once its picture or text is there, for services that create in the background.

        Args:
            record: The record, or its id.
            timeout: Seconds to wait at most.

        Raises:
            DeadlineExceeded: It is not there in time; it may come later.
        """
        return wait_until(lambda: self.get(record), is_finished, self._session.conversation.clock, timeout)
