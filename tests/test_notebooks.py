import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from inkframe.service import Service

from .recordings import RECORD

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
SECONDS = 600
SAVE = "INKFRAME_RECORD_GOLDENS=1 pytest -n 0 -m notebook tests/test_notebooks.py"


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """Return a library with examples."""
    path = tmp_path_factory.mktemp("sample") / "library.db"
    with Service(path) as service:
        service.sample()
    return path


def test_the_tour_lists_the_notebooks_in_their_order():
    """The tour is the first; it names the others by their files, the studio after those for everybody."""
    numbered = [path.stem for path in NOTEBOOKS if path.stem != "studio"]
    assert numbered[:4] == ["01_tour", "02_from_a_table", "03_deciding", "04_exploring"]
    listed = re.findall(r'"\| `(\w+)` \|', NOTEBOOKS[0].read_text(encoding="utf-8"))
    assert listed == [*numbered[1:4], "studio", *numbered[4:]]


@pytest.mark.notebook
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom_as_it_was_saved(path, sample, tmp_path, monkeypatch):
    """Every cell runs, in a new kernel on a sample library, with the saved texts; no file is left, and one that cleans up runs again."""
    monkeypatch.setenv("INKFRAME_LIBRARY", str(shutil.copy(sample, tmp_path)))
    import nbformat
    from nbmake.nb_run import NotebookRun  # here: it takes two seconds to load

    from .saved_outputs import first_stale, save_outputs, with_pauses, without_pauses

    saved = nbformat.read(path, as_version=4)
    nbformat.write(with_pauses(saved), tmp_path / path.name)
    run = NotebookRun(tmp_path / path.name, SECONDS).execute()
    assert run.error is None, run.error.trace
    notebook = without_pauses(run.nb, {str(tmp_path): "~"})
    kinds = {output["output_type"] for cell in notebook.cells for output in cell.get("outputs", [])}
    assert "error" not in kinds
    assert kinds & {"display_data", "execute_result"}
    assert {each.stem for each in tmp_path.iterdir()} == {path.stem, "library"}
    if "everything created by this notebook is deleted" in path.read_text(encoding="utf-8"):
        assert NotebookRun(tmp_path / path.name, SECONDS).execute().error is None
    if RECORD:
        save_outputs(path, saved, notebook)
    elif stale := first_stale(path.name, saved, notebook):
        pytest.fail(f"{stale}\nSave the outputs of a run: {SAVE}", pytrace=False)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_can_be_converted_to_a_script(path):
    """``jupyter nbconvert --to script`` makes a Python file of it, whose name ends with ``.py``."""
    import nbformat
    from nbconvert.exporters import ScriptExporter

    script, resources = ScriptExporter().from_notebook_node(nbformat.read(path, as_version=4))
    assert resources["output_extension"] == ".py"
    compile(script, path.name, "exec")


def test_notebooks_have_parameters():
    """In each notebook that can run with other inputs, one cell of plain assignments is tagged as papermill wants it."""
    import nbformat

    tagged = {
        path.stem[:2]: [
            cell.source for cell in nbformat.read(path, as_version=4).cells if "tags" in cell.metadata
        ]
        for path in NOTEBOOKS
    }
    tagged = {number: sources for number, sources in tagged.items() if sources}
    assert sorted(tagged) == ["02", "03", "05", "06", "07"]
    for (source,) in tagged.values():
        assert all(isinstance(each, ast.Assign) for each in ast.parse(source).body)
        ast.literal_eval(ast.parse(source).body[0].value)


@pytest.mark.notebook
def test_notebooks_run_as_people_run_them(project, tmp_path):
    """``pytest --nbmake notebooks`` runs them on a library of their own, and leaves no file in the clone or at home."""
    command = [sys.executable, "-m", "pytest", "--nbmake", "notebooks/studio.ipynb", "-p", "no:cacheprovider"]
    before = {*(project / "notebooks").iterdir()}
    places = {"HOME": str(tmp_path), "MPLCONFIGDIR": "/nowhere"}
    variables = os.environ | places | {"INKFRAME_BASE_URL": "https://content.example.com"}
    ran = subprocess.run(command, cwd=project, env=variables, capture_output=True, text=True, check=False)
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert {*(project / "notebooks").iterdir()} - before <= {project / "notebooks" / "__pycache__"}
    assert list(tmp_path.iterdir()) == []


def test_a_stale_output_is_named():
    """The notebook, the cell and the first different line are named; times, pictures and digests are left aside."""
    import nbformat

    from .saved_outputs import first_stale

    saved = nbformat.read(next(path for path in NOTEBOOKS if "looks" in path.stem), as_version=4)
    text = nbformat.writes(saved)
    again = re.sub(r"\d\d:\d\d UTC", "03:17 UTC", text).replace(
        "data:image/jpeg;base64,/9j", "data:image/jpeg;base64,/8k"
    )
    assert again != text
    assert first_stale("looks", saved, nbformat.reads(again, as_version=4)) is None
    stale = nbformat.reads(text.replace("created    12", "created    11"), as_version=4)
    assert first_stale("looks", saved, stale) == "looks, cell 8: saved 'created 12', a run gives 'created 11'"
    saved.cells[8].outputs = []
    assert first_stale("looks", saved, stale).startswith(
        "looks, cell 8: saved None, a run gives '12 creations"
    )


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
