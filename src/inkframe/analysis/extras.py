"""The libraries of the ``analysis`` extra, asked for only where they are used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from inkframe.errors import ConfigurationError

__all__ = ["extra"]


def extra(module: str) -> Any:
    """Give a module of a library that comes with the ``analysis`` extra.

    Args:
        module: Its full name, such as ``matplotlib.figure``.

    Raises:
        ConfigurationError: The library is not installed; says the line that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        library = {"sklearn": "scikit-learn"}.get(name := module.split(".", maxsplit=1)[0], name)
        raise ConfigurationError(
            f'This needs {library}, which is not installed.\nInstall it: pip install "inkframe[analysis]"'
        ) from error
