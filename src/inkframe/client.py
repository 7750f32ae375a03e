"""``connect`` opens a client of a service at an address, or of the embedded one."""

from __future__ import annotations

import getpass
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from ssl import SSLContext
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, Self

import httpx

from inkframe.creating.job import Jobs
from inkframe.display.console import notice
from inkframe.errors import (
    ConfigurationError,
    caller_level,
    checked,
    checked_calls,
    options_of,
)
from inkframe.frames.baselines import LOCAL_SERVICE
from inkframe.http.address import ADDRESS_VARIABLE, KEY_VARIABLE, Address
from inkframe.http.key import Key, hides_arguments
from inkframe.http.pictures import PictureFetcher
from inkframe.http.sender import Sender, Timeouts
from inkframe.listing.session import Session, open_sessions
from inkframe.resources.accessor import Accessor, register_accessor
from inkframe.resources.check import ServiceReport, check_service
from inkframe.resources.description import Description
from inkframe.resources.documents import Documents
from inkframe.resources.images import Images
from inkframe.system.files import home_folder, tilde
from inkframe.tracebacks import shorten_causes
from inkframe.vocabulary import Vocabulary
from inkframe.vocabulary.arguments import check_boolean, check_integer, check_text

if TYPE_CHECKING:
    from types import TracebackType

    from IPython.core.interactiveshell import InteractiveShell

    from inkframe.service import Service

__all__ = ["Client", "connect", "library_path"]

#: The placeholder address of the embedded service; nothing is sent to it.
NOWHERE: Final = "http://inkframe.localhost"
#: The fewest characters of a key that are searched for in an address.
LONG_KEY: Final = 12
#: The seconds that stand for no timeout.
DAY: Final = 86_400.0
UPDATE_METHODS: Final = ("PATCH", "PUT")
LIBRARY_VARIABLE: Final = "INKFRAME_LIBRARY"
#: What is done to the shell of a notebook by ``connect``; Tab completion adds itself.
AT_CONNECT: Final[list[Callable[[InteractiveShell], None]]] = [shorten_causes]
#: A name that is certainly not a key.
VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9]{0,15}(_[A-Z0-9]{1,12}){1,5}")
#: The origins that were warned of, each once.
_warned: set[str] = set()
#: Typed keys by origin, so that each is prompted for once.
_typed: dict[str, Key] = {}

register_accessor()

# Here, since the accessor comes with every frame and must not load the collections.
options_of(Images.gallery)(Accessor.gallery)
options_of(Documents.read)(Accessor.read)
options_of(Images.push)(Accessor.push)


