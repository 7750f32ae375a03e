"""The values of the groups that are compared, one for each document, in the order they were rated."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.validation import flags, require
from inkframe.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "LOOKS",
    "Observations",
    "columns_of_groups",
    "judged_notes",
    "observe",
    "plain_value",
    "strictness",
]

#: The numbers of documents in each group at which a verdict can come. People look while they rate, and a
#: test at every look would find a winner by chance too often.
LOOKS: Final = (10, 20, 30, 40)
#: The columns of human judgments, and the minimum number of records to compare a model's with.
HUMAN, ENOUGH = ("rating", "label"), 3
#: The column of ratings by people, which are the same for copies of a text.
RATED: Final = "rating"
#: The column of cases, and its substitute in frames without it.
CASE, PROMPT = "case", "prompt"


@dataclass(frozen=True, slots=True)
class Observations:
    """The values of two or more groups.

    Args:
        data: A row for each document: group, block and text as numbers from 0, and value.
        labels: The value of each column of the groups, by group.
        column: The column of the values.
        is_check: Whether the values are booleans.
        has_blocks: Whether there is a column of cases.
        notes: What was left out.
    """

    data: pd.DataFrame
    labels: list[dict[str, Any]]
    column: str
    is_check: bool
    has_blocks: bool
    notes: list[str] = field(default_factory=list)

    @property
    def counts(self) -> list[int]:
        """The number of documents of each group."""
        return [int((self.data["group"] == at).sum()) for at in range(len(self.labels))]

    def first(self, count: int) -> Observations:
        """Return the observations of the first documents of each group."""
        data = self.data.groupby("group").head(count)
        return replace(self, data=data)

    def only(self, kept: Sequence[int]) -> Observations:
        """Return the observations of some of the groups."""
        data = self.data[self.data["group"].isin(kept)]
        data = data.assign(group=np.searchsorted(kept, data["group"]))
        return replace(self, data=data, labels=[self.labels[at] for at in kept])


def columns_of_groups(by: str | Sequence[str]) -> list[str]:
    """Return the columns of the groups.

    Raises:
        InvalidArgument: There is none.
    """
    columns = [by] if isinstance(by, str) else list(by)
    if not columns:
        raise InvalidArgument("by must be a column or a list of columns, got [].")
    return columns


def observe(
    frame: pd.DataFrame, *, by: str | Sequence[str], column: str, block: str | Sequence[str] | None
) -> Observations:
    """Return the observations of a column of a frame.

    Raises:
        InvalidArgument: A column is missing or of the wrong type, or there are fewer than two groups.
    """
    columns = columns_of_groups(by)
    blocks = _blocks(frame, columns, block)
    require(frame, *columns, column, *blocks)
    frame = _in_order(frame)
    documents = frame["id"] if "id" in frame.columns else frame.index
    rows = frame.reset_index(drop=True)
    values, is_check = _values(rows, column)
    usable = values.notna() & rows[columns].notna().all(axis=1)
    notes = []
    if missing := int((~usable).sum()):
        notes.append(f"Left out without {column} or group: {missing} of {len(rows)} rows.")
    if "blind" in rows.columns and (seen := usable & ~flags(rows.fillna({"blind": True}), "blind")).any():
        notes.append(f"Left out as rated after the group was seen: {seen.sum()} of {len(rows)} rows.")
        usable &= ~seen
    rows = rows[usable]
    groups = rows.groupby(columns, sort=True, observed=True)
    labels = [dict(zip(columns, map(plain_value, name), strict=True)) for name, _ in groups]
    if len(labels) < 2:  # a comparison needs two
        raise InvalidArgument(
            f"A comparison needs at least 2 groups, got {len(labels)} in {', '.join(map(repr, columns))}.\n"
            f"Pass another column with by=…, or rows with a value in {column!r}."
        )
    data = pd.DataFrame({"group": groups.ngroup(), "block": 0, "value": values.loc[rows.index]})
    if blocks:
        data["block"] = rows.groupby(blocks, dropna=False, observed=True).ngroup()
    data["text"] = range(len(rows))
    if column == RATED and "result" in rows.columns:
        data["text"] = pd.factorize(rows["result"].map(_words, na_action="ignore"))[0]
    if "rater" in rows.columns:
        data = _by_document(data, np.asarray(documents)[rows.index], rows["rater"])
        is_check = False
    return Observations(data.reset_index(drop=True), labels, column, is_check, bool(blocks), notes)


def _in_order(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows in the order they were rated, or in that of their index.

    The order of the frame itself may be one of the ratings.
    """
    if "rated_at" in frame.columns:
        return frame.sort_values("rated_at", kind="stable")
    try:
        return frame.sort_index(kind="stable")
    except TypeError:  # numbers and texts
        return frame


def _blocks(frame: Any, columns: list[str], block: str | Sequence[str] | None) -> list[str]:
    blocks = [block] if isinstance(block, str) else list(block or ())
    if blocks == [CASE] and isinstance(frame, pd.DataFrame) and CASE not in frame.columns:
        blocks = [PROMPT] if PROMPT in frame.columns else []
    return [name for name in blocks if name not in columns]


def _values(rows: pd.DataFrame, column: str) -> tuple[pd.Series, bool]:
    """Return a column as numbers, NaN where a value is missing, and whether it holds booleans."""
    given = rows[column]
    known = given.dropna()
    is_check = bool(known.map(type).isin([bool, np.bool_]).all())
    try:
        values = given.astype("Float64").astype("float64")
    except (TypeError, ValueError):
        values = None
    if values is None or isinstance(given.dtype, pd.CategoricalDtype) or np.isinf(values).any():
        raise InvalidArgument(
            f"The column {column!r} must hold numbers or booleans, got {given.dtype}.\n"
            "Pass a rating, a score or a check."
        )
    return values, is_check


def _by_document(data: pd.DataFrame, documents: Any, raters: pd.Series) -> pd.DataFrame:
    """Return one row for each document: the mean of its ratings, without how strict each rater is."""
    data = data.assign(document=documents, rater=raters.fillna("").to_numpy())
    data["value"] -= strictness(data["value"], data["rater"], data["group"])
    every = {"block": "first", "value": "mean", "text": "first"}
    return data.groupby(["document", "group"], sort=False).agg(every).reset_index()


def strictness(values: pd.Series, raters: pd.Series, groups: pd.Series) -> pd.Series:
    """Return how much more than the others the rater of each value gives.

    That is the mean, over the groups that the rater rated, of the difference to all ratings of the group, so
    that a rater of one group only does not change its standing.
    """
    beyond = values - values.groupby(groups).transform("mean")
    by_rater = beyond.groupby([raters, groups]).mean().groupby(level=0).mean()
    return raters.map(by_rater).round(9)


def plain_value(value: Any) -> Any:
    """Return a value of numpy as one of Python."""
    return value.item() if isinstance(value, np.generic) else value


def _words(text: object) -> str:
    return " ".join(str(text).split())


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
