"""Agreement of raters: Krippendorff's alpha."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    Level = Literal["nominal", "ordinal", "interval"]

__all__ = ["krippendorff_alpha"]


def krippendorff_alpha(
    judgments: Iterable[tuple[Hashable, Hashable, Any]], level: Level = "nominal"
) -> float | None:
    """Return how well raters agree: 1 for full agreement, 0 for what chance would give, less for worse.

    Units that fewer than two raters judged do not count. Source: K. Krippendorff, "Computing Krippendorff's
    Alpha-Reliability", University of Pennsylvania, 2011.

    Args:
        judgments: The unit, the rater and the value of each judgment; of several by one rater the last counts.
        level: ``nominal`` for labels, ``ordinal`` for ranks, ``interval`` for numbers.

    Returns:
        The coefficient, or None if no two raters judged the same unit, or all values are equal.
    """
    units: dict[Hashable, dict[Hashable, Any]] = defaultdict(dict)
    for unit, rater, value in judgments:
        units[unit][rater] = value
    pairable = [list(values.values()) for values in units.values() if len(values) > 1]
    counts = Counter(value for values in pairable for value in values)
    if len(counts) < 2:
        return None
    values = sorted(counts) if level != "nominal" else list(counts)
    place = {value: at for at, value in enumerate(values)}
    totals = np.array([counts[value] for value in values], dtype=float)
    coincidences = np.zeros((len(values), len(values)))
    for unit_values in pairable:
        for one, other in permutations(unit_values, 2):
            coincidences[place[one], place[other]] += 1 / (len(unit_values) - 1)
    distances = _distances(values, totals, level)
    expected = (np.outer(totals, totals) * distances).sum() / (totals.sum() - 1)
    return float(1 - (coincidences * distances).sum() / expected)


def _distances(values: list[Any], totals: np.ndarray, level: Level) -> np.ndarray:
    """Return the squared difference of each two values."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    # Of ranks, half of those at both ends and all between them count.
    scale = np.cumsum(totals) - totals / 2 if level == "ordinal" else np.array(values, dtype=float)
    distances: np.ndarray = np.subtract.outer(scale, scale) ** 2
    return distances
