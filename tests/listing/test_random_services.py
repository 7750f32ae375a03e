"""Random services with lies, faults and changes: no level is too high, and no record appears twice."""

import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest

SEEDS = 120


@pytest.fixture(scope="module")
def run(project):
    """Yield the function of the benchmark that lists one random service."""
    name = "bench_verdicts"
    spec = spec_from_file_location(name, project / "tests" / "benchmarks" / f"{name}.py")
    # Registered, as dataclasses look up the module of their fields.
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module.run
    del sys.modules[name]


@pytest.mark.parametrize("first", range(0, SEEDS, 20))
def test_no_verdict_is_wrong(run, first):
    """Twenty random services are listed; what is exact or verified has every record."""
    outcomes = [run(seed) for seed in range(first, first + 20)]
    assert [(each.case.seed, each.fault, each.level, each.reasons) for each in outcomes if each.fault] == []
    assert any(each.level in {"exact", "verified"} for each in outcomes)


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(7_007_506, id="a last page that is repeated with new records is one page"),
        pytest.param(511_190, id="a last page that grows while it is repeated is one page"),
        pytest.param(8_003_510, id="the last of two pages is 1"),
        pytest.param(11_003_640, id="a link without the template"),
        pytest.param(21_001_863, id="one record in any order"),
        pytest.param(22_004_780, id="the last page in place of another"),
        pytest.param(42_005_783, id="the same page in both orders"),
        pytest.param(31_009_719, id="a page that says that it is another"),
        pytest.param(
            5_358, id="each page says that it is page 1, and the link to the second one has the number 1"
        ),
        pytest.param(3_965, id="each page says that it is the first, which has the number 0"),
    ],
)
def test_what_random_services_found(run, seed):
    """A service for which a list was once called whole that was not, or took too many requests."""
    assert run(seed).fault == ""
