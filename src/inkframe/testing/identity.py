"""Identifiers as services show them: numbers, texts, UUIDs; each can be read back."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

__all__ = ["read_id", "write_id"]

#: An odd number scrambles 64 bits without a clash, so that UUIDs do not come in the order of creation.
SCRAMBLE: Final = 0x9E3779B97F4A7C15
WORD: Final = 2**64
LARGEST: Final = 2**63


def write_id(form: str, number: int) -> Any:
    """Give the identifier that a dialect shows for a record's number."""
    match form:
        case "text":
            return str(number)
        case "padded":
            return f"{number:06}"
        case "hex":
            return f"{0x65A0000000000000:016x}{number:08x}"
        case "uuid":
            return str(_uuid(number))
        case _:
            return number


def read_id(form: str, text: str) -> int | None:
    """Give the number of the record that an identifier stands for, or None where it can be none."""
    try:
        number = _number(form, text)
    except ValueError:
        return None
    same = 0 <= number < LARGEST and str(write_id(form, number)) == text
    return number if same else None


def _number(form: str, text: str) -> int:
    if form == "hex":
        return int(text[16:], 16)
    if form == "uuid":
        bits = UUID(text).int
        return ((bits >> 80) << 16 | bits & 0xFFFF) * pow(SCRAMBLE, -1, WORD) % WORD
    if not text.isdecimal() or len(text) > 20:  # 64 bits have no more digits
        raise ValueError(text)
    return int(text)


def _uuid(number: int) -> UUID:
    scrambled = number * SCRAMBLE % WORD
    # Bits 76 and 62 hold the version and the variant of a random UUID.
    return UUID(int=(scrambled >> 16) << 80 | 0x4 << 76 | 0x2 << 62 | scrambled & 0xFFFF)
