"""The rows of a run: read and checked together, sent several at a time, and returned with the status of each."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Final

import pandas as pd

from inkframe.creating.identity import Identity
from inkframe.creating.table import frame_of
from inkframe.display.console import progress_bar
from inkframe.errors import (
    AuthenticationError,
    ConnectionFailed,
    DeadlineExceeded,
    InkframeError,
    InvalidArgument,
    NotFound,
    OutcomeUnknown,
    PermissionDenied,
    nearest,
)
from inkframe.frames import FrameBuilder, fit_int64
from inkframe.http.connections import CancelScope
from inkframe.http.worker_pool import WorkerPool
from inkframe.replies.reader import COSTS
from inkframe.versions import text_type

__all__ = [
    "OLDER",
    "THERE",
    "Row",
    "StopRule",
    "first_line",
    "id_of",
    "id_values",
    "missing_words",
    "outcomes",
    "read_rows",
    "row_by_row",
    "run_rows",
]

#: Columns of plans and earlier batches that are never sent.
CARRIED: Final = frozenset(
    {"repeat", "prompt_template", "edited", "id", "status", "error", "seconds", *COSTS}
)
#: The last columns of the result of a batch.
ENDING: Final = ("edited", "id", "status", "error", "seconds")
STATUSES: Final = ("created", "existing", "pending", "failed", "unknown", "skipped")
#: The statuses of rows whose record is there.
THERE: Final = ("created", "existing", "pending")
#: Writes in flight at once.
IN_FLIGHT: Final = 8
#: The number of equal errors in a row that end a run; one alone may concern its own record.
IN_A_ROW: Final = 3
PAYMENT_REQUIRED: Final = 402
HINT: Final = '\nNothing was sent. Pass rows such as [{"name": "…"}], or a plan.'
#: The attribute of a plan with what release 0.3 made of its texts, by field, where that was something else.
OLDER: Final = "inkframe.older"


@dataclass(slots=True)
class Row:
    """One request of a run, such as a create of a batch, and its outcome.

    Args:
        label: Its label in the given index, or what the request is about.
        fields: The fields of a create.
        repeat: The number among rows with the same content.

    Attributes:
        identity: What identifies equal rows.
        status: The status; empty before the create.
        record: The record, or what else was returned.
        error: The error in one line.
        cause: The error as raised, or that of an earlier row because of which it was not sent.
        sent: The mark of the known ids before the request of this process.
        id: The id of the record by the given frame, a result of an earlier batch of this service.
        seconds: The duration; None if it was not sent.
        costs: What the service reported that it cost, by column.
        edited: The fields of an existing record that were edited since it was created.
    """

    label: Any
    fields: dict[str, Any] = field(default_factory=dict)
    repeat: int = 1
    identity: Identity = field(default=Identity(""))
    status: str = ""
    record: Any = None
    error: str | None = None
    cause: InkframeError | None = None
    sent: int | None = None
    id: int | str | None = None
    seconds: float | None = None
    edited: str | None = None
    costs: Mapping[str, float] = field(default_factory=dict)


def read_rows(
    given: pd.DataFrame | Iterable[Mapping[str, Any]],
    check: Callable[[Mapping[str, Any]], dict[str, Any]],
    allowed: Sequence[str],
    columns: Iterable[str],
    made: Callable[[Mapping[str, Any]], Any] = lambda _row: None,
    needed: Sequence[str] = (),
) -> tuple[list[Row], pd.DataFrame]:
    """Read and check rows; nothing is sent if any of them is invalid.

    Args:
        given: A DataFrame, a plan, or mappings.
        check: Checks the fields of a create and returns those to send.
        allowed: The fields of a create.
        columns: Columns of records, which are allowed but not sent.
        made: Returns the id of the record of a row with a result, so that nothing is sent.
        needed: The columns without which nothing can be created.

    Raises:
        InvalidArgument: A column is missing or a misspelled field, or a value is not allowed; the message has the row.
    """
    frame = frame_of("rows", given, hint=HINT, dtype=object).copy()
    names = list(map(str, frame.columns))
    is_text = "".join(names).encode("utf-8", "replace").decode() == "".join(names)
    if len({*names}) < len(names) or frame.columns.isna().any() or not is_text:
        raise InvalidArgument(
            f"The columns must have different texts as names, got {ascii(names)[:80]}.\n"
            "Nothing was sent. Rename or drop columns."
        )
    usual = {*allowed, *columns, *CARRIED}
    _refuse_misspelled(names, allowed, usual)
    whole = frame.reset_index() if frame.index.name == "id" and "id" not in frame else frame
    values = {
        str(name): whole[name].astype(object).where(whole[name].notna(), None).tolist()
        for name in whole.columns
    }
    rows: list[Row] = []
    problems: list[str] = []
    for position, label in enumerate(frame.index):
        row = {name: column[position] for name, column in values.items()}
        known = made(row)
        fields = {name: row[name] for name in allowed if row.get(name) is not None}
        try:
            repeat = int(row.get("repeat") or 1)
            checked = check(fields)
            fields = {name: checked[name] for name in (checked if known is None else fields)}
        except (InkframeError, TypeError, ValueError, OverflowError) as error:
            # A service may have stored values that cannot be sent.
            if known is None or not isinstance(error, InkframeError):
                problems.append(f"row {label!r}: {first_line(error)}")
                continue
        rows.append(Row(label, fields, repeat, id=known))
    lacking = [name for name in needed if name not in values]
    if problems and lacking:
        others = [name for name in values if name not in usual]
        rename = f"Rename one: frame.rename(columns={{{others[0]!r}: {lacking[0]!r}}})." if others else ""
        raise InvalidArgument(
            f"The rows must have a column {' and a column '.join(map(repr, lacking))}, got {', '.join(values)}.\n"
            f"Nothing was sent. {rename or 'Add it.'}"
        )
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        raise InvalidArgument(f"{problems[0]}{more}\nNothing was sent. Fix or drop these rows.")
    return rows, frame


def _refuse_misspelled(names: Sequence[str], allowed: Sequence[str], known: Container[str]) -> None:
    for name in names:
        # Fields that are present are not candidates: `number` may be a column beside `name`.
        close = nearest(name, [field for field in allowed if field not in names])
        if close is not None and len(name) > 3 and name not in known:
            raise InvalidArgument(
                f"The column {name!r} looks like the field {close!r}.\n"
                f"Nothing was sent. Rename it to {close!r}, or to another name if it is not a field."
            )


def outcomes(rows: Sequence[Row], given: pd.DataFrame, builder: FrameBuilder) -> pd.DataFrame:
    """Return the rows as a frame: the given columns, the fields of the records, then status and error."""
    names, extras = builder.columns, [{} if row.record is None else row.record.extra for row in rows]
    tokens = sorted({name for extra in extras for name in extra if name.startswith("usage.")})
    builder.add(
        range(len(rows)),
        {name: [_value(row, name) for row in rows] for name in names},
        {name: [extra.get(name) for extra in extras] for name in tokens},
    )
    costs = [name for name in COSTS if any(name in row.costs for row in rows)]
    frame = (
        builder.finish()
        .set_index(given.index)
        .assign(
            **{name: pd.array([row.costs.get(name) for row in rows], dtype="float64") for name in costs},
            edited=pd.array([row.edited for row in rows], dtype=text_type()),
            id=id_values([None if row.record is None else row.record.id for row in rows]),
            status=pd.Categorical([row.status or None for row in rows], categories=STATUSES),
            error=pd.array([row.error for row in rows], dtype=text_type()),
            seconds=pd.array([row.seconds for row in rows], dtype="float64"),
        )
    )
    carried = [name for name in given.columns if name not in {*names, *ENDING, *costs, *tokens}]
    frame[carried] = given[carried]
    first = [name for name in given.columns if name in names or name in carried]
    return frame[[*first, *(name for name in names if name not in first), *costs, *tokens, *ENDING]]


def id_values(ids: Sequence[Any]) -> Any:
    """Return ids as a column: integers within int64, or texts if any of them is something else."""
    if fit_int64(id for id in ids if id is not None):
        return pd.array(ids, dtype="Int64")
    return pd.array([None if id is None else str(id) for id in ids], dtype=text_type())


def id_of(value: Any) -> int | str | None:
    """Return an id of a column that may have missing ones, which turn integers into floats."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int | str) and value != "" else None


