"""Error bodies of any shape, parsed into a message and the messages by field."""

from __future__ import annotations

import re
from http import HTTPStatus
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from inkframe.http.body import Path, entered, walk
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
    "message|msg|error|detail|reason|hint|descri|title|fault|info|expla|cause|problem|code|diagnos",
    re.IGNORECASE,
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
#: The most fields, messages that are read, keys to the place of a value, and sentences of a message.
MOST_FIELDS, MOST_MESSAGES, NEAR, SENTENCES = 50, 1000, 3, 3
#: The names of the statuses, which say less than any sentence.
PHRASES: Final = frozenset(status.phrase.casefold() for status in HTTPStatus)
#: A field at the beginning of a line, as in ``name: too long``.
LEADING: Final = re.compile(r"\s*(\w+):\s+(\S.*)")
#: A language with its country in the path of a value.
LANGUAGE: Final = re.compile(r"[a-z]{2}-[A-Z]{2}")
#: The fields that a request may send.
SENT: Final = frozenset(name for spec in RESOURCES.values() for name in (*spec.creates, *spec.updates))
#: A field within a message, as in ``missing field `name` `` and ``body/properties/name must be string``.
QUOTED: Final = re.compile(
    rf"[`'\"\u2018\u201c](\w+)[`'\"\u2019\u201d]|\bbody(?:[/.]\w{{1,40}}){{0,3}}?[/.]({'|'.join(SENT)})\b"
)
#: The number of bytes of a text that are read, and of lines of a short one.
MOST_BYTES, FEW_LINES = 4096, 4


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
    lines = [
        found for line in message.splitlines() if (found := LEADING.fullmatch(line)) and found[1] in SENT
    ]
    quoted = (name for names in QUOTED.findall(message) for name in names if name in SENT)
    return {line[1]: [line[2]] for line in lines} or {name: [message] for name in quoted}


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
    code = [code for code in [entered(value).get("code")] if isinstance(code, str)]
    return _sentences(more or others or told[:1] or code), dict(ordered[:MOST_FIELDS])


def read_message(value: Any) -> str:
    """Return what a reply says under a name that no record has; empty if it says nothing."""
    return read_refusal(
        {
            key: each[key]
            for _, each in walk(value)
            if isinstance(each, dict)
            for key in each
            if key.lower() in SPOKEN or key.lower().endswith("errors")
        }
    )[0]


def _sentences(texts: list[str]) -> str:
    """Return the longest sentences in their order; words without a sentence, such as codes, only if there is none."""
    distinct = [*dict.fromkeys(text for text in texts if text.strip())]
    telling = [text for text in distinct if text.casefold() not in PHRASES] or distinct
    said = [text for text in telling if " " in text.strip()] or telling
    return "; ".join(text for text in said if text in sorted(said, key=len, reverse=True)[:SENTENCES])


def _messages(value: Any) -> Iterator[tuple[str, str]]:
    """Yield each message with its field, or without one, the outermost first."""
    #: The field that a part of the body is about, and whether its keys are fields; other parts are not read.
    about: dict[Path, tuple[str, bool]] = {(): ("", False)}
    listed: set[Path] = set()
    for path, each in walk(value, MOST_FIELDS):
        field, by_field = about.get(path, (None, False))
        if field is None:
            continue
        if isinstance(each, str):
            yield field, each
        elif isinstance(each, list) and not field and _is_texts(each):
            yield "", "; ".join(each[:MOST_FIELDS])
        elif isinstance(each, list):
            items = {path, *((*path, f"[{place}]") for place in range(len(each[:MOST_FIELDS])))}
            about |= dict.fromkeys(items, (field, False))
            listed |= items
        elif isinstance(each, dict):
            texts = _texts(each)
            best = next((text for text in texts if " " in text.strip()), next(iter(texts), ""))
            place = "" if field or by_field else _place(each, listed=path in listed)
            inner = (text for part in each.values() if isinstance(part, dict) for text in _strings(part))
            own = chain([best], [code for code in [each.get("code")] if isinstance(code, str)], inner)
            said = (text for text in own if text and (field or _field_name(text) != place))
            yield from ((field or place, text) for text in islice(said, bool(place or (best and field))))
            hints = (
                text for name, text in each.items() if place and not UNREAD.search(name) and text not in texts
            )
            yield from ((place, text) for text in hints if isinstance(text, str) and " " in text.strip())
            spoken = [each[name] for name in each if name.lower() in SPOKEN] if by_field else texts
            is_read = [
                text for text in spoken if not field and text in texts and not (place and path in listed)
            ]
            yield from (("", text) for text in is_read if not place or text != best)
            read = None if best and field else place, field, texts, by_field, not path
            parts = {(*path, name): _context(name, each, *read) for name in each}
            about |= {part: context for part, context in parts.items() if context is not None}


