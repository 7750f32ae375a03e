"""A single record: the locations of its pictures, by words and values, and whether it is the one that was sent."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urljoin

from inkframe.http.body import entered, is_base64_picture, walk
from inkframe.replies.dialect import FOREIGN, NAMES, Dialect, value_at
from inkframe.replies.layout import LOOKED_AT
from inkframe.replies.values import Sameness, fold, read_count, same_content, words_of

if TYPE_CHECKING:
    from inkframe.http.address import Address
    from inkframe.schema import ResourceSpec

__all__ = [
    "STATES",
    "KeptFields",
    "Record",
    "State",
    "Verdict",
    "compare",
    "is_awaited",
    "is_recognized",
    "judge",
    "location_at",
    "picture_name",
    "picture_sources",
    "resolve",
    "with_unsent",
]

#: Whether a record is that of a create: ``doubtful`` may be.
Verdict = Literal["ours", "doubtful", "other"]


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


#: Words that name a picture.
PICTURE: Final = frozenset({"image", "img", "picture", "pic", "photo", "photograph", "artwork"})
#: Words for the location or format of files, the most likely for a picture first.
CARRIERS: Final = ("url", "src", "file", "path", "media", "asset", "output", "attachment", "original", "full",
                   "large", "download", "signed", "public", "cdn", "storage", "uri", "location", "href", "result",
                   "link", "filename", "blob", "b64", "base64", "content", "data")  # fmt: skip
PLACES: Final = PICTURE.union(CARRIERS)
#: Objects whose name does not describe their content, also one for each language, such as ``en-US``.
CONTAINER: Final = re.compile(
    r"_?links|attributes|properties|fields|external|formats|versions|variants|sizes|[a-z]{2}-[A-Z]{2}"
)
#: Words of small copies and source pictures, used only without a better location.
LESSER: Final = frozenset({"thumb", "thumbnail", "preview", "small", "medium", "mini", "tiny", "format", "source"})  # fmt: skip
#: Words of addresses that are not pictures, besides those of other things than records.
OTHER: Final = (FOREIGN - PLACES) | {"self", "html", "page", "web", "website", "logo", "icon", "callback", "webhook",
                                     "api", "edit", "update", "delete", "prev", "input", "init", "mask", "reference",
                                     "share", "control", "license", "placeholder",
                                     "similar", "related", "watermark", "qr"}  # fmt: skip
#: An address with the extension of a picture and an optional query.
ENDING: Final = re.compile(r"[^?#]*[^/?#]\.(?:png|jpe?g|webp|gif)(?:[?#].*)?", re.IGNORECASE)
RELATIVE: Final = re.compile(
    r"(?!(?:image|text|application|video|audio)/)[\w.~%@+=-]{2,}(?:/[\w.~%@+=-]+)+(?:\?\S*)?"
)
VERSIONED: Final = re.compile(r"/(?:api|v\d+)/[^/]+/[^/]+\Z")
State = Literal["pending", "done", "failed"]
#: What the words of a state mean, folded.
STATES: Final[Mapping[str, State]] = {
    **dict.fromkeys(("queued", "pending", "processing", "inprogress", "progress", "running", "generating", "starting", "started",
                     "submitted", "scheduled", "waiting", "rendering", "working", "new", "accepted"), "pending"),
    **dict.fromkeys(("succeeded", "success", "successful", "completed", "complete", "done", "finished", "ready"), "done"),
    **dict.fromkeys(("failed", "failure", "fail", "error", "errored", "canceled", "cancelled", "rejected", "expired", "aborted",
                     "timeout", "timedout"), "failed"),
}  # fmt: skip
#: Longer texts are not addresses.
LONGEST: Final = 4096
#: Words of the width and height of a picture, in the keys beside a location; sizes in its own key.
SIDES: Final = frozenset({"width", "height"})
DIGITS: Final = re.compile(r"\d{2,5}")
#: The place of an item in a list, and the most items that are looked at.
POSITION: Final = re.compile(r"\[\d+\]")
MOST_ITEMS: Final = 20
#: The number of further locations of a record.
MOST_FURTHER: Final = 3

#: The rank of a location; the largest is used.
Rank = tuple[bool, bool, bool, bool, int, int, int, int]


def picture_name(
    records: Sequence[dict[str, Any]], spec: ResourceSpec, dialect: Dialect, address: Address | None
) -> str | None:
    """Return the key of the picture locations in records, dotted if nested; the dialect learns it.

    Args:
        records: The records.
        spec: The collection.
        dialect: The response format, updated with the key.
        address: The address of the service, if records have one.
    """
    known = dialect.picture_name
    if known is not None and any(known in record or _follow(record, known) is not None for record in records):
        return known
    ranked = (_ranked(record, spec, dialect, address) for record in records[:LOOKED_AT])
    best = max((places[0] for places in ranked if places), default=None, key=lambda each: each[0])
    if best is not None and best[0][0]:
        dialect.learn(picture_name=best[1])  # not a small copy
    return None if best is None else best[1]


def picture_sources(
    record: dict[str, Any], spec: ResourceSpec, dialect: Dialect, address: Address | None
) -> list[str]:
    """Return the locations of the picture of a record, the first to try first.

    Each is an address, a path, a data URI, or base64.
    """
    name = picture_name([record], spec, dialect, address)
    first = name and location_at(record, name, dialect)
    further = [value for *_, value in _ranked(record, spec, dialect, address)] if first else []
    return [
        resolve(value, address)
        for value in dict.fromkeys([first, *[*dict.fromkeys(further)][:MOST_FURTHER]])
        if value
    ]


def _ranked(
    record: dict[str, Any], spec: ResourceSpec, dialect: Dialect, address: Address | None
) -> list[tuple[Rank, str, str]]:
    """Return the rank, the key and the text of each possible location in a record, the most likely first."""
    own, roles = f"/{spec.name}/{record.get(dialect.id_key)}", NAMES[spec.name].of(record)
    # The word of the interface says that there is none.
    if (key := roles.plain.get(fold(spec.generated))) and record[key] in (None, ""):
        return []
    found = [
        (rank, ".".join(path), value)
        for path, words, value, size in _texts(record, {*roles.columns.values(), dialect.id_key})
        if (rank := _rank(words, value, size)) and not _is_own(value, own, words, address)
    ]
    return sorted(found, key=lambda each: each[0], reverse=True)


def location_at(record: dict[str, Any], name: str, dialect: Dialect) -> str | None:
    """Return the location under a key: an address, a path, a data URI, or base64."""
    value = record[name] if name in record else _follow(record, name)
    if isinstance(value, str):
        is_sure = value.startswith(("http://", "https://")) or (value and "picture_name" in dialect.pinned)
        return value if is_sure or _rank(words_of(name) - OTHER | PICTURE, value) else None
    found = ((_rank(words, text, size), text) for _, words, text, size in _texts({"image": value}))
    return max(((rank, text) for rank, text in found if rank), default=(None, None))[1]


def resolve(value: str, address: Address | None) -> str:
    """Return a location as an absolute address, if the service has an address."""
    is_whole = value.startswith(("http://", "https://", "data:")) or is_base64_picture(value)
    with suppress(ValueError):
        return value if address is None or is_whole else urljoin(f"{address.base_url}/", value)
    return value


def is_awaited(record: dict[str, Any], spec: ResourceSpec, dialect: Dialect) -> bool:
    """Return whether the picture of a record is still generated, by its state or an empty key for it."""
    states = {
        STATES.get(fold(word))
        for key in NAMES[spec.name].of(record).get("state", ())
        if isinstance(word := record[key], str)
    }
    if states and (states <= {"done", "failed"} or "pending" in states):
        return "pending" in states
    known = dialect.picture_name
    has_place = known is not None and (known in record or "picture_name" not in dialect.pinned)
    empty = (words_of(name) for name, value in record.items() if value in (None, "", [], {}))
    return has_place or any(OTHER.isdisjoint(words) and not PLACES.isdisjoint(words) for words in empty)


def _follow(record: dict[str, Any], name: str) -> Any:
    """Return the value under a dotted key, or the list that the key leads into."""
    keys = name.split(".")
    value, head = value_at(record, keys), record.get(keys[0])
    return head if value is None and type(head) is list else value


def _texts(
    record: dict[str, Any], taken: Collection[str] = ()
) -> Iterable[tuple[Sequence[str], frozenset[str], str, int]]:
    """Yield the texts of a record that may be locations, each with its keys, their words and the size told beside it."""
    others = [(key, inner) for key, inner in record.items() if key not in taken]
    yield from (((key,), words_of(key), inner, 0) for key, inner in others if type(inner) is str)
    nested = {key: inner for key, inner in others if type(inner) in (dict, list)}
    for path, value in walk(nested, MOST_ITEMS) if nested else ():
        if type(value) is not str:
            continue
        keys = [key for key in path if not POSITION.fullmatch(key)]
        words = [words_of(key) & LESSER if CONTAINER.fullmatch(key) else words_of(key) for key in keys]
        sides = [
            (key, side) for key, side in entered(value_at(record, path[:-1])).items() if SIDES & words_of(key)
        ]
        told = [read_count(side) or 0 for _, side in sides] or [
            int(side) for side in DIGITS.findall(keys[-1])
        ]
        if (told or {"[0]"}.issuperset(set(path) - {*keys})) and all(
            CONTAINER.fullmatch(key) or own & PLACES for key, own in zip(keys[:-1], words, strict=False)
        ):
            yield keys, frozenset().union(*words), value, prod(told[:2]) if told else 0


def _rank(words: frozenset[str], value: str, size: int = 0) -> Rank | None:
    """Return the rank of a text as a location; None if it is not a location."""
    if not value or words & OTHER:
        return None
    named, large = bool(words & PICTURE), not words & LESSER
    absolute = value.startswith(("http://", "https://"))
    is_rooted = absolute or value.startswith("/")
    is_inline = value.startswith("data:") or is_base64_picture(value)
    ends = not is_inline and ENDING.fullmatch(value) is not None
    placed = is_rooted or is_inline or ("/" in value and RELATIVE.fullmatch(value) is not None)
    is_text = not is_inline and (len(value) > LONGEST or (not absolute and re.search(r"\s", value)))
    if is_text or not (ends or placed):
        return None
    carrier = next((place for place, word in enumerate(CARRIERS) if word in words), len(CARRIERS))
    # A path such as pics/3 counts only if its key consists of words for pictures.
    is_named = named if is_rooted else all(word.rstrip("s") in PICTURE for word in words)
    if not (ends or is_named or is_inline or carrier < len(CARRIERS)):
        return None
    whole = not words.isdisjoint({"original", "full", "large"})
    sure, likely = (False, 1) if is_inline else (named or ends, 2 * named + 2 * ends)
    return (large, placed, sure, absolute or is_inline, likely, size, int(whole), -carrier)


def _is_own(value: str, own: str, words: frozenset[str], address: Address | None) -> bool:
    """Return whether a location is that of the record itself."""
    path = value.split("?", 1)[0].split("#", 1)[0].rstrip("/")
    return path.endswith(own) and (
        VERSIONED.search(path) is not None
        or (words.isdisjoint(PICTURE) and (address is None or "//" not in path or address.holds(path)))
    )


def compare(sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Sameness]:
    """Compare what was sent with what a record shows, field by field.

    Args:
        sent: The values that were sent; None is a field that was not sent, which services may fill.
        shown: The values of the record; None is not shown.
    """
    return {
        name: "same" if value == shown.get(name) else same_content(value, shown.get(name))
        for name, value in sent.items()
    }


def judge(spec: ResourceSpec, comparison: Mapping[str, Sameness], made: Collection[str] = ()) -> Verdict:
    """Return whether a record is that of a create, by its comparison with what was sent.

    Args:
        spec: The collection.
        comparison: How each field compares.
        made: The fields of which this service is known to show versions.
    """
    if "other" in comparison.values():
        return "other"
    texts = {comparison[name] for name in ("name", spec.source) if name in comparison}
    unknown = [name for name, each in comparison.items() if each == "version" and name not in made]
    is_whole = "hidden" not in comparison.values() or "version" not in comparison.values()
    return "ours" if not unknown and "hidden" not in texts and is_whole else "doubtful"


def is_recognized(
    spec: ResourceSpec, fields: Mapping[str, Any], shown: Mapping[str, Any], *, wholly: bool
) -> bool:
    """Return whether a record may be the one that was created with some fields, at least one of them shown.

    Settings have few values, so that another record often has the same ones: they count only if the record does
    not show the text that it was generated from.

    Args:
        spec: The collection.
        fields: The fields that were sent.
        shown: The values of the record; None is not shown.
        wholly: Whether every shown text must be recognized, and the source be among them.
    """
    found = {name: each for name, each in compare(fields, shown).items() if shown.get(name) is not None}
    texts = [name for name in ("name", spec.source) if name in found]
    recognized = [name for name in texts if found[name] != "other"]
    if wholly:
        return spec.source in recognized and recognized == texts
    settings = () if shown.get(spec.source) is not None else spec.settings
    return bool(recognized) or any(found.get(name, "other") != "other" for name in settings)


def with_unsent(spec: ResourceSpec, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a create with None for each optional one that was not sent."""
    optional = (name for name, field in spec.creates.items() if field.create == "optional")
    return {**dict.fromkeys(optional), **fields}


