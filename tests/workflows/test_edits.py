"""Edited cells: found by value for any types, and checked before anything is sent."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.schema import IMAGES
from inkframe.workflows.edits import Cell, find_edits

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


def test_after_a_csv_file(pair):
    """A frame from a CSV file has no attrs and other types, and is still compared by value."""
    pair = pair(ONE_LIST, records=12)
    frame = pair.client.documents.all()
    back = pd.read_csv(StringIO(frame.to_csv()))
    back.loc[back["id"] == 5, "name"] = "from the file"
    pair.sent()
    report = pair.client.documents.push(back)
    assert report[["id", "column", "outcome"]].to_numpy().tolist() == [[5, "name", "changed"]]
    assert report.attrs["inkframe"]["conflicts_checked"] is True


def test_a_column_that_was_never_fetched_is_reported(pair, capsys):
    """A message names the column that is not updated."""
    pair = pair("list_brief", records=5)
    frame = pair.client.documents.all()
    frame["result"] = "overwritten"
    frame.ink.push()
    assert "result was never fetched, so it is not updated." in capsys.readouterr().out
