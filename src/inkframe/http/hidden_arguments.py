"""Calls whose errors show no argument that may be a key."""

from __future__ import annotations

import re
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from inkframe.errors import InkframeError
from inkframe.http.address import ADDRESS
from inkframe.http.foreign_text import redact
from inkframe.http.key import Key
from inkframe.http.tracebacks import bare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["hides_arguments"]

Function = TypeVar("Function", bound="Callable[..., Any]")

#: A text that may be a key: long, without spaces, with letters and digits, and neither a path nor a URL.
KEY_LIKE: Final = re.compile(r"(?![/~.])(?=.*[0-9])(?=.*[A-Za-z])(?!.*://)[!-~]{12,}")


def hides_arguments(function: Function) -> Function:
    """Return a function whose errors show no argument that may be a key, in text or in frames."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except InkframeError as error:
            failure = _without(bare(error), (*args, *kwargs.values()))
        finally:
            del args, kwargs
        raise failure

    return cast("Function", call)


def _without(error: InkframeError, values: Iterable[Any]) -> InkframeError:
    for value in values:
        if isinstance(value, str) and KEY_LIKE.fullmatch(value) and not ADDRESS.fullmatch(value):
            error.args = (redact(str(error), Key(value)),)
    return error
