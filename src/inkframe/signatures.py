"""Checks of call arguments with suggestions, and signatures shared between methods."""

from __future__ import annotations

from functools import wraps
from inspect import Parameter, currentframe, signature
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar, cast

from inkframe.errors import WrongAttribute, WrongKeyword
from inkframe.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

__all__ = [
    "caller_level",
    "check_keywords",
    "checked",
    "checked_calls",
    "filters_of",
    "keywords_of",
    "like",
    "options_of",
    "wrong_name",
]

P = ParamSpec("P")
R = TypeVar("R")
Function = TypeVar("Function", bound="Callable[..., Any]")
Class = TypeVar("Class", bound=type)

#: Parameters of ``all`` that are not filters.
NOT_FILTERS: Final = frozenset({"sort_by", "sort", "limit", "details", "progress"})


def checked(function: Function) -> Function:
    """Return a function that checks its arguments and suggests the correct keyword.

    Raises:
        WrongKeyword: A keyword is unknown, an argument is missing, or there are too many.
    """
    # A function with **kwargs accepts unknown keywords, so its shared signature is checked first.
    takes_any = hasattr(function, "__signature__")
    #: Whether arguments fit depends on their number and keywords alone.
    fitting: set[tuple[Any, ...]] = set()

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if not takes_any or (shape := (len(args), *kwargs)) in fitting:
                return function(*args, **kwargs)
            problem = _problem(function, args, kwargs)
            if problem is None:
                fitting.add(shape)
                return function(*args, **kwargs)
        except TypeError:
            problem = _problem(function, args, kwargs)
            if problem is None:
                raise
        finally:
            del args, kwargs  # a traceback shows the variables of each frame, and one may be a key
        raise WrongKeyword(problem)

    return cast("Function", call)


def checked_calls(cls: Class) -> Class:
    """Check the public methods and the constructor of a class as ``checked`` does.

    A missing attribute of an instance raises an ``AttributeError`` with the nearest public name.
    """
    if not hasattr(cls, "__getattr__"):
        cls.__getattr__ = _missing  # type: ignore[attr-defined]  # type checkers know the names that exist
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


def options_of(
    model: Callable[..., Any], *, leave_out: Collection[str] = ()
) -> Callable[[Function], Function]:
    """Return a decorator that replaces ``**options`` with the keyword-only parameters of another function.

    Args:
        model: The function that the options are passed to.
        leave_out: Parameters of it that are no options.
    """

    def decorate(function: Function) -> Function:
        own = signature(function)
        kept = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        known = {*own.parameters, *leave_out}
        kept += [
            each for each in _public(model) if each.kind is Parameter.KEYWORD_ONLY and each.name not in known
        ]
        function.__signature__ = own.replace(parameters=kept)  # type: ignore[attr-defined]  # as above
        return function

    return decorate


def filters_of(model: Callable[..., Any]) -> Callable[[Function], Function]:
    """Return a decorator that replaces ``**filters`` with the filter parameters of ``all``."""
    return options_of(model, leave_out=NOT_FILTERS)


def keywords_of(function: Callable[..., Any]) -> list[str]:
    """Return the keywords that a call names, without its ``**options``."""
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    return [each.name for each in _public(function) if each.kind in named and each.name != "self"]


def check_keywords(name: str, given: Iterable[str], known: Collection[str]) -> None:
    """Refuse keywords that a call does not take, for calls whose keywords are known only when they run.

    Args:
        name: The name of what is called.
        given: The keywords.
        known: Those that it takes.

    Raises:
        WrongKeyword: A keyword is not known; names the nearest that is.
    """
    for each in given:
        if each not in known:
            raise WrongKeyword(_unknown(name, each, known))


def caller_level() -> int:
    """Return the ``stacklevel`` of a warning that points at the call from outside the package."""
    frame, level = currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").startswith("inkframe."):
        frame, level = frame.f_back, level + 1
    return level


def wrong_name(name: str, known: Sequence[str]) -> WrongAttribute:
    """Return the error for a name that the package does not have, with what may be meant.

    Args:
        name: The name.
        known: The public names of the package.
    """
    close = nearest(name, known)
    advice = (
        f"Did you mean {close!r}?"
        if close
        else "The methods for records are those of client.images and client.documents."
    )
    return WrongAttribute(f"inkframe has no attribute {name!r}.\n{advice}")


def _missing(self: Any, name: str) -> Any:
    if hasattr(type(self), name):
        return object.__getattribute__(self, name)  # a property that failed: raise its own error again
    close = None if name[0] == "_" else nearest(name, [each for each in dir(self) if each[0] != "_"])
    advice = f"Did you mean {close!r}?" if close else "Press Tab after the dot to see what there is."
    raise WrongAttribute(f"{type(self).__name__} has no attribute {name!r}.\n{advice}")


def _problem(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Return the problem with the arguments of a call, without their values; None if they are valid."""
    called = signature(function)
    parameters = called.parameters
    name = function.__qualname__.removesuffix(".__init__").rpartition(".")[2]
    taken = keywords_of(function)
    try:
        given = called.bind_partial(*args, **kwargs).arguments
    except TypeError:
        takes_any = any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values())
        unknown = next((each for each in kwargs if each not in parameters and not takes_any), None)
        if unknown is not None:
            return _unknown(name, unknown, [each for each in taken if each not in kwargs] or taken)
        named = [each.name for each in parameters.values() if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
        own = "self" in named
        twice = next((each for each in named[: len(args)] if each in kwargs), None)
        if twice is not None:
            return f"{name}() got {twice!r} twice.\nPass it once. {_choices(taken)}"
        return (
            f"{name}() takes {len(named) - own} positional arguments, got {len(args) - own}.\n"
            f"Pass them by keyword. {_choices(taken)}"
        )
    missing = [each for each in taken if each not in given and parameters[each].default is Parameter.empty]
    return f"{name}() requires {' and '.join(map(repr, missing))}.\n{_choices(taken)}" if missing else None


def _unknown(name: str, keyword: str, known: Iterable[str]) -> str:
    close = nearest(keyword, known)
    advice = f"Did you mean {close!r}?" if close else _choices(known)
    return f"{name}() got an unexpected keyword {keyword!r}.\n{advice}"


def _choices(known: Iterable[str]) -> str:
    return f"It takes {', '.join(known) or 'no arguments'}."


def _public(function: Callable[..., Any]) -> list[Parameter]:
    return [each for each in signature(function).parameters.values() if each.name[0] != "_"]
