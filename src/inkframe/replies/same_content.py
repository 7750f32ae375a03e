"""What was sent, compared with what a service shows: the same content, a recognized record, the fields that it keeps."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.schema import ResourceSpec

__all__ = [
    "KeptFields",
    "Sameness",
    "content_mark",
    "differences",
    "is_recognized",
    "is_version",
    "same_content",
    "with_unsent",
]

Sameness = Literal["same", "other", "not shown"]
#: The maximum difference of equal numbers.
CLOSE: Final = 1e-9
#: The maximum difference of a number that was rounded to tenths, or to an integer.
TENTH: Final = 0.05 + CLOSE
WHOLE: Final = 0.5 + CLOSE
#: The least number of characters by which a longer or shorter version of a text is recognized.
RECOGNIZABLE: Final = 4
#: The kinds of characters that services replace or keep; each other character is a kind of its own.
KINDS: Final = {
    "not ASCII": re.compile(r"[^\x00-\x7f]"),
    "upper case": re.compile(r"[A-Z]"),
    "lower case": re.compile(r"[a-z]"),
    "digit": re.compile(r"[0-9]"),
    "two spaces": re.compile(r"  "),
}
OTHER: Final = re.compile(r"[\x00-/:-@\[-`{-\x7f]")
#: Parts that services remove from texts, or replace by hyphens: tags, punctuation and white space.
BETWEEN: Final = re.compile(r"(?:<[^<>]*>|[\W_])+")


def same_content(sent: Any, shown: Any) -> Sameness:
    """Compare a sent value with the value in a reply.

    Line endings and leading or trailing whitespace are ignored, since services change both; whitespace inside
    a text counts. An empty text may be returned as null.

    Args:
        sent: The value that was sent, or None.
        shown: The value in the reply, or None.
    """
    if sent == shown:
        return "same"
    if shown is None and sent != "":
        return "not shown"
    if isinstance(sent, bool) or isinstance(shown, bool):
        return "other"
    if isinstance(shown, int | float) and sent is not None:
        is_same = abs(shown - float(sent)) < CLOSE
    else:
        is_same = _plain(sent) == _plain(shown)
    return "same" if is_same else "other"


def _plain(text: object) -> str:
    return "" if text is None else str(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def is_version(sent: Any, shown: Any) -> bool:
    """Return whether a service may have made a value of a reply from the one that was sent.

    Services change case, accents, punctuation and white space, escape or remove tags, cut off the end, add words,
    and round numbers.

    Args:
        sent: The value that was sent.
        shown: The value in the reply; None is not shown, and therefore no version.
    """
    if shown is None or sent is None:
        return False
    if sent == shown or same_content(sent, shown) == "same":
        return True
    if isinstance(sent, bool) or isinstance(shown, bool):
        return False
    if isinstance(shown, int | float):
        return abs(shown - float(sent)) <= (WHOLE if float(shown).is_integer() else TENTH)
    whole, part = _words(str(sent)), _words(str(shown))
    if len(part) > len(whole):
        # With boundaries, since any text contains the letters of a short one.
        return len(whole) >= RECOGNIZABLE and f" {whole} " in f" {part} "
    return part == whole != "" or (len(part) >= RECOGNIZABLE and whole.startswith(part))


def _words(text: str) -> str:
    """Return the words of a text in lower case, without accents, tags and punctuation."""
    letters = unicodedata.normalize("NFKD", unescape(text))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return BETWEEN.sub(" ", bare).casefold().strip()


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
    texts = [name for name in ("name", spec.source) if name in fields and shown.get(name) is not None]
    recognized = [name for name in texts if is_version(fields[name], shown[name])]
    if wholly:
        return spec.source in recognized and recognized == texts
    settings = () if shown.get(spec.source) is not None else spec.settings
    return bool(recognized) or any(is_version(fields.get(name), shown.get(name)) for name in settings)


def differences(fields: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a record that differ from those that were sent, by field."""
    return {
        name: shown[name] for name, value in fields.items() if same_content(value, shown[name]) == "other"
    }


def with_unsent(spec: ResourceSpec, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a create with None for each optional one that was not sent."""
    optional = (name for name, field in spec.creates.items() if field.create == "optional")
    return {**dict.fromkeys(optional), **fields}


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

    def learn(self, sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
        """Store what became of the fields of a record; return the values that differ from those that were sent.

        Args:
            sent: The values that were sent; None is a field that was not sent.
            shown: The values of the record; None is not shown.
        """
        instead = {}
        for name, value in sent.items():
            key = (name, value is None)
            match same_content(value, shown.get(name)):
                case "same":
                    before, now = self._kept.get(key, _Kept()), _measure(value)
                    self._kept[key] = _Kept(max(before.length, now.length), before.kinds | now.kinds)
                case "other":
                    self._changed.add(key)
                    if value is not None:
                        instead[name] = shown[name]
        return instead

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
    kinds = {name for name, characters in KINDS.items() if characters.search(text)}
    return _Kept(len(text), frozenset(kinds.union(OTHER.findall(text))))


def content_mark(value: Any) -> str:
    """Return a short hash of a value, which is the same for other line endings and whitespace around a text."""
    return hashlib.sha256(_plain(str(value)).encode("utf-8", "surrogatepass")).hexdigest()[:8]
