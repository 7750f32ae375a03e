import pytest

from inkframe.errors import nearest

MEDIUMS = ("acrylic", "canvas", "ink", "spray_paint", "watercolor")


@pytest.mark.parametrize(
    ("value", "found"),
    [("waterclor", "watercolor"), ("Spray Paint", "spray_paint"), ("INK", "ink"), ("zzz", None), (7, None)],
)
def test_nearest_finds_a_misspelled_value(value, found):
    """A value that is nearly right finds its candidate, others find none."""
    assert nearest(value, MEDIUMS) == found


def test_of_equal_candidates_the_first_is_named():
    """Their order says which is meant more often."""
    assert nearest("key", ["api_key", "key_env"]) == "api_key"
    assert nearest("key", ["key_env", "api_key"]) == "key_env"
    assert nearest("key", []) is None
