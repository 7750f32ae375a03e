"""Differences and measures of the texts of a tuning run."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from inkframe.display.comparison import Words, against_first
from inkframe.display.markup import cut, plain, prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

    from inkframe.analysis.text_measures import Measures
    from inkframe.creating.rows import Row
    from inkframe.display.markup import Html

__all__ = [
    "COMPARED",
    "DIFFERENCES",
    "MEASURES",
    "Place",
    "differences",
    "measured",
    "place",
    "with_measures",
]

#: A creativity level and a repeat.
Place = tuple[float, int]
#: Characters of a text that are shown and compared.
COMPARED: Final = 20_000
#: The texts that each text is compared with.
DIFFERENCES: Final = (
    ("From the first text", "first"),
    ("From the first text of each level", "level"),
    ("Not marked", "none"),
)
MEASURES: Final = ("words", "distinct_words", "similarity", "reading_ease")


def place(row: Row) -> Place:
    """Return the level and the repeat of a row."""
    return float(row.fields["creativity"]), row.repeat


def differences(rows: Iterable[Row], how: str) -> dict[Place, Html]:
    """Return each text with its differences marked.

    Args:
        rows: Rows that have a text.
        how: A value of ``DIFFERENCES``.
    """
    texts = {place(row): Words.of(prose(cut(plain(_text(row)), COMPARED))) for row in rows}
    groups: dict[Any, list[Place]] = defaultdict(list)
    for each in sorted(texts):
        groups[{"first": None, "level": each[0], "none": each}[how]].append(each)
    return {
        each: body
        for members in groups.values()
        if len(members) > 1
        for each, body in zip(members, against_first([texts[each] for each in members]), strict=True)
    }


def measured(rows: Iterable[Row], language: str | None) -> dict[Place, Measures]:
    """Measure each text; its similarity is that to the other texts of its level.

    Args:
        rows: Rows that have a text.
        language: The language of the texts, where it is known.
    """
    from inkframe.analysis.text_measures import measure

    levels: dict[float, list[Row]] = defaultdict(list)
    for row in rows:
        levels[place(row)[0]].append(row)
    return {
        place(row): measures
        for members in levels.values()
        for row, measures in zip(
            members, measure([_text(row) for row in members], language=language), strict=True
        )
    }


def with_measures(frame: pd.DataFrame, rows: Sequence[Row], found: Mapping[Place, Measures]) -> pd.DataFrame:
    """Add a column for each measure to the frame of a run."""
    import pandas as pd

    def column(name: str) -> pd.Series:
        values = [getattr(found.get(place(row)), name, None) for row in rows]
        return pd.Series(values, frame.index, dtype="Int64" if "words" in name else "float64")

    return frame.assign(**{name: column(name) for name in MEASURES})


def _text(row: Row) -> str:
    return str(getattr(row.record, "result", None) or "")
