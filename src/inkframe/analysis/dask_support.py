"""Dask frames, which are computed first if a function needs all rows."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable

    Given = ParamSpec("Given")
    Result = TypeVar("Result")

__all__ = ["gathers", "is_lazy"]


def is_lazy(frame: object) -> bool:
    """Return whether this is a dask frame."""
    return not isinstance(frame, pd.DataFrame) and hasattr(frame, "map_partitions")


def gathers(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Wrap a function to accept dask frames, too: the workers compute the rows, which are collected here."""

    @wraps(function)
    def call(*given: Given.args, **named: Given.kwargs) -> Result:
        if given and is_lazy(given[0]):
            return function(given[0].compute(), *given[1:], **named)  # type: ignore[arg-type, attr-defined]  # a dask frame
        return function(*given, **named)

    return call
