"""How well a column of judgments by a model agrees with human ratings of the same records."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["judged_notes"]

#: The columns of human judgments.
HUMAN: Final = ("rating", "label")
#: The minimum number of records with both.
ENOUGH: Final = 3


def judged_notes(frame: pd.DataFrame, column: str) -> list[str]:
    """Return a note on a judged column: its agreement with human ratings, where there are any.

    Numbers are compared by Spearman's rank correlation, choices by the share that is the same.

    Args:
        frame: The frame with both columns; ``attrs["scoring"]`` names those that were judged by a model.
        column: The column of judgments.
    """
    if column not in frame.attrs.get("scoring", {}).get("judged", {}):
        return []
    human = next((name for name in HUMAN if name in frame.columns), None)
    both = frame[[column, human]].dropna() if human else None
    if both is None or len(both) < ENOUGH:
        return [f"{column} was judged by a model; there are no human ratings to compare it with."]
    if human == "label":
        same = (both[column].astype("str") == both[human].astype("str")).mean()
        return [
            f"{column} was judged by a model; it is the human label for {same:.0%} of {len(both)} records."
        ]
    ranks = both.astype("float64").rank()
    correlation = ranks[column].corr(ranks[human])
    if isnan(correlation):  # one of them never varies
        return [f"{column} was judged by a model; of {len(both)} human ratings or its own, all are equal."]
    how = f"its rank correlation with human ratings is {correlation:.2f} over {len(both)} records"
    return [f"{column} was judged by a model; {how}."]
