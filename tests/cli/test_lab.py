import json
import sys

import pytest

import inkframe as ink
from inkframe.cli import commands as lab
from inkframe.cli import main
from inkframe.service import Service


@pytest.fixture
def started(monkeypatch):
    """Prevent JupyterLab from starting; return the commands and their environments."""
    calls = []
    monkeypatch.setattr(
        lab, "_become", lambda command, environment: calls.append((command, environment)) or 0
    )
    return calls


@pytest.mark.usefixtures("pen")
def test_it_opens_the_notebooks_on_a_sample_library(started, capsys, home, tmp_path, monkeypatch):
    """It opens copies of the notebooks, starting with the tour, and a library apart from the user's."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "inkframe-notebooks"
    assert main(["lab"]) == 0
    ((command, environment),) = started
    library = home / "lab" / "library.db"
    assert command[:4] == [sys.executable, "-P", "-m", "jupyterlab"]
    assert "PYTHONSAFEPATH" not in environment
    assert f"--ServerApp.root_dir={folder}" in command
    assert "--LabApp.default_url=/lab/tree/01_tour.ipynb" in command
    assert not [word for word in command if "port" in word or "browser" in word]
    assert environment["INKFRAME_LIBRARY"] == str(library)
    said = f"Notebooks: {folder} (copies; those that you change are kept)\nLibrary:   {library}\n"
    assert capsys.readouterr().out == said
    assert not (home / "library.db").exists()
    with Service(library) as service:
        assert not service.is_empty()


@pytest.mark.usefixtures("pen")
def test_the_sample_library_is_filled_once(started, home):
    """Changes to it are kept for the next time."""
    main(["lab"])
    with ink.connect(library=home / "lab" / "library.db") as client:
        made = client.documents.create(name="Mine", prompt="Notes about tea.")
        count = len(client.documents.all())
        client.documents.delete(made)
    main(["lab"])
    with ink.connect(library=home / "lab" / "library.db") as client:
        assert len(client.documents.all()) == count - 1
    assert len(started) == 2


def test_options(started, tmp_path, monkeypatch, home):
    """The given port is required, and another library is used unchanged."""
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "--port", "9123", "--no-browser", "--library", "mine.db"]) == 0
    ((command, environment),) = started
    assert "--ServerApp.port=9123" in command
    assert "--ServerApp.port_retries=0" in command
    assert "--no-browser" in command
    assert environment["INKFRAME_LIBRARY"] == str(tmp_path / "mine.db")
    assert not home.exists()


def test_an_invalid_library_is_reported_before_jupyterlab_starts(started, tmp_path, capsys):
    """The error is not left to the notebooks."""
    library = tmp_path / "letters.txt"
    library.write_text("Dear library, " * 50)
    assert main(["lab", "--library", str(library)]) == 1
    assert f"{library} is not an inkframe library." in capsys.readouterr().err
    assert started == []


@pytest.mark.usefixtures("pen")
def test_the_studio_is_a_page_on_the_same_library(started, home, capsys):
    """``studio`` serves a notebook of one cell on the library of ``lab``; ``--code`` is another page."""
    pytest.importorskip("voila")
    assert (
        main(["studio"])
        == main(["studio", "--port", "9123", "--no-browser", "--library", "mine.db", "--code"])
        == 0
    )
    (command, environment), (other, own) = started
    page = home / "pages" / "studio.ipynb"
    assert command == [sys.executable, "-P", "-m", "voila", str(page)]
    assert environment["INKFRAME_LIBRARY"] == str(home / "lab" / "library.db")
    assert f"Library: {home / 'lab' / 'library.db'}\n" in capsys.readouterr().out
    [cell] = json.loads(page.read_text())["cells"]
    assert cell["source"].endswith("ink.Studio(client, show_code=False)\n")
    assert other[4:] == [
        "--no-browser",
        "--Voila.port=9123",
        "--Voila.port_retries=0",
        str(page.with_stem("studio-with-code")),
    ]
    assert "show_code=True" in page.with_stem("studio-with-code").read_text()
    assert own["INKFRAME_LIBRARY"].endswith("mine.db")


def test_the_studio_needs_voila(started, capsys, monkeypatch):
    """Without it, the error says how to install it."""
    monkeypatch.setattr(lab, "find_spec", lambda _: None)
    assert main(["studio"]) == 1
    assert 'Voila is not installed.\nInstall it with: pip install "inkframe[lab]"' in capsys.readouterr().err
    assert not started


@pytest.mark.notebook
def test_jupyterlab_responds(tmp_path, jupyterlab):
    """A real JupyterLab starts on a free port, serves the notebooks, and ends with its command."""
    library = tmp_path / "library.db"
    command = [sys.executable, "-m", "inkframe", "lab", "--no-browser", "--port", "0", "--library", library]
    with jupyterlab(command, cwd=tmp_path) as (lines, contents):
        assert lines[0].startswith("Notebooks: ")
        assert lines[1] == f"Library:   {library}\n"
        assert "01_tour.ipynb" in contents


@pytest.mark.usefixtures("pen")
def test_a_changed_notebook_is_not_opened_by_default(started, installed, capsys):
    """A tour in the current folder that differs from the shipped one is named, but not opened."""
    assert main(["lab"]) == 0
    assert "--LabApp.default_url=/lab/tree/01_tour.ipynb" in started[0][0]
    (installed / "inkframe-notebooks" / "01_tour.ipynb").write_text("{}", encoding="utf-8")
    assert main(["lab"]) == 0
    assert not [word for word in started[1][0] if "default_url" in word]
    assert "01_tour.ipynb was changed and is not opened by default." in capsys.readouterr().out
