"""Checks of call arguments with suggestions, and signatures shared between methods."""

from __future__ import annotations

from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from inkframe.errors import WrongKeyword
from inkframe.vocabulary.choices import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["checked", "checked_calls", "filters_of", "like"]

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
Class = TypeVar("Class", bound=type)

#: Parameters of ``all`` that are not filters.
NOT_FILTERS = frozenset({"sort_by", "sort", "limit", "details", "progress"})


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that checks its arguments and suggests the correct keyword.

    Raises:
        WrongKeyword: A keyword is unknown, an argument is missing, or there are too many.
    """
    # A function with **kwargs accepts unknown keywords, so its shared signature is checked first.
    takes_any = hasattr(function, "__signature__")

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        problem = _problem(function, args, kwargs) if takes_any else None
        if problem is not None:
            raise WrongKeyword(problem)
        try:
            return function(*args, **kwargs)
        except TypeError:
            problem = _problem(function, args, kwargs)
            if problem is None:
                raise
        raise WrongKeyword(problem)

    return call


def checked_calls(cls: Class) -> Class:
    """Check the public methods and the constructor of a class as ``checked`` does."""
    for name, value in vars(cls).copy().items():
        if callable(value) and not isinstance(value, type) and (name == "__init__" or name[0] != "_"):
            setattr(cls, name, checked(value))
    return cls


def like(
    model: Callable[Concatenate[Any, P], Any],
) -> Callable[[Callable[..., R]], Callable[Concatenate[Any, P], R]]:
    """Return a decorator that copies the signature of another method."""

    def decorate(function: Callable[..., R]) -> Callable[Concatenate[Any, P], R]:
        function.__signature__ = signature(model)  # type: ignore[attr-defined]  # the attribute that ``inspect`` reads
        return function

    return decorate


def filters_of(model: Callable[..., Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that replaces ``**filters`` with the filter parameters of ``all``."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        own = signature(function)
        kept = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        shared = signature(model).parameters.values()
        kept += [each for each in shared if each.name not in {*own.parameters, *NOT_FILTERS}]
        function.__signature__ = own.replace(parameters=kept)  # type: ignore[attr-defined]  # as above
        return function

    return decorate


def _problem(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Return the problem with the arguments of a call; None if they are valid."""
    called = signature(function)
    try:
        called.bind(*args, **kwargs)
    except TypeError as error:
        reason = str(error)
    else:
        return None
    name = f"{function.__qualname__.removesuffix('.__init__').rpartition('.')[2]}()"
    taken = [each for each in called.parameters if each != "self"]
    unknown = next((each for each in kwargs if each not in taken), None)
    missing = [each.name for each in called.parameters.values() if _is_missing(each, args, kwargs, called)]
    choices = f"It accepts {', '.join(taken) or 'no arguments'}."
    if unknown is not None:
        close = nearest(unknown, [each for each in taken if each not in kwargs])
        return f"{name} got an unexpected keyword {unknown!r}.\n" + (
            f"Did you mean {close!r}?" if close else choices
        )
    if missing:
        return f"{name} requires {' and '.join(map(repr, missing))}.\n{choices}"
    return f"{name} got invalid arguments: {reason}.\nPass them by keyword. {choices}"


def _is_missing(
    parameter: Parameter, args: tuple[Any, ...], kwargs: dict[str, Any], called: Signature
) -> bool:
    if parameter.default is not Parameter.empty or parameter.name in kwargs or parameter.name == "self":
        return False
    if parameter.kind is Parameter.KEYWORD_ONLY:
        return True
    position = [*called.parameters].index(parameter.name)
    return parameter.kind is Parameter.POSITIONAL_OR_KEYWORD and position >= len(args)
