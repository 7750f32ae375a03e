"""Bulk deletion, confirmed by the number of records."""

import numpy as np
import pandas as pd
import pytest
from tests.cases import type_name
from tests.services import Faults

import inkframe as ink


def deletions(service):
    return [request for request in service.requests if request.method == "DELETE"]


def test_each_is_reported(misbehaving):
    """The report has a row for each id in order, and distinguishes records that were deleted before."""
    client, service = misbehaving(records=8)
    del service.images[5]
    report = client.images.delete_many([3, 5, np.int64(1)], confirm=3)
    assert list(report.columns) == ["id", "status", "error", "seconds"]
    assert report["id"].tolist() == [3, 5, 1]
    assert report["status"].tolist() == ["deleted", "gone", "deleted"]
    assert report["error"].isna().all()
    assert (report["seconds"] >= 0).all()
    assert report.dtypes.map(type_name).tolist() == ["int64", "category", "str", "float64"]
    assert report["status"].cat.categories.tolist() == ["deleted", "gone", "failed"]
    assert sorted(service.images) == [2, 4, 6, 7, 8]


@pytest.mark.parametrize(
    ("ids", "confirm", "message"),
    [
        (
            [1, 2],
            3,
            "confirm must be 2 (the number of images), got 3.\nNothing was deleted. This cannot be undone. Pass confirm=2 to continue.",
        ),
        ([1], True, "confirm must be 1 (the number of images), got True."),
        ([1, 2], "2", "confirm must be 2 (the number of images), got '2'."),
        ([1, None], 2, "None is not a valid id."),
        ([1, 2.5], 2, "2.5 is not a valid id."),
        ("12", 2, "ids must be a list of ids, got '12'."),
        (7, 1, "ids must be a list of ids, got 7."),
    ],
)
def test_nothing_is_deleted_after_an_error(misbehaving, ids, confirm, message):
    """A wrong number or one invalid id stops everything before the first deletion."""
    client, service = misbehaving(records=8)
    with pytest.raises(ink.InvalidArgument) as refused:
        client.images.delete_many(ids, confirm=confirm)
    assert message in str(refused.value)
    assert service.requests == []


@pytest.mark.integration
def test_delete_of_several_names_the_whole_call(misbehaving):
    """Ids in any container are refused by ``delete`` with the call that deletes them, and nothing is deleted."""
    client, service = misbehaving(records=3)
    for ids in ([1, 2], (1, 2), pd.Series([1, 2]), client.images.all().loc[[1, 2]]):
        with pytest.raises(ink.InvalidArgument) as caught:
            client.images.delete(ids)
        assert str(caught.value) == (
            "[1, 2] is not a valid id.\n"
            "There is no id like this, and nothing was deleted. Pass client.images.delete_many([1, 2], confirm=2)."
        )
    assert deletions(service) == []


def test_ids_from_many_types(inkframe_client):
    """Frames, indexes, records and generators of ids are accepted; duplicates are deleted once."""
    documents = inkframe_client.documents
    made = [documents.create(name=f"Note {n}", prompt="p") for n in range(8)]
    frame = documents.all()
    assert documents.delete_many(frame.head(2), confirm=2)["status"].eq("deleted").all()
    assert len(documents.delete_many(frame.index[2:4], confirm=2)) == 2
    assert len(documents.delete_many(frame.iloc[4:6].reset_index(), confirm=2)) == 2
    assert len(documents.delete_many((record for record in [made[0], made[0]]), confirm=2)) == 1
    assert len(documents.delete_many([], confirm=0)) == 0
    assert documents.all().index.tolist() == [made[1].id]
    with pytest.raises(
        ink.InvalidArgument, match="A frame of images is needed; this is a frame of documents."
    ):
        inkframe_client.images.delete_many(frame, confirm=8)


@pytest.mark.integration
def test_all_of_a_filter(misbehaving):
    """All ids are read before the first deletion, so that no page is skipped."""
    client, service = misbehaving(records=250)
    ids = (id for page in client.images.pages() for id in page.index)
    report = client.images.delete_many(ids, confirm=250)
    assert (report["status"] == "deleted").all()
    assert not service.images
    assert len(deletions(service)) == 250


def test_errors_stay_with_their_row(misbehaving):
    """A refusal affects one row; after a lost reply the request is repeated and counts as deleted."""
    wanted = Faults(script={1: "lost_reply"}, where=lambda request: request.segments[-1] == "2")
    client, service = misbehaving(records=8, faults=wanted)
    assert client.images.delete_many([2], confirm=1)["status"].tolist() == ["deleted"]
    service.plan(Faults({"forbidden": 1.0}, where=lambda request: request.segments[-1] == "3"))
    report = client.images.delete_many([3, 4], confirm=2)
    assert report["status"].tolist() == ["failed", "deleted"]
    assert isinstance(report["error"][0], str)
    assert sorted(service.images) == [1, 3, 5, 6, 7, 8]


def test_a_refused_key_stops_the_rest(misbehaving):
    """If every request would be refused, the remaining rows are not sent and have an error."""
    client, service = misbehaving(records=60, faults=Faults({"unauthenticated": 1.0}))
    report = client.images.delete_many(list(service.images), confirm=60)
    assert (report["status"] == "failed").all()
    assert report["error"].str.startswith("not sent, after: ").sum() > 30
    assert len(deletions(service)) < 30
    assert len(service.images) == 60


def test_ids_that_are_texts(misbehaving):
    """Ids such as "000007" are sent and returned unchanged."""
    client, service = misbehaving("rails_pagy", records=9)
    report = client.images.delete_many(["000007"], confirm=1)
    assert (report["id"].tolist(), type_name(report["id"].dtype)) == (["000007"], "str")
    assert 7 not in service.images


def test_integers_beyond_64_bits_are_deleted(misbehaving):
    """The report of a deletion has ids as texts if one does not fit an integer column."""
    client, service = misbehaving(records=2)
    service.images[2**63] = service.images.pop(2) | {"id": 2**63}
    report = client.images.delete_many([1, 2**63], confirm=2)
    assert report["id"].tolist() == ["1", str(2**63)]
    assert report["status"].tolist() == ["deleted", "deleted"]
