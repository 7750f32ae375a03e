"""Simulate how often the intervals of creativity_response, compare_groups and win_rates hold.

Run by hand: ``python -m tests.benchmarks.bench_intervals --draws 1000``. A cell is the share of shown
intervals that contain the value of the pool; in brackets the share of draws that show one, if not all do.
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special, stats

sys.path.insert(0, str(Path(__file__).parents[1] / "analysis"))

from tests.benchmarks.measuring import options
from text_models import MODELS, Pool, covered, variants

import inkframe as ink
from inkframe.analysis import compare_groups, win_rates
from inkframe.analysis.intervals import LENGTH, PROMPTS, SIMILARITY, wilson

REPEATS = {SIMILARITY: (15, 20, 30), LENGTH: (60, 80, 120)}
NAMES = {SIMILARITY: "similarity", LENGTH: "length variation"}
#: Prompts and repeats of each, where several contribute.
SHAPES = ((2, 15), (4, 15), (7, 15), (3, 30), (2, 60), (8, 2), (8, 5), (12, 5), (30, 3))
#: Values of a document in a group, by name: a pool of many, in units of their standard deviation or as shares.
VALUES = {
    "normal": lambda random: random.normal(0, 1, 100_000),
    "scale of 5": lambda random: np.clip(np.round(random.normal(3, 1, 100_000)), 1, 5),
    "scale of 5, mostly high": lambda random: np.clip(np.round(random.normal(4.2, 1, 100_000)), 1, 5),
    "log-normal": lambda random: random.lognormal(0, 0.7, 100_000),
    "share .1": lambda random: random.random(100_000) < 0.1,
    "share .5": lambda random: random.random(100_000) < 0.5,
    "share .85": lambda random: random.random(100_000) < 0.85,
}
DOCUMENTS = (10, 20, 40)
#: Records and judgments of each group, and what is judged: groups, the most by which they differ, and by how much
#: the records of a group do.
JUDGED = ((10, 20), (20, 20), (20, 40))
DUELS = {
    "2 groups, .8 apart": (2, 0.8, 0.5),
    "2 equal groups": (2, 0, 1),
    "3 groups, .8 apart": (3, 0.8, 0.5),
}


def cell(draws, draw):
    found = [draw() for _ in range(draws)]
    shown = [each for each in found if each is not None]
    if len(shown) < draws / 50:
        return np.nan, "–"
    rate, share = np.mean(shown), len(shown) / draws
    return rate, f"{rate:.3f}" + (f" ({share:.2f})" if share < 0.995 else "")


def table(title, columns, rows):
    """Print the cells of each row, and the mean, the least and the most of each column."""
    print(f"\n{title}: {columns}")
    rates = []
    for name, row in rows:
        cells = list(row)
        rates.append([rate for rate, _ in cells])
        print(f"{name:28}", *(f"{text:>13}" for _, text in cells), flush=True)
    for name, function in (("mean", np.nanmean), ("least", np.nanmin), ("most", np.nanmax)):
        print(f"{name:28}", *(f"{value:13.3f}" for value in function(rates, axis=0)))


def demo(prompt, level):
    """Return a hundred texts of the demo engine."""
    client = ink.connect(library=":memory:")
    plan = ink.plan_documents(prompt, name="{repeat}", creativity=level, repeats=100)
    return client.documents.create_many(plan, progress=False)["result"].tolist()


def main():
    """Print a table for each kind of interval."""
    given = options(__doc__, draws=1000, seed=1)
    random, draws = np.random.default_rng(given.seed), given.draws
    pools = {name: Pool(model(random)) for name, model in MODELS.items()}
    for level in (0.25, 0.75):
        pools[f"demo engine, {level}"] = Pool(demo("Product text for a kettle", level))
    many = [Pool(variants(random, 60)) for _ in range(200)]
    for scale, sizes in REPEATS.items():
        rows = (
            (name, (cell(draws, partial(covered, [pool], scale, n, random)) for n in sizes))
            for name, pool in pools.items()
        )
        table(f"{NAMES[scale]}, one prompt; repeats", sizes, rows)
    several = (
        (
            NAMES[scale],
            (
                cell(draws, partial(prompts, [*pools.values()], many, scale, *shape, random))
                for shape in SHAPES
            ),
        )
        for scale in REPEATS
    )
    table("several prompts (prompts, repeats)", SHAPES, several)
    counts = (30, 40, 60)
    rows = (
        (f"share {p}", ((copies(p, n), f"{copies(p, n):.3f}") for n in counts)) for p in np.arange(1, 10) / 10
    )
    table("prompts with a copy; prompts", counts, rows)
    for cases in (1, 2):
        rows = (
            (name, (cell(draws // 4, partial(groups, model(random), n, cases, random)) for n in DOCUMENTS))
            for name, model in VALUES.items()
        )
        table(
            f"compare_groups, the three intervals of two groups over {cases} cases; documents",
            DOCUMENTS,
            rows,
        )
    rows = (
        (name, (cell(draws // 4, partial(duels, *duel, *judged, random)) for judged in JUDGED))
        for name, duel in DUELS.items()
    )
    table("win_rates, the lowest group (records, judgments)", JUDGED, rows)


def prompts(few, many, scale, count, repeats, random):
    """Draw few prompts, of which the mean is the truth, or many, of which the mean of all is."""
    chosen = few if count < PROMPTS else many
    drawn = [chosen[at] for at in random.choice(len(chosen), count)]
    truth = np.mean([pool.pairs[scale].mean() for pool in (drawn if count < PROMPTS else many)])
    return covered(drawn, scale, repeats, random, truth)


def copies(share, count):
    """Return the probability that Wilson's interval contains the share."""
    number = np.arange(count + 1)
    low, high = wilson(number, count)
    holds = (low <= share) & (share <= high)
    return float(stats.binom.pmf(number, count, share)[holds].sum())


def groups(pool, count, cases, random):
    """Return the share of the intervals of two equal groups and of their difference that hold."""
    drawn = random.choice(pool, 2 * count)
    case = np.tile(np.arange(cases), 2 * count)[: 2 * count]
    frame = pd.DataFrame({"group": np.repeat(["a", "b"], count), "case": case.astype(str), "value": drawn})
    found = compare_groups(frame, by="group", column="value")
    ends = found[["low", "high"]].to_numpy(float) - pool.mean()
    ends = np.vstack([ends, found[["difference_low", "difference_high"]].dropna().to_numpy(float)])
    if len(ends) < 3 or np.isnan(ends).any():
        return None
    return np.mean((ends[:, 0] <= 0) & (ends[:, 1] >= 0))


def duels(count, apart, spread, records, judgments, random):
    """Judge pairs of records and return whether the interval of the lowest group holds, or None."""
    means = np.linspace(0, apart, count)
    many = random.normal(means[:, None], spread, (count, 20_000))
    truth = special.expit(many[0] - many[1:]).mean()
    quality = random.normal(means[:, None], spread, (count, records))
    one, other = np.triu_indices(count, 1)
    one, other = np.repeat([one, other], judgments // (count - 1), axis=1)
    first, second = random.integers(0, records, (2, one.size))
    won = random.random(one.size) < special.expit(quality[one, first] - quality[other, second])
    ids, others = one * records + first, other * records + second
    frame = pd.DataFrame({"id": ids, "other": others, "winner": np.where(won, ids, others)})
    found = win_rates(frame.assign(group=one, other_group=other), by="group", resamples=500)
    low, high = found[["low", "high"]].iloc[0]
    return None if np.isnan(low) else low <= truth <= high


if __name__ == "__main__":
    main()
