"""The example notebooks: next to the source in a clone, inside the package when installed."""

from __future__ import annotations

import shutil
from pathlib import Path

from inkframe.errors import ConfigurationError

__all__ = ["notebooks_folder", "working_folder"]

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
    target.mkdir(exist_ok=True)
    for notebook in sorted(source.glob("*.ipynb")):
        if not (target / notebook.name).exists():
            shutil.copyfile(notebook, target / notebook.name)
    return target
