"""What differs between the versions of libraries. No other module asks for a version.

Texts of frames have one type everywhere: pandas 3 calls it ``str``, pandas 2 has it too, but means objects by that word.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["as_texts", "focus", "has_matchers", "is_boolean", "is_text", "kept_copy", "text_type"]


@cache
def text_type() -> pd.StringDtype:
    """Return the type of texts in frames: Arrow texts, NaN where one is missing."""
    import pandas as pd

    try:
        return pd.StringDtype("pyarrow", na_value=float("nan"))
    except TypeError:  # pandas 2.2
        return pd.StringDtype("pyarrow_numpy")


def is_text(dtype: object) -> bool:
    """Return whether a type is that of texts, stored in Arrow or not."""
    import pandas as pd

    return isinstance(dtype, pd.StringDtype) and dtype.na_value is not pd.NA


def as_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame that was built of Python values with its texts as texts, as pandas 3 takes them by itself."""
    import pandas as pd

    kinds = {name: pd.api.types.infer_dtype(frame[name]) for name in frame if frame[name].dtype == object}
    found = [name for name, kind in kinds.items() if kind == "string"]
    return frame.astype(dict.fromkeys(found, text_type()))


def kept_copy(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame as it is now: edits of one never change the other. Pandas 3 shares memory until then."""
    import pandas as pd

    return frame.copy(deep=pd.__version__.startswith("2."))


def is_boolean(value: object) -> bool:
    """Return whether a value is True or False of Python or numpy, without importing numpy."""
    return type(value).__name__ in {"bool", "bool_"}  # the latter until numpy 1.26


def has_matchers() -> bool:
    """Return whether IPython takes sources of completions; before version 8.6 it takes none."""
    from IPython.core import completer

    return hasattr(completer, "SimpleCompletion")


def focus(control: Any) -> None:
    """Put the cursor into a control; widgets of ipywidgets 7 cannot."""
    if hasattr(control, "focus"):
        control.focus()
