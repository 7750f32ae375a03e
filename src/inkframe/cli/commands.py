"""The commands ``lab``, ``studio``, ``tour``, ``sample``, ``serve``, ``import`` and ``export``, and the folder of the example notebooks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inkframe.cli.doctor import is_shipped, notebooks_folder, working_folder
from inkframe.client import LIBRARY_VARIABLE, connect, library_path
from inkframe.display.console import notice, progress_bar
from inkframe.display.markup import line
from inkframe.display.picture import as_png
from inkframe.errors import ConfigurationError, ConnectionFailed, InkframeError, InvalidArgument
from inkframe.frames import rows_of
from inkframe.http.address import ADDRESS_VARIABLE
from inkframe.http.worker_pool import WorkerPool
from inkframe.resources.records import Image, values_of
from inkframe.schema import RESOURCES
from inkframe.service import Service
from inkframe.service.imports import Arrival, Imports, arrival, chunks, digest, oldest_first
from inkframe.service.serve import serve
from inkframe.service.service import DEMO
from inkframe.service.store import check_library
from inkframe.system.files import create_private_folder, home_folder, read_key_file, write_file
from inkframe.system.public_address import is_loopback

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    import pandas as pd

    from inkframe import Client

__all__ = ["COMMANDS", "fill"]

TOUR = "01_tour.ipynb"
CELL_SECONDS = 120
#: The cell of the page of the studio. What ``connect`` prints is for those who started it.
PAGE: Final = """from contextlib import redirect_stdout
from io import StringIO

import inkframe as ink

with redirect_stdout(StringIO()):
    client = ink.connect()
