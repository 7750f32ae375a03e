"""Error bodies of any shape, parsed into a message and the messages by field."""

from __future__ import annotations

import re
from http import HTTPStatus
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MESSAGES", "fields_named_in", "read_error_text", "read_message", "read_refusal"]

#: Keys of the message in lower case, the most informative first.
MESSAGES: Final = (
    "message",
    "defaultmessage",
    "detail",
    "error_description",
    "error",
    "_error",
    "msg",
    "reason",
    "description",
    "title",
    "fault",
    "faultstring",
    "info",
)
#: Those that are never fields of a record, so that a list under them never belongs to a field.
SPOKEN: Final = frozenset({"message", "messages", "detail", "error", "errors", "msg"})
#: Names of messages in services without a common error format.
SPEAKING: Final = re.compile(
    "message|msg|error|detail|reason|hint|descri|title|fault|info|expla|cause|problem|code", re.IGNORECASE
)
#: Keys beside a message that people do not read, and those of what was sent.
UNREAD: Final = re.compile(
    "trace|stack|debug|url|link|href|type|input|payload|submitted|received", re.IGNORECASE
)
#: Keys that hold messages by field, as a mapping or a list.
DETAILS: Final = ("errors", "fields", "error_fields", "invalid-params", "invalid_params", "violations",
                  "details", "detail", "validation_errors", "fieldErrors", "issues", "_issues",
                  "extra")  # fmt: skip
NAMES: Final = ("field", "param", "parameter", "property", "propertyPath", "instancePath", "dataPath", "path", "loc", "pointer", "name",
                "target", "source", "key", "keys", "extensions", "params")  # fmt: skip
#: Locations of a value that are not part of the field name.
PLACES: Final = frozenset({"body", "query", "form", "path", "header", "data", "attributes", "request", "querystring", "params",
                           "fields", "#", "$", ""})  # fmt: skip
#: Keys of a field in an object that describes its place.
POINTERS: Final = ("pointer", "parameter", "field", "missingProperty", "additionalProperty")
#: The most fields, messages that are read, and objects in one another; for a place fewer.
MOST_FIELDS: Final = 50
MOST_MESSAGES: Final = 1000
DEEPEST: Final = 30
NEAR: Final = 3
#: The names of the statuses, which say less than any sentence.
PHRASES: Final = frozenset(status.phrase.casefold() for status in HTTPStatus)
#: The most sentences of a message.
SENTENCES: Final = 3
#: A field at the beginning of a line, as in ``name: too long``.
LEADING: Final = re.compile(r"\s*(\w+):\s+(\S.*)")
#: A field within a message, as in ``missing field `name` `` and ``body/name must be string``.
QUOTED: Final = re.compile(r"[`'\"\u2018\u201c](\w+)[`'\"\u2019\u201d]|\bbody[/.](\w+)\b")
#: The fields that a request may send.
SENT: Final = frozenset(name for spec in RESOURCES.values() for name in (*spec.creates, *spec.updates))
#: The number of bytes of a text that are read, and of lines of a short one.
MOST_BYTES: Final = 4096
FEW_LINES: Final = 4


def read_error_text(body: bytes) -> str:
    """Return the text of an error body that is not JSON; empty for web pages and other formats.

    Of a long text, such as one with a traceback, only the first line is returned.
    """
    text = body[:MOST_BYTES].decode("utf-8", "replace").strip()
    if not text or text[0] in "<{[" or "\0" in text or text.count("\ufffd") > 1:
        return ""
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(lines if len(lines) <= FEW_LINES else lines[:1])


def fields_named_in(message: str) -> dict[str, list[str]]:
    """Return the messages by field of a plain text, which names fields of the interface.

    Args:
        message: The text, with one field a line or with the field in quotes.
    """
    lines = [found for line in message.splitlines() if (found := LEADING.fullmatch(line))]
    fields = {line[1]: [line[2]] for line in lines if line[1] in SENT}
    if not fields:
        names = (first or second for first, second in QUOTED.findall(message))
        fields = {name: [message] for name in names if name in SENT}
    return fields


def read_refusal(value: Any) -> tuple[str, dict[str, list[str]]]:
    """Parse the message and the messages by field from an error body of any shape.

    A message belongs to the field that its key or a value beside it names, however deep it stands. The fields of
    the interface come first. Of the others the longest sentences are the message.
    """
    fields: dict[str, list[str]] = {}
    others: list[str] = []
    for name, text in islice(_messages(value), MOST_MESSAGES):
        (fields.setdefault(name, []) if name else others).append(text)
    ordered = sorted(fields.items(), key=lambda item: not _is_sent(item[0]))
    told = [text for texts in fields.values() for text in texts]
    more = [text for text in others if not any(part in text for part in told)]
    return _sentences(more or others or told[:1]), dict(ordered[:MOST_FIELDS])


def read_message(value: Any) -> str:
    """Return what a reply says under a name that no record has; empty if it says nothing."""
    spoken = value if isinstance(value, dict) else {}
    return read_refusal({k: v for k, v in spoken.items() if k.lower() in SPOKEN})[0]


