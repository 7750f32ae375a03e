"""The dial: which of several ways of saying something is taken.

At creativity 0 every choice follows from the prompt alone. At 1 every choice follows from the take as well; in
between, the dial is the share of choices that do. It also opens the lists: they go from plain to vivid, and a
low creativity sees their plain beginning only.
"""

from __future__ import annotations

from hashlib import blake2b
from math import ceil
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inkframe.engines.protocol import WriteRequest

__all__ = ["Voice"]

Item = TypeVar("Item")

#: A prime above every list length: two takes get the same choices only where they are as far apart as there are
#: texts to choose from. Near the golden section of 2**61, it moves the later choices as much as the first; next to
#: a power of two it would leave those alone whose lists are powers of two.
STRIDE = 1_425_089_352_415_399_969
#: How much of a list is open at creativity 0.
PLAIN_SHARE = 0.5


class Voice:
    """Makes the choices of one text.

    The same request makes the same choices in any process.

    Args:
        request: Its prompt, template and creativity seed the choices; its take those that may vary.
    """

    def __init__(self, request: WriteRequest) -> None:
        self.creativity = min(1.0, max(0.0, request.creativity))
        self._prompt = blake2b(f"{request.template_id}\n{request.prompt}".encode("utf-8", "replace")).digest()
        self._take = request.take
        # Takes are digits: each varying choice reads one, so near takes always differ in a choice.
        self._digits = int.from_bytes(self._prompt[:8]) + (request.take % 2**63) * STRIDE
        self._asked: dict[str, int] = {}

    def below(self, size: int, about: str) -> int:
        """Choose a number from 0 to below the size.

        Args:
            size: How many there are to choose from.
            about: What the choice is about; the same choice in another place is another choice.
        """
        if size < 2:
            return 0
        name, varies = self._next(about)
        if varies and self._digits >= size:
            self._digits, digit = divmod(self._digits, size)
            return digit
        return int(self._fraction(name) * size)

    def choose(self, items: Sequence[Item], about: str) -> Item:
        """Choose one; a list of more than four opens with creativity."""
        return items[self.below(self._open(len(items)), about)]

    def chance(self, probability: float, about: str) -> bool:
        """Tell yes with a probability."""
        name, _ = self._next(about)
        return self._fraction(name) < probability

    def order(self, items: Sequence[Item], about: str) -> list[Item]:
        """Give the items in an order of the voice's own; at creativity 0 always the same one."""
        left = list(items)
        return [left.pop(self.below(self._open(len(left)), about)) for _ in items]

    def _open(self, size: int) -> int:
        return max(min(size, 4), ceil(size * (PLAIN_SHARE + (1 - PLAIN_SHARE) * self.creativity)))

    def _next(self, about: str) -> tuple[str, bool]:
        """Name the next choice about something, and tell whether it varies with the take."""
        nth = self._asked[about] = self._asked.get(about, 0) + 1
        name = f"{about}/{nth}"
        varies = self._fraction(f"{name}/varies") < self.creativity
        return (f"{name}/{self._take}" if varies else name), varies

    def _fraction(self, name: str) -> float:
        digest = blake2b(name.encode(), key=self._prompt, digest_size=7).digest()
        return int.from_bytes(digest) / 2**56
