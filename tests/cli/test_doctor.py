import json
import socket
import sys
from contextlib import closing
from functools import partialmethod
from pathlib import Path

import pytest
from jupyter_client.kernelspec import NoSuchKernel
from tests.services import FaultyService

import inkframe as ink
from inkframe.cli import doctor, main
from inkframe.cli.doctor import CheckResult
from inkframe.service import Service
from inkframe.service.engines import Unavailable
from inkframe.service.store.pool import connect as open_connection

IMAGE = "INSERT INTO images VALUES (1, 'n', 'd', '256x256', 'anime', NULL, NULL, 7, '', '')"
SECRET = "zQx7Wv9KpLm3Rt5Yb8Nc2Hd"


@pytest.fixture
def extensions(tmp_path, monkeypatch):
    """Return a folder for JupyterLab's extensions, the only one on the path, and one for its settings."""
    folders = {name: tmp_path / name for name in ("labextensions", "config")}
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda *_: [str(folders["labextensions"])])
    monkeypatch.setattr("jupyter_core.paths.jupyter_config_path", lambda: [str(folders["config"])])

    def put(name, version):
        folder = folders["labextensions"] / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"version": version}), encoding="utf-8")

    def disable(names):
        folder = folders["config"] / "labconfig"
        folder.mkdir(parents=True)
        (folder / "page_config.json").write_text(json.dumps({"disabledExtensions": names}), encoding="utf-8")

    return put, disable


def by_name(conditions):
    """Return the results by their names."""
    return {condition.name: condition for condition in conditions}


def engine_and_service():
    """Return the doctor's results for the engine and the service."""
    return by_name([*doctor.check_service(), *doctor.check_engine()])


def test_the_report_of_a_machine_without_problems(capsys, monkeypatch):
    """All requirements of the tests are installed: only a browser may be missing, and the status is 0."""
    pytest.importorskip("jupyterlab")
    pytest.importorskip("ipywidgets", "8")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))  # another environment may be first on it
    monkeypatch.setattr(doctor.webbrowser, "get", type("Firefox", (), {"name": "firefox"}))
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = {line[4:24].strip(): line[:2] for line in lines if line[:2].strip()}
    wanted = [
        "inkframe",
        "Python",
        "libraries",
        "extra lab",
        "extra analysis",
        "extra explore",
        "extra serve",
        "JupyterLab",
    ]
    wanted += ["ipywidgets in Lab", "anywidget in Lab", "kernel", "browser", "service", "engine"]
    assert {name: named.get(name) for name in wanted} == dict.fromkeys(wanted, "ok")
    assert max(map(len, lines)) < 160


def test_a_result_is_a_line_and_a_fix():
    """A passed check is one line, a problem has the fix below it, and an optional check is not a problem."""
    assert str(CheckResult("kernel", "python3")) == f"ok  {'kernel':<20}python3"
    assert str(CheckResult("kernel", "missing", "do this")) == f"NO  {'kernel':<20}missing\n{'':24}do this"
    assert str(CheckResult("dask", "missing", "do this", optional=True)).startswith("--  dask")
    wrong = [CheckResult("a", "b"), CheckResult("a", "b", "c"), CheckResult("a", "b", "c", optional=True)]
    assert [each.is_wrong for each in wrong] == [False, True, False]


def test_libraries_are_compared_with_the_requirements(monkeypatch):
    """One command installs all missing and outdated libraries; extras are optional."""
    wanted = ["orjson>=3.10", "httpx>=99.1", "not-there>=2", 'dask[dataframe]>=2025.1; extra == "dask"']
    wanted += ["none-such>=1; extra == 'dask'", "inkframe[dask]; extra == 'lab'"]
    monkeypatch.setattr(doctor, "requires", lambda _name: wanted)
    found = by_name(doctor.installation())
    assert found["libraries"].is_wrong
    assert found["libraries"].cure == f'{sys.executable} -m pip install "httpx>=99.1" "not-there>=2"'
    assert "(older than 99.1)" in found["libraries"].text
    assert "not-there is missing" in found["libraries"].text
    assert found["extra dask"].text.startswith("for lazy frames of large libraries: ")
    assert found["extra dask"].cure.endswith('-m pip install "inkframe[dask]"')
    assert not found["extra dask"].is_wrong


