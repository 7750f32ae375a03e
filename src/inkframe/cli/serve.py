"""``inkframe serve``: serve a local library over HTTP."""

from __future__ import annotations

import os
import stat
import sys
from functools import partial
from typing import TYPE_CHECKING

from inkframe.connect_client import library_path
from inkframe.errors import ConfigurationError
from inkframe.http.address import is_loopback
from inkframe.service import Service
from inkframe.service.serve import serve

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

__all__ = ["run"]

KEY_VARIABLE = "INKFRAME_SERVE_KEY"
#: The fewest characters of a key, so that it cannot be guessed.
SHORTEST_KEY = 16


def run(options: Namespace) -> int:
    """Serve until a signal to stop."""
    key = _key(options.key_file)
    library = options.library or library_path()
    with Service(library, engine=options.engine, key=key, background=True) as service:
        made = service.key if key is None else None
        if not is_loopback(options.host):
            sys.stderr.write(
                f"Warning: {options.host or 'all addresses'} can be reached by others, over plain http. "
                "Anyone on the network can read the key and the texts.\n"
            )
        serve(service, options.host, options.port, ready=partial(_say, made))
    return 0


def _say(made: str | None, address: str) -> None:
    if made:
        # The only place that shows a key, since the service cannot be used without it.
        sys.stderr.write(f"Key, shown only once: {made}\n")
        sys.stderr.flush()
    sys.stdout.write(f"inkframe serves at {address}\n")
    sys.stdout.flush()


def _key(file: Path | None) -> str | None:
    key = _read(file) if file else os.environ.get(KEY_VARIABLE) or None
    if key is not None and len(key) < SHORTEST_KEY:
        raise ConfigurationError(
            f"The key must have at least {SHORTEST_KEY} characters, got {len(key)}.\n"
            f"Unset {KEY_VARIABLE} and omit --key-file for a new one."
        )
    return key


def _read(file: Path) -> str:
    try:
        key = file.read_text(encoding="utf-8").strip()
        mode = file.stat().st_mode
    except OSError as error:
        raise ConfigurationError(f"The key file {file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ConfigurationError(
            f"The key file {file} is not a text file.\nIt must contain only the key."
        ) from None
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigurationError(
            f"Other users can read the key file {file}.\nRestrict it to yourself: chmod 600 {file}"
        )
    if not key:
        raise ConfigurationError(f"The key file {file} is empty.\nIt must contain only the key.")
    return key
