"""One allowed value, and the lists of values that ship as data files."""

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
    """A value of the service and its label.

    Args:
        code: The value that is sent, such as ``pop_art``.
        label: The text that people read, such as ``Pop art``.
    """

    code: str
    label: str


@cache
def read_choices(name: str) -> tuple[Choice, ...]:
    """Read the choices of a data file in this package.

    Args:
        name: The plural noun that names the file, such as ``styles``.
    """
    text = files(__package__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    return tuple(Choice(**entry) for entry in json.loads(text))


def refuse(field: str, value: object, allowed: Iterable[str], *, hint: str | None = None) -> InvalidArgument:
    """Build the error for a value outside its list: the value, the nearest match and the allowed values.

    Args:
        field: The argument's name.
        value: The value that was passed.
        allowed: Every allowed value.
        hint: A line to show instead of the nearest match.
    """
    values = list(allowed)
    close = hint or ((found := nearest(value, values)) and f"Did you mean {found!r}?")
    lines = [f"{field}={_short(value)} is invalid."]
    lines += [close] if close else []
    if not values:
        lines.append(f"This service has no {field}: leave it out.")
    elif len(values) <= LISTED:
        lines.append(f"Allowed: {', '.join(values)}.")
    else:
        lines.append(f"client.vocabulary.{field}s lists the {len(values)} allowed values.")
    return InvalidArgument("\n".join(lines))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"