def _value(row: Row, name: str) -> Any:
    shown = None if row.record is None else getattr(row.record, name)
    if shown is None and name in row.fields:
        return float(row.fields[name]) if name == "creativity" else row.fields[name]
    return shown


def missing_words(rows: Iterable[Row]) -> str:
    """Return how many rows have no record, such as ``, 3 not created, 1 unknown``; empty if all have one."""
    words = ["unknown" if row.status == "unknown" else "not created" for row in rows if row.record is None]
    return "".join(f", {words.count(word)} {word}" for word in sorted({*words}))


def row_by_row(
    act: Callable[[Any], Any],
    given: Iterable[Any],
    width: int,
    words: str,
    unit: str,
    progress: bool | None = None,
) -> list[Row]:
    """Run a request for each value with a progress bar, and return their rows; an error ends its own row only.

    If the next requests would fail too, nothing more is sent. An interrupt waits for requests in flight, so
    that the outcome of each is known.

    Args:
        act: Sends the request about a value, in any thread, and returns what its row has as a record.
        given: The values.
        width: The most requests in flight.
        words: The label of the progress bar.
        unit: The unit of the progress bar.
        progress: Whether to show a progress bar; None uses the environment.
    """
    rows, rule = [Row(each) for each in given], StopRule()

    def send(row: Row) -> None:
        if rule.reason is not None:
            row.error, row.cause = rule.words, rule.reason
            return
        began = time.monotonic()
        try:
            row.record = act(row.label)
        except InkframeError as error:
            row.error, row.cause = first_line(error), error
        row.seconds = time.monotonic() - began
        rule.note(row.cause)

    with progress_bar(progress if rows else False, len(rows), words, unit) as bar:
        run_rows(send, rows, min(width, IN_FLIGHT), bar.update)
    return rows


