"""The choices of a text, by creativity.

At creativity 0 every choice depends on the prompt alone. At 1 every choice also depends on the take; in
between, creativity is the share of choices that do. It also limits the lists: they are ordered from plain to
vivid, and a low creativity uses only their plain start.
"""

from __future__ import annotations

from hashlib import blake2b
from math import ceil
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.service.engines import WriteRequest

__all__ = ["Voice"]

Item = TypeVar("Item")

#: A prime above every list length: two takes get the same choices only if they are as far apart as there are
#: texts. Near the golden ratio of 2**61, it varies the later choices as much as the first; near a power of
#: two, it would not vary choices from lists whose length is a power of two.
STRIDE = 1_425_089_352_415_399_969
#: The share of a list available at creativity 0.
PLAIN_SHARE = 0.5


class Voice:
    """The choices of one text.

    The same request makes the same choices in any process.

    Args:
        request: Its prompt, template and creativity seed all choices; its take seeds those that vary.
    """

    def __init__(self, request: WriteRequest) -> None:
        self.creativity = min(1.0, max(0.0, request.creativity))
        self._prompt = blake2b(f"{request.template_id}\n{request.prompt}".encode("utf-8", "replace")).digest()
        self._take = request.take
        # Takes are read as digits: each varying choice uses one, so near takes always differ in a choice.
        self._digits = int.from_bytes(self._prompt[:8]) + (request.take % 2**63) * STRIDE
        self._asked: dict[str, int] = {}

    def below(self, size: int, about: str) -> int:
        """Return a number from 0 to below the size.

        Args:
            size: The number of options.
            about: The name of the choice; repeated choices of the same name are independent.
        """
        if size < 2:
            return 0
        name, varies = self._next(about)
        if varies and self._digits >= size:
            self._digits, digit = divmod(self._digits, size)
            return digit
        return int(self._fraction(name) * size)

    def choose(self, items: Sequence[Item], about: str) -> Item:
        """Return one option; lists of more than four options are limited by creativity."""
        return items[self.below(self._open(len(items)), about)]

    def chance(self, probability: float, about: str) -> bool:
        """Return True with a probability."""
        name, _ = self._next(about)
        return self._fraction(name) < probability

    def order(self, items: Sequence[Item], about: str) -> list[Item]:
        """Return the items in a chosen order, which is always the same at creativity 0."""
        left = list(items)
        return [left.pop(self.below(self._open(len(left)), about)) for _ in items]

    def _open(self, size: int) -> int:
        return max(min(size, 4), ceil(size * (PLAIN_SHARE + (1 - PLAIN_SHARE) * self.creativity)))

    def _next(self, about: str) -> tuple[str, bool]:
        """Return the key of the next choice of a name, and whether it varies with the take."""
        nth = self._asked[about] = self._asked.get(about, 0) + 1
        name = f"{about}/{nth}"
        varies = self._fraction(f"{name}/varies") < self.creativity
        return (f"{name}/{self._take}" if varies else name), varies

    def _fraction(self, name: str) -> float:
        digest = blake2b(name.encode(), key=self._prompt, digest_size=7).digest()
        return int.from_bytes(digest) / 2**56
