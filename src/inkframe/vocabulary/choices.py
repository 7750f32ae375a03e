"""One allowed value, and the lists of them that ship as data files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from inkframe.errors import InvalidArgument
from inkframe.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Choice", "read_choices", "refuse"]

#: More allowed values than this are counted in an error instead of listed.
LISTED = 16
#: A longer value is quoted in part.
QUOTED = 60


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of the service and the words people read for it.

    Args:
        code: What travels on the wire, such as ``pop_art``.
        label: What people read, such as ``Pop art``.
    """

    code: str
    label: str


@cache
def read_choices(name: str) -> tuple[Choice, ...]:
    """Give the choices of a data file of this folder.

    Args:
        name: The plural noun that names the file, such as ``styles``.
    """
    text = files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    return tuple(Choice(**entry) for entry in json.loads(text))


def refuse(field: str, value: object, allowed: Iterable[str], *, hint: str | None = None) -> InvalidArgument:
    """Build the error for a value outside its list: the value, the nearest match, what is allowed.

    Args:
        field: The argument's name.
        value: What was given.
        allowed: Every value that would do.
        hint: A last line to say instead of the nearest match.
    """
    values = list(allowed)
    close = hint or ((found := nearest(value, values)) and f"Did you mean {found!r}?")
    lines = [f"{field}={_short(value)} is not known to this service."]
    lines += [close] if close else []
    if not values:
        lines.append(f"This service has no {field}: leave it out.")
    elif len(values) <= LISTED:
        lines.append(f"Allowed: {', '.join(values)}.")
    else:
        lines.append(f"There are {len(values)} allowed values: client.vocabulary.{field}s lists them.")
    return InvalidArgument("\n".join(lines))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"
