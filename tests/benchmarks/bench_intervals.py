"""Simulate how often the intervals of creativity_response hold, over models of texts and real texts.

Run by hand: ``python tests/benchmarks/bench_intervals.py --draws 2000``. A cell is the share of shown
intervals that contain the value of the pool; in brackets the share of draws that show one, if not all do.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "analysis"))

from text_models import MODELS, Pool, covered, variants

from inkframe.analysis.pair_means import PROMPTS as UNIT
from inkframe.analysis.pair_means import mean_of_pairs

REPEATS = {"similarity": (5, 6, 8, 10, 15, 20, 30), "length": (30, 40, 60)}
#: Prompts and repeats of each, where several contribute.
PROMPTS = ((3, 5), (3, 10), (8, 2), (8, 5), (12, 5), (30, 3))


def cell(draws, draw):
    found = [draw() for _ in range(draws)]
    shown = [each for each in found if each is not None]
    if len(shown) < draws / 50:
        return None, "–"
    rate, share = np.mean(shown), len(shown) / draws
    return rate, f"{rate:.3f}" + (f" ({share:.2f})" if share < 0.995 else "")


def main():
    """Print a table for each measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    pools = {name: Pool(model(random)) for name, model in MODELS.items()}
    for measure, sizes in REPEATS.items():
        print(f"\n{measure}, one prompt; repeats: {sizes}")
        rates = []
        for name, pool in pools.items():
            row = [cell(options.draws, partial(covered, [pool], measure, n, random)) for n in sizes]
            rates.append([np.nan if rate is None else rate for rate, _ in row])
            print(f"{name:26}", *(f"{text:>13}" for _, text in row))
        for title, function in (("mean", np.nanmean), ("least", np.nanmin), ("most", np.nanmax)):
            print(f"{title:26}", *(f"{value:13.3f}" for value in function(rates, axis=0)))
    several = [Pool(variants(random, 60)) for _ in range(200)]
    print("\nseveral prompts (prompts, repeats):", *PROMPTS)
    for measure in REPEATS:
        row = [
            cell(options.draws, partial(prompts_cell, [*pools.values()], several, measure, *shape, random))[1]
            for shape in PROMPTS
        ]
        print(f"{measure:26}", *(f"{text:>13}" for text in row))


def prompts_cell(few, many, measure, prompts, repeats, random):
    """Draw few prompts, of which the mean is the truth, or many, of which the mean of all is."""
    if prompts < UNIT:
        return covered([few[at] for at in random.choice(len(few), prompts)], measure, repeats, random)
    return population(many, measure, prompts, repeats, random)


def population(pools, measure, prompts, repeats, random):
    """Draw prompts, too, and return whether the interval contains the mean over all prompts."""
    matrices = []
    for at in random.integers(0, len(pools), prompts):
        drawn = random.integers(0, len(pools[at].numbers), repeats)
        matrices.append(pools[at].pairs[measure][np.ix_(drawn, drawn)])
    low, high = mean_of_pairs(matrices, "logit" if measure == "similarity" else "log", 0.95).ends
    return low <= np.mean([pool.pairs[measure].mean() for pool in pools]) <= high


if __name__ == "__main__":
    main()
