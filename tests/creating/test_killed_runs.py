"""A few trials of ``tests/benchmarks/bench_kills.py``: programs that are killed with ``kill -9`` and run again."""

import runpy

import pytest
from tests.services import PLATFORMS

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def bench(project):
    return runpy.run_path(str(project / "tests/benchmarks/bench_kills.py"))


@pytest.fixture(scope="module")
def starter(bench):
    with bench["programs"]() as starter:
        yield starter


@pytest.mark.parametrize(
    ("platform", "seed"), [("strapi5", 1), ("postgrest_minimal", 2), ("shopify", 0), ("relay", 3)]
)
def test_nothing_is_paid_twice_after_kills(bench, starter, platform, seed):
    """Two programs are killed, and a third ends: each row is paid for once, and has its own record or none."""
    trial = bench["Trial"](PLATFORMS[platform], seed)
    assert trial.run(starter) == [], trial.about
    assert trial.kills


def test_a_row_that_is_paid_for_twice_is_noticed(bench):
    """The trial itself reports a second payment, the record of another row, and a row without its record."""
    trial = bench["Trial"](PLATFORMS["directus"], 0)
    trial.names, trial.offset, trial.hides = "kept", 0, None
    trial.rows = [{"name": f"Kettle {n}", "prompt": f"Text {n}"} for n in range(3)]
    for row in [*trial.rows, trial.rows[0]]:
        trial.account.store(row)
        trial.account.service._application.created.append(("documents", len(trial.account.paid)))
    ids = [trial.account.service.public_id(number) for number in range(1, 4)]
    problems = trial.problems([["created", ids[0]], ["existing", ids[2]], ["unknown", None]])
    assert [text.split(":")[0] for text in problems] == [
        "paid 2 times",
        "Kettle 1 has the record of Text 2",
        "Kettle 2 is unknown, although it was created and its fields were kept",
    ]
