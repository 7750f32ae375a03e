"""Records as columns, with each value parsed by its type."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import UnexpectedReply
from inkframe.http.body import is_base64_picture
from inkframe.replies.envelopes import id_name, linked_id
from inkframe.replies.field_mapping import field_mapping
from inkframe.replies.picture_location import location_at, picture_name, resolve
from inkframe.replies.record_reply import shape_of
from inkframe.replies.values import READERS, read_id, read_text
from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inkframe.http.address import Address
    from inkframe.replies.dialect import Dialect
    from inkframe.replies.vocabulary_decoder import VocabularyDecoder
    from inkframe.schema import ResourceSpec

__all__ = ["Columns", "read_columns", "refuse_blank"]

#: The columns of frames that records do not have: the index, and labels from the vocabulary.
OURS: Final = frozenset(
    {"id", *(field.name for spec in RESOURCES.values() for field in spec.fields if field.type == "label")}
)
#: Empty values.
EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})


@dataclass(slots=True)
class Columns:
    """Records as columns of plain values.

    Args:
        ids: The id of each record.
        known: The values of each column of the collection.
        extra: The additional columns of the service, by their names.
        absent: The columns of the collection that the service does not send.
    """

    ids: list[int | str]
    known: dict[str, list[Any]]
    extra: dict[str, list[Any]]
    absent: tuple[str, ...] = ()

    def take(self, rows: Sequence[int]) -> Columns:
        """Return the records at the given positions."""
        known = {name: [values[row] for row in rows] for name, values in self.known.items()}
        extra = {name: [values[row] for row in rows] for name, values in self.extra.items()}
        return Columns([self.ids[row] for row in rows], known, extra, self.absent)


def read_columns(
    records: Sequence[dict[str, Any]],
    spec: ResourceSpec,
    dialect: Dialect,
    labels: VocabularyDecoder,
    address: Address | None = None,
) -> Columns:
    """Parse records into columns.

    Args:
        records: The records as JSON objects, with their fields at the top level.
        spec: The collection.
        dialect: The response format, updated with the keys of id, picture and times.
        labels: Parses values of the vocabulary.
        address: The base of relative picture locations; None leaves them unchanged.

    Raises:
        UnexpectedReply: A record has no id.
    """
    if not records:
        return Columns([], {column: [] for column in spec.shown}, {})
    ids = _read_ids(records, spec, dialect)
    layout = field_mapping(
        spec, frozenset().union(*records), created=dialect.created_name, updated=dialect.updated_name
    )
    dialect.learn(
        created_name=layout.columns.get("created_at"), updated_name=layout.columns.get("updated_at")
    )
    columns = dict(layout.columns)
    known: dict[str, list[Any]] = {}
    extra: dict[str, list[Any]] = {}
    for column, field in spec.shown.items():
        if field.type == "picture":
            taken = frozenset([*layout.columns.values(), dialect.id_name or "id"])
            if name := picture_name(records, spec, dialect, taken, address):
                columns[column] = name
                known[column] = [_address_at(record, name, dialect, address) for record in records]
                continue
        if column not in columns:
            known[column] = [None] * len(records)
            continue
        values = _values(records, columns[column])
        known[column] = found = labels.read(column, values, READERS[field.type])
        if None in found and (unread := _unread(values, found)):
            extra[f"service.{columns[column]}"] = unread
    dialect.learn_keys(columns)
    ids_at = {dialect.id_name, "id" if "id_name" in dialect.pinned else None}
    if rest := layout.rest - ids_at - {columns.get("picture_url")}:
        extra |= _extra(records, rest, spec)
    return Columns(ids, known, extra, tuple(column for column in spec.shown if column not in columns))


def refuse_blank(records: Sequence[dict[str, Any]], columns: Columns, spec: ResourceSpec) -> None:
    """Raise UnexpectedReply for records with keys of which none can be read."""
    if len(columns.absent) == len(spec.shown) and columns.extra:
        keys = [str(key)[:30] for key in records[0]]
        shown = ", ".join(keys[:12]) + (", …" if len(keys) > 12 else "")
        raise UnexpectedReply(
            f"The reply has no field of {spec.name}; its keys are {shown}.\n"
            "Check base_url: it may be the address of another service."
        )


def _values(records: Sequence[dict[str, Any]], name: str) -> list[Any]:
    try:
        return list(map(itemgetter(name), records))
    except KeyError:
        return [record.get(name) for record in records]


def _read_ids(records: Sequence[dict[str, Any]], spec: ResourceSpec, dialect: Dialect) -> list[int | str]:
    name = dialect.id_name
    if name is None or name not in records[0]:
        name = id_name(records[0], spec)
        dialect.learn(id_name=name)
        name = name and (dialect.id_name or name)
    values: list[Any] = _values(records, name) if name else [None] * len(records)
    if set(map(type, values)) == {int}:
        return values
    ids: list[int | str] = []
    for value, record in zip(values, records, strict=True):
        linked = linked_id(value, spec)
        id = read_id(value) if linked is None else linked
        if id is None:
            raise UnexpectedReply(
                f"A record of {spec.name} has no id: {shape_of(record)}.\n"
                f"Pin the key of the id: client.{spec.name}.dialect = ink.Dialect(id_name=…)."
            )
        ids.append(id)
    return ids


def _unread(values: Sequence[Any], found: Sequence[Any]) -> list[Any] | None:
    """Return the values that could not be parsed; None if there are none."""
    unread = [
        read_text(raw) if value is None and raw not in EMPTY and raw == raw else None  # noqa: PLR0124  # NaN
        for raw, value in zip(values, found, strict=True)
    ]
    return unread if any(value is not None for value in unread) else None


def _address_at(record: dict[str, Any], name: str, dialect: Dialect, address: Address | None) -> str | None:
    value = location_at(record, name, dialect)
    if value is None or value.startswith("data:") or is_base64_picture(value):
        # Frames never contain the pictures themselves.
        return None
    return resolve(value, address)


def _extra(
    records: Sequence[dict[str, Any]], names: frozenset[str | None], spec: ResourceSpec
) -> dict[str, list[Any]]:
    extra: dict[str, list[Any]] = {}
    for row, record in enumerate(records):
        for name, value in _leaves(record, names):
            if name in spec.shown or name in OURS:
                name = f"service.{name}"  # noqa: PLW2901  # columns of the collection keep their names
            column = extra.get(name)
            if column is None:
                column = extra[name] = [None] * len(records)
            column[row] = value
    return extra


def _leaves(
    record: dict[str, Any], names: frozenset[str | None], prefix: str = ""
) -> Iterable[tuple[str, Any]]:
    for name, value in record.items():
        if not prefix and name not in names:
            continue
        dotted = f"{prefix}{name}"
        if isinstance(value, dict) and value and prefix.count(".") < 4:
            yield from _leaves(value, names, f"{dotted}.")
        elif isinstance(value, str) and (value.startswith("data:image/") or is_base64_picture(value)):
            continue
        else:
            yield dotted, read_text(value) if isinstance(value, dict | list) else value
