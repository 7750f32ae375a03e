"""What becomes of a reply on its way: cut, packed wrongly, replaced, or made hard to read."""

from __future__ import annotations

import gzip
import struct
import zlib
from dataclasses import replace
from functools import cache
from typing import Final

from inkframe.testing.exchange import Reply, html_reply, phrase

__all__ = [
    "byte_order_mark",
    "cut_gzip",
    "deep_json",
    "duplicate_keys",
    "empty_body",
    "false_gzip",
    "gzip_bomb",
    "half_json",
    "lone_surrogate",
    "long_header",
    "long_integer",
    "mistyped",
    "not_a_number",
    "page",
    "to_front_page",
    "to_login",
    "word",
    "wrong_json",
]

SUCCESSES: Final = range(200, 300)
#: How deep a deep reply is nested.
DEPTH: Final = 100_000
#: Digits of a long integer; Python reads at most 4,300 by itself.
DIGITS: Final = 5_000
#: Unpacked size of a packed bomb, in blocks of 1 MiB.
BOMB_BLOCKS: Final = 256
BLOCK: Final = b" " * 2**20


def page(reply: Reply) -> Reply:
    """Put a page for people in its place, as proxies do; a success stays one."""
    status = 200 if reply.status in SUCCESSES else reply.status
    kept = {name: value for name, value in reply.headers if name.lower() != "content-type"}
    return html_reply(status, "Welcome" if status in SUCCESSES else f"{status} {phrase(status)}", kept)


def to_login(_reply: Reply) -> Reply:
    """Send the caller to a login page."""
    return html_reply(302, "Redirecting to login", {"Location": "/login"})


def to_front_page(_reply: Reply) -> Reply:
    """Send the caller on, as web applications do once a form is taken."""
    return html_reply(303, "Redirecting", {"Location": "/"})


def half_json(reply: Reply) -> Reply:
    """Keep the first half, and say that this is all."""
    return reply.carrying(reply.body[: len(reply.body) // 2])


def empty_body(reply: Reply) -> Reply:
    """Keep nothing of the body."""
    return reply.carrying(b"")


def word(reply: Reply) -> Reply:
    """Say that all is well, and nothing else."""
    return replace(reply, status=200).carrying(b"OK", "text/plain; charset=utf-8")


def wrong_json(reply: Reply) -> Reply:
    """Put JSON in its place that is neither a list nor a record."""
    return replace(reply, status=200).carrying(b'{"ok":true}', "application/json")


def cut_gzip(reply: Reply) -> Reply:
    """Pack the body and keep half of that, with a length that matches."""
    packed = gzip.compress(reply.body)
    return reply.carrying(packed[: len(packed) // 2]).plus(Content_Encoding="gzip")


def false_gzip(reply: Reply) -> Reply:
    """Say that the body is packed although it is not."""
    return reply.plus(Content_Encoding="gzip")


def mistyped(reply: Reply) -> Reply:
    """Say that the JSON is HTML."""
    return reply.carrying(reply.body, "text/html; charset=utf-8")


def byte_order_mark(reply: Reply) -> Reply:
    """Begin with a byte order mark."""
    return reply.carrying(b"\xef\xbb\xbf" + reply.body)


def long_header(reply: Reply) -> Reply:
    """Add a header of 200 kB, more than HTTP libraries read."""
    return reply.plus(X_Trace="0" * 200_000)


def deep_json(reply: Reply) -> Reply:
    """Put JSON in its place that is nested 100,000 times."""
    return reply.carrying(b"[" * DEPTH + b"]" * DEPTH)


def long_integer(reply: Reply) -> Reply:
    """Give the first record a number of 5,000 digits."""
    return _inject(reply, b'"serial":' + b"9" * DIGITS + b",")


def not_a_number(reply: Reply) -> Reply:
    """Give the first record a value that is NaN, which JSON does not have."""
    return _inject(reply, b'"score":NaN,')


def duplicate_keys(reply: Reply) -> Reply:
    """Give the first record two names; the genuine one comes last."""
    return _inject(reply, b'"name":"the first of two",')


def lone_surrogate(reply: Reply) -> Reply:
    """Begin the first record's name with half a character."""
    return reply.carrying(reply.body.replace(b'"name":"', b'"name":"\\ud800', 1))


def _inject(reply: Reply, fragment: bytes) -> Reply:
    before, found, after = reply.body.partition(b'"name":')
    if not found:
        before, found, after = reply.body.partition(b"{")
        before, found = before + found, b""
        fragment = fragment.rstrip(b",") if after.lstrip().startswith(b"}") else fragment
    return reply.carrying(before + fragment + found + after)


def gzip_bomb(reply: Reply) -> Reply:
    """Pack 256 MiB of space before the body, which makes a body of about 260 kB."""
    middle, checksum = _spaces()
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    end = packer.compress(reply.body) + packer.flush()
    size = (len(BLOCK) * BOMB_BLOCKS + len(reply.body)) % 2**32
    trailer = struct.pack("<II", zlib.crc32(reply.body, checksum), size)
    header = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    return reply.carrying(header + middle + end + trailer).plus(Content_Encoding="gzip")


@cache
def _spaces() -> tuple[bytes, int]:
    """Give the packed spaces and their checksum; a full flush makes one packed block fit any number of times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(BLOCK) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(BOMB_BLOCKS):
        checksum = zlib.crc32(BLOCK, checksum)
    return packed * BOMB_BLOCKS, checksum
