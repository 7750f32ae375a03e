"""Where a record's picture is: found by the words of a name together with the shape of the value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from inkframe.http.body import is_base64_picture
from inkframe.replies.envelopes import links_of
from inkframe.replies.field_names import fold, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inkframe.http.address import Address
    from inkframe.replies.dialect import Dialect
    from inkframe.schema import ResourceSpec

__all__ = ["is_awaited", "location_at", "picture_name", "resolve"]

#: Words that name a picture.
PICTURE: Final = frozenset({"image", "img", "picture", "pic", "photo", "photograph", "artwork"})
#: Words for the place or the form in which files are given, the likeliest to be a picture's first.
CARRIERS: Final = ("url", "src", "file", "path", "media", "asset", "output", "attachment", "original", "full",
                   "large", "download", "signed", "public", "cdn", "storage", "uri", "location", "href", "result",
                   "link", "filename", "blob", "b64", "base64", "content", "data")  # fmt: skip
PLACES: Final = PICTURE.union(CARRIERS)
#: Objects whose own name says nothing of what is in them.
CONTAINERS: Final = frozenset({"links", "_links", "attributes", "formats", "versions", "variants", "sizes"})
#: Words of small copies and of what a picture was made from, which are taken where there is nothing else.
LESSER: Final = frozenset({"thumb", "thumbnail", "preview", "small", "medium", "mini", "tiny", "format", "placeholder",
                           "source"})  # fmt: skip
#: Words of addresses that lead to something else.
OTHER: Final = frozenset({"self", "html", "page", "web", "website", "avatar", "user", "author", "owner", "profile",
                          "logo", "icon", "callback", "webhook", "api", "edit", "update", "delete", "next", "prev",
                          "previous", "collection", "input", "init", "mask", "reference", "share", "template",
                          "control"})  # fmt: skip
#: An address that ends as pictures do, whatever query follows.
ENDING: Final = re.compile(r"[^?#]*[^/?#]\.(?:png|jpe?g|webp|gif)(?:[?#].*)?", re.IGNORECASE)
RELATIVE: Final = re.compile(
    r"(?!(?:image|text|application|video|audio)/)[\w.~%@+=-]{2,}(?:/[\w.~%@+=-]+)+(?:\?\S*)?"
)
VERSIONED: Final = re.compile(r"/(?:api|v\d+)/[^/]+/[^/]+\Z")
#: Keys that say how far a record is, and what they say while it is still being made, folded.
STATUSES: Final = frozenset({"status", "state", "phase", "jobstatus", "processingstatus", "generationstatus"})
MAKING: Final = frozenset({"queued", "pending", "processing", "inprogress", "progress", "running", "generating",
                           "starting", "started", "submitted", "scheduled", "waiting", "rendering", "working", "new",
                           "accepted"})  # fmt: skip
OVER: Final = frozenset({"failed", "failure", "error", "errored", "cancelled", "canceled", "rejected", "done", "ready",
                         "completed", "complete", "succeeded", "success", "finished"})  # fmt: skip
#: Longer texts are no addresses.
LONGEST: Final = 4096
#: Records of a page in which a location is looked for before it counts as not shown.
LOOKED_AT: Final = 25

#: How good a location is; of two the larger is taken.
Rank = tuple[bool, bool, int, int, int]


def picture_name(
    records: Sequence[dict[str, Any]],
    spec: ResourceSpec,
    dialect: Dialect,
    taken: frozenset[str],
    address: Address | None,
) -> str | None:
    """Give the name under which records show where their pictures are, dotted where it is within objects.

    Args:
        records: The records.
        spec: The collection.
        dialect: What is known of it; learns the name.
        taken: The keys that hold something else.
        address: The service's address, where records have one.
    """
    known = dialect.picture_name
    if known is not None and any(known in record or _follow(record, known) is not None for record in records):
        return known
    found: tuple[Rank, str] | None = None
    for record in records[:LOOKED_AT]:
        own = f"/{spec.name}/{record.get(dialect.id_name or 'id')}"
        ranked = [
            (rank, ".".join(path))
            for path, words, value in _texts(record, taken)
            if (rank := _rank(words, value)) and not _is_own(value, own, words, address)
        ]
        best = max(ranked, default=None, key=lambda each: each[0])
        if best is not None and (found is None or best[0] > found[0]):
            found = best
            if best[0][0] and best[0][2] > 0:
                break  # no small copy, and a picture by its name or its ending
    if found is None:
        return None
    if found[0][0]:
        dialect.learn(picture_name=found[1])
    return found[1]


def location_at(record: dict[str, Any], name: str, dialect: Dialect) -> str | None:
    """Give what stands under a name: an address, a path, a data URI, or base64."""
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
    """Give a location as an absolute address, where it is one and the service has one."""
    if address is None or value.startswith(("http://", "https://", "data:")) or is_base64_picture(value):
        return value
    if value.startswith("/") and not value.startswith("//"):
        return address.origin + value
    try:
        return urljoin(f"{address.base_url}/", value)
    except ValueError:
        return value


def is_awaited(record: dict[str, Any], dialect: Dialect) -> bool:
    """Whether a record without a picture says, or shows by an empty place for it, that it is still being made."""
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
    """Give what stands under a dotted name; of a list its first."""
    value: Any = record
    for key in name.split("."):
        value = _single(value, key)
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _single(value: Any, key: str = "") -> Any:
    """Give the first of a list; of a list of links the links by relation."""
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
    """Give the texts of a record that may be locations, each with the words of the names that lead to it."""
    for name, value in record.items():
        if not path and name in taken:
            continue
        value = _single(value)  # noqa: PLW2901  # of a list its first
        if isinstance(value, str):
            yield (*path, name), words | words_of(name), value
        elif isinstance(value, dict) and len(path) < 5:
            own = words_of(name)
            if name in CONTAINERS:
                yield from _texts(value, taken, (*path, name), words | (own & LESSER))
            elif not own.isdisjoint(PLACES):
                yield from _texts(value, taken, (*path, name), words | own)


def _rank(words: frozenset[str], value: str) -> Rank | None:
    """Give how good a location a text is; None where it is none."""
    if not value or not OTHER.isdisjoint(words):
        return None
    named = not words.isdisjoint(PICTURE)
    carrier = next((place for place, word in enumerate(CARRIERS) if word in words), len(CARRIERS))
    large = words.isdisjoint(LESSER)
    if value.startswith("data:") or is_base64_picture(value):
        return (large, True, 1, -carrier, 0)
    if len(value) > LONGEST:
        return None
    ends = ENDING.fullmatch(value) is not None
    absolute = value.startswith(("http://", "https://"))
    if not absolute and re.search(r"\s", value):
        return None
    if absolute or value.startswith("/"):
        placed, spoken = True, named
    else:
        # A path such as pics/3 is hardly more than a word: only a name that says nothing else makes it one.
        placed, spoken = RELATIVE.fullmatch(value) is not None, all(w.rstrip("s") in PICTURE for w in words)
    if not ends and not (placed and (spoken or carrier < len(CARRIERS))):
        return None
    whole = not words.isdisjoint({"original", "full", "large"})
    return (large, placed, 2 * named + 2 * ends, int(whole), -carrier)


def _is_own(value: str, own: str, words: frozenset[str], address: Address | None) -> bool:
    """Whether a location is that of the record itself and not of its picture."""
    path = value.split("?", 1)[0].split("#", 1)[0].rstrip("/")
    if not path.endswith(own):
        return False
    if address is not None and "//" in path and not address.holds(path) and not VERSIONED.search(path):
        return False
    return VERSIONED.search(path) is not None or words.isdisjoint(PICTURE)
