"""How the texts of a prompt respond to the creativity level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.dask_support import gathers
from inkframe.analysis.intervals import percentiles, resampled_counts
from inkframe.analysis.similarity import (
    bleu_against_others,
    pairwise_growth,
    pairwise_similarity,
    token_lists,
)
from inkframe.analysis.validation import annotate, levels, require, share, texts, whole
from inkframe.errors import InvalidArgument
from inkframe.signatures import checked
from inkframe.vocabulary.choices import read_choices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["ENOUGH", "RESPONSES", "creativity_response", "level_label"]

#: The minimum number of repeats, or prompts, for a bootstrap interval.
ENOUGH: Final = 5
#: If one prompt and level has more texts, they are sampled, since the pairs grow with the square.
MOST: Final = 200

RESPONSES: Final = {
    "similarity": "mean share of words and word pairs in common, over pairs of repeats, 0 to 1",
    "self_bleu": "mean BLEU-4 of each repeat against the others, 0 to 1",
    "length_spread": "standard deviation of the length within a prompt, words",
    "vocabulary_growth": "new words that a second repeat adds to the vocabulary of one, mean over pairs, 0 to 1",
}
UNITS: Final = {
    "creativity": "level, 0 to 1",
    "prompts": "prompts",
    "texts": "texts",
    "repeats": "texts of the prompt with the fewest",
    "distinct": "texts of a prompt that differ in more than white space",
    "distinct_share": "distinct texts among all, 0 to 1",
    "length": "mean length, words (letters in scripts without spaces)",
    **{f"{name}{end}": unit for name, unit in RESPONSES.items() for end in ("", "_low", "_high")},
}


@checked
@gathers
def creativity_response(
    frame: pd.DataFrame,
    *,
    column: str = "result",
    by_prompt: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    random_state: int = 0,
) -> pd.DataFrame:
    """Measure how much the texts of a prompt differ at each creativity level.

    Only texts of the same prompt and level are compared. If a row covers several prompts, their measures are
    averaged. Intervals are bootstrap percentiles. They resample the prompts if there are five or more, else
    the repeats if every prompt has five or more. Otherwise they are missing, and ``note`` has the reason. The
    interval of self-BLEU does not resample the references.

    Args:
        frame: Documents with ``prompt``, ``creativity`` and the column of texts, such as the result of a
            plan. Rows without text or level are left out.
        column: The column of texts.
        by_prompt: Whether to return one row for each level and prompt, instead of one for each level.
        resamples: The number of resamples for the intervals.
        confidence: The confidence level of the intervals, such as 0.95.
        random_state: Seed of the resamples.

    Returns:
        A frame sorted by level: creativity, label, prompt (with ``by_prompt``), prompts, texts, repeats,
        distinct, distinct_share, length, then similarity, self_bleu, length_spread and
        vocabulary_growth, each with ``_low`` and ``_high``, then enough (whether there are intervals)
        and note. ``attrs["analysis"]`` has the units, and a note if there are too few repeats.

    Raises:
        InvalidArgument: A column is missing or of the wrong type, or no row has both text and level.

    Example:
        >>> creativity_response(client.documents.create_many(plan))[["label", "similarity", "note"]]
    """
    whole("resamples", resamples)
    share("confidence", confidence)
    runs = _runs(frame, column)
    random = np.random.default_rng(random_state)
    measured: dict[Any, dict[str, Any]] = {
        (level, prompt): _measure(group["text"].tolist(), resamples, random)
        for (level, prompt), group in runs.groupby(["creativity", "prompt"], sort=False)
    }
    rows = []
    for level in sorted(runs["creativity"].unique()):
        prompts = [prompt for of, prompt in measured if of == level]
        for chosen in ([prompt] for prompt in prompts) if by_prompt else (prompts,):
            head = {"creativity": level, "label": level_label(level)} | (
                {"prompt": chosen[0]} if by_prompt else {}
            )
            parts = [measured[level, prompt] for prompt in chosen]
            rows.append(head | _row(parts, resamples, confidence, random))
    result = pd.DataFrame(rows)
    return annotate(result, UNITS, _verdict(result))


def level_label(level: float) -> str:
    """Return the label of a creativity level, such as ``Original`` for 0.5; else the number."""
    return next((c.label for c in read_choices("creativities") if float(c.code) == level), f"{level:g}")


def _runs(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    require(frame, "prompt", "creativity", column)
    values, present = texts(frame, column)
    prompts, named = texts(frame, "prompt")
    steps = levels(frame)
    usable = present & named & ~np.isnan(steps)
    if not usable.any():
        raise InvalidArgument(
            f"No row has a prompt, a creativity level and a text in {column!r}.\n"
            "Create documents first, for example with plan_documents(prompt, repeats=5)."
        )
    columns = {"text": values.to_pylist(), "prompt": prompts.to_pylist(), "creativity": steps}
    return pd.DataFrame(columns).loc[usable]


def _measure(group: Sequence[str], resamples: int, random: np.random.Generator) -> dict[str, Any]:
    """Return the measures of the texts of one prompt and level, and of each resample."""
    distinct = len({" ".join(text.split()) for text in group})
    words = token_lists(group)
    lengths = np.array([len(text) for text in words], float)
    found: dict[str, Any] = {"texts": len(group), "distinct": distinct, "length": lengths.mean()}
    if len(group) > MOST:
        kept = np.sort(random.choice(len(group), MOST, replace=False))
        group, words, lengths = [group[i] for i in kept], [words[i] for i in kept], lengths[kept]
    if len(group) < 2:  # a comparison needs two
        return found | dict.fromkeys(RESPONSES, np.nan)
    similarity, growth, bleu = pairwise_similarity(group), pairwise_growth(words), bleu_against_others(words)
    np.fill_diagonal(similarity, 0)
    pairs = len(group) * (len(group) - 1)
    found |= {
        "similarity": similarity.sum() / pairs,
        "self_bleu": bleu.mean(),
        "length_spread": lengths.std(ddof=1),
        "vocabulary_growth": growth.sum() / pairs,
    }
    if len(group) >= ENOUGH:
        counts = resampled_counts(len(group), resamples, random)
        found["resampled"] = _resampled(counts, similarity, growth, bleu, lengths)
    return found


def _resampled(
    counts: NDArray[np.int64],
    similarity: NDArray[np.float64],
    growth: NDArray[np.float64],
    bleu: NDArray[np.float64],
    lengths: NDArray[np.float64],
) -> dict[str, NDArray[np.float64]]:
    """Return each measure for each resample; a text drawn twice does not pair with itself."""
    size = counts.shape[1]
    mean = counts @ lengths / size
    variance = np.maximum(counts @ lengths**2 / size - mean**2, 0) * size / (size - 1)
    pairs = (size**2 - (counts**2).sum(axis=1)).astype(float)
    pairs[pairs == 0] = np.nan

    def of_pairs(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(((counts @ values) * counts).sum(axis=1) / pairs)

    return {
        "similarity": of_pairs(similarity),
        "self_bleu": counts @ bleu / size,
        "length_spread": np.sqrt(variance),
        "vocabulary_growth": of_pairs(growth),
    }


def _row(
    parts: list[dict[str, Any]], resamples: int, confidence: float, random: np.random.Generator
) -> dict[str, Any]:
    total, distinct = sum(part["texts"] for part in parts), sum(part["distinct"] for part in parts)
    repeats = min(part["texts"] for part in parts)
    row: dict[str, Any] = {"prompts": len(parts), "texts": total, "repeats": repeats, "distinct": distinct}
    row |= {"distinct_share": distinct / total, "length": float(np.mean([part["length"] for part in parts]))}
    enough = False
    for name in RESPONSES:
        values = np.array([part[name] for part in parts])
        values = values[~np.isnan(values)]
        row[name] = float(values.mean()) if values.size else np.nan
        spread = np.array([np.nan])
        if values.size >= ENOUGH:
            spread = resampled_counts(values.size, resamples, random) @ values / values.size
        elif all("resampled" in part for part in parts):
            spread = np.mean([part["resampled"][name] for part in parts], axis=0)
        row[f"{name}_low"], row[f"{name}_high"] = percentiles(spread, confidence)
        enough |= not np.isnan(row[f"{name}_low"])
    return row | {"enough": enough, "note": "" if enough else _note(repeats)}


def _note(repeats: int) -> str:
    if repeats < 2:  # a comparison needs two
        return f"a comparison needs 2 repeats and an interval needs {ENOUGH}, got {repeats}"
    return f"an interval needs {ENOUGH} repeats, got {repeats}"


def _verdict(result: pd.DataFrame) -> str:
    if result["enough"].all():
        return ""
    fewest = result.loc[~result["enough"], "repeats"].min()
    return (
        f"At least {ENOUGH} repeats per level are needed, got {fewest}. Plan with repeats={ENOUGH} or more."
    )
