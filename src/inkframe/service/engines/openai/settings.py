"""The settings of the engine: where its endpoint is, the key for it, the models, and limits."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from inkframe.errors import ConfigurationError
from inkframe.http.key import Key, foreign_text
from inkframe.service.engines import Unavailable
from inkframe.service.engines.openai.endpoint import Endpoint
from inkframe.system.public_address import is_loopback

__all__ = [
    "IMAGE_MODEL",
    "MAX_TOKENS",
    "Place",
    "Settings",
    "Size",
    "find_place",
    "read_settings",
    "read_timeout",
]

Size = tuple[int, int]

BASE_URL: Final = "INKFRAME_OPENAI_BASE_URL"
KEY: Final = "INKFRAME_OPENAI_API_KEY"
TEXT_MODEL: Final = "INKFRAME_OPENAI_TEXT_MODEL"
IMAGE_MODEL: Final = "INKFRAME_OPENAI_IMAGE_MODEL"
IMAGE_SIZES: Final = "INKFRAME_OPENAI_IMAGE_SIZES"
TIMEOUT: Final = "INKFRAME_OPENAI_TIMEOUT"
MAX_TOKENS: Final = "INKFRAME_OPENAI_MAX_TOKENS"
AT_ONCE: Final = "INKFRAME_OPENAI_AT_ONCE"
BILLED: Final = "INKFRAME_OPENAI_BILLED"
PORTS: Final = "INKFRAME_OPENAI_PORTS"
#: What other programs read, too: their key is for their address, and for that of OpenAI.
SHARED_URL: Final = "OPENAI_BASE_URL"
SHARED_KEY: Final = "OPENAI_API_KEY"
OPENAI: Final = "https://api.openai.com"

#: Seconds for one picture or text: slightly less than the timeout of the service's clients.
SECONDS: Final = "170"
#: The ports of Ollama, LM Studio, llama.cpp and vLLM.
USUAL_PORTS: Final = "11434,1234,8080,8000"
#: Seconds for the search on this machine, and for the models of an address that is set.
SEARCH: Final = 0.5
LISTING: Final = 5.0
#: The most models that a message lists, and the most characters of the name of one.
NAMED: Final = 8
LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Place:
    """An endpoint.

    Args:
        base_url: Its address, to which ``/chat/completions`` and other paths are added.
        key: Its key; empty for one without, and for a server that was found.
        models: The models of a server that was found.
    """

    base_url: str
    key: Key
    models: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the engine.

    Args:
        place: The endpoint.
        text_model: The model that writes, or an empty text.
        image_model: The model that draws, or an empty text.
        image_sizes: The sizes that it draws; empty if not configured.
        timeout: Seconds for one picture or text.
        max_tokens: The longest text, in tokens.
        at_once: The most requests at once.
        is_billed: Whether requests may be billed.
    """

    place: Place
    text_model: str
    image_model: str
    image_sizes: tuple[Size, ...]
    timeout: float
    max_tokens: int
    at_once: int
    is_billed: bool


def read_settings(model: str | None = None, image_model: str | None = None) -> Settings:
    """Read all settings, and find the endpoint and its model where they are not set.

    Args:
        model: The model that writes.
        image_model: The model that draws.

    Raises:
        ConfigurationError: A setting is missing or invalid, or it is not clear which server or model is meant.
    """
    writes, draws = model or setting(TEXT_MODEL), image_model or setting(IMAGE_MODEL)
    place = find_place(model=writes or draws)
    remote = not is_loopback(urlsplit(place.base_url).hostname or "")
    billed = _matching(BILLED, "[01]", "0 or 1") or str(int(remote or place.key.use(bool)))
    return Settings(
        place=place,
        text_model=writes or ("" if draws else _only_model(place)),
        image_model=draws,
        image_sizes=_sizes(setting(IMAGE_SIZES)),
        timeout=read_timeout(),
        max_tokens=int(_matching(MAX_TOKENS, r"[1-9]\d{0,6}", "a number of tokens, such as 1000") or 1000),
        at_once=int(_matching(AT_ONCE, r"[1-9]\d?", "a number of requests, such as 4") or 4),
        is_billed=billed == "1",
    )


def find_place(base_url: str = "", model: str = "") -> Place:
    """Return an endpoint with its key: the given one, that of the settings, or the only server on this machine.

    A key goes to the address that it is set for, and to no other.

    Args:
        base_url: The address, if it is not that of the settings.
        model: A model that tells several servers apart.

    Raises:
        ConfigurationError: The address or the key is invalid, or there is not exactly one server.
    """
    variable = next((name for name in (BASE_URL, SHARED_URL) if setting(name)), "")
    url = _base_url(base_url or setting(variable), "base_url" if base_url else variable)
    if not url:
        return _search(model)
    is_own = _origin(url) == _origin(setting(variable) or url)
    is_shared = _origin(url) in (_origin(setting(SHARED_URL)), OPENAI)
    name = KEY if (is_own and setting(KEY)) or not is_shared else SHARED_KEY
    key = Key(setting(name) if is_own or is_shared else "")
    if key.use(bool):
        key.check(name)
    return Place(url, key)


