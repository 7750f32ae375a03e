"""``inkframe doctor``: check the installation, the front end and the service, and suggest fixes; the folder of the notebooks."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import webbrowser
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import inkframe
from inkframe.display.console import notice
from inkframe.display.markup import counted, spell_bytes
from inkframe.errors import AuthenticationError, ConfigurationError, InkframeError
from inkframe.http.address import ADDRESS_VARIABLE, KEY_VARIABLE, Address
from inkframe.service.engines import Unavailable, find_engine
from inkframe.service.store import check_library
from inkframe.system.files import create_private_folder, home_folder, write_file

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator

__all__ = [
    "CheckResult",
    "check_engine",
    "check_extension",
    "check_kernel",
    "check_service",
    "check_storage",
    "front_end",
    "installation",
    "is_shipped",
    "notebooks_folder",
    "run",
    "version_parts",
    "working_folder",
]

PACKAGE = Path(__file__).parents[1]
COPY = "inkframe-notebooks"
#: The folder in it with the notebooks as they were copied, which tells what the user changed.
COPIED = ".copied"

#: Seconds for a service to answer.
SECONDS = 5.0
#: Seconds for a kernel to import the package.
COMMAND_SECONDS: Final = 30
#: The command that installs into the environment of this Python, whatever is first on the path.
PIP: Final = (
    f'"{sys.executable}" -m pip install' if " " in sys.executable else f"{sys.executable} -m pip install"
)
#: Characters of a line, and of the name in it.
WIDTH: Final = 110
NAME: Final = 20

#: The extras for users of the package, and what each gives.
EXTRAS: Final = {
    "lab": "JupyterLab with the example notebooks",
    "analysis": "plots, and intervals of means",
    "excel": "Excel files",
    "explore": "topics, groups and the map",
    "serve": "inkframe serve",
    "dask": "lazy frames of large libraries",
}
#: A requirement of this package: a name, its extras, the lowest version, and the extra it is part of.
REQUIREMENT: Final = re.compile(
    r"(?P<name>[\w.-]+)(?:\[[^]]*\])?(?:>=(?P<lowest>[\d.]+))?(?:\s*;\s*extra == '(?P<extra>\w+)')?"
)
#: The extensions of JupyterLab, and the packages that install them.
EXTENSIONS: Final = {
    "ipywidgets": ("@jupyter-widgets/jupyterlab-manager", "jupyterlab_widgets"),
    "anywidget": ("anywidget", "anywidget"),
}
#: The version of the extension for ipywidgets 8.
MANAGER: Final = 5
#: What grows in the home folder, and what it is for.
GROWING: Final = {
    "journals": "keep them: without them, batches and panels create their rows again, which may be billed",
    "thumbnails": "made again when they are needed",
    "cache": "computed again when it is needed",
    "ratings.jsonl": "keep it: your judgments, which nothing else has",
}
#: What of it may be deleted.
MADE_AGAIN: Final = frozenset({"thumbnails", "cache"})


def run(options: Namespace) -> int:
    """Print the report; return 1 if there is a problem to fix."""
    if options.write and not options.check:
        raise ConfigurationError("--write requires --check: inkframe doctor --check --write.")
    if options.check:
        from inkframe.client import connect

        with connect(library=options.library) as client:
            report = client.check(write=options.write)
        sys.stdout.write(f"{report}\n")
        return int((report.frame["status"] == "fails").any())
    if options.library:
        schema = check_library(options.library)
        return _print([CheckResult("library", f"{options.library}; schema {schema}")])
    return _print(chain(installation(), front_end(), check_service(), check_engine(), check_storage()))


def _print(results: Iterable[CheckResult]) -> int:
    wrong = 0
    for result in results:
        notice(str(result))
        wrong += result.is_wrong
    if wrong:
        sys.stdout.write(f"\n{wrong} to fix: see the line below each NO.\n")
    return 1 if wrong else 0


def check_service() -> Iterator[CheckResult]:
    """Check the service that `connect` would use, or the local library."""
    address = os.environ.get(ADDRESS_VARIABLE)
    try:
        # Here, since the import fails beside a PyArrow that cannot be imported, which is reported as any other error.
        from inkframe.client import connect, library_path

        if not address:
            yield _local_library(library_path())
        elif not os.environ.get(KEY_VARIABLE):
            text = f"{Address.parse(address).base_url}; prompts for the key each time"
            yield CheckResult("service", text, f"export {KEY_VARIABLE}=…", optional=True)
        else:
            with connect(timeout=SECONDS, max_retries=0) as client:
                total = client.images.list().attrs["inkframe"]["total"]
            text = f"{client.service} responds" + ("" if total is None else f"; {total:,} images")
            yield CheckResult("service", text)
    except AuthenticationError as error:
        cure = f"Copy the key of this service again: export {KEY_VARIABLE}=…"
        yield CheckResult("service", str(error).partition("\n")[0], cure)
    except InkframeError as error:
        yield _failed("service", error, f"Check {ADDRESS_VARIABLE}.")


def _local_library(library: Path) -> CheckResult:
    """Check the local library with the quick checks only."""
    if str(library) == ":memory:":
        return CheckResult("service", "the local library, in memory: lost when it is closed")
    if not library.exists():
        return CheckResult("service", f"the local library; {library} is created on first use")
    try:
        version = check_library(library, whole=False)
    except InkframeError as error:
        return _failed("service", error, f"inkframe doctor --library {library}")
    if not os.access(library, os.W_OK) or not os.access(library.parent, os.W_OK):
        return CheckResult("service", f"the local library {library} is read-only", f"chmod u+w {library}")
    return CheckResult("service", f"the local library {library}; schema {version}")


def check_engine() -> Iterator[CheckResult]:
    """Check the engine of the local service."""
    if os.environ.get(ADDRESS_VARIABLE):
        return
    try:
        engine = find_engine()
    except ConfigurationError as error:
        yield _failed("engine", error, "unset INKFRAME_ENGINE")
        return
    if engine.is_stand_in:
        yield CheckResult("engine", f"{engine.name}, the demo engine")
        return
    try:
        if check := getattr(engine, "check", None):
            check()
    except Unavailable as trouble:
        first, _, rest = str(trouble).partition(". ")
        yield CheckResult("engine", f"{engine.name}: {first}", rest or "Check the settings of the engine.")
    else:
        yield CheckResult("engine", repr(engine).strip("<>"))
    finally:
        if close := getattr(engine, "close", None):
            close()


def check_storage() -> Iterator[CheckResult]:
    """Check how large the files are that grow with use, and suggest how to delete those that are made again."""
    for name, loss in GROWING.items():
        place = home_folder() / name
        sizes = [path.stat().st_size for path in (place, *place.rglob("*")) if path.is_file()]
        if sizes:
            files = f"{counted(len(sizes), 'file')}, {spell_bytes(sum(sizes))}"
            cure = f'rm -r "{place}"' if name in MADE_AGAIN else ""
            yield CheckResult(place.stem, f"{files}; {loss}", cure, optional=True)


def _failed(name: str, error: InkframeError, cure: str) -> CheckResult:
    """Return an error as a result: its first line, and its remedy or a default one."""
    first, _, rest = str(error).partition("\n")
    return CheckResult(name, first, " ".join(rest.split()) or cure)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check: a line of the report.

    Args:
        name: The name of the check.
        text: The finding.
        cure: The command or action that fixes the problem, if there is one.
        optional: Whether the check is optional: its fix is then a suggestion, not an error.
    """

    name: str
    text: str
    cure: str = ""
    optional: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether there is a problem to fix."""
        return bool(self.cure) and not self.optional

    def __str__(self) -> str:
        mark = "ok" if not self.cure else "--" if self.optional else "NO"
        # Paths and commands are not wrapped, so that they can be copied.
        text = fill(
            self.text,
            WIDTH,
            initial_indent=f"{mark}  {self.name:<{NAME}}",
            subsequent_indent=" " * (NAME + 4),
            break_long_words=False,
            break_on_hyphens=False,
        )
        return f"{text}\n{' ' * (NAME + 4)}{self.cure}" if self.cure else text


def installation() -> Iterator[CheckResult]:
    """Check the package, its libraries, and its extras."""
    place = Path(inkframe.__file__).parent
    yield CheckResult("inkframe", f"{inkframe.__version__} in {place}")
    yield CheckResult(
        "Python", f"{platform.python_version()} at {sys.executable}, {platform.platform(terse=True)}"
    )
    found, lacking = _libraries("")
    yield CheckResult("libraries", found, f"{PIP} {' '.join(lacking)}" if lacking else "")
    for extra, gives in EXTRAS.items():
        found, lacking = _libraries(extra)
        cure = f'{PIP} "inkframe[{extra}]"' if lacking else ""
        yield CheckResult(
            f"extra {extra}", f"for {gives}: {found}" if lacking else found, cure, optional=True
        )


def _libraries(extra: str) -> tuple[str, list[str]]:
    """Return the libraries of an extra with their versions, and those to install."""
    shown, lacking = [], []
    for text in requires("inkframe") or ():
        wanted = REQUIREMENT.fullmatch(text.strip())
        if wanted is None or (wanted["extra"] or "") != extra or wanted["name"] == "inkframe":
            continue
        name, lowest = wanted["name"], wanted["lowest"] or "0"
        try:
            present = version(name)
            problem = f" (older than {lowest})" if version_parts(present) < version_parts(lowest) else ""
        except PackageNotFoundError:
            present, problem = "", "is missing"
        shown.append(f"{name} {present}{problem}")
        if problem:
            lacking.append(f'"{name}>={lowest}"')
    return ", ".join(shown), lacking


def version_parts(number: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, without trailing zeros."""
    numbers = re.match(r"\d+(\.\d+)*", number)
    found = [int(part) for part in numbers[0].split(".")] if numbers else []
    while found and not found[-1]:
        found.pop()
    return tuple(found)


