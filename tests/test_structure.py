"""The source stays within the budgets of its structure."""

import pytest
from tests.benchmarks.measure_structure import beyond, measure, read_budgets


@pytest.fixture(scope="module")
def measured(project):
    """The number and the counted places of each measure, by its name."""
    rooms, _ = read_budgets()
    return {name: (now, places) for name, now, places in measure(project, rooms)}


def test_every_measure_is_within_its_limit(measured):
    """No room has more statements, and no measure is worse, than its budget allows."""
    _, budgets = read_budgets()
    broken = []
    for name, (limit, _) in budgets.items():
        now, places = measured[name]
        if beyond(limit, now) > 0:
            broken.append(f"{name} must be {limit}, got {now} ({beyond(limit, now)} beyond). {places or ''}")
    assert not broken, "\n".join(broken)


def test_no_limit_is_far_from_what_is_measured(measured):
    """A limit that was not reached yet is today's number, so that nothing grows back."""
    _, budgets = read_budgets()
    loose = {
        name: f"{measured[name][0]} now, limit {limit}"
        for name, (limit, goal) in budgets.items()
        if beyond(goal, int(limit.split()[1])) > 0
        and -beyond(limit, measured[name][0]) > 0.02 * int(limit.split()[1])
    }
    assert not loose


@pytest.mark.parametrize(
    ("limit", "now", "expected"), [("<= 5", 7, 2), ("<= 5", 5, 0), (">= 5", 2, 3), (">= 5", 9, -4)]
)
def test_how_far_a_number_is_beyond_a_limit(limit, now, expected):
    """The distance is positive beyond a limit, in either direction."""
    assert beyond(limit, now) == expected
