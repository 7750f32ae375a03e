"""Compare columns by value, even if other programs changed their types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

__all__ = ["plain", "same"]


def same(new: pd.Series, old: pd.Series) -> np.ndarray:
    """Return for each row whether two columns have the same value; missing values are equal.

    Args:
        new: A column. Strings that can be read as the other's type are converted, as after a CSV file.
        old: The column to compare with, by position.

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
    """Return a column in another type, or unchanged if a value cannot be converted."""
    if isinstance(dtype, pd.CategoricalDtype) or isinstance(column.dtype, pd.CategoricalDtype):
        return column
    try:
        if isinstance(dtype, pd.DatetimeTZDtype):
            # A time without a zone is in UTC, as files have it; fractions of seconds may be left out.
            return pd.to_datetime(column, utc=True, format="ISO8601").astype(dtype)
        return column.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        return column


def plain(column: pd.Series) -> list[Any]:
    """Return a column's values as Python objects, None for missing ones."""
    return column.astype(object).where(column.notna(), None).tolist()
