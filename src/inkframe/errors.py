"""Every error that inkframe raises.

::

    InkframeError
    ├── ConfigurationError         settings are missing, invalid or contradictory
    ├── InvalidArgument            (ValueError) refused before anything was sent
    ├── ConnectionFailed           (ConnectionError) the service could not be reached
    ├── DeadlineExceeded           (TimeoutError) no complete reply in time
    ├── OutcomeUnknown             a create may or may not have happened
    ├── UnexpectedReply            a reply that does not match the interface
    ├── BatchCancelled             a job was cancelled; its frame has the rows
    └── ServiceError               the service refused the request
        ├── AuthenticationError    401, or a redirect to a login page
        ├── PermissionDenied       403
        ├── NotFound               404 (LookupError)
        ├── ValidationFailed       400 and 422 (ValueError)
        ├── RateLimited            429
        └── ServerError            5xx

    Interrupted                    (KeyboardInterrupt) Ctrl-C in work of which a part is there
    ├── BatchInterrupted           a bulk creation
    └── ListingInterrupted         a whole listing

Messages have at most three lines: the problem with its value first, and the remedy last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import wraps
from importlib import import_module
from inspect import Parameter, currentframe, signature
from os import PathLike
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar, cast

from inkframe.tracebacks import short_traceback
from inkframe.versions import Later

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = Later("pandas")

__all__ = ["AuthenticationError", "BatchCancelled", "BatchInterrupted", "ConfigurationError",
           "ConnectionFailed", "DeadlineExceeded", "InkframeError", "InvalidArgument", "ListingInterrupted", "NotFound",
           "OutcomeUnknown", "PermissionDenied", "RateLimited", "ServerError", "ServiceError",
           "UnexpectedReply", "ValidationFailed", "WrongKeyword", "caller_level", "check_keywords", "checked",
           "checked_calls", "checked_init", "keywords_of", "like", "nearest", "optional_library", "options_of",
           "wrong_name"]  # fmt: skip

P = ParamSpec("P")
R = TypeVar("R")
Function = TypeVar("Function", bound="Callable[..., Any]")
Class = TypeVar("Class", bound=type)

#: Functions that say what is odd about an argument of a failed call, from the modules that know it.
EXPLAIN: Final[list[Callable[[Any], str | None]]] = []
#: The least similarity of a misspelled name, 0 to 1.
CLOSE: Final = 0.6
#: The kinds of arguments that annotations name, in words, and an example of each.
KINDS: Final = {
    "str": ("a string", "'kettle'"),
    "bool": ("True or False", "True"),
    "int": ("an integer", "5"),
    "NoneType": ("None", "None"),
    "Iterable": ("a list", "[first, second]"),
    "Sequence": ("a list", "[first, second]"),
    "Mapping": ("a mapping", "{'product': 'kettle'}"),
    "PathLike": ("a path", "'kettles.csv'"),
    "DataFrame": ("a DataFrame", "client.documents.all()"),
    "Client": ("a client", "ink.connect()"),
    "Vocabulary": ("a vocabulary", "client.vocabulary"),
}


class InkframeError(Exception):
    """The base class of all errors of this package."""

    def _render_traceback_(self) -> list[str]:
        return short_traceback(self)


class ConfigurationError(InkframeError):
    """A setting is missing, invalid, or contradicts another."""


class InvalidArgument(InkframeError, ValueError):
    """An argument was refused before anything was sent."""


class WrongKeyword(InvalidArgument, TypeError):
    """A keyword argument was misspelled or missing."""


class WrongAttribute(InvalidArgument, AttributeError):
    """An attribute or method was misspelled."""


class ConnectionFailed(InkframeError, ConnectionError):
    """The service could not be reached, or the connection broke."""


class DeadlineExceeded(InkframeError, TimeoutError):
    """No complete reply was received in time."""


class OutcomeUnknown(InkframeError):
    """A create was sent, but no reply shows whether it happened.

    Args:
        message: The message.
        look: Searches for the record on the service and returns it, or None. It never creates.
        doubt: Why a search found no record, which may exist nevertheless; None before a search, or if it was found.

    Attributes:
        is_confirmed: Whether the service confirmed the create with a reply that names no record.
    """

    def __init__(self, message: str, look: Callable[[], Any] | None = None, doubt: str | None = None) -> None:
        super().__init__(message)
        self.look, self.doubt = look, doubt
        self.is_confirmed = False

    def reconcile(self) -> object | None:
        """Search for the record; never creates one.

        Returns:
            The record, or None if it was not found. It may exist nevertheless: a line is printed, and ``doubt`` is
            the reason.

        Raises:
            InkframeError: The search failed.
        """
        return self.look() if self.look else None

    def __reduce__(self) -> tuple[type[OutcomeUnknown], tuple[str]]:
        # The search has a client with its key, so that a copy keeps the message only.
        return type(self), (str(self),)


class UnexpectedReply(InkframeError):
    """The reply does not match the interface."""


class BatchCancelled(InkframeError):
    """A job was cancelled; ``frame`` has all its rows, and its ``resume()`` creates the rest."""

    def __init__(self, message: str, frame: pd.DataFrame) -> None:
        super().__init__(message)
        self.frame = frame


class ServiceError(InkframeError):
    """The service refused a request.

    Attributes:
        status: The HTTP status.
        message: The message of the service, cleaned.
        fields: Messages by field, such as ``{"name": ["The name is required."]}``.
        request_id: The id of the request on the service, if sent.
        retry_after: The seconds to wait that the service requested, if any.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        fields: Mapping[str, Sequence[str]] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        summary: str | None = None,
    ) -> None:
        super().__init__(summary or message)
        self.status = status
        self.message = message
        self.fields = {name: list(messages) for name, messages in (fields or {}).items()}
        self.request_id = request_id
        self.retry_after = retry_after


