"""A few runs of ``tests/benchmarks/bench_columns.py``: random tables that are filled, edited, killed and filled again."""

import re
import runpy

import pandas as pd
import pytest
from tests.benchmarks import bench_kills
from tests.services import PLATFORMS

import inkframe as ink

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def bench(project):
    return runpy.run_path(str(project / "tests/benchmarks/bench_columns.py"))


@pytest.mark.parametrize("seed", [1, 3, 7, 12, 21, 34, 42, 59, 60, 85])
def test_each_row_and_prompt_is_paid_for_once(bench, seed):
    """The service creates what the model expects, and nothing that a person wrote changes."""
    run = bench["Run"](seed)
    assert run.run() == [], run.about
    assert run.calls


def test_a_column_of_a_killed_program_is_filled(bench):
    """Programs are killed while they fill a column, and the same line ends it: each row is paid for once, none is lost."""
    with bench_kills.programs() as starter:
        trial = bench_kills.Trial(PLATFORMS["directus"], 1, "write")
        assert trial.run(starter) == [], trial.about
    assert trial.kills


def test_a_second_payment_is_noticed(bench, tmp_path):
    """The run itself reports rows that are paid for again, and a column that changed."""
    run = bench["Run"](2)
    with ink.Client(run.service.base_url, run.service.key, transport=run.service.transport) as client:
        assert run.call(client, tmp_path / "journal") == []
        run.frame = run.first
        assert re.fullmatch(r"\d+ paid, not 0", run.call(client, tmp_path / "another journal")[0])
    before = pd.DataFrame({"product": ["a kettle"], "text": ["My own."]})
    assert bench["changed"](before, before, before.assign(text="Another.")) == []
    assert bench["changed"](before, before, before.assign(product="a lamp"))
