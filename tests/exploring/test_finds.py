import numpy as np
import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink
from inkframe.exploring.finds import FINDS, more_like
from inkframe.exploring.frame_source import FrameSource
from inkframe.versions import text_type

ABOUT = ["The kettle boils a liter of water", "A desk lamp with a warm light", "Tea is best when it is fresh"]


def source(**options):
    """Return 24 texts about three things, with two that are the same, one unlike any other, and one missing."""
    texts = [f"{ABOUT[at % 3]}, number {at} of {at * at}." for at in range(24)]
    texts[7], texts[13] = texts[4], texts[4]
    texts[20] = "Zebras graze on the plains of Kenya, far from everything else."
    frame = pd.DataFrame({"result": pd.array([*texts[:-1], None], text_type())}, index=range(100, 124))
    return FrameSource(frame.rename_axis("id"), **options)


def told(found):
    """Return a finding as plain data."""
    columns = {
        name: [None if pd.isna(value) else round(value, 3) if isinstance(value, float) else value for value in values]
        for name, values in found.columns.items()
    }  # fmt: skip
    kinds = {name: type_name(values.dtype) for name, values in found.columns.items()}
    keep = list(found.keep) if isinstance(found.keep, tuple) else found.keep
    return {
        "said": found.said,
        "keep": keep,
        "descending": found.descending,
        "kinds": kinds,
        "columns": columns,
    }


def test_whole_findings(recorded):
    """Each search among all rows and among some of them: its columns, order, filter and words."""
    every, some = np.arange(24), np.arange(0, 24, 2)
    vectors = np.zeros((24, 2), np.float32)
    vectors[::2, 0] = vectors[1::2, 1] = 1
    vectors[5] = 0
    found = {name: told(find(source(), every)) for name, find in FINDS.items()}
    found |= {
        f"{name} of some": told(FINDS[name](source(), some)) for name in ("Near duplicates", "Outliers")
    }
    found["like"] = told(more_like(source(), 4))
    found["like nothing"] = told(more_like(source(vectors=vectors), 5))
    recorded("finds", found)


def test_other_columns_of_texts():
    """A description counts as a text, else the first column of texts does; without any, the error says so."""
    frame = pd.DataFrame({"description": ["two boats", "two boats", "a harbor"]})
    groups = FINDS["Near duplicates"](FrameSource(frame), np.arange(3)).columns["duplicates"]
    assert groups.tolist() == ["Group 1", "Group 1", np.nan]
    assert groups.dtype == pd.CategoricalDtype(["Group 1"], ordered=True)
    notes = pd.DataFrame(
        {"n": range(3), "notes": [f"{'two boats on the water ' * 20}{at // 2}" for at in range(3)]}
    )
    assert len(more_like(FrameSource(notes), 0).columns["score"]) == 3
    with pytest.raises(
        ink.InvalidArgument, match=r"^The frame has no texts to compare\.\nAdd a column of texts\.$"
    ):
        more_like(FrameSource(notes[["n"]]), 0)
    with pytest.raises(ink.InvalidArgument) as caught:
        more_like(source(), 23)
    assert str(caught.value) == "This record has no text to compare.\nSelect another one."
