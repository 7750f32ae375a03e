import numpy as np
import pytest

from inkframe.analysis.text_measures import distinct, moving_type_token_ratio, repeated_share
from inkframe.analysis.words import tokens


@pytest.mark.parametrize("window", [1, 7, 50, 100])
def test_moving_ratio_is_the_mean_over_all_windows(column, address, window):
    """The fast sum equals a count of every window, on real text."""
    words = [word.strip(".,") for word in address.lower().replace("-", " ").split()]
    words = [word for word in words if word]
    naive = np.mean([len(set(words[at : at + window])) / window for at in range(len(words) - window + 1)])
    (parts,) = tokens(column("short", address))
    assert parts.counts[1] == len(words)
    assert moving_type_token_ratio(parts, window)[1] == pytest.approx(naive, abs=1e-12)


def test_moving_ratio_needs_a_window(column):
    """A text shorter than the window has no ratio; a text of the same length has one."""
    (parts,) = tokens(column("a b c", "a b a b", ""))
    assert moving_type_token_ratio(parts, 4).tolist() == pytest.approx([np.nan, 0.5, np.nan], nan_ok=True)


def test_repeated_share(column):
    """A sequence that appears twice is repeated once; short texts have no share."""
    (parts,) = tokens(column("a b c a b c", "a b c d e f", "a b"))
    assert repeated_share(parts, 3).tolist() == pytest.approx([1 / 4, 0, np.nan], nan_ok=True)


def test_distinct_counts_within_documents():
    """The same number in two documents counts in each of them."""
    numbers = np.array([1, 1, 2, 1, 1], np.uint64)
    assert distinct(numbers, np.array([0, 3, 3, 5])).tolist() == [2, 0, 1]
