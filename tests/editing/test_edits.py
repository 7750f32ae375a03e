"""Edited cells: found by value for any types, and checked before anything is sent."""

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.editing.push import Cell, find_edits, renamed
from inkframe.schema import DOCUMENTS, IMAGES
from inkframe.versions import text_type

#: A response format that lists documents of all templates together.
ONE_LIST = "template_unlimited"


def edited(column, value, rows=(3,)):
    """Return a function that sets a value in some rows of a column."""

    def edit(frame):
        frame = frame.astype({column: object})
        for row in rows:
            frame.loc[row, column] = value
        return frame

    return edit


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        pytest.param(edited("name", None), "name of document 3 is missing (NA).", id="NA"),
        pytest.param(edited("favorite", pd.NA), "favorite of document 3 is missing (NA).", id="NA favorite"),
        pytest.param(edited("result", np.nan, (3, 5)), "is missing (NA) (and 1 more).", id="NA results"),
        pytest.param(edited("name", "  "), "document 3: name is empty.", id="empty name"),
        pytest.param(edited("name", 7), "document 3: name must be a string, got 7.", id="number for a name"),
        pytest.param(
            edited("favorite", "yes"), "document 3: favorite='yes' is neither", id="text for a favorite"
        ),
        pytest.param(edited("favorite", 2), "document 3: favorite=2 is neither", id="number for a favorite"),
        pytest.param(
            edited("prompt", "other"), "prompt of document 3 cannot be updated, got 'other'.", id="prompt"
        ),
        pytest.param(
            edited("template", "FAQ?"), "template of document 3 cannot be updated, got 'FAQ?'.", id="template"
        ),
        pytest.param(
            edited("creativity", 0.3), "creativity of document 3 cannot be updated, got 0.3.", id="creativity"
        ),
        pytest.param(
            edited("created_at", None), "created_at of document 3 cannot be updated, got None.", id="time"
        ),
        pytest.param(
            lambda f: pd.concat([f, f.loc[[3]]]), "The id 3 appears in more than one row.", id="twice"
        ),
        pytest.param(lambda f: f.rename({3: 99}), "There is no document 99 among the rows", id="unknown id"),
        pytest.param(lambda f: f.rename({3: "x"}), "There is no document", id="id of another type"),
        pytest.param(
            lambda f: f.reset_index().astype({"id": "Int64"}).replace({"id": {3: pd.NA}}),
            "has no id.",
            id="no id",
        ),
        pytest.param(lambda f: f.reset_index(drop=True), "The frame has no ids", id="no ids"),
        pytest.param(lambda f: f["name"], "Expected a DataFrame, got Series.", id="no frame"),
    ],
)
def test_bad_input_sends_nothing(pair, edit, message):
    """Invalid edits are refused with the row, the column and a remedy, before the first request."""
    pair = pair(ONE_LIST, records=8)
    frame = pair.client.documents.all()
    frame.loc[6, "name"] = "a good edit"
    frame = edit(frame)
    pair.sent()
    with pytest.raises(ink.InvalidArgument) as refused:
        pair.client.documents.push(frame)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 2
    assert pair.sent() == []


def test_what_services_change_is_an_edit_only_of_a_known_baseline():
    """Compared with current values, a place or a time that differs is the service's own change."""
    baseline = pd.DataFrame(
        {"name": ["a"], "picture_url": ["/1.png"], "updated_at": ["2026-11-22"]},
        index=pd.Index([1], name="id"),
    )
    frame = baseline.assign(name="b", picture_url="/2.png", updated_at="2026-11-21")
    assert find_edits(frame, baseline, IMAGES, fetched=False) == [Cell(1, "name", "a", "b")]
    with pytest.raises(ink.InvalidArgument) as refused:
        find_edits(frame, baseline, IMAGES, fetched=True)
    assert str(refused.value) == (
        "picture_url of image 1 cannot be updated, got '/2.png' (and 1 more).\n"
        "Nothing was sent. Undo the edit, or drop the column: frame.drop(columns=['picture_url', 'updated_at'])."
    )


@pytest.mark.parametrize("value", [True, np.True_, np.bool_(1)])
@pytest.mark.parametrize("dtype", ["boolean", "bool", object])
def test_booleans_of_every_type(pair, value, dtype):
    """Booleans of Python and numpy are sent in the same way, from a column of any type."""
    pair = pair(records=5)
    for record in pair.service.images.values():
        record["favorite"] = False
    frame = pair.client.images.all().astype({"favorite": dtype})
    frame.loc[2, "favorite"] = value
    report = frame.ink.push()
    assert report[["id", "old", "new"]].to_numpy().tolist() == [[2, False, True]]
    assert pair.sent("PATCH")[0].form == {"favorite": "1"}


