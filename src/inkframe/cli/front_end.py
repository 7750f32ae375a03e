"""Checks of the notebook front end: JupyterLab, its extensions, the kernel, a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import webbrowser
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inkframe.cli.checks import PIP, CheckResult

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_extension", "check_kernel", "front_end"]

#: The extensions of JupyterLab, and the packages that install them.
EXTENSIONS: Final = {
    "ipywidgets": ("@jupyter-widgets/jupyterlab-manager", "jupyterlab_widgets"),
    "anywidget": ("anywidget", "anywidget"),
}
#: The version of the extension for ipywidgets 8.
MANAGER: Final = 5
SECONDS: Final = 30


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
    there = next((found for place in places if (found := _read(place)) is not None), None)
    if there is None:
        return CheckResult(label, "the JupyterLab extension is missing, so widgets stay empty", install)
    disabled: set[str] = set()
    for folder in jupyter_config_path():
        names = (_read(Path(folder) / "labconfig" / "page_config.json") or {}).get("disabledExtensions") or {}
        disabled |= {each for each in names if not isinstance(names, dict) or names[each]}
    if extension in disabled:
        return CheckResult(label, "disabled", f"{sys.executable} -m jupyter labextension enable {extension}")
    number = str(there.get("version", "?"))
    if not _goes_together(name, number):
        return CheckResult(label, f"{number}, which does not match {name} of this Python", install)
    return CheckResult(label, f"{extension} {number}, enabled")


def _goes_together(name: str, number: str) -> bool:
    if name == "ipywidgets":
        return number.partition(".")[0] == str(MANAGER)
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
                timeout=SECONDS,
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


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