def read_timeout() -> float:
    """Return the seconds for one request.

    Raises:
        ConfigurationError: The setting is no number of seconds.
    """
    return float(_matching(TIMEOUT, r"(?=.*[1-9])\d{1,6}(\.\d+)?", "seconds, such as 300") or SECONDS)


def setting(name: str) -> str:
    """Return a variable, or an empty text. No frame of an error has the other variables, such as the key."""
    return os.environ.get(name, "").strip()


def _search(model: str) -> Place:
    """Return the only server on this machine, asked without any key."""
    ports = _matching(PORTS, r"\d{1,5}(\s*,\s*\d{1,5})*", "ports, such as 11434,8080") or USUAL_PORTS
    urls = [f"http://127.0.0.1:{port.strip()}/v1" for port in ports.split(",")]
    threads = ThreadPoolExecutor(len(urls))
    asked = {threads.submit(_models, Place(url, Key("")), SEARCH): url for url in urls}
    done, _ = wait(asked, SEARCH)
    threads.shutdown(wait=False, cancel_futures=True)
    found = {url: each.result() for each, url in asked.items() if each in done and not each.exception()}
    named = {url: models for url, models in found.items() if model and model in models}
    if len(named) == 1:
        found = named
    locked = [
        url
        for each, url in asked.items()
        if each in done and getattr(each.exception(), "parameter", "") == "key"
    ]
    if not found and locked:
        raise ConfigurationError(
            f"{urlsplit(locked[0]).netloc} answers on this machine, and asks for a key.\n"
            f"If it is your model server, set {BASE_URL}={locked[0]} and {KEY}."
        )
    if not found:
        raise ConfigurationError(
            f"The engine openai requires a model server; none answers on this machine at ports {ports}.\n"
            "Start one, such as: ollama run llama3.2, or llama-server -m model.gguf\n"
            f"For another address set {BASE_URL}, such as https://models.example.com/v1."
        )
    if len(found) > 1:
        listed = "; ".join(f"{urlsplit(url).netloc} ({_listed(models)})" for url, models in found.items())
        url, models = next(iter(found.items()))
        line = f"{_line(models[0])}, or by its address" if models else "by its address"
        raise ConfigurationError(
            f"Several model servers answer on this machine: {listed}.\nChoose one: {line}: {BASE_URL}={url}"
        )
    ((url, models),) = found.items()
    return Place(url, Key(""), models)


def _models(place: Place, seconds: float) -> tuple[str, ...]:
    """Return the models of a server.

    Raises:
        Unavailable: It does not answer in time, or is no model server.
    """
    with closing(Endpoint(place.base_url, place.key, seconds)) as endpoint:
        answer = endpoint.get("/models")
    data = answer.get("data")
    if not isinstance(data, list) and answer.get("object") != "list":
        raise Unavailable(f"{urlsplit(place.base_url).netloc} lists no models.", status=502)
    ids = [each.get("id") for each in data or () if isinstance(each, dict)]
    return tuple(id for id in ids if isinstance(id, str) and foreign_text(id, place.key, LONGEST) == id)


def _only_model(place: Place) -> str:
    """Return the only model of an endpoint.

    Raises:
        ConfigurationError: It has several or none, or cannot be asked.
    """
    host = urlsplit(place.base_url).netloc
    try:
        listed = place.models or _models(place, LISTING)
    except Unavailable as trouble:
        raise ConfigurationError(f"{trouble}\nTo connect without asking it: {_line('…')}") from None
    # Ollama and LM Studio list those for vectors, too.
    models = tuple(name for name in listed if "embed" not in name)
    if len(models) == 1:
        return models[0]
    if not models:
        raise ConfigurationError(
            f"{host} has no model that writes.\nLoad one there, such as: ollama pull llama3.2, or name one: {_line('…')}"
        )
    raise ConfigurationError(f"{host} has several models: {_listed(models)}.\nName one: {_line(models[0])}")


def _line(model: str) -> str:
    return f'ink.connect(engine="openai", model="{model}")'


def _listed(models: tuple[str, ...]) -> str:
    more = f" and {len(models) - NAMED} more" if len(models) > NAMED else ""
    return ", ".join(models[:NAMED]) + more or "no models"


def _origin(url: str) -> str:
    """Return scheme, host and port of an address, which may be invalid."""
    return "/".join(url.lower().split("/")[:3])


def _base_url(given: str, name: str) -> str:
    if not given:
        return ""
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
            f"{name} must be the address of an endpoint.\n"
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


def _matching(name: str, pattern: str, example: str) -> str:
    """Return a setting, or an empty text if it is not set.

    Raises:
        ConfigurationError: It does not match the pattern.
    """
    given = setting(name)
    if given and not re.fullmatch(pattern, given, re.ASCII):
        raise ConfigurationError(f"{name} must be {example}, got {given!r}.\nCorrect or unset it.")
    return given
