"""Models of the texts that a prompt can return, as pools to draw repeats from, and how well intervals hold.

The value of a pool is the truth: repeats are drawn with replacement, and an interval holds if it contains
the value of the whole pool.
"""

import importlib

import numpy as np

from inkframe.analysis.intervals import LENGTH, SIMILARITY, mean_of_pairs
from inkframe.analysis.similarity import pairwise_similarity
from inkframe.analysis.text_measures import count_words

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
    "mixture .7 .3": lambda random, size=SIZE: mixture(random, (0.7, 0.3), size),
    "mixture .9 .1": lambda random, size=SIZE: mixture(random, (0.9, 0.1), size),
    "mixture .6 .3 .1": lambda random, size=SIZE: mixture(random, (0.6, 0.3, 0.1), size),
    "few distinct, 5": lambda random, size=SIZE: few(random, (0.35, 0.25, 0.2, 0.12, 0.08), size),
    "few distinct, 8": lambda random, size=SIZE: few(random, (6, 4, 3, 2, 2, 1, 1, 1), size),
    "few distinct, 12": lambda random, size=SIZE: few(random, 1 / np.arange(1, 13), size),
    "one text in .3": lambda random, size=SIZE: dominant(random, 0.3, size),
    "one text in .5": lambda random, size=SIZE: dominant(random, 0.5, size),
    "one text in .8": lambda random, size=SIZE: dominant(random, 0.8, size),
    "outliers .1": lambda random, size=SIZE: outliers(random, 0.1, size),
    "outliers .2": lambda random, size=SIZE: outliers(random, 0.2, size),
    "outliers .3": lambda random, size=SIZE: outliers(random, 0.3, size),
    "docstrings of pandas": lambda random, size=SIZE: docstrings(random, "pandas", size),
    "docstrings of numpy": lambda random, size=SIZE: docstrings(random, "numpy", size),
    "docstrings of scipy": lambda random, size=SIZE: docstrings(random, "scipy.stats", size),
    "docstrings of asyncio": lambda random, size=SIZE: docstrings(random, "asyncio", size),
}


class Pool:
    """The texts of a model, with the measures of all their pairs."""

    def __init__(self, texts):
        lengths = count_words(texts)[0]
        self.size = len(texts)
        self.pairs = {SIMILARITY: pairwise_similarity(texts), LENGTH: np.abs(lengths[:, None] - lengths)}


def covered(pools, scale, repeats, random, truth=None, confidence=0.95):
    """Draw repeats of a prompt from each pool and return whether the interval of the mean holds, or None."""
    matrices = []
    for pool in pools:
        drawn = random.integers(0, pool.size, repeats)
        matrices.append(pool.pairs[scale][np.ix_(drawn, drawn)])
    low, high = mean_of_pairs(matrices, scale, confidence).ends
    if np.isnan(low):
        return None
    truth = np.mean([pool.pairs[scale].mean() for pool in pools]) if truth is None else truth
    return low <= truth <= high
