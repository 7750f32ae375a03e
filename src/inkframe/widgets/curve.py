"""How alike the repeats of each creativity level are, drawn as a line."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, Final

from inkframe.display.markup import Html, tag
from inkframe.display.plain_text import joined

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["curve"]

WIDTH: Final = 640
HEIGHT: Final = 170
#: Where the drawing begins and ends: there is room for the numbers left and the labels below.
LEFT, RIGHT, TOP, BOTTOM = 64, 600, 14, 126


def curve(response: pd.DataFrame) -> Html | None:
    """Draw what ``creativity_response`` gives; None where no level has two texts to compare.

    Args:
        response: One row a level: label, similarity, and its interval where there is one.
    """
    rows: list[dict[Any, Any]] = response.to_dict("records")
    if all(isnan(row["similarity"]) for row in rows):
        return None
    step = (RIGHT - LEFT) / max(1, len(rows) - 1)
    places = [(LEFT + step * at, row) for at, row in enumerate(rows)]
    known = [(x, row) for x, row in places if not isnan(row["similarity"])]
    line = " ".join(f"{x:.1f},{_y(row['similarity']):.1f}" for x, row in known)
    said = ", ".join(f"{row['label']} {row['similarity']:.2f}" for _, row in known)
    drawing = tag(
        "svg",
        *_scale(),
        *(_interval(x, row) for x, row in known if not isnan(row["similarity_low"])),
        tag("polyline", points=line, class_="ink-line-drawn"),
        *(_point(x, row) for x, row in known),
        *(tag("text", row["label"], x=f"{x:.1f}", y=HEIGHT - 22, class_="ink-tick") for x, row in places),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"Similarity between the repeats of a level: {said}",
        class_="ink-curve",
    )
    notes = response.attrs.get("analysis", {}).get("notes", [])
    words = joined("How alike the repeats of a level are: 1 is word for word the same", *notes)
    return tag("figure", drawing, tag("figcaption", words, class_="ink-hint"))


def _y(similarity: float) -> float:
    return BOTTOM - similarity * (BOTTOM - TOP)


def _scale() -> list[Html]:
    found: list[Html] = []
    for value in (0, 0.5, 1):
        y = f"{_y(value):.1f}"
        found.append(tag("line", x1=LEFT - 20, x2=RIGHT + 20, y1=y, y2=y, class_="ink-rule"))
        found.append(
            tag("text", f"{value:g}", x=LEFT - 30, y=f"{_y(value) + 4:.1f}", class_="ink-tick ink-tick-left")
        )
    return found


def _interval(x: float, row: dict[str, Any]) -> Html:
    ends = {"y1": f"{_y(row['similarity_low']):.1f}", "y2": f"{_y(row['similarity_high']):.1f}"}
    return tag("line", x1=f"{x:.1f}", x2=f"{x:.1f}", **ends, class_="ink-spread")


def _point(x: float, row: dict[str, Any]) -> Html:
    y = _y(row["similarity"])
    dot = tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4, class_="ink-dot")
    number = tag(
        "text", f"{row['similarity']:.2f}", x=f"{x:.1f}", y=f"{y - 9:.1f}", class_="ink-tick ink-number"
    )
    return Html(dot + number)
