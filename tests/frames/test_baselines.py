"""Test the kept frames: shared memory, bounds, lookup and updates."""

import pandas as pd
import pytest
from tests.cases import addresses, with_texts

from inkframe.frames import ATTRIBUTE, BASELINES, origin
from inkframe.frames.baselines import Baselines
from inkframe.versions import text_type


def fetched(key, ids, **columns):
    frame = with_texts(
        pd.DataFrame(columns or {"name": [f"n{id}" for id in ids]}, index=pd.Index(ids, name="id"))
    )
    frame.attrs[ATTRIBUTE] = {"baseline": key, "client": "c", "collection": "images"}
    return frame


@pytest.mark.integration
def test_every_fetch_has_a_baseline(misbehaving):
    """Frames of ``list``, ``all`` and ``pages`` are kept under the random id in their attrs."""
    client, _ = misbehaving(records=120)
    for frame in [client.images.list(), client.images.all(), client.documents.all(), *client.images.pages()]:
        kept = BASELINES.find(frame.attrs["inkframe"]["baseline"])
        pd.testing.assert_frame_equal(kept, frame)


@pytest.mark.integration
def test_no_text_is_copied(misbehaving):
    """The baseline shares the texts of the frame, and an edit changes only the frame."""
    client, _ = misbehaving(records=120)
    frame = client.documents.all()
    kept = BASELINES.find(origin(frame)["baseline"])
    assert addresses(kept["result"]) == addresses(frame["result"])
    before = kept.copy()
    frame.loc[3, "name"] = "new"
    frame.loc[3, "favorite"] = not frame.loc[3, "favorite"]
    frame.loc[3, "creativity"] = 0.1
    frame["result"] = "gone"
    frame.attrs.clear()
    pd.testing.assert_frame_equal(BASELINES.find(before.attrs["inkframe"]["baseline"]), before)


def test_referenced_frames_are_kept(misbehaving):
    """Any number of referenced frames is kept, since they cost nothing."""
    baselines = Baselines(most=2)
    held = [fetched(str(n), [n]) for n in range(20)]
    for frame in held:
        baselines.keep(frame)
    assert all(baselines.find(str(n)) is not None for n in range(20))


@pytest.mark.integration
def test_the_latest_of_the_other_frames_are_kept():
    """Pages of a stream that nothing references any more are dropped, the oldest first."""
    baselines = Baselines(most=2)
    for n in range(100):
        baselines.keep(fetched(str(n), [n]))
        assert len(baselines) == min(n + 1, 3)  # with the last one, which was referenced when it was kept
    assert [n for n in range(100) if baselines.find(str(n)) is not None] == [97, 98, 99]


def test_dropping_waits_for_a_quarter_more():
    """All frames are looked at once for several new ones, since that takes longer than reading a page."""
    baselines, counts = Baselines(most=8), []
    for n in range(20):
        baselines.keep(fetched(str(n), [n]))
        counts.append(len(baselines))
    assert counts == [*range(1, 10), 10, 11, 9, 10, 11, 9, 10, 11, 9, 10, 11]


def kept_of(count, rows, largest):
    """Return which of several equal frames are kept; the last was referenced when it was kept."""
    baselines = Baselines(most=10, largest=largest)
    for n in range(count):
        baselines.keep(fetched(str(n), list(range(rows)), name=["x" * 100] * rows))
    return [n for n in range(count) if baselines.find(str(n)) is not None]


def test_frames_are_kept_up_to_their_bytes():
    """Texts and 64 bytes for each row count; pages of up to a thousand rows do not."""
    size = pd.array(["x" * 100] * 1001, text_type()).nbytes + 64 * 1001
    assert kept_of(4, 1001, 2 * size) == [1, 2, 3]
    assert kept_of(4, 1001, 2 * size - 1) == [2, 3]
    assert kept_of(4, 1001, 0) == [2, 3]
    assert kept_of(4, 1000, 0) == [0, 1, 2, 3]


def by_id(ids):
    """Return a frame with nothing but ids."""
    return pd.DataFrame(index=pd.Index(ids, name="id"))


def test_the_latest_fetch_that_covers_the_ids():
    """It is found by ids and columns to edit, only for the same client, collection and type of id."""
    baselines = Baselines()
    frames = [fetched("old", [1, 2, 3]), fetched("new", [1, 2]), fetched("texts", ["1", "2"])]
    for frame in frames:
        baselines.keep(frame)
    assert origin(baselines.covering("c", "images", by_id([1, 2])))["baseline"] == "new"
    assert origin(baselines.covering("c", "images", by_id([1]).assign(style="ink")))["baseline"] == "new"
    assert baselines.covering("c", "images", by_id([1]).assign(favorite=True)) is None
    assert origin(baselines.covering("c", "images", by_id([3])))["baseline"] == "old"
    assert origin(baselines.covering("c", "images", by_id(["1"])))["baseline"] == "texts"
    assert baselines.covering("c", "images", by_id([4])) is None
    assert baselines.covering("c", "documents", by_id([1])) is None
    assert baselines.covering("another", "images", by_id([1])) is None


def test_cells_of_a_baseline_are_updated():
    """Single cells of a kept frame can be updated; the user's frame stays unchanged."""
    baselines = Baselines()
    frame = fetched("a", [1, 2], name=["x", "y"], favorite=pd.array([True, None], dtype="boolean"))
    baselines.keep(frame)
    baselines.amend("a", {"name": {2: "z"}, "favorite": {2: False}})
    baselines.amend("unknown", {"name": {2: "z"}})
    baselines.amend(None, {"name": {2: "z"}})
    kept = baselines.find("a")
    assert kept["name"].tolist() == ["x", "z"]
    assert kept["favorite"].tolist() == [True, False]
    assert kept.dtypes.equals(frame.dtypes)
    assert frame["name"].tolist() == ["x", "y"]


@pytest.mark.parametrize("key", [None, 7, ["a"], "unknown"])
def test_unknown_keys_return_none(key):
    """Keys of any type are accepted, since attrs can have any value."""
    assert Baselines().find(key) is None
