"""The identity of records: whether two ids, or an id and a record, are of the same record."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from inkframe.replies.field_mapping import ID_NAMES
from inkframe.replies.field_names import fold
from inkframe.replies.fields import linked_id
from inkframe.replies.values import read_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import ResourceSpec

__all__ = ["aliases_of", "id_key"]

#: Names of values by which services find a record besides its id.
ALIAS_NAMES: Final = (*ID_NAMES, "slug", "permalink", "handle", "short_id", "public_id")
UUID_FORM: Final = re.compile(
    r"(?:urn:uuid:)?\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?", re.IGNORECASE
)


def id_key(id: int | str, spec: ResourceSpec) -> str:
    """Return the text by which ids are compared: without the link around it, and a UUID without its case."""
    linked = linked_id(id, spec)
    text = str(id if linked is None else linked)
    if UUID_FORM.fullmatch(text):
        return text.lower().removeprefix("urn:uuid:").strip("{}").replace("-", "")
    return text


@cache
def _alias_names(noun: str) -> frozenset[str]:
    return frozenset(fold(name) for name in (*ALIAS_NAMES, f"{noun}_id", f"{noun}_slug"))


def aliases_of(record: Mapping[str, Any], spec: ResourceSpec) -> frozenset[str]:
    """Return the keys of all values of a record by which a service may find it, such as its slug."""
    names = _alias_names(spec.noun)
    found = (read_id(value) for name, value in record.items() if fold(name) in names)
    return frozenset(id_key(id, spec) for id in found if id is not None)
