"""A few seeded runs of ``tests/benchmarks/bench_identity.py``: nothing is paid twice, and no record of others is taken."""

import runpy

import pytest


@pytest.mark.integration
@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_paid_twice_on_random_services(project, seed, clocks):
    """Services change what they store and lose replies, and the rows are run again, here and on other machines."""
    # The clock of the journal, which a trial sets, is restored by the fixture.
    trial = runpy.run_path(str(project / "tests/benchmarks/bench_identity.py"))["Trial"](seed)
    assert trial.run() == []
    assert any(account.service.requests for account in trial.all_accounts)
