from types import SimpleNamespace

import pandas as pd

from inkframe.analysis.text_measures import Measures
from inkframe.tuning.tuner_texts import TextCard, differences, measured, numbers, place, with_measures


def row(creativity, repeat, result="", *, status="created", error="", favorite=False, **more):
    """Return a row of a run, with its record unless it has none."""
    record = SimpleNamespace(id=1, name=f"Draft {repeat}", result=result, favorite=favorite, **more)
    is_there = status in ("created", "pending")
    return SimpleNamespace(
        fields={"creativity": creativity}, repeat=repeat, record=record if is_there else None, status=status, error=error
    )  # fmt: skip


ROWS = [
    row("0", 1, "One *two* three."), row("0", 2, "One two four."), row("1", 1, "One five."), row("1", 2, None), row("0.5", 1, "Alone."),
]  # fmt: skip


def test_whole_differences(recorded):
    """Each text against the first one, against the first of its level, or none."""
    assert [place(each) for each in ROWS] == [(0.0, 1), (0.0, 2), (1.0, 1), (1.0, 2), (0.5, 1)]
    found = {
        how: {f"{at}": str(html) for at, html in differences(ROWS, how).items()}
        for how in ("first", "level", "none")
    }
    recorded("differences", found)


def test_whole_measures(recorded):
    """Measures of each text in a language, as columns with their types."""
    frame = pd.DataFrame({"id": range(5)}, index=list("abcde"))
    found = {str(language): with_measures(frame, ROWS, measured(ROWS, language)) for language in ("en", None)}
    recorded("measures", found)
    empty = with_measures(frame, ROWS, {})
    assert empty.isna().sum().tolist() == [0, 5, 5, 5, 5]


def test_whole_cards(recorded):
    """A card in each state: its HTML, its classes and its controls."""
    found = {}
    measures = Measures(words=1234, distinct_words=1000, similarity=0.256, reading_ease=45.6)
    for name, each in {
        "made": row("0.25", 1, "A **text**."), "kept": row("0.25", 1, "A text.", favorite=True), "empty": row("0.25", 1, None),
        "pending": row("0.25", 1, status="pending"), "begun": row("0.25", 1, status=""), "skipped": row("0.25", 1, status="skipped"),
        "failed": row("0.25", 1, status="failed", error="It <broke>."), "unknown": row("0.25", 1, status="unknown", error="Lost."),
    }.items():  # fmt: skip
        card = TextCard("Deterministic", each, update=print, look_for=print)
        card.show(None, measures if name == "made" else None)
        controls = [type(child).__name__ for child in card.children]
        found[name] = [
            card.content,
            list(card._dom_classes),
            controls,
            card.keep.description,
            card.name.value,
        ]
    recorded("cards", found)
    assert card.name.description == "Name"
    each = row("0.25", 1, "A text.")
    each.record.name = ""
    card = TextCard("Deterministic", each, update=print, look_for=print)
    card.show()
    assert 'aria-label="Text"' in card.content
    assert numbers(Measures(words=None, distinct_words=None, similarity=None, reading_ease=None)) == (
        '<div class="ink-num"></div>'
    )


def test_what_a_card_asks_for():
    """Keeping, renaming and searching call what they are for; a name that is empty or the same does not."""
    asked = []
    each = row("0.25", 1, "A text.")
    card = TextCard(
        "Deterministic", each,
        update=lambda row, **fields: asked.append((row is each, fields)), look_for=lambda row: asked.append(row is each),
    )  # fmt: skip
    card.show()
    card.keep.click()
    each.record.favorite = True
    card.show()
    card.keep.click()
    for name in ("New", " ", "", "Draft 1"):
        card.name.value = name
    card._look.click()
    each.record = None
    card.keep.click()
    card.name.value = "Other"
    assert asked == [(True, {"favorite": True}), (True, {"favorite": False}), (True, {"name": "New"}), True]
