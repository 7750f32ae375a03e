"""The fields of records that a service keeps word for word, and which it changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inkframe.replies.same_content import is_version, same_content

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KeptFields"]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The texts of a field that were kept: the length of the longest, and the kinds of characters in them."""

    length: int = 0
    kinds: frozenset[str] = frozenset()


class KeptFields:
    """The fields that a service has shown on records of this client, compared with what was sent.

    A field that was kept once shows that another value is no version of it, but not that longer texts are not cut
    off, or that other characters are not replaced.
    """

    def __init__(self) -> None:
        # A field that was not sent is separate, since services fill it with a default.
        self._kept: dict[tuple[str, bool], _Kept] = {}
        self._changed: set[tuple[str, bool]] = set()

    def learn(self, sent: Mapping[str, Any], shown: Mapping[str, Any]) -> None:
        """Store what became of the fields of a record.

        Args:
            sent: The values that were sent; None is a field that was not sent.
            shown: The values of the record; None is not shown.
        """
        for name, value in sent.items():
            key = (name, value is None)
            match same_content(value, shown.get(name)):
                case "same":
                    before, now = self._kept.get(key, _Kept()), _measure(value)
                    self._kept[key] = _Kept(max(before.length, now.length), before.kinds | now.kinds)
                case "other":
                    self._changed.add(key)

    def keeps(self, name: str, value: Any) -> bool:
        """Return whether a value was kept that is as long and has the same kinds of characters."""
        kept, asked = self._kept.get((name, value is None)), _measure(value)
        return (
            kept is not None
            and not self.changes(name, value)
            and asked.length <= kept.length
            and asked.kinds <= kept.kinds
        )

    def changes(self, name: str, value: Any) -> bool:
        """Return whether the service changed a value of a field."""
        return (name, value is None) in self._changed

    def excludes(self, name: str, sent: Any, shown: Any) -> bool:
        """Return whether a record with one value cannot be the one for which another value was sent."""
        if same_content(sent, shown) != "other":
            return False
        if is_version(sent, shown):
            return self.keeps(name, sent)
        return (name, sent is None) in self._kept and not self.changes(name, sent)


def _measure(value: Any) -> _Kept:
    text = "" if value is None else str(value).strip()
    return _Kept(len(text), frozenset(map(_kind, text)) | ({"two spaces"} if "  " in text else set()))


def _kind(character: str) -> str:
    if not character.isascii():
        return "not ASCII"
    if character.isalpha():
        return "upper case" if character.isupper() else "lower case"
    return "digit" if character.isdecimal() else character