ink.Studio(client, show_code={show_code})
"""

KEY_VARIABLE = "INKFRAME_SERVE_KEY"
#: The fewest characters of a key, so that it cannot be guessed.
SHORTEST_KEY = 16


Row = dict[str, Any]

#: The number of pictures fetched at once and stored together.
TOGETHER: Final = 8
#: Columns that a copy requires; if a list omits one, each record is fetched by itself.
NEEDED: Final = {
    field.name
    for spec in RESOURCES.values()
    for field in spec.fields
    if field.create == "required" or field.name in (spec.file_field, "created_at")
} - {"name"}
#: The most failed records that are listed.
NAMED: Final = 5

#: The outcomes of a record, in the order of the report.
OUTCOMES: Final = {
    "copied": "copied now",
    "known": "copied before",
    "changed": "changed there since they were copied; the copy was not updated",
    "unfinished": "not finished there yet",
    "failed": "could not be copied",
}


def run_lab(options: Namespace) -> int:
    """Start JupyterLab and wait until it ends."""
    _check_installed("jupyterlab", "JupyterLab")
    folder = working_folder()
    library = _open_library(options)
    notice(f"Notebooks: {folder} (copies; those that you change are kept)\nLibrary:   {library}")
    command = [*_server("jupyterlab", "ServerApp", options), f"--ServerApp.root_dir={folder}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # JupyterLab does not start as root without this, as in containers.
        command.append("--allow-root")
    tour = folder / TOUR
    if tour.exists() and is_shipped(tour):
        command.append(f"--LabApp.default_url=/lab/tree/{TOUR}")
    elif tour.exists():
        notice(f"{tour.name} was changed and is not opened by default.")
    return _become(command, {**os.environ, LIBRARY_VARIABLE: str(library)})


def run_studio(options: Namespace) -> int:
    """Serve the studio as a web page and wait until it ends; each visitor has a kernel."""
    _check_installed("voila", "Voila")
    library = _open_library(options)
    notice(f"Library: {library}\nThe studio is a page on this computer; Ctrl-C ends it.")
    cell: Row = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [],
            "source": PAGE.format(show_code=options.code)}  # fmt: skip
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    page = {"nbformat": 4, "nbformat_minor": 4, "metadata": kernel, "cells": [cell]}
    name = f"studio{'-with-code' * options.code}.ipynb"
    create_private_folder(pages := home_folder() / "pages")
    write_file(pages, name, json.dumps(page).encode(), overwrite=True)
    command = [*_server("voila", "Voila", options), str(pages / name)]
    return _become(command, {**os.environ, LIBRARY_VARIABLE: str(library)})


def _check_installed(module: str, name: str) -> None:
    if find_spec(module) is None:
        raise ConfigurationError(f'{name} is not installed.\nInstall it with: pip install "inkframe[lab]"')


def _open_library(options: Namespace) -> Path:
    """Return the given library, or that of ``inkframe lab``, which has examples at first."""
    library: Path = options.library.absolute() if options.library else lab_library()
    if not options.library:
        fill(library, only_if_empty=True)
    elif library.exists():
        # An invalid library is reported here, not by every notebook.
        check_library(library, whole=False)
    return library


def _server(module: str, name: str, options: Namespace) -> list[str]:
    """Return the command that starts a server of notebooks, whose options begin with a name of its own."""
    port = [f"--{name}.port={options.port}", f"--{name}.port_retries=0"] if options.port is not None else []
    # With -P, nothing is imported from the current folder. The variable would also reach the kernels.
    return [sys.executable, "-P", "-m", module, *["--no-browser"] * options.no_browser, *port]


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


def run_import(options: Namespace) -> int:
    """Copy new records, then verify every copy."""
    library = options.library or library_path()
    with connect(options.source) as client, closing(Imports(library, client.service)) as imports:
        if _identity_of(client) == imports.identity:
            raise InvalidArgument(
                f"{client.service} serves the library {library} itself.\nChoose another with --library FILE."
            )
        copies = [Copy(client, imports, name) for name in RESOURCES]
        for copy in copies:
            copy.run()
        sys.stdout.write(f"From {client.service} to {library}:\n")
        complete = [copy.report() for copy in copies]
    if not all(complete):
        sys.stdout.write("Run the same command again to copy the missing records; nothing is copied twice.\n")
    return 0 if all(complete) else 1


class Copy:
    """The copy of one collection.

    Args:
        client: A client of the service to copy.
        imports: The imports of the local library.
        name: ``images`` or ``documents``.
    """

    def __init__(self, client: Client, imports: Imports, name: str) -> None:
        self._client = client
        self._imports = imports
        self._name = name
        self._spec = RESOURCES[name]
        self._collection: Any = getattr(client, name)
        self._known = imports.digests(name)
        self._seen: dict[str, None] = {}
        self._counts: Counter[str] = Counter()
        self._problems: list[str] = []

    def run(self) -> None:
        """Fetch the whole collection and store each new record."""
        with progress_bar(None, None, f"Copying {self._name}", "records") as bar:
            for frame in self._frames():
                lacking = not NEEDED.isdisjoint(frame.attrs["inkframe"]["absent"])
                # Without pictures and with all columns in the list, no further requests are necessary.
                alone = not self._spec.has_picture and not lacking
                for chunk in chunks(oldest_first(rows_of(frame)), len(frame) if alone else TOGETHER):
                    wanted = [row for row in chunk if self._is_wanted(row, lacking=lacking)]
                    fetch = WorkerPool(partial(self._fetch, lacking=lacking), 1 if alone else TOGETHER)
                    self._store(wanted, list(fetch.run(wanted)))
                    bar.update(len(chunk))

    def _frames(self) -> Iterator[pd.DataFrame]:
        """Yield the pages of the collection, and keep the verdict on them."""
        self._completeness = yield from self._collection.pages()

    def _is_wanted(self, row: Row, *, lacking: bool) -> bool:
        source_id = str(row["id"])
        if source_id in self._seen:  # 1 and "1", of which the service can fetch only one
            self._counts["failed"] += 1
            self._problems.append(f"{source_id}: another record there has the same id")
            return False
        self._seen[source_id] = None
        came = self._known.get(source_id)
        if came is None:
            return True
        as_before = lacking or came.partition("-")[0] == digest(self._name, self._arrival(row).values)
        self._counts["known" if as_before else "changed"] += 1
        return False

    def _fetch(self, row: Row, *, lacking: bool) -> Arrival | InkframeError | None:
        """Fetch a complete record with its picture; return the error of a failure, None if unfinished."""
        try:
            whole = row | values_of(self._collection.get(row["id"])) if lacking else row
            if self._spec.file_field and whole.get(self._spec.file_field) is None:
                return None
            picture = b""
            if self._spec.has_picture:
                image = Image(whole["id"], picture_url=whole.get("picture_url"))
                picture = as_png(self._client.images.picture_of(image))
            # By the id of its list, since a record may show another one by itself.
            return self._arrival(whole | {"id": row["id"]}, picture)
        except InkframeError as error:
            return error

    def _store(self, wanted: Sequence[Row], fetched: Iterable[Arrival | InkframeError | None]) -> None:
        arrivals: list[Arrival] = []
        for row, each in zip(wanted, fetched, strict=True):
            if isinstance(each, Arrival):
                arrivals.append(each)
            elif each is None:
                self._counts["unfinished"] += 1
            else:
                self._counts["failed"] += 1
                self._problems.append(f"{row['id']}: {str(each).splitlines()[0]}")
        self._imports.add(self._name, arrivals)
        self._counts["copied"] += len(arrivals)

    def _arrival(self, row: Row, picture: bytes = b"") -> Arrival:
        return arrival(self._name, str(row["id"]), row, self._client.vocabulary, picture)

    def report(self) -> bool:
        """Print the outcomes of the records, and whether each copy is unchanged."""
        here = self._imports.digests(self._name)
        copies = [source_id for source_id in self._seen if source_id in here]
        altered = self._imports.altered(self._name, copies)
        lines = [f"{count:,} {OUTCOMES[name]}" for name in OUTCOMES if (count := self._counts[name])]
        sys.stdout.write(f"{self._name}: {len(self._seen):,} there" + "".join(f"; {each}" for each in lines))
        sys.stdout.write(
            f"\n  verified: {len(copies) - len(altered):,} of {len(copies):,} copies are unchanged\n"
        )
        if altered:
            names = ", ".join(line(id, 80) for id in altered[:NAMED])
            more = f" and {len(altered) - NAMED:,} more" if len(altered) > NAMED else ""
            sys.stdout.write(f"  changed here since (ids there): {names}{more}\n")
        for problem in self._problems[:NAMED]:
            sys.stdout.write(f"  {line(problem)}\n")
        found, missing = self._completeness, max((self._completeness.total or 0) - len(self._seen), 0)
        if found.level == "best-effort":
            there = f"{missing:,} are missing there, " if missing else ""
            sys.stdout.write(f"  {there}{_verdict(found.level, found.reasons)}\n")
        return len(copies) == len(self._seen) and not self._counts["failed"] and found.gap is None


def _verdict(level: str, reasons: Sequence[str]) -> str:
    return f"{level}: {line('; '.join(reasons), 400)}" if reasons else level


def _identity_of(client: Client) -> str | None:
    """Return the identity of a library served by inkframe; copying a library into itself would never end.

    Raises:
        ConnectionFailed: The service does not respond. There are no retries, since nothing has been copied
            yet.
    """
    try:
        sender = client._session.sender  # noqa: SLF001  # the path is not part of the interface
        found = json.loads(sender.send("GET", "/health", tries=1, picture=True).body)
    except ConnectionFailed:
        raise
    except (InkframeError, ValueError):
        return None
    return found.get("library") if isinstance(found, dict) else None


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
            facts = frame.attrs["inkframe"]
            failed += len(problems) + max((facts["total"] or 0) - len(frame), 0)
            verdict = _verdict(facts["completeness"], facts["reasons"])
            sys.stdout.write(
                f"{table}: {len(frame):,} {name}, {verdict}\n"
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


#: The function of each command.
COMMANDS: Final = {
    "lab": run_lab,
    "studio": run_studio,
    "tour": run_tour,
    "sample": run_sample,
    "serve": run_serve,
    "import": run_import,
    "export": run_export,
}
