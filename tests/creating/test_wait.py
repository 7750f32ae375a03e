"""Waiting until the picture or text of a record is available."""

import pytest

import inkframe as ink

IMAGE = {"name": "New", "description": "a harbor", "resolution": "256x256"}
FIELDS = {"images": IMAGE, "documents": {"name": "New", "prompt": "Notes about a harbor."}}


@pytest.mark.parametrize("collection", FIELDS)
def test_a_record_is_returned_once_it_is_finished(pair, collection):
    """It is read after pauses that grow to five seconds, until its picture or text is there."""
    pair = pair(records=0, background=30)
    items = getattr(pair.client, collection)
    made = items.create(**FIELDS[collection])
    began = pair.service.clock.now()
    pair.sent()
    record = items.wait(made)
    assert (record.id, record.name) == (made.id, "New")
    assert record.result if collection == "documents" else record.picture_url
    assert 0 <= pair.service.clock.now() - began < 35
    assert 8 <= len(pair.sent("GET")) <= 12
    assert items.wait(made.id, timeout=0).name == "New"
    assert len(pair.sent()) == 1


def test_a_record_that_takes_longer_is_an_error(pair):
    """The error has the requested time, and the last pause does not go beyond it."""
    pair = pair(records=0, background=1000)
    made = pair.client.documents.create(**FIELDS["documents"])
    began = pair.service.clock.now()
    with pytest.raises(ink.DeadlineExceeded, match="is not finished after 7 s"):
        pair.client.documents.wait(made, timeout=7)
    assert pair.service.clock.now() - began <= 7
    with pytest.raises(ink.DeadlineExceeded, match="after 0 s"):
        pair.client.documents.wait(made, timeout=0)


@pytest.mark.parametrize("timeout", [-1, True, "soon", None, float("nan")])
def test_other_times_are_refused(pair, timeout):
    """A time that is not a number of seconds is refused before anything is sent."""
    pair = pair(records=1)
    with pytest.raises(ink.InvalidArgument, match="timeout must be 0 or greater, got"):
        pair.client.images.wait(1, timeout=timeout)
    assert pair.sent() == []
