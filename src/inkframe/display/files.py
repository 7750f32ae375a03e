"""Write records to files with their settings, and read the settings from such files."""

from __future__ import annotations

import json
import os
import re
import struct
import unicodedata
import zlib
from contextlib import suppress
from datetime import datetime
from io import BytesIO
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkframe.display.figure import value
from inkframe.display.markup import line
from inkframe.display.picture import MAX_BYTES, PNG, as_png, check_picture, chunks, load_picture
from inkframe.errors import InvalidArgument, checked
from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "FIELDS",
    "document_file",
    "file_name",
    "is_picture_file",
    "open_file",
    "picture_file",
    "read_value",
    "saved_picture",
    "settings_of",
    "target_file",
    "write_value",
]

_KEYWORD = b"inkframe"
#: Our mark in other formats: a comment at the start of JPEG and at the end of GIF, a chunk at the end of WEBP.
_JPEG_MARK = b"\xff\xfe\0\x0ainkframe"
_GIF_MARK = b"!\xfe\x08inkframe\0;"
_WEBP_MARK = b"inkf\x08\0\0\0inkframe"
#: The chunks of the picture itself. All others are left out, such as text and animations of the service.
_KEPT = {
    b"IHDR",
    b"PLTE",
    b"tRNS",
    b"cHRM",
    b"gAMA",
    b"iCCP",
    b"sBIT",
    b"sRGB",
    b"cICP",
    b"pHYs",
    b"IDAT",
    b"IEND",
}


def picture_file(record: Mapping[str, Any], picture: bytes, *, service: str = "") -> bytes:
    """Return an image as a PNG file with its settings in text chunks; the pixels are unchanged.

    Args:
        record: The image's columns by name.
        picture: The picture file of the service; formats other than PNG are converted.
        service: The name of the service: a host, or ``local demo service``.

    Raises:
        UnexpectedReply: The picture was refused, or is broken. The message has the reason.
    """
    picture = as_png(picture)
    settings = settings_of(record, service)
    texts = {
        _KEYWORD: json.dumps(settings, ensure_ascii=False),
        b"Title": str(settings.get("name", "")),
        b"Description": str(settings.get("description", "")),
        b"Software": "inkframe",
    }
    parts = [PNG]
    for kind, start, stop in chunks(picture):
        if kind in _KEPT:
            parts.append(picture[start - 8 : stop + 4])
        if kind == b"IHDR":
            parts += [_text_chunk(keyword, text) for keyword, text in texts.items() if text]
    return b"".join(parts)


def saved_picture(record: Mapping[str, Any], picture: bytes, suffix: str, *, service: str = "") -> bytes:
    """Return an image as a file of any picture format, with our mark; PNG has the settings too.

    Args:
        record: The image's columns by name.
        picture: The picture file of the service, kept as it is if it has that format.
        suffix: The suffix of the file, such as ``.jpg``.
        service: The name of the service.

    Raises:
        InvalidArgument: The suffix is not that of a picture format.
        UnexpectedReply: The picture was refused, or is broken.
    """
    from PIL import Image

    form = Image.registered_extensions().get(suffix.lower(), "")
    if form == "PNG":
        return picture_file(record, picture, service=service)
    if check_picture(picture).format != form:
        image = load_picture(picture)
        with BytesIO() as file:
            try:
                (image.convert("RGB") if form == "JPEG" else image).save(file, form)
            except (ValueError, KeyError, OSError):
                raise InvalidArgument(
                    f"The extension must be a picture format, got {suffix!r}.\nUse .png, .jpg or .webp."
                ) from None
            picture = file.getvalue()
    match form:
        case "JPEG":
            return picture[:2] + _JPEG_MARK + picture[2:]
        case "GIF":
            return picture[: check_picture(picture).end - 1] + _GIF_MARK
        case "WEBP":
            body = picture[8 : check_picture(picture).end] + _WEBP_MARK
            return b"RIFF" + struct.pack("<I", len(body)) + body
    return picture


