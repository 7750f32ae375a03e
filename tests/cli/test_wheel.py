"""The package as people install it: a wheel, away from the clone."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import inkframe

pytestmark = pytest.mark.install


@pytest.fixture(scope="module")
def wheel(project, tmp_path_factory):
    """Give a wheel built from the clone."""
    pytest.importorskip("hatchling", reason="needs hatchling: pip install hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def command(wheel, tmp_path_factory):
    """Give the ``inkframe`` command of a fresh environment that has the wheel, and the libraries of this one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel]
    subprocess.run(pip, check=True, capture_output=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    # Folders that are named here are not searched for further such files: the clone itself stays unknown.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder / "bin" / "inkframe"


@pytest.fixture
def environment(tmp_path):
    """Give variables by which a fresh environment finds the parts of JupyterLab that are no Python."""
    share = Path(sysconfig.get_path("data")) / "share" / "jupyter"
    return {
        "INKFRAME_HOME": str(tmp_path / "home"),
        "JUPYTERLAB_DIR": str(share / "lab"),
        "JUPYTER_PATH": str(share),
    }


def test_what_a_wheel_carries(wheel, project):
    """Every module and data file of the source, the notebooks, the types' marker, and nothing of the tests."""
    names = set(zipfile.ZipFile(wheel).namelist())
    source = project / "src"
    for path in (source / "inkframe").rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert path.relative_to(source).as_posix() in names
    for path in (project / "notebooks").glob("*.ipynb"):
        assert f"inkframe/notebooks/{path.name}" in names
    assert "inkframe/py.typed" in names
    assert f"inkframe-{inkframe.__version__}.dist-info/licenses/LICENSE" in names
    assert not [name for name in names if name.startswith("tests") or "conftest" in name]


def test_the_environment_has_the_wheel_and_not_the_clone(command, tmp_path):
    """The tests below say something about the wheel only if it is what they run."""
    script = "import inkframe; print(inkframe.__file__)"
    ran = subprocess.run(
        [command.parent / "python", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(ran.stdout.strip()).is_relative_to(command.parents[1])


def test_lab_from_a_wheel(command, environment, tmp_path, jupyterlab):
    """It copies its notebooks beside the user, overwrites nothing, fills a sample library and answers."""
    own = tmp_path / "inkframe-notebooks" / "01_tour.ipynb"
    own.parent.mkdir()
    own.write_text("mine", encoding="utf-8")
    (own.parent / "my.txt").write_text("also mine", encoding="utf-8")
    with jupyterlab([command, "lab", "--no-browser", "--port", "0"], cwd=tmp_path, env=environment) as (
        lines,
        contents,
    ):
        printed = "".join(lines)
        assert f"Notebooks: {own.parent}\n" in printed
        assert f"Library:   {tmp_path / 'home' / 'lab' / 'library.db'}\n" in printed
        assert all(name in contents for name in ("01_tour.ipynb", "my.txt"))
    assert own.read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "home" / "lab" / "library.db").stat().st_size > 1_000_000
    assert [path for path in tmp_path.iterdir() if "tour" in path.name] == []


def test_tour_from_a_wheel(command, environment, tmp_path):
    """It writes its page where it was called."""
    ran = subprocess.run(
        [command, "tour"],
        cwd=tmp_path,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "Tour: tour.html\n"
    page = (tmp_path / "tour.html").read_text(encoding="utf-8")
    assert page.count("data:image/") >= 3
    assert "Traceback" not in page
