import pytest

from inkframe.deciding.win_rates import krippendorff_alpha

#: Four observers, twelve units, missing values: example C of Krippendorff (2011).
PUBLISHED = {
    "A": "123321412...",
    "B": "1233224125.3",
    "C": ".3332342251.",
    "D": "12332441251.",
}
JUDGMENTS = [
    (unit, observer, int(value))
    for observer, values in PUBLISHED.items()
    for unit, value in enumerate(values)
    if value != "."
]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_published_example(level, alpha):
    """Each level has the coefficient that Krippendorff published for his example."""
    assert krippendorff_alpha(JUDGMENTS, level) == pytest.approx(alpha, abs=0.0005)


def test_full_agreement_and_worse_than_chance():
    """Equal values of all raters have 1; values that are always swapped have less than 0."""
    agree = [(unit, rater, unit % 2) for unit in range(8) for rater in "ab"]
    swapped = [(unit, rater, (unit + at) % 2) for unit in range(8) for at, rater in enumerate("ab")]
    assert krippendorff_alpha(agree) == 1
    assert krippendorff_alpha(swapped) < 0


def test_nothing_to_compare_has_no_coefficient():
    """A single rater, and raters who only ever chose one value, have none."""
    assert krippendorff_alpha([(1, "a", 3), (2, "a", 4)]) is None
    assert krippendorff_alpha([(unit, rater, 3) for unit in range(4) for rater in "ab"]) is None


def test_the_last_judgment_of_a_rater_counts():
    """A value that a rater gave again replaces the one before."""
    first = [(1, "a", 5), (2, "a", 1), (1, "b", 3), (2, "b", 1)]
    assert krippendorff_alpha([*first, (1, "a", 3)]) == 1
