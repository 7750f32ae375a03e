"""One seeded run of ``tests/benchmarks/bench_kernel_kills.py`` on each service."""

import runpy

import pytest


@pytest.mark.integration
@pytest.mark.parametrize("stores", ["keeps", "shortens"])
def test_a_killed_kernel_loses_nothing_and_pays_nothing_twice(project, stores):
    """A job is run again after ``kill -9``: what is there is found, what is unclear is never sent again."""
    pytest.importorskip("ipykernel", reason='needs a kernel: pip install "inkframe[lab]"')
    trial = runpy.run_path(str(project / "tests/benchmarks/bench_kernel_kills.py"))["trial"]
    before, statuses, wrong = trial(stores, 12, 3)
    assert wrong == []
    assert before <= sum(statuses.values())