def front_end() -> Iterator[CheckResult]:
    """Check the requirements of notebooks."""
    if find_spec("jupyter_core") is None or find_spec("jupyterlab") is None:
        text = "not in this environment; elsewhere it needs the extensions of ipywidgets and anywidget"
        yield CheckResult("JupyterLab", text, f'{PIP} "inkframe[lab]"', optional=True)
        return
    yield _jupyterlab()
    for name, (extension, package) in EXTENSIONS.items():
        yield check_extension(name, extension, package)
    yield check_kernel()
    yield _browser()


def _jupyterlab() -> CheckResult:
    number = version("jupyterlab")
    first = shutil.which("jupyter-lab")
    if first and not Path(first).absolute().is_relative_to(Path(sys.prefix).absolute()):
        text = f"{number}, but {first} is first on the path and belongs to another Python"
        return CheckResult("JupyterLab", text, f"{sys.executable} -m jupyterlab", optional=True)
    return CheckResult("JupyterLab", number)


def check_extension(name: str, extension: str, package: str) -> CheckResult:
    """Check that JupyterLab has an extension, in the version of its package."""
    from jupyter_core.paths import jupyter_config_path, jupyter_path

    label = f"{name} in Lab"
    install = f"{PIP} --force-reinstall --no-deps {package}"
    places = [Path(folder) / extension / "package.json" for folder in jupyter_path("labextensions")]
    there = next((found for place in places if (found := _read_settings(place)) is not None), None)
    if there is None:
        return CheckResult(label, "the JupyterLab extension is missing, so widgets stay empty", install)
    disabled: set[str] = set()
    for folder in jupyter_config_path():
        names = (_read_settings(Path(folder) / "labconfig" / "page_config.json") or {}).get(
            "disabledExtensions"
        ) or {}
        disabled |= {each for each in names if not isinstance(names, dict) or names[each]}
    if extension in disabled:
        return CheckResult(label, "disabled", f"{sys.executable} -m jupyter labextension enable {extension}")
    number = str(there.get("version", "?"))
    if not _goes_together(name, number):
        return CheckResult(
            label,
            f"{number}, which does not match {name} {version(name)} of this Python, so widgets stay empty",
            f"{PIP} --upgrade {name} {package}",
        )
    return CheckResult(label, f"{extension} {number}, enabled")


