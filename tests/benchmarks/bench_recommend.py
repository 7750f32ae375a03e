"""Simulate how often recommend and compare_groups find a winner, and how often a wrong one.

Run by hand: ``python tests/benchmarks/bench_recommend.py --draws 1000``. Ratings are a normal quality, in
units of its standard deviation, rounded to a scale of 5 with the middle at ``center``.
"""

from __future__ import annotations

import argparse

import numpy as np
import pandas as pd

from inkframe.analysis import compare_groups, recommend
from inkframe.analysis.recommend import BEST, LOOKS, UNDECIDED

#: Mean quality of each group.
TIED = {
    "2 tied": (0, 0),
    "2 of 5 tied, others 1 lower": (1, 1, 0, 0, 0),
    "2 of 5 tied, .5 lower": (0.5, 0.5, 0, 0, 0),
}
APART = {
    "2 groups, 1 apart": (1, 0),
    "5 groups, 1 apart": (1, 0, 0, 0, 0),
    "2 groups, .5 apart": (0.5, 0),
    "5 groups, .5 apart": (0.5, 0, 0, 0, 0),
}
SCALES = {"not rounded": None, "scale of 5": 3.0, "scale of 5, mostly high": 4.0}


def ratings(random, means, count, center):
    """Return ratings of groups in turn, for two cases that differ."""
    quality = np.array(means) + random.normal(size=(count, len(means)))
    quality += np.where(np.arange(count) % 2, 0.3, -0.3)[:, None]
    values = quality if center is None else np.clip(np.round(center - np.max(means) / 2 + quality), 1, 5)
    return pd.DataFrame(
        {
            "creativity": np.tile(np.arange(len(means), dtype=float), count),
            "case": np.repeat(np.arange(count) % 2, len(means)).astype(str),
            "rating": values.ravel(),
        }
    )


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    error = np.sqrt(0.05 * 0.95 / options.draws)
    print(f"{options.draws} draws; standard error of a share of .05: {error:.3f}")
    for title, center in SCALES.items():
        print(f"\n{title}; over the looks at {LOOKS}: a winner, any will do, undecided")
        for name, means in (TIED | APART).items():
            counts = {BEST: 0, "any": 0, UNDECIDED: 0}
            for _ in range(options.draws):
                verdict = recommend(ratings(random, means, LOOKS[-1], center), column="rating").verdict
                counts[verdict if verdict in counts else "any"] += 1
            print(f"  {name:30}", *(f"{count / options.draws:8.3f}" for count in counts.values()))
        for name, means in APART.items():
            if len(means) == 2:
                found = 0
                for _ in range(options.draws):
                    table = compare_groups(
                        ratings(random, means, 20, center), by="creativity", column="rating"
                    )
                    found += table["verdict"].tolist() == ["best", "worse"]
                print(f"  {name + ', compared once at 20':40} found {found / options.draws:.3f}")


if __name__ == "__main__":
    main()