@checked_calls
class Client:
    """A client of a service with its two collections, safe to use from threads.

    Args:
        base_url: The base address; a trailing ``/`` or ``/api/v1`` is dropped.
        api_key: The key; it is never displayed.
        transport: An httpx transport to use instead of the network.
        timeout: The seconds for a call including retries, or a mapping with ``connect``, ``read`` and
            ``create``; by default 5, 30 and 180. Of an ``httpx.Timeout``, or a tuple as it takes one, the
            seconds to connect, and those to read for all calls.
        max_retries: The maximum number of retries after a temporary failure, except for creates.
        concurrency: The most requests in flight for one listing or batch.
        vocabulary: The allowed values; by default those of the interface.
        update_method: ``PATCH`` or ``PUT``; by default ``PATCH``, or ``PUT`` if the service refuses
            ``PATCH``.
        verify: Whether certificates are checked, or an ``ssl.SSLContext`` that checks them.
        picture_hosts: Hosts inside a private network that pictures may be fetched from.
        create_limit: The maximum number of creates.
        label: A name for the service in captions, comparisons and errors about frames of several services.

    Raises:
        ConfigurationError: The address, the key or an option is invalid.

    Example:
        >>> with ink.connect() as client:
        ...     client.images.list(style="anime")
    """

    images: Images
    documents: Documents

    @hides_arguments
    def __init__(
        self,
        base_url: str,
        api_key: str | Key,
        *,
        transport: httpx.BaseTransport | None = None,
        timeout: float | tuple[float | None, ...] | httpx.Timeout | Mapping[str, float] | None = None,
        max_retries: int = 4,
        concurrency: int = 16,
        vocabulary: Vocabulary | None = None,
        update_method: Literal["PATCH", "PUT"] | None = None,
        verify: bool | SSLContext = True,
        picture_hosts: Iterable[str] = (),
        create_limit: int | None = None,
        label: str | None = None,
        _embedded: Any = None,
    ) -> None:
        # First, so that no traceback of this call shows the characters.
        api_key = api_key if isinstance(api_key, Key) else Key(api_key if isinstance(api_key, str) else "")
        api_key.check()
        # A short key may also be a common word.
        if api_key.use(lambda key: len(key) >= LONG_KEY and key in str(base_url)):
            raise ConfigurationError(
                "base_url must not contain the key.\nRemove the key from it and set it in INKFRAME_API_KEY."
            )
        model = "" if _embedded is None or _embedded.engine.is_stand_in else _embedded.engine_label
        address = replace(Address.parse(base_url), label=model or (LOCAL_SERVICE if _embedded else ""))
        if update_method is not None and update_method not in UPDATE_METHODS:
            raise ConfigurationError(
                f"update_method must be 'PATCH' or 'PUT', got {update_method!r}.\nUse 'PATCH' or 'PUT'."
            )
        if not isinstance(verify, bool | SSLContext):
            raise ConfigurationError(
                f"verify must be True, False or an ssl.SSLContext, got {verify!r}.\n"
                "For a private authority, pass ssl.create_default_context(cafile=…)."
            )
        sender = Sender(
            address,
            api_key,
            transport=transport,
            timeouts=_timeouts(timeout),
            max_retries=check_integer("max_retries", max_retries, least=0),
            verify=verify,
            in_process=_embedded is not None,
        )
        if transport is None:
            _warn_of_plain_http(address)
        self._embedded: Service | None = _embedded
        self._session = Session(
            sender,
            PictureFetcher(sender, picture_hosts),
            vocabulary or Vocabulary(),
            service=LOCAL_SERVICE if _embedded else address.base_url,
            label=model if label is None else check_text("label", label),
            library=_embedded.identity if _embedded else None,
            places=_places(address, _embedded),
            concurrency=check_integer("concurrency", concurrency),
            create_limit=None
            if create_limit is None
            else check_integer("create_limit", create_limit, least=0),
            creations_are_billed=_embedded is None or _embedded.is_billed,
            creates_at_once=None if _embedded is None else _embedded.at_once,
            update_method=update_method,
            jobs=Jobs(),
            say=notice,
        )
        self.images = Images(self._session)
        self.documents = Documents(self._session)
        self.images.client = self.documents.client = self

    @property
    def vocabulary(self) -> Vocabulary:
        """The allowed values; assign an ``ink.Vocabulary`` for a service with other values."""
        return self._session.vocabulary

    @vocabulary.setter
    def vocabulary(self, vocabulary: Vocabulary) -> None:
        self._session.use(vocabulary)

    @property
    def service(self) -> str:
        """The name of this service in frames and captions: its base address, or ``local demo service``."""
        return self._session.service

    @property
    def created(self) -> int:
        """The number of creates of this client."""
        return self._session.created

    @property
    def jobs(self) -> Jobs:
        """The jobs of this client that run or ended last, shown as a table."""
        jobs: Jobs = self._session.jobs
        return jobs

    @property
    def creations_are_billed(self) -> bool:
        """Whether creates are billed: on every service except the local one with its demo engine or a model of your own."""
        return self._session.creations_are_billed

    @property
    def is_demo(self) -> bool:
        """Whether the demo engine creates, which writes in English only."""
        return self._session.host == LOCAL_SERVICE

    def describe(self) -> Description:
        """Return a description of the service and its response formats."""
        return Description(self._session, [*self._session.collections.values()])

    def check(self, *, write: bool = False) -> ServiceReport:
        """Check what the service honors of the interface, with at most 40 requests that only read.

        Args:
            write: Whether to also create, update and delete one document, which the service may bill.

        Returns:
            A report that renders inline; its ``frame`` has a row for each row of the interface.

        Raises:
            InkframeError: The service cannot be reached, or refuses the key.
        """
        return check_service(self._session, write=check_boolean("write", write))

    def close(self) -> None:
        """End all calls in progress and close every connection."""
        self._session.close()
        if self._embedded is not None:
            self._embedded.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        # A traceback may show a client whose construction failed.
        session = getattr(self, "_session", None)
        if session is None:
            return "<inkframe client, not open>"
        service = self._embedded
        limit = "" if session.create_limit is None else f" of at most {session.create_limit:,}"
        details = [
            session.host if service is None or self.is_demo else "local service",
            "closed" if session.id not in open_sessions() else "",
            str(service).strip("<>").removeprefix("Service: ") if service else "",
            f"{session.created:,}{limit} created" if session.created or limit else "",
        ]
        return f"<inkframe client of {', '.join(filter(None, details))}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "A client cannot be pickled, since it has a key. Call ink.connect() where it is needed."
        )


