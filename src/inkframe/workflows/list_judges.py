"""Verdicts about lists: whether the records of a reply show that a parameter is honored.

Nothing is sent here. A row holds only if the reply differs from that of a service which ignores the parameter,
and fails only if a record contradicts it.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from inkframe.display.plain_text import counted
from inkframe.workflows.findings import named

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from inkframe.replies.columns import Columns
    from inkframe.schema import FieldSpec
    from inkframe.workflows.findings import Verdict

__all__ = ["Row", "judge_disjoint", "judge_field", "judge_filter", "judge_names", "judge_newest_first", "judge_reversal", "judge_search",
           "judge_sizes", "rows_of", "search_word"]  # fmt: skip

#: A record: its id and its fields.
Row = dict[str, Any]

WORD: Final = re.compile(r"\b[^\W\d_]{4,20}\b")
#: The number of characters of a text in which words are looked for.
MOST_READ: Final = 1000
#: The number of letters that forms of one word share.
STEM: Final = 3


def rows_of(columns: Columns) -> list[Row]:
    """Return the records of a page, each with its id."""
    return [
        {"id": id, **{name: values[row] for name, values in columns.known.items()}}
        for row, id in enumerate(columns.ids)
    ]


def judge_field(
    field: FieldSpec, rows: Sequence[Row], allowed: Sequence[Any] | None, *, is_shown: bool | None
) -> Verdict:
    """Return whether records show a field, with values that the interface allows.

    Args:
        field: The field.
        rows: The records.
        allowed: Its values; None for any.
        is_shown: Whether any record has the field, even without a value.
    """
    if not rows:
        return "unknown", "There is no record."
    values = [row[field.name] for row in rows if row[field.name] is not None]
    if not values and not is_shown and field.create == "required":
        return "fails", f"None of {len(rows)} records shows it. Under another name, it can be pinned."
    if not values:
        return "unknown", f"None of {len(rows)} records has a value."
    others = [] if allowed is None else [value for value in dict.fromkeys(values) if value not in allowed]
    if others:
        return "fails", f"{len(others)} values are not in the vocabulary: {named(others)}."
    return "holds", f"{len(values)} of {len(rows)} records have a value."


def judge_filter(
    found: Sequence[Row], sample: Sequence[Row], name: str, value: Any, allowed: Container[Any], size: int
) -> tuple[Verdict, list[Any]]:
    """Return whether a list is filtered, and the ids that it left out although they match.

    Args:
        found: The records with the filter.
        sample: The newest records without it.
        name: The field.
        value: The value that was asked for.
        allowed: The values of the vocabulary; any other may be a name of the one that was asked for.
        size: The number of records on a full page.
    """
    what = f"{name} {value!r}"
    wrong = [row["id"] for row in found if row[name] != value and row[name] in allowed]
    if wrong:
        return ("fails", f"{len(wrong)} of {len(found)} records have another {name}: {named(wrong)}."), []
    ids = {row["id"] for row in found}
    expected = [row["id"] for row in sample if row[name] == value]
    lacking = [id for id in expected if id not in ids] if len(found) < size else []
    if lacking:
        return ("fails", f"Records with {what} are left out: {named(lacking)}."), lacking
    others = [
        row["id"] for row in sample if row[name] != value and row[name] in allowed and row["id"] not in ids
    ]
    matching = [row for row in found if row[name] == value]
    if not matching:
        return ("unknown", f"No record with {what} is known, so that the filter cannot be seen."), []
    if not others:
        return ("unknown", f"No record with another {name} is known, so that the filter cannot be seen."), []
    return (
        "holds",
        f"{counted(len(matching), 'record')} with {what} listed; others, such as {named(others[:1])}, are left out.",
    ), []


def judge_disjoint(found: Sequence[Row], sample: Sequence[Row]) -> Verdict:
    """Return whether a list with a filter has other records than one without, which do not show the field."""
    ids = {row["id"] for row in sample}
    shared = [row["id"] for row in found if row["id"] in ids]
    if shared:
        return "fails", f"Records of the list without it are listed: {named(shared)}."
    return "holds", f"{len(found)} records are listed, none of which is in the list without it."


def search_word(rows: Sequence[Row], name: str) -> str | None:
    """Return a word that some records have in a field and others do not; else one that all have, or None."""
    texts = [str(row[name]).casefold() for row in rows if row[name]]
    words = dict.fromkeys(word for text in texts for word in WORD.findall(text[:MOST_READ]) if word.isascii())
    counts = {word: sum(word in text for text in texts) for word in words}
    # One that half of the records have shows the most.
    return min(counts, key=lambda word: abs(2 * counts[word] - len(rows)), default=None)


def judge_search(
    found: Sequence[Row], sample: Sequence[Row], name: str, word: str, size: int
) -> tuple[Verdict, list[Any]]:
    """Return whether a list is searched, and the ids that it left out although they match; as ``judge_filter``."""
    stems = {row["id"]: _has_stem(row[name], word) for row in [*sample, *found]}
    wrong = [row["id"] for row in found if stems[row["id"]] is False]
    if wrong:
        return (
            "fails",
            f"{len(wrong)} of {len(found)} records have no {word!r} in {name}: {named(wrong)}.",
        ), []
    ids = {row["id"] for row in found}
    expected = [row["id"] for row in sample if re.search(rf"\b{word}\b", str(row[name] or "").casefold())]
    lacking = [id for id in expected if id not in ids] if len(found) < size else []
    if lacking:
        return ("fails", f"Records with {word!r} in {name} are left out: {named(lacking)}."), lacking
    others = [id for id, has_stem in stems.items() if has_stem is False and id not in ids]
    if not any(stems[row["id"]] for row in found) or not others:
        return (
            "unknown",
            f"No two records differ in {name} by {word!r}, so that the search cannot be seen.",
        ), []
    return (
        "holds",
        f"{counted(len(found), 'record')} with {word!r} in {name} listed; others are left out.",
    ), []


def _has_stem(text: Any, word: str) -> bool | None:
    """Return whether a text has a form of a word, since a search may also find those; None without a text."""
    return None if text is None else word[:STEM] in str(text).casefold()


def judge_newest_first(rows: Sequence[Row]) -> Verdict:
    """Return whether records are ordered by creation descending, by numeric ids or else by time."""
    for name in ("id", "created_at"):
        values = [row[name] for row in rows]
        if len(set(map(str, values))) < 2 or any(value is None or isinstance(value, str) for value in values):
            continue
        for earlier, later in pairwise(rows):
            if earlier[name] < later[name]:
                return "fails", f"{later['id']!r} was created after {earlier['id']!r}, and follows it."
        return "holds", f"{len(rows)} records are ordered by {name}, descending."
    return "unknown", "The records do not show when they were created."


def judge_reversal(ascending: Sequence[Row], descending: Sequence[Row], size: int) -> Verdict:
    """Return whether a list in ascending order is the other way round than in descending order.

    Args:
        ascending: The records in ascending order.
        descending: The records in descending order.
        size: The number of records on a full page.
    """
    up, down = [row["id"] for row in ascending], [row["id"] for row in descending]
    if len(down) < 2:
        return "unknown", "There are fewer than two records."
    if up == down:
        return "fails", f"The order is the same for asc and desc: {named(up)}."
    if len(down) < size:
        is_reversed = up == down[::-1]
        return (
            "holds" if is_reversed else "fails",
            f"asc begins with {named(up[:1])}, desc with {named(down[:1])}.",
        )
    backwards = judge_newest_first(ascending[::-1])
    return backwards[0], f"asc begins with {named(up[:1])}, desc with {named(down[:1])}."


def judge_names(rows: Sequence[Row]) -> Verdict:
    """Return whether records are ordered by name, by the first letters that every alphabet has in common."""
    firsts = [(str(row["name"])[:1].casefold(), row["name"]) for row in rows if row["name"]]
    letters = [each for each in firsts if each[0].isascii() and each[0].isalpha()]
    if len({letter for letter, _ in letters}) < 2:
        return "unknown", "There are no two names that begin with different letters."
    pairs = [(name, following) for (one, name), (other, following) in pairwise(letters) if one > other]
    if not pairs:
        return "holds", f"{counted(len(rows), 'record')} in the order of their names."
    if all(one >= other for (one, _), (other, _) in pairwise(letters)):
        return "holds", "The records are in the reverse order of their names, whatever sort is."
    return "fails", f"{named(pairs[0][:1])} is before {named(pairs[0][1:])}."


def _judge_size(asked: int, count: int, most: int) -> Verdict:
    """Return whether a page has the requested number of records.

    Args:
        asked: The requested number.
        count: The number of records on the page.
        most: The number of records that are known to exist.
    """
    if count > asked:
        return "fails", f"A page of {asked} has {counted(count, 'record')}."
    if count == asked:
        return "holds", f"A page of {asked} has {counted(count, 'record')}."
    if count < most:
        return (
            "fails",
            f"A page of {asked} has {counted(count, 'record')}, although there are at least {most:,}.",
        )
    return "unknown", f"There are fewer than {asked} records."


def judge_sizes(counts: Mapping[int, int], most: int) -> Verdict:
    """Return the verdict of several page sizes together: the first that fails, else one that holds.

    Args:
        counts: The number of records on a page by the requested number.
        most: The number of records that are known to exist.
    """
    verdicts = [_judge_size(asked, count, most) for asked, count in counts.items()]
    return min(verdicts, key=lambda verdict: ("fails", "holds", "unknown").index(verdict[0]))
