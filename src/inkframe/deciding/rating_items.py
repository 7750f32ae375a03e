"""The items to rate, sampled without their groups, and what the judgments say of them."""

from __future__ import annotations

import hashlib
import random
import secrets
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, combinations, zip_longest
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from inkframe.deciding.groups import CASE, RATING, SCALE, strictness
from inkframe.deciding.verdict import compare_groups
from inkframe.deciding.win_rates import krippendorff_alpha, win_rates
from inkframe.errors import ConfigurationError, InvalidArgument, nearest
from inkframe.frames import plain, records_of, rows_of
from inkframe.schema import ResourceSpec
from inkframe.versions import as_texts, text_type

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from inkframe.deciding.ratings import Judgment

    Group = tuple[Hashable, ...]

__all__ = [
    "Content",
    "Item",
    "agreement",
    "item_key",
    "rated_frame",
    "sample_items",
    "standing",
]

#: The column of the frame, and its type and those beside it.
COLUMNS: Final = {"scale": RATING, "labels": "label"}
TYPES: Final[dict[str, Any]] = {"rating": "float64", "label": text_type(), "raters": "Int64", "blind": "boolean",
                "rated_at": "datetime64[us, UTC]"}  # fmt: skip


@dataclass(eq=False, slots=True)
class Content:
    """A text or a picture, for all rows that have it.

    Args:
        record: The values of its first row by name.
        text: The text; empty for a picture.
        digest: A hash of the text; empty for a picture.
        case: What the prompt is about.
        rows: The position and the id of each of its rows in the frame, by group.
    """

    record: dict[str, Any]
    text: str
    digest: str
    case: str
    rows: dict[Group, list[tuple[int, Any]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def key(self) -> str:
        """What a judgment names it by, also in another session."""
        return self.digest or f"id {self.record['id']}"


@dataclass(frozen=True, eq=False, slots=True)
class Item:
    """One content, or two that are compared.

    Args:
        contents: The contents in the order they are shown.
        token: A random name, which shows nothing.
    """

    contents: tuple[Content, ...]
    token: str = field(default_factory=lambda: secrets.token_hex(8))

    @property
    def key(self) -> frozenset[str]:
        """The keys of its contents."""
        return frozenset(content.key for content in self.contents)


@dataclass(frozen=True, slots=True)
class Sample:
    """The sample of a frame that is rated.

    Args:
        spec: The collection of its records.
        records: These records by id.
        items: The items in the order they are shown.
        contents: The contents of these items.
        groups: All groups, in the order of the frame.
        shows_cases: Whether the case can be shown: otherwise it could reveal the group.
    """

    spec: ResourceSpec
    records: pd.DataFrame
    items: list[Item]
    contents: list[Content]
    groups: list[Group]
    shows_cases: bool


def sample_items(
    frame: pd.DataFrame,
    by: Sequence[str],
    *,
    pairs: bool,
    per_group: int,
    random_state: int,
    rater: str,
    column: str | None = None,
) -> Sample:
    """Return what a rater is shown of a frame.

    Which records are chosen depends on ``random_state`` alone, so that raters judge the same ones; their order
    depends on the rater too. Each round has one record of each group, all of one case, and the cases alternate, so
    that groups can be compared within cases at any time.

    Args:
        frame: A frame of documents or images.
        by: The columns that make the groups; with none, all records are chosen.
        pairs: Whether two records are compared at a time.
        per_group: How many records of each group are chosen, or how many comparisons it takes part in.
        random_state: The seed of the choice.
        rater: The name of the rater.
        column: The generated column that is rated, where the frame has several.

    Raises:
        InvalidArgument: The frame has no such column, or nothing to rate.
    """
    for name in by:
        if name not in frame.columns:
            close = nearest(name, map(str, frame.columns))
            hint = f"Did you mean {close!r}?" if close else f"Columns: {', '.join(map(str, frame.columns))}."
            raise InvalidArgument(f"The frame has no column {name!r} to group by.\n{hint}")
    spec, _, places, records = records_of(frame, column=column)
    groups_at = [*zip(*(plain(frame[name].iloc[places]) for name in by), strict=True)] or [()] * len(places)
    contents = _contents(zip(places, rows_of(records), groups_at, strict=True), spec)
    groups = list(dict.fromkeys(group for each in contents for group in each.rows))
    for_all, for_rater = random.Random(f"{random_state}"), random.Random(f"{random_state} {rater}")
    items = (_pairs if pairs else _singles)(contents, groups, per_group if by else None, for_all, for_rater)
    if not items:
        lacks = "two different texts of one case" if pairs else spec.generated
        raise InvalidArgument(f"The frame has nothing to rate: no row has {lacks}.\nPass finished records.")
    return Sample(
        spec,
        records,
        items,
        [*dict.fromkeys(content for item in items for content in item.contents)],
        groups,
        _shows_cases(frame, by),
    )


def _shows_cases(frame: pd.DataFrame, by: Sequence[str]) -> bool:
    """Return whether the case reveals nothing about the group: every group has every case."""
    if CASE not in frame.columns or CASE in by:
        return False
    cells, groups, cases = (
        len(frame[[*names]].drop_duplicates()) for names in ((CASE, *by), by or (CASE,), (CASE,))
    )
    return not by or cells == groups * cases


def _contents(rows: Iterable[tuple[int, dict[str, Any], Group]], spec: ResourceSpec) -> list[Content]:
    """Return the different contents of the rows that have one, each with its position and its group."""
    found: dict[str, Content] = {}
    for at, record, group in rows:
        text = "" if spec.has_picture else str(record.get(spec.generated) or "").strip()
        if spec.has_picture or text:
            digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16] if text else ""
            content = Content(record, text, digest, str(record.get(CASE) or ""))
            content = found.setdefault(content.key, content)
            content.rows[group].append((at, record["id"]))
    return list(found.values())


def _singles(
    contents: Sequence[Content],
    groups: Sequence[Group],
    per_group: int | None,
    for_all: random.Random,
    for_rater: random.Random,
) -> list[Item]:
    taken: Counter[Group] = Counter()
    chosen: dict[Content, None] = {}
    for group, content in chain.from_iterable(_rounds(contents, groups, for_all)):
        if per_group is None or taken[group] < per_group:
            taken[group] += 1
            chosen[content] = None
    order: dict[Content, None] = {}
    for one_of_each in _rounds(chosen, groups, for_rater):
        for_rater.shuffle(one_of_each)
        order |= dict.fromkeys(content for _, content in one_of_each)
    return [Item((content,)) for content in order]


def _rounds(
    contents: Iterable[Content], groups: Sequence[Group], chance: random.Random
) -> list[list[tuple[Group, Content]]]:
    """Return rounds of one content of each group, each of one case; a content comes once for each of its rows."""
    cells: dict[str, Any] = defaultdict(lambda: {each: [] for each in groups})
    for content in contents:
        for group, rows in content.rows.items():
            cells[content.case][group] += [(group, content)] * len(rows)
    cases = list(cells.values())
    chance.shuffle(cases)
    for cell in chain.from_iterable(map(dict.values, cases)):
        chance.shuffle(cell)
    in_turn = zip_longest(*(zip_longest(*case.values()) for case in cases), fillvalue=())
    return [[each for each in one if each] for rounds in in_turn for one in rounds]


def _pairs(
    contents: Sequence[Content],
    groups: Sequence[Group],
    per_group: int | None,
    for_all: random.Random,
    for_rater: random.Random,
) -> list[Item]:
    """Return comparisons of different contents of one case and of two groups, the least used ones first."""
    duels = list(combinations(groups, 2)) or [(group, group) for group in groups]
    rounds = len(contents) if per_group is None else -(-per_group // max(1, len(groups) - 1))
    pools: dict[tuple[Group, str], list[Content]] = defaultdict(list)
    for content in contents:
        for group in content.rows:
            pools[group, content.case].append(content)
    cases = list(dict.fromkeys(content.case for content in contents))
    uses: Counter[Any] = Counter()
    found: dict[frozenset[Content], Item] = {}

    def least_used(options: Iterable[Any], *of: Any) -> list[Any]:
        return sorted(options, key=lambda each: (uses[(*of, each)], for_all.random()))

    for duel in duels * rounds:
        pair = next(
            (
                (one, other)
                for case in least_used(cases, duel)
                for one in least_used(pools[duel[0], case])
                for other in least_used(pools[duel[1], case])
                if one is not other and frozenset((one, other)) not in found
            ),
            None,
        )
        if pair is not None:
            one, other = pair
            uses.update([(duel, one.case), (one,), (other,)])
            found[frozenset(pair)] = Item(pair if for_all.random() < 0.5 else pair[::-1])
    items = list(found.values())
    for_rater.shuffle(items)
    return items


def item_key(judgment: Judgment) -> frozenset[str]:
    """Return the key of the item that a judgment is about."""
    if judgment.content:
        return frozenset(judgment.content.split("|"))
    return frozenset(f"id {id}" for id in (judgment.id, judgment.other) if id is not None)


def _counting(judgments: Iterable[Judgment]) -> dict[frozenset[str], dict[str, Judgment]]:
    """Return the judgment of each rater that counts, by item: a blind one before others, then the last."""
    found: dict[frozenset[str], dict[str, Judgment]] = defaultdict(dict)
    for each in judgments:
        before = found[item_key(each)].get(each.rater)
        if before is None or each.blind or not before.blind:
            found[item_key(each)][each.rater] = each
    return found


def rated_frame(
    frame: pd.DataFrame, contents: Iterable[Content], judgments: Sequence[Judgment], mode: str
) -> pd.DataFrame:
    """Return the frame with its ratings or labels, how many raters gave one, whether all were blind, and when.

    Of several raters the mean counts, once what each gives more or less than the others is taken off, within the
    scale; of labels the most frequent one, or none where two are.

    Args:
        frame: The frame.
        contents: The contents that were shown.
        judgments: The judgments of them.
        mode: ``scale`` or ``labels``; a frame of pairs has no column.
    """
    if mode == "pairs":
        return frame.copy()
    found = _counting(judgments)
    given = [
        (at, str(group), each)
        for content in contents
        for each in found.get(frozenset((content.key,)), {}).values()
        for group, rows in content.rows.items()
        for at, _ in rows
    ]
    column = COLUMNS[mode]
    rated = pd.DataFrame(
        [(at, group, each.value, each.rater, each.blind, each.rated_at) for at, group, each in given],
        columns=["at", "group", column, "raters", "blind", "rated_at"],
    )
    if mode == "scale":
        rated[column] = rated[column].astype("float64")
        rated[column] -= strictness(rated[column], rated["raters"], rated["group"])
    by_row = rated.groupby("at").agg({column: "mean" if mode == "scale" else _most, "raters": "size",
                                      "blind": "all", "rated_at": "max"})  # fmt: skip
    highest = next((each.options for each in judgments if isinstance(each.options, int)), None)
    if highest is not None:
        by_row[column] = by_row[column].clip(1, highest)
    by_row = by_row.reindex(range(len(frame))).fillna({"raters": 0}).set_index(frame.index)
    result = frame.assign(**{name: by_row[name].astype(TYPES[name]) for name in map(str, by_row)})
    result.attrs = result.attrs | ({} if highest is None else {SCALE: highest})
    return result


def standing(rated: pd.DataFrame, ratings: pd.DataFrame, by: Sequence[str], mode: str) -> pd.DataFrame:
    """Return a row for each group: how many records were rated, and how, the best first.

    Args:
        rated: What ``rated_frame`` returned.
        ratings: The judgments with their groups.
        by: The columns that make the groups.
        mode: ``scale``, ``labels`` or ``pairs``.
    """
    names, column = [*by], COLUMNS.get(mode)
    known = rated[rated[column].notna()] if column else rated.iloc[:0]
    found: Any = pd.DataFrame(columns=[*names, "n"])
    if column and len(known):
        keys = [known[name] for name in names] or [known[column].notna()]
        groups = known.groupby(keys, dropna=False, observed=True)[column]
        found = groups.agg(n="size", mean="mean") if mode == "scale" else groups.agg(n="size")
        if mode == "labels":
            found = found.join(pd.crosstab(keys, known[column], normalize="index"))
        found = found.reset_index(drop=not names)
    # Fewer than two groups have any that count, or SciPy is missing, without which means have no intervals.
    with suppress(InvalidArgument, ConfigurationError):
        if mode == "pairs":
            found = win_rates(ratings, by=names)[[*names, "n", "win_rate", "low", "high"]]
        elif mode == "scale":
            found = compare_groups(rated, by=names, column=RATING)[
                [*names, "n", "mean", "low", "high", "verdict"]
            ]
    best = [name for name in ("mean", "win_rate") if name in found]
    if best:
        found = found.sort_values(best, ascending=False, ignore_index=True)
    return as_texts(found)


def agreement(judgments: Sequence[Judgment], mode: str) -> float | None:
    """Return Krippendorff's alpha of the judgments, if two raters judged the same item."""
    values = [
        (item, rater, _side(each) if mode == "pairs" else each.value)
        for item, given in _counting(judgments).items()
        for rater, each in given.items()
    ]
    return krippendorff_alpha(values, "ordinal" if mode == "scale" else "nominal")


def _side(judgment: Judgment) -> str:
    """Return which content of a pair won, wherever it was shown."""
    if judgment.winner is None:
        return "tie"
    keys = judgment.content.split("|") if judgment.content else [str(judgment.id), str(judgment.other)]
    return keys[0 if judgment.winner == judgment.id else 1]


def _most(labels: pd.Series) -> str | None:
    modes = labels.mode()
    return modes[0] if len(modes) == 1 else None