def _places(address: Address, embedded: Service | None) -> tuple[str, ...]:
    """Return the identity of a service in journals, then those of older releases; none for a library in memory."""
    if embedded is None:
        return address.places
    if str(embedded.library) == ":memory:":
        return ()
    paths = Path(embedded.library).resolve(), Path(embedded.library).absolute()
    return tuple(dict.fromkeys(f"{path}#{embedded.identity}" for path in paths))


def _timeouts(given: Any) -> Timeouts:
    if given is None:
        return Timeouts()
    if isinstance(given, tuple) and 2 <= len(given) <= 4:
        given = httpx.Timeout(given)
    if isinstance(given, httpx.Timeout):
        connect, read = (DAY if each is None else each for each in (given.connect, given.read))
        values: dict[str, Any] = {"connect": connect, "read": read, "create": read}
    elif isinstance(given, Mapping):
        values = dict(given)
    elif isinstance(given, (int, float)):
        values = {"connect": min(5.0, given), "read": given, "create": given}
    else:
        values = {"connect": given}
    if not values.keys() <= {"connect", "read", "create"} or not all(
        isinstance(n, (int, float)) and not isinstance(n, bool) and 0 < n <= threading.TIMEOUT_MAX
        for n in values.values()
    ):
        raise ConfigurationError(
            f"timeout must be positive seconds, got {given!r}.\n"
            "Pass seconds, an httpx.Timeout, or a mapping with connect, read and create."
        )
    return Timeouts(**values)


def _warn_of_plain_http(address: Address) -> None:
    if address.scheme == "http" and not address.is_loopback and address.origin not in _warned:
        _warned.add(address.origin)
        warnings.warn(
            f"{address.origin} is plain http: others can read the key and the texts. Use https if possible.",
            UserWarning,
            stacklevel=caller_level(),
        )


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
    model: str | None = None,
    image_model: str | None = None,
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
        engine: The engine of the local service; by default ``INKFRAME_ENGINE`` or ``offline``. ``openai`` is a model of
            your own: one on this machine is found without a setting.
        model: The model of the engine ``openai`` that writes; by default the only one there.
        image_model: Its model that draws.
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
    models = {"model": model, "image_model": image_model}
    if address:
        local = {"library": library, "sample": sample or None, "engine": engine, **models}
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
        library,
        sample=sample,
        engine=engine,
        models={name: check_text(name, given) for name, given in models.items() if given is not None},
        key_env=key_env,
        create_limit=create_limit,
        **options,
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
    models: Mapping[str, str],
    key_env: str,
    create_limit: int | None,
    **options: Any,
) -> Client:
    from inkframe.service import Service

    place = library_path() if library is None else Path(library).expanduser()
    service = Service(":memory:" if str(place) == ":memory:" else place, engine=engine, models=models)
    if sample and service.is_empty():
        service.sample()
    transport = options.pop("transport", None) or httpx.WSGITransport(app=service.app)
    client = Client(
        NOWHERE, service.key, transport=transport, create_limit=create_limit, _embedded=service, **options
    )
    client._session.asked = service.asked  # noqa: SLF001  # of the class above
    notice(_greeting(service, key_env))
    return client


def _greeting(service: Service, key_env: str) -> str:
    place = "in memory" if str(service.library) == ":memory:" else f"at {tilde(Path(service.library))}"
    # Reading needs no engine.
    text = f"inkframe: local library {place}; {'read-only' if service.read_only else service.engine_label}."
    if os.environ.get(key_env):
        text += f" {_shown(key_env)} is set but not used: no {ADDRESS_VARIABLE}."
    return text


def _find_key(address: Address, key_env: str) -> Key:
    """Return the key from the environment, the secrets of Colab, an earlier prompt, or a new one."""
    if os.environ.get(key_env):
        return Key(os.environ[key_env].strip())
    typed = _typed.get(address.origin)
    key = _from_colab(key_env) or (None if typed is None or typed.is_refused else typed) or _ask(address)
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
    kernel = getattr(_shell(), "kernel", None)
    if not (getattr(kernel, "_allow_stdin", False) or (sys.stdin is not None and sys.stdin.isatty())):
        return None
    try:
        return Key(getpass.getpass(f"API key for {address.netloc}: ").strip())
    except Exception:  # noqa: BLE001  # front ends without input raise various errors
        return None
