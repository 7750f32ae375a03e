"""Rows from frames, records and ids."""

import numpy as np
import pandas as pd
import pytest

from inkframe.errors import InvalidArgument, NotFound
from inkframe.frames import held_by, rows_of
from inkframe.versions import text_type


@pytest.fixture
def client(misbehaving):
    """Return a client of twelve images and twelve documents."""
    return misbehaving(records=12)[0]


@pytest.mark.integration
def test_frames_records_and_ids_give_the_same_rows(client):
    """A frame, an index, lists of ids of several types, and records select the same rows."""
    frame = client.images.list(sort="asc")
    expected = client.images.select(frame)
    records = [client.images.get(id) for id in frame.index]
    for given in (
        frame.reset_index(),
        frame.index,
        list(frame.index),
        [str(id) for id in frame.index],
        records,
    ):
        found = client.images.select(given)
        assert [row["id"] for row in found] == [row["id"] for row in expected]
        assert [row["description"] for row in found] == [row["description"] for row in expected]
    mixed = [records[0], np.int64(frame.index[1]), str(frame.index[2])]
    assert [row["id"] for row in client.images.select(mixed)] == list(frame.index[:3])


def test_ids_are_fetched_several_at_a_time(misbehaving):
    """Rows keep the order of the ids, and a missing id raises NotFound."""
    client, service = misbehaving(records=12)
    order = [7, 3, 12, 1, 9, 5]
    assert [row["id"] for row in client.images.select(order)] == order
    del service.images[9]
    with pytest.raises(NotFound):
        client.images.select(order)


def test_missing_values_are_none():
    """Missing values of every type are None, values are plain, and a frame may have only ids."""
    frame = pd.DataFrame(
        {
            "name": pd.array(["a", None], text_type()),
            "style": pd.Categorical(["ink", None]),
            "favorite": pd.array([True, None], "boolean"),
            "creativity": [0.5, float("nan")],
            "made": pd.to_datetime(["2026-01-01", None], utc=True),
        },
        index=pd.Index([2, 1], name="id"),
    )
    first, second = rows_of(frame)
    assert second == dict.fromkeys(frame.columns) | {"id": 1}
    assert (first["name"], first["favorite"], type(first["id"])) == ("a", True, int)
    assert rows_of(frame[[]]) == [{"id": 2}, {"id": 1}]
    assert rows_of(frame.head(0)) == []


@pytest.mark.parametrize("given", [None, 1.5, True, [None], ["", 1], {"id": 1}])
def test_invalid_ids_are_refused(client, given):
    """Nothing is fetched if one of the ids is invalid."""
    with pytest.raises((InvalidArgument, NotFound)):
        client.images.select(given)


@pytest.mark.integration
def test_frames_of_the_other_collection_are_refused(client):
    """The collection of a frame is found by its provenance or its columns; missing ids are an error."""
    images, documents = client.images.list(), client.documents.all()
    for collection, wrong in ((client.images, documents), (client.documents, images)):
        with pytest.raises(
            InvalidArgument, match=f"A frame of {collection.resource} is needed; this is a frame of"
        ):
            collection.select(wrong)
    bare = documents.reset_index(drop=True)
    bare.attrs.clear()
    assert (held_by(bare), held_by(images[["name"]]), held_by(pd.DataFrame({"name": []}))) == (
        "documents",
        "images",
        None,
    )
    with pytest.raises(InvalidArgument, match="no ids"):
        client.documents.select(bare)


@pytest.mark.integration
def test_a_missing_required_column_is_fetched(misbehaving):
    """Values of the frame are kept, missing ones come from the records; deleted records stay unchanged."""
    client, service = misbehaving("list_brief", records=4)
    frame = client.documents.all().assign(name="mine")
    del service.documents[2]
    found = {row["id"]: row for row in client.documents.select(frame, needed="result")}
    assert found[1]["result"] == service.documents[1]["result"]
    assert {row["name"] for row in found.values()} == {"mine"}
    assert found[2]["result"] is None
    asked = len(service.requests)
    assert client.documents.select(frame.assign(result="x"), needed="result")[0]["result"] == "x"
    assert len(service.requests) == asked
