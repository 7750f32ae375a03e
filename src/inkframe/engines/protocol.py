"""What a service asks of an engine, what an engine raises, and how an engine is found."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, runtime_checkable

from inkframe.errors import ConfigurationError
from inkframe.spelling import nearest

__all__ = ["DrawRequest", "Engine", "Refused", "Unavailable", "WriteRequest", "find_engine"]

#: Where installed packages announce their engines.
GROUP = "inkframe.engines"

#: The engines of this package: the same as announced, and known also to an installation from before them.
OWN = (
    EntryPoint("offline", "inkframe.engines.offline:Offline", GROUP),
    EntryPoint("openai", "inkframe.engines.openai:OpenAI", GROUP),
)


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """A picture to draw.

    Args:
        description: What the picture shows.
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
    """A text to write.

    Args:
        prompt: The instructions.
        creativity: From 0 (repeats itself) to 1 (never does).
        template_id: The number of the template whose first line opens the prompt, else 1.
        take: A number that grows with each request; what may differ between two creates differs by it.
    """

    prompt: str
    creativity: float = 0.5
    template_id: int = 1
    take: int = 0


@runtime_checkable
class Engine(Protocol):
    """Something that draws pictures and writes texts.

    It raises ``Refused`` or ``Unavailable`` where it has something to say; all else is answered as a crash.
    ``close()``, where there is one, is called by the service that found it.

    Attributes:
        name: What it is called in captions and settings.
        is_stand_in: Whether it only stands in for a model.
    """

    name: str
    is_stand_in: bool

    def draw(self, request: DrawRequest) -> bytes:
        """Give the picture as PNG bytes."""
        ...

    def write(self, request: WriteRequest) -> str:
        """Give the text, as Markdown."""
        ...


def find_engine(name: str | None = None) -> Engine:
    """Give a new engine by its name.

    Args:
        name: As announced in the entry point group ``inkframe.engines``; without it, what ``INKFRAME_ENGINE``
            says, else ``offline``.

    Raises:
        ConfigurationError: No engine has this name, or it cannot be loaded.
    """
    wanted = name or os.environ.get("INKFRAME_ENGINE") or "offline"
    found = {point.name: point for point in (*OWN, *entry_points(group=GROUP))}
    if wanted not in found:
        close = nearest(wanted, found)
        raise ConfigurationError(
            f"There is no engine {wanted!r}.{f' Did you mean {close!r}?' if close else ''}\n"
            f"Known engines: {', '.join(sorted(found)) or 'none; inkframe is not installed properly'}."
        )
    try:
        engine = found[wanted].load()()
    except ConfigurationError:
        raise
    except Exception as error:
        raise ConfigurationError(
            f"The engine {wanted!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(engine, Engine):
        raise ConfigurationError(f"The engine {wanted!r} lacks one of: name, is_stand_in, draw, write.")
    return engine


class Refused(Exception):
    """The engine will not make what was asked for; asking again in the same words is of no use.

    Args:
        message: Why, in words that the person who asked may read.
        field: The field that it is about; the description or the prompt if not given.
    """

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class Unavailable(Exception):
    """The engine cannot work now: what it needs does not answer, is busy, or is not set up.

    Args:
        message: What is wrong and what to do.
        status: What the service answers with: 429 (asked too often), 502 (a wrong answer), 503 (no answer;
            nothing was charged) or 504 (no answer in time).
        retry_after: Seconds after which it may work, where that is known.
        parameter: The parameter of the engine's own request that was not accepted, where it is one.
    """

    def __init__(
        self, message: str, *, status: int = 503, retry_after: float | None = None, parameter: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
        self.parameter = parameter
