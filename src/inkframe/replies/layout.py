"""The search for where records and their fields stand in replies: one walk, and one layout for each shape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from inkframe.http.body import Path, entered, walk
from inkframe.replies.dialect import (
    ASIDE,
    MISSING,
    NAMES,
    REPLY_PARTS,
    Dialect,
    Layout,
    Roles,
    is_foreign,
    plain_name,
    value_at,
)
from inkframe.replies.values import (
    READERS,
    id_key,
    linked_id,
    only,
    read_boolean,
    read_id,
    read_time,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from inkframe.schema import FieldType, ResourceSpec

__all__ = [
    "ALONE",
    "GENERAL",
    "LOOKED_AT",
    "find_layout",
    "id_keys",
    "id_name",
    "keep",
    "layout_of",
    "shape_of_keys",
]

#: The least fields of the interface in an object under a word of the interface that is no value.
WRAPPED: Final = 2
#: The fields that other things have as well.
GENERAL: Final = frozenset({"name", "description"})
#: The number of layouts that are kept, and of rows that are looked at for one.
MOST_KEPT: Final = 200
LOOKED_AT: Final = 25


def shape_of_keys(value: Any) -> Any:
    """Return what a layout depends on: the keys of objects, and the types of their values."""
    if type(value) is not dict:
        return (list, shape_of_keys(value[0])) if type(value) is list and len(value) == 1 else type(value)
    kinds = tuple(map(type, value.values()))
    if dict not in kinds and list not in kinds:
        return tuple(value), kinds
    inner = [each for each in value.values() if type(each) is dict or (type(each) is list and len(each) == 1)]
    return tuple(value), kinds, *map(shape_of_keys, inner)


#: Whether a value may be that of a field of each type: no number for a text, and a boolean or a time where it is one.
FITS: Final[Mapping[FieldType, Callable[[Any], bool]]] = {
    **dict.fromkeys(READERS, lambda _: True),
    "text": lambda value: not isinstance(value, int | float),
    "boolean": lambda value: value is None or read_boolean(only(value)) is not None,
    "time": lambda value: value is None or read_time(only(value)) is not None,
}


class _Search:
    """The objects of a reply that may be the record or a part of it, by the keys that lead to them.

    Args:
        value: The reply, or a row of a list.
        spec: The collection.
        known: The key of the id in other records.
    """

    def __init__(self, value: Any, spec: ResourceSpec, known: str) -> None:
        self.value, self.spec, self.names, self._known = value, spec, NAMES[spec.name], known
        self._texts = {name for name in spec.content if spec.shown[name].type == "text"}
        self.objects: dict[Path, dict[str, Any]] = {}
        self._roles: dict[Path, Roles] = {}
        for path, each in walk(value):
            if type(each) is dict and path not in self.objects:
                roles = self.names.of(each)
                if not path or self._leads_on(path, each, roles):
                    self.objects[path], self._roles[path] = each, roles
        self.fields = {path: self._fields(path) for path in self.objects}

    def _leads_on(self, path: Path, each: Mapping[str, Any], roles: Roles) -> bool:
        """Return whether an object is a part of the record, or around it, and neither a value nor another thing."""
        key, outer = path[-1], self._roles.get(path[:-1])
        if outer is None or is_foreign(path):
            return False
        column = next((name for name in self.spec.shown if key in outer.get(name, ())), None)
        if column is None:
            return True
        # Under a word of the interface: two or more other fields beneath, and none beside.
        content = self.spec.content - {column}
        found = {
            name for _, inner in walk(each) if type(inner) is dict for name in self.names.of(inner)
        } & content
        needed = WRAPPED - ("id" in roles and "id" not in outer)
        return column in self._texts and len(found) >= needed and content.isdisjoint(outer)

    def _fields(self, path: Path) -> dict[str, str]:
        """Return the key of each field of an object, its id among them."""
        each, texts = self.objects[path], self._roles[path].columns.items()
        found = {name: key for name, key in texts if FITS[self.spec.shown[name].type](each[key])}
        if key := id_name(each, self.spec, self._known):
            found["id"] = key
        return {name: key for name, key in found.items() if (*path, key) not in self.objects}

    def home(self, pins: Mapping[str, str]) -> Path | None:
        """Return the place of the object with the most fields that is not in a record with an id and a text."""
        content = self.spec.content | {"id"}
        found = [path for path in self.objects if self._is_record(path)]
        own = {
            path
            for path in found
            if "id" in (each := self.fields[path])
            and {"name", self.spec.source} & each.keys()
            and (self.spec.source in each or not self.has_id_as_name(path))
        }
        return max(
            [
                path
                for path in found
                if self._is_named(path) or own.isdisjoint(path[:length] for length in range(len(path)))
            ],
            key=lambda path: (
                len(content & self.fields[path].keys()),
                len(self.fields[path]),
                self._is_named(path),
            ),
            default=next((path for path in self.objects if self._is_bare(path, pins)), None),
        )

    def has_id_as_name(self, path: Path) -> bool:
        """Return whether the name in an object is its id, or a link to it, as with Azure and Google."""
        id, name = (self.objects[path].get(self.fields[path].get(each, "")) for each in ("id", "name"))
        return (
            linked_id(name, self.spec) is not None
            if id is None
            else id_key(str(name), self.spec) == id_key(str(id), self.spec)
        )

    def _is_named(self, path: Path) -> bool:
        """Return whether an object is called as a record of the collection is."""
        return bool(path) and plain_name(path[-1]) in {self.spec.noun, self.spec.name}

    def _is_record(self, path: Path) -> bool:
        """Return whether an object has fields of a record, and is no other thing with an id and a name."""
        fields = self.fields[path]
        content = self.spec.content & fields.keys()
        if not path or not content or self._is_named(path):
            return bool(content)
        is_other = "id" in fields and content <= GENERAL and self._is_in_record(path)
        return len(fields) >= WRAPPED and not is_other

    def _is_in_record(self, path: Path) -> bool:
        """Return whether an object around another has an id."""
        return any("id" in self.fields[path[:length]] for length in range(len(path)))

    def _is_bare(self, path: Path, pins: Mapping[str, str]) -> bool:
        """Return whether an object has a pinned field, or an id and nothing that is unlike a record."""
        nested = {key for key, inner in self.objects[path].items() if type(inner) in (dict, list)}
        is_plain = len(self.fields[path]) > 1 or nested <= REPLY_PARTS
        is_pinned = any(self.pinned([path], pin) for pin in pins.values())
        is_own = "id" in self.fields[path] and not self._is_in_record(path) and not is_foreign(path, ASIDE)
        return is_pinned or (is_own and is_plain)

    def parts(self, base: Path, around: Sequence[Path]) -> dict[str, Path]:
        """Return the places of fields that stand in one part of a record: beside another field, or beside nothing else."""
        content = self.spec.content - GENERAL
        outer = ((name, path, key) for path in around for name, key in self.fields.get(path, {}).items())
        taken = {name: self.objects[path][key] for name, path, key in outer if name in self.spec.content}
        found: dict[str, list[Path]] = {}
        inside = (path for path in self.fields if path[: len(base)] == base and path not in around)
        for path in inside:
            names, each = (fields := self.fields[path]).keys() - {"id"}, self.objects[path]
            # What has a text again, or another value, is another record; what has an id another thing, unless it has them all.
            again = (
                name in self._texts or taken[name] != each[fields[name]] for name in taken.keys() & names
            )
            is_other = any(again) or ("id" in fields and content & taken.keys())
            is_alone = names.isdisjoint(GENERAL) and len(names) == len(each)
            if not is_other and (is_alone or (len(names) >= WRAPPED and content & names)):
                for name in names:
                    found.setdefault(name, []).append((*path, fields[name]))
        return {name: places[0] for name, places in found.items() if len(places) == 1}

    def link(self, path: Path) -> Path | None:
        """Return the place of a link from an object to itself."""
        keys = (
            (*holder, key)
            for holder in ((*path, "_links"), (*path, "links"), path)
            for key in self.names.of(entered(value_at(self.value, holder))).get("self", ())
        )
        places = (place for key in keys for place in (key, (*key, "href")))
        return next(
            (each for each in places if linked_id(value_at(self.value, each), self.spec) is not None), None
        )

    def pinned(self, around: Sequence[Path], pin: str, rows: Sequence[Any] = ()) -> Path | None:
        """Return the place of a pinned field, which starts at the fields or at an object around them."""
        paths = [(*base, *keys) for base in around for keys in ((pin,), pin.split("."))]
        places = (
            path
            for row in rows or (self.value,)
            for path in paths
            if value_at(row, path, MISSING) is not MISSING
        )
        return next(places, None)

    def ids(
        self, home: Path, around: Sequence[Path], rows: Sequence[Any] | None
    ) -> Iterator[tuple[Path, dict[str, tuple[Path, str]]]]:
        """Yield each object around the fields with an id, and the places of what it lends, the most likely first."""
        ids = [(path, (*path, key), NAMED) for path in around if (key := self.fields[path].get("id"))]
        ids.sort(key=lambda each: plain_name(each[1][-1]) not in {"id", f"{self.spec.noun}id"})
        links = [(path, place, LINKED) for path in around if (place := self.link(path))]
        is_inner = rows is None and links and ids and len(links[0][0]) > len(ids[0][0])
        for path, place, why in [*links, *ids] if is_inner else [*ids, *links]:
            yield path, {"id": (place, why)}
        # An object beside the fields that has the id and a time, or the name of the collection.
        for path, fields in self.fields.items():
            is_beside = "id" in fields and path[:-1] in around and path not in around
            is_timed = len(fields) > 1 and self.spec.content.isdisjoint(fields)
            if is_beside and (is_timed or self._is_named(path)):
                yield path[:-1], {name: ((*path, key), BESIDE) for name, key in fields.items()}
        # The only value with a name that ends with "id" and another value in each row.
        others = self.objects[home].keys() - self.fields[home].values()
        keys = id_keys(others)
        keys = [key for key in keys if "id" in words_of(key)] or keys
        values = {key: {str(read_id(value_at(row, (*home, key)))) for row in rows or ()} for key in keys}
        distinct = [key for key in keys if len(values[key]) == len(rows or ()) > 1]
        if len(distinct) == 1:
            yield home, {"id": ((*home, distinct[0]), ALONE)}


def find_layout(
    value: Any,
    spec: ResourceSpec,
    pins: Mapping[str, str],
    rows: Sequence[Any] | None = None,
    known: str = "",
) -> Layout | None:
    """Find where the record of a reply, or each row of a list, has its id and its fields; None if there is no record.

    A pin decides first. The object with the most fields has them, and an outer one with an id and a text of its own
    comes before it. Only the objects around it lend further fields, and where it stands apart from the id the one that
    has it.

    Args:
        value: The reply, or a row.
        spec: The collection.
        pins: The pinned place of each field, dotted if nested.
        rows: All rows of a list.
        known: The key of the id in other records.
    """
    search = _Search(value, spec, known)
    if (home := search.home(pins)) is None:
        return None
    around = [home[:length] for length in range(len(home), -1, -1)]
    at, places = next(search.ids(home, around, rows), (home, {}))
    link = next((path for path, why in places.values() if why == LINKED), None)
    pinned = {name: path for name, pin in pins.items() if (path := search.pinned(around, pin, rows or ()))}
    if "id" in pinned:
        at, link = at[: len(pinned["id"]) - 1], None
    base, at = at, () if rows is not None else at
    for path in [path for path in reversed(around) if len(path) >= len(at)]:
        why = "beside most fields" if path == home else "around the fields"
        places |= {name: ((*path, key), why) for name, key in search.fields[path].items() if name != "id"}
    places |= {
        name: (path, BENEATH) for name, path in search.parts(base, around).items() if name not in places
    }
    shown = [key for key in search.objects[home] if plain_name(key) == "displayname"]
    if shown and ("name" not in places or search.has_id_as_name(places["name"][0][:-1])):
        places["name"] = (*home, shown[0]), DISPLAYED
    places |= {name: (path, PINNED) for name, path in pinned.items()}
    moved = {
        name: path[len(at) :]
        for name, (path, reason) in places.items()
        if reason in (PINNED, DISPLAYED, BESIDE, BENEATH)
    }
    return Layout(
        at,
        home[len(at) :],
        tuple((home[len(at) : place], home[place]) for place in reversed(range(len(at), len(home)))),
        moved,
        link and link[len(at) :],
        {name: (".".join(path[len(at) :]), reason) for name, (path, reason) in places.items()},
        is_flat=at == home and not moved and link is None,
    )


#: Why a field is read from a place that is not among the keys of the record itself.
PINNED, DISPLAYED, NAMED, LINKED, BESIDE, ALONE, BENEATH = (
    "pinned", "its name for display", "by its name", "its link to itself", "beside the fields, with the id", "the only id that differs in each record",
    "in a part of the record",
)  # fmt: skip
#: Keys that may be those of an id.
ID_KEY: Final = re.compile(r"\w{1,28}[Ii][Dd]")


def id_keys(keys: Iterable[str]) -> list[str]:
    """Return the keys that may be those of an id without a usual name."""
    return [key for key in keys if ID_KEY.fullmatch(key) and not is_foreign((key,))]


def id_name(record: Mapping[str, Any], spec: ResourceSpec, known: str = "") -> str | None:
    """Return the key of the id of a record with its id at the top level; one that was rounded to a float counts."""
    if type(record.get("id")) is int and "documentId" not in record:
        return "id"  # the usual format
    ids = (*NAMES[spec.name].of(record).get("id", ()), *({known} & record.keys()))
    return next((key for key in ids if read_id(record[key]) is not None or type(record[key]) is float), None)


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
