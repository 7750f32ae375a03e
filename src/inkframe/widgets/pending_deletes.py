"""Deletions that are noted first, and carried out together."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Staging"]


class Staging:
    """Records noted to be deleted, and the way back."""

    def __init__(self) -> None:
        self._ids: dict[str, int | str] = {}
        self._steps: list[list[str]] = []

    def __contains__(self, key: str) -> bool:
        return key in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def ids(self) -> dict[str, int | str]:
        """The ids of what is noted, by key."""
        return dict(self._ids)

    def note(self, ids: Mapping[str, int | str]) -> None:
        """Note records in one step; where all of them are noted, take them back instead."""
        new = {key: id for key, id in ids.items() if key not in self._ids}
        if new:
            self._ids |= new
            self._steps.append(list(new))
        else:
            self.drop(ids)

    def undo(self) -> list[str]:
        """Take the last step back, and give the keys that were noted by it."""
        keys = self._steps[-1] if self._steps else []
        self.drop(keys)
        return keys

    def drop(self, keys: Iterable[str]) -> None:
        """Note these no longer."""
        for key in keys:
            self._ids.pop(key, None)
        steps = ([key for key in step if key in self._ids] for step in self._steps)
        self._steps = [step for step in steps if step]
