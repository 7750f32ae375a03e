"""Models of the texts that a prompt can return, as pools to draw repeats from, and how well intervals hold.

The value of a pool is the truth: repeats are drawn with replacement, and an interval holds if it contains
the value of the whole pool.
"""

from __future__ import annotations

import importlib

import numpy as np

from inkframe.analysis.pair_means import PROMPTS, enough_texts, mean_of_pairs
from inkframe.analysis.similarity import pairwise_similarity, word_lengths

SIZE = 300
VOCABULARY = 2000


def words(random, count):
    """Return words by Zipf's law, as numbers."""
    chances = 1 / np.arange(1, VOCABULARY + 1)
    return random.choice(VOCABULARY, count, p=chances / chances.sum())


def spelled(numbers):
    return " ".join(f"w{number}" for number in numbers)


def independent(random, size=SIZE):
    """Return texts that have only the language in common."""
    return [spelled(words(random, max(20, int(random.normal(80, 15))))) for _ in range(size)]


def variants(random, size=SIZE):
    """Return variants of one text, each with some of its words replaced and cut at another length."""
    base, texts = words(random, 60), []
    for _ in range(size):
        changed = random.random(60) < random.beta(2, 5)
        text = np.where(changed, words(random, 60), base)
        texts.append(spelled(text[: random.integers(40, 61)]))
    return texts


def mixture(random, shares, size=SIZE):
    """Return variants of several texts, in these shares."""
    bases = [words(random, length) for length in (60, 90, 40)[: len(shares)]]
    texts = []
    for kind in random.choice(len(shares), size, p=shares):
        changed = random.random(bases[kind].size) < 0.25
        texts.append(spelled(np.where(changed, words(random, changed.size), bases[kind])))
    return texts


def few(random, shares, size=SIZE):
    """Return few distinct variants of one text, in these shares."""
    counts = np.round(np.array(shares) / sum(shares) * size).astype(int)
    return [
        text for text, count in zip(variants(random, len(counts)), counts, strict=True) for _ in range(count)
    ]


def dominant(random, share, size=SIZE):
    """Return one text in this share, and distinct variants of it."""
    texts = variants(random, size)
    same = int(share * size)
    return texts[:1] * same + texts[same:]


def outliers(random, share, size=SIZE):
    """Return variants of one text, and in this share long texts that have only the language in common."""
    texts = variants(random, size)
    for at in range(int(share * size)):
        texts[at] = spelled(words(random, int(random.integers(150, 300))))
    return texts


def docstrings(random, module, size=SIZE):
    """Return docstrings of a module, the first 150 words of each."""
    objects = [value for name, value in vars(importlib.import_module(module)).items() if name[0] != "_"]
    objects += [each for value in objects if isinstance(value, type) for each in vars(value).values()]
    texts = {" ".join((getattr(each, "__doc__", "") or "").split()[:150]) for each in objects}
    texts = sorted(text for text in texts if text.count(" ") > 20)
    random.shuffle(texts)
    return texts[:size]


MODELS = {
    "independent": independent,
    "variants of one text": variants,
    "mixture .5 .5": lambda random, size=SIZE: mixture(random, (0.5, 0.5), size),
    "mixture .6 .3 .1": lambda random, size=SIZE: mixture(random, (0.6, 0.3, 0.1), size),
    "few distinct, 5": lambda random, size=SIZE: few(random, (0.35, 0.25, 0.2, 0.12, 0.08), size),
    "few distinct, 8": lambda random, size=SIZE: few(random, (6, 4, 3, 2, 2, 1, 1, 1), size),
    "few distinct, 12": lambda random, size=SIZE: few(random, 1 / np.arange(1, 13), size),
    "one text in .3": lambda random, size=SIZE: dominant(random, 0.3, size),
    "one text in .5": lambda random, size=SIZE: dominant(random, 0.5, size),
    "outliers .1": lambda random, size=SIZE: outliers(random, 0.1, size),
    "outliers .2": lambda random, size=SIZE: outliers(random, 0.2, size),
    "docstrings of pandas": lambda random, size=SIZE: docstrings(random, "pandas", size),
    "docstrings of numpy": lambda random, size=SIZE: docstrings(random, "numpy", size),
    "docstrings of scipy": lambda random, size=SIZE: docstrings(random, "scipy.stats", size),
}


class Pool:
    """The texts of a model, with the measures of all their pairs."""

    def __init__(self, texts):
        lengths = word_lengths(texts)
        self.numbers = np.unique(texts, return_inverse=True)[1]
        self.lengths = lengths
        self.pairs = {"similarity": pairwise_similarity(texts), "length": np.abs(lengths[:, None] - lengths)}


def covered(pools, measure, repeats, random, confidence=0.95):
    """Draw repeats of a prompt from each pool and return whether the interval of the mean holds, or None."""
    matrices, enough = [], len(pools) >= PROMPTS
    different = []
    for pool in pools:
        drawn = random.integers(0, len(pool.numbers), repeats)
        matrices.append(pool.pairs[measure][np.ix_(drawn, drawn)])
        values = pool.numbers if measure == "similarity" else pool.lengths
        different.append(enough_texts(repeats, len(set(values[drawn])), of_lengths=measure == "length"))
    low, high = mean_of_pairs(matrices, "logit" if measure == "similarity" else "log", confidence).ends
    if not (enough or all(different)) or np.isnan(low):
        return None
    truth = np.mean([pool.pairs[measure].mean() for pool in pools])
    return low <= truth <= high