@pytest.mark.parametrize(
    ("one", "other", "older"),
    [("2.0", "2", False), ("1.9.12", "1.10", True), ("3.1rc1", "3.1", False), ("2026.8.0", "2025.1", False)],
)
def test_versions_are_compared_by_their_numbers(one, other, older):
    """Versions are compared as numbers, not as text."""
    assert (doctor.version_parts(one) < doctor.version_parts(other)) is older


def test_extensions_of_jupyterlab(extensions, monkeypatch):
    """Missing, disabled and mismatched extensions each have a command; the right one is enabled."""
    put, disable = extensions
    monkeypatch.setattr(doctor, "version", {"ipywidgets": "8.1.9", "anywidget": "0.11.0"}.get)
    manager, package = doctor.EXTENSIONS["ipywidgets"]

    def look(name):
        return doctor.check_extension(name, *doctor.EXTENSIONS[name])

    assert "is missing" in look("ipywidgets").text
    assert look("ipywidgets").cure.endswith(f"--force-reinstall --no-deps {package}")
    put(manager, "5.0.16")
    put("anywidget", "0.1.2")
    assert look("ipywidgets").text == f"{manager} 5.0.16, enabled"
    assert "0.1.2, which does not match anywidget" in look("anywidget").text
    disable({manager: True, "anywidget": False})
    assert look("ipywidgets").text == "disabled"
    assert look("ipywidgets").cure.endswith(f"-m jupyter labextension enable {manager}")
    assert look("anywidget").text != "disabled"


def test_jupyterlab_needs_widgets_of_version_8(extensions, monkeypatch):
    """With ipywidgets 7 its panels stay empty, which is said with the command that installs version 8."""
    put, _ = extensions
    put(doctor.EXTENSIONS["ipywidgets"][0], "5.0.16")
    monkeypatch.setattr(doctor, "version", {"ipywidgets": "7.7.1"}.get)
    found = doctor.check_extension("ipywidgets", *doctor.EXTENSIONS["ipywidgets"])
    assert found.text == "5.0.16, which does not match ipywidgets 7.7.1 of this Python, so widgets stay empty"
    assert found.cure.endswith("-m pip install --upgrade ipywidgets jupyterlab_widgets")


def test_a_kernel_of_another_python(tmp_path, monkeypatch):
    """A kernel whose Python cannot import the package is named, with the command to install the right one."""
    folder = tmp_path / "kernels" / "python3"
    folder.mkdir(parents=True)
    other = tmp_path / "python"
    other.write_text("#!/bin/sh\nexit 1\n")
    other.chmod(0o755)
    spec = {"argv": [str(other), "-m", "ipykernel_launcher"], "display_name": "P", "language": "python"}
    (folder / "kernel.json").write_text(json.dumps(spec))
    manager = "jupyter_client.kernelspec.KernelSpecManager"
    monkeypatch.setattr(f"{manager}._kernel_dirs_default", lambda _self: [str(tmp_path / "kernels")])
    found = doctor.check_kernel()
    assert str(other) in found.text
    assert found.cure.endswith("-m ipykernel install --sys-prefix --name python3")
    other.write_text("#!/bin/sh\nexit 0\n")
    assert not doctor.check_kernel().is_wrong


def test_a_jupyter_without_the_kernel(monkeypatch):
    """If Jupyter has no kernel, the command installs one."""

    def missing(_self, name):
        raise NoSuchKernel(name)

    monkeypatch.setattr("jupyter_client.kernelspec.KernelSpecManager.get_kernel_spec", missing)
    assert doctor.check_kernel().text == "there is no kernel python3"
    assert doctor.check_kernel().is_wrong


def test_an_environment_without_jupyterlab(monkeypatch):
    """This is not a problem, since the notebook may run elsewhere."""
    monkeypatch.setattr(doctor, "find_spec", lambda _name: None)
    (found,) = doctor.front_end()
    assert not found.is_wrong
    assert found.cure.endswith('"inkframe[lab]"')


