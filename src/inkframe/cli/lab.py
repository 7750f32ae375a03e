"""``inkframe lab``: start JupyterLab on the example notebooks, with its own sample library."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from inkframe.cli.notebooks import is_shipped, working_folder
from inkframe.cli.sample import fill
from inkframe.connect_client import LIBRARY_VARIABLE, library_path
from inkframe.errors import ConfigurationError
from inkframe.service.store import check_library

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Start JupyterLab and wait until it ends."""
    if find_spec("jupyterlab") is None:
        raise ConfigurationError('JupyterLab is not installed.\nInstall it with: pip install "inkframe[lab]"')
    folder = working_folder()
    if options.library:
        library = options.library.absolute()
        if library.exists():
            # An invalid library is reported here, not by every notebook.
            check_library(library, whole=False)
    else:
        library = library_path().parent / "lab" / "library.db"
        fill(library, only_if_empty=True)
    sys.stdout.write(f"Notebooks: {folder}\nLibrary:   {library}\n")
    sys.stdout.flush()
    # With -P, nothing is imported from the current folder. The variable would also reach the kernels.
    command = [sys.executable, "-P", "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    if options.port is not None:
        command += [f"--ServerApp.port={options.port}", "--ServerApp.port_retries=0"]
    if options.no_browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # JupyterLab does not start as root without this, as in containers.
        command.append("--allow-root")
    tour = folder / "01_tour.ipynb"
    if tour.exists() and is_shipped(tour):
        command.append("--LabApp.default_url=/lab/tree/01_tour.ipynb")
    elif tour.exists():
        sys.stdout.write(f"{tour.name} was changed and is not opened by default.\n")
        sys.stdout.flush()
    return _become(command, {**os.environ, LIBRARY_VARIABLE: str(library)})


def _become(command: list[str], environment: dict[str, str]) -> int:
    if os.name == "posix":
        # Replace this process, so that signals reach JupyterLab itself.
        os.execve(command[0], command, environment)  # noqa: S606  # our own interpreter
    return subprocess.call(command, env=environment)  # noqa: S603  # our own interpreter
