"""The response format of a service, learned per collection; every field can be pinned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, get_args

from inkframe.errors import InvalidArgument, checked_init, nearest
from inkframe.http.body import Path
from inkframe.http.key import Key, redact
from inkframe.replies.layout import Layout, find_layout, shape_of_keys
from inkframe.replies.values import fold
from inkframe.schema import RESOURCES, ResourceSpec

__all__ = ["Dialect", "Paging", "keep", "layout_of", "pinning"]

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

#: The number of layouts that are kept, and of rows that are looked at for one.
MOST_KEPT: Final = 200
LOOKED_AT: Final = 25


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


def keep(kept: dict[object, Any], shape: object, found: object) -> None:
    """Keep what was found for a shape, in bounds."""
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[shape] = found


def layout_of(
    value: Any, spec: ResourceSpec, dialect: Dialect, rows: Sequence[Any] | None = None
) -> Layout | None:
    """Return where the record of a reply, or each row of a list, has its id and fields, found once for each shape.

    Args:
        value: The reply, or a row.
        spec: The collection.
        dialect: The response format, which keeps the layouts.
        rows: All rows of a list; the first with fields is looked at.
    """
    found: list[Layout] = []
    for row in (value,) if rows is None else rows[:LOOKED_AT]:
        shape = (rows is None, dialect.id_name, shape_of_keys(row))
        if shape not in dialect.layouts:
            keep(dialect.layouts, shape, find_layout(row, spec, dialect.paths, rows, dialect.id_name or "id"))
        if (layout := dialect.layouts[shape]) is not None:
            found.append(layout)
            if rows is None or not spec.content.isdisjoint(layout.reasons):
                return layout
    return found[0] if found else None