def run_rows(
    work: Callable[[Row], object],
    rows: Sequence[Row],
    width: int,
    counted: Callable[[], Any] = lambda: None,
    scope: CancelScope | None = None,
    *,
    drain: bool = True,
) -> None:
    """Call a function with each row, several at once; those that are under way at an interrupt are awaited.

    Args:
        work: The function; it runs on this thread if the width is 1.
        rows: The rows.
        width: How many at once.
        counted: Called on this thread after each row.
        scope: What cancels the requests.
        drain: Whether those under way are awaited.
    """
    pool = WorkerPool(work, width, scope, drain=drain)
    with closing(pool.run(rows) if width == 1 else pool.completed(rows)) as ended:
        for _ in ended:
            counted()


class StopRule:
    """Decides when a run ends: at once for the key, a quota or the address; later for permission and network.

    Args:
        creates: Whether the requests are creates, whose 404 concerns the collection and not a record.

    Attributes:
        reason: The error that ended the run.
    """

    def __init__(self, *, creates: bool = False) -> None:
        self.reason: InkframeError | None = None
        self._ending = (AuthenticationError, NotFound) if creates else AuthenticationError
        self._last_kinds = deque[str](maxlen=IN_A_ROW)

    def note(self, error: InkframeError | None) -> None:
        """Take over the outcome of a request: its error, or None."""
        cause = error.__cause__ if isinstance(error, OutcomeUnknown) else error
        kind = _kind(cause)
        self._last_kinds.append(kind)
        is_in_a_row = kind != "" and self._last_kinds.count(kind) == IN_A_ROW
        is_unpaid = getattr(cause, "status", None) == PAYMENT_REQUIRED
        if is_unpaid or isinstance(cause, self._ending) or is_in_a_row:
            self.reason = self.reason or error

    @property
    def words(self) -> str:
        """Why a request was not sent."""
        return f"not sent, after: {first_line(self.reason)}"


def _kind(error: BaseException | None) -> str:
    """Return what is equal for errors of one cause; empty for other outcomes."""
    if isinstance(error, PermissionDenied):
        return f"403 {error.message}"
    return "connection" if isinstance(error, ConnectionFailed | DeadlineExceeded) else ""


def first_line(error: BaseException | None) -> str:
    """Return the first two lines of an error as one."""
    return " ".join(str(error).split("\n")[:2])
