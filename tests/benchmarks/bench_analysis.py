"""Compare text statistics and near duplicates with plain Python, Arrow, pandas and datasketch.

Run by hand: ``python -m tests.benchmarks.bench_analysis --documents 100000``. It requires about 1 GB and
Linux (for peak memory), and datasketch for its rows. Each peer runs in turn with ours, so that a busy machine
slows both; the table shows medians.
"""

import multiprocessing
import statistics
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from tests.benchmarks.measuring import options, seconds

from inkframe.analysis import near_duplicates, text_statistics
from inkframe.versions import text_type

WORDS = 200
#: Words changed in a near duplicate: the similarity of the two is about 0.955, the Jaccard similarity of their
#: 3-word shingles, which datasketch compares, about 0.83.
CHANGED = 6
COUNTS = ("words", "sentences")
PEAKS = {
    "counts": " (goal: half of the text, 66)",
    "every measure": "",
    "near duplicates": " (goal: under 300)",
}


def corpus(count, seed=0):
    """Return texts of 200 words by a power law, every 20th a copy of another with six words changed."""
    random = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
    chances = 1 / np.arange(1, 27) ** 0.7
    vocabulary = np.array(
        [
            "".join(random.choice(letters, size, p=chances / chances.sum()))
            for size in random.integers(2, 10, 20_000)
        ]
    )
    texts = []
    for number in range(count):
        if number % 20 == 19:
            words = texts[number - 7].split()
            for at in random.choice(WORDS, CHANGED, replace=False):
                words[at] = f"changed{random.integers(1_000_000)}"
        else:
            words = vocabulary[np.minimum(random.pareto(0.8, WORDS) * 20, 19_999).astype(int)].tolist()
            for at in range(14, WORDS, 15):
                words[at] += "."
        texts.append(" ".join(words))
    return texts


def in_turn(calls, repeats):
    """Return the median seconds of each call, run in turn."""
    times = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            times[name].append(seconds(call))
    return {name: statistics.median(found) for name, found in times.items()}


def peak(path, name):
    """Return the peak memory of a call, in MB above a new process with the frame."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_peak, (path, name))


def _peak(path, name):
    frame = pd.read_parquet(path)
    calls = {
        "counts": lambda part: text_statistics(part, measures=COUNTS),
        "every measure": lambda part: text_statistics(part, language="en"),
        "near duplicates": near_duplicates,
    }
    calls[name](frame.iloc[:20])  # late imports are not part of the peak
    pa.default_memory_pool().release_unused()  # memory for reading the file
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = _status("VmRSS")
    calls[name](frame)
    return (_status("VmHWM") - before) / 1024


def _status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(f"{name}:")))


def usual_counts(column):
    """Count words in the usual way."""
    return column.str.split().str.len()


def counts(texts, frame, repeats):
    """Compare word and sentence counts with a lower bound and with pandas."""
    array = pa.array(frame["result"])
    found = in_turn(
        {
            "[len(t.split())]": lambda: [len(text.split()) for text in texts],
            "Arrow's regex count": lambda: pc.count_substring_regex(array, "[.!?]+"),
            "text_statistics, words and sentences": lambda: text_statistics(frame, measures=COUNTS),
            "text_statistics, words": lambda: text_statistics(frame, measures=["words"]),
            "pandas .str.split().str.len()": partial(usual_counts, frame["result"]),
        },
        repeats,
    )
    split, regex, ours, words, usual = found.values()
    for name, took in found.items():
        print(f"{name:<48}{took:8.3f} s")
    print(f"{'ours / (split + regex)   (goal: at most 1.5)':<48}{ours / (split + regex):8.2f}")
    print(f"{'pandas / ours, words only (goal: at least 4)':<48}{usual / words:8.2f}")
    print(f"{'pandas / ours, both       (goal: at least 4)':<48}{usual / ours:8.2f}")
    everything = in_turn({"all": lambda: text_statistics(frame, language="en")}, 1)["all"]
    print(f"{'text_statistics, every measure':<48}{everything:8.3f} s")


def with_datasketch(texts):
    """Find near duplicates as in the documentation of datasketch, with its fastest hash."""
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=0.7, num_perm=64)
    found = set()
    for number, text in enumerate(texts):
        words = text.split()
        sketch = MinHash(num_perm=64)
        sketch.update_batch({" ".join(words[at : at + 3]).encode() for at in range(len(words) - 2)})
        found.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch)
    return found


def duplicates(texts, frame, repeats):
    """Compare near duplicates with datasketch, in time and in pairs found."""
    true = {(number - 7, number) for number in range(19, len(texts), 20)}
    result = near_duplicates(frame)
    group = result["group"].to_dict()
    recall = sum(one in group and group[one] == group.get(other) for one, other in true) / len(true)
    print(f"{'near_duplicates, recall  (goal: at least 0.98)':<48}{recall:8.3f}")
    wrong = len(result) - 2 * len(true)
    print(f"{'near_duplicates, rows beyond the true pairs':<48}{wrong:8d}")
    calls = {"near_duplicates": lambda: near_duplicates(frame)}
    try:
        pairs = with_datasketch(texts)
        print(f"{'datasketch, recall':<48}{len(pairs & true) / len(true):8.3f}")
        calls["datasketch"] = lambda: with_datasketch(texts)
    except ImportError:
        print("datasketch is not installed: not compared")
    found = in_turn(calls, repeats)
    for name, took in found.items():
        print(f"{name:<48}{took:8.3f} s")
    if "datasketch" in found:
        ratio = found["datasketch"] / found["near_duplicates"]
        print(f"{'datasketch / ours        (goal: at least 2.5)':<48}{ratio:8.2f}")
    return found["near_duplicates"]


def main():
    """Print the tables."""
    given = options(__doc__, documents=100_000, few=10_000, repeats=5)
    texts = corpus(given.documents)
    frame = pd.DataFrame({"result": pd.Series(texts, dtype=text_type())})
    print(f"--- {given.documents:,} documents of {WORDS} words, medians of {given.repeats}")
    counts(texts, frame, given.repeats)
    print(f"--- near duplicates of {given.few:,}")
    few = duplicates(texts[: given.few], frame.iloc[: given.few], given.repeats)
    print(f"--- near duplicates of {given.documents:,}")
    del texts
    many = in_turn({"near_duplicates": lambda: near_duplicates(frame)}, min(given.repeats, 3))
    took = many["near_duplicates"]
    print(f"{'near_duplicates':<48}{took:8.3f} s")
    print(f"{'times the few (goal: at most 15)':<48}{took / few:8.2f}")
    print(f"--- memory at the peak above the frame, {given.documents:,} documents")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.parquet"
        frame.to_parquet(path)
        for name, goal in PEAKS.items():
            print(f"{name + goal:<48}{peak(path, name):8.0f} MB")


if __name__ == "__main__":
    main()
