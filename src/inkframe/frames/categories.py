"""Categories in the vocabulary's order, one set for each client, so that its frames can be joined."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Categories"]


class Categories:
    """The values of one column seen so far: the vocabulary's first, then others in the order of arrival.

    Args:
        values: The vocabulary's values, in order.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._codes = {value: code for code, value in enumerate(values)}
        self._dtype: pd.CategoricalDtype | None = None
        self._lock = threading.Lock()

    def encode(self, values: Sequence[str | None]) -> np.ndarray:
        """Return a code for each value, -1 for None; new values are added."""
        codes = self._codes
        try:
            found = [-1 if value is None else codes[value] for value in values]
        except KeyError:
            with self._lock:
                for value in values:
                    if value is not None and value not in codes:
                        codes[value] = len(codes)
                        self._dtype = None
            found = [-1 if value is None else codes[value] for value in values]
        return np.array(found, dtype=np.int32)

    @property
    def dtype(self) -> pd.CategoricalDtype:
        """The pandas type of all values seen so far."""
        if self._dtype is None:
            with self._lock:
                self._dtype = pd.CategoricalDtype(pd.Index(list(self._codes), dtype="str"))
        return self._dtype

    def decode(self, codes: np.ndarray) -> pd.Categorical:
        """Return the pandas column for codes of ``encode``."""
        dtype = self.dtype
        narrow = (
            np.int8
            if len(dtype.categories) < 128
            else np.int16
            if len(dtype.categories) < 32768
            else np.int32
        )
        return pd.Categorical.from_codes(codes.astype(narrow), dtype=dtype, validate=False)
