"""One rater's way through a sample: what is left, what was judged, and what may be known of the groups."""

from __future__ import annotations

from bisect import bisect_left
from math import isinf
from typing import TYPE_CHECKING, Any, Final

from inkframe.analysis.intervals import verdicts_at
from inkframe.deciding.groups import CASE, blocks_of
from inkframe.deciding.rating_items import Item, item_key, sample_items
from inkframe.deciding.ratings import Judgment, RatingsFile, Reveal, record_key, same_service
from inkframe.errors import InvalidArgument
from inkframe.frames import origin
from inkframe.vocabulary.arguments import check_choice, check_integer, check_text, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    import pandas as pd


__all__ = ["MODES", "RatingSession", "check_options"]

MODES: Final = ("scale", "pairs", "labels")
SIDES: Final = ("left", "tie", "right")
#: The most choices: each has a digit for its key.
MOST: Final = 9


class RatingSession:
    """The judgments of one rater about a sample of a frame, each saved before it counts.

    Args:
        frame: The frame.
        by: The columns that make the groups.
        mode: ``scale``, ``pairs`` or ``labels``.
        options: What ``check_options`` returned.
        question: What is asked.
        rater: The name of the rater.
        path: The file of the judgments.
        per_group: How many records of each group are rated.
        random_state: The seed.

    Attributes:
        sample: What is rated.
        cases: How many cases the groups are compared within.
        file: The file of the judgments.
        left: What is still to be rated; the first is shown.
        mine: The judgments of this rater, the last one last.
        judgments: The judgments of all raters that were read.
        revealed: Whether the groups were revealed.
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        by: Sequence[str],
        mode: str,
        options: int | list[str] | None,
        *,
        question: str,
        rater: str,
        path: str | PathLike[str] | None,
        per_group: int,
        random_state: int,
        column: str | None = None,
    ) -> None:
        self.by, self.mode, self.options, self.question, self.rater = by, mode, options, question, rater
        self.sample = sample_items(
            frame,
            by,
            pairs=mode == "pairs",
            per_group=per_group,
            random_state=random_state,
            rater=rater,
            column=column,
        )
        blocks = blocks_of(frame, [*by], CASE)
        self.cases = len(frame[blocks].drop_duplicates()) if blocks else 1
        self.file = RatingsFile(path)
        self.revealed = False
        came = origin(self.sample.records)
        #: Of local services, also the library, since all have the same ids.
        self._service = " ".join(str(came[name]) for name in ("service", "library") if name in came)
        #: The records that were shown with their group before.
        self._seen: set[str] = set()
        self.judgments = self.read()
        items = {item.key: item for item in self.sample.items}
        self.mine = [(items[item_key(each)], each) for each in self.judgments if each.rater == rater]
        self.left = [item for item in self.sample.items if item not in self.done]

    @property
    def done(self) -> dict[Item, None]:
        """The items that this rater has judged, in order."""
        return dict.fromkeys(item for item, _ in self.mine)

    @property
    def current(self) -> Item:
        """The item that is shown.

        Raises:
            InvalidArgument: Nothing is left to rate.
        """
        if not self.left:
            raise InvalidArgument("Everything is rated.\nUse undo() to change the last rating.")
        return self.left[0]

    def read(self) -> list[Judgment]:
        """Return the judgments of these items from the file, and note what this rater has seen before."""
        judgments, reveals, _ = self.file.read()
        for reveal in reveals:
            if reveal.rater == self.rater and set(reveal.by) & set(self.by) and self._is_here(reveal):
                self._seen |= reveal.shown().keys()
        keys = {item.key for item in self.sample.items}
        asked = (self.mode, self.question, self.options)
        return [
            each
            for each in judgments
            if (each.mode, each.question, each.options) == asked
            and item_key(each) in keys
            and (each.content or self._is_here(each))
        ]

    def mark_seen(self, ids: Iterable[Any]) -> None:
        """Note that records were shown with their group before."""
        self._seen |= {record_key(self.sample.spec.name, id) for id in ids}

    def judge(self, item: Item, value: Any, reason: Any) -> None:
        """Save a judgment; the item is done.

        Raises:
            InvalidArgument: The value or the reason is invalid.
            ConfigurationError: It could not be saved.
        """
        ids = [content.record["id"] for content in item.contents]
        digests = [content.digest for content in item.contents]
        winner = None
        if self.mode == "pairs":
            winner = {"left": ids[0], "right": ids[-1], "tie": None}[check_choice("value", value, SIDES)]
            value = None
        elif isinstance(self.options, list):
            value = check_choice("value", value, self.options)
        else:
            value = check_integer("value", value)
            if value > (self.options or MOST):
                raise InvalidArgument(f"value must be 1 to {self.options}, got {short(value)}.")
        judgment = Judgment(
            ids[0],
            self.rater,
            self.mode,
            self.question,
            service=self._service,
            collection=self.sample.spec.name,
            content="|".join(digests) if all(digests) else "",
            other=ids[1] if len(ids) > 1 else None,
            value=value,
            winner=winner,
            reason=None if reason is None else check_text("reason", reason),
            blind=self._is_blind(item),
            options=self.options,
        )
        self.file.add(judgment)
        self.left.remove(item)
        self.mine.append((item, judgment))
        self.judgments.append(judgment)

    def undo(self, item: Item | None = None) -> Item:
        """Take back the last own judgment, or the last one of an item, which is to be rated next.

        Raises:
            InvalidArgument: There is none.
            ConfigurationError: It could not be saved.
        """
        for at in range(len(self.mine) - 1, -1, -1):
            found, judgment = self.mine[at]
            if item in (None, found):
                self.file.undo(judgment)
                del self.mine[at]
                self.judgments.remove(judgment)
                if found not in self.left:
                    self.left.insert(0, found)
                return found
        raise InvalidArgument("There is no rating to undo.\nRate an item first.")

    def put_off(self, item: Item) -> None:
        """Put an item behind all others."""
        self.left.remove(item)
        self.left.append(item)

    def reveal(self) -> None:
        """Save that this rater knows the groups now.

        Raises:
            ConfigurationError: It could not be saved.
        """
        if not self.revealed:
            self.file.add(self.groups())
            self.revealed = True

    def groups(self) -> Reveal:
        """Return the group of each record of the sample."""
        groups = {
            id: [_plain(value) for value in group]
            for content in self.sample.contents
            for group, rows in content.rows.items()
            for _, id in rows
        }
        pairs = [list(pair) for pair in groups.items()]
        return Reveal(self.rater, list(self.by), pairs, self._service, self.sample.spec.name)

    def counted(self) -> list[int]:
        """Return how many records the smallest group has that count in a verdict, after each judgment to come.

        Those count that were rated blind, or still can be. Judgments after the last that counts are left out.
        """
        counts, found, last = dict.fromkeys(self.sample.groups, 0), [], 0
        own = {item: judgment.blind for item, judgment in self.mine}
        for number, item in enumerate([*own, *self.left], start=1):
            if own.get(item, self._is_blind(item)):
                last = number
                for group, rows in item.contents[0].rows.items():
                    counts[group] += len(rows)
            found.append(min(counts.values()))
        return found[:last]

    def verdicts_at(self) -> list[int]:
        """Return after how many judgments a verdict can come: each group has enough, or all are rated."""
        counted = self.counted() if self.mode == "scale" and len(self.sample.groups) > 1 else []
        looks = [
            bisect_left(counted, each) + 1
            for each in verdicts_at(self.cases)
            if each <= max(counted, default=0)
        ]
        return sorted({*looks, len(counted)}) if looks else []

    def waiting(self) -> dict[int, bool]:
        """Return whether a rating of each record that is left would count, by its position: its group is hidden."""
        return {
            at: self._is_blind(item)
            for item in self.left
            for content in item.contents
            for rows in content.rows.values()
            for at, _ in rows
        }

    def _is_blind(self, item: Item) -> bool:
        ids = (id for content in item.contents for rows in content.rows.values() for _, id in rows)
        return not self.revealed and self._seen.isdisjoint(
            record_key(self.sample.spec.name, id) for id in ids
        )

    def _is_here(self, entry: Judgment | Reveal) -> bool:
        """Return whether an entry can be about these records."""
        return entry.collection == self.sample.spec.name and same_service(entry.service, self._service)


def check_options(mode: str, scale: Any, labels: Any) -> int | list[str] | None:
    """Return the highest rating or the labels after checking them; None for pairs.

    Raises:
        InvalidArgument: They are invalid.
    """
    if mode != "labels":
        if labels is not None:
            raise InvalidArgument(
                f'labels needs mode="labels", got mode={short(mode)}.\nPass mode="labels" too.'
            )
        if check_integer("scale", scale, least=2) > MOST:
            raise InvalidArgument(
                f"scale must be 2 to {MOST}, got {scale}.\nEach rating has a digit for its key."
            )
        return int(scale) if mode == "scale" else None
    given = (
        [] if labels is None or isinstance(labels, str) else [check_text("labels", each) for each in labels]
    )
    if not 2 <= len(given) <= MOST or len(set(given)) < len(given):
        raise InvalidArgument(
            f"labels must be 2 to {MOST} different labels, got {short(labels)}.\n"
            'Pass a list: labels=["keep", "rework", "drop"].'
        )
    return given


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    if value is None or isinstance(value, bool | int | str):
        return value
    return float(value) if isinstance(value, float) and not isinf(value) else str(value)
