"""What judgments say: the judgment that counts, the rated frame, the standing of groups, and agreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.analysis.agreement import Level, krippendorff_alpha

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inkframe.frames.ratings import Judgment
    from inkframe.widgets.rating_items import Content, Sample

__all__ = ["agreement", "counting", "item_key", "rated_frame", "standing"]

#: The level of measurement of the values of each mode.
LEVELS: Final[dict[str, Level]] = {"scale": "ordinal", "labels": "nominal", "pairs": "nominal"}

Key = frozenset[str]


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
    rated = frame.copy(deep=False)
    if mode == "pairs":
        return rated
    column = "rating" if mode == "scale" else "label"
    found = counting(judgments)
    values = _centered(found) if mode == "scale" else {key: _most(each) for key, each in found.items()}
    size = len(frame)
    columns: dict[str, list[Any]] = {column: [None] * size, "raters": [0] * size}
    columns |= {"blind": [None] * size, "rated_at": [None] * size}
    for content in contents:
        given = found.get(frozenset((content.key,)))
        if not given:
            continue
        last = max(given.values(), key=lambda each: each.rated_at)
        for at, _ in (row for rows in content.rows.values() for row in rows):
            columns[column][at] = values[frozenset((content.key,))]
            columns["raters"][at] = len(given)
            columns["blind"][at] = all(each.blind for each in given.values())
            columns["rated_at"][at] = last.rated_at
    dtypes = {column: "float64" if mode == "scale" else "str", "raters": "int64", "blind": "boolean",
              "rated_at": "datetime64[us, UTC]"}  # fmt: skip
    for name, dtype in dtypes.items():
        rated[name] = pd.Series(columns[name], index=frame.index, dtype=object).astype(dtype)  # type: ignore[call-overload]
    return rated


def standing(
    rated: pd.DataFrame, sample: Sample, judgments: Sequence[Judgment], by: Sequence[str], mode: str
) -> pd.DataFrame:
    """Return a row for each group: how many records were rated, and how.

    Args:
        rated: What ``rated_frame`` returned.
        sample: What was shown.
        judgments: The judgments.
        by: The columns that make the groups.
        mode: ``scale``, ``labels`` or ``pairs``.
    """
    if mode == "pairs":
        return _wins(sample, judgments, by)
    column = "rating" if mode == "scale" else "label"
    known = rated[rated[column].notna()]
    groups = known.groupby([*by], dropna=False, observed=True, sort=False) if by else [((), known)]
    rows = []
    for group, part in groups:
        counts: dict[str, Any] = {"n": len(part)}
        if mode == "scale":
            counts["mean"] = part[column].mean()
        else:
            counts |= {
                str(label): share for label, share in part[column].value_counts(normalize=True).items()
            }
        rows.append(dict(zip(by, group, strict=True)) | counts)
    found = pd.DataFrame(rows, columns=None if rows else [*by, "n"]).fillna(
        {name: 0.0 for row in rows for name in row if name not in by}
    )
    return (
        found.sort_values(found.columns[-1], ascending=False, ignore_index=True)
        if mode == "scale" and rows
        else found
    )


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


def _centered(found: dict[Key, dict[str, Judgment]]) -> dict[Key, float]:
    """Return the mean of each item over its raters, each of whom is shifted to the mean of all."""
    by_rater: dict[str, list[float]] = defaultdict(list)
    for given in found.values():
        for rater, each in given.items():
            by_rater[rater].append(float(each.value or 0))
    everything = [value for values in by_rater.values() for value in values]
    shift = {
        rater: sum(values) / len(values) - sum(everything) / len(everything) if len(by_rater) > 1 else 0.0
        for rater, values in by_rater.items()
    }
    return {
        key: sum(float(each.value or 0) - shift[rater] for rater, each in given.items()) / len(given)
        for key, given in found.items()
    }


def _most(given: dict[str, Judgment]) -> str | None:
    ranks = Counter(str(each.value) for each in given.values()).most_common(2)
    return ranks[0][0] if len(ranks) == 1 or ranks[0][1] > ranks[1][1] else None


def _wins(sample: Sample, judgments: Sequence[Judgment], by: Sequence[str]) -> pd.DataFrame:
    """Return how often each group won, was equal, and was compared; a tie counts half."""
    found = counting(judgments)
    scores: dict[Any, list[float]] = defaultdict(list)
    for item in sample.items:
        for each in found.get(item.key, {}).values():
            winner = None if each.winner is None else _side(each)
            for content in item.contents:
                score = 0.5 if winner is None else float(winner in (content.key, str(content.record["id"])))
                for group in content.rows:
                    scores[group].append(score)
    rows = [
        dict(zip(by, group, strict=True)) | {"n": len(values), "win_rate": sum(values) / len(values)}
        for group, values in scores.items()
    ]
    return pd.DataFrame(rows, columns=[*by, "n", "win_rate"]).sort_values(
        "win_rate", ascending=False, ignore_index=True
    )
