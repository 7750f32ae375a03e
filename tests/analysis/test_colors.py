import numpy as np
import pandas as pd
import pytest
from PIL import Image

from inkframe.analysis import picture_colors


@pytest.fixture
def flag():
    """A picture of three quarters blue and one quarter white."""
    picture = Image.new("RGB", (80, 40), "#0000ff")
    picture.paste("white", (0, 0, 20, 40))
    return picture


def test_dominant_colors(flag):
    """Colors are sorted by area, with their lightness and the brightness of the picture.

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


def test_missing_pictures_are_left_out(flag):
    """Records without a picture are counted in a note; without any picture there are no rows."""
    found = picture_colors(pd.DataFrame(index=[1, 2]), {2: flag})
    assert set(found.index) == {2}
    assert found.attrs["analysis"]["notes"] == ["Left out without a picture: 1 of 2 records."]
    assert picture_colors(pd.DataFrame(index=[1]), {}).dtypes.equals(found.dtypes)


def test_whole_table(images, pictures, recorded):
    """All columns, units and notes, one picture missing."""
    found = picture_colors(images, {id: pictures[id] for id in "abd"}, colors=3)
    recorded("colors", found.round(1))


def test_lightness_of_dark_and_bright_colors():
    """CIE L* is linear for dark colors; of primary colors it is that of their luminance."""
    colors = [
        "#000000",
        "#0a0a0a",
        "#0b0b0b",
        "#171717",
        "#181818",
        "#191919",
        "#808080",
        "#ff0000",
        "#00ff00",
        "#ffff00",
    ]
    pictures = dict(enumerate(Image.new("RGB", (4, 4), color) for color in colors))
    found = picture_colors(pd.DataFrame(index=range(len(colors))), pictures)
    assert found["color"].tolist() == colors
    assert found["lightness"].tolist() == pytest.approx(
        [0, 2.7417, 3.0229, 7.7396, 8.2482, 8.757, 53.585, 53.2329, 87.737, 97.1382], abs=5e-4
    )
    assert found["brightness"].tolist() == pytest.approx(found["lightness"].tolist())
    assert found["contrast"].tolist() == [0] * len(colors)


def test_colors_come_from_a_small_copy(flag):
    """The longer side of the copy has 96 pixels."""
    found = picture_colors(pd.DataFrame(index=["x"]), {"x": flag.resize((301, 150))}, colors=32)
    areas = found["share"] * 96 * 48
    assert areas.tolist() == pytest.approx(areas.round().tolist(), abs=1e-9)
    assert found["share"].sum() == pytest.approx(1)


def test_bounds_of_the_number_of_colors(flag):
    """One color is the least, 32 are the most."""
    for colors, count in ((1, 1), (32, 2)):
        assert len(picture_colors(pd.DataFrame(index=["x"]), {"x": flag}, colors=colors)) >= count
