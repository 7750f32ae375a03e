"""The key of a worker: shared, from the environment, or from a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from inkframe.errors import ConfigurationError
from inkframe.http.key import Key

if TYPE_CHECKING:
    from inkframe.http.address import Address

__all__ = ["SHARED", "find_key"]

KEY_VARIABLE: Final = "INKFRAME_API_KEY"
FILE_VARIABLE: Final = "INKFRAME_API_KEY_FILE"

#: Keys shared with this process, by the origin they may be sent to.
SHARED: Final[dict[str, Key]] = {}


def find_key(address: Address) -> Key:
    """Return the key for a service, without a prompt.

    Args:
        address: The address that the key is sent to.

    Raises:
        ConfigurationError: There is none, or its file can be read by others.
    """
    if shared := SHARED.get(address.origin):
        return shared
    if given := os.environ.get(KEY_VARIABLE):
        return Key(given.strip())
    if file := os.environ.get(FILE_VARIABLE):
        return _read(Path(file).expanduser())
    raise ConfigurationError(
        f"This worker has no key for {address.netloc}.\n"
        f"Set {KEY_VARIABLE}, or {FILE_VARIABLE} to a file that only you can read, where workers start,\n"
        "or share your key with inkframe.dask.share_key(cluster)."
    )


def _read(path: Path) -> Key:
    try:
        if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ConfigurationError(
                f"The key file {path} must be readable by you only.\nRun chmod 600 {path}"
            )
        return Key(path.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        raise ConfigurationError(
            f"The key file {path} cannot be read: {reason}.\nCheck {FILE_VARIABLE}."
        ) from None
