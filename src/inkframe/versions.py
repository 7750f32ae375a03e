"""What differs between the versions of libraries, and libraries that are imported at first use. No other module asks for a version.

Texts of frames have one type everywhere: pandas 3 calls it ``str``, pandas 2 has it too, but means objects by that word.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Later", "as_texts", "has_matchers", "is_boolean", "text_type"]


class Later:
    """A module that is imported when one of its names is used, such as in an annotation that is evaluated.

    Args:
        module: The name of the module.
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._module), name)


def text_type() -> Any:  # the stubs of pandas know its name only
    """Return the type of texts in frames: Arrow texts, NaN where one is missing."""
    import pandas as pd

    try:
        return pd.StringDtype("pyarrow", na_value=float("nan"))
    except TypeError:  # pandas 2.2
        return pd.StringDtype("pyarrow_numpy")


def as_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame that was built of Python values with its texts as texts, as pandas 3 takes them by itself."""
    import pandas as pd

    found = [
        name
        for name in frame
        if frame[name].dtype == object and pd.api.types.infer_dtype(frame[name]) == "string"
    ]
    return frame.astype(dict.fromkeys(found, text_type()))


def is_boolean(value: object) -> bool:
    """Return whether a value is True or False of Python or numpy, without importing numpy."""
    return type(value).__name__ in {"bool", "bool_"}  # the latter until numpy 1.26


def has_matchers() -> bool:
    """Return whether IPython takes sources of completions; before version 8.6 it takes none."""
    from IPython.core import completer

    return hasattr(completer, "SimpleCompletion")
