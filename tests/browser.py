"""A real JupyterLab in a real browser, for tests of user interactions.

``open_notebook`` writes a notebook, opens it and runs every cell. Only loopback is reachable: requests of a
page to other hosts are refused and recorded.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager, suppress
from functools import partial
from importlib.resources import files
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from tests.waiting import LIMIT, until

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "JupyterLab",
    "Notebook",
    "Notebook7",
    "chromium_page",
    "find_chromium",
    "find_severe",
    "jupyterlab",
    "notebook_7",
    "open_notebook",
    "open_on",
    "reopened",
]

TOKEN = "t"
WAIT_MILLISECONDS = 1000 * LIMIT
#: Settings that render every output and disable news.
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
ELSEWHERE = re.compile(r"^(https?|wss?)://(?!127\.0\.0\.1[:/]|localhost[:/])")
#: Whether a kernel is connected and idle; otherwise some runs do nothing.
IS_IDLE = """() => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session?.kernel;
  return kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
}"""
RUN_ALL = """async () => {
  const context = jupyterapp.shell.currentWidget.sessionContext;
  await context.ready; await context.session.kernel.info;
  await jupyterapp.commands.execute('notebook:run-all-cells');
}"""
COUNTS = """() => [...jupyterapp.shell.currentWidget.content.widgets]
  .filter(cell => cell.model.type === 'code').map(cell => cell.model.executionCount)"""
#: Ends once what panels and views show has stayed in its place for ten frames.
STILL = """() => new Promise(resolve => {
  let before, frames = 0;
  const look = () => {
    const now = [...document.querySelectorAll('.inkframe, .ink-panel, .ink-view, .ink-tile')]
      .map(each => Object.values(each.getBoundingClientRect().toJSON())).join();
    frames = now === before ? frames + 1 : 0;
    before = now;
    frames < 10 ? requestAnimationFrame(look) : resolve();
  };
  look();
})"""
SEVERE = """async where => (await axe.run(where, {resultTypes: ['violations']})).violations
  .filter(found => ['serious', 'critical'].includes(found.impact))
  .map(found => found.id + ': ' + found.nodes.map(node => node.html.slice(0, 200) + ' ' +
       (node.any.concat(node.all)[0]?.message || '')).join('\\n    '))"""


def find_chromium():
    """Return the path of Chromium, first that of its headless shell, which takes a fifth less time; None without any."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


