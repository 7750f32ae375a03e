"""The fixtures for programs that use inkframe."""

import argparse
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from tests import conftest

import inkframe


@pytest.fixture
def foreign_settings(monkeypatch):
    """Set the address and key of a real service, as in a user's shell."""
    monkeypatch.setenv("INKFRAME_BASE_URL", "https://content.example.com")
    monkeypatch.setenv("INKFRAME_API_KEY", "sk-real")
    monkeypatch.setenv("INKFRAME_ENGINE", "openai")


@pytest.mark.usefixtures("foreign_settings")
def test_the_embedded_service_is_empty_and_never_a_real_one(request):
    """Settings of a real service are ignored: records are created in memory, by the demo engine."""
    client = request.getfixturevalue("inkframe_client")
    assert not {"INKFRAME_BASE_URL", "INKFRAME_API_KEY", "INKFRAME_ENGINE"} & set(os.environ)
    assert "demo service" in repr(client)
    assert len(client.documents.all()) == 0
    made = client.documents.create(name="Kettle", prompt="Product text for a kettle")
    assert list(client.documents.all().index) == [made.id]


@pytest.mark.usefixtures("foreign_settings")
def test_reads_survive_planned_faults(request):
    """A read is sent again after a refused connection, a lost reply and a status that passes."""
    misbehaving = request.getfixturevalue("inkframe_misbehaving")
    client, requests = misbehaving({1: "refused", 2: "lost_reply", 3: 503})
    assert client.images.list().empty
    assert requests == ["GET /api/v1/images"] * 4


def test_a_lost_reply_is_billed_once(inkframe_misbehaving):
    """As documented, a create with a lost reply raises OutcomeUnknown and is not sent again."""
    client, requests = inkframe_misbehaving({1: "lost_reply"})
    with pytest.raises(inkframe.OutcomeUnknown) as caught:
        client.documents.create(name="Kettle", prompt="Product text for a kettle")
    assert requests == ["POST /api/v1/documents"]
    assert caught.value.reconcile().name == "Kettle"


def test_the_service_can_have_example_records(inkframe_misbehaving):
    """Example records are listed in full, although a request fails."""
    client, _ = inkframe_misbehaving({2: 500}, sample=True)
    assert len(client.documents.all()) > 52


def test_other_faults_are_refused(inkframe_misbehaving):
    """A fault that does not exist is an error that names it."""
    with pytest.raises(inkframe.InvalidArgument, match="got 'slow'"):
        inkframe_misbehaving({1: "slow"})


def test_the_plugin_is_light():
    """Every run of pytest on the machine loads it, so it imports no other package and no large library."""
    script = (
        "import json, sys, pytest; before = set(sys.modules); import inkframe.pytest_plugin;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    loaded = set(json.loads(output))
    assert {name for name in loaded if name.startswith("inkframe")} == {"inkframe", "inkframe.pytest_plugin"}
    assert not loaded & {"httpx", "pandas", "numpy", "PIL", "ipywidgets", "falcon"}


@pytest.mark.integration
@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["-p", "no:xdist", "tests/test_paths.py"], "passed"),
        (["--fixtures"], "inkframe_misbehaving"),
        (["--markers"], "notebook: executes"),
        (["--collect-only", "-q", "tests/test_paths.py"], "tests/test_paths.py"),
        (["-n", "2", "tests/test_paths.py"], "2/2 workers"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_suite_takes_the_options_of_pytest(project, options, shown):
    """It runs without xdist and in chosen processes, and shows what it has, without an internal error."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert shown in ran.stdout
    assert "INTERNALERROR" not in ran.stdout + ran.stderr


def test_the_whole_suite_runs_in_several_processes(pytestconfig, monkeypatch):
    """Without options it takes a process more than there are processors, and each file stays in one."""
    if not pytestconfig.pluginmanager.has_plugin("xdist"):
        pytest.skip("needs pytest-xdist")
    options = argparse.Namespace(
        numprocesses=None, tx=[], dist="no", loadscopereorder=True, markexpr="", keyword="", collectonly=False,
        showfixtures=False, show_fixtures_per_test=False,
    )  # fmt: skip
    config = SimpleNamespace(
        option=options, pluginmanager=pytestconfig.pluginmanager, args=["tests"], getini=lambda _: ["tests"]
    )
    conftest.pytest_cmdline_main(config)
    assert (options.numprocesses, options.dist, options.loadscopereorder) == ("auto", "loadfile", False)
    assert conftest.pytest_xdist_auto_num_workers(config) == os.cpu_count() + 1
    config.args = ["tests/http"]
    assert conftest.pytest_xdist_auto_num_workers(config) == 0
    chosen = argparse.Namespace(numprocesses=4, tx=[], dist="worksteal", showfixtures=False)
    conftest.pytest_cmdline_main(SimpleNamespace(option=chosen, pluginmanager=pytestconfig.pluginmanager))
    assert (chosen.numprocesses, chosen.dist) == (4, "worksteal")
