"""Rows to be created: read and checked together, and returned with the status of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from inkframe.creating.stop_rule import first_line
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.replies.operation import COSTS
from inkframe.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

    from inkframe.frames import FrameBuilder

__all__ = ["Row", "outcomes", "read_rows"]

#: Columns of plans and earlier batches that are never sent.
CARRIED: Final = frozenset(
    {"repeat", "prompt_template", "edited", "id", "status", "error", "seconds", *COSTS}
)
#: The last columns of the result of a batch.
ENDING: Final = ("edited", "id", "status", "error", "seconds")
STATUSES: Final = ("created", "existing", "pending", "failed", "unknown", "skipped")


@dataclass(slots=True)
class Row:
    """One create of a batch and its outcome.

    Args:
        label: Its label in the given index.
        fields: The fields to send.
        repeat: The number among rows with the same content.

    Attributes:
        identity: The hash that identifies equal rows.
        status: The status; empty before the create.
        record: The record.
        error: The error in one line.
        cause: The error as raised.
        sent: The time of the request of this run, in seconds since 1970.
        seconds: The duration.
        costs: What the service reported that it cost, by column.
        edited: The fields of an existing record that were edited since it was created.
    """

    label: Any
    fields: dict[str, Any]
    repeat: int = 1
    identity: str = ""
    status: str = ""
    record: Any = None
    error: str | None = None
    cause: InkframeError | None = None
    sent: float | None = None
    seconds: float | None = None
    edited: str | None = None
    costs: Mapping[str, float] = field(default_factory=dict)


def read_rows(
    given: pd.DataFrame | Iterable[Mapping[str, Any]],
    check: Callable[[Mapping[str, Any]], dict[str, Any]],
    allowed: Sequence[str],
    columns: Iterable[str],
) -> tuple[list[Row], pd.DataFrame]:
    """Read and check rows; nothing is sent if any of them is invalid.

    Args:
        given: A DataFrame, a plan, or mappings.
        check: Checks the fields of a create and returns those to send.
        allowed: The fields of a create.
        columns: Columns of records, which are allowed but not sent.

    Raises:
        InvalidArgument: A column is a misspelled field, or a value is not allowed; the message has the row.
    """
    import pandas as pd

    frame = given if isinstance(given, pd.DataFrame) else pd.DataFrame(_mappings(given), dtype=object)
    _refuse_misspelled(frame.columns, allowed, {*columns, *CARRIED})
    values = {
        str(name): frame[name].astype(object).where(frame[name].notna(), None).tolist()
        for name in frame.columns
    }
    rows: list[Row] = []
    problems: list[str] = []
    for position, label in enumerate(frame.index):
        row = {name: column[position] for name, column in values.items()}
        try:
            fields = check({name: row[name] for name in allowed if row.get(name) is not None})
            repeat = int(row.get("repeat") or 1)
        except (InkframeError, TypeError, ValueError) as error:
            problems.append(f"row {label!r}: {first_line(error)}")
            continue
        rows.append(Row(label, fields, repeat))
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        raise InvalidArgument(f"{problems[0]}{more}\nNothing was sent. Fix or drop these rows.")
    return rows, frame


def _mappings(given: Any) -> list[dict[Any, Any]]:
    what = type(given).__name__
    if not isinstance(given, (str, Mapping)) and isinstance(given, Iterable):
        try:
            return [dict(row) for row in given]
        except (TypeError, ValueError):
            what = f"a {what} of other values"
    raise InvalidArgument(
        f"rows must be a DataFrame or a list of mappings, got {what}.\n"
        'Nothing was sent. Pass rows such as [{"name": "…"}], or a plan.'
    )


def _refuse_misspelled(columns: Iterable[Any], allowed: Sequence[str], carried: set[str]) -> None:
    present = {str(column) for column in columns}
    for name in map(str, columns):
        if name in allowed or name in carried:
            continue
        # Fields that are present are not candidates: `number` may be a column beside `name`.
        close = nearest(name, [field for field in allowed if field not in present])
        if close is not None and len(name) > 3:
            raise InvalidArgument(
                f"The column {name!r} looks like the field {close!r}.\n"
                f"Nothing was sent. Rename it to {close!r}, or to another name if it is not a field."
            )


def outcomes(rows: Sequence[Row], given: pd.DataFrame, builder: FrameBuilder) -> pd.DataFrame:
    """Return the rows as a frame: the given columns, the fields of the records, then status and error."""
    import pandas as pd

    names = builder.columns
    builder.add(range(len(rows)), {name: [_value(row, name) for row in rows] for name in names}, {})
    frame = builder.finish().set_index(given.index)
    costs = [name for name in COSTS if any(name in row.costs for row in rows)]
    carried = [
        name for name in given.columns if name not in names and name not in ENDING and name not in costs
    ]
    for name in carried:
        frame[name] = given[name]
    ids: list[Any] = [None if row.record is None else row.record.id for row in rows]
    if all(id is None or isinstance(id, int) for id in ids):
        frame["id"] = pd.array(ids, dtype="Int64")
    else:
        frame["id"] = pd.array([None if id is None else str(id) for id in ids], dtype="str")
    for name in costs:
        frame[name] = pd.array([row.costs.get(name) for row in rows], dtype="float64")
    frame["edited"] = pd.array([row.edited for row in rows], dtype="str")
    frame["status"] = pd.Categorical([row.status or None for row in rows], categories=STATUSES)
    frame["error"] = pd.array([row.error for row in rows], dtype="str")
    frame["seconds"] = pd.array([row.seconds for row in rows], dtype="float64")
    first = [name for name in given.columns if name in names or name in carried]
    return frame[[*first, *(name for name in names if name not in first), *costs, *ENDING]]


def _value(row: Row, name: str) -> Any:
    shown = None if row.record is None else getattr(row.record, name)
    if shown is None and name in row.fields:
        return float(row.fields[name]) if name == "creativity" else row.fields[name]
    return shown
