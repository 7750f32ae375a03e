"""Records from replies: found by shape, named by what is there, each value read by its type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from inkframe.errors import UnexpectedReply
from inkframe.wire.fields import ID_NAMES
from inkframe.wire.values import is_base64_picture, read_id, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inkframe.wire.address import Address
    from inkframe.wire.dialect import Dialect
    from inkframe.wire.fields import Kind

__all__ = ["Columns", "find_record", "flatten", "is_rounded", "read_columns", "shape_of"]

#: Keys under which services wrap a single record.
WRAPPERS: Final = ("data", "result", "item", "record", "response", "payload", "value", "attributes")
#: Columns whose name on the service is remembered, by the dialect's field for it.
LEARNED: Final = {"picture_url": "picture_name", "created_at": "created_name", "updated_at": "updated_name"}
#: Parts of a record that describe the reply and not the record.
PLUMBING: Final = frozenset({"_links", "links", "relationships", "@odata.id", "@odata.etag", "_embedded"})


@dataclass(slots=True)
class Columns:
    """Records as columns of plain values.

    Args:
        ids: The id of each record.
        known: The values of each column of the collection that the service shows.
        extra: Whatever else the service sent, by its own name.
        absent: The columns of the collection that the service does not show.
    """

    ids: list[int | str]
    known: dict[str, list[Any]]
    extra: dict[str, list[Any]]
    absent: tuple[str, ...] = ()

    def take(self, rows: Sequence[int]) -> Columns:
        """Give the records at the given positions."""
        known = {name: [values[row] for row in rows] for name, values in self.known.items()}
        extra = {name: [values[row] for row in rows] for name, values in self.extra.items()}
        return Columns([self.ids[row] for row in rows], known, extra, self.absent)


def find_record(value: Any, kind: Kind, dialect: Dialect) -> dict[str, Any]:
    """Find the single record in a reply, bare or wrapped.

    Raises:
        UnexpectedReply: There is none; says which keys and types came instead.
    """
    if dialect.record_at is not None:
        found = value
        for key in dialect.record_at:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, dict) and _is_record(found, kind):
            return flatten(found)
    others = ((key,) for key in value if isinstance(value[key], dict)) if isinstance(value, dict) else ()
    for path, candidate in [*_candidates(value, kind), *((path, value[path[0]]) for path in others)]:
        if _is_record(candidate, kind):
            dialect.learn(record_at=path)
            return flatten(candidate)
    raise UnexpectedReply(
        f"The reply holds no {kind.noun}: {shape_of(value)}.\n"
        f"Check the base URL, or pin where it stands: client.{kind.resource}.dialect."
    )


def _candidates(
    value: Any, kind: Kind, path: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], dict[str, Any]]]:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        return
    yield path, value
    if len(path) < 2:
        for key in (*WRAPPERS, kind.noun, kind.resource):
            if key in value:
                yield from _candidates(value[key], kind, (*path, key))


def _is_record(value: dict[str, Any], kind: Kind) -> bool:
    if isinstance(value.get("attributes"), dict):
        value = flatten(value)
    if _id_name(value, kind) is None:
        return False
    own = sum(column in value for column in kind.readers)
    # An id alone will do where nothing but plain values stands beside it.
    return own > 0 or not any(isinstance(inner, dict | list) for inner in value.values())


def flatten(record: dict[str, Any]) -> dict[str, Any]:
    """Give the record with JSON:API's attributes lifted beside its id."""
    attributes = record.get("attributes")
    if not isinstance(attributes, dict):
        return record
    outer = {k: v for k, v in record.items() if k not in {"attributes", "type"} and k not in PLUMBING}
    return {**attributes, **outer}


def _id_name(record: dict[str, Any], kind: Kind) -> str | None:
    for name in (*ID_NAMES, f"{kind.noun}_id", f"{kind.noun}Id"):
        if name in record and (read_id(record[name]) is not None or type(record[name]) is float):
            return name
    return None


def is_rounded(record: dict[str, Any], kind: Kind) -> bool:
    """Whether a record's id was a whole number beyond 64 bits, which the quick reader of JSON rounds."""
    name = _id_name(record, kind)
    return name is not None and type(record[name]) is float


def read_columns(
    records: Sequence[dict[str, Any]], kind: Kind, dialect: Dialect, address: Address | None = None
) -> Columns:
    """Read records into columns.

    Args:
        records: The records as JSON objects, flattened.
        kind: The collection.
        dialect: What is known of it; learns the names of id, picture and times.
        address: Resolves picture locations; None leaves them as the service wrote them.

    Raises:
        UnexpectedReply: A record has no id.
    """
    if not records:
        return Columns([], {column: [] for column in kind.readers}, {})
    first = records[0]
    ids = _read_ids(records, kind, dialect)
    used = {dialect.id_name}
    known: dict[str, list[Any]] = {}
    absent: list[str] = []
    for column, read in kind.readers.items():
        name = _name_of(column, records, first, kind, dialect)
        if name is None:
            absent.append(column)
            known[column] = [None] * len(records)
            continue
        used.add(name)
        values = [record.get(name) for record in records]
        if column == "picture_url":
            known[column] = [_location(value, address) for value in values]
        elif read is read_text and all(type(value) is str for value in values):
            known[column] = values
        else:
            known[column] = [None if value is None else read(value) for value in values]
    return Columns(ids, known, _extra(records, used, kind), tuple(absent))