def test_the_local_library(pen, monkeypatch, home):
    """A missing library is fine and is not created; an unreadable one is a problem."""
    library = home / "library.db"
    found = engine_and_service()
    assert "is created on first use" in found["service"].text
    assert found["engine"].text == "offline, the demo engine"
    assert not library.exists()
    with ink.connect() as client:
        client.documents.create(name="n", prompt="p")
    assert engine_and_service()["service"].text == f"the local library {library}; schema 8"
    library.write_bytes(library.read_bytes()[:5000])
    found = engine_and_service()["service"]
    assert found.text == f"The library {library} is damaged: database disk image is malformed."
    assert f"sqlite3 {library} .recover | sqlite3 {library.with_suffix('.rescued.db')}" in found.cure
    library.write_text("notes " * 1000)
    assert "is not an inkframe library" in engine_and_service()["service"].text
    monkeypatch.setenv("INKFRAME_LIBRARY", ":memory:")
    assert not engine_and_service()["service"].is_wrong


def test_a_service_at_an_address(monkeypatch):
    """It gets one request with the key; without a key it gets none, and there is no prompt."""
    service = FaultyService(images=7, documents=0)
    with service.serve() as address:
        monkeypatch.setenv("INKFRAME_BASE_URL", address)
        found = engine_and_service()
        assert found["service"].cure.startswith("export INKFRAME_API_KEY")
        assert "engine" not in found
        assert service.requests == []
        monkeypatch.setenv("INKFRAME_API_KEY", service.key)
        assert engine_and_service()["service"].text == f"{address} responds; 7 images"
        monkeypatch.setenv("INKFRAME_API_KEY", "wrong-key-000000")
        found = engine_and_service()["service"]
    assert found.is_wrong
    assert "INKFRAME_API_KEY" in found.cure
    assert "wrong-key" not in f"{found}"
    assert "does not answer" in engine_and_service()["service"].text


def test_an_engine_that_cannot_work(monkeypatch):
    """An unknown name, a missing server, and an unreachable endpoint each have a fix."""
    monkeypatch.setenv("INKFRAME_ENGINE", "ofline")
    assert "no engine 'ofline'" in engine_and_service()["engine"].text
    monkeypatch.setenv("INKFRAME_ENGINE", "openai")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        monkeypatch.setenv("INKFRAME_OPENAI_PORTS", str(closed.getsockname()[1]))
    assert "INKFRAME_OPENAI_BASE_URL" in engine_and_service()["engine"].cure

    class Engine:
        name, is_stand_in, closed = "studio", False, False

        def check(self):
            raise Unavailable("studio does not answer. Start it.")

        def close(self):
            type(self).closed = True

    monkeypatch.setattr(doctor, "find_engine", Engine)
    found = engine_and_service()["engine"]
    assert (found.text, found.cure) == ("studio: studio does not answer", "Start it.")
    assert Engine.closed


def test_a_library_is_checked(tmp_path, pen, capsys):
    """A sound library is one line; a damaged one is an error with the command that recovers it."""
    library = tmp_path / "library.db"
    Service(library).close()
    assert main(["doctor", "--library", str(library)]) == 0
    assert capsys.readouterr().out.split() == ["ok", "library", f"{library};", "schema", "8"]
    with closing(open_connection(str(library))) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(IMAGE)
    assert main(["doctor", "--library", str(library)]) == 1
    printed = capsys.readouterr().err
    assert f"The library {library} is damaged: CHECK constraint failed in images." in printed
    assert f"sqlite3 {library} .recover" in printed
    assert main(["doctor", "--library", str(tmp_path / "none")]) == 1
    assert "There is no library" in capsys.readouterr().err


