"""What was sent, compared with what a service shows: field by field, and whether a record is the one of a create."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from inkframe.schema import ResourceSpec

__all__ = [
    "KeptFields",
    "Sameness",
    "Verdict",
    "compare",
    "is_recognized",
    "judge",
    "plain",
    "same_content",
    "with_unsent",
]

#: How a shown value relates to the one that was sent: ``version`` is what services make of values, ``hidden`` is not shown.
Sameness = Literal["same", "version", "other", "hidden"]
#: Whether a record is that of a create: ``doubtful`` may be.
Verdict = Literal["ours", "doubtful", "other"]
#: The maximum difference of equal numbers.
CLOSE: Final = 1e-9
#: The maximum difference of a number that was rounded to tenths, or to an integer.
TENTH: Final = 0.05 + CLOSE
WHOLE: Final = 0.5 + CLOSE
#: The least number of characters by which a longer or shorter version of a text is recognized.
RECOGNIZABLE: Final = 4
#: Parts that services remove from texts, or replace by hyphens: tags, punctuation and white space.
BETWEEN: Final = re.compile(r"(?:<[^<>]*>|[\W_])+")


def compare(sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Sameness]:
    """Compare what was sent with what a record shows, field by field.

    Args:
        sent: The values that were sent; None is a field that was not sent, which services may fill.
        shown: The values of the record; None is not shown.
    """
    return {
        name: "same" if value == shown.get(name) else same_content(value, shown.get(name))
        for name, value in sent.items()
    }


def judge(spec: ResourceSpec, comparison: Mapping[str, Sameness], made: Collection[str] = ()) -> Verdict:
    """Return whether a record is that of a create, by its comparison with what was sent.

    Args:
        spec: The collection.
        comparison: How each field compares.
        made: The fields of which this service is known to show versions.
    """
    if "other" in comparison.values():
        return "other"
    texts = {comparison[name] for name in ("name", spec.source) if name in comparison}
    unknown = [name for name, each in comparison.items() if each == "version" and name not in made]
    is_whole = "hidden" not in comparison.values() or "version" not in comparison.values()
    return "ours" if not unknown and "hidden" not in texts and is_whole else "doubtful"


def same_content(sent: Any, shown: Any) -> Sameness:
    """Compare a sent value with the value in a reply.

    Line endings and leading or trailing whitespace are ignored, since services change both; whitespace inside
    a text counts. An empty text may be returned as null. In a version of the value, services change case, accents,
    punctuation and white space, escape or remove tags, cut off the end, add words, and round numbers.

    Args:
        sent: The value that was sent, or None.
        shown: The value in the reply, or None.
    """
    if sent == shown:
        return "same"
    if shown is None and sent != "":
        return "hidden"
    if isinstance(sent, bool) or isinstance(shown, bool):
        return "other"
    if isinstance(shown, int | float) and sent is not None:
        difference = abs(shown - float(sent))
        rounded = WHOLE if float(shown).is_integer() else TENTH
        return "same" if difference < CLOSE else "version" if difference <= rounded else "other"
    if plain(sent) == plain(shown):
        return "same"
    whole, part = (_words(plain(text)) for text in (sent, shown))
    if len(part) > len(whole):
        # With boundaries, since any text contains the letters of a short one.
        is_version = len(whole) >= RECOGNIZABLE and f" {whole} " in f" {part} "
    else:
        is_version = part == whole != "" or (len(part) >= RECOGNIZABLE and whole.startswith(part))
    return "version" if is_version else "other"


def plain(text: object) -> str:
    """Return a text with one kind of line end, and without the white space around it; None is empty."""
    return "" if text is None else str(text).replace("\r\n", "\n").replace("\r", "\n").strip()


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
    found = {name: each for name, each in compare(fields, shown).items() if shown.get(name) is not None}
    texts = [name for name in ("name", spec.source) if name in found]
    recognized = [name for name in texts if found[name] != "other"]
    if wholly:
        return spec.source in recognized and recognized == texts
    settings = () if shown.get(spec.source) is not None else spec.settings
    return bool(recognized) or any(found.get(name, "other") != "other" for name in settings)


def with_unsent(spec: ResourceSpec, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a create with None for each optional one that was not sent."""
    optional = (name for name, field in spec.creates.items() if field.create == "optional")
    return {**dict.fromkeys(optional), **fields}


class KeptFields:
    """The fields of which a service has shown on records of this client that it keeps or changes them."""

    def __init__(self) -> None:
        #: By field, and whether it was not sent, since services fill such fields: whether a value was changed.
        self._changed: dict[tuple[str, bool], bool] = {}

    def learn(self, sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Any]:
        """Store what became of the fields of a record; return the values that differ from those that were sent.

        Args:
            sent: The values that were sent; None is a field that was not sent.
            shown: The values of the record; None is not shown.
        """
        changed = {name: each != "same" for name, each in compare(sent, shown).items() if each != "hidden"}
        for name, is_changed in changed.items():
            key = name, sent[name] is None
            self._changed[key] = self._changed.get(key, False) or is_changed
        return {
            name: shown[name] for name, is_changed in changed.items() if is_changed and sent[name] is not None
        }

    def compare(self, sent: Mapping[str, Any], shown: Mapping[str, Any]) -> dict[str, Sameness]:
        """Compare what was sent with what a record shows, without the fields that this service fills itself.

        Args:
            sent: The values that were sent; None is a field that was not sent.
            shown: The values of the record; None is not shown.
        """
        found = compare(sent, shown)
        for name in [name for name, value in sent.items() if value is None and found[name] != "same"]:
            # What was not sent may be filled; a service that was seen to leave it empty shows another record.
            is_changed = self._changed.get((name, True))
            found[name] = "other" if is_changed is False else "same" if is_changed else "version"
        return found

    def is_kept(self, name: str) -> bool:
        """Return whether every value of a field that was sent was shown as it was."""
        return self._changed.get((name, False)) is False

    @property
    def changed(self) -> set[str]:
        """The fields of which a version was shown."""
        return {
            name for (name, is_unsent), is_changed in self._changed.items() if is_changed and not is_unsent
        }
