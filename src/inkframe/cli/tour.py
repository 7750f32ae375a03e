"""``inkframe tour``: run the tour notebook and write it as one HTML file that needs no network."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from inkframe.cli.notebooks import notebooks_folder
from inkframe.cli.sample import fill
from inkframe.connect_client import ADDRESS_VARIABLE, LIBRARY_VARIABLE
from inkframe.display.console import progress_bar
from inkframe.errors import ConfigurationError, InkframeError
from inkframe.output_file import write_file

if TYPE_CHECKING:
    from argparse import Namespace

    from nbformat import NotebookNode

__all__ = ["run"]

TOUR = "01_tour.ipynb"
CELL_SECONDS = 120


def run(options: Namespace) -> int:
    """Run the tour and write the page."""
    output: Path = options.output
    home = output.absolute().parent
    if not home.is_dir():
        raise ConfigurationError(f"There is no folder {home}.\nCreate it, or choose another --output.")
    if not os.access(home, os.W_OK):
        raise ConfigurationError(f"The folder {home} is read-only.\nChoose another --output.")
    if output.is_dir():
        raise ConfigurationError(f"{output} is a folder.\nName a file with --output, such as tour.html.")
    if not (find_spec("nbclient") and find_spec("nbconvert")):
        raise ConfigurationError(
            'The tour requires the extra "lab".\nInstall it with: pip install "inkframe[lab]"'
        )
    notebook = _read(notebooks_folder() / TOUR)
    with tempfile.TemporaryDirectory(prefix="inkframe-tour-") as folder:
        library = Path(folder) / "library.db"
        fill(library)
        _execute(notebook, folder, library)
    write_file(home, output.name, _page(notebook).encode(), overwrite=True)
    sys.stdout.write(f"Tour: {output}\n")
    return 0


def _read(path: Path) -> NotebookNode:
    import nbformat

    notebook: NotebookNode = nbformat.read(path, as_version=4)
    return notebook


def _execute(notebook: NotebookNode, folder: str, library: Path) -> None:
    """Run every cell on the sample library, with a progress bar."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    environment = {**os.environ, LIBRARY_VARIABLE: str(library), "INKFRAME_PROGRESS": "0"}
    environment.pop(ADDRESS_VARIABLE, None)
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    with progress_bar(None, cells, "Tour", "cells") as bar:
        client = NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            # The page need not show the address of the kernel.
            extra_arguments=["--log-level=ERROR"],
            on_cell_executed=lambda **_: bar.update(),
        )
        try:
            client.execute(env=environment)
        except CellExecutionError as error:
            raise InkframeError(f"A cell of the tour failed: {error.ename}: {error.evalue}") from None


def _page(notebook: NotebookNode) -> str:
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(exclude_input_prompt=True, exclude_output_prompt=True)
    page: str = exporter.from_notebook_node(notebook, resources={"metadata": {"name": "inkframe tour"}})[0]
    # The tour has no formulas, diagrams or widgets, whose scripts would be loaded from the network.
    return re.sub(r"<script\b.*?</script>", "", page, flags=re.DOTALL)
