"""How a service writes: the names of keys by their role, the layout of records, and what is learned or pinned of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Final, Literal, get_args

from inkframe.errors import InvalidArgument, checked_init, nearest
from inkframe.http.body import Path, entered
from inkframe.http.key import Key, redact
from inkframe.replies.values import fold, words_of
from inkframe.schema import RESOURCES, ResourceSpec

__all__ = ["ASIDE", "FOREIGN", "MISSING", "NAMES", "REPLY_PARTS", "Dialect", "Layout", "Names", "Paging", "Roles",
           "is_foreign", "pinning", "plain_name", "value_at"]  # fmt: skip

#: The characters of a line of code.
WIDTH: Final = 110

#: How further pages are requested; "none" is a service that returns the same page for every request.
Paging = Literal["number", "offset", "cursor", "after", "none"]
#: The number of attempts and unused keys that are kept.
MOST_NOTED: Final = 20
#: Fields that have an argument of their own.
OWN_NAMES: Final = {
    "id": "id_name",
    "picture_url": "picture_name",
    "created_at": "created_name",
    "updated_at": "updated_name",
}


@checked_init
@dataclass(slots=True)
class Dialect:
    """The response format of a collection, where the interface does not define it.

    Every field starts as None, which means "not learned yet". Arguments are pinned: they are used instead of
    learned values.

    Args:
        records_at: The keys that lead to the records of a list, such as ``("data",)``; ``()`` is a bare list.
        record_at: The keys that lead to a single record; ``()`` is a bare record.
        paging: How further pages are requested, if the name of the parameter does not show it.
        page_parameter: The parameter that selects a page, such as ``page`` or ``offset``.
        first_page: The number of the first page, 0 or 1.
        size_parameter: The parameter of the page size, if it is not ``per_page``.
        id_name: The key of a record's id.
        picture_name: The key of the picture location of an image, dotted if nested: ``image.url``.
        created_name: The key of the time of creation.
        updated_name: The key of the time of the last change.
        fields: The keys of other fields, dotted if nested: ``{"name": "title.raw"}``.
        default_template: Whether a document list without ``template_id`` contains Freestyle documents only.
        filters_templates: Whether ``template_id`` filters a document list.
        omits_false: Whether a boolean that a record leaves out is false.
        update_method: The method of an update, if it is not ``PATCH``.
        idempotent: Whether a create that is sent again with its ``Idempotency-Key`` returns the first one's record.

    Raises:
        InvalidArgument: A value is invalid.

    Example:
        >>> client.documents.dialect = ink.Dialect(page_parameter="filter[skip]")
    """

    records_at: tuple[str, ...] | None = None
    record_at: tuple[str, ...] | None = None
    paging: Paging | None = None
    page_parameter: str | None = None
    first_page: int | None = None
    size_parameter: str | None = None
    id_name: str | None = None
    picture_name: str | None = None
    created_name: str | None = None
    updated_name: str | None = None
    fields: Mapping[str, str] | None = None
    default_template: bool | None = None
    filters_templates: bool | None = None
    omits_false: bool | None = None
    update_method: str | None = None
    idempotent: bool | None = None
    pinned: frozenset[str] = field(default=frozenset(), init=False)
    #: The pinned path of each field of a record, apart from the picture.
    paths: dict[str, str] = field(default_factory=dict, init=False)
    #: The key of each field that a record has shown; None before the first record.
    shown: Mapping[str, str] | None = field(default=None, init=False)
    #: The layout of each shape of replies and rows that was met.
    layouts: dict[object, Layout | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    #: The layout of the last single record.
    single: Layout | None = field(default=None, init=False, repr=False, compare=False)
    #: Where the records of each shape of a page are, and the objects that describe it.
    pages: dict[object, tuple[Path, tuple[Path, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    #: The usual names of keys of pages that have names of their own.
    counts: Mapping[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    #: Where each field of a record stands, and why it is taken from there.
    places: Mapping[str, tuple[str, str]] = field(default_factory=dict, init=False)
    #: Other requests than those of the interface that were tried, and their outcome.
    attempts: dict[str, str] = field(default_factory=dict, init=False)
    #: The keys of lists and records that were not used.
    unused: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for name, value in self.facts().items():
            _check(name, value)
        if self.fields is not None:
            for name in OWN_NAMES.keys() & self.fields.keys():
                if getattr(self, OWN_NAMES[name]) not in (None, self.fields[name]):
                    raise InvalidArgument(
                        f"fields[{name!r}] and {OWN_NAMES[name]} must be equal, got {self.fields[name]!r} and "
                        f"{getattr(self, OWN_NAMES[name])!r}.\nPass one of them."
                    )
                setattr(self, OWN_NAMES[name], self.fields[name])
            self.fields = {n: path for n, path in self.fields.items() if n not in OWN_NAMES} or None
        self._pin(frozenset(self.facts()))
        pinned = {name: getattr(self, fact) for name, fact in OWN_NAMES.items()} | {**(self.fields or {})}
        shared = [name for name, key in pinned.items() if key and [*pinned.values()].count(key) > 1]
        if shared:
            raise InvalidArgument(
                f"fields must have places of their own, got {repr(pinned[shared[0]])[:60]} for {' and '.join(shared)}.\n"
                "Pin each key for one field."
            )
        if self.paging == "none" and self.page_parameter:
            raise InvalidArgument(
                f"page_parameter must be left out where paging is 'none', got {self.page_parameter!r}.\n"
                "Pass the way of paging, or leave paging out."
            )

    def _pin(self, facts: frozenset[str]) -> None:
        self.pinned = facts
        self.layouts, self.pages, self.single = {}, {}, None
        own = {
            name: getattr(self, fact)
            for name, fact in OWN_NAMES.items()
            if fact in self.pinned and name != "picture_url"
        }
        self.paths = {name: path for name, path in {**own, **(self.fields or {})}.items() if name != path}

    @property
    def id_key(self) -> str:
        """The key of the id in records whose pinned fields are at the top level."""
        return "id" if "id" in self.paths else self.id_name or "id"

    def shows(self, name: str) -> bool | None:
        """Return whether a record has shown a field, even without a value; None before the first record.

        Args:
            name: The field, as the interface names it.
        """
        return None if self.shown is None else name in self.shown

    def check_for(self, spec: ResourceSpec) -> None:
        """Check that the pinned fields belong to a collection.

        Raises:
            InvalidArgument: The collection has no such field.
        """
        for name in self.fields or ():
            if name not in spec.shown:
                raise InvalidArgument(
                    f"fields must name fields of {spec.name}, got {name!r}.\n"
                    f"They are {', '.join(spec.shown)}."
                )

    def learn(self, **facts: object) -> None:
        """Store learned facts, except for pinned fields."""
        for name, value in facts.items():
            if value is not None and name not in self.pinned:
                setattr(self, name, value)

    def adopt(self, other: Dialect) -> None:
        """Store what another client learned or pinned about the same service."""
        self.learn(**other.facts())
        self._pin(self.pinned | other.pinned)

    def learn_keys(self, keys: Mapping[str, str]) -> None:
        """Store the key of each field that records show."""
        if self.shown is None or not keys.items() <= self.shown.items():
            self.shown = {**(self.shown or {}), **keys}

    def learn_attempt(self, attempt: str, outcome: str) -> None:
        """Store what came of an attempt; only the first ones are kept."""
        self.attempts = dict([*{**self.attempts, attempt: outcome}.items()][:MOST_NOTED])

    def learn_unused(self, where: str, keys: Iterable[str]) -> None:
        """Store keys that were not used; only the first ones are kept.

        Args:
            where: ``lists`` or ``records``.
            keys: The keys, dotted if nested.
        """
        if known := dict.fromkeys((*self.unused.get(where, ()), *keys)):
            self.unused[where] = tuple(known)[:MOST_NOTED]

    @property
    def pins(self) -> dict[str, object]:
        """The arguments of a dialect that pins what was learned."""
        names = {
            name: key
            for name, key in (self.shown or {}).items()
            if fold(name) != fold(key) and name not in OWN_NAMES
        } | dict(self.fields or {})
        # That further pages were not found is not worth a pin.
        facts = {
            name: fact
            for name, fact in self.facts().items()
            if (name, fact) != ("paging", "none") or name in self.pinned
        }
        return facts | ({"fields": names} if names else {})

    def facts(self) -> dict[str, object]:
        """Return the known facts by name."""
        return {
            each.name: value
            for each in fields(self)
            if each.init and (value := getattr(self, each.name)) is not None
        }


def pinning(collection: str, arguments: Mapping[str, object], key: Key) -> str:
    """Return the code that pins arguments of a dialect, which may be pasted whatever a service wrote in them.

    Texts are quoted, and lines break between arguments only.

    Args:
        collection: ``images`` or ``documents``.
        arguments: The arguments by name.
        key: The key, which is removed.
    """
    lines = [f"client.{collection}.dialect = ink.Dialect("]
    for name, value in arguments.items():
        text = f"{name}={value!r}, "
        if name != next(iter(arguments)) and len(lines[-1]) + len(text) > WIDTH:
            lines.append("    ")
        lines[-1] += text
    return redact("\n".join(text.rstrip() for text in lines).rstrip(",") + ")", key)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        _is_name(path) and all(path.split(".")) for path in value.values()
    )


#: The check of each argument that is not a name, and what it must be.
CHECKS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    **dict.fromkeys(
        ("records_at", "record_at"),
        (
            lambda value: isinstance(value, tuple | list) and all(map(_is_name, value)),
            'a tuple of keys, such as ("data",)',
        ),
    ),
    **dict.fromkeys(
        ("default_template", "filters_templates", "omits_false", "idempotent"),
        (lambda value: isinstance(value, bool), "True or False"),
    ),
    "paging": (lambda value: value in get_args(Paging), f"one of {', '.join(get_args(Paging))}"),
    "first_page": (lambda value: value in (0, 1) and not isinstance(value, bool), "0 or 1"),
    "fields": (_is_mapping, 'a mapping from fields to dotted keys, such as {"name": "title.raw"}'),
    "update_method": (lambda value: value in ("PATCH", "PUT"), "'PATCH' or 'PUT'"),
}

#: The fields that can be pinned.
FIELDS: Final = ("id", *dict.fromkeys(name for spec in RESOURCES.values() for name in spec.shown))


def _check(name: str, value: Any) -> None:
    is_valid, what = CHECKS.get(name, (_is_name, "a text that is not empty"))
    if not is_valid(value):
        raise InvalidArgument(
            f"{name} must be {what}, got {repr(value)[:60]}.\n"
            "Read client.describe() for what was learned about the service."
        )
    if unknown := [each for each in value if each not in FIELDS] if isinstance(value, Mapping) else []:
        close = nearest(unknown[0], FIELDS)
        raise InvalidArgument(
            f"fields must name fields of the interface, got {repr(unknown[0])[:60]}.\n"
            + (f"Did you mean {close!r}?" if close else f"They are {', '.join(FIELDS)}.")
        )


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the fields of records of one shape stand.

    Args:
        at: The keys that lead from the reply to the record.
        inner: The keys that lead from the record to its fields.
        outer: The places of the objects around these, from inside, whose keys are its own as well, each with that key
            of it that leads to the fields.
        moved: The places of its id and of fields elsewhere, by their names.
        link: The place of a link to itself, which has its id.
        reasons: The dotted place of each field, and why it is taken from there.
        is_flat: Whether id and fields are at the top level of the record.
    """

    at: Path = ()
    inner: Path = ()
    outer: tuple[tuple[Path, str], ...] = ()
    moved: Mapping[str, Path] = field(default_factory=dict)
    link: Path | None = None
    reasons: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    is_flat: bool = True

    def flat(self, value: Any) -> dict[str, Any]:
        """Return the record of a reply, with its id and its fields at the top level.

        Another value under such a name is kept as ``service.name``.
        """
        record = value_at(value, self.at) if self.at else value
        found = entered(value_at(record, self.inner) if self.inner else record)
        for path, leading in self.outer:
            around = entered(value_at(record, path) if path else record)
            # The type in JSON:API only repeats the collection.
            found = found | {
                f"service.{key}" if found.get(key) is not None else key: inner
                for key, inner in around.items()
                if key != leading and not (key == "type" or (key in found and found[key] == inner))
            }
        if self.moved:
            moved = {
                name: value
                for name, path in self.moved.items()
                if (value := value_at(record, path, MISSING)) is not MISSING
            }
            for path in map(self.moved.__getitem__, moved):
                apart = (n for n in range(len(path)) if path[: n + 1] != self.inner[: n + 1])
                found = _without(found, path[next(apart, -1) :])
            found = {f"service.{key}" if key in moved else key: value for key, value in found.items()} | moved
        return found if self.link is None else found | {"id": value_at(record, self.link)}