class AuthenticationError(ServiceError):
    """The key was not accepted (401, or a redirect to a login page)."""


class PermissionDenied(ServiceError):
    """The key lacks the permission (403)."""


class NotFound(ServiceError, LookupError):
    """The record or address does not exist (404)."""


class ValidationFailed(ServiceError, ValueError):
    """The service rejected the values (400, 422)."""


class RateLimited(ServiceError):
    """The rate limit was exceeded (429)."""


class ServerError(ServiceError):
    """The service failed (5xx)."""


class Interrupted(KeyboardInterrupt):
    """An interrupt ended work of which a part is there; ``frame`` has the rows so far."""

    def __init__(self, message: str, frame: pd.DataFrame) -> None:
        super().__init__(message)
        self.frame = frame

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class BatchInterrupted(Interrupted):
    """An interrupt ended a bulk creation; ``frame`` has all rows, and running it again creates the rest."""


class ListingInterrupted(Interrupted):
    """An interrupt ended a listing; ``frame`` has the rows so far."""


def optional_library(module: str, message: str) -> Any:
    """Import a module of a library that only an extra installs.

    Args:
        module: The module.
        message: The error: what needs the library, and the install command.

    Raises:
        ConfigurationError: The library is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ConfigurationError(message) from error


def checked(function: Function) -> Function:
    """Return a function that checks its arguments: a wrong one, or an odd frame, is an ``InvalidArgument``."""
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
        except Exception as error:
            problem = _problem(function, args, kwargs) if isinstance(error, TypeError) else None
            given = () if problem or isinstance(error, InkframeError) else (*args, *kwargs.values())
            if odd := next(
                (odd for explain in EXPLAIN for each in given if (odd := explain(each))), None
            ) or (_misfit(function, args, kwargs, error) if given else None):
                raise InvalidArgument(odd) from error
            if problem is None:
                raise
        finally:
            del args, kwargs  # a traceback shows the variables of each frame, and one may be a key
        raise WrongKeyword(problem)

    return cast("Function", call)


def checked_init(cls: Class) -> Class:
    """Check the constructor of a class as ``checked`` does, for one whose methods people do not call.

    A missing attribute of an instance raises an ``AttributeError`` with the nearest public name.
    """
    if not hasattr(cls, "__getattr__"):
        cls.__getattr__ = _missing  # type: ignore[attr-defined]  # type checkers know the names that exist
    if "__init__" in vars(cls):
        cls.__init__ = checked(vars(cls)["__init__"])  # type: ignore[misc]  # the same constructor, checked
    return cls


def checked_calls(cls: Class) -> Class:
    """Check the public methods of a class, too."""
    for name, value in vars(cls).copy().items():
        if callable(value) and not isinstance(value, type) and name[0] != "_":
            setattr(cls, name, checked(value))
    return checked_init(cls)


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
        added = [each for each in signature(model).parameters.values() if each.name not in known]
        kept += [each for each in added if each.kind is Parameter.KEYWORD_ONLY and each.name[0] != "_"]
        function.__signature__ = own.replace(parameters=kept)  # type: ignore[attr-defined]  # as above
        return function

    return decorate


def keywords_of(function: Callable[..., Any]) -> list[str]:
    """Return the keywords that a call names, without its ``**options``."""
    return [
        name
        for name, each in signature(function).parameters.items()
        if each.kind in {each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY} and name[0] != "_" and name != "self"
    ]


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
    advice = _advice(name, known, "The methods for records are those of client.images and client.documents.")
    return WrongAttribute(f"inkframe has no attribute {name!r}.\n{advice}")


def _missing(self: Any, name: str) -> Any:
    if hasattr(type(self), name):
        return object.__getattribute__(self, name)  # a property that failed: raise its own error again
    meant = getattr(type(self), "_meant", {}).get(name)
    known = [] if name[0] == "_" else [meant] if meant else [each for each in dir(self) if each[0] != "_"]
    advice = _advice(meant or name, known, "Press Tab after the dot to see what there is.")
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
    needed = [each for each in taken if parameters[each].default is Parameter.empty]
    missing = [each for each in needed if each not in given]
    shown = [f"{each}=…" if parameters[each].kind is Parameter.KEYWORD_ONLY else each for each in needed]
    more = ", ".join(each for each in taken if each not in needed)
    call = f"Pass {name}({', '.join(shown)}).{f' Optional: {more}.' if more else ''}"
    return f"{name}() requires {' and '.join(map(repr, missing))}.\n{call}" if missing else None


def _misfit(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: BaseException
) -> str | None:
    """Return the problem with an argument that is of no kind that its annotation names, without its value; or None.

    In a column that makes groups, a value must have equal ones, which lists have not.
    """
    given = signature(function).bind_partial(*args, **kwargs).arguments
    for name in [name for name in keywords_of(function) if name in given]:
        # Without what stands between brackets.
        annotation = re.sub(
            r"\[(?:[^][]|\[[^][]*\])*\]", "", str(signature(function).parameters[name].annotation)
        )
        allowed = [each.rpartition(".")[2].replace("None", "NoneType") for each in annotation.split(" | ")]
        kinds = {each.__name__ for each in type(given[name]).__mro__} | {
            each.__name__ for each in (Iterable, Mapping, PathLike, Sequence) if isinstance(given[name], each)
        }
        if kinds.isdisjoint(allowed) and KINDS.keys() >= {*allowed}:
            words, examples = zip(*(KINDS[each] for each in allowed if each != "NoneType"), strict=True)
            return (
                f"{name} must be {' or '.join(words)}, got {type(given[name]).__name__}.\n"
                f"Pass such as {name}={examples[-1]}."
            )
    return (kind := str(error).partition("unhashable type: ")[2]) and (
        f"Each value must be a text, a number, a boolean or a time, got {kind}.\n"
        "Make texts of a column of such values: frame[column].astype(str)."
    )


def _unknown(name: str, keyword: str, known: Iterable[str]) -> str:
    return f"{name}() got an unexpected keyword {keyword!r}.\n{_advice(keyword, known, _choices(known))}"


def _advice(name: str, known: Iterable[str], otherwise: str) -> str:
    return f"Did you mean {close!r}?" if (close := nearest(name, known)) else otherwise


def _choices(known: Iterable[str]) -> str:
    return f"It takes {', '.join(known) or 'no arguments'}."


def nearest(value: object, candidates: Iterable[str]) -> str | None:
    """Return the candidate that looks most like the value, where one does; of equal ones the first."""
    known = {candidate.casefold(): candidate for candidate in candidates}
    word = str(value).casefold()
    for spelling in (word.replace(" ", "_"), word):
        closeness = {each: SequenceMatcher(None, each, spelling).ratio() for each in known}
        close = max(closeness, key=closeness.__getitem__, default="")
        if closeness.get(close, 0) >= CLOSE:
            return known[close]
    return None
