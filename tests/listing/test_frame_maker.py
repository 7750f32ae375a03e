"""Frames of records."""

import pytest


@pytest.mark.integration
def test_records_become_a_frame_like_a_listing(pair):
    """The frame has the columns, types and values of a listing, in the order of the records."""
    client = pair(records=12).client
    for collection in (client.images, client.documents):
        listed = collection.all()
        records = [collection.get(id) for id in listed.index]
        made = collection.frame_of(records)
        assert made.equals(listed)
        assert made.dtypes.equals(listed.dtypes)
        assert list(collection.frame_of(records[::-1]).index) == list(listed.index[::-1])


def test_no_records_are_an_empty_frame(pair):
    """An empty frame has the columns and types."""
    client = pair(records=3).client
    empty = client.images.frame_of([])
    assert empty.empty
    assert empty.dtypes.equals(client.images.list(search="nothing of this name").dtypes)
