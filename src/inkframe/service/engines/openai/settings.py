"""The settings of the engine, read from environment variables."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from inkframe.errors import ConfigurationError

__all__ = ["IMAGE_MODEL", "KEY", "TEXT_MODEL", "Settings", "Size", "read_settings", "setting"]

Size = tuple[int, int]

BASE_URL: Final = "INKFRAME_OPENAI_BASE_URL"
KEY: Final = "INKFRAME_OPENAI_API_KEY"
TEXT_MODEL: Final = "INKFRAME_OPENAI_TEXT_MODEL"
IMAGE_MODEL: Final = "INKFRAME_OPENAI_IMAGE_MODEL"
IMAGE_SIZES: Final = "INKFRAME_OPENAI_IMAGE_SIZES"
TIMEOUT: Final = "INKFRAME_OPENAI_TIMEOUT"

#: Seconds for one picture or text: slightly less than the timeout of the service's clients.
SECONDS: Final = 170.0


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the engine.

    Args:
        base_url: The endpoint, to which ``/images/generations`` and ``/chat/completions`` are added.
        text_model: The model that writes, or an empty text.
        image_model: The model that draws, or an empty text.
        image_sizes: The sizes that it draws; empty if not configured.
        timeout: Seconds for one picture or text.
    """

    base_url: str
    text_model: str
    image_model: str
    image_sizes: tuple[Size, ...]
    timeout: float


def setting(name: str) -> str:
    """Return a variable, or an empty text. No frame of an error has the other variables, such as the key."""
    return os.environ.get(name, "").strip()


def read_settings() -> Settings:
    """Read all settings except the key.

    Raises:
        ConfigurationError: A setting is missing or invalid; the message names it.
    """
    text_model, image_model = setting(TEXT_MODEL), setting(IMAGE_MODEL)
    if not text_model and not image_model:
        raise ConfigurationError(
            f"The engine openai requires a model.\nSet {TEXT_MODEL} or {IMAGE_MODEL}, or both."
        )
    return Settings(
        base_url=_base_url(setting(BASE_URL)),
        text_model=text_model,
        image_model=image_model,
        image_sizes=_sizes(setting(IMAGE_SIZES)),
        timeout=_seconds(setting(TIMEOUT)),
    )


def _base_url(given: str) -> str:
    if not given:
        raise ConfigurationError(
            f"The engine openai requires an endpoint.\nSet {BASE_URL}, such as http://localhost:11434/v1."
        )
    try:
        parts = urlsplit(given)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if (
        not usable
        or parts.username is not None
        or parts.password is not None
        or parts.query
        or parts.fragment
    ):
        # Not shown, since it may contain a key.
        raise ConfigurationError(
            f"{BASE_URL} must be the address of an endpoint.\n"
            f"Set one like https://models.example.com/v1, and the key in {KEY}."
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def _sizes(given: str) -> tuple[Size, ...]:
    sizes = []
    for text in filter(None, (part.strip() for part in given.split(","))):
        found = re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", text)
        if found is None:
            raise ConfigurationError(
                f"{IMAGE_SIZES} must be a list of sizes, got {text!r}.\nSet sizes like 512x512,1024x1024."
            )
        sizes.append((int(found[1]), int(found[2])))
    return tuple(sizes)


def _seconds(given: str) -> float:
    if not given:
        return SECONDS
    if not re.fullmatch(r"\d{1,6}(\.\d+)?", given) or not float(given):
        raise ConfigurationError(
            f"{TIMEOUT} must be a number of seconds, got {given!r}.\nSet seconds, such as 300."
        )
    return float(given)
