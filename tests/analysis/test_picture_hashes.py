import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image, ImageEnhance

from inkframe.analysis.picture_hashes import alike, fingerprints


def share(one, other):
    """Return the share of equal bits, or None if two pictures are not a pair at 0.9."""
    _, (first, second), colors = fingerprints(pd.Index([0, 1]), {0: one, 1: other})
    pairs = alike(np.array([first, second]), colors, 0.9)
    return 1 - np.bitwise_count(first ^ second).sum() / 128 if len(pairs) else None


def as_jpeg(picture, quality):
    with io.BytesIO() as target:
        picture.save(target, "JPEG", quality=quality)
        return target.getvalue()


def test_changes_that_keep_the_fingerprint(pictures):
    """Another size, compression and slightly more brightness keep a picture a duplicate."""
    harbor = pictures["a"]
    assert share(harbor, harbor) == 1
    assert share(harbor, harbor.resize((37, 53))) >= 0.95
    assert share(harbor, as_jpeg(harbor, 40)) >= 0.95
    assert share(harbor, ImageEnhance.Brightness(harbor).enhance(1.05)) >= 0.9


def test_changes_that_change_the_fingerprint(pictures):
    """Another drawing, another color and a mirror image are different pictures."""
    harbor = pictures["a"]
    red, green, blue = harbor.split()
    assert share(harbor, pictures["b"]) is None
    assert share(harbor, Image.merge("RGB", (green, blue, red))) is None
    assert share(harbor, harbor.transpose(Image.Transpose.FLIP_LEFT_RIGHT)) is None
    assert share(Image.new("RGB", (9, 9), "navy"), Image.new("RGB", (9, 9), "gold")) is None


@pytest.mark.parametrize("block", [1, 3, 512])
def test_every_pair_is_found_in_blocks(monkeypatch, block):
    """Pairs equal those of a plain comparison, whatever the size of the blocks."""
    monkeypatch.setattr("inkframe.analysis.picture_hashes.BLOCK", block)
    random = np.random.default_rng(0)
    words = random.integers(0, 1 << 63, (7, 2), dtype=np.uint64)
    words[5] = words[1] ^ np.uint64(0b1011)
    words[6] = words[1]
    pairs = alike(words, np.zeros((7, 3), np.float32), 0.9)
    assert pairs.tolist() == [[1, 5], [1, 6], [5, 6]]
    words[5] ^= np.uint64(0b1111111 << 20)
    assert alike(words, np.zeros((7, 3), np.float32), 0.9).tolist() == [[1, 6]]