#: The result for a key that a record does not have.
MISSING: Final = object()


def value_at(value: Any, path: Iterable[str], missing: object = None) -> Any:
    """Return the value that keys lead to."""
    for key in path:
        value = entered(value).get(key, missing)
    return value


def _without(record: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return a copy of a record without the value under a path, and without objects that it leaves empty."""
    head, *rest = keys
    inner = entered(record.get(head))
    if rest and inner and (left := _without(inner, rest)):
        return {**record, head: left}
    return {key: value for key, value in record.items() if key != head}


#: The usual names of an id, the most likely first; case, ``_``, ``-`` and prefixes are ignored here and below.
ID_NAMES: Final = ("id", "uuid", "uid", "guid", "key", "pk", "object_id")
#: The names of each role that keys of a record may have besides its columns, the most likely first: ids, other values
#: by which services find a record, links to itself, ids of new records in replies about something else and of database
#: drivers, and states.
ROLES: Final = {
    "id": ID_NAMES,
    "alias": (*ID_NAMES, "slug", "permalink", "handle", "short_id", "public_id"),
    "self": ("self", "@id", "@odata.id", "self_link", "self_url", "resource_uri", "resource_url", "url", "href", "uri",
             "link", "name"),
    "new": ("inserted_id", "insert_id", "last_insert_id", "last_insert_rowid", "last_id", "created_id", "new_id",
            "record_id", "resource_id", "item_id"),
    "state": ("status", "state", "phase", "stage", "done", "jobstatus", "processingstatus", "generationstatus"),
}  # fmt: skip
#: Names of records that have another key than ``id`` in addresses: Strapi 5.
OTHER_IDS: Final = ("documentid", "publishedat")
#: Parts of a record that describe the reply and not the record.
REPLY_PARTS: Final = frozenset({"_links", "links", "relationships", "@odata.id", "@odata.etag", "_embedded"})
#: Words of other things, which never lend a field to a record; ``i18`` is that of ``i18n``.
FOREIGN: Final = frozenset({"user", "author", "owner", "creator", "artist", "person", "profile", "avatar",
                            "account", "template", "model", "parent", "previous", "old", "before", "next", "version", "revision",
                            "history", "count", "stat", "usage", "quota", "request", "error", "warning", "schema",
                            "project", "folder", "collection", "default", "example", "album", "embedded",
                            "include", "included", "relationship", "moderation", "cache", "link", "translation",
                            "localization", "i18", "locale", "operation", "job", "task", "trace", "evaluation", "review",
                            "quality", "safety", "check", "assessment", "validation", "feedback", "audit"})  # fmt: skip
#: Objects that describe others, and are no record if they have nothing but an id.
ASIDE: Final = frozenset({"meta", "metadata", "sys"})
#: The total length of the keys up to which their roles are cached.
ORDINARY: Final = 4000
#: The most keys of a record; an object with more is none.
MOST_KEYS: Final = 5000
#: The rank of names with a word before them.
LATE: Final = 1000


class Roles(dict[str, tuple[str, ...]]):
    """The keys of an object by their roles, of each the most likely first.

    Attributes:
        columns: The most likely key of each field of a record.
        plain: The keys by their plain names, the first ones.
    """

    columns: Mapping[str, str]
    plain: Mapping[str, str]


class Names:
    """The keys of objects by their roles.

    Args:
        table: The names of each role, the most likely first.
        columns: The roles that are fields of records.
    """

    def __init__(self, table: Mapping[str, Iterable[str]], columns: Collection[str] = ()) -> None:
        self._columns = columns
        self._ranks: dict[str, list[tuple[str, int, str]]] = {}
        for role, names in table.items():
            for rank, name in enumerate(names):
                self._ranks.setdefault(fold(name), []).append((role, rank, name))
        self._cached = lru_cache(maxsize=512)(self._read)

    def of(self, keys: Iterable[str]) -> Roles:
        """Return the keys of each role that is present, the most likely first, and exact names before others."""
        keys = tuple(keys)
        if len(keys) > MOST_KEYS:
            keys = ()
        return (self._cached if sum(map(len, keys)) < ORDINARY else self._read)(keys)

    def _read(self, keys: tuple[str, ...]) -> Roles:
        found: dict[str, list[tuple[int, bool, str]]] = {}
        for key in keys:
            first, _, rest = key.partition("_")
            # A time with a word before its usual name.
            late = [
                (role, rank + LATE, name)
                for role, rank, name in self._ranks.get(plain_name(rest), [])
                if role.endswith("_at") and "_" in name and not is_foreign((first,))
            ]
            for role, rank, name in self._ranks.get(plain_name(key), []) + late:
                found.setdefault(role, []).append((rank, key != name, key))
        if "id" in found and {*OTHER_IDS} <= {fold(key) for key in keys}:
            found["id"] = [(-1, False, key) for key in keys if fold(key) == OTHER_IDS[0]] + found["id"]
        roles = Roles(
            {role: tuple(dict.fromkeys(key for *_, key in sorted(each))) for role, each in found.items()}
        )
        roles.columns = {name: roles[name][0] for name in self._columns if name in roles}
        roles.plain = {plain_name(key): key for key in reversed(keys)}
        return roles


def plain_name(key: str) -> str:
    """Return a key folded and without a prefix such as ``hydra:``."""
    return fold(key.rpartition(":")[2]) if ":" in key else fold(key)


def is_foreign(path: Path, aside: frozenset[str] = frozenset()) -> bool:
    """Return whether keys lead to another thing than a record, by their words; ``aside`` are further keys that do."""
    return any(key in REPLY_PARTS or key in aside or not FOREIGN.isdisjoint(words_of(key)) for key in path)


def _names(spec: ResourceSpec) -> Names:
    # A picture is found by its value.
    columns = {
        column: [
            f"{start}{name}{ending}"
            for start in ("", f"{spec.noun}_")
            for name in each.names or (() if each.type == "picture" else (column,))
            for ending in (("", "_gmt", "_utc") if each.type == "time" else ("",))
        ]
        for column, each in spec.shown.items()
    }
    ids = {
        role: (*ROLES[role], *(f"{spec.noun}_{end}" for end in ends))
        for role, ends in (("id", ("id",)), ("new", ("id",)), ("alias", ("id", "slug")))
    }
    return Names({**ROLES, **ids, **columns}, spec.shown)


NAMES: Final = {name: _names(spec) for name, spec in RESOURCES.items()}
