import numpy as np
import pandas as pd
import pytest
from PIL import Image

from inkframe.analysis import picture_colors
from inkframe.errors import InvalidArgument


@pytest.fixture
def flag():
    """A picture of three quarters blue and one quarter white."""
    picture = Image.new("RGB", (80, 40), "#0000ff")
    picture.paste("white", (0, 0, 20, 40))
    return picture


def test_dominant_colors(flag):
    """Colors come by area, with their lightness and that of the whole picture.

    CIE L* of sRGB blue is 32.30, of white 100 (B. Lindbloom, "CIE Color Calculator").
    """
    found = picture_colors(pd.DataFrame(index=["x"]), {"x": flag}, colors=2)
    assert found["color"].tolist() == ["#0000ff", "#ffffff"]
    assert found["rank"].tolist() == [1, 2]
    assert found["share"].tolist() == pytest.approx([0.75, 0.25], abs=0.02)
    assert found["lightness"].tolist() == pytest.approx([32.30, 100], abs=0.01)
    assert found["brightness"].iloc[0] == pytest.approx(0.75 * 32.3 + 25, abs=1)
    assert found["contrast"].iloc[0] == pytest.approx(np.std([32.3] * 3 + [100]), abs=1)
    assert flag.size == (80, 40)


def test_pictures_that_are_missing(flag):
    """Records without a picture are counted in a note; none at all give no rows."""
    found = picture_colors(pd.DataFrame(index=[1, 2]), {2: flag})
    assert set(found.index) == {2}
    assert found.attrs["analysis"]["notes"] == ["Left out without a picture: 1 of 2 records."]
    assert picture_colors(pd.DataFrame(index=[1]), {}).dtypes.equals(found.dtypes)


def test_few_colors_are_asked_for(flag):
    """More colors than dominate are refused."""
    with pytest.raises(InvalidArgument, match="too many"):
        picture_colors(pd.DataFrame(index=[1]), {1: flag}, colors=64)
