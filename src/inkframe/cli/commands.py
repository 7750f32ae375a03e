"""The commands ``lab``, ``tour``, ``sample``, ``serve`` and ``export``, and the folder of the example notebooks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inkframe.client import ADDRESS_VARIABLE, LIBRARY_VARIABLE, connect, library_path
from inkframe.display.console import notice, progress_bar
from inkframe.display.markup import line
from inkframe.errors import ConfigurationError, InkframeError, InvalidArgument
from inkframe.files import create_private_folder, read_key_file, write_file
from inkframe.http.public_address import is_loopback
from inkframe.schema import RESOURCES
from inkframe.service import Service
from inkframe.service.serve import serve
from inkframe.service.service import DEMO
from inkframe.service.store import check_library

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["COMMANDS", "fill", "is_shipped", "notebooks_folder", "working_folder"]

TOUR = "01_tour.ipynb"
CELL_SECONDS = 120

KEY_VARIABLE = "INKFRAME_SERVE_KEY"
#: The fewest characters of a key, so that it cannot be guessed.
SHORTEST_KEY = 16

PACKAGE = Path(__file__).parents[1]
COPY = "inkframe-notebooks"
#: The folder in it with the notebooks as they were copied, which tells what the user changed.
COPIED = ".copied"


def run_lab(options: Namespace) -> int:
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
        library = lab_library()
        fill(library, only_if_empty=True)
    notice(f"Notebooks: {folder} (copies; those that you change are kept)\nLibrary:   {library}")
    # With -P, nothing is imported from the current folder. The variable would also reach the kernels.
    command = [sys.executable, "-P", "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    if options.port is not None:
        command += [f"--ServerApp.port={options.port}", "--ServerApp.port_retries=0"]
    if options.no_browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # JupyterLab does not start as root without this, as in containers.
        command.append("--allow-root")
    tour = folder / TOUR
    if tour.exists() and is_shipped(tour):
        command.append(f"--LabApp.default_url=/lab/tree/{TOUR}")
    elif tour.exists():
        notice(f"{tour.name} was changed and is not opened by default.")
    return _become(command, {**os.environ, LIBRARY_VARIABLE: str(library)})


def lab_library() -> Path:
    """Return the file of the library that ``inkframe lab`` uses by default."""
    return library_path().parent / "lab" / "library.db"


def _become(command: list[str], environment: dict[str, str]) -> int:
    if os.name == "posix":
        # Replace this process, so that signals reach JupyterLab itself.
        os.execve(command[0], command, environment)  # noqa: S606  # our own interpreter
    return subprocess.call(command, env=environment)  # noqa: S603  # our own interpreter


def run_tour(options: Namespace) -> int:
    """Run the tour and write the page."""
    output: Path = options.output
    home = output.absolute().parent
    if not os.access(home, os.W_OK) or output.is_dir():
        raise ConfigurationError(
            f"--output must be a file in a folder that can be written to, got {output}.\nName another file."
        )
    if not (find_spec("nbclient") and find_spec("nbconvert")):
        raise ConfigurationError(
            'The tour requires the extra "lab".\nInstall it with: pip install "inkframe[lab]"'
        )
    import nbformat

    notebook: Any = nbformat.read(notebooks_folder() / TOUR, as_version=4)
    with tempfile.TemporaryDirectory(prefix="inkframe-tour-") as folder:
        library = Path(folder) / "library.db"
        fill(library)
        _execute(notebook, folder, library)
    write_file(home, output.name, _page(notebook).encode(), overwrite=True)
    sys.stdout.write(f"Tour: {output}\n")
    return 0


def _execute(notebook: Any, folder: str, library: Path) -> None:
    """Run every cell on the sample library, with a progress bar."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    own = {LIBRARY_VARIABLE: str(library), "INKFRAME_ENGINE": DEMO, "INKFRAME_PROGRESS": "0"}
    environment = {name: value for name, value in os.environ.items() if name != ADDRESS_VARIABLE} | own
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


def _page(notebook: Any) -> str:
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(exclude_input_prompt=True, exclude_output_prompt=True)
    page: str = exporter.from_notebook_node(notebook, resources={"metadata": {"name": "inkframe tour"}})[0]
    # The tour has no formulas, diagrams or widgets, whose scripts would be loaded from the network.
    return re.sub(r"<script\b.*?(?:</script>|\Z)", "", page, flags=re.DOTALL)


def run_sample(options: Namespace) -> int:
    """Fill an empty library and print its path; add to another one only on request."""
    library = options.library or library_path()
    counts = {name: vars(options).get(name) for name in RESOURCES}
    given = {name: count for name, count in counts.items() if count is not None}
    if not fill(library, only_if_empty=not options.add, seed=options.seed, **given):
        sys.stdout.write("Nothing was added: the library has records. To add examples anyway, pass --add.\n")
    sys.stdout.write(f"Library: {library}\n")
    return 0


