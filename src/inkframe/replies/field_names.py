"""Names of fields as services write them, folded for comparison and split into words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["LONGEST", "fold", "words_of"]

JOINTS: Final = re.compile(r"[\s_$.\-]+")
WORD: Final = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
#: The last words of names that are written together, such as ``imageurl``.
ENDING: Final = re.compile(r"(.+?)(url|uri|src|path|file|name|link|data|base64|b64)")

#: Longer texts are not names, and are not cached.
LONGEST: Final = 100


def fold(name: str) -> str:
    """Return a name in lower case without ``_``, ``-``, ``$``, dots and spaces: ``createdat``."""
    return _fold(name) if len(name) <= LONGEST else name


@lru_cache(maxsize=4096)
def _fold(name: str) -> str:
    return JOINTS.sub("", name).casefold()


def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in lower case and in the singular: ``image`` and ``url`` of ``imageURLs``."""
    return _words_of(name) if len(name) <= LONGEST else frozenset()


@lru_cache(maxsize=4096)
def _words_of(name: str) -> frozenset[str]:
    words = {word.lower() for word in WORD.findall(name.replace("URLs", "Urls"))}
    for word in [*words]:
        if together := ENDING.fullmatch(word):
            words.update(together.groups())
    return frozenset(
        words | {word.rstrip("0123456789") for word in words} | {word.rstrip("s") for word in words}
    )
