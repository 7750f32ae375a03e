"""The common base of images and documents: arguments are checked here, and other packages do the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from inspect import signature
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, TypeVar

import pandas as pd

from inkframe.creating.columns import Column
from inkframe.creating.create import create, reported, wait
from inkframe.creating.create_many import Batch
from inkframe.creating.job import Job
from inkframe.creating.journal import journal_of
from inkframe.display.console import ListingProgress
from inkframe.display.view import View
from inkframe.editing.bulk import delete_many, download
from inkframe.editing.push import as_made, push
from inkframe.errors import ConfigurationError, InvalidArgument, NotFound, checked_calls
from inkframe.frames import kind_of, origin, records_of, rows_of
from inkframe.http.worker_pool import WorkerPool
from inkframe.listing.frames import FrameMaker, list_all, list_page, list_pages
from inkframe.listing.queries import whole_queries
from inkframe.listing.session import Session, SessionCalls
from inkframe.replies.dialect import Dialect
from inkframe.resources.records import (
    TypedRecord,
    fields_of,
    is_frame,
    read_ids,
    row_of,
    values_of,
)
from inkframe.resources.views import table_of
from inkframe.schema import ResourceSpec
from inkframe.vocabulary import Vocabulary
from inkframe.vocabulary.arguments import (
    NotGiven,
    check_create,
    check_filters,
    check_id,
    check_integer,
    check_query,
    check_update,
    short,
)

if TYPE_CHECKING:
    from inkframe.replies.record import Record

__all__ = ["NOT_FILTERS", "Collection"]

RecordType = TypeVar("RecordType", bound=TypedRecord)

#: Parameters of ``all`` that are not filters.
NOT_FILTERS: Final = frozenset({"sort_by", "sort", "limit", "details", "progress"})


@checked_calls
class Collection(Generic[RecordType]):
    """One collection of a service.

    Args:
        session: The session of its client.
    """

    #: The schema of the collection.
    spec: ClassVar[ResourceSpec]
    #: The class of its records.
    record_type: type[RecordType]
    #: The client that it belongs to, for panels.
    client: Any = None

    def __init__(self, session: Session) -> None:
        self._session = session
        self._calls = session.calls[self.spec.name]
        self._calls.as_record = self._as_record
        #: Prepares a bulk creation, for panels.
        self.batch = partial(Batch, self._calls, self.preview)
        session.collections.setdefault(self.spec.name, self)

    @property
    def resource(self) -> str:
        """The name of the collection in the interface, such as ``images``."""
        return self.spec.name

    @property
    def service(self) -> str:
        """The name of the service in captions: its label, if it has one."""
        return self._session.label or self._session.service

    @property
    def source(self) -> dict[str, str]:
        """What frames name as their source."""
        return self._session.source

    @property
    def vocabulary(self) -> Vocabulary:
        """The allowed values, those of the client."""
        return self._session.vocabulary

    @property
    def dialect(self) -> Dialect:
        """The response format of this collection; assign an ``ink.Dialect`` to pin fields."""
        return self._calls.dialect

    @dialect.setter
    def dialect(self, dialect: Dialect) -> None:
        self._calls.dialect = dialect

    def __repr__(self) -> str:
        return f"<{self.resource} of {self._session.host}>"

    def _list(self, given: Mapping[str, Any], page: int | None) -> pd.DataFrame:
        filters = check_filters(self.spec, self._session.vocabulary, given)
        for name, values in filters.items():
            if len(values) != 1:
                raise InvalidArgument(
                    f"{name.removesuffix('_id')} has {len(values)} values, but list() accepts one.\n"
                    "Use all() for several."
                )
        query = check_query(self.spec, given) | {name: value for name, (value,) in filters.items()}
        return list_page(self._calls, query, page)

    def _all(
        self, given: Mapping[str, Any], *, limit: int | None, details: bool, progress: bool | None
    ) -> pd.DataFrame:
        return list_all(
            self._calls,
            *self._queries(given),
            limit=limit,
            details=details,
            progress=ListingProgress(progress, self.resource),
            made=self._made,
        )

    def _pages(self, given: Mapping[str, Any]) -> Iterator[pd.DataFrame]:
        return list_pages(self._calls, *self._queries(given), self._made)

    def _made(self) -> Iterable[int | str]:
        """Return the ids of the records in the journal, if it can be read."""
        try:
            journal = journal_of(self._session)
        except ConfigurationError:
            return ()
        made = (journal.find(each) for alike in [*journal.contents.values()] for each in alike)
        return [
            each.id for each in made if each and each.id is not None and each.collection == self.spec.name
        ]

    def _to_dask(self, partition_size: int | None, given: Mapping[str, Any]) -> Any:
        from inkframe.dask import to_dask

        size = None if partition_size is None else check_integer("partition_size", partition_size)
        return to_dask(self._calls, self._queries(given)[0], size)

    def _queries(self, given: Mapping[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Return the queries that list every matching record, and the list parameters for provenance."""
        query = check_query(self.spec, given)
        filters = check_filters(self.spec, self._session.vocabulary, given)
        shown = {name: values[0] if len(values) == 1 else [*values] for name, values in filters.items()}
        return whole_queries(self._calls, query, filters), query | shown

    def get(self, id: int | str | RecordType) -> RecordType:
        """Fetch one record.

        Args:
            id: The id, or a record to fetch again.

        Raises:
            NotFound: There is no record with this id.
        """
        return self._as_record(self._calls.get(check_id(id, self.record_type)))

    def delete(self, id: int | str | RecordType) -> None:
        """Delete one record; this cannot be undone.

        Args:
            id: The id or the record.

        Raises:
            NotFound: There is no record with this id.
        """
        if isinstance(id, Iterable) and not isinstance(id, str | bytes):
            several = read_ids(self.spec, self.record_type, id)
            raise InvalidArgument(
                f"{short(several)} is not a valid id.\n"
                "There is no id like this, and nothing was deleted. "
                f"Pass client.{self.spec.name}.delete_many({short(several)}, confirm={len(several)})."
            )
        self._calls.delete(check_id(id, self.record_type))

    def delete_many(
        self, ids: Iterable[int | str | RecordType] | pd.DataFrame, *, confirm: int
    ) -> pd.DataFrame:
        """Delete records; this cannot be undone.

        Args:
            ids: Ids, records, or a frame; all are read before the first is deleted.
            confirm: The number of records: ``confirm=len(ids)``.

        Returns:
            A row for each with id, status (``deleted``, ``gone`` if deleted before, ``failed``), error, and
            seconds.

        Raises:
            InvalidArgument: An id or the number is invalid; nothing was deleted.
        """
        return delete_many(self._calls, read_ids(self.spec, self.record_type, ids), confirm)

    def wait(self, record: int | str | RecordType, timeout: float = 180) -> RecordType:
        """Wait until the picture or text of a record is available and return the record.

        Some services generate in the background.

        Args:
            record: The record or its id.
            timeout: The maximum seconds to wait.

        Raises:
            DeadlineExceeded: It is not available in time; it may come later.
        """
        return self._as_record(wait(self._calls, check_id(record, self.record_type), timeout))

    def _create(
        self, given: Mapping[str, Any], by: Callable[[SessionCalls, Any], Record] = create
    ) -> RecordType:
        return self._as_record(
            reported(self.spec, by(self._calls, check_create(self.spec, self._session.vocabulary, given)))
        )

    def _update(self, id: int | str | RecordType, given: Mapping[str, Any]) -> RecordType:
        sent = {
            name: check_update(field, given[name])
            for name, field in self.spec.updates.items()
            if not isinstance(given[name], NotGiven)
        }
        if not sent:
            raise InvalidArgument(
                f"There is nothing to change.\nPass at least one of {', '.join(f'{name}=…' for name in self.spec.updates)}."
            )
        return self._as_record(reported(self.spec, self._calls.update(check_id(id, self.record_type), sent)))

    def _as_record(self, record: Record) -> RecordType:
        """Return the record of a reply as an instance of ``record_type``."""
        values = record.known | {"extra": record.extra, "_origin": self}
        values |= {
            field.name: self._session.template_label(record.known[str(field.label_of)])
            for field in self.spec.labels
        }
        if self.spec.has_picture:
            values |= {"_source": record.picture, "_awaited": record.awaited}
        return self.record_type(record.id, **values)

    def create_many(
        self,
        rows: pd.DataFrame | Iterable[Mapping[str, Any]],
        *,
        journal: str | PathLike[str] | None = None,
        confirm: int | None = None,
        fresh: bool = False,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Create a record for each row; a row that was created before is not created again.

        Every row is checked before any is sent. A journal stores each create and its outcome by service,
        content and ``repeat``: running a cell again, even after the kernel was killed or at the same moment in
        another program, creates only missing records. A refused key or an exhausted quota ends the run.

        Args:
            rows: A DataFrame, a plan, or mappings, with the fields of ``create``; other columns are returned
                unchanged.
            journal: The journal file; by default one for this service under ``INKFRAME_HOME``.
            confirm: The number of creates or of rows, required for more than 25 on a billed service.
            fresh: Whether to create every row again; after an interrupt, ``fresh=True`` creates only the rest.
            progress: Whether to show a progress bar; by default ``INKFRAME_PROGRESS`` decides.

        Returns:
            The same rows and index with the fields of the records, then edited (the fields of an existing
            record that were edited since), id, status (``created``, ``existing``, ``pending``, ``failed``,
            ``unknown``, ``skipped``), error, and seconds. To send rows again, use a mask:
            ``create_many(runs[runs["status"] == "failed"])``.

        Raises:
            InvalidArgument: A row is invalid, or the number is not confirmed; nothing was sent.
            BatchInterrupted: An interrupt ended it; ``frame`` has all rows, and run again, it creates the rest.
        """
        return self.batch(rows, journal, fresh=fresh).run(confirm, progress)

    def submit_many(
        self,
        rows: pd.DataFrame | Iterable[Mapping[str, Any]],
        *,
        journal: str | PathLike[str] | None = None,
        confirm: int | None = None,
        fresh: bool = False,
    ) -> Job:
        """Create a record for each row in the background; checks and arguments as in ``create_many``.

        As the last line of a cell, the job shows its progress, the newest records and a Cancel button while
        other cells run. ``job.frame`` has the rows so far, ``job.result()`` waits for all.
        """
        return self._submit(self.batch(rows, journal, fresh=fresh), confirm)

    def _submit(self, batch: Batch, confirm: int | None) -> Job:
        batch.check(confirm)
        job: Job = self._session.jobs.start(Job(batch))
        return job

    def column(self, call: Callable[..., Any], *given: Any, **options: Any) -> Column:
        """Return the creates of a column, for panels.

        Args:
            call: ``write`` or ``draw`` of this collection.
            *given: Its arguments.
            **options: Its keyword arguments.
        """
        bound = signature(call).bind(*given, **options)
        bound.apply_defaults()
        return Column(self._calls, self.batch, call, bound.arguments, self.client, as_made)

    def preview(self, records: Sequence[RecordType]) -> View:
        """Return a view of some records, drawn without output of its own."""
        raise NotImplementedError

    def push(
        self,
        edited: pd.DataFrame,
        *,
        column: str | None = None,
        baseline: pd.DataFrame | None = None,
        dry_run: bool = False,
        force: bool = False,
    ) -> pd.DataFrame:
        """Send the cells of a frame that were edited since it was fetched, and no others.

        Edited rows are refetched first; a cell that others changed meanwhile is a conflict and is not written.
        Rows that are missing from the frame and columns that were never fetched are not changed. In a file with
        generated texts, a text that lacks only its marks of Markdown was not edited. Ctrl-C stops
        after the requests in flight; push again to send the rest.

        Args:
            edited: A fetched frame, edited in pandas; ids are its index or a column ``id``.
            column: A column with generated texts, such as ``text``; the ids are in ``text_id``. Only its texts are
                sent, each as the ``result`` of its document. A table of your own may leave it out if it has one.
            baseline: The frame as fetched; by default the one that the client stored. Without one the rows
                are fetched and compared with their current values, and conflicts cannot be detected.
            dry_run: Whether to send nothing and report the planned outcome of each cell.
            force: Whether to overwrite changes of others.

        Returns:
            A row for each edited cell with id, column, old, new, outcome (``changed``, ``already`` equal,
            ``conflict``, ``deleted``, ``failed``, ``unknown``, ``skipped``; ``planned`` in a dry run), and
            error.

        Raises:
            InvalidArgument: A read-only column was edited, an id is unknown or appears twice, or a value is
                missing or of the wrong type; nothing was sent.

        Example:
            >>> docs = client.documents.all()
            >>> docs.loc[docs["result"].str.contains("kettle"), "favorite"] = True
            >>> docs.ink.push(dry_run=True)
        """
        name = ""
        if column is not None or (is_frame(edited) and "collection" not in origin(edited)):
            _, name = kind_of(edited, self.resource, column=column)
        if name:
            if self.spec.generated not in self.spec.updates:
                raise InvalidArgument(
                    f"{name} cannot be updated: services change only {' and '.join(self.spec.updates)} of an"
                    f" {self.spec.noun}.\nNothing was sent. {self.spec.noun}.again(…) creates another one."
                )
            generated = [self.spec.generated]
            if baseline is not None and name in baseline.columns:
                baseline = records_of(baseline, self.resource, column=name).frame[generated]
            edited = records_of(edited, self.resource, column=name, distinct=True).frame[generated]
        return push(self._calls, edited, baseline, dry_run=dry_run, force=force, unmark=bool(name))

    def table(self, frame: pd.DataFrame, *, rows: int = 100) -> View:
        """Show a frame with pictures in its cells and long texts folded.

        Args:
            frame: The frame.
            rows: The maximum number of rows.
        """
        return table_of(frame, rows, self)

    def download(
        self,
        selected: pd.DataFrame | Iterable[int | str | RecordType] | int | str | RecordType,
        folder: str | PathLike[str],
        *,
        column: str | None = None,
        overwrite: bool | Literal["own"] = False,
        progress: bool | None = None,
    ) -> pd.DataFrame:
        """Write records to files with their settings: pictures as PNG, documents as Markdown.

        ``ink.open_file`` reads the settings.

        Args:
            selected: A frame, ids, or records.
            folder: The folder to write to; it is created if missing.
            column: The generated column whose records are written, where a frame has several.
            overwrite: Whether to replace existing files; ``own`` replaces older files of the same records only.
                By default a file that has the record is kept, and another one is an error of its row.
            progress: Whether to show a progress bar; by default ``INKFRAME_PROGRESS`` decides.

        Returns:
            A DataFrame by id with path, bytes and error.
        """
        return download(
            self.select(selected, needed=self.spec.file_field, column=column, for_files=True),
            folder,
            self.file_of,
            self.spec.file_ending,
            service=self._session.service,
            width=self._session.width,
            overwrite=overwrite,
            progress=progress,
        )

    def frame_of(self, records: Sequence[RecordType]) -> pd.DataFrame:
        """Return records as a frame with the columns of a listing, in their order.

        Args:
            records: The records.
        """
        return FrameMaker(self._calls).of_rows([fields_of(record) for record in records])

    def select(
        self,
        given: pd.DataFrame | Iterable[int | str | RecordType] | int | str | RecordType,
        *,
        needed: str | None = None,
        column: str | None = None,
        for_files: bool = False,
    ) -> list[dict[str, Any]]:
        """Return a row of plain values for each record, for views and files.

        Args:
            given: A frame, records, ids, or one of these.
            needed: A required column; records are fetched, several at a time, if a frame lacks it.
            column: The generated column of the frame, where it has several.
            for_files: Whether the settings of each record are needed, which are not those of a person's own rows.

        Raises:
            InvalidArgument: It is none of these.
            NotFound: There is no record with an id.
        """
        width = self._session.width

        def each(work: Callable[[Any], Any], jobs: Sequence[Any]) -> list[Any]:
            return list(WorkerPool(work, width).run(jobs))

        def completed(row: dict[str, Any]) -> dict[str, Any]:
            try:
                record = values_of(self.get(row["id"]))
            except NotFound:
                return row  # deleted, so unchanged
            return row | {name: value for name, value in record.items() if row.get(name) is None}

        if is_frame(given):
            held = records_of(given, self.resource, column=column)
            if held.column and for_files:
                return each(completed, rows_of(held.frame[[self.spec.generated]]))
            lacks = needed is not None and (needed not in held.frame or held.frame[needed].isna().all())
            return each(completed, rows_of(held.frame)) if lacks else rows_of(held.frame)
        if isinstance(given, TypedRecord | str) or not hasattr(given, "__iter__"):
            given = [given]
        known: list[Any] = list(given)
        for one in known:
            check_id(one, self.record_type)
        fetched = iter(each(self.get, [one for one in known if not isinstance(one, TypedRecord)]))
        return [row_of(one if isinstance(one, TypedRecord) else next(fetched)) for one in known]

    def file_of(self, row: dict[str, Any]) -> bytes:
        """Return the bytes of the file of a record."""
        raise NotImplementedError