def fill(library: Path, *, only_if_empty: bool = False, **sample: Any) -> bool:
    """Fill a library with example records, with a progress bar; return whether any were added.

    Args:
        library: The file.
        only_if_empty: Whether to skip a library with records.
        **sample: The arguments of ``Service.sample``.
    """
    with Service(library, engine=DEMO) as service:
        if only_if_empty and not service.is_empty():
            return False
        with progress_bar(None, None, "Sample library", "records") as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            service.sample(**sample, progress=progress)
    return True


def run_serve(options: Namespace) -> int:
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
    notice(f"inkframe serves at {address}")


def _key(file: Path | None) -> str | None:
    key = read_key_file(file) if file else os.environ.get(KEY_VARIABLE) or None
    if key is not None and len(key) < SHORTEST_KEY:
        raise ConfigurationError(
            f"The key must have at least {SHORTEST_KEY} characters, got {len(key)}.\n"
            f"Unset {KEY_VARIABLE} and omit --key-file for a new one."
        )
    return key


def run_export(options: Namespace) -> int:
    """Write the tables, then one file per record."""
    from inkframe.frames.snapshots import save

    folder: Path = options.to
    failed = 0
    library = _library(options)
    if library is not None:
        sys.stdout.write(f"Library: {library}\n")
        if not options.library and lab_library().is_file():
            sys.stdout.write(f"That of inkframe lab is another one: --library {lab_library()}\n")
    with connect(options.source, library=library) as client:
        for name in RESOURCES:
            _check_target(folder, name, client._session.source)  # noqa: SLF001  # as frames name it
        for name in RESOURCES:
            collection: Any = getattr(client, name)
            frame = collection.all(details=True)
            table = save(frame, folder / f"{name}.parquet")
            files = collection.download(frame, folder / name, overwrite="own")
            problems = files["error"].dropna()
            failed += len(problems)
            sys.stdout.write(
                f"{table}: {len(frame):,} {name}, {frame.attrs['inkframe']['completeness']}\n"
                f"{folder / name}: {len(files) - len(problems):,} files\n"
            )
            for id, problem in problems.head(5).items():
                sys.stdout.write(f"  {line(id)}: {problem.splitlines()[0]}\n")
    return 1 if failed else 0


def _check_target(folder: Path, name: str, source: dict[str, str]) -> None:
    """Refuse a folder of files that is a link, and a table that is not an export of the same source."""
    from inkframe.frames import differing
    from inkframe.frames.snapshots import saved_origin

    if (folder / name).is_symlink():
        raise InvalidArgument(f"{folder / name} is a link out of the folder.\nChoose another --to.")
    table = folder / f"{name}.parquet"
    earlier = saved_origin(table)
    if os.path.lexists(table) and (not earlier or differing({"collection": name, **source}, earlier)):
        raise InvalidArgument(
            f"{table} is not an export of these {name}.\nNothing was written. Choose another --to."
        )


def _library(options: Namespace) -> Path | None:
    """Return the given library file, which must exist: an export does not create it."""
    if options.source or (os.environ.get(ADDRESS_VARIABLE) and not options.library):
        return None
    library: Path = options.library or library_path()
    if not library.is_file():
        lab = f"inkframe lab uses another one: --library {lab_library()}"
        raise ConfigurationError(
            f"There is no library {library}.\n"
            f"{lab if lab_library().is_file() else 'Choose another with --library FILE.'}"
        )
    return library


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
    """Return the folder of the user's copies of the notebooks, in the current folder.

    A copy that was changed is kept; others become those that are shipped now.
    """
    source = notebooks_folder()
    target = Path.cwd() / COPY
    if target.is_symlink():
        raise ConfigurationError(f"{target} is a link.\nRemove it, or start in another folder.")
    create_private_folder(target)
    for notebook in sorted(source.glob("*.ipynb")):
        own, copied = target / notebook.name, target / COPIED / notebook.name
        if not os.path.lexists(own) or _is_copy(own, copied):
            for folder in (target, target / COPIED):
                write_file(folder, notebook.name, notebook.read_bytes(), overwrite=True)
    return target


def is_shipped(notebook: Path) -> bool:
    """Return whether a notebook has the content of the shipped one of this name."""
    return _is_copy(notebook, notebooks_folder() / notebook.name)


def _is_copy(notebook: Path, original: Path) -> bool:
    is_safe = not notebook.is_symlink() and original.is_file()
    return is_safe and notebook.read_bytes() == original.read_bytes()


#: The function of each command.
COMMANDS: Final = {
    "lab": run_lab,
    "tour": run_tour,
    "sample": run_sample,
    "serve": run_serve,
    "export": run_export,
}
