"""Records as files that carry their settings, and the settings back from such files."""

from __future__ import annotations

import json
import os
import struct
import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkframe.display.picture import MAX_BYTES, check_picture, load_picture
from inkframe.display.picture_header import PNG, chunks
from inkframe.display.record_facts import value
from inkframe.display.settings import FIELDS, read_value, settings_of, write_value
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["check_file", "document_file", "open_file", "picture_file", "write_file"]

_KEYWORD = b"inkframe"
#: What makes the picture; all else that a service put into its file stays out, text and animations included.
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
    """Give an image as a PNG file with its settings in text chunks; the pixels are not touched.

    Args:
        record: The image's columns by name.
        picture: The picture file as the service gave it; other formats than PNG are converted.
        service: Where it comes from: a host, or ``local stand-in``.

    Raises:
        UnexpectedReply: The picture was refused, or is broken; the message says why.
    """
    if check_picture(picture).format != "PNG":
        with BytesIO() as file:
            load_picture(picture).save(file, "PNG")
            picture = file.getvalue()
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


def document_file(record: Mapping[str, Any], *, service: str = "") -> bytes:
    """Give a document as a Markdown file with its settings as front matter.

    Args:
        record: The document's columns by name.
        service: Where it comes from: a host, or ``local stand-in``.
    """
    settings = settings_of(record, service)
    head = "".join(f"{field}: {write_value(content)}\n" for field, content in settings.items())
    return f"---\n{head}---\n\n{value(record, 'result') or ''}\n".encode("utf-8", "replace")


def open_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the settings back from a file that ``picture_file`` or ``document_file`` made.

    Args:
        path: A PNG or Markdown file.

    Returns:
        The record's columns by name, as plain values; a document's text as ``result``; the service where it
        was kept. What the file does not say is absent.

    Raises:
        InvalidArgument: The file holds no such settings.
        OSError: The file cannot be read.
    """
    with Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    found = _from_png(data) if data.startswith(PNG) else _from_markdown(data)
    if found is None or len(data) > MAX_BYTES:
        raise InvalidArgument(
            f"{Path(path).name} holds no settings of a record.\n"
            "Give a PNG or Markdown file that download() or save() wrote."
        )
    return {field: found[field] for field in (*FIELDS, "result", "service") if field in found}


def write_file(folder: str | os.PathLike[str], name: str, data: bytes, *, overwrite: bool = False) -> Path:
    """Write a new file into a folder, and nowhere else.

    Args:
        folder: Where to; made where it is missing.
        name: One path component, such as ``file_name`` gives.
        data: The content.
        overwrite: Whether a file of that name is replaced. A link of that name is replaced, never followed.

    Returns:
        The file's path.

    Raises:
        InvalidArgument: The name leads out of the folder, or is in use and ``overwrite`` is False.
        OSError: The folder or file cannot be written.
    """
    _refuse_path(name)
    root = Path(folder).expanduser()
    root.mkdir(parents=True, exist_ok=True)
    path = root.resolve() / name
    target = path.with_name(f".{name}.{os.getpid()}.part") if overwrite else path
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(target, flags, 0o666)
    except FileExistsError:
        raise _in_use(root, name) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        if overwrite:
            target.replace(path)
    except BaseException:
        with suppress(OSError):
            target.unlink()
        raise
    return path


def check_file(folder: str | os.PathLike[str], name: str) -> None:
    """Refuse a name that is in use, before the trouble of making the content.

    Raises:
        InvalidArgument: It leads out of the folder, or there is a file of that name.
    """
    _refuse_path(name)
    root = Path(folder).expanduser()
    if os.path.lexists(root / name):
        raise _in_use(root, name)


def _refuse_path(name: str) -> None:
    if name in ("", ".", "..") or any(mark in name for mark in "/\\:\0"):
        raise InvalidArgument(
            f"{name!r} is no plain file name.\nGive one without a path, such as '7-harbour.png'."
        )


def _in_use(root: Path, name: str) -> InvalidArgument:
    return InvalidArgument(f"{name} exists already in {root}.\nPass overwrite=True to replace it.")


def _text_chunk(keyword: bytes, text: str) -> bytes:
    """Give an iTXt chunk: a keyword with UTF-8 text, not compressed (PNG, 11.3.3.4)."""
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