def is_picture_file(path: Path) -> bool:
    """Return whether a file was written by ``saved_picture`` or ``picture_file``."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if data.startswith(PNG):
        return _from_png(data) is not None
    return data.startswith(_JPEG_MARK, 2) or data.endswith((_GIF_MARK, _WEBP_MARK))


def document_file(record: Mapping[str, Any], *, service: str = "") -> bytes:
    """Return a document as a Markdown file with its settings as front matter.

    Args:
        record: The document's columns by name.
        service: The name of the service: a host, or ``local demo service``.
    """
    settings = settings_of(record, service)
    head = "".join(f"{field}: {write_value(content)}\n" for field, content in settings.items())
    return f"---\n{head}---\n\n{value(record, 'result') or ''}\n".encode("utf-8", "replace")


@checked
def open_file(path: str | PathLike[str]) -> dict[str, Any]:
    """Read the settings from a file of ``picture_file`` or ``document_file``.

    Args:
        path: A PNG or Markdown file.

    Returns:
        The record's columns by name, as plain values, with a document's text as ``result``, and the service
        if the file has it. Settings that the file lacks are absent.

    Raises:
        InvalidArgument: The file has no such settings.
        OSError: The file cannot be read.
    """
    with Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    found = _from_png(data) if data.startswith(PNG) else _from_markdown(data)
    if found is None or len(data) > MAX_BYTES:
        raise InvalidArgument(
            f"{Path(path).name} has no settings of a record.\n"
            "Pass a PNG or Markdown file written by download() or save()."
        )
    return {field: found[field] for field in (*FIELDS, "result", "service") if field in found}


def _text_chunk(keyword: bytes, text: str) -> bytes:
    """Return an iTXt chunk: a keyword with UTF-8 text, not compressed (PNG, 11.3.3.4)."""
    body = b"iTXt" + keyword + b"\0\0\0\0\0" + text.replace("\0", "").encode("utf-8", "replace")
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))


def _from_png(data: bytes) -> dict[str, Any] | None:
    start_of_text = _KEYWORD + b"\0\0\0\0\0"
    with suppress(struct.error, ValueError):
        for kind, start, stop in chunks(data):
            if kind == b"iTXt" and data.startswith(start_of_text, start):
                found = json.loads(data[start + len(start_of_text) : stop])
                return found if isinstance(found, dict) else None
    return None


def _from_markdown(data: bytes) -> dict[str, Any] | None:
    text = data.decode("utf-8", "replace")
    head, closing, body = text.removeprefix("\ufeff").partition("\n---\n")
    if not closing or not head.startswith("---\n"):
        return None
    pairs = (row.partition(":") for row in head.split("\n")[1:] if ":" in row)
    found = {field.strip(): read_value(content) for field, _, content in pairs}
    if result := body.removeprefix("\n").removesuffix("\n"):
        found["result"] = result
    return found if FIELDS[1] in found or "result" in found else None


#: The maximum bytes of a name: half of what file systems allow, since programs may append to it.
_MOST_BYTES = 120
#: Names that Windows reserves for devices, with and without an extension (Microsoft, "Naming Files").
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)


def file_name(number: object, name: object, extension: str, taken: set[str] | None = None) -> str:
    """Return a file name of the form ``{id}-{slug}{extension}``.

    Args:
        number: The record's id, cleaned like the name.
        name: The record's name, not trusted.
        extension: With its dot, such as ``.png``.
        taken: Names in use, folded; the new one is added. Names that differ only in case, or in how an accent
            is written, count as equal, since many file systems cannot store both.

    Returns:
        A single path component of at most 120 bytes, with letters, digits and hyphens.

    Example:
        >>> file_name(7, "Harbor: at dawn?", ".png")
        '7-Harbor-at-dawn.png'
    """
    taken = set() if taken is None else taken
    parts = [_slug("" if number is None else str(number), 40), _slug("" if name is None else str(name), 120)]
    stem = "-".join(part for part in parts if part) or "untitled"
    if _RESERVED.fullmatch(stem):
        stem = f"{stem}-file"
    stem = _clip(stem, _MOST_BYTES - len(extension.encode()) - 6)
    found, count = stem + extension, 2
    while _folded(found) in taken:
        found, count = f"{stem}-{count}{extension}", count + 1
    taken.add(_folded(found))
    return found


def target_file(path: str | PathLike[str], number: object, name: object, ending: str) -> Path:
    """Return the file to save a record to: that of a path, or for a folder the one with the record's ``file_name``.

    Args:
        path: The file, or a folder: an existing one, or one with a slash at its end.
        number: The record's id.
        name: The record's name.
        ending: The extension in a folder.

    Raises:
        InvalidArgument: It is no path, such as an open file.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidArgument(
            f"path must be a file or a folder, got {type(path).__name__}.\n"
            "Into an open file: file.write(image.picture_bytes), or file.write(document.result)."
        )
    target = Path(path).expanduser()
    if target.is_dir() or os.fspath(path).endswith(("/", os.sep)):
        return target / file_name(number, name, ending)
    return target


def _slug(text: str, limit: int) -> str:
    """Return a text's letters, marks and digits in any script, with hyphens for other characters."""
    letters = (
        c if c == "_" or unicodedata.category(c)[0] in "LMN" else " "
        for c in unicodedata.normalize("NFC", line(text, 2 * limit))
    )
    return _clip("-".join("".join(letters).split()), limit)


def _clip(text: str, limit: int) -> str:
    """Cut a text to a number of bytes, between two characters."""
    return text.encode()[:limit].decode(errors="ignore").strip("-_")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


_FIELDS = {
    field.name: field for spec in RESOURCES.values() for field in spec.fields if field.name != spec.generated
}
#: The fields of a record in files: texts, then settings, then the rest. The address of a picture is left out,
#: since it expires and may contain a token.
FIELDS = (
    "id",
    *sorted(
        _FIELDS, key=lambda name: (_FIELDS[name].type != "text") + (_FIELDS[name].type in ("boolean", "time"))
    ),
)


def settings_of(record: Mapping[str, Any], service: str = "") -> dict[str, Any]:
    """Return a record's settings as plain JSON values, without absent ones.

    Args:
        record: The record's columns by name.
        service: The name of the service: a host, or ``local demo service``.
    """
    found = {field: _json_value(content) for field in FIELDS if (content := value(record, field)) is not None}
    return found | ({"service": service} if service else {})


def write_value(content: Any) -> str:
    """Write a value on one line, as JSON that is YAML too."""
    text = json.dumps(content, ensure_ascii=False)
    # Escape the unprintable and invisible characters that JSON leaves unchanged.
    return "".join(c if c.isprintable() or c > "\uffff" else f"\\u{ord(c):04x}" for c in text)


def read_value(text: str) -> Any:
    """Read a value that ``write_value`` wrote; return anything else as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()


def _json_value(content: Any) -> Any:
    """Return numbers, strings and booleans as Python objects, times in ISO form, and other values as text."""
    content = content.item() if hasattr(content, "item") and not hasattr(content, "__len__") else content
    if isinstance(content, datetime):
        return content.isoformat()
    if isinstance(content, (bool, int)) or (isinstance(content, float) and isfinite(content)):
        return content
    return str(content).encode("utf-8", "replace").decode()  # lone surrogates cannot be written
