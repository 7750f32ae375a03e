"""Show records side by side with their differences marked: texts by word or character, pictures by setting."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import unescape
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any
from unicodedata import category

from inkframe.display.figure import (
    SERVICE,
    creativity,
    facts,
    fetch_thumbnails,
    held_by,
    look,
    summary,
    title,
    value,
)
from inkframe.display.fragments import card, fact_list, name_line, number_line, picture_tag, prompt_fold
from inkframe.display.markup import (
    SPACELESS,
    Html,
    bar,
    counted,
    cut,
    join,
    joined,
    line,
    measure,
    plain,
    prose,
    root,
    tag,
)
from inkframe.display.view import CELL_BYTES, View, fit
from inkframe.errors import InvalidArgument
from inkframe.schema import IMAGES, RESOURCES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    Record = Mapping[str, Any]

    Similarity = Callable[[str, Sequence[str]], Iterable[float]]

__all__ = ["Words", "against_first", "compare", "matches"]

_MOST = 12
#: The maximum characters of each text; fewer are shown if the output is too large.
_MOST_TEXT = 30_000
#: Twelve pictures of this size fit in a cell.
_PICTURE_PIXELS, _PICTURE_BYTES = 512, 45_000
#: The maximum number of words to compare; later words are shown, but neither compared nor marked.
MOST_WORDS = 4_000
#: In texts with more words, very frequent words do not start a match, which keeps the time near linear.
_LONG = 600
_MARKS = r"!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u205e\u3001-\u301f\uff01-\uff0f\uff1a-\uff20"
#: A tag of sanitized HTML.
_TAG = re.compile(r"""(<(?:[^"'<>]|"[^"]*"|'[^']*')*+>)""")
_WORD = re.compile(f"[{SPACELESS}]|(?:[^\\s{SPACELESS}{_MARKS}]|(?<=\\w)[{_MARKS}](?=\\w))+|[{_MARKS}]")


def compare(
    records: Sequence[Record],
    fetch: Callable[[Record], bytes] | None = None,
    *,
    similarity: Similarity | None = None,
    service: str = "",
) -> View:
    """Show records side by side with their differences marked.

    Documents are shown in columns under their names, with their Markdown rendered, and compared with the first
    one. In the first text, words that no other text has are marked; in the others, words that the first does
    not have. Scripts without spaces are compared by character. Settings that differ are marked.

    Args:
        records: Two to twelve documents, or two to twelve images.
        fetch: Returns the picture file of an image; not used for documents.
        similarity: Returns the similarity of a text to each of some others; none is shown without it.
        service: The name of the service in the line above the columns.

    Raises:
        InvalidArgument: There are fewer than two or more than twelve records, or images among documents.
    """
    if not 2 <= len(records) <= _MOST:
        raise InvalidArgument(
            f"compare needs 2 to {_MOST} records, got {len(records)}.\nPass a few rows, such as frame.head(3)."
        )
    held = {held_by(record) for record in records}
    if len(held) > 1:
        raise InvalidArgument(
            f"All records must be of one collection, got {' and '.join(name for name in RESOURCES if name in held)}.\n"
            "Pass images, or documents."
        )
    if held == {IMAGES.name}:
        bundle = _images(records, fetch, service)
    else:
        bundle = _documents(records, similarity, service)
    return View(Html(bundle["text/html"]), bundle["text/plain"])


def _documents(records: Sequence[Record], similarity: Similarity | None, service: str) -> dict[str, Any]:
    first, *others = [str(value(record, "result") or "") for record in records]
    found = [None, *(similarity(first, others) if similarity else [None] * len(others))]
    return fit(lambda most: _cut_documents(records, found, service, most), _MOST_TEXT, CELL_BYTES)


def _cut_documents(
    records: Sequence[Record], similarities: Sequence[float | None], service: str, most: int
) -> dict[str, Any]:
    texts = [Words.of(prose(cut(plain(value(record, "result") or ""), most))) for record in records]
    settings, differing = _settings([_document_settings(record) for record in records])
    prompts = {plain(value(record, "prompt") or "") for record in records}
    columns = [
        _document_column(
            record,
            fact_list(rows, differing),
            body,
            similarity,
            None if len(prompts) == 1 else prompt_fold(record, most),
        )
        for record, rows, body, similarity in zip(
            records, settings, against_first(texts), similarities, strict=True
        )
    ]
    head = joined(counted(len(records), "document"), line(service, 80), _differences(differing))
    legend = [tag("del", "only in the first text"), " · ", tag("ins", "not in the first text")]
    if any(len(words.spans) == MOST_WORDS for words in texts):
        legend.append(f" · compared up to {MOST_WORDS:,} words")
    if any(len(plain(value(record, "result") or "")) > most for record in records):
        legend.append(f" · shown up to {most:,} characters; document.result has the full text")
    shared_prompt = prompt_fold(records[0], most) if len(prompts) == 1 else None
    # The first one is not compared with itself.
    ends = ["" if each is None else f"  similarity {each:.2f}" for each in similarities]
    pairs = zip(records, ends, strict=True)
    rows = [head, *(f"{title(record)}  {summary(record)}{end}" for record, end in pairs)]
    html = root(bar(head, join(*legend)), _columns(columns), shared_prompt, parts=("prose", "compare"))
    return {"text/html": str(html), "text/plain": "\n".join(rows)}


def _document_settings(record: Record) -> dict[str, str]:
    """Return the settings of a document by heading."""
    level, template = value(record, "creativity"), value(record, "template")
    step = creativity(record) or "None"
    number = f" ({level:g})" if isinstance(level, int | float) and not step.startswith("creativity") else ""
    label = "None" if template is None else line(template, 60)
    service = {"Service": line(record[SERVICE], 80)} if SERVICE in record else {}
    return {"Creativity": step + number, "Template": label, "Id": line(value(record, "id"), 60)} | service


def _settings(
    found: Sequence[Mapping[str, str]],
) -> tuple[list[list[tuple[str, str]]], frozenset[str]]:
    """Return the same headings for every record, with their values, and the headings whose values differ."""
    headings = list(dict.fromkeys(heading for each in found for heading in each))
    rows = [[(heading, each.get(heading, "None")) for heading in headings] for each in found]
    differing = {heading for heading in headings if len({each.get(heading) for each in found}) > 1}
    # The time of creation and the id always differ and are not settings.
    return rows, frozenset(differing - {"Created", "Id"})


def _differences(differing: frozenset[str]) -> str:
    return f"differing: {', '.join(sorted(differing)).lower()}" if differing else "the settings are the same"


def _document_column(
    record: Record, settings: Html, body: Html, similarity: float | None, prompt: Html | None
) -> Html:
    count, noun = measure(str(value(record, "result") or "")).split()
    numbers = [(count, noun, "")]
    if similarity is not None:
        shared = "share of words and word pairs in common with the first text"
        numbers.append((f"{similarity:.2f}", "similarity", shared))
    return card(
        record,
        name_line(record),
        settings,
        tag("div", body or "No text yet.", class_="ink-text ink-prose", dir="auto"),
        number_line(numbers),
        prompt,
    )


def _images(
    records: Sequence[Record], fetch: Callable[[Record], bytes] | None, service: str
) -> dict[str, Any]:
    if fetch is None:
        raise InvalidArgument(
            "fetch is required to compare images.\nPass a function that returns a record's picture file."
        )
    small = fetch_thumbnails(records, fetch, size=_PICTURE_PIXELS, max_bytes=_PICTURE_BYTES, service=service)
    settings, differing = _settings([dict(facts(record, record.get(SERVICE, ""))) for record in records])
    texts = [Words.of(cut(plain(value(record, "description") or ""), 800)) for record in records]
    columns = [
        card(
            record,
            picture_tag(record, picture, _PICTURE_PIXELS),
            name_line(record),
            tag("p", description, class_="ink-description", dir="auto"),
            fact_list(rows, differing),
        )
        for record, picture, description, rows in zip(
            records, small, against_first(texts), settings, strict=True
        )
    ]
    head = joined(counted(len(records), "picture"), line(service, 80), _differences(differing))
    html = root(bar(head), _columns(columns), parts=("compare",))
    rows = (f"{title(record)}  {look(record)}" for record in records)
    return {"text/html": str(html), "text/plain": "\n".join([head, *rows])}


def _columns(columns: Sequence[Html]) -> Html:
    return tag("div", *columns, class_="ink-cols", style="display:flex;flex-wrap:wrap;gap:16px")


@dataclass(frozen=True, slots=True)
class Words:
    """A text and the positions of its words.

    Args:
        text: The text.
        spans: Where each word, character or mark begins and ends; spaces belong to none.
        parts: The pieces of the text in order, with the tags between them as ``Html``.
    """

    text: str
    spans: Sequence[tuple[int, int]]
    parts: Sequence[str]

    @classmethod
    def of(cls, text: str | Html) -> Words:
        """Find the words of a text, or of the text in HTML; at most 4,000."""
        pieces: list[str] = [text]
        if isinstance(text, Html):
            split = _TAG.split(text)  # a text, then a tag and a text in turn
            pieces = [Html(each) if at % 2 else unescape(each) for at, each in enumerate(split)]
            text = "".join(pieces[::2])
        spans: list[tuple[int, int]] = []
        for found in _WORD.finditer(text):
            start, end = found.span()
            # A vowel sign or accent belongs to the character before it, so no tag may separate them.
            if spans and spans[-1][1] == start and category(text[start])[0] == "M":
                spans[-1] = (spans[-1][0], end)
            elif len(spans) == MOST_WORDS:
                break
            else:
                spans.append((start, end))
        return cls(text, spans, pieces)

    @property
    def words(self) -> list[str]:
        """The words as a list."""
        return [self.text[start:end] for start, end in self.spans]


def matches(first: Words, second: Words) -> list[tuple[int, int]]:
    """Return the positions of the words that two texts share, in order, in the first and in the second."""
    one, two = first.words, second.words
    head = 0
    while head < min(len(one), len(two)) and one[head] == two[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(two)) - head and one[-1 - tail] == two[-1 - tail]:
        tail += 1
    pairs = [(at, at) for at in range(head)]
    middle_one, middle_two = one[head : len(one) - tail], two[head : len(two) - tail]
    matcher = SequenceMatcher(None, middle_one, middle_two, autojunk=len(middle_two) > _LONG)
    for a, b, length in matcher.get_matching_blocks():
        pairs += [(head + a + step, head + b + step) for step in range(length)]
    return pairs + [(len(one) - step, len(two) - step) for step in range(tail, 0, -1)]


def _marked(words: Words, shared: Collection[int], element: str) -> Html:
    """Return a text in which every run of words that are not shared is in an element.

    A run that a tag of the text divides is in several elements.

    Args:
        words: The text.
        shared: Positions of the words that need no mark.
        element: ``ins`` or ``del``.
    """
    edges = [*_edges(words.spans, shared)]
    found: list[object] = []
    end = 0
    for part in words.parts:
        if isinstance(part, Html):
            found.append(part)
            continue
        start, end = end, end + len(part)
        inside = edges[bisect_right(edges, start) : bisect_left(edges, end)]
        for at, until in pairwise([start, *inside, end]):
            piece = words.text[at:until]
            is_marked = bisect_right(edges, at) % 2 and piece.strip()
            found.append(tag(element, piece) if is_marked else piece)
    return join(*found)


def _edges(spans: Sequence[tuple[int, int]], shared: Collection[int]) -> Iterator[int]:
    """Yield where each run of words that are not shared begins and ends, in turn."""
    for is_shared, run in groupby(range(len(spans)), key=shared.__contains__):
        if not is_shared:
            places = [spans[step] for step in run]
            yield places[0][0]
            yield places[-1][1]


def against_first(texts: Sequence[Words]) -> list[Html]:
    """Mark the differences between the first text and each other one.

    In the first text, words that no other text has are marked.
    """
    first = texts[0]
    pairs = [matches(first, other) for other in texts[1:]]
    return [
        _marked(first, {a for shared in pairs for a, _ in shared}, "del"),
        *(
            _marked(other, {b for _, b in shared}, "ins")
            for other, shared in zip(texts[1:], pairs, strict=True)
        ),
    ]
