"""Damage to replies: truncation, wrong compression, replacement, or hard-to-parse content."""

import gzip
import struct
import zlib
from dataclasses import replace
from functools import cache

from tests.services.exchange import html_reply, phrase

SUCCESSES = range(200, 300)
#: The depth of nested JSON.
DEPTH = 100_000
#: The digits of a long integer; Python parses at most 4,300 by default.
DIGITS = 5_000
#: The unpacked size of a gzip bomb, in blocks of 1 MiB.
BOMB_BLOCKS = 256
BLOCK = b" " * 2**20


def page(reply):
    """Replace the body with an HTML page, as proxies do; a success status stays."""
    status = 200 if reply.status in SUCCESSES else reply.status
    kept = {name: value for name, value in reply.headers if name.lower() != "content-type"}
    return html_reply(status, "Welcome" if status in SUCCESSES else f"{status} {phrase(status)}", kept)


def to_login(_reply):
    """Redirect the caller to a login page."""
    return html_reply(302, "Redirecting to login", {"Location": "/login"})


def to_front_page(_reply):
    """Redirect the caller, as web applications do after a form is accepted."""
    return html_reply(303, "Redirecting", {"Location": "/"})


def half_json(reply):
    """Keep the first half, with a matching length."""
    return reply.carrying(reply.body[: len(reply.body) // 2])


def empty_body(reply):
    """Remove the body."""
    return reply.carrying(b"")


def word(reply):
    """Replace the body with the word OK."""
    return replace(reply, status=200).carrying(b"OK", "text/plain; charset=utf-8")


def wrong_json(reply):
    """Replace the body with JSON that is neither a list nor a record."""
    return replace(reply, status=200).carrying(b'{"ok":true}', "application/json")


def cut_gzip(reply):
    """Compress the body and keep the first half, with a matching length."""
    packed = gzip.compress(reply.body)
    return reply.carrying(packed[: len(packed) // 2]).plus(Content_Encoding="gzip")


def false_gzip(reply):
    """Label the body as compressed although it is not."""
    return reply.plus(Content_Encoding="gzip")


def mistyped(reply):
    """Label the JSON as HTML."""
    return reply.carrying(reply.body, "text/html; charset=utf-8")


def byte_order_mark(reply):
    """Add a byte order mark at the start."""
    return reply.carrying(b"\xef\xbb\xbf" + reply.body)


def long_header(reply):
    """Add a header of 200 kB, more than HTTP libraries accept."""
    return reply.plus(X_Trace="0" * 200_000)


def deep_json(reply):
    """Replace the body with JSON that is nested 100,000 times."""
    return reply.carrying(b"[" * DEPTH + b"]" * DEPTH)


def long_integer(reply):
    """Set a number of 5,000 digits in the first record."""
    return _inject(reply, b'"serial":' + b"9" * DIGITS + b",")


def not_a_number(reply):
    """Set a NaN, which is invalid JSON, in the first record."""
    return _inject(reply, b'"score":NaN,')


def duplicate_keys(reply):
    """Add a second name to the first record, before its actual name."""
    return _inject(reply, b'"name":"the first of two",')


def lone_surrogate(reply):
    """Add a lone surrogate to the start of the first record's name."""
    return reply.carrying(reply.body.replace(b'"name":"', b'"name":"\\ud800', 1))


def _inject(reply, fragment):
    before, found, after = reply.body.partition(b'"name":')
    if not found:
        before, found, after = reply.body.partition(b"{")
        before, found = before + found, b""
        fragment = fragment.rstrip(b",") if after.lstrip().startswith(b"}") else fragment
    return reply.carrying(before + fragment + found + after)


def gzip_bomb(reply):
    """Compress the body after 256 MiB of spaces, to a body of about 260 kB."""
    middle, checksum = _spaces()
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    end = packer.compress(reply.body) + packer.flush()
    size = (len(BLOCK) * BOMB_BLOCKS + len(reply.body)) % 2**32
    trailer = struct.pack("<II", zlib.crc32(reply.body, checksum), size)
    header = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    return reply.carrying(header + middle + end + trailer).plus(Content_Encoding="gzip")


@cache
def _spaces():
    """Return the compressed spaces and their checksum; after a full flush, one block can be repeated."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(BLOCK) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(BOMB_BLOCKS):
        checksum = zlib.crc32(BLOCK, checksum)
    return packed * BOMB_BLOCKS, checksum
