from __future__ import annotations

import io

from PIL import Image

from inkframe.testing.picture import draw


def test_every_picture_is_a_png_of_its_own():
    """Pillow opens it, checksums included, and two records never share one."""
    for number in (1, 2, 300):
        with Image.open(io.BytesIO(draw(number)), formats=["PNG"]) as picture:
            picture.load()
            assert (picture.size, picture.mode) == ((16, 16), "RGB")
    assert len({draw(number) for number in range(1, 500)}) == 499
