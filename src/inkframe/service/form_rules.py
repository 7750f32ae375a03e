"""The parameters of the interface as data: how each is read, what is refused, how it is described."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from inkframe.errors import InvalidArgument
from inkframe.service.error_responses import Invalid
from inkframe.vocabulary.choices import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from inkframe.vocabulary import Vocabulary

__all__ = ["Field", "choice", "creativity", "flag", "read_fields", "text", "whole"]

#: The largest number that every reader of JSON keeps exactly.
LARGEST = 2**53 - 1
DIGITS = re.compile("[0-9]{1,16}")


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter of a request.

    Args:
        name: The interface's name for it.
        read: Turns what was sent into a value; a ``ValueError`` says why it does not do.
        schema: The same as JSON Schema, for the description of the service.
        required: Whether a request without it is refused.
        default: The value where nothing is sent; None adds nothing.
    """

    name: str
    read: Callable[[str], Any]
    schema: Mapping[str, Any]
    required: bool = False
    default: Any = None

    def needed(self) -> Field:
        """Give the same field, required."""
        return replace(self, required=True)


def read_fields(fields: Iterable[Field], sent: Mapping[str, str | list[str]]) -> dict[str, Any]:
    """Read what was sent; a repeated field counts with its last value, an unknown one is passed over.

    Raises:
        Invalid: One or more values do not do; has the messages of all of them.
    """
    values: dict[str, Any] = {}
    errors: dict[str, list[str]] = {}
    for field in fields:
        value = sent.get(field.name)
        if value is None:
            if field.required:
                errors[field.name] = [f"The {field.name} is required."]
            elif field.default is not None:
                values[field.name] = field.default
            continue
        try:
            values[field.name] = field.read(value if isinstance(value, str) else value[-1])
        except ValueError as error:
            errors[field.name] = [str(error)]
    if errors:
        raise Invalid(errors)
    return values


def text(name: str, *, limit: int | None = None, strip: bool = False, empty: bool = False) -> Field:
    """Describe a text, kept as it was sent.

    Args:
        name: The parameter.
        limit: The most characters it may have.
        strip: Whether space around it is dropped.
        empty: Whether it may be empty.
    """

    def read(value: str) -> str:
        kept = value.strip() if strip else value
        if not empty and not kept.strip():
            raise ValueError(f"The {name} must not be empty.")
        if limit and len(kept) > limit:
            raise ValueError(f"The {name} has {len(kept)} characters; at most {limit} are kept.")
        return kept

    schema: dict[str, Any] = {"type": "string"}
    if not empty:
        schema |= {"minLength": 1, "pattern": r"\S"}
    if limit:
        schema["maxLength"] = limit
    return Field(name, read, schema)


def choice(name: str, allowed: Iterable[str], default: str | None = None) -> Field:
    """Describe a value of a list."""
    codes = {code: code for code in allowed}

    def read(value: str) -> str:
        if value in codes:
            return value
        raise _unknown(name, value, codes)

    return Field(name, read, {"type": "string", "enum": list(codes)}, default=default)


def whole(
    name: str, *, allowed: Iterable[int] = (), minimum: int | None = None, default: int | None = None
) -> Field:
    """Describe a whole number: one of a list, or any from a minimum on."""
    known = {str(number): number for number in allowed}

    def read(value: str) -> int:
        if known:
            if value not in known:
                raise _unknown(name, value, known)
            return known[value]
        if DIGITS.fullmatch(value) and (minimum or 0) <= (number := int(value)) <= LARGEST:
            return number
        raise ValueError(f"The {name} {_short(value)} is not a whole number from {minimum} on.")

    schema: dict[str, Any] = {"type": "integer"}
    schema |= {"enum": list(known.values())} if known else {"minimum": minimum, "maximum": LARGEST}
    return Field(name, read, schema, default=default)


def flag(name: str) -> Field:
    """Describe a yes or no."""
    meanings = {"1": True, "0": False, "true": True, "false": False}

    def read(value: str) -> bool:
        if value not in meanings:
            raise _unknown(name, value, meanings)
        return meanings[value]

    return Field(name, read, {"type": "string", "enum": list(meanings)})


def creativity(vocabulary: Vocabulary, default: float) -> Field:
    """Describe a step of the creativity scale, sent as a number."""
    steps = vocabulary.codes("creativity")

    def read(value: str) -> float:
        try:
            return float(vocabulary.creativity(float(value)))
        except (InvalidArgument, ValueError):
            raise _unknown("creativity", value, steps) from None

    return Field(
        "creativity", read, {"type": "number", "enum": [float(step) for step in steps]}, default=default
    )


def _unknown(name: str, value: str, allowed: Iterable[str]) -> ValueError:
    close = nearest(value, allowed)
    advice = f" Did you mean {close!r}?" if close else ""
    return ValueError(
        f"The {name} {_short(value)} is not known.{advice} Allowed: {', '.join(allowed) or 'none'}."
    )


def _short(value: str) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"