def _context(
    name: str,
    entry: dict[str, Any],
    place: str | None,
    field: str,
    texts: list[str],
    by_field: bool,
    is_outer: bool,
) -> tuple[str, bool] | None:
    """Return which field is meant under a key of an object, and whether the keys there are fields; None for neither.

    Args:
        name: The key.
        entry: The object.
        place: The field that it names; None if its message is read.
        field: The field that it is about.
        texts: Its messages.
        by_field: Whether its keys are fields.
        is_outer: Whether it is the body.
    """
    value, speaks, own = entry[name], name.lower() in SPOKEN, _field_name(name)
    holds_fields = name in DETAILS or (name == "data" and entry.get("status") == "fail")
    if isinstance(value, dict) and SPEAKING.search(name) and not _texts(value):
        holds_fields |= any(_is_sent(_field_name(key)) and " " in str(said) for key, said in value.items())
    is_list = _is_texts(value)
    if place is None or place:
        return ("", False) if place and isinstance(value, list) and not is_list else None
    if field:
        # Zod has the messages of an object beside those of its fields.
        return ".".join(filter(None, (field, "" if name == "_errors" else own))), False
    if isinstance(value, str):
        is_alone = not texts and is_outer and _is_sent(own) and " " in value.strip()
        return (own or name, False) if is_alone or (by_field and not speaks) else None
    if UNREAD.search(name) and not by_field:
        return None
    if not speaks and (_is_sent(own) or (by_field and not holds_fields)):
        return own, not own
    if not SPEAKING.search(name) and is_outer and is_list:
        return own, False  # Django sends fields beside a message
    return ("", holds_fields) if SPEAKING.search(name) or not is_list else None


def _texts(entry: dict[str, Any]) -> list[str]:
    """Return the messages of an object itself, the most informative first."""
    order = sorted(entry, key=lambda name: [*MESSAGES, name.lower()].index(name.lower()))
    return [entry[name] for name in order if _speaks(name, entry[name])]


def _speaks(name: str, text: Any) -> bool:
    is_text = isinstance(text, str) and bool(text.strip())
    is_sentence = is_text and " " in text.strip() and not UNREAD.search(name)
    return is_text and (name.lower() in MESSAGES or (is_sentence and bool(SPEAKING.search(name))))


def _place(entry: dict[str, Any], *, listed: bool) -> str:
    """Return the field that a value of an object names; one that is never sent only in an entry of a list."""
    named = [name for name in NAMES if name in entry]
    others = (name for name in entry if name.lower() not in MESSAGES)
    sent = (_field_name(text) for name in (*named, *others) for text in _strings(entry[name]))
    pointed = (
        (entry[name], entry[name] if isinstance(entry[name], dict) else {})
        for name in (named if listed else ())
    )
    steps = (
        next((inner[key] for key in POINTERS if key in inner), None if inner else place)
        for place, inner in pointed
    )
    places = (_field_name(text) for place in steps for text in _strings(place))
    return next(filter(_is_sent, sent), "") or next(filter(None, places), "")


def _strings(value: Any) -> Iterator[str]:
    """Yield the values of an object without messages; a list of steps is one path."""
    for path, each in walk(value):
        if isinstance(each, str) and len(path) <= NEAR:
            yield each
        steps = [str(step) for step in each if isinstance(step, (str, int))] if isinstance(each, list) else []
        if steps:
            yield steps[0] if all(_is_sent(_field_name(step)) for step in steps) else "/".join(steps)
        elif isinstance(each, list) or (isinstance(each, dict) and _texts(each)):
            return


def _field_name(place: str) -> str:
    parts = re.split(r"[/.]", place)
    start = next((at for at, part in enumerate(parts) if part in SENT), 0)
    name = ".".join(part for part in parts[start:] if part not in PLACES and not LANGUAGE.fullmatch(part))
    return name[:1].lower() + name[1:]


def _is_sent(name: str) -> bool:
    return name.partition(".")[0] in SENT


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)
