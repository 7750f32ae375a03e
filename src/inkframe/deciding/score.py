"""``ink.score``: check and score the texts or pictures of a frame."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from io import BytesIO
from operator import and_
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from inkframe.analysis.validation import attribute, require, texts
from inkframe.deciding.scorers import Judge, RowScorer, Scorer
from inkframe.deciding.verdict import judged_notes
from inkframe.display.console import notice
from inkframe.display.markup import line
from inkframe.errors import InvalidArgument, checked
from inkframe.resources.records import held_by, rows_of
from inkframe.resources.views import collection_of
from inkframe.schema import RESOURCES
from inkframe.versions import text_type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["score"]

#: The column over all checks.
PASSED: Final = "passed"
#: After the name of a judged column, the column of its reasons.
REASON: Final = "_reason"
#: The key of the frame's attrs for its scorers and their failures.
ATTRIBUTE: Final = "scoring"
#: The values of a scorer by kind, and the type of their column.
KINDS: Final = {"check": "boolean", "score": "float64", "label": text_type()}


@checked
def score(frame: pd.DataFrame, /, **scorers: Callable[[Any], Any]) -> pd.DataFrame:
    """Return the frame with a column for each scorer, and ``passed`` over the checks.

    A scorer is a function of the text of a document or of the picture of an image (a ``PIL.Image``); with
    ``ink.scorers.by_row`` it gets the whole row. True and False make a check, numbers a score, texts a label.
    Where a scorer raises or returns something else, its cell is missing, and ``attrs["scoring"]`` and a
    printed line say so. Rows without text are not scored. Running it again replaces its own columns.

    Args:
        frame: Documents or images.
        scorers: The scorers, by the name of their column.

    Returns:
        A copy of the frame. ``passed`` is True where every check is, False where one is not, else missing.
        ``attrs["scoring"]`` has the checks, scores and labels, what failed, and the calls of judges.

    Raises:
        InvalidArgument: A name is that of a field of records or of another column, or a scorer is no function.

    Example:
        >>> runs = ink.score(runs, short=ink.scorers.max_words(80), valid=ink.scorers.is_json)
    """
    require(frame)
    before = attribute(frame, ATTRIBUTE)
    _check_names(frame, scorers, before)
    columns: dict[str, Any] = {}
    scoring: dict[str, Any] = {key: dict(before.get(key, {})) for key in ("kinds", "failed", "judged")}
    for name, found in _cells(frame, scorers).items():
        judge, cells = scorers[name], found
        if isinstance(judge, Judge):
            columns[name + REASON] = pd.array([_part(cell, 1) for cell in found], dtype=text_type())
            cells = [_part(cell, 0) for cell in found]
            scoring["judged"][name] = {"question": judge.question, "calls": judge.calls}
        columns[name], scoring["kinds"][name], failed = _column(cells)
        scoring["failed"].pop(name, None)
        if failed:
            scoring["failed"][name] = failed
            notice(f"{name}: no value in {failed['rows']:,} of {len(frame):,} rows ({failed['first']})")
    result = frame.assign(**columns)
    checks = [name for name, kind in scoring["kinds"].items() if kind == "check" and name in result.columns]
    if checks:
        result[PASSED] = reduce(and_, (result[name] for name in checks))
    result.attrs = frame.attrs | {ATTRIBUTE: scoring}
    for name in [name for name in scorers if name in scoring["judged"]]:
        scoring["judged"][name]["agreement"] = judged_notes(result, name)[0]
        notice(
            f"{name}: {scoring['judged'][name]['calls']:,} calls so far; {scoring['judged'][name]['agreement']}"
        )
    return result


def _check_names(frame: pd.DataFrame, scorers: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    if not scorers:
        raise InvalidArgument(
            "score needs at least one scorer.\nPass such as short=ink.scorers.max_words(80)."
        )
    fields = {
        PASSED,
        "id",
        "status",
        "error",
        *(name for spec in RESOURCES.values() for name in spec.columns),
    }
    for name, scorer in scorers.items():
        own = name in before.get("kinds", {})
        if name in fields or (name in frame.columns and not own):
            raise InvalidArgument(
                f"The frame has a column {name!r} that is not a scorer's.\nGive the scorer another name."
            )
        if not callable(scorer):
            raise InvalidArgument(
                f"{name} must be a function, got {line(repr(scorer), 60)}.\n"
                "Pass a function of the text, or one of ink.scorers."
            )


def _cells(frame: pd.DataFrame, scorers: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return what each scorer returned or raised for each row; None for rows without a value to score."""
    found: dict[str, list[Any]] = {
        name: [_call(each, row) for _, row in frame.iterrows()]
        if isinstance(each, RowScorer)
        else [None] * len(frame)
        for name, each in scorers.items()
    }
    of_values = {name: each for name, each in scorers.items() if not isinstance(each, RowScorer)}
    if not of_values:
        return found
    if RESOURCES[held_by(frame) or "documents"].has_picture:
        for at, picture in _pictures(frame):
            for name, scorer in of_values.items():
                found[name][at] = picture if isinstance(picture, Exception) else _call(scorer, picture)
        return found
    values, present = texts(frame, "result")
    rows = np.flatnonzero(present).tolist()
    known = values.filter(present).to_pylist()
    for name, scorer in of_values.items():
        every = scorer.every(known) if isinstance(scorer, Scorer) else (_call(scorer, text) for text in known)
        for at, value in zip(rows, every, strict=True):
            found[name][at] = value
    return found


