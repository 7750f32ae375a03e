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

#: Seconds for one picture or text: a little less than clients of the service wait for it.
SECONDS: Final = 170.0


@dataclass(frozen=True, slots=True)
class Settings:
    """How the engine is set up.

    Args:
        base_url: The endpoint, to which ``/images/generations`` and ``/chat/completions`` are added.
        text_model: The model that writes, or nothing.
        image_model: The model that draws, or nothing.
        image_sizes: The sizes that it draws; none says that they are not set.
        timeout: Seconds for one picture or text.
    """

    base_url: str
    text_model: str
    image_model: str
    image_sizes: tuple[Size, ...]
    timeout: float


def setting(name: str) -> str:
    """Give a variable, or nothing. No frame of a raised error holds the others: the key is among them."""
    return os.environ.get(name, "").strip()


def read_settings() -> Settings:
    """Read the settings, all but the key.

    Raises:
        ConfigurationError: One is missing or cannot be used; says which.
    """
    text_model, image_model = setting(TEXT_MODEL), setting(IMAGE_MODEL)
    if not text_model and not image_model:
        raise ConfigurationError(
            f"The engine openai has no model.\nSet {TEXT_MODEL} or {IMAGE_MODEL}, or both."
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
            f"The engine openai does not know where to ask.\nSet {BASE_URL}, such as http://localhost:11434/v1."
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
        # Not shown: a key may stand in it.
        raise ConfigurationError(
            f"{BASE_URL} is no address of an endpoint.\n"
            f"Give one like https://models.example.com/v1; a key belongs into {KEY}."
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def _sizes(given: str) -> tuple[Size, ...]:
    sizes = []
    for text in filter(None, (part.strip() for part in given.split(","))):
        found = re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", text)
        if found is None:
            raise ConfigurationError(
                f"{IMAGE_SIZES} has {text!r}, which is no size.\nGive sizes like 512x512,1024x1024."
            )
        sizes.append((int(found[1]), int(found[2])))
    return tuple(sizes)


def _seconds(given: str) -> float:
    if not given:
        return SECONDS
    if not re.fullmatch(r"\d{1,6}(\.\d+)?", given) or not float(given):
        raise ConfigurationError(f"{TIMEOUT}={given!r} will not do.\nGive seconds, such as 300.")
    return float(given)