def test_ids_in_a_column_missing_rows_and_additional_columns(pair):
    """The id may be a column, rows may be missing or reordered, and additional columns are ignored."""
    pair = pair()
    frame = pair.client.images.all().reset_index().assign(score=1.5)
    frame = frame[frame["id"].isin([4, 9, 2])].sort_values("name")
    frame.loc[frame["id"] == 9, "name"] = "nine"
    assert frame.ink.push()[["id", "outcome"]].to_numpy().tolist() == [[9, "changed"]]


def test_a_column_that_was_never_fetched_is_reported(pair, capsys):
    """A message names the column that is not updated."""
    pair = pair("list_brief", records=5)
    frame = pair.client.documents.all()
    frame["result"] = "overwritten"
    frame.ink.push()
    assert "result was never fetched, so it is not updated." in capsys.readouterr().out


def by_id(ids, **columns):
    """Return a frame with these ids."""
    dtype = text_type() if any(isinstance(id, str) for id in ids) else "int64"
    return pd.DataFrame(columns, index=pd.Index(ids, dtype=dtype, name="id"))


NEW = "Drop the row; new records need create() or create_many()."


@pytest.mark.parametrize(
    ("ids", "known", "fetched", "message"),
    [
        ([9], [1], True, f"There is no image 9 among the rows that were fetched.\nNothing was sent. {NEW}"),
        ([1, 8, 9], [1], False, f"There is no image 8 on the service (and 1 more).\nNothing was sent. {NEW}"),
        (["x"], [1], True, ("There is no image 'x' among the rows that were fetched.\n"
         "Nothing was sent. Ids must have the type int64, such as 1.")),
        ([9], [], False, (f"There is no image 9 on the service.\nNothing was sent. {NEW}"
         ' If the frame was read from a file with text ids, use dtype={"id": "str"}.')),
        (["x"], ["y"], False, f"There is no image 'x' on the service.\nNothing was sent. {NEW}"),
    ],
)  # fmt: skip
def test_unknown_ids_in_full(ids, known, fetched, message):
    """The error says where the id was looked for, how many there are, and what to do."""
    with pytest.raises(ink.InvalidArgument) as refused:
        find_edits(by_id(ids, name="a"), by_id(known, name="a"), IMAGES, fetched=fetched)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"nome": list("wxyz")}, {"nome": "name"}),
        ({"title": list("abcx")}, {"title": "name"}),
        ({"title": list("abxy")}, {}),
        ({"title": list("abcd"), "name": list("abcd")}, {}),
        ({"liked": pd.Series([True] * 4, index=[1, 2, 3, 4], dtype=object)}, {}),
        ({"title": [1, 2, 3, 4]}, {}),
        ({"service.title": list("abcd")}, {}),
    ],
)
def test_a_column_that_was_renamed(columns, found):
    """It is spelled like a missing one, or has the same text in more than half of the rows."""
    known = by_id([1, 2, 3, 4], name=list("abcd"), favorite=True, **{"service.title": list("abcd")})
    assert renamed(by_id([1, 2, 3, 4], **columns), known, IMAGES) == found


def test_rows_without_a_text_show_no_renaming():
    """Empty texts and rows that are not known are no evidence, and neither are two columns of one name."""
    known = by_id([1, 2, 3], name=["", "", "c"])
    assert renamed(by_id([1, 2, 3], title=["", "", "c"]), known, DOCUMENTS) == {}
    assert renamed(by_id([3, 8, 9], title=["c", "c", "c"]), known, DOCUMENTS) == {"title": "name"}
    twice = pd.concat([by_id([3], title=["c"])] * 2, axis=1)
    assert renamed(twice, known, DOCUMENTS) == {}


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"name": None}, "name of document 1 is missing (NA).\nNothing was sent. Set a value, or drop the row."),
        ({"result": None}, ("result of document 1 is missing (NA).\n"
         'Nothing was sent. Set a value or "" for an empty text, or drop the row.')),
        ({"prompt": "q"}, ("prompt of document 1 cannot be updated, got 'q'.\n"
         "Nothing was sent. Undo the edit, or drop the column: frame.drop(columns='prompt').")),
        ({"prompt": "q", "creativity": 0.3, "name": "b"},
         ("prompt of document 1 cannot be updated, got 'q' (and 1 more).\n"
         "Nothing was sent. Undo the edit, or drop the column: frame.drop(columns=['prompt', 'creativity']).")),
    ],
)  # fmt: skip
def test_invalid_edits_in_full(edit, message):
    """The error has the record, the value and the remedy."""
    known = by_id([1], name=["a"], prompt=["p"], creativity=[0.5], result=["r"])
    with pytest.raises(ink.InvalidArgument) as refused:
        find_edits(known.astype(object).assign(**edit), known, DOCUMENTS, fetched=True)
    assert str(refused.value) == message
