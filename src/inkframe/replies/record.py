"""Single records from replies, found by shape, and the locations of their pictures, by words and values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from inkframe.errors import UnexpectedReply
from inkframe.http.body import is_base64_picture
from inkframe.http.key import plain_text
from inkframe.replies.dialect import Dialect, steps_along, with_pinned_fields
from inkframe.replies.fields import field_mapping, has_content, id_name, links_of, unwrap
from inkframe.replies.values import fold, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inkframe.http.address import Address
    from inkframe.schema import ResourceSpec

__all__ = [
    "WRAPPERS",
    "Record",
    "as_record",
    "find_record",
    "further_locations",
    "is_awaited",
    "location_at",
    "picture_name",
    "picture_sources",
    "resolve",
    "shape_of",
]

#: Keys under which services wrap a single record.
WRAPPERS: Final = ("data", "result", "item", "record", "response", "payload", "value", "node")
#: The number of keys of a reply that may lead to its record, besides the usual ones.
MOST_OTHERS: Final = 100


@dataclass(slots=True, repr=False)  # a traceback with variables shows no content of a service
class Record:
    """One record.

    Args:
        id: Its id.
        known: The value of each field of the collection.
        extra: The additional fields of the service.
        picture: The location of its picture, or the picture itself as a data URI or base64.
        further: Other locations of the picture, for one that is not found.
        absent: The fields that the reply does not contain.
        awaited: Whether its picture or text is still generated.
        finished: Whether its picture or text is available.
        keys: The keys of its id, slug and other ids, as compared by ``id_key``.
        differences: The values that differ from those that were sent, after a create or an update.
        costs: What its create cost, if the service reported it.
    """

    id: int | str
    known: dict[str, Any]
    extra: dict[str, Any]
    picture: str | None = None
    further: tuple[str, ...] = ()
    absent: frozenset[str] = frozenset()
    awaited: bool = False
    finished: bool = True
    keys: frozenset[str] = frozenset()
    differences: dict[str, Any] = field(default_factory=dict)
    costs: dict[str, float] = field(default_factory=dict)


def find_record(
    value: Any, spec: ResourceSpec, dialect: Dialect, asked: int | str | None = None
) -> dict[str, Any]:
    """Find the single record in a reply, bare or wrapped.

    Args:
        value: The reply.
        spec: The collection.
        dialect: The response format, updated with the keys of the record.
        asked: The id of the requested record, for a reply that contains the record without its id.

    Raises:
        UnexpectedReply: There is none; the message has the keys and types of the reply.
    """
    if dialect.record_at is not None:
        found = steps_along(value, dialect.record_at)[-1]
        if isinstance(found, dict) and (record := as_record(found, spec, dialect)) is not None:
            return record
    keys = islice(value, MOST_OTHERS) if isinstance(value, dict) else ()
    others = ((key,) for key in keys if isinstance(value[key], dict))
    candidates = [*_candidates(value, spec), *((path, value[path[0]]) for path in others)]
    for path, candidate in candidates:
        record = as_record(candidate, spec, dialect)
        if record is not None:
            dialect.learn(record_at=path)
            return record
    for _, candidate in candidates if asked is not None else ():
        record = with_pinned_fields(unwrap(candidate, spec), candidate, dialect)
        ids = field_mapping(spec, frozenset(record)).ids
        # An id that cannot be read may be that of another record.
        if has_content(record, spec) and all(record[name] in (None, "") for name in ids):
            return {**record, dialect.id_key: asked}
    raise UnexpectedReply(
        f"The reply must contain one {spec.noun}, got {shape_of(value)}.\n"
        f"Check base_url, or pin the keys of the record with client.{spec.name}.dialect."
    )


def _candidates(
    value: Any, spec: ResourceSpec, path: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], dict[str, Any]]]:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        return
    yield path, value
    if len(path) < 2:
        for key in (*WRAPPERS, spec.noun, spec.name):
            if key in value:
                yield from _candidates(value[key], spec, (*path, key))


def as_record(value: dict[str, Any], spec: ResourceSpec, dialect: Dialect) -> dict[str, Any] | None:
    """Return an object with its fields and its id at the top level; None if it is not a record."""
    record = with_pinned_fields(unwrap(value, spec), value, dialect)
    if id_name(record, spec) is None:
        return None
    if not spec.content.isdisjoint(record) or field_mapping(spec, frozenset(record)).columns:
        return record
    # An id alone is enough if all other values are plain.
    return None if any(isinstance(inner, dict | list) for inner in record.values()) else record


def picture_sources(
    record: dict[str, Any], spec: ResourceSpec, dialect: Dialect, address: Address | None
) -> list[str]:
    """Return the locations of the picture of a record, the first to try first.

    Each is an address, a path, a data URI, or base64.
    """
    taken = frozenset([*field_mapping(spec, frozenset(record)).columns.values(), dialect.id_key])
    name = picture_name([record], spec, dialect, taken, address)
    first = name and location_at(record, name, dialect)
    further = further_locations(record, spec, dialect, taken, address) if first else []
    return [resolve(value, address) for value in dict.fromkeys([first, *further]) if value]


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
            shown = [
                f"{plain_text(str(k)[:30], 30)}: {shape_of(v, depth + 1)}" for k, v in list(value.items())[:8]
            ]
            return "{" + ", ".join(shown) + (", …" if len(value) > 8 else "") + "}"
        case _:
            return type(value).__name__


#: Words that name a picture.
PICTURE: Final = frozenset({"image", "img", "picture", "pic", "photo", "photograph", "artwork"})
#: Words for the location or format of files, the most likely for a picture first.
CARRIERS: Final = ("url", "src", "file", "path", "media", "asset", "output", "attachment", "original", "full",
                   "large", "download", "signed", "public", "cdn", "storage", "uri", "location", "href", "result",
                   "link", "filename", "blob", "b64", "base64", "content", "data")  # fmt: skip
PLACES: Final = PICTURE.union(CARRIERS)
#: Objects whose name does not describe their content.
CONTAINERS: Final = frozenset({"links", "_links", "attributes", "formats", "versions", "variants", "sizes"})
#: Words of small copies and source pictures, used only without a better location.
LESSER: Final = frozenset({"thumb", "thumbnail", "preview", "small", "medium", "mini", "tiny", "format", "placeholder",
                           "source"})  # fmt: skip
#: Words of addresses that are not pictures.
OTHER: Final = frozenset({"self", "html", "page", "web", "website", "avatar", "user", "author", "owner", "profile",
                          "logo", "icon", "callback", "webhook", "api", "edit", "update", "delete", "next", "prev",
                          "previous", "collection", "input", "init", "mask", "reference", "share", "template",
                          "control"})  # fmt: skip
#: An address with the extension of a picture and an optional query.
ENDING: Final = re.compile(r"[^?#]*[^/?#]\.(?:png|jpe?g|webp|gif)(?:[?#].*)?", re.IGNORECASE)
RELATIVE: Final = re.compile(
    r"(?!(?:image|text|application|video|audio)/)[\w.~%@+=-]{2,}(?:/[\w.~%@+=-]+)+(?:\?\S*)?"
)
VERSIONED: Final = re.compile(r"/(?:api|v\d+)/[^/]+/[^/]+\Z")
#: Keys of the state of a record, and its values while the record is generated, folded.
STATUSES: Final = frozenset({"status", "state", "phase", "jobstatus", "processingstatus", "generationstatus"})
MAKING: Final = frozenset({"queued", "pending", "processing", "inprogress", "progress", "running", "generating",
                           "starting", "started", "submitted", "scheduled", "waiting", "rendering", "working", "new",
                           "accepted"})  # fmt: skip
OVER: Final = frozenset({"failed", "failure", "error", "errored", "cancelled", "canceled", "rejected", "done", "ready",
                         "completed", "complete", "succeeded", "success", "finished"})  # fmt: skip
#: Longer texts are not addresses.
LONGEST: Final = 4096
#: The number of records of a page in which a location is searched.
LOOKED_AT: Final = 25

#: The number of further locations of a record.
MOST_FURTHER: Final = 3

#: The rank of a location; the largest is used.
Rank = tuple[bool, bool, bool, bool, int, int, int]


def picture_name(
    records: Sequence[dict[str, Any]],
    spec: ResourceSpec,
    dialect: Dialect,
    taken: frozenset[str],
    address: Address | None,
) -> str | None:
    """Return the key of the picture locations in records, dotted if nested.

    Args:
        records: The records.
        spec: The collection.
        dialect: The response format, updated with the key.
        taken: The keys that are used for other fields.
        address: The address of the service, if records have one.
    """
    known = dialect.picture_name
    if known is not None and any(known in record or _follow(record, known) is not None for record in records):
        return known
    found: tuple[Rank, str] | None = None
    for record in records[:LOOKED_AT]:
        best = max(_ranked(record, spec, dialect, taken, address), default=None, key=lambda each: each[0])
        if best is not None and (found is None or best[0] > found[0]):
            found = best[:2]
            if best[0][0] and best[0][2]:
                break  # not a small copy, and a picture by its name or extension
    if found is None:
        return None
    if found[0][0]:
        dialect.learn(picture_name=found[1])
    return found[1]


def further_locations(
    record: dict[str, Any],
    spec: ResourceSpec,
    dialect: Dialect,
    taken: frozenset[str],
    address: Address | None,
) -> list[str]:
    """Return the locations of the picture of a record, the most likely first; arguments as in ``picture_name``."""
    ranked = sorted(_ranked(record, spec, dialect, taken, address), key=lambda each: each[0], reverse=True)
    return list(dict.fromkeys(value for _, _, value in ranked))[:MOST_FURTHER]


def _ranked(
    record: dict[str, Any],
    spec: ResourceSpec,
    dialect: Dialect,
    taken: frozenset[str],
    address: Address | None,
) -> list[tuple[Rank, str, str]]:
    """Return the rank, the key and the text of each possible location in a record."""
    own = f"/{spec.name}/{record.get(dialect.id_key)}"
    return [
        (rank, ".".join(path), value)
        for path, words, value in _texts(record, taken)
        if (rank := _rank(words, value)) and not _is_own(value, own, words, address)
    ]


def location_at(record: dict[str, Any], name: str, dialect: Dialect) -> str | None:
    """Return the location under a key: an address, a path, a data URI, or base64."""
    value = record[name] if name in record else _follow(record, name)
    if isinstance(value, str):
        if value.startswith(("http://", "https://")) or (value and "picture_name" in dialect.pinned):
            return value
        return value if _rank(words_of(name) - OTHER | PICTURE, value) else None
    if not isinstance(value, list | dict):
        return None
    found = [(_rank(words, text), text) for _, words, text in _texts({"image": value}, frozenset())]
    return max(((rank, text) for rank, text in found if rank), default=(None, None))[1]


def resolve(value: str, address: Address | None) -> str:
    """Return a location as an absolute address, if the service has an address."""
    if address is None or value.startswith(("http://", "https://", "data:")) or is_base64_picture(value):
        return value
    if value.startswith("/") and not value.startswith("//"):
        return address.origin + value
    try:
        return urljoin(f"{address.base_url}/", value)
    except ValueError:
        return value


def is_awaited(record: dict[str, Any], dialect: Dialect) -> bool:
    """Return whether the picture of a record is still generated, by its state or an empty key for it."""
    said = [
        fold(value) for name, value in record.items() if fold(name) in STATUSES and isinstance(value, str)
    ]
    if said:
        return not OVER.issuperset(said) and (not MAKING.isdisjoint(said) or _has_place(record, dialect))
    return _has_place(record, dialect)


def _has_place(record: dict[str, Any], dialect: Dialect) -> bool:
    known = dialect.picture_name
    if known is not None and (known in record or "picture_name" not in dialect.pinned):
        return True
    empty = (words_of(name) for name, value in record.items() if value in (None, "", [], {}))
    return any(OTHER.isdisjoint(words) and not PLACES.isdisjoint(words) for words in empty)


def _follow(record: dict[str, Any], name: str) -> Any:
    """Return the value under a dotted key; of a list its first item."""
    value: Any = record
    for key in name.split("."):
        value = _single(value, key)
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _single(value: Any, key: str = "") -> Any:
    """Return the first item of a list; for a list of links, the links by relation."""
    if isinstance(value, list):
        links = links_of(value)
        return links if key in links or (links and not key) else value[0] if value else None
    return value


def _texts(
    record: dict[str, Any],
    taken: frozenset[str],
    path: tuple[str, ...] = (),
    words: frozenset[str] = frozenset(),
) -> Iterable[tuple[tuple[str, ...], frozenset[str], str]]:
    """Yield the texts of a record that may be locations, each with its path and the words of its keys."""
    for name, value in record.items():
        if not path and name in taken:
            continue
        value = _single(value)  # noqa: PLW2901  # the first item of a list
        if isinstance(value, str):
            yield (*path, name), words | words_of(name), value
        elif isinstance(value, dict) and len(path) < 5:
            own = words_of(name)
            if name in CONTAINERS:
                yield from _texts(value, taken, (*path, name), words | (own & LESSER))
            elif not own.isdisjoint(PLACES):
                yield from _texts(value, taken, (*path, name), words | own)


def _rank(words: frozenset[str], value: str) -> Rank | None:
    """Return the rank of a text as a location; None if it is not a location."""
    if not value or not OTHER.isdisjoint(words):
        return None
    named = not words.isdisjoint(PICTURE)
    carrier = next((place for place, word in enumerate(CARRIERS) if word in words), len(CARRIERS))
    large = words.isdisjoint(LESSER)
    if value.startswith("data:") or is_base64_picture(value):
        return (large, True, False, True, 1, 0, -carrier)
    if len(value) > LONGEST:
        return None
    ends = ENDING.fullmatch(value) is not None
    absolute = value.startswith(("http://", "https://"))
    if not absolute and re.search(r"\s", value):
        return None
    if absolute or value.startswith("/"):
        placed, is_picture_name = True, named
    else:
        # A path such as pics/3 counts only if its key consists of words for pictures.
        placed = RELATIVE.fullmatch(value) is not None
        is_picture_name = all(word.rstrip("s") in PICTURE for word in words)
    if not ends and not (placed and (is_picture_name or carrier < len(CARRIERS))):
        return None
    whole = not words.isdisjoint({"original", "full", "large"})
    return (large, placed, named or ends, absolute, 2 * named + 2 * ends, int(whole), -carrier)


def _is_own(value: str, own: str, words: frozenset[str], address: Address | None) -> bool:
    """Return whether a location is that of the record itself."""
    path = value.split("?", 1)[0].split("#", 1)[0].rstrip("/")
    if not path.endswith(own):
        return False
    if address is not None and "//" in path and not address.holds(path) and not VERSIONED.search(path):
        return False
    return VERSIONED.search(path) is not None or words.isdisjoint(PICTURE)
