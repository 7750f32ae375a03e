"""The API key, wrapped so that it is never displayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, TypeVar

from inkframe.errors import ConfigurationError
from inkframe.http.tracebacks import bare

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Key"]

Result = TypeVar("Result")


class Key:
    """An API key that no repr, format, copy, pickle or traceback shows.

    Args:
        text: The key as the service issued it.
    """

    __slots__ = ("_reveal",)

    _reveal: Callable[[], str]

    def __init__(self, text: str) -> None:
        # A method of the text, since it shows nothing when printed and has no frame that a traceback could show.
        self._reveal = text.__str__

    def check(self) -> None:
        """Check that the key can be sent in a header.

        Raises:
            ConfigurationError: The key is empty, or contains whitespace or characters beyond ASCII.
        """
        if not self.use(_travels):
            raise ConfigurationError(
                "The API key must consist of ASCII characters without whitespace or line breaks.\n"
                "Copy it again from the service, without quotes, into INKFRAME_API_KEY."
            )

    def bearer(self) -> str:
        """Return the value of the Authorization header."""
        return f"Bearer {self._reveal()}"

    def use(self, function: Callable[[str], Result]) -> Result:
        """Return the result of a function of the characters; its errors have no frames."""
        try:
            return function(self._reveal())
        except BaseException as error:  # noqa: BLE001  # raised again below
            failure = bare(error)
        raise failure

    def __repr__(self) -> str:
        return "<Key: set>"

    __str__ = __repr__

    def __format__(self, specification: str) -> str:
        return format(repr(self), specification)

    def __copy__(self) -> Key:
        return self

    def __deepcopy__(self, memo: object) -> Key:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("A key cannot be pickled. Open a client where it is needed, with ink.connect().")


def _travels(text: str) -> bool:
    """Return whether a header can have these characters."""
    return bool(text) and all("!" <= character <= "~" for character in text)
