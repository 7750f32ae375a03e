"""Run many cases of one rule as one test, and name types as every version of pandas does."""

import functools
import inspect

import pandas as pd

from inkframe.versions import text_type


def cases(names, values, ids=None):
    """Call a test with each of many values, like ``pytest.mark.parametrize``, but as one test.

    A test of its own takes a millisecond in pytest, more than most cases. The first case that fails ends the
    test and is named below its error. All cases share the fixtures of the test.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    values = [value if len(names) > 1 else (value,) for value in values]
    labels = values if ids is None else list(ids)

    def decorate(test):
        @functools.wraps(test)
        def run(**fixtures):
            for label, value in zip(labels, values, strict=True):
                try:
                    test(**fixtures, **dict(zip(names, value, strict=True)))
                except BaseException as error:
                    error.add_note(f"in the case {', '.join(names)} = {label}")
                    raise

        signature = inspect.signature(test)
        kept = [each for each in signature.parameters.values() if each.name not in names]
        run.__signature__ = signature.replace(parameters=kept)
        return run

    return decorate


def type_name(dtype):
    """Return the name of a type; that of texts is ``str`` whatever the version of pandas calls it."""
    return "str" if dtype == text_type() else str(dtype)


def with_texts(frame):
    """Return a frame or a column that pandas made, with its texts of one type whatever the version of pandas."""
    if isinstance(frame, pd.Series):
        return with_texts(frame.to_frame()).iloc[:, 0]
    names = [name for name in frame.columns if holds_texts(frame[name])]
    frame = frame.astype(dict.fromkeys(names, text_type()))
    return frame.set_axis(frame.index.astype(text_type())) if holds_texts(frame.index) else frame


def holds_texts(values):
    """Return whether all values of a column or an index are texts, and there are some."""
    if isinstance(values.dtype, pd.StringDtype):
        return True
    present = values.dropna()
    return len(present) > 0 and values.dtype == object and {str}.issuperset(map(type, present))


def addresses(column):
    """Return the memory addresses of a column's texts."""
    array = column.array.__arrow_array__()
    chunks = array.chunks if hasattr(array, "chunks") else [array]
    return [chunk.buffers()[2].address for chunk in chunks]
