"""The example notebooks: next to the source in a clone, inside the package when installed."""

from __future__ import annotations

import os
from pathlib import Path

from inkframe.errors import ConfigurationError
from inkframe.files import create_private_folder
from inkframe.output_file import write_file

__all__ = ["is_shipped", "notebooks_folder", "working_folder"]

PACKAGE = Path(__file__).parents[1]
COPY = "inkframe-notebooks"


def notebooks_folder() -> Path:
    """Return the folder of the notebooks.

    Raises:
        ConfigurationError: This installation has no notebooks.
    """
    for folder in (PACKAGE / "notebooks", PACKAGE.parents[1] / "notebooks"):
        if any(folder.glob("*.ipynb")):
            return folder
    raise ConfigurationError(
        "The example notebooks are missing.\nInstall again: pip install --force-reinstall inkframe."
    )


def working_folder() -> Path:
    """Return a folder whose notebooks may be changed: that of a clone, else a copy in the current folder.

    Existing files are not overwritten.
    """
    source = notebooks_folder()
    if not source.is_relative_to(PACKAGE):
        return source
    target = Path.cwd() / COPY
    if target.is_symlink():
        raise ConfigurationError(f"{target} is a link.\nRemove it, or start in another folder.")
    create_private_folder(target)
    for notebook in sorted(source.glob("*.ipynb")):
        if not os.path.lexists(target / notebook.name):
            write_file(target, notebook.name, notebook.read_bytes())
    return target


def is_shipped(notebook: Path) -> bool:
    """Return whether a notebook has the content of the shipped one of this name."""
    shipped = notebooks_folder() / notebook.name
    return not notebook.is_symlink() and notebook.read_bytes() == shipped.read_bytes()
