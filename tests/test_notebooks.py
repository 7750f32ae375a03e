from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from inkframe.service import Service

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
SECONDS = 120


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """Return a library with examples."""
    path = tmp_path_factory.mktemp("sample") / "library.db"
    with Service(path) as service:
        service.sample()
    return path


def test_there_are_notebooks():
    """The tour is the first notebook."""
    assert NOTEBOOKS[0].name == "01_tour.ipynb"


@pytest.mark.notebook
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path, sample, tmp_path, monkeypatch):
    """Every cell runs without an error, in a new kernel on a sample library, and leaves no file beside it."""
    monkeypatch.setenv("INKFRAME_LIBRARY", str(shutil.copy(sample, tmp_path)))
    from nbmake.nb_run import NotebookRun  # here: it takes two seconds to load

    run = NotebookRun(Path(shutil.copy(path, tmp_path)), SECONDS).execute()
    assert run.error is None, run.error.trace
    kinds = {output["output_type"] for cell in run.nb.cells for output in cell.get("outputs", [])}
    assert "error" not in kinds
    assert kinds & {"display_data", "execute_result"}
    assert {each.stem for each in tmp_path.iterdir()} == {path.stem, "library"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_reveals_nothing_about_a_machine(path):
    """Saved results are small; no cell pastes a key, has failed, or shows where it was run."""
    text = path.read_text(encoding="utf-8")
    assert len(text) < 1_500_000
    import nbformat

    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert "api_key=" not in cell.source
        assert all(output.output_type != "error" for output in cell.get("outputs", ()))
    assert not re.search(r"(/home/|/root/|/tmp/|/Users/|C:\\\\)[\w.]", text)
