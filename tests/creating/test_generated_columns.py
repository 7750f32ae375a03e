"""Generated columns of frames, as their attributes say."""

import pandas as pd
from tests.cases import cases

from inkframe.frames import COLUMNS, generated_columns
from inkframe.schema import DOCUMENTS, IMAGES


def test_generated_columns_are_those_with_ids():
    """A column is generated if the attributes name its collection, and its ids are beside it."""
    frame = pd.DataFrame({"text": ["a"], "text_id": [1], "picture": ["/a"], "picture_id": [2], "other": [3]})
    frame.attrs[COLUMNS] = {"text": "documents", "picture": "images", "other": "images", "gone": "images"}
    assert generated_columns(frame) == {"text": DOCUMENTS, "picture": IMAGES}
    assert generated_columns(pd.concat([frame, frame[["text"]]], axis=1)) == {"picture": IMAGES}
    assert generated_columns(frame.drop(columns="picture_id")) == {"text": DOCUMENTS}


@cases("given", [None, "text", [1], {"text": None}, {"text": ["documents"]}, {"text": {}}, {5: "documents"}])
def test_odd_attributes_name_nothing(given):
    """Attributes that anyone may have edited are ignored where they are not ours."""
    frame = pd.DataFrame({"text": ["a"], "text_id": [1]})
    frame.attrs[COLUMNS] = given
    assert generated_columns(frame) == {}
