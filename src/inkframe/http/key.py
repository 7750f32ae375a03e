"""The API key, wrapped so that it is never displayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from inkframe.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Key"]

#: So many consecutive characters of the key in a text count as the key.
TELLTALE = 6


class Key:
    """An API key that no repr, format, copy, pickle or traceback shows.

    Args:
        text: The key as the service issued it.
    """

    __slots__ = ("_reveal",)

    _reveal: Callable[[], str]

    def __init__(self, text: str) -> None:
        # A closure, since tracebacks and inspectors print attributes but not closure variables.
        self._reveal = lambda: text

    def check(self) -> None:
        """Check that the key can be sent in a header.

        Raises:
            ConfigurationError: The key is empty, or contains whitespace or characters beyond ASCII.
        """
        # Two methods, so that no frame of the traceback contains the characters.
        if not self._travels():
            raise ConfigurationError(
                "The API key must consist of ASCII characters without whitespace or line breaks.\n"
                "Copy it again from the service, without quotes, into INKFRAME_API_KEY."
            )

    def _travels(self) -> bool:
        text = self._reveal()
        return bool(text) and all("!" <= character <= "~" for character in text)

    def bearer(self) -> str:
        """Return the value of the Authorization header."""
        return f"Bearer {self._reveal()}"

    def redact(self, text: str) -> str:
        """Return the text with every part of the key replaced by ``[key]``."""
        key = self._reveal()
        width = min(TELLTALE, len(key))
        if not width:
            return text
        runs = {key[start : start + width] for start in range(len(key) - width + 1)}
        if not any(run in text for run in runs):
            return text
        kept: list[str] = []
        position = 0
        while position < len(text):
            if text[position : position + width] in runs:
                position += width
                # The part continues while its last characters are still in the key.
                while position < len(text) and text[position - width + 1 : position + 1] in runs:
                    position += 1
                kept.append("[key]")
            else:
                kept.append(text[position])
                position += 1
        return "".join(kept)

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