def test_a_service_is_checked(monkeypatch, capsys):
    """--check prints the report and only reads; --write also creates one document; a row that fails is status 1."""
    service = FaultyService(images=12, documents=12)
    with service.serve() as address:
        monkeypatch.setenv("INKFRAME_BASE_URL", address)
        monkeypatch.setenv("INKFRAME_API_KEY", service.key)
        assert main(["doctor", "--check"]) == 0
        assert "holds    images: List. GET /images: It returns 10 records of 12." in capsys.readouterr().out
        assert {request.method for request in service.requests} == {"GET"}
        assert main(["doctor", "--check", "--write"]) == 0
        assert "holds    documents: Store." in capsys.readouterr().out
    assert service.generations == 1
    broken = FaultyService("sort_ignored", images=12)
    with broken.serve() as address:
        monkeypatch.setenv("INKFRAME_BASE_URL", address)
        monkeypatch.setenv("INKFRAME_API_KEY", broken.key)
        assert main(["doctor", "--check"]) == 1
    assert "fails    images: parameter sort." in capsys.readouterr().out


def test_writing_requires_a_check(capsys):
    """--write alone is refused, so that nothing is created by accident."""
    assert main(["doctor", "--write"]) == 1
    assert "--write requires --check" in capsys.readouterr().err


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize(
    "address",
    [
        f"https://me:{SECRET}@content.test",
        f"https://content.test?key={SECRET}",
        f"https://content.test/#{SECRET}",
        SECRET,
    ],
)
def test_no_part_of_an_address_that_may_be_a_key_is_shown(monkeypatch, address, keyed):
    """A password, query or key in the variable of the address is not printed, and the variable is named."""
    monkeypatch.setenv("INKFRAME_BASE_URL", address)
    if keyed:
        monkeypatch.setenv("INKFRAME_API_KEY", SECRET)
    result = engine_and_service()["service"]
    assert result.is_wrong
    assert SECRET[:6] not in f"{result} {result.cure}"


def test_the_kernel_is_tried_without_the_current_folder(monkeypatch, tmp_path):
    """A module of the current folder is not imported when another Python is tried."""
    (tmp_path / "inkframe.py").write_text("open('imported', 'w').close()", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    link = tmp_path / "python"
    link.symlink_to(sys.executable)
    kernel = type("Kernel", (), {"argv": [str(link)]})
    monkeypatch.setattr("jupyter_client.kernelspec.KernelSpecManager.get_kernel_spec", lambda *_: kernel)
    assert doctor.check_kernel().name == "kernel"
    assert not (tmp_path / "imported").exists()


def test_a_wrong_key_says_what_to_do(monkeypatch, capsys):
    """The line below tells to set another key, and the last line does not promise a command."""
    service = FaultyService()
    monkeypatch.setenv("INKFRAME_BASE_URL", service.base_url)
    monkeypatch.setenv("INKFRAME_API_KEY", "a-wrong-key-of-twenty")
    monkeypatch.setattr(
        ink.Client, "__init__", partialmethod(ink.Client.__init__, transport=service.transport)
    )
    for check in ("installation", "front_end", "check_engine", "check_storage"):
        monkeypatch.setattr(doctor, check, list)
    assert main(["doctor"]) == 1
    printed = capsys.readouterr().out
    first, *cure, _, last = printed.splitlines()
    assert first.startswith("NO  service")
    assert [line.strip() for line in cure] == [
        "Copy the key of this service again: export INKFRAME_API_KEY=…"
    ]
    assert last == "1 to fix: see the line below each NO."


def test_what_grows_is_listed_with_how_to_delete_what_is_made_again(home):
    """All have their size; thumbnails have a command, journals and ratings have none; an empty folder is not listed."""
    assert list(doctor.check_storage()) == []
    for name, size in {"journals/a.jsonl": 1_250_000, "thumbnails/x/1": 1, "thumbnails/2": 0}.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(bytes(size))
    (home / "cache").mkdir()
    (home / "ratings.jsonl").write_text("{}", encoding="utf-8")
    found = by_name(doctor.check_storage())
    assert {name: result.text for name, result in found.items()} == {
        "journals": (
            "1 file, 1.2 MB; keep them: without them, batches and panels create their rows again, which may be billed"
        ),
        "thumbnails": "2 files, 0 kB; made again when they are needed",
        "ratings": "1 file, 0 kB; keep it: your judgments, which nothing else has",
    }
    assert {name: result.cure for name, result in found.items()} == {
        "journals": "", "thumbnails": f'rm -r "{home / "thumbnails"}"', "ratings": "",
    }  # fmt: skip
    assert not any(result.is_wrong for result in found.values())
