import io

import pandas as pd
import pytest
from PIL import Image

from inkframe.analysis.duplicates import near_duplicates
from inkframe.analysis.validation import each_picture
from inkframe.errors import InvalidArgument

RED = Image.new("RGB", (20, 10), "red")


def encoded(picture, kind):
    with io.BytesIO() as target:
        picture.save(target, kind)
        return target.getvalue()


@pytest.mark.parametrize("source", ["mapping", "series", "callable"])
def test_sources_of_pictures(source):
    """A dict, a Series and a function give the same pictures; missing ones are skipped."""
    known = {1: encoded(RED, "PNG"), 2: RED, 4: None}
    pictures = {"mapping": known, "series": pd.Series(known), "callable": known.get}[source]
    found = {
        at: picture.getpixel((0, 0)) for at, picture in each_picture(pd.Index([1, 2, 3, 4]), pictures, 8)
    }
    assert found == {0: (255, 0, 0), 1: (255, 0, 0)}


def test_a_jpeg_is_decoded_no_larger_than_needed():
    """A large JPEG is decoded to the smallest copy that has twice the side that is needed."""
    for shape in ((800, 1600), (1600, 800)):
        large = encoded(Image.new("RGB", shape, "teal"), "JPEG")
        for side, shortest in ((49, 100), (50, 100), (51, 200), (100, 200), (101, 400)):
            ((_, picture),) = each_picture(pd.Index([1]), {1: large}, side)
            assert min(picture.size) == shortest


def test_transparent_pictures_are_put_on_white():
    """Transparent areas of a picture become white."""
    clear = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
    ((_, picture),) = each_picture(pd.Index([1]), {1: clear}, 4)
    assert picture.getpixel((0, 0)) == (255, 255, 255)


def test_other_values_are_refused():
    """Other bytes, other values and a missing source are errors that name them."""
    for value in (b"not a picture", 5, "path.png"):
        with pytest.raises(InvalidArgument, match="The picture of 'a' cannot be read"):
            list(each_picture(pd.Index(["a"]), {"a": value}, 4))
    with pytest.raises(
        InvalidArgument, match="pictures must be a dict, a Series or a function of the id, got"
    ):
        list(each_picture(pd.Index(["a"]), ["x"], 4))


def test_images_without_pictures_name_what_compares_them():
    """A frame of images has no texts: the error says which column and which argument there is, and both work."""
    images = pd.DataFrame(
        {"description": ["a red pot", "a red pot"], "picture_url": ["/1", "/2"]},
        index=pd.Index([1, 2], name="id"),
    )
    with pytest.raises(InvalidArgument, match="it is of images, which have no texts") as caught:
        near_duplicates(images)
    assert len(str(caught.value).splitlines()) == 3
    assert "pictures=lambda id: client.images.get(id).picture" in str(caught.value)
    assert list(near_duplicates(images, column="description").index) == [1, 2]
    noise = Image.effect_noise((40, 40), 90)
    assert list(near_duplicates(images, pictures=lambda _: noise).index) == [1, 2]
