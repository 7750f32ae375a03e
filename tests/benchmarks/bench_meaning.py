"""Measure how well an embedder finds by meaning: what ``vectors=`` brings, compared with the words of the texts.

    .venv/bin/python -m tests.benchmarks.bench_meaning [--embedder module:function | --model NAME --base-url URL]

The embedder is any function from a list of texts to an array, such as ``my_model:encode`` with ``my_model.py`` in the
folder or on ``PYTHONPATH``, or a model of an OpenAI-compatible endpoint. Without one, only words are measured. The texts
are those of ``meaning.toml``: 112 of about two sentences on eight subjects, 32 of them pairs that say the same in other
words; of the others, each shares a sentence with two more.

purity
    The share of the ten nearest texts that are on the subject of a text, on average; by chance one in eight.
queries
    The share of the ten nearest texts that are on the subject of a query, which shares no word with the texts of it.
search
    For how many of these queries the literal search of the explorer finds a text on their subject.
topics
    How well eight topics agree with the subjects: the adjusted Rand index, 1 if they are the same, 0 by chance.
paraphrases
    How many of the pairs are in one group of near duplicates of these 32 texts, at several thresholds, and how many texts
    are in one group with another pair.
"""

import importlib
import itertools
import re
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import adjusted_rand_score
from tests.benchmarks.measuring import options

import inkframe as ink
from inkframe.analysis import embed, near_duplicates, similar, topics

TEXTS = Path(__file__).with_name("meaning.toml")
NEAREST = 10
THRESHOLDS = (0.9, 0.8, 0.75, 0.7, 0.6, 0.5)
#: Function words, which the queries may share with the texts.
SMALL = {
    *[
        "a",
        "an",
        "at",
        "for",
        "from",
        "how",
        "i",
        "in",
        "is",
        "it",
        "my",
        "of",
        "on",
        "the",
        "to",
        "up",
        "what",
        "with",
    ]
}


def read_set():
    """Return the texts with their subject and the number of their pair, 0 without one, and the queries with theirs."""
    rows, queries, numbers = [], [], itertools.count(1)
    for subject, part in tomllib.loads(TEXTS.read_text(encoding="utf-8")).items():
        first, second = part["sentences"][:5], part["sentences"][5:]
        rows += [(subject, 0, f"{first[at]} {second[(at + step) % 5]}") for at in range(5) for step in (0, 2)]
        for pair, number in zip(part["pairs"], numbers, strict=False):
            rows += [(subject, number, text) for text in pair]
        queries += [(subject, query) for query in part["queries"]]
    return pd.DataFrame(rows, columns=["subject", "pair", "result"]), queries


def common_words(frame, queries):
    """Return the words that queries share with the texts of their subject, which there should be none of."""
    found = set()
    for subject, query in queries:
        texts = " ".join(frame["result"][frame["subject"] == subject]).lower()
        found |= set(re.findall(r"\w+", query.lower())) & set(re.findall(r"\w+", texts))
    return found - SMALL


def measure(frame, queries, vectors):
    """Return the measures of a function of vectors, or of words."""
    subjects = frame["subject"].to_numpy()
    values = np.asarray(embed(frame) if vectors is None else vectors(frame["result"].tolist()), float)
    values = values / np.linalg.norm(values, axis=1, keepdims=True)
    cosines = values @ values.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = np.argsort(-cosines, axis=1)[:, :NEAREST]
    found = [similar(frame, query, NEAREST, vectors=vectors) for _, query in queries]
    hits = [
        (rows["subject"] == subject).sum() / NEAREST
        for rows, (subject, _) in zip(found, queries, strict=True)
    ]
    groups = topics(frame, n=8, vectors=vectors)["topic"].fillna(0)
    explorer = ink.Explorer(frame)
    searched = 0
    for subject, query in queries:
        explorer.filters = {"search": query}
        searched += subject in set(explorer.shown["subject"])
    measures = {
        "purity of the ten nearest": f"{(subjects[nearest] == subjects[:, None]).mean():.2f}",
        "precision at ten of queries without common words": f"{np.mean(hits):.2f}",
        "queries that the search finds a text for": f"{searched} of {len(queries)}",
        "eight topics, adjusted Rand index": f"{adjusted_rand_score(subjects, groups):.2f}",
    }
    paired = frame[frame["pair"] > 0]
    for threshold in THRESHOLDS:
        found = near_duplicates(paired, threshold, vectors=vectors).join(paired["pair"])
        right = int((found.groupby("pair")["group"].agg(["size", "nunique"]) == [2, 1]).all(axis=1).sum())
        mixed = int((found.groupby("group")["pair"].transform("nunique") > 1).sum())
        measures[f"paraphrases found at {threshold}"] = f"{right} of {len(paired) // 2}, {mixed} mixed"
    return measures


def main():
    """Print the measures of words, and of an embedder beside them."""
    given = options(__doc__, embedder=str, model=str, base_url=str)
    embedder = None
    if given.embedder:
        module, _, name = given.embedder.partition(":")
        sys.path.insert(0, "")
        embedder = getattr(importlib.import_module(module), name)
    elif given.model:
        embedder = ink.embedder(given.model, given.base_url)
    frame, queries = read_set()
    if shared := common_words(frame, queries):
        raise SystemExit(f"The queries share words with the texts: {', '.join(sorted(shared))}")
    columns = {"words": measure(frame, queries, None)}
    if embedder is not None:
        start = time.perf_counter()
        columns["vectors"] = measure(frame, queries, embedder)
        print(
            f"{len(frame)} texts and {len(queries)} queries, {time.perf_counter() - start:.1f} s with vectors"
        )
    print(pd.DataFrame(columns).to_string())


if __name__ == "__main__":
    main()
