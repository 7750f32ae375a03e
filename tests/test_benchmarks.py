"""The benchmarks, as ``python -m tests.benchmarks`` starts them."""

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "benchmarks"
NAMES = sorted(path.stem for path in FOLDER.glob("bench_*.py"))


def test_every_benchmark_is_run():
    """The command for all benchmarks leaves none out and names none that is missing."""
    assert sorted(runpy.run_path(str(FOLDER / "__main__.py"))["RUNS"]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_benchmark_imports_others_by_their_full_names(name):
    """A benchmark that needs another one starts as a module, not only as a file beside it."""
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert "import bench_" not in source
    assert "from bench_" not in source
