"""Show documents in full: a single one, or several, each folded under its name or open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from inkframe.display.figure import entry, row, star_tag, summary, title, value
from inkframe.display.markup import (
    MOST_OF_TEXT,
    SHOWN_OF_TEXT,
    Html,
    bar,
    counted,
    cut,
    fold,
    folded_prose,
    joined,
    line,
    plain,
    root,
    tag,
)
from inkframe.display.view import CELL_BYTES, RECORD_BYTES, View, fit, left_out, until_full
from inkframe.vocabulary.arguments import check_choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Record = Mapping[str, Any]

__all__ = ["article", "document_bundle", "entry_tag", "prompt_fold", "read"]

_FRAME_BYTES = 12_000
#: The maximum characters of a text as plain text; as HTML, twice that is tried first.
_PLAIN_TEXT = 20_000


def read(
    records: Sequence[Record], *, layout: Literal["accordion", "page"] = "accordion", service: str = ""
) -> View:
    """Show documents in full.

    The view adds at most 1 MB to the notebook. A line says how many documents are left out.

    Args:
        records: The documents, in order.
        layout: ``accordion`` folds each text under its name, ``page`` shows them open one below the other.
        service: The name of the service in the line above.

    Raises:
        InvalidArgument: There is no such layout.
    """
    check_choice("layout", layout, ("accordion", "page"))
    # A single document may fill a cell. With several, each gets an equal part before it is cut.
    most = max(4_000, min(200_000, (CELL_BYTES - _FRAME_BYTES) // (3 * max(1, min(len(records), 12)))))

    def fitting(record: Record) -> Html:
        element: Html = fit(
            lambda most: {"": entry_tag(record, layout, most, opened=len(records) == 1)},
            most,
            CELL_BYTES - 2 * _FRAME_BYTES,
        )[""]
        return element

    pairs = ((fitting(record), row(record, summary(record))) for record in records)
    kept = list(until_full(pairs, "".join, _FRAME_BYTES))
    notes = [
        joined(counted(len(records), "document"), line(service, 80)),
        *left_out(len(records) - len(kept)),
    ]
    rows = [joined(*notes), *(text for _, text in kept)]
    html = root(bar(*notes), *(element for element, _ in kept), parts=("prose", "read"))
    return View(html, "\n".join(rows))


def entry_tag(record: Record, layout: str, most: int, *, opened: bool = False) -> Html:
    """Return the element of one document: folded under its name (``accordion``), or open (``page``)."""
    if layout == "page":
        return article(record, shown=most, most=most)
    heading = tag(
        "summary",
        tag("span", title(record), star_tag(record), class_="ink-name", dir="auto", style="font-weight:600"),
        " ",
        tag("span", summary(record), class_="ink-meta", dir="auto"),
    )
    body = tag(
        "div",
        _result(record, most, most),
        prompt_fold(record, most),
        class_="ink-doc",
        style="max-width:660px",
    )
    return tag("details", heading, body, class_="ink-entry", open=opened)


def document_bundle(record: Mapping[str, Any], *, service: str = "") -> dict[str, Any]:
    """Return the MIME bundle of one document.

    Args:
        record: The document's columns by name; absent and None are equivalent.
        service: The name of the service in the header: a host, or ``local demo service``.

    Returns:
        A bundle of ``text/html`` and ``text/plain``, at most 150 kB in total. A long text is folded and cut
        at the limit, with a line that has the full length and the attribute with the whole text.
    """

    def build(most: int) -> dict[str, Any]:
        body = article(record, service=service, most=most)
        return {
            "text/html": str(root(body, parts=("prose",))),
            "text/plain": _text(record, service, min(most, _PLAIN_TEXT)),
        }

    return fit(build, 2 * _PLAIN_TEXT, RECORD_BYTES)


def article(
    record: Mapping[str, Any], *, service: str = "", shown: int = SHOWN_OF_TEXT, most: int = MOST_OF_TEXT
) -> Html:
    """Return the element of a document: name, summary line, text, prompt.

    Args:
        record: The document's columns by name.
        service: The name of the service in the summary line.
        shown: About how many characters of the text are visible.
        most: The maximum number of characters of the text.
    """
    return tag(
        "article",
        tag("h3", title(record), class_="ink-title", dir="auto", style="margin:0 0 3px"),
        tag(
            "p",
            summary(record, service),
            star_tag(record, before=" · "),
            class_="ink-meta",
            dir="auto",
            style="margin:0 0 14px",
        ),
        _result(record, shown, most),
        prompt_fold(record, most),
        class_="ink-doc",
        style="max-width:660px",
    )


def _result(record: Mapping[str, Any], shown: int, most: int) -> Html:
    """Return the element of a document's text, or a line that there is none yet."""
    text = value(record, "result")
    body = folded_prose(str(text), shown, most) if text else tag("p", "No text yet.", class_="ink-meta")
    return tag("div", body, class_="ink-prose", dir="auto", style="line-height:1.6")


def prompt_fold(record: Mapping[str, Any], most: int) -> Html | None:
    """Return the folded prompt of a document, or None."""
    prompt = plain(value(record, "prompt") or "")
    if not prompt:
        return None
    kept = cut(prompt, most)
    note = tag(
        "p",
        f"{counted(len(prompt), 'character')} in total; document.prompt has the full text.",
        class_="ink-meta",
    )
    said = tag("div", kept, class_="ink-said", dir="auto", style="white-space:pre-wrap;margin:8px 0 4px")
    return fold("Prompt", said, note if kept != prompt else None, class_="ink-fold ink-prompt")


def _text(record: Mapping[str, Any], service: str, most: int) -> str:
    text = plain(value(record, "result") or "")
    rows = [entry("Document", record), summary(record, service)]
    return "\n".join(rows) + (f"\n\n{cut(text, most)}" if text else "")
