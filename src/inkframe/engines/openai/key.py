"""The key of an endpoint: put on requests, and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import httpx

from inkframe.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["Bearer"]

#: So many characters of the key in a row are taken for the key.
TELLTALE = 5


class Bearer(httpx.Auth):
    """Signs requests; shows the key in no repr, copy, pickle or error.

    Args:
        key: The key; nothing for an endpoint that wants none.
    """

    __slots__ = ("_in", "_sign", "_travels")

    _in: Callable[[str], bool]
    _sign: Callable[[httpx.Request], None]
    _travels: Callable[[], bool]

    def __init__(self, key: str) -> None:
        # Functions remember the key: no attribute holds it for a debugger or a traceback to print.
        runs = [key[start : start + TELLTALE] for start in range(max(len(key) - TELLTALE, 0) + 1)]
        header = {"Authorization": f"Bearer {key}"} if key else {}
        self._travels = lambda: all("!" <= character <= "~" for character in key)
        self._sign = lambda request: request.headers.update(header)
        self._in = lambda text: any(run and run in text for run in runs)

    def check(self) -> None:
        """Refuse a key that cannot travel in a header.

        Raises:
            ConfigurationError: It holds white space or characters beyond ASCII.
        """
        # Two steps: no frame of a raised error may hold the characters.
        if not self._travels():
            raise ConfigurationError(
                "The key in INKFRAME_OPENAI_API_KEY holds white space or characters beyond ASCII.\n"
                "Copy it again, without quotes."
            )

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Add the header."""
        self._sign(request)
        yield request

    def is_in(self, text: str) -> bool:
        """Whether a text from elsewhere holds a piece of the key."""
        return self._in(text)

    def __repr__(self) -> str:
        return "<Bearer>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A key is not pickled: make the engine where it is needed.")
