"""The package installed from a wheel, outside of the clone."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

import inkframe

pytestmark = pytest.mark.install


@pytest.fixture(scope="module")
def wheel(project, tmp_path_factory):
    """Return a wheel built from the clone."""
    pytest.importorskip("hatchling", reason="needs hatchling: pip install hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def command(wheel, tmp_path_factory):
    """Return the ``inkframe`` command of a new environment with the wheel and the libraries of this one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index", wheel]
    subprocess.run(pip, check=True, capture_output=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    # Folders in a .pth file are not searched for more such files, so the clone is not on the path.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return folder / "bin" / "inkframe"


@pytest.fixture
def environment(tmp_path):
    """Return variables with which a new environment finds the non-Python parts of JupyterLab."""
    share = Path(sysconfig.get_path("data")) / "share" / "jupyter"
    return {
        "INKFRAME_HOME": str(tmp_path / "home"),
        "JUPYTERLAB_DIR": str(share / "lab"),
        "JUPYTER_PATH": str(share),
    }


def test_the_contents_of_a_wheel(wheel, project):
    """It has every module and data file of the source, the notebooks, py.typed, and no tests, in 1.5 MB."""
    assert wheel.stat().st_size < 1_500_000
    names = set(zipfile.ZipFile(wheel).namelist())
    source = project / "src"
    for path in (source / "inkframe").rglob("*"):
        if path.is_file() and path.parent.name != "__pycache__":
            assert path.relative_to(source).as_posix() in names
    for path in (project / "notebooks").glob("*.ipynb"):
        assert f"inkframe/notebooks/{path.name}" in names
    assert {"inkframe/py.typed", "inkframe_demo/py.typed"} <= names
    assert f"inkframe-{inkframe.__version__}.dist-info/licenses/LICENSE" in names
    assert not [name for name in names if name.startswith("tests") or "conftest" in name]


def test_the_contents_of_a_source_archive(project, tmp_path):
    """It has what README leads to, and the tests with what they read."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    (made,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    links = re.findall(r"\]\(([^)#:]+)\)", (project / "README.md").read_text(encoding="utf-8"))
    assert len(links) > 4
    assert {*links, ".ci/run", ".github/CHANGELOG.md", "notebooks/conftest.py", "tests/conftest.py"} <= names


def test_the_environment_has_the_wheel_and_not_the_clone(command, tmp_path):
    """The tests below run the wheel, not the clone."""
    script = "import inkframe; print(inkframe.__file__)"
    ran = subprocess.run(
        [command.parent / "python", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(ran.stdout.strip()).is_relative_to(command.parents[1])


def test_lab_from_a_wheel(command, environment, tmp_path, jupyterlab):
    """It copies its notebooks, overwrites nothing, fills a sample library and responds."""
    own = tmp_path / "inkframe-notebooks" / "01_tour.ipynb"
    own.parent.mkdir()
    own.write_text("mine", encoding="utf-8")
    (own.parent / "my.txt").write_text("also mine", encoding="utf-8")
    with jupyterlab([command, "lab", "--no-browser", "--port", "0"], cwd=tmp_path, env=environment) as (
        lines,
        contents,
    ):
        printed = "".join(lines)
        assert f"Notebooks: {own.parent} (copies; those that you change are kept)\n" in printed
        assert f"Library:   {tmp_path / 'home' / 'lab' / 'library.db'}\n" in printed
        assert all(name in contents for name in ("01_tour.ipynb", "my.txt"))
    assert own.read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "home" / "lab" / "library.db").stat().st_size > 1_000_000
    assert [path for path in tmp_path.iterdir() if "tour" in path.name] == []


def test_tour_from_a_wheel(command, environment, tmp_path):
    """It writes its page to the current folder."""
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