class JupyterLab:
    """A running server with separate settings and folders.

    Attributes:
        folder: The folder of its notebooks.
        home: The value of ``INKFRAME_HOME`` for its kernels.
        url: Its address.
        token: The token that pages need.
    """

    token = TOKEN
    #: The module that serves it, and the class of its options.
    module, application = "jupyterlab", "LabApp"

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "notebooks"
        self.home = folder / "inkframe_home"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        self._home = folder

    @contextmanager
    def running(self):
        """Run the server during the block."""
        self.folder.mkdir()
        for name, values in SETTINGS.items():
            path = self._home / f"settings/@jupyterlab/{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))
        command = [sys.executable, "-m", self.module, "--no-browser", "--allow-root"]
        command += ["--ServerApp.ip=127.0.0.1", f"--ServerApp.port={self.url.rpartition(':')[2]}"]
        command += ["--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}"]
        command += [f"--ServerApp.root_dir={self.folder}", f"--{self.application}.expose_app_in_browser=True"]
        # No ports, which another process could take before the kernel does. Paths of sockets must be short.
        command += ["--KernelManager.transport=ipc"]
        log, runtime = (self._home / "server.log").open("wb"), TemporaryDirectory()
        with (
            log,
            runtime,
            subprocess.Popen(command, env=self._environment(runtime.name), stdout=log, stderr=log) as process,
        ):
            try:
                self._wait(process)
                yield self
            finally:
                process.terminate()

    def _environment(self, runtime):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("INKFRAME_")}
        places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "INKFRAME_HOME")
        own = {name: str(self._home / name.lower()) for name in places} | {"JUPYTER_RUNTIME_DIR": runtime}
        own |= {"JUPYTERLAB_SETTINGS_DIR": str(self._home / "settings")}
        own |= {"JUPYTERLAB_WORKSPACES_DIR": str(self._home / "workspaces")}
        # Loopback must not use a proxy.
        return kept | own | {"INKFRAME_PROGRESS": "0", "NO_PROXY": "127.0.0.1"}

    def _wait(self, process):
        address = f"{self.url}/api/status?token={TOKEN}"

        def is_ready():
            assert process.poll() is None, (self._home / "server.log").read_text()[-2000:]
            with suppress(OSError), urllib.request.urlopen(address, timeout=LIMIT):  # noqa: S310  # the server of this test
                return True

        until(is_ready)

    def page_of(self, name):
        """Return the address of a notebook, in a workspace of its own."""
        return f"{self.url}/lab/workspaces/{uuid4().hex[:8]}/tree/{name}?token={TOKEN}&reset"

    def write(self, cells, name=None):
        """Write a notebook of code cells, or of Markdown where they begin with a heading, and return its name."""
        name = name or f"n{uuid4().hex[:8]}.ipynb"
        shown = [
            {"cell_type": "markdown" if source.startswith("# ") else "code", "id": f"cell-{at}"}
            | {"metadata": {}, "source": source}
            | ({} if source.startswith("# ") else {"execution_count": None, "outputs": []})
            for at, source in enumerate(cells)
        ]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        notebook = {"cells": shown, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        (self.folder / name).write_text(json.dumps(notebook))
        return name


class Notebook7(JupyterLab):
    """A running Notebook 7, whose pages have one notebook each."""

    module, application = "notebook", "JupyterNotebookApp"

    def page_of(self, name):
        """Return the address of a notebook."""
        return f"{self.url}/notebooks/{name}?token={TOKEN}"


class Notebook:
    """A notebook on a page.

    Attributes:
        page: The page of Playwright.
        refused: The refused requests to other machines.
        errors: The uncaught exceptions of scripts on the page.
    """

    def __init__(self, page, lab, name):
        self.page, self.lab, self.name = page, lab, name
        self.refused, self.errors = page.refused, page.errors

    def open(self, *, run=True):
        """Open it in a new workspace and run every cell."""
        self.page.goto(self.lab.page_of(self.name))
        self.page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.sessionContext")
        self.page.evaluate("async () => { await jupyterapp.shell.currentWidget.context.ready }")
        self.command("application:toggle-left-area") if self._has_left_area() else None
        if run:
            self.page.wait_for_function(IS_IDLE)
            self.page.evaluate(RUN_ALL)
            failed = self.page.locator(
                ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']"
            )
            assert failed.count() == 0, "\n".join(failed.all_text_contents())
            assert all(self.page.evaluate(COUNTS)), "a cell did not run"
        return self

    def _has_left_area(self):
        return self.page.evaluate("() => !jupyterapp.shell.leftCollapsed")

    def command(self, name, **arguments):
        """Run a command of JupyterLab."""
        self.page.evaluate("([name, given]) => jupyterapp.commands.execute(name, given)", [name, arguments])

    def cell(self, at):
        """Return the output of a cell."""
        return self.page.locator(".jp-CodeCell").nth(at).locator(".jp-Cell-outputArea")

    def text(self, code):
        """Run code in the kernel, outside of cells, and return its output."""
        return self.page.evaluate(
            """async code => {
              const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
              const future = kernel.requestExecute({code, store_history: false});
              let text = '';
              future.onIOPub = message => {
                text += message.content.text || (message.content.traceback || []).join('\\n');
              };
              await future.done;
              return text.trim();
            }""",
            code,
        )

    def theme(self, name):
        """Change to the ``Light`` or ``Dark`` theme."""
        self.command("apputils:change-theme", theme=f"JupyterLab {name}")
        light = "true" if name == "Light" else "false"
        self.page.wait_for_selector(f"body[data-jp-theme-light={light}]", state="attached")

    def resize(self, width, height=1400):
        """Change the size of the page, and wait until all is in its place."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(STILL)

    def save(self):
        """Save it and return the saved notebook."""
        self.page.evaluate("async () => { await jupyterapp.shell.currentWidget.context.save() }")
        return json.loads((self.lab.folder / self.name).read_text())


@pytest.fixture(scope="session")
def jupyterlab(tmp_path_factory):
    """Yield a JupyterLab with an empty folder."""
    yield from _running(JupyterLab, tmp_path_factory)


@pytest.fixture(scope="session")
def notebook_7(tmp_path_factory):
    """Yield a Notebook 7 with an empty folder."""
    yield from _running(Notebook7, tmp_path_factory)


def _running(kind, folders):
    pytest.importorskip(kind.module, reason=f'needs {kind.module}: pip install "inkframe[test]"')
    with kind(folders.mktemp(kind.module)).running() as server:
        yield server


@contextmanager
def pages_of(chromium):
    """Yield a function that opens pages of a browser, which are closed at the end of the block."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason='needs Playwright: pip install "inkframe[test]"'
    )
    with sync_api.sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)

        def make(**options):
            options = {"viewport": {"width": 1280, "height": 1400}, "accept_downloads": True} | options
            page = browser.new_context(**options).new_page()
            page.set_default_timeout(WAIT_MILLISECONDS)
            sync_api.expect.set_options(timeout=WAIT_MILLISECONDS)
            page.refused, page.errors = [], []
            page.on("pageerror", lambda error: page.errors.append(str(error)))

            def refuse(route):
                page.refused.append(route.request.url)
                route.abort()

            page.context.route(ELSEWHERE, refuse)
            return page

        yield make
        for context in browser.contexts:
            context.unroute_all(behavior="ignoreErrors")
        browser.close()


