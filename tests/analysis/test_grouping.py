import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from inkframe.analysis.grouping import medoids, merge


def test_groups_are_connected_pairs():
    """Positions that chains of pairs connect are one group, in whatever order and steps the pairs come."""
    pairs = np.array([[4, 5], [1, 2], [4, 2]])
    labels = merge(np.arange(7), pairs)
    assert labels.tolist() == [0, 1, 1, 3, 1, 1, 6]
    assert merge(labels, np.array([[6, 5], [0, 0]])).tolist() == [0, 1, 1, 3, 1, 1, 1]
    assert merge(labels, pairs[:0]).tolist() == labels.tolist()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=14))
def test_merging_equals_a_walk(pairs):
    """Groups are those that walking from record to record finds."""
    reach = {at: {at} for at in range(12)}
    for one, other in pairs:
        for at in (union := reach[one] | reach[other]):
            reach[at] = union
    labels = merge(np.arange(12), np.array(pairs, np.int64).reshape(-1, 2))
    assert labels.tolist() == [min(reach[at]) for at in range(12)]


def test_the_medoid_has_most_in_common():
    """The position that agrees most with its group stands for it; of equals the first."""
    labels = np.array([0, 0, 0, 3, 3])
    features = np.array([[1, 1, 2, 5, 6], [7, 8, 8, 5, 6]])
    assert medoids(labels, features).tolist() == [1, 1, 1, 3, 3]