def _sentences(texts: list[str]) -> str:
    """Return the longest sentences in their order; words without a sentence, such as codes, only if there is none."""
    distinct = [*dict.fromkeys(text for text in texts if text.strip())]
    telling = [text for text in distinct if text.casefold() not in PHRASES] or distinct
    said = [text for text in telling if " " in text.strip()] or telling
    kept = sorted(said, key=len, reverse=True)[:SENTENCES]
    return "; ".join(text for text in said if text in kept)


def _messages(
    value: Any, field: str = "", *, by_field: bool = False, listed: bool = False, depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Yield each message with its field, or without one.

    Args:
        value: A part of the body.
        field: The field that it is about.
        by_field: Whether its keys are fields.
        listed: Whether it is an entry of a list.
        depth: The number of parts around it.
    """
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, list) and not field and _is_texts(value):
        yield "", "; ".join(value[:MOST_FIELDS])
    elif isinstance(value, list) and depth < DEEPEST:
        for each in value[:MOST_FIELDS]:
            yield from _messages(each, field, listed=True, depth=depth + 1)
    elif isinstance(value, dict) and depth < DEEPEST:
        texts = _texts(value)
        best = next((text for text in texts if " " in text.strip()), next(iter(texts), ""))
        place = "" if field or by_field else _place(value, listed=listed)
        if best and field:
            yield field, best
        elif place:
            yield from _about(place, value, best, depth)
            yield from (("", text) for text in texts if not listed and text != best)
        else:
            failed = ("data",) if value.get("status") == "fail" else ()
            for name in sorted(value, key=_rank):
                yield from _beneath(
                    name, value[name], field, texts, by_field, name in (*DETAILS, *failed), depth
                )


def _about(place: str, entry: dict[str, Any], best: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the message of an object that names its field, and those of the lists within."""
    code = [entry["code"]] if isinstance(entry.get("code"), str) else []
    rest = (text for inner in entry.values() if isinstance(inner, dict) for text in _strings(inner))
    found = [text for text in (best, *code, *rest) if text and _field_name(text) != place]
    yield from ((place, text) for text in found[:1])
    for inner in entry.values():
        if isinstance(inner, list) and not _is_texts(inner):
            yield from _messages(inner, depth=depth + 1)


def _beneath(
    name: str, value: Any, field: str, texts: list[str], by_field: bool, holds_fields: bool, depth: int
) -> Iterator[tuple[str, str]]:
    """Yield the messages under one key of an object without a field or a message of its own."""
    speaks, own = name.lower() in SPOKEN, _field_name(name)
    if field:
        # Zod has the messages of an object beside those of its fields.
        parts = (field, "" if name == "_errors" else own)
        yield from _messages(value, ".".join(filter(None, parts)), depth=depth + 1)
    elif isinstance(value, str):
        if by_field and not speaks:
            yield own or name, value
        elif value in texts:
            yield "", value
        elif not texts and not depth and _is_sent(own) and " " in value.strip():
            yield own, value
    elif UNREAD.search(name) and not by_field:
        return
    elif not speaks and (_is_sent(own) or (by_field and not holds_fields)):
        yield from _messages(value, own, by_field=not own, depth=depth + 1)
    elif not SPEAKING.search(name) and not depth and isinstance(value, list) and _is_texts(value):
        yield from ((own, text) for text in value)  # Django sends fields beside a message
    elif isinstance(value, (dict, list)) and (SPEAKING.search(name) or not _is_texts(value)):
        yield from _messages(value, by_field=holds_fields, depth=depth + 1)


def _texts(entry: dict[str, Any]) -> list[str]:
    """Return the messages of an object itself, the most informative first."""
    return [entry[name] for name in sorted(entry, key=_rank) if _speaks(name, entry[name])]


def _rank(name: str) -> int:
    return MESSAGES.index(name.lower()) if name.lower() in MESSAGES else len(MESSAGES)


def _speaks(name: str, text: Any) -> bool:
    if not isinstance(text, str) or not text.strip():
        return False
    is_message = SPEAKING.search(name) and not UNREAD.search(name) and " " in text.strip()
    return name.lower() in MESSAGES or bool(is_message)


def _place(entry: dict[str, Any], *, listed: bool) -> str:
    """Return the field that a value of an object names; one that is never sent only in an entry of a list."""
    named = [name for name in NAMES if name in entry]
    for name in (*named, *(name for name in entry if name.lower() not in MESSAGES)):
        for text in _strings(entry[name]):
            if _is_sent(found := _field_name(text)):
                return found
    for name in named if listed else ():
        place = entry[name]
        if isinstance(place, dict):
            place = next((place[key] for key in POINTERS if isinstance(place.get(key), str)), None)
        for text in _strings(place):
            if found := _field_name(text):
                return found
    return ""


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the values of an object without messages; a list of steps is one path."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value and all(isinstance(step, (str, int)) for step in value):
        steps = [str(step) for step in value]
        yield steps[0] if all(_is_sent(_field_name(step)) for step in steps) else "/".join(steps)
    elif isinstance(value, dict) and depth < NEAR and not _texts(value):
        for inner in value.values():
            yield from _strings(inner, depth + 1)


def _field_name(place: str) -> str:
    name = ".".join(part for part in re.split(r"[/.]", place) if part not in PLACES)
    return name[:1].lower() + name[1:]


def _is_sent(name: str) -> bool:
    return name.partition(".")[0] in SENT


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)
