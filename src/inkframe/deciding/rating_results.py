"""What judgments say: the judgment that counts, the rated frame, the standing of groups, and agreement."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.deciding.agreement import krippendorff_alpha
from inkframe.deciding.groups import compare_groups
from inkframe.deciding.observations import strictness
from inkframe.deciding.win_rates import win_rates
from inkframe.errors import ConfigurationError, InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inkframe.deciding.agreement import Level
    from inkframe.deciding.rating_items import Content
    from inkframe.deciding.ratings import Judgment

    Key = frozenset[str]

__all__ = ["agreement", "counting", "item_key", "rated_frame", "standing"]

#: The level of measurement of the values of each mode.
LEVELS: Final[dict[str, Level]] = {"scale": "ordinal", "labels": "nominal", "pairs": "nominal"}
#: The column of the frame, and its type and those beside it.
COLUMNS: Final = {"scale": "rating", "labels": "label"}
TYPES: Final[dict[str, Any]] = {"rating": "float64", "label": "str", "raters": "int64", "blind": "boolean",
                "rated_at": "datetime64[us, UTC]"}  # fmt: skip


def item_key(judgment: Judgment) -> Key:
    """Return the key of the item that a judgment is about."""
    if judgment.content:
        return frozenset(judgment.content.split("|"))
    return frozenset(f"id {id}" for id in (judgment.id, judgment.other) if id is not None)


def counting(judgments: Iterable[Judgment]) -> dict[Key, dict[str, Judgment]]:
    """Return the judgment of each rater that counts, by item: a blind one before others, then the last."""
    found: dict[Key, dict[str, Judgment]] = defaultdict(dict)
    for each in judgments:
        before = found[item_key(each)].get(each.rater)
        if before is None or each.blind or not before.blind:
            found[item_key(each)][each.rater] = each
    return found


def rated_frame(
    frame: pd.DataFrame, contents: Iterable[Content], judgments: Sequence[Judgment], mode: str
) -> pd.DataFrame:
    """Return the frame with its ratings or labels, how many raters gave one, whether all were blind, and when.

    Of several raters the mean counts, once what each gives more or less than the others is taken off; of labels
    the most frequent one, or none where two are.

    Args:
        frame: The frame.
        contents: The contents that were shown.
        judgments: The judgments of them.
        mode: ``scale`` or ``labels``; a frame of pairs has no column.
    """
    if mode == "pairs":
        return frame.copy(deep=False)
    found = counting(judgments)
    given = [
        (at, str(group), each)
        for content in contents
        for each in found.get(frozenset((content.key,)), {}).values()
        for group, rows in content.rows.items()
        for at, _ in rows
    ]
    column = COLUMNS[mode]
    rated = pd.DataFrame(
        [(at, group, each.value, each.rater, each.blind, each.rated_at) for at, group, each in given],
        columns=["at", "group", column, "raters", "blind", "rated_at"],
    )
    if mode == "scale":
        rated[column] = rated[column].astype("float64")
        rated[column] -= strictness(rated[column], rated["raters"], rated["group"])
    by_row = rated.groupby("at").agg({column: "mean" if mode == "scale" else _most, "raters": "size",
                                      "blind": "all", "rated_at": "max"})  # fmt: skip
    by_row = by_row.reindex(range(len(frame))).fillna({"raters": 0}).set_index(frame.index)
    return frame.assign(**{name: by_row[name].astype(TYPES[name]) for name in map(str, by_row)})


def standing(
    rated: pd.DataFrame, ratings: pd.DataFrame, by: Sequence[str], mode: str, highest: Any = None
) -> pd.DataFrame:
    """Return a row for each group: how many records were rated, and how, the best first.

    Intervals of ratings end at the ends of their scale.

    Args:
        rated: What ``rated_frame`` returned.
        ratings: The judgments with their groups.
        by: The columns that make the groups.
        mode: ``scale``, ``labels`` or ``pairs``.
        highest: The highest rating of a scale.
    """
    names, column = [*by], COLUMNS.get(mode)
    known = rated[rated[column].notna()] if column else rated.iloc[:0]
    found: Any = pd.DataFrame(columns=[*names, "n"])
    if column and len(known):
        keys = [known[name] for name in names] or [known[column].notna()]
        groups = known.groupby(keys, dropna=False, observed=True)[column]
        found = groups.agg(n="size", mean="mean") if mode == "scale" else groups.agg(n="size")
        if mode == "labels":
            found = found.join(pd.crosstab(keys, known[column], normalize="index"))
        found = found.reset_index(drop=not names)
    # Fewer than two groups have any that count, or SciPy is missing, without which means have no intervals.
    with suppress(InvalidArgument, ConfigurationError):
        if mode == "pairs":
            found = win_rates(ratings, by=names)[[*names, "n", "win_rate", "low", "high"]]
        elif mode == "scale":
            found = compare_groups(rated, by=names, column="rating")[
                [*names, "n", "mean", "low", "high", "verdict"]
            ]
            found[["low", "high"]] = found[["low", "high"]].clip(1, highest)
    best = [name for name in ("mean", "win_rate") if name in found]
    if best:
        found = found.sort_values(best, ascending=False, ignore_index=True)
    return pd.DataFrame(found)


def agreement(judgments: Sequence[Judgment], mode: str) -> float | None:
    """Return Krippendorff's alpha of the judgments, if two raters judged the same item."""
    counted = [each for given in counting(judgments).values() for each in given.values()]
    values = [
        (item_key(each), each.rater, _side(each) if mode == "pairs" else each.value) for each in counted
    ]
    return krippendorff_alpha(values, LEVELS[mode])


def _side(judgment: Judgment) -> str:
    """Return which content of a pair won, wherever it was shown."""
    if judgment.winner is None:
        return "tie"
    keys = judgment.content.split("|") if judgment.content else [str(judgment.id), str(judgment.other)]
    return keys[0 if judgment.winner == judgment.id else 1]


def _most(labels: pd.Series) -> str | None:
    modes = labels.mode()
    return modes[0] if len(modes) == 1 else None
