"""Test the comparison of two frames."""

import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink


@pytest.fixture
def old(misbehaving):
    """Return a frame of a service."""
    return misbehaving(records=12)[0].images.all()


@pytest.fixture
def client():
    """Return a client of a service in memory."""
    with ink.connect(library=":memory:") as client:
        yield client


def rows(frame):
    return [tuple(row) for row in frame.to_numpy().tolist()]


@pytest.mark.integration
def test_no_change(old):
    """Equal frames give an empty frame of the same columns and types, in whatever order their rows are."""
    found = ink.diff(old, old.sample(frac=1, random_state=1).reset_index())
    assert (len(found), type_name(found["id"].dtype), type_name(found["column"].dtype)) == (0, "int64", "str")
    assert found.attrs["summary"].startswith("0 added, 0 removed")


@pytest.mark.integration
def test_only_what_both_fetched(misbehaving):
    """A column that one frame lacks, or that its service did not show, is not compared."""
    client, _ = misbehaving("list_brief", records=5)
    brief, whole = client.documents.all(), client.documents.all(details=True)
    assert len(ink.diff(brief, whole)) == 0
    assert len(ink.diff(whole.drop(columns="name"), whole)) == 0
    assert len(ink.diff(whole, whole.assign(score=1))) == 0


@pytest.mark.integration
def test_missing_values(old):
    """A value that appears or disappears is a change; two missing values are equal."""
    new = old.copy()
    styled = old.index[old["style"].notna()][0]
    new.loc[styled, "style"] = None
    found = ink.diff(old, new)
    assert rows(found) == [(styled, "changed", "style", old.loc[styled, "style"], None)]


@pytest.mark.integration
def test_signed_addresses_are_no_change(misbehaving):
    """An address with a new signature is no change; another address is one."""
    client, _ = misbehaving(records=3, picture_lifetime=60)
    old = client.images.all()
    new = old.assign(picture_url=old["picture_url"] + "&again")
    assert len(ink.diff(old, new)) == 0
    new.loc[2, "picture_url"] = "https://elsewhere.test/2.png"
    assert ink.diff(old, new)["id"].tolist() == [2]
    assert ink.diff(old, old.iloc[:0])["change"].tolist() == ["removed"] * 3


def test_ids_of_different_types():
    """If the ids of one frame became strings, both are compared as strings."""
    old = pd.DataFrame({"id": [1, 2], "name": ["a", "b"]})
    new = pd.DataFrame({"id": ["1", "2", "x"], "name": ["a", "c", "d"]})
    assert rows(ink.diff(old, new)) == [("x", "added", "name", None, "d"), ("2", "changed", "name", "b", "c")]


def test_frames_without_ids_are_refused():
    """There is nothing to compare by."""
    with pytest.raises(ink.InvalidArgument, match="has no ids"):
        ink.diff(pd.DataFrame({"name": ["a"]}), pd.DataFrame({"name": ["a"]}))


def test_a_whole_comparison():
    """Rows are added, removed, then changed by column; signatures and the time of the change do not count."""
    old = pd.DataFrame(
        {"name": ["a", "b", "c"], "favorite": [True, False, None], "picture_url": ["/1?x", "/2", "/3?y"], "updated_at": [1, 2, 3],
         "old": [1, 2, 3], "n": [1, 2, 3], "gone": [1, 2, 3]},
        index=pd.Index([1, 2, 3], name="id"),
    )  # fmt: skip
    new = pd.DataFrame(
        {"name": ["d", "B", "c"], "favorite": [True, True, None], "picture_url": ["/4", "/2?z", "/4?y"], "updated_at": [4, 5, 6],
         "n": [4, 20, 30], "gone": [9, 9, 9], "new": [1, 2, 3]},
        index=pd.Index([4, 2, 3], name="id"),
    )  # fmt: skip
    new.attrs["inkframe"] = {"collection": "images", "absent": ["gone"]}
    found = ink.diff(old, new)
    assert rows(found) == [
        (4, "added", "name", None, "d"),
        (1, "removed", "name", "a", None),
        (2, "changed", "name", "b", "B"),
        (2, "flipped", "favorite", False, True),
        (3, "changed", "picture_url", "/3?y", "/4?y"),
        (2, "changed", "n", 2, 20),
        (3, "changed", "n", 3, 30),
    ]
    assert found.attrs["summary"] == "1 added, 1 removed, 4 cells changed in 2 records, 1 favorites flipped"
    assert found.dtypes.map(type_name).to_dict() == {
        "id": "int64", "change": "category", "column": "str", "old": "object", "new": "object"
    }  # fmt: skip
    assert found["change"].cat.categories.tolist() == ["added", "removed", "changed", "flipped"]
    assert rows(ink.diff(old[["n"]], new[["n"]]))[:2] == [
        (4, "added", "name", None, None),
        (1, "removed", "name", None, None),
    ]
    old.attrs["inkframe"] = {"collection": "documents"}
    with pytest.raises(ink.InvalidArgument) as caught:
        ink.diff(old, new)
    assert str(caught.value) == (
        "Both frames must hold images, or both documents, got documents and images.\n"
        "Pass two frames of the same collection."
    )


@pytest.mark.integration
def test_generated_columns_are_compared_by_their_records(client):
    """The ids beside the texts count, whatever the table has as index or as a column ``id``."""
    shop = pd.DataFrame({"product": ["Kettle", "Lamp"], "id": [7, 8]}, index=pd.Index([1, 2], name="id"))
    old = client.documents.write(shop, "Write about {product}.")
    kettle, lamp = old["text_id"].tolist()
    new = old.iloc[::-1].reset_index(drop=True).assign(id=[7, 8])
    assert ink.diff(old, new).empty
    new.loc[0, "text"] = "By hand."
    assert rows(ink.diff(old, new)) == [(lamp, "changed", "result", old["text"].iloc[1], "By hand.")]
    assert rows(ink.diff(old.head(1), old)) == [(lamp, "added", "name", None, "Lamp")]
    client.documents.update(kettle, result="Theirs.")
    found = ink.diff(old, client.documents.all())
    assert rows(found) == [(kettle, "changed", "result", old["text"].iloc[0], "Theirs.")]


@pytest.mark.integration
def test_of_two_generated_columns_one_is_compared(client):
    """``column`` chooses it; without it the error has the argument to write."""
    shop = pd.DataFrame({"product": ["Kettle"]})
    old = client.documents.write(
        client.documents.write(shop, "A text: {product}"), "A slogan: {product}", into="slogan"
    )
    new = old.assign(slogan="By hand.")
    with pytest.raises(ink.InvalidArgument, match=r"Pass column='slogan'\.|Pass column='text'\."):
        ink.diff(old, new)
    assert ink.diff(old, new, column="slogan")["new"].tolist() == ["By hand."]
    assert ink.diff(old, new, column="text")["column"].tolist() == ["slogan"]
