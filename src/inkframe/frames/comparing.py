"""Columns compared by value, whatever their types have become on the way through other programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

__all__ = ["plain", "same"]


def same(new: pd.Series, old: pd.Series) -> np.ndarray:
    """Say for each row whether two columns hold the same value; nothing is the same as nothing.

    Args:
        new: A column; texts that read as the other's type count as such, as after a CSV file.
        old: What it is compared with, row by row by position.

    Returns:
        A boolean array.
    """
    missing, missed = new.isna().to_numpy(), old.isna().to_numpy()
    return (missing & missed) | (_equal(new, old) & ~missing & ~missed)


def _equal(new: pd.Series, old: pd.Series) -> np.ndarray:
    if new.dtype != old.dtype:
        new = _as(new, old.dtype)
    if new.dtype != old.dtype:
        return np.array([a == b for a, b in zip(plain(new), plain(old), strict=True)], dtype=bool)
    found = pd.array(new.array == old.array, dtype="boolean")
    return np.asarray(found.to_numpy(dtype=bool, na_value=False))


def _as(column: pd.Series, dtype: Any) -> pd.Series:
    """Give a column in another type, or as it is where not every value can be."""
    if isinstance(dtype, pd.CategoricalDtype) or isinstance(column.dtype, pd.CategoricalDtype):
        return column
    try:
        if isinstance(dtype, pd.DatetimeTZDtype):
            return pd.to_datetime(column, utc=True).astype(dtype)
        return column.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        return column


def plain(column: pd.Series) -> list[Any]:
    """Give a column's values as Python's own, None where there is none."""
    return column.astype(object).where(column.notna(), None).tolist()
