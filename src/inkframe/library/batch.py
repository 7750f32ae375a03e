"""Many creations: every row is checked before any is sent, each is paid for once, and the rows come back whole."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InkframeError, InvalidArgument, OutcomeUnknown
from inkframe.library.home import tilde
from inkframe.library.journal import identity
from inkframe.library.notice import notice
from inkframe.library.progress import progress_bar
from inkframe.library.records import Document
from inkframe.vocabulary.choices import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas as pd

    from inkframe.frames import FrameBuilder
    from inkframe.library.collection import Collection
    from inkframe.library.journal import Journal
    from inkframe.library.records import Image

__all__ = ["Batch", "Row", "outcomes", "read_rows"]

#: More creations than this on a service that is paid for need to be confirmed by their number.
UNCONFIRMED: Final = 25
#: Creations in flight at once; each keeps a model busy.
IN_FLIGHT: Final = 4
#: Columns that a plan or an earlier batch brings along, and that are never sent.
CARRIED: Final = frozenset({"repeat", "prompt_template", "id", "status", "error", "seconds"})
#: The columns that stand at the end of what a batch gives.
ENDING: Final = ("id", "status", "error", "seconds")
STATUSES: Final = ("created", "existing", "pending", "failed", "unknown", "skipped")


@dataclass(slots=True)
class Row:
    """One creation of a batch, and what became of it.

    Args:
        label: Where it stands in the index of what was given.
        fields: What is sent.
        repeat: Which of several with the same content it is.
    """

    label: Any
    fields: dict[str, Any]
    repeat: int = 1
    identity: str = ""
    status: str = ""
    record: Image | Document | None = None
    error: str | None = None
    seconds: float | None = field(default=None)


def read_rows(
    given: pd.DataFrame | Iterable[Mapping[str, Any]],
    check: Callable[..., dict[str, Any]],
    allowed: Sequence[str],
    columns: Iterable[str],
) -> tuple[list[Row], pd.DataFrame]:
    """Read and check rows; nothing is sent if any of them will not do.

    Args:
        given: A DataFrame, a plan, or mappings.
        check: Checks the fields of a create and gives what is sent.
        allowed: The fields of a create.
        columns: Columns of records, which may come along.

    Raises:
        InvalidArgument: A column is a misspelt field, or a row's values are not allowed; names the row.
    """
    import pandas as pd

    frame = (
        given if isinstance(given, pd.DataFrame) else pd.DataFrame([dict(row) for row in given], dtype=object)
    )
    _refuse_misspelt(frame.columns, allowed, {*columns, *CARRIED})
    values = {
        str(name): frame[name].astype(object).where(frame[name].notna(), None).tolist()
        for name in frame.columns
    }
    rows: list[Row] = []
    problems: list[str] = []
    for position, label in enumerate(frame.index):
        row = {name: column[position] for name, column in values.items()}
        try:
            fields = check(**{name: row[name] for name in allowed if row.get(name) is not None})
            repeat = int(row.get("repeat") or 1)
        except (InkframeError, TypeError, ValueError) as error:
            problems.append(f"row {label!r}: {_first_line(error)}")
            continue
        rows.append(Row(label, fields, repeat))
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        raise InvalidArgument(f"{problems[0]}{more}\nNothing was sent. Mend the rows, or leave them out.")
    return rows, frame


def _refuse_misspelt(columns: Iterable[Any], allowed: Sequence[str], carried: set[str]) -> None:
    present = {str(column) for column in columns}
    for name in map(str, columns):
        if name in allowed or name in carried:
            continue
        # A field that is there too is not what was meant: `number` may stand beside `name`.
        close = nearest(name, [field for field in allowed if field not in present])
        if close is not None and len(name) > 3:
            raise InvalidArgument(
                f"The column {name!r} looks like the field {close!r}.\n"
                f"Nothing was sent. Rename it to {close!r}, or to something else if it is your own."
            )


class Batch:
    """Runs the rows of one ``create_many``.

    Args:
        collection: Where the records are made.
        rows: The rows, checked.
        journal: What is known of earlier creations.
        fresh: Whether rows that the journal knows are made once more.
    """

    def __init__(
        self, collection: Collection[Any], rows: list[Row], journal: Journal, *, fresh: bool
    ) -> None:
        self._collection = collection
        self._session = collection._session  # noqa: SLF001  # a batch is the collection's own work
        self._journal = journal
        self._rows = rows
        self._stop = threading.Event()
        for row in rows:
            row.identity = identity(self._session.place, collection.resource, row.fields, row.repeat)
            if fresh:
                row.identity = self._next_identity(row)

    def _next_identity(self, row: Row) -> str:
        """Give the identity of a creation once more: the first number that the journal does not know."""
        number = 1
        while self._journal.find(found := f"{row.identity}+{number}") is not None:
            number += 1
        return found

    def run(self, confirm: int | None, progress: bool | None) -> None:
        """Make what is not there yet; afterwards every row has a status.

        Raises:
            InvalidArgument: The number of creations is not confirmed, or is past the limit; nothing was sent.
        """
        self._look_up()
        waiting = [row for row in self._rows if not row.status]
        if not waiting:
            return
        self._announce(len(waiting), confirm)
        with progress_bar(
            progress, len(waiting), f"Creating {self._collection.resource}", "creations"
        ) as bar:
            if self._session.is_local:
                # On this thread, so that an interrupt reaches the drawing itself and nothing is stored.
                for row in waiting:
                    self._make(row)
                    bar.update()
            else:
                self._run_threads(waiting, bar)

    def _run_threads(self, waiting: list[Row], bar: Any) -> None:
        width = min(IN_FLIGHT, self._session.concurrency)
        with ThreadPoolExecutor(width, thread_name_prefix="inkframe-create") as pool:
            try:
                for done in as_completed([pool.submit(self._make, row) for row in waiting]):
                    done.result()
                    bar.update()
            except BaseException:
                # What is in flight is paid for, so its answer is awaited and noted; nothing more is sent.
                self._stop.set()
                raise

    def _announce(self, count: int, confirm: int | None) -> None:
        session = self._session
        left = None if session.create_limit is None else session.create_limit - session.created
        if left is not None and count > left:
            raise InvalidArgument(
                f"create_limit={session.create_limit}: {session.created} creations were made, and this batch has {count}.\n"
                "Nothing was sent. Raise the limit, or run fewer rows."
            )
        if not session.is_local and count > UNCONFIRMED and confirm != count:
            said = "" if confirm is None else f", not {confirm}"
            raise InvalidArgument(
                f"This makes {count} creations on {session.host}{said}.\nNothing was sent. Confirm with confirm={count}."
            )
        plural = "creation" if count == 1 else "creations"
        place = f"; journal: {tilde(self._journal.path)}" if self._journal.path else ""
        notice(f"{count} {plural} on {session.host}{place}")

    def _look_up(self) -> None:
        """Settle the rows that the journal knows, and refuse to send one row twice."""
        met: set[str] = set()
        for row in self._rows:
            if row.identity in met:
                row.status, row.error = "skipped", "the same as an earlier row; give it another repeat"
                continue
            met.add(row.identity)
            entry = self._journal.find(row.identity)
            if entry is None or entry.state == "failed":
                continue
            try:
                if entry.state == "created" and entry.id is not None:
                    row.record = self._collection.get(entry.id)
                    row.status = "existing"
                else:
                    self._reconcile(row, entry.time)
            except LookupError:
                row.status = "skipped"
                row.error = f"was created as {entry.id} and deleted since; fresh=True creates it again"
            except InkframeError as error:
                # A record that is known to be there, but cannot be shown now, is there all the same.
                row.status = "existing" if entry.id is not None else "unknown"
                row.error = _first_line(error)

    def _reconcile(self, row: Row, since: float) -> None:
        """Look for a record whose create was sent and never answered; None means that it was not made."""
        found = self._collection._find(row.fields, since=since, beside=self._journal.ids())  # noqa: SLF001
        if found is not None:
            self._journal.note(row.identity, "created", found.id)
            row.record, row.status = found, "existing"

    def _make(self, row: Row) -> None:
        if self._stop.is_set():
            row.status, row.error = "skipped", "the run was stopped"
            return
        began = time.monotonic()
        sent = time.time()
        self._journal.note(row.identity, "sent")
        try:
            row.record = self._collection._create(row.fields)  # noqa: SLF001
            row.status = "created" if is_finished(row.record) else "pending"
            self._journal.note(row.identity, "created", row.record.id)
        except OutcomeUnknown as error:
            row.error = _first_line(error)
            self._settle(row, sent)
        except InkframeError as error:
            row.status, row.error = "failed", _first_line(error)
            self._journal.note(row.identity, "failed")
        row.seconds = time.monotonic() - began

    def _settle(self, row: Row, sent: float) -> None:
        """Look once for a record whose answer was lost; where that fails too, the row stays unknown."""
        row.status = "unknown"
        try:
            self._reconcile(row, sent)
        except InkframeError:
            return
        if row.record is not None:
            row.status, row.error = "created", None


def outcomes(rows: Sequence[Row], given: pd.DataFrame, builder: FrameBuilder) -> pd.DataFrame:
    """Give the rows as a frame: what was given, every field of the record, then what became of it."""
    import pandas as pd

    names = builder.columns
    builder.add(range(len(rows)), {name: [_value(row, name) for row in rows] for name in names}, {})
    frame = builder.finish().set_index(given.index)
    carried = [name for name in given.columns if name not in names and name not in ENDING]
    for name in carried:
        frame[name] = given[name]
    ids: list[Any] = [None if row.record is None else row.record.id for row in rows]
    if all(id is None or isinstance(id, int) for id in ids):
        frame["id"] = pd.array(ids, dtype="Int64")
    else:
        frame["id"] = pd.array([None if id is None else str(id) for id in ids], dtype="str")
    frame["status"] = pd.Categorical([row.status or "skipped" for row in rows], categories=STATUSES)
    frame["error"] = pd.array([row.error for row in rows], dtype="str")
    frame["seconds"] = pd.array([row.seconds for row in rows], dtype="float64")
    first = [name for name in given.columns if name in names or name in carried]
    return frame[[*first, *(name for name in names if name not in first), *ENDING]]


def _value(row: Row, name: str) -> Any:
    shown = None if row.record is None else getattr(row.record, name)
    if shown is None and name in row.fields:
        return float(row.fields[name]) if name == "creativity" else row.fields[name]
    return shown


def is_finished(record: Image | Document) -> bool:
    """Whether a record's picture or text is there; some services make it in the background."""
    if isinstance(record, Document):
        return record.result is not None
    return (record._source or record.picture_url) is not None  # noqa: SLF001  # the same room


def _first_line(error: BaseException) -> str:
    return " ".join(str(error).split("\n")[:2])