def _goes_together(name: str, number: str) -> bool:
    if name == "ipywidgets":
        return number.partition(".")[0] == str(MANAGER) and version_parts(version(name)) >= (8,)
    try:
        return number == version(name)
    except PackageNotFoundError:
        return False


def check_kernel() -> CheckResult:
    """Check that Jupyter has a kernel of this interpreter."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    cure = f"{sys.executable} -m ipykernel install --sys-prefix --name python3"
    if find_spec("ipykernel") is None:
        return CheckResult("kernel", "ipykernel is missing", f"{PIP} ipykernel")
    try:
        command = KernelSpecManager().get_kernel_spec("python3").argv
    except NoSuchKernel:
        return CheckResult("kernel", "there is no kernel python3", cure)
    # A bare name means the Python that runs JupyterLab.
    python = command[0] if Path(command[0]).is_absolute() else sys.executable
    if Path(python) != Path(sys.executable):
        try:
            test = subprocess.run(  # noqa: S603  # the interpreter of a local kernel
                [python, "-P", "-c", "import inkframe, ipykernel"],
                capture_output=True,
                timeout=COMMAND_SECONDS,
                check=False,
            )
            works = test.returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            works = False
        if not works:
            return CheckResult("kernel", f"python3 is {python}, which cannot import inkframe", cure)
    return CheckResult("kernel", f"python3 is {python}")


def _browser() -> CheckResult:
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        text = "none can be opened from here; to print the address instead, run"
        return CheckResult("browser", text, "inkframe lab --no-browser", optional=True)
    return CheckResult("browser", getattr(found, "name", type(found).__name__))


def _read_settings(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


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

    A copy that was changed is kept; others become those that are shipped now, or go with those that are no more.
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
    for copied in [each for each in (target / COPIED).glob("*.ipynb") if not (source / each.name).exists()]:
        if (own := target / copied.name).is_file() and _is_copy(own, copied):
            own.unlink()
        copied.unlink()
    return target


def is_shipped(notebook: Path) -> bool:
    """Return whether a notebook has the content of the shipped one of this name."""
    return _is_copy(notebook, notebooks_folder() / notebook.name)


def _is_copy(notebook: Path, original: Path) -> bool:
    is_safe = not notebook.is_symlink() and original.is_file()
    return is_safe and notebook.read_bytes() == original.read_bytes()
