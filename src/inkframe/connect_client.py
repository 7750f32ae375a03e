"""``connect`` opens a client of a service at an address, or of the embedded one."""

from __future__ import annotations

import getpass
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inkframe.client import NOWHERE, Client
from inkframe.display.console import notice
from inkframe.errors import ConfigurationError
from inkframe.files import home_folder, tilde
from inkframe.http.address import Address
from inkframe.http.key import Key, hides_arguments
from inkframe.short_traceback import shorten_causes
from inkframe.signatures import checked, options_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from IPython.core.interactiveshell import InteractiveShell

    from inkframe.service import Service

__all__ = ["connect", "library_path"]

ADDRESS_VARIABLE: Final = "INKFRAME_BASE_URL"
KEY_VARIABLE: Final = "INKFRAME_API_KEY"
LIBRARY_VARIABLE: Final = "INKFRAME_LIBRARY"
#: What is done to the shell of a notebook by ``connect``; Tab completion adds itself.
AT_CONNECT: Final[list[Callable[[InteractiveShell], None]]] = [shorten_causes]
#: A name that is certainly not a key.
VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9]{0,15}(_[A-Z0-9]{1,12}){1,5}")

#: Typed keys by origin, so that each is prompted for once.
_typed: dict[str, Key] = {}


@checked
@hides_arguments
@options_of(Client)
def connect(
    base_url: str | None = None,
    api_key: str | None = None,
    *,
    library: str | PathLike[str] | None = None,
    sample: bool = False,
    engine: str | None = None,
    key_env: str = KEY_VARIABLE,
    create_limit: int | None = None,
    **options: Any,
) -> Client:
    """Open a client of the service at an address, or of the local one if no address is set.

    Args:
        base_url: The base address; by default ``INKFRAME_BASE_URL``.
        api_key: The key. By default it is read from the environment or from the secrets of Colab, or prompted
            for once, hidden; do not write it into notebooks.
        library: The file of the local service, or ``":memory:"``; by default ``INKFRAME_LIBRARY``, or
            ``library.db`` under ``INKFRAME_HOME`` or the data folder of the user.
        sample: Whether to fill an empty local library with example records.
        engine: The engine of the local service; by default ``INKFRAME_ENGINE`` or ``offline``.
        key_env: The environment variable of the key.
        create_limit: The maximum number of creates.
        **options: Other arguments of ``ink.Client``.

    Raises:
        ConfigurationError: Settings are missing or contradictory.

    Example:
        >>> client = ink.connect()                               # the local service
        >>> client = ink.connect("https://content.example.com")  # the key from INKFRAME_API_KEY
    """
    if not isinstance(key_env, str) or not key_env or "\0" in key_env or "=" in key_env:
        raise ConfigurationError(
            f"key_env must be the name of an environment variable.\nThe default is {KEY_VARIABLE}."
        )
    # Before anything else, so that no traceback of Ctrl-C shows the characters.
    given = None if api_key is None else Key(str(api_key))
    api_key = None
    if (shell := _shell()) is not None:
        for act in AT_CONNECT:
            act(shell)
    address = base_url if base_url is not None else os.environ.get(ADDRESS_VARIABLE)
    if address:
        local = {"library": library, "sample": sample or None, "engine": engine}
        if named := [f"{name}=" for name, value in local.items() if value is not None]:
            raise ConfigurationError(
                f"{', '.join(named)} is for the local service, but an address is set.\n"
                f"Remove it, or unset {ADDRESS_VARIABLE} and base_url."
            )
        key = given or _find_key(Address.parse(address), key_env)
        return Client(address, key, create_limit=create_limit, **options)
    if given is not None:
        raise ConfigurationError(
            "A key was given, but no address.\n"
            f'Pass the address: ink.connect("https://…"), or set {ADDRESS_VARIABLE}.'
        )
    return _embed(
        library, sample=sample, engine=engine, key_env=key_env, create_limit=create_limit, **options
    )


def _shell() -> InteractiveShell | None:
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def library_path() -> Path:
    """Return the file of the local library, from ``INKFRAME_LIBRARY`` or in the home folder."""
    if file := os.environ.get(LIBRARY_VARIABLE):
        return Path(file).expanduser()
    return home_folder() / "library.db"


def _embed(
    library: str | PathLike[str] | None,
    *,
    sample: bool,
    engine: str | None,
    key_env: str,
    create_limit: int | None,
    **options: Any,
) -> Client:
    import httpx

    from inkframe.service import Service

    place = library_path() if library is None else Path(library).expanduser()
    service = Service(":memory:" if str(place) == ":memory:" else place, engine=engine)
    if sample and service.is_empty():
        service.sample()
    transport = options.pop("transport", None) or httpx.WSGITransport(app=service.app)
    client = Client(
        NOWHERE, service.key, transport=transport, create_limit=create_limit, _embedded=service, **options
    )
    notice(_greeting(service, key_env))
    return client


def _greeting(service: Service, key_env: str) -> str:
    place = "in memory" if str(service.library) == ":memory:" else f"at {tilde(Path(service.library))}"
    name = "demo engine" if service.engine.is_stand_in else service.engine.name
    if service.read_only:
        name = "read-only"  # no engine is needed
    text = f"inkframe: local library {place}; {name}."
    if os.environ.get(key_env):
        text += f" {_shown(key_env)} is set but not used: no {ADDRESS_VARIABLE}."
    return text


def _find_key(address: Address, key_env: str) -> Key:
    """Return the key from the environment, the secrets of Colab, an earlier prompt, or a new one."""
    if os.environ.get(key_env):
        return Key(os.environ[key_env].strip())
    key = _from_colab(key_env) or _typed.get(address.origin) or _ask(address)
    if key is None:
        raise ConfigurationError(
            f"There is no key for {address.netloc}.\n"
            f"Set the environment variable {_shown(key_env)} before the notebook or program starts."
        )
    key.check()
    _typed[address.origin] = key
    return key


def _shown(key_env: str) -> str:
    """Return the name of a variable, unless it does not look like one, since it may be the key itself."""
    return key_env if VARIABLE.fullmatch(key_env) else "<key_env>"


def _from_colab(key_env: str) -> Key | None:
    if "google.colab" not in sys.modules:
        return None
    try:
        from google.colab import userdata

        return Key(userdata.get(key_env))
    except Exception:  # noqa: BLE001  # Colab has a separate error for each kind of missing secret
        return None


def _ask(address: Address) -> Key | None:
    """Prompt for the key, hidden, if input is possible."""
    if not _can_prompt():
        return None
    try:
        return Key(getpass.getpass(f"API key for {address.netloc}: ").strip())
    except Exception:  # noqa: BLE001  # front ends without input raise various errors
        return None


def _can_prompt() -> bool:
    kernel = sys.modules.get("ipykernel")
    if kernel is not None:
        from IPython import get_ipython

        shell = get_ipython()
        return bool(getattr(getattr(shell, "kernel", None), "_allow_stdin", False)) or sys.stdin.isatty()
    return sys.stdin is not None and sys.stdin.isatty()