class KeptFields:
    """The fields of which a service has shown on records of this client that it keeps or changes them."""

    def __init__(self) -> None:
        #: By field, and whether it was not sent, since services fill such fields: whether a value was changed.
        self._changed: dict[tuple[str, bool], bool] = {}

    def learn(self, sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
        """Store what became of the fields of a record; return the values that differ from those that were sent.

        Args:
            sent: The values that were sent; None is a field that was not sent.
            shown: The values of the record; None is not shown.
        """
        changed = {name: each != "same" for name, each in compare(sent, shown).items() if each != "hidden"}
        for name, is_changed in changed.items():
            key = name, sent[name] is None
            self._changed[key] = self._changed.get(key, False) or is_changed
        return {
            name: shown[name] for name, is_changed in changed.items() if is_changed and sent[name] is not None
        }

    def compare(self, sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Sameness]:
        """Compare what was sent with what a record shows, without the fields that this service fills itself.

        Args:
            sent: The values that were sent; None is a field that was not sent.
            shown: The values of the record; None is not shown.
        """
        found = compare(sent, shown)
        for name in [name for name, value in sent.items() if value is None and found[name] != "same"]:
            # What was not sent may be filled; a service that was seen to leave it empty shows another record.
            is_changed = self._changed.get((name, True))
            found[name] = "other" if is_changed is False else "same" if is_changed else "version"
        return found

    def is_kept(self, name: str) -> bool:
        """Return whether every value of a field that was sent was shown as it was."""
        return self._changed.get((name, False)) is False

    @property
    def changed(self) -> set[str]:
        """The fields of which a version was shown."""
        return {
            name for (name, is_unsent), is_changed in self._changed.items() if is_changed and not is_unsent
        }