def _pictures(frame: pd.DataFrame) -> Iterator[tuple[int, Any]]:
    """Yield the position and the picture of each row, or the error of fetching it."""
    from PIL import Image

    collection = collection_of(frame, "images", "get")
    has_id = frame["id"].notna().to_numpy() if "id" in frame.columns else np.ones(len(frame), bool)
    for at, row in zip(np.flatnonzero(has_id).tolist(), rows_of(frame[has_id]), strict=True):
        yield at, _call(lambda row: Image.open(BytesIO(collection.picture_of_row(row))), row)


def _call(function: Callable[[Any], Any], value: Any) -> Any:
    """Return what a function returns or raises."""
    try:
        return function.judged(value) if isinstance(function, Judge) else function(value)
    except Exception as error:  # noqa: BLE001  # a scorer is anyone's code, and costs its cell only
        return error


def _part(cell: Any, at: int) -> Any:
    return cell[at] if isinstance(cell, tuple) else cell if at == 0 else None


def _column(cells: list[Any]) -> tuple[Any, str, dict[str, Any]]:
    """Return cells as a column, its kind, and what failed."""
    kinds = [_kind(cell) for cell in cells]
    counts = Counter(kind for kind in kinds if kind in KINDS)
    kind = counts.most_common(1)[0][0] if counts else "score"
    missing = np.nan if kind == "score" else None
    values: Any = [cell if of == kind else missing for cell, of in zip(cells, kinds, strict=True)]
    wrong = [at for at, of in enumerate(kinds) if of not in {kind, ""}]
    failed: dict[str, Any] = {}
    if wrong:
        cell = cells[wrong[0]]
        what = (
            f"{type(cell).__name__}: {cell}" if isinstance(cell, Exception) else f"got {cell!r}, not a {kind}"
        )
        failed = {"rows": len(wrong), "positions": wrong[:20], "first": line(what, 160)}
    return pd.array(values, dtype=KINDS[kind]), kind, failed


def _kind(cell: Any) -> str:
    """Return the kind of a cell: one of ``KINDS``, empty for a missing value, else ``other``."""
    if isinstance(cell, bool | np.bool_):
        return "check"
    if isinstance(cell, int | float | np.number):
        return "" if np.isnan(cell) else "score" if np.isfinite(cell) else "other"
    if isinstance(cell, str):
        return "label"
    return "" if cell is None or cell is pd.NA else "other"
