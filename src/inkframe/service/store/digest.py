"""What a picture is known by."""

from __future__ import annotations

from hashlib import blake2b

__all__ = ["picture_digest"]


def picture_digest(picture: bytes) -> str:
    """Give a picture's digest: its ETag, and what shows that it is still as it was stored."""
    return blake2b(picture, digest_size=12).hexdigest()
