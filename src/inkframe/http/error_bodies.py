"""Error bodies of every known shape, parsed into a message and the messages by field."""

from __future__ import annotations

import re
from typing import Any, Final

from inkframe.schema import RESOURCES

__all__ = ["MESSAGES", "fields_named_in", "read_error_text", "read_message", "read_refusal"]

#: Keys of the message in lower case, the most informative first.
MESSAGES: Final = (
    "message",
    "detail",
    "error_description",
    "error",
    "_error",
    "title",
    "msg",
    "reason",
    "description",
    "fault",
    "faultstring",
    "info",
)
#: Those that are never fields of a record, so that a list under them never belongs to a field.
SPOKEN: Final = frozenset({"message", "detail", "error", "errors", "msg"})
#: Names of messages in services without a common error format.
SPEAKING: Final = re.compile("message|msg|error|detail|reason", re.IGNORECASE)
#: Keys that hold messages by field, as a mapping or a list.
DETAILS: Final = ("errors", "fields", "error_fields", "invalid-params", "invalid_params", "violations",
                  "details", "detail", "validation_errors", "fieldErrors", "issues", "_issues",
                  "extra")  # fmt: skip
NAMES: Final = ("field", "param", "parameter", "property", "propertyPath", "instancePath", "dataPath", "path", "loc", "pointer", "name",
                "target", "source", "key", "keys", "extensions", "params")  # fmt: skip
#: Locations of a value that are not part of the field name.
PLACES: Final = frozenset(
    {
        "body",
        "query",
        "form",
        "path",
        "header",
        "data",
        "attributes",
        "request",
        "querystring",
        "params",
        "#",
        "$",
        "",
    }
)
MOST_FIELDS: Final = 50
#: Keys of lists with one entry for each problem, beside those for other things.
LISTS: Final = ("data", "message", "body", "validation")
#: Keys of a field in an object that describes its place.
POINTERS: Final = ("pointer", "parameter", "field", "missingProperty", "additionalProperty")
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
    """Parse the message and the messages by field from an error body of any known shape."""
    if isinstance(value, str):
        return value, {}
    if isinstance(value, list):
        fields = _from_list(value)
        return _first(fields) or _message(value), fields
    if not isinstance(value, dict):
        return "", {}
    message = _message(value)
    # Django sends fields beside a message.
    fields = _fields(value) or _from_mapping({k: v for k, v in value.items() if _is_field(k, v)})
    if not fields and not message and all(map(_is_texts, value.values())):
        fields = _from_mapping(value)
    return message or _first(fields), dict(list(fields.items())[:MOST_FIELDS])


def read_message(value: Any) -> str:
    """Return what a reply says under a name that no record has; empty if it says nothing."""
    return (
        _message({k: v for k, v in value.items() if k.lower() in SPOKEN}) if isinstance(value, dict) else ""
    )


def _message(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(text for text in map(_message, value[:MOST_FIELDS]) if text)
    if not isinstance(value, dict):
        return ""
    named = {str(name).lower(): found for name, found in value.items()}
    for name in MESSAGES:
        found = named.get(name)
        if isinstance(found, str) and found.strip():
            # Problem details have the kind in `title` and the message in `detail`, which comes first here.
            return found
        if isinstance(found, dict) and (inner := _message(found)):
            return inner
        if name in SPOKEN and isinstance(found, list) and _is_texts(found):
            return _message(found)
    if inner := _message(value.get("errors")):
        return inner
    spoken = (v for k, v in value.items() if isinstance(v, str) and SPEAKING.search(k) and " " in v.strip())
    return next(spoken, "")


def _fields(value: dict[str, Any]) -> dict[str, list[str]]:
    for name in DETAILS:
        found = value.get(name)
        if isinstance(found, dict):
            own = {k: v for k, v in found.items() if k not in SPOKEN}
            fields = _fields(found) or _from_mapping(own)
        else:
            fields = _from_list(found)
        if fields:
            return fields
    for name in LISTS:
        if fields := _from_list(value.get(name)):
            return fields
    for name in ("error", "body", "data", "validation"):
        inner = value.get(name)
        if isinstance(inner, dict):
            with_messages = {
                k: v for k, v in inner.items() if isinstance(v, dict) and isinstance(v.get("message"), str)
            }
            # A name beside a message is the class of the error.
            said = {k: v for k, v in inner.items() if k != "name"}
            # JSend has the messages by field in its data.
            own = inner if name == "data" and value.get("status") == "fail" else with_messages
            if fields := _fields(inner) or _named(said) or _from_mapping(own):
                return fields
    return {}


def _from_mapping(value: dict[str, Any], prefix: str = "") -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for name, found in value.items():
        # Zod has the messages of an object beside those of its fields.
        dotted = (
            prefix
            if name == "_errors" and prefix
            else ".".join(part for part in (prefix, _field_name(name)) if part)
        )
        if _is_texts(found):
            fields[dotted or name] = [found] if isinstance(found, str) else found
        elif isinstance(found, dict):
            if message := _message(found):
                fields[dotted or name] = [message]
            elif len(prefix) < 100:
                fields |= _from_mapping(found, dotted)
        elif isinstance(found, list):
            messages = [text for text in map(_message, found) if text]
            if messages:
                fields[dotted or name] = messages
    return fields


def _from_list(value: Any) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for entry in value if isinstance(value, list) else []:
        if isinstance(entry, dict):
            # Each of Google's details contains a list of violations.
            within = [_from_list(inner) for inner in entry.values() if isinstance(inner, list)]
            for found in (_named(entry), *within):
                for name, messages in found.items():
                    fields.setdefault(name, []).extend(messages)
    return fields


def _named(entry: dict[str, Any]) -> dict[str, list[str]]:
    """Parse one entry that contains its field under one of the usual keys."""
    message = next((entry[k] for k in ("message", "defaultMessage", "detail", "msg", "reason", "description", "title",
                    "code") if isinstance(entry.get(k), str)), "")  # fmt: skip
    if not message and isinstance(entry.get("constraints"), dict):
        message = next((text for text in entry["constraints"].values() if isinstance(text, str)), "")
    for key in NAMES:
        place = entry.get(key)
        if isinstance(place, dict):
            place = next((place[k] for k in POINTERS if isinstance(place.get(k), str)), None)
        if isinstance(place, list):
            place = "/".join(str(part) for part in place)
        if isinstance(place, str) and (name := _field_name(place)):
            return {name: [message]} if message else {}
    return {}


def _field_name(place: str) -> str:
    parts = [part for part in re.split(r"[/.]", place) if part not in PLACES]
    name = ".".join(parts)
    return name[:1].lower() + name[1:]


def _is_texts(value: Any) -> bool:
    if isinstance(value, str):
        return True
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


def _is_field(name: str, value: Any) -> bool:
    """Return whether a key beside the message is a field; only a list of texts counts as one."""
    if isinstance(value, dict):
        return bool(value) and all(_is_field("", inner) for inner in value.values())
    return name not in SPOKEN and isinstance(value, list) and _is_texts(value)


def _first(fields: dict[str, list[str]]) -> str:
    return next((texts[0] for texts in fields.values() if texts), "")
