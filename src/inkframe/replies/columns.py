"""Records as columns, with each value parsed by its type."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import UnexpectedReply
from inkframe.http.body import FARTHEST, is_base64_picture, walk
from inkframe.replies.dialect import NAMES, REPLY_PARTS, Dialect
from inkframe.replies.layout import id_name
from inkframe.replies.list_reply import ListReply, shape_of
from inkframe.replies.record import Record, location_at, picture_name, resolve
from inkframe.replies.values import (
    READERS,
    Reader,
    fold,
    has_zone,
    is_named_utc,
    linked_id,
    nested_key,
    only,
    read_each,
    read_id,
    read_text,
    read_time,
)
from inkframe.schema import DEFAULT_SIZE, RESOURCES, FieldType, ResourceSpec

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from inkframe.http.address import Address
    from inkframe.vocabulary import Vocabulary

__all__ = ["Columns", "Page", "RoundedId", "VocabularyDecoder", "read_columns", "refuse_blank"]

#: The columns of frames that records do not have: the index, and labels from the vocabulary.
OURS: Final = frozenset(
    {"id", *(field.name for spec in RESOURCES.values() for field in spec.fields if field.type == "label")}
)
#: Empty values.
EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
#: The keys of a value in objects, the most likely first.
KEYS: Final = ("code", "value", "slug", "name", "label", "title")
#: The most cells of additional columns, most of them empty where each record has other keys.
MOST_CELLS: Final = 10_000_000
#: The integers beyond 64 bits.
LARGEST: Final = 2**63
#: Locations of pictures whatever their key is called: an address, or a path that is no JPEG in base64.
ADDRESS: Final = ("https://", "http://")
PLAIN: Final = re.compile(r"/(?!/|9j/)\S{0,4000}")


class RoundedId(Exception):
    """An id was an integer beyond 64 bits, which orjson rounds to a float."""


@dataclass(slots=True)
class Columns:
    """Records as columns of plain values.

    Args:
        ids: The id of each record.
        known: The values of each column of the collection.
        extra: The additional columns of the service, by their names.
        absent: The columns of the collection that the service does not send.
        assumed: The times without a zone, which are read as UTC.
    """

    ids: list[int | str]
    known: dict[str, list[Any]]
    extra: dict[str, list[Any]]
    absent: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def order_keys(self) -> list[Any]:
        """What tells the order of the records: ids that are numbers, else the times of all of them, else nothing."""
        if {int}.issuperset(map(type, self.ids)):
            return self.ids
        times = self.known["created_at"]
        return [] if None in times else times

    def record(self, row: int) -> Record:
        """Return one of the records, with what the list shows of it."""
        known = {name: values[row] for name, values in self.known.items()}
        extra = {name: values[row] for name, values in self.extra.items()}
        return Record(self.ids[row], known, extra, known.get("picture_url"), absent=frozenset(self.absent))

    def select(self, rows: Sequence[int]) -> Columns:
        """Return the records at the given positions, each given once; the columns themselves for all of them."""
        if len(rows) == len(self.ids):
            return self
        known = {name: [values[row] for row in rows] for name, values in self.known.items()}
        extra = {name: [values[row] for row in rows] for name, values in self.extra.items()}
        return Columns([self.ids[row] for row in rows], known, extra, self.absent, self.assumed)


@dataclass(slots=True)
class Page:
    """One page of a collection.

    Args:
        reply: The page and its description by the service.
        columns: Its records.
        asked: The parameters that were sent.
        headers: The headers of the reply.
        claimed: The total that the reply reports, even if it is not the number of records of the list.
        is_doubtful: Whether its total may be only the number of records on this page, or another page may follow.
        is_linked: Whether it was requested by the unchanged parameters of a link.
    """

    reply: ListReply
    columns: Columns
    asked: dict[str, str]
    headers: Mapping[str, str]
    claimed: int | None = None
    is_doubtful: bool = False
    is_linked: bool = False

    @property
    def asked_size(self) -> int:
        """The requested number of records."""
        return int(self.asked.get("per_page", DEFAULT_SIZE))

    @property
    def size(self) -> int:
        """The number of records on a page, judged by this one."""
        return self.reply.size or len(self.columns.ids)

    @property
    def says_more(self) -> bool:
        """Whether a first page reports that another follows."""
        reply = self.reply
        is_counted = (reply.total or 0) > len(self.columns.ids) or (reply.last_page or 0) > 1
        return bool(reply.more or reply.next is not None or is_counted)

    def emptied(self) -> Page:
        """Return a page past the end of the same list."""
        return Page(
            ListReply([], self.reply.total, self.reply.last_page),
            self.columns.select([]),
            self.asked,
            self.headers,
        )


def read_columns(
    records: Sequence[dict[str, Any]],
    spec: ResourceSpec,
    dialect: Dialect,
    labels: VocabularyDecoder,
    address: Address | None = None,
    unset: Collection[str] = (),
) -> Columns:
    """Parse records into columns.

    Args:
        records: The records as JSON objects, with their fields at the top level.
        spec: The collection.
        dialect: The response format, updated with the keys of id, picture and times.
        labels: Parses values of the vocabulary.
        address: The base of relative picture locations; None leaves them unchanged.
        unset: The booleans that are known to be false where a record leaves them out.

    Raises:
        UnexpectedReply: A record has no id.
    """
    if not records:
        return Columns([], {column: [] for column in spec.shown}, {})
    cells = _Cells(records)
    ids = _read_ids(records, cells, spec, dialect)
    columns = _keys_of_columns(records, cells, spec, dialect, address)
    known: dict[str, list[Any]] = {}
    extra: dict[str, list[Any]] = {}
    assumed: list[str] = []
    for column, field in spec.shown.items():
        if column not in columns:
            known[column] = [None] * len(records)
            continue
        key = columns[column]
        if field.type == "picture":
            known[column] = _locations(cells, key, dialect, address)
            continue
        values = cells[key]
        is_plain = field.type == "time" and not str(values[0]).endswith("Z")
        if is_plain and _certainty(dialect.paths.get(column, key), values) == 1:
            assumed.append(column)
        known[column] = found = labels.read(column, values, READERS[field.type])
        if found is values:
            continue  # the usual format
        if field.type == "text" or (None in found and found.count(None) > values.count(None)):
            unread = [_unread(key, field.type, *each) for each in zip(values, found, strict=True)]
            extra |= _extra(unread, frozenset([key, f"service.{key}"]), spec)
    dialect.learn_keys(columns)
    false = _fill_false(cells, spec, dialect, columns, known, unset)
    if rest := {*cells.names} - {dialect.id_key, *columns.values()} - REPLY_PARTS:
        extra |= _extra(records, frozenset(rest), spec)
    dialect.learn_unused("records", extra)
    absent = tuple(column for column in spec.shown if column not in columns and column not in false)
    return Columns(ids, known, extra, absent, tuple(assumed))


class _Cells(dict[str, list[Any]]):
    """The values of records by their keys, read together where all records have the same keys.

    Args:
        records: The records; at least one.
    """

    def __init__(self, records: Sequence[dict[str, Any]]) -> None:
        self.records = records
        first = records[0]
        if len(records) == 1:
            self.update((name, [value]) for name, value in first.items())
        elif len(first) > 1 and set(map(len, records)) == {len(first)}:
            with suppress(KeyError):
                rows = map(itemgetter(*first), records)
                self.update(zip(first, map(list, zip(*rows, strict=True)), strict=True))
        self.names = tuple(first) if self else tuple(dict.fromkeys(key for each in records for key in each))

    def __missing__(self, name: str) -> list[Any]:
        """Return the values of a key that some records leave out, with None for those."""
        return [record.get(name) for record in self.records]


def _keys_of_columns(
    records: Sequence[dict[str, Any]],
    cells: _Cells,
    spec: ResourceSpec,
    dialect: Dialect,
    address: Address | None,
) -> dict[str, str]:
    """Return the key of each column; of several for a time, the first whose values are the most certain."""
    roles = NAMES[spec.name].of(cells.names)
    columns = {**roles.columns}
    for name in [name for name in columns if len(roles[name]) > 1 and name not in dialect.paths]:
        is_time, read = spec.shown[name].type == "time", READERS[spec.shown[name].type]
        fits = {
            key: sum(read(value) is not None for value in cells[key] if value not in EMPTY)
            for key in roles[name]
        }
        columns[name] = max(fits, key=lambda key: (is_time and _certainty(key, cells[key]), fits[key]))
    dialect.learn(created_name=columns.get("created_at"), updated_name=columns.get("updated_at"))
    if spec.has_picture and (place := picture_name(records, spec, dialect, address)):
        columns[spec.generated] = place
    return columns


def _locations(cells: _Cells, name: str, dialect: Dialect, address: Address | None) -> list[Any]:
    """Return the location of each picture under a key, dotted if nested."""
    start = "" if address is None else address.origin
    return [
        value
        if isinstance(value, str) and value.startswith(ADDRESS)
        else start + value
        if isinstance(value, str) and PLAIN.fullmatch(value)
        else _address_at(record, name, dialect, address)
        for record, value in zip(cells.records, cells[name], strict=True)
    ]


def _certainty(name: str, values: Sequence[Any]) -> int:
    """Return 2 for times with a zone, by the name or the first value, 1 for times without, 0 for no times."""
    first = next((value for value in values if value not in EMPTY), None)
    return (
        2
        if has_zone(first) or (read_time(first) and is_named_utc(name))
        else int(read_time(first) is not None)
    )


def _unread(key: str, kind: FieldType, value: Any, read: Any) -> dict[str, Any]:
    """Return what was not read of a value, under its key: the other forms of a text, or a value of another kind."""
    if kind == "text" and isinstance(value, dict):
        rest = {name: inner for name, inner in value.items() if name != nested_key(value)}
        return {key: rest} if rest else {}
    is_lost = read is None and value not in EMPTY and value == value  # noqa: PLR0124  # NaN
    return {f"service.{key}": read_text(value)} if is_lost else {}


def _fill_false(
    cells: _Cells,
    spec: ResourceSpec,
    dialect: Dialect,
    columns: Mapping[str, str],
    known: dict[str, list[Any]],
    unset: Collection[str],
) -> set[str]:
    """Fill in booleans that records leave out because they are false; return their names.

    A service that shows a boolean on some records and leaves it out on one that is certainly false leaves it
    out for that reason. Without such a record, one that is left out is unknown.
    """
    rows = {
        name: [row for row, record in enumerate(cells.records) if columns.get(name) not in record]
        for name in spec.booleans
        if columns and columns.get(name) not in cells
    }
    if any(found and name in unset and dialect.shows(name) for name, found in rows.items()):
        dialect.learn(omits_false=True)
    filled = {name for name, found in rows.items() if found and (name in unset or dialect.omits_false)}
    for column in filled:
        known[column] = [False if row in rows[column] else each for row, each in enumerate(known[column])]
    return filled


def refuse_blank(records: Sequence[dict[str, Any]], columns: Columns, spec: ResourceSpec) -> None:
    """Raise UnexpectedReply for records with keys of which none can be read."""
    if len(columns.absent) == len(spec.shown) and columns.extra:
        raise UnexpectedReply(
            f"The reply has no field of {spec.name}, got {shape_of(records[0])}.\n"
            "Check base_url: it may be the address of another service."
        )


def _read_ids(
    records: Sequence[dict[str, Any]], cells: _Cells, spec: ResourceSpec, dialect: Dialect
) -> list[int | str]:
    name: str | None = dialect.id_key
    if dialect.id_name is None or name not in records[0]:
        name = id_name(records[0], spec)
        dialect.learn(id_name=name)
    values: list[Any] = cells[name] if name else [None] * len(records)
    if set(map(type, values)) == {int}:
        return values
    ids = [read_id(value) if (linked := linked_id(value, spec)) is None else linked for value in values]
    if None in ids:
        if isinstance(value := values[ids.index(None)], float) and abs(value) >= LARGEST:
            raise RoundedId
        raise UnexpectedReply(
            f"A record of {spec.name} has no id: {shape_of(records[ids.index(None)])}.\n"
            f"Pin the key of the id if there is one: client.{spec.name}.dialect = ink.Dialect(id_name=…)."
        )
    return [id for id in ids if id is not None]


def _address_at(record: dict[str, Any], name: str, dialect: Dialect, address: Address | None) -> str | None:
    value = location_at(record, name, dialect)
    # Frames never contain the pictures themselves.
    is_inline = value is None or value.startswith("data:") or is_base64_picture(value)
    return None if value is None or is_inline else resolve(value, address)


def _extra(
    records: Sequence[dict[str, Any]], names: frozenset[str], spec: ResourceSpec
) -> dict[str, list[Any]]:
    """Return the columns of further keys: nested objects by dotted names, lists as JSON, and no pictures."""
    extra: dict[str, list[Any]] = {}
    for row, record in enumerate(records):
        for path, value in (
            each
            for key, inner in record.items()
            if key in names
            for each in (walk({key: inner}, None) if type(inner) is dict else [((key,), inner)])
        ):
            is_picture = isinstance(value, str) and (
                value.startswith("data:image/") or is_base64_picture(value)
            )
            if is_picture or not path or (isinstance(value, dict) and value and len(path) < FARTHEST):
                continue
            # Columns of the collection keep their names.
            name = (
                f"service.{path[0]}"
                if len(path) == 1 and (path[0] in spec.shown or path[0] in OURS)
                else ".".join(path)
            )
            if name not in extra and len(extra) * len(records) > MOST_CELLS:
                raise UnexpectedReply(
                    f"The records of {spec.name} have too many different keys; reading was stopped.\n"
                    "Check base_url: it may be the address of another service."
                )
            extra.setdefault(name, [None] * len(records))[row] = (
                read_text(value) if isinstance(value, dict | list) else value
            )
    return extra


class VocabularyDecoder:
    """Parses values by the codes and labels of a vocabulary.

    Args:
        vocabulary: The allowed values.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        codes = {name: vocabulary.codes(name) for spec in RESOURCES.values() for name in spec.choices}
        # An unknown code is kept unchanged.
        self._exact: dict[str, dict[Any, str | None]] = {
            name: {None: None, "": None} | {code: code for code in each} for name, each in codes.items()
        }
        levels = {code: vocabulary.label("creativity", code) for code in vocabulary.codes("creativity")}
        self._folded: dict[str, dict[str, Any]] = {
            "creativity": {fold(label): float(code) for code, label in levels.items()},
            "template_id": {fold(template.label): template.id for template in vocabulary.all_templates},
            **{
                name: {fold(vocabulary.label(name, code)): code for code in each}
                | {fold(code): code for code in each}
                for name, each in codes.items()
            },
        }

    def read(self, column: str, values: list[Any], read: Reader) -> list[Any]:
        """Parse the values of a column.

        Args:
            column: Its name.
            values: The values as received.
            read: The function that parses one value of the column.
        """
        exact, folded = self._exact.get(column), self._folded.get(column)
        if exact is not None:
            try:
                return [*map(exact.__getitem__, values)]
            except (KeyError, TypeError):
                values = [only(value) for value in values]
        found = read_each(values, read)
        if folded is None or (exact is None and None not in found):
            return found
        return [
            folded.get(_word(raw), None if value == "" else value)
            for raw, value in zip(values, found, strict=True)
        ]


def _word(value: Any) -> str:
    """Return the folded name of a value or an object."""
    if isinstance(value, dict):
        value = next((value[key] for key in KEYS if isinstance(value.get(key), str)), None)
    return fold(value) if isinstance(value, str) else ""
