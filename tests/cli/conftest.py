"""A fast engine for every library that a command opens, and notebooks for the tests."""

import os
import re
import signal
import subprocess
import urllib.request
from contextlib import contextmanager, suppress

import pytest
from tests.waiting import LIMIT, until

from inkframe.cli import doctor as notebooks

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63686868000003040181c4e1c0db0000000049454e44ae426082"
)


ADDRESS = re.compile(r"http://127\.0\.0\.1:([1-9]\d*)/\S*token=(\w+)")


class Pen:
    """An engine that returns one pixel, or the prompt."""

    name = "pen"
    is_stand_in = True

    def draw(self, request):
        """Return one pixel."""
        del request
        return PNG

    def write(self, request):
        """Return the prompt."""
        return request.prompt


@pytest.fixture
def pen(monkeypatch):
    """Use a fast engine for every library."""
    engine = Pen()
    monkeypatch.setattr("inkframe.service.service.find_engine", lambda _name=None: engine)
    return engine


@pytest.fixture
def write_notebook():
    """Return a function that writes a notebook of code cells."""

    def make(path, *cells):
        import nbformat  # here: it takes two seconds to load

        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(book, path)
        return path

    return make


@pytest.fixture
def installed(monkeypatch, tmp_path, write_notebook):
    """Install the package as pip does, with two notebooks inside, and return the working folder."""
    package = tmp_path / "site-packages" / "inkframe"
    write_notebook(package / "notebooks" / "01_tour.ipynb", "1 + 1")
    write_notebook(package / "notebooks" / "02_more.ipynb", "2 + 2")
    monkeypatch.setattr(notebooks, "PACKAGE", package)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


@pytest.fixture
def jupyterlab(tmp_path):
    """Return a context manager that runs ``inkframe lab`` and ends it like ``kill``.

    It yields the printed lines and the contents of JupyterLab's folder, and leaves no process running.
    """

    @contextmanager
    def running(command, **options):
        folders = dict.fromkeys(
            ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"), str(tmp_path / "jupyter")
        )
        options["env"] = {**os.environ, **folders, **options.get("env", {})}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        with subprocess.Popen(command, start_new_session=True, **pipes, **options) as process:
            try:
                lines = []
                while not (found := ADDRESS.search("".join(lines))):
                    lines.append(process.stdout.readline())
                    assert lines[-1], "".join(lines)
                yield lines, _contents(*found.groups())
                process.terminate()
                process.wait(LIMIT)
                until(lambda: not _is_running(process.pid))  # nothing of JupyterLab runs on after its command
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    return running


def _contents(port, token):
    """Fetch the contents of the folder, with retries: the address is printed before the server responds."""

    def fetch():
        address = f"http://127.0.0.1:{port}/api/contents?token={token}"
        with suppress(OSError), urllib.request.urlopen(address, timeout=LIMIT) as reply:
            return reply.read().decode()

    return until(fetch)


def _is_running(group):
    """Return whether a process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
