"""Measure how many copies of pictures are found, and how many other pictures are taken for copies.

Run by hand: ``python -m tests.benchmarks.bench_picture_copies --pictures 60``. The demo engine draws the pictures;
each is resized, recompressed, brightened and cropped. imagehash is compared where it is installed, with its
perceptual hash and the usual distance of 10 of 64 bits.
"""

from __future__ import annotations

import argparse
import importlib.util
import io

import numpy as np
import pandas as pd
from PIL import Image, ImageEnhance

import inkframe as ink
from inkframe.analysis.duplicates import similar_pairs, small_copies

DISTANCE = 10
THRESHOLD = 0.95
SUBJECTS = ("a harbor", "an orchard", "a street in the rain", "mountains", "a cat on a roof", "a kitchen")


def jpeg(picture: Image.Image, quality: int = 85) -> Image.Image:
    """Return a picture as a JPEG decoder returns it."""
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality)
    return Image.open(io.BytesIO(buffer.getvalue()))


def changed(picture: Image.Image) -> dict[str, Image.Image]:
    """Return changed copies of a picture by the change."""
    width, height = picture.size

    def sized(factor: float) -> Image.Image:
        return picture.resize((int(width * factor), int(height * factor)), Image.Resampling.LANCZOS)

    def cropped(share: float) -> Image.Image:
        left, top = int(width * share), int(height * share)
        return picture.crop((left, top, width - left, height - top))

    return (
        {f"size {factor}": sized(factor) for factor in (0.25, 0.5, 0.75, 2.0)}
        | {f"JPEG size {factor}": jpeg(sized(factor)) for factor in (0.5, 4.0)}
        | {f"JPEG quality {quality}": jpeg(picture, quality) for quality in (90, 60, 30)}
        | {f"brightness {by}": ImageEnhance.Brightness(picture).enhance(by) for by in (0.8, 0.9, 1.1, 1.2)}
        | {f"cropped {share:.0%}": cropped(share) for share in (0.02, 0.05)}
    )


def main() -> None:
    """Print a row for each change, and the false pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=60)
    count = parser.parse_args().pictures
    looks = [(style, subject) for subject in SUBJECTS for style in ink.Vocabulary().codes("style")][:count]
    with ink.connect(library=":memory:") as client:
        drawn = [
            client.images.create(name=subject, description=subject, resolution="256x256", style=style).picture
            for style, subject in looks
        ]
    pictures: list[Image.Image] = [each.convert("RGB") for each in drawn]
    names = [("", at) for at in range(len(pictures))]
    for at in range(len(drawn)):
        for change, copy in changed(pictures[at]).items():
            pictures.append(copy)
            names.append((change, at))
    _, copies = small_copies(pd.Index(range(len(pictures))), lambda at: pictures[at])
    found = {"inkframe": {tuple(pair) for pair in similar_pairs(copies, THRESHOLD).tolist()}}
    if importlib.util.find_spec("imagehash"):
        import imagehash

        hashes = np.array([imagehash.phash(each).hash.ravel() for each in pictures])
        apart = (hashes[:, None] != hashes[None]).sum(axis=2)
        close = np.argwhere(np.triu(apart <= DISTANCE, 1))
        found["imagehash"] = {tuple(pair) for pair in close.tolist()}
    print(f"{'change':<18}" + "".join(f"{name:>12}" for name in found))
    for change in dict.fromkeys(change for change, _ in names if change):
        places = [(at, place) for place, (name, at) in enumerate(names) if name == change]
        rows = [f"{sum(pair in pairs for pair in places)}/{len(places)}" for pairs in found.values()]
        print(f"{change:<18}" + "".join(f"{row:>12}" for row in rows))
    wrong = [sum(names[a][1] != names[b][1] for a, b in pairs) for pairs in found.values()]
    print(f"{'other pictures':<18}" + "".join(f"{row:>12}" for row in wrong))


if __name__ == "__main__":
    main()
