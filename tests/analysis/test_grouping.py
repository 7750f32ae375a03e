import numpy as np

from inkframe.analysis.grouping import groups, representatives


def test_groups_are_connected_pairs():
    """Positions that chains of pairs connect are one group, in whatever order the pairs come."""
    pairs = np.array([[4, 5], [1, 2], [2, 4]])
    assert groups(7, pairs).tolist() == [0, 1, 1, 3, 1, 1, 6]
    assert groups(2, pairs[:0]).tolist() == [0, 1]


def test_the_representative_has_most_pairs():
    """The position with most pairs stands for its group; of equals the first."""
    pairs = np.array([[0, 1], [1, 2], [4, 5]])
    assert representatives(groups(6, pairs), pairs).tolist() == [1, 1, 1, 3, 4, 4]