@pytest.fixture(scope="module")
def chromium_page(chromium):
    """Yield a function that opens pages, which are closed at the end of the module."""
    # One Playwright per module, since other tests of this process cannot use asyncio while it runs.
    with pages_of(chromium) as make:
        yield make


@pytest.fixture(scope="module")
def open_on(chromium_page):
    """Return a function that writes a notebook of the given cells to a server, opens it and runs them."""

    def make(server, *cells, name=None, **options):
        return Notebook(chromium_page(**options), server, server.write(cells, name)).open()

    return make


@pytest.fixture(scope="module")
def open_notebook(jupyterlab, open_on):
    """Return a function that does so on JupyterLab."""
    return partial(open_on, jupyterlab)


@pytest.fixture
def reopened(chromium_page):
    """Return a function that saves a notebook and opens a copy of it without running it.

    Jupyter trusts the outputs of a notebook that it has run, until anything in it was changed from elsewhere.
    """

    def make(notebook, *, is_trusted=True):
        saved = notebook.save()
        if not is_trusted:
            saved["metadata"]["title"] = "from elsewhere"
        copy = f"copy-of-{is_trusted}-{notebook.name}"
        (notebook.lab.folder / copy).write_text(json.dumps(saved))
        return Notebook(chromium_page(), notebook.lab, copy).open(run=False)

    return make


@pytest.fixture(scope="session")
def find_severe():
    """Return a function that lists the serious and critical findings of axe-core for a selector."""
    reason = 'needs axe-core: pip install "inkframe[test]"'
    package = pytest.importorskip("axe_playwright_python", reason=reason)
    text = (files(package) / "axe.min.js").read_text(encoding="utf-8")

    def find(page, where):
        assert page.locator(where).count(), f"no element to check: {where}"
        if not page.evaluate("() => typeof axe !== 'undefined'"):
            page.evaluate(text)
        return page.evaluate(SEVERE, where)

    return find
