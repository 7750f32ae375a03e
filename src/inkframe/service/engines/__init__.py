"""The protocol of engines: their requests, their errors, and their lookup by name."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from inkframe.errors import ConfigurationError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "DrawRequest",
    "Engine",
    "Refused",
    "Text",
    "Unavailable",
    "WriteRequest",
    "at_once",
    "find_engine",
    "is_billed",
]

#: The entry point group in which installed packages register their engines.
GROUP = "inkframe.engines"
#: The engine whose models can be named.
CHOOSES = "openai"
#: Many engines use the processor: more at once would slow down each of them, and every list.
AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """A request for a picture.

    Args:
        description: The content of the picture.
        resolution: Width and height in pixels, such as ``512x512``.
        style: A style's code, or None.
        medium: A medium's code, or None.
        filter: A filter's code, or None.
    """

    description: str
    resolution: str
    style: str | None = None
    medium: str | None = None
    filter: str | None = None


@dataclass(frozen=True, slots=True)
class WriteRequest:
    """A request for a text.

    Args:
        prompt: The instructions.
        creativity: From 0 (always the same text) to 1 (always another).
        template_id: The number of the template whose first line starts the prompt, else 1.
        take: A number that increases with each request and varies the results of equal requests; a seed.
    """

    prompt: str
    creativity: float = 0.5
    template_id: int = 1
    take: int = 0


class Text(str):
    """A text with the tokens that it took, which ``write`` may return where its engine knows them.

    Args:
        text: The text.
        usage: ``prompt_tokens`` and ``completion_tokens``, as far as they are known.
    """

    __slots__ = ("usage",)

    usage: Mapping[str, int]

    def __new__(cls, text: str, usage: Mapping[str, int] | None = None) -> Self:
        """Return the text."""
        made = super().__new__(cls, text)
        made.usage = usage or {}
        return made


@runtime_checkable
class Engine(Protocol):
    """The protocol of an engine, which draws pictures and writes texts.

    It raises ``Refused`` or ``Unavailable``; any other exception counts as a crash. A service that created
    the engine by name calls its ``close()``, if it has one. An engine may have three more attributes:

    - ``is_billed``: whether its results may be charged; by default they may, except those of a demo engine.
    - ``at_once``: the most requests that it takes at once; by default 2.
    - ``label``: what people know it by, such as a model and its host; by default its name.

    Attributes:
        name: Its name in captions and settings.
        is_stand_in: Whether it is a demo engine without a model.
    """

    name: str
    is_stand_in: bool

    def draw(self, request: DrawRequest) -> bytes:
        """Return the picture as PNG bytes."""

    def write(self, request: WriteRequest) -> str:
        """Return the text as Markdown."""


def is_billed(engine: Engine) -> bool:
    """Return whether the results of an engine may be charged."""
    return bool(getattr(engine, "is_billed", not engine.is_stand_in))


def at_once(engine: Engine) -> int:
    """Return how many requests an engine takes at once."""
    return int(getattr(engine, "at_once", AT_ONCE))


def find_engine(name: str | None = None, **models: str) -> Engine:
    """Create an engine by its name.

    Args:
        name: A name in the entry point group ``inkframe.engines``. The default is ``INKFRAME_ENGINE``, else
            ``offline``.
        **models: The models of the engine ``openai``, as it takes them.

    Raises:
        ConfigurationError: No engine has this name, it cannot be loaded, or it takes no models.
    """
    wanted = name or os.environ.get("INKFRAME_ENGINE") or "offline"
    found = _own()
    if wanted not in found:  # Reading all that is installed takes longer than to open a library.
        found |= {point.name: point for point in entry_points(group=GROUP)}
    if wanted not in found:
        close = nearest(wanted, found)
        raise ConfigurationError(
            f"There is no engine {wanted!r}.{f' Did you mean {close}?' if close else ''}\n"
            f"Known engines: {', '.join(sorted(found)) or 'none (inkframe is not installed correctly)'}."
        )
    if models and wanted != CHOOSES:
        raise ConfigurationError(
            f"{' and '.join(models)} must come with engine={CHOOSES!r}, got the engine {wanted!r}.\n"
            f"Write ink.connect(engine={CHOOSES!r}, …)."
        )
    try:
        engine = found[wanted].load()(**models)
    except ConfigurationError:
        raise
    except Exception as error:
        raise ConfigurationError(
            f"The engine {wanted!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(engine, Engine):
        raise ConfigurationError(f"The engine {wanted!r} must have name, is_stand_in, draw and write.")
    return engine


def _own() -> dict[str, EntryPoint]:
    """Return the engines that come with this package."""
    try:
        points = distribution("inkframe").entry_points
    except PackageNotFoundError:
        return {}
    return {point.name: point for point in points.select(group=GROUP)}


class Refused(Exception):
    """The engine declines the request; repeating the same request does not help.

    Args:
        message: The reason, for the user.
        field: The invalid field; the description or the prompt by default.
    """

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class Unavailable(Exception):
    """The engine cannot work now: its model does not respond, is busy, or is not configured.

    Args:
        message: The problem and its remedy.
        status: The status of the service's response: 402 (no quota left), 405 (it cannot do this, also later),
            429 (too many requests), 502 (an invalid response), 503 (no response; nothing was charged) or 504 (no
            response in time).
        retry_after: Seconds after which it may work, if known.
        parameter: The parameter of the engine's own request that was declined, or the message that may name it;
            ``key`` where no key, or another one, was expected.
    """

    def __init__(
        self, message: str, *, status: int = 503, retry_after: float | None = None, parameter: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.parameter = parameter