def _read_ids(records: Sequence[dict[str, Any]], kind: Kind, dialect: Dialect) -> list[int | str]:
    name = dialect.id_name
    if name is None or name not in records[0]:
        name = _id_name(records[0], kind)
        dialect.learn(id_name=name)
        name = name and (dialect.id_name or name)
    ids: list[int | str] = []
    for record in records:
        id = read_id(record.get(name)) if name else None
        if id is None:
            raise UnexpectedReply(
                f"A record of {kind.resource} has no id: {shape_of(record)}.\n"
                f"Pin its name: client.{kind.resource}.dialect = ink.Dialect(id_name=…)."
            )
        ids.append(id)
    return ids


def _name_of(
    column: str, records: Sequence[dict[str, Any]], first: dict[str, Any], kind: Kind, dialect: Dialect
) -> str | None:
    fact = LEARNED.get(column)
    if fact and (learned := getattr(dialect, fact)) and learned in first:
        return str(learned)
    for name in kind.candidates(column):
        # Services may leave out a field that is null: the first record does not speak for all.
        if name in first or any(name in record for record in records):
            if column == "picture_url" and not any(_is_location(record.get(name)) for record in records):
                continue
            if fact:
                dialect.learn(**{fact: name})
            return name
    return None


def _is_location(value: Any) -> bool:
    value = _inner_location(value)
    if not isinstance(value, str) or not value:
        return False
    if value.startswith(("http://", "https://", "/", "data:")) or is_base64_picture(value):
        return True
    return bool(re.fullmatch(r"[^\s{}<>]+[./][^\s{}<>]+", value))


def _inner_location(value: Any) -> Any:
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        value = next((value[k] for k in ("url", "src", "href", "path", "original") if value.get(k)), None)
    return value


def picture_source(
    record: dict[str, Any], kind: Kind, dialect: Dialect, address: Address | None
) -> str | None:
    """Give where a record's picture is: an address, a path, a data URI, or base64."""
    name = _name_of("picture_url", [record], record, kind, dialect)
    value = _inner_location(record.get(name)) if name else None
    return _resolve(value, address) if isinstance(value, str) and value else None


def _location(value: Any, address: Address | None) -> str | None:
    value = _inner_location(value)
    if not isinstance(value, str) or not value or value.startswith("data:") or is_base64_picture(value):
        # Pictures themselves never enter a frame.
        return None
    return _resolve(value, address)


def _resolve(value: str, address: Address | None) -> str:
    if address is None or value.startswith(("http://", "https://", "data:")) or is_base64_picture(value):
        return value
    if value.startswith("/") and not value.startswith("//"):
        return address.origin + value
    try:
        return urljoin(f"{address.base_url}/", value)
    except ValueError:
        return value


def _extra(records: Sequence[dict[str, Any]], used: set[str | None], kind: Kind) -> dict[str, list[Any]]:
    names = records[0].keys() - used
    if all(record.keys() <= used for record in records) and not names:
        return {}
    extra: dict[str, list[Any]] = {}
    for row, record in enumerate(records):
        for name, value in _leaves(record, used):
            if name in kind.readers or name in {"id", "template"}:
                name = f"service.{name}"  # noqa: PLW2901  # a column of ours keeps its name
            column = extra.get(name)
            if column is None:
                column = extra[name] = [None] * len(records)
            column[row] = value
    return extra


def _leaves(record: dict[str, Any], used: set[str | None], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in record.items():
        if not prefix and (name in used or name in PLUMBING):
            continue
        dotted = f"{prefix}{name}"
        if isinstance(value, dict) and value and prefix.count(".") < 4:
            yield from _leaves(value, used, f"{dotted}.")
        elif isinstance(value, str) and (value.startswith("data:image/") or is_base64_picture(value)):
            continue
        else:
            yield dotted, read_text(value) if isinstance(value, dict | list) else value


def shape_of(value: Any, depth: int = 0) -> str:
    """Describe JSON by keys and types, without any value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "text"
        case list():
            return f"list of {len(value)}" + (
                f" ({shape_of(value[0], depth + 1)})" if value and depth < 2 else ""
            )
        case dict():
            if depth >= 2:
                return f"object of {len(value)}"
            shown = [f"{str(k)[:30]}: {shape_of(v, depth + 1)}" for k, v in list(value.items())[:8]]
            return "{" + ", ".join(shown) + (", …" if len(value) > 8 else "") + "}"
        case _:
            return type(value).__name__
