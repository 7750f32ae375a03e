"""The key of an endpoint, which appears in requests only."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import httpx

from inkframe.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ["Bearer"]

#: A run of this many characters of the key counts as the key.
TELLTALE = 5


class Bearer(httpx.Auth):
    """Adds the key to requests; no repr, copy, pickle or error shows it.

    Args:
        key: The key; empty for an endpoint without one.
    """

    __slots__ = ("_in", "_sign", "_travels")

    _in: Callable[[str], bool]
    _sign: Callable[[httpx.Request], None]
    _travels: Callable[[], bool]

    def __init__(self, key: str) -> None:
        # The key is in closures, not in an attribute that a debugger or a traceback would print.
        runs = [key[start : start + TELLTALE] for start in range(max(len(key) - TELLTALE, 0) + 1)]
        header = {"Authorization": f"Bearer {key}"} if key else {}
        self._travels = lambda: all("!" <= character <= "~" for character in key)
        self._sign = lambda request: request.headers.update(header)
        self._in = lambda text: any(run and run in text for run in runs)

    def check(self) -> None:
        """Check that the key is valid in a header.

        Raises:
            ConfigurationError: It has whitespace or non-ASCII characters.
        """
        # Two steps, so that no frame of a raised error has the characters.
        if not self._travels():
            raise ConfigurationError(
                "INKFRAME_OPENAI_API_KEY must not have whitespace or non-ASCII characters.\n"
                "Copy it again, without quotes."
            )

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Add the Authorization header."""
        self._sign(request)
        yield request

    def is_in(self, text: str) -> bool:
        """Return whether a text contains a part of the key."""
        return self._in(text)

    def __repr__(self) -> str:
        return "<Bearer>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A key cannot be pickled. Create the engine where it is needed.")
