"""Small copies of pictures: which changes keep a picture a copy, and which make it another."""

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image, ImageEnhance

from inkframe.analysis import duplicates as picture_copies
from inkframe.analysis.duplicates import SmallCopies, pair_similarity, similar_pairs, small_copies


def correlation(one, other):
    """Return the similarity of two pictures, or None if they are not a pair at 0.95."""
    _, copies = small_copies(pd.Index([0, 1]), {0: one, 1: other})
    if not len(similar_pairs(copies, 0.95)):
        return None
    return pair_similarity(copies.shapes, np.array([0]), np.array([1]))[0]


def as_jpeg(picture, quality):
    """Return a picture as a JPEG file."""
    with io.BytesIO() as target:
        picture.save(target, "JPEG", quality=quality)
        return target.getvalue()


@pytest.fixture
def texture():
    """Return a picture whose neighboring areas are nearly equally bright."""
    random = np.random.default_rng(0)
    noise = random.integers(90, 130, (256, 256, 3), np.uint8)
    noise[64:128, 64:128, 0] += 60
    return Image.fromarray(noise)


@pytest.mark.integration
@pytest.mark.parametrize("size", [64, 100, 200, 512, 1024])
def test_resized_pictures_are_copies(pictures, texture, size):
    """At any size, as PNG and as JPEG."""
    for picture in (pictures["a"], texture):
        resized = picture.resize((size, size), Image.Resampling.LANCZOS)
        assert correlation(picture, resized) > 0.97
        assert correlation(picture, as_jpeg(resized, 85)) > 0.97


def test_recompressed_brightened_and_slightly_cropped_pictures_are_copies(pictures):
    """Each change alone."""
    harbor = pictures["a"]
    assert correlation(harbor, harbor) == pytest.approx(1)
    assert correlation(harbor, as_jpeg(harbor, 30)) > 0.98
    for factor in (0.8, 0.9, 1.1):
        assert correlation(harbor, ImageEnhance.Brightness(harbor).enhance(factor)) > 0.95
    assert correlation(harbor, harbor.crop((1, 1, 63, 63))) > 0.95


def test_other_pictures_are_no_copies(pictures):
    """Another drawing, another color, and a mirror image."""
    harbor = pictures["a"]
    red, green, blue = harbor.split()
    assert correlation(harbor, pictures["b"]) is None
    assert correlation(harbor, Image.merge("RGB", (green, blue, red))) is None
    assert correlation(harbor, harbor.transpose(Image.Transpose.FLIP_LEFT_RIGHT)) is None


def test_plain_pictures_are_compared_by_their_color():
    """They have no shape; a plain picture is no copy of one with a shape."""
    plain = {color: Image.new("RGB", (9, 9), color) for color in ("navy", "gold", "white")}
    assert correlation(plain["navy"], Image.new("RGB", (20, 20), "navy")) == 1
    assert correlation(plain["navy"], plain["gold"]) is None
    across = Image.linear_gradient("L").convert("RGB")
    assert correlation(plain["white"], across) is None


@pytest.mark.parametrize("block", [1, 3, 512])
def test_every_pair_is_found_in_blocks(monkeypatch, block):
    """Pairs equal those of a plain comparison, whatever the size of the blocks."""
    monkeypatch.setattr(picture_copies, "BLOCK", block)
    random = np.random.default_rng(0)
    pixels = random.random((7, 9, 9, 3)).astype(np.float32)
    pixels[5] = pixels[1] * 0.9
    pixels[6] = pixels[1]
    assert similar_pairs(SmallCopies(pixels), 0.95).tolist() == [[1, 5], [1, 6], [5, 6]]


def test_bounds_of_pairs():
    """What is plain, which colors are close, and what reaches the threshold."""
    signs = np.zeros(81)
    signs[:40], signs[40:80] = 1, -1

    def copy(amplitude, color=(0.5, 0.5, 0.5)):
        return np.array(color) + amplitude * signs.reshape(9, 9, 1)

    for amplitude, shown in ((0.01005, False), (0.01008, True), (0.1, True)):
        copies = SmallCopies(np.array([copy(amplitude), copy(0.06)]))
        assert copies.shapes[0].any() == shown
        found = pair_similarity(copies.shapes, np.array([0, 0, 1]), np.array([0, 1, 0]))
        assert found.tolist() == pytest.approx([1.0, float(shown), float(shown)], abs=1e-6)
        assert len(similar_pairs(copies, 0.95)) == shown
    opposite = SmallCopies(np.array([copy(0.3), copy(-0.3)]))
    assert pair_similarity(opposite.shapes, np.array([0]), np.array([1])).tolist() == [0]
    for shift, count in ((0.1124, 1), (0.1126, 0)):
        colors = [copy(0), copy(0, (0.5 + shift, 0.5 - shift, 0.5))]
        assert len(similar_pairs(SmallCopies(np.array(colors)), 0.95)) == count
    for light, count in ((0.00149, 1), (0.00151, 0)):
        dark = [copy(0, (0, 0, 0)), copy(0, (light, light, light))]
        assert len(similar_pairs(SmallCopies(np.array(dark)), 0.95)) == count
    other = np.roll(signs, 20)
    near = float(signs @ other / 80)
    shapes = [copy(0.03), 0.5 + 0.03 * other.reshape(9, 9, 1) * np.ones(3)]
    assert len(similar_pairs(SmallCopies(np.array(shapes)), near)) == 1
    assert len(similar_pairs(SmallCopies(np.array(shapes)), near + 2e-5)) == 0


@pytest.mark.integration
@pytest.mark.parametrize("side", [1020, 1024])
def test_large_jpegs_are_decoded_smaller(side):
    """A JPEG is decoded at the scale that still has 512 pixels, and then made small."""
    random = np.random.default_rng(3)
    slope = np.linspace(0, 127, side).astype(np.uint8)[:, None, None]
    picture = Image.fromarray(random.integers(0, 128, (side, side, 3), np.uint8) + slope)
    data = as_jpeg(picture, 60)
    decoded = Image.open(io.BytesIO(data))
    decoded.draft("RGB", (512, 512))
    assert decoded.width == (512 if side == 1024 else 1020)
    small = np.asarray(decoded.resize((9, 9), Image.Resampling.BOX), np.float32) / 255
    _, copies = small_copies(pd.Index([0]), {0: data})
    assert copies.shapes.any()
    assert np.array_equal(copies.shapes, SmallCopies(small[None]).shapes)
