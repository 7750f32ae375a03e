from __future__ import annotations

import pytest

from inkframe.spelling import nearest

MEDIUMS = ("acrylic", "canvas", "ink", "spray_paint", "watercolor")


@pytest.mark.parametrize(
    ("value", "found"),
    [("waterclor", "watercolor"), ("Spray Paint", "spray_paint"), ("INK", "ink"), ("zzz", None), (7, None)],
)
def test_nearest_finds_a_misspelt_value(value, found):
    """A value that is nearly right finds its candidate, others find none."""
    assert nearest(value, MEDIUMS) == found
