"""Frames on their way to a spreadsheet: no text in them is taken for a formula."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame, Index, Series

__all__ = ["neutralise_formulas"]

#: What makes a spreadsheet calculate (OWASP, "CSV Injection"), in half and full width.
_FORMULA = re.compile("[=+\\-@\t\r\n＝＋－＠]")  # noqa: RUF001  # full-width signs count in East Asian settings
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?")


def neutralise_formulas(frame: DataFrame) -> DataFrame:
    """Give a frame whose texts a spreadsheet shows instead of calculating.

    A text that begins like a formula gets an apostrophe in front. Numbers stay as they are, also those that
    are written as text; so do Parquet and JSON, which need none of this.

    Args:
        frame: Any DataFrame. It is not changed.

    Returns:
        A frame for ``to_csv``: the same, with column names and index labels treated alike.
    """
    # By place, not by name: two columns may share one.
    from pandas import concat

    safe = (
        concat([_column(frame.iloc[:, at]) for at in range(frame.shape[1])], axis=1)
        if frame.shape[1]
        else frame.copy()
    )
    safe.columns = _labels(frame.columns)
    safe.index = _labels(frame.index)
    return safe


def _column(column: Series[Any]) -> Series[Any]:
    if column.dtype == "category":
        renamed = {each: _neutral(each) for each in column.cat.categories}
        return column if all(a == b for a, b in renamed.items()) else column.astype(object).map(_neutral)
    if str(column.dtype) in ("object", "str", "string"):
        return column.map(_neutral)
    return column


def _labels(labels: Index[Any]) -> Index[Any]:
    renamed = (
        labels.map(_neutral) if labels.nlevels == 1 else labels.map(lambda row: tuple(map(_neutral, row)))
    )
    return renamed.set_names([_neutral(name) for name in labels.names])


def _neutral(content: Any) -> Any:
    """Put an apostrophe before a text that begins like a formula and is no number."""
    if not isinstance(content, str) or not _FORMULA.match(content) or _NUMBER.fullmatch(content):
        return content
    return f"'{content}"
