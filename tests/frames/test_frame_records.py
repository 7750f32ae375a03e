"""Which records a frame holds, by the one rule for all views, panels, measures and files."""

import pandas as pd
import pytest
from tests.cases import cases

import inkframe as ink
from inkframe.frames import COLUMNS, generated_columns, kind_of, records_of, rows_of, text_column
from inkframe.schema import DOCUMENTS, IMAGES

TEXTS = {"text": ["a", None], "text_id": [7, None], "text_status": ["created", "failed"], "text_error": None}
PICTURES = {
    "picture": ["/a.png", "/b.png"],
    "picture_id": [3, 4],
    "picture_status": "created",
    "picture_error": None,
}


def shop(**columns):
    """Return a table of two products that has ids of its own, with generated columns."""
    index = pd.Index([1, 2], name="id")
    return pd.DataFrame({"product": ["Kettle", "Lamp"], "id_code": ["k", "l"], **columns}, index=index)


def test_ids_of_a_generated_column_come_before_those_of_the_index():
    """A text is of the record beside it, and not of the record that has the number of the product."""
    held = records_of(shop(**TEXTS))
    assert (held.spec, held.column, held.places) == (DOCUMENTS, "text", [0])
    assert rows_of(held.frame) == [
        {"id": 7, "name": "Kettle", "product": "Kettle", "id_code": "k", "result": "a"}
    ]


def test_each_collection_has_its_generated_column():
    """Pictures are those of the column of pictures; texts come first where the call takes both."""
    frame = shop(**TEXTS, **PICTURES)
    assert records_of(frame, "images").frame.index.tolist() == [3, 4]
    assert records_of(frame, "documents").frame.index.tolist() == [7]
    assert records_of(frame).spec is DOCUMENTS
    assert records_of(frame, "images", "documents").column == "picture"
    assert records_of(frame, column="picture").spec is IMAGES


def test_of_two_generated_columns_one_is_to_be_chosen():
    """The error lists the columns and has the argument to write."""
    frame = shop(**TEXTS, **{name.replace("text", "slogan"): each for name, each in TEXTS.items()})
    message = r"2 columns of generated documents: 'text', 'slogan'\.\nPass column='text'\."
    for refused in (records_of, text_column, lambda frame: kind_of(frame, "documents")):
        with pytest.raises(ink.InvalidArgument, match=message):
            refused(frame)
    assert records_of(frame, column="slogan").column == text_column(frame, "slogan") == "slogan"


def test_columns_are_recognized_without_attributes():
    """Joins and files lose what the attributes say; what stands beside a column stays."""
    frame = shop(**TEXTS, **{name.replace("picture", "shot"): each for name, each in PICTURES.items()})
    assert generated_columns(frame) == {"text": DOCUMENTS, "shot": IMAGES}
    assert generated_columns(frame.drop(columns="text_error")) == {"shot": IMAGES}
    frame.attrs[COLUMNS] = {"shot": "documents"}
    assert generated_columns(frame)["shot"] is DOCUMENTS
    empty = shop(**PICTURES | {"picture": None})  # of a service that sends its pictures within the records
    assert generated_columns(empty) == {"picture": IMAGES}


def test_the_index_of_a_persons_own_table_names_no_records():
    """Beside texts, the numbers of products are no images."""
    with pytest.raises(
        ink.InvalidArgument, match="A frame of images is needed; this is a frame of documents"
    ):
        records_of(shop(**TEXTS), "images")
    frame = shop(**TEXTS)
    frame.attrs["inkframe"] = {"collection": "images"}
    assert records_of(frame, "images").frame.index.tolist() == [1, 2]
    assert records_of(frame, "documents").frame.index.tolist() == [7]


def test_created_rows_have_their_ids_in_a_column():
    """The ids that a batch wrote beside its states come before those of the plan; failed rows have none."""
    runs = pd.DataFrame({"result": ["a", None], "id": [7, None], "status": ["created", "failed"]})
    runs.index = pd.Index([1, 2], name="id")
    held = records_of(runs)
    assert (held.frame.index.tolist(), held.places) == ([7], [0])
    assert records_of(runs.drop(columns="status")).frame.index.tolist() == [1, 2]


@cases("given", [[1], {"id": [1]}, None])
def test_only_frames_hold_records(given):
    """Another object is refused by its type."""
    with pytest.raises(ink.InvalidArgument, match="Expected a DataFrame, got"):
        records_of(given)


def test_the_error_for_a_frame_without_ids_renames_nothing():
    """The remedy is to pass another frame or to add ids, never to rename an index that means something else."""
    with pytest.raises(ink.InvalidArgument, match="The frame has no ids of records") as caught:
        records_of(pd.DataFrame({"result": ["a"]}, index=pd.Index([1], name="product")))
    assert "ndex" not in str(caught.value)
    with pytest.raises(ink.InvalidArgument, match="must have one column 'text_id'"):
        records_of(pd.DataFrame({"text": ["a"]}), column="text")


def test_records_are_named_after_a_persons_own_row():
    """A record has the name of the row if there is one, else the first text of its own, else its label."""
    named = pd.DataFrame({"price": [3, 4], "name": "A kettle", **TEXTS}, index=["k", "l"])
    assert rows_of(records_of(named).frame)[0]["name"] == "A kettle"
    bare = pd.DataFrame({"price": [3, 4], **TEXTS}, index=pd.MultiIndex.from_tuples([("k", 1), ("l", 2)]))
    assert rows_of(records_of(bare).frame)[0]["name"] == "('k', 1)"
    twice = pd.DataFrame([[5, "a", 7, "", ""]], columns=[0, *TEXTS])
    twice.insert(0, "price", "high")
    twice.insert(0, "price", "low", allow_duplicates=True)
    assert rows_of(records_of(twice).frame) == [{"id": 7, "price": "high", "name": "low", "result": "a"}]
