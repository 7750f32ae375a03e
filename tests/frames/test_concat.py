"""Pages joined: values, types, categories, where they came from, and what they can be pushed against."""

from __future__ import annotations

import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import BASELINES, origin


def test_pages_are_the_whole(inkframe_misbehaving):
    """All pages joined are what ``all`` gives, with its types and categories."""
    client, _ = inkframe_misbehaving("template_unlimited", records=230)
    for collection in (client.images, client.documents):
        joined = ink.concat(collection.pages())
        pd.testing.assert_frame_equal(joined.sort_index(), collection.all().sort_index())


def test_where_they_came_from(inkframe_misbehaving):
    """The joined frame tells its service, collection and filters, and that it was joined."""
    client, _ = inkframe_misbehaving(records=250)
    pages = [client.images.list(style="anime", per_page=10, page=number) for number in (1, 2)]
    came = ink.concat(pages).attrs["inkframe"]
    first = pages[0].attrs["inkframe"]
    assert {name: came[name] for name in ("service", "collection", "client", "total")} == {
        name: first[name] for name in ("service", "collection", "client", "total")
    }
    assert came["query"] == {"style": "anime"}
    assert (came["completeness"], came["reasons"]) == ("best-effort", ["joined from 2 frames"])
    assert came["baseline"] not in {first["baseline"], pages[1].attrs["inkframe"]["baseline"]}
    other = client.images.list(style="retro")
    assert ink.concat([*pages, other]).attrs["inkframe"]["query"] == {}
    assert ink.concat([*pages, other]).attrs["inkframe"]["total"] is None


def test_they_can_be_pushed(inkframe_misbehaving):
    """Edits from before and after joining go out, and conflicts are told."""
    client, service = inkframe_misbehaving(records=250)
    pages = list(client.images.pages())
    pages[0] = pages[0].copy()
    first, second, third = pages[0].index[0], pages[1].index[0], pages[2].index[0]
    pages[0].loc[first, "name"] = "before"
    joined = ink.concat(pages)
    joined.loc[[second, third], "name"] = "after"
    service.images[third]["name"] = "theirs"
    report = joined.ink.push().set_index("id")
    assert report["outcome"].to_dict() == {first: "changed", second: "changed", third: "conflict"}


def test_a_baseline_shares_memory(inkframe_misbehaving):
    """Joined and not edited, the texts are held once."""
    client, _ = inkframe_misbehaving(records=250)
    joined = ink.concat(client.images.pages())
    kept = BASELINES.find(origin(joined)["baseline"])
    texts, same = (frame["name"].array.__arrow_array__().chunks for frame in (joined, kept))
    assert [chunk.buffers()[2].address for chunk in texts] == [chunk.buffers()[2].address for chunk in same]


def test_the_last_of_a_record_is_kept(inkframe_misbehaving):
    """A record that stands in two frames stands once in the joined one, as the last has it."""
    client, service = inkframe_misbehaving(records=10)
    old = client.images.all()
    service.images[3]["name"] = "newer"
    joined = ink.concat([old, client.images.all().loc[[3]]])
    assert (len(joined), joined.loc[3, "name"], joined.index[-1]) == (10, "newer", 3)
    assert len(joined.ink.push()) == 0


def test_categories_are_joined():
    """The vocabulary's values first, then others as they were met."""
    one = pd.DataFrame({"id": [1], "style": pd.Categorical(["x"], categories=["anime", "retro", "x"])})
    two = pd.DataFrame({"id": [2], "style": pd.Categorical(["y"], categories=["anime", "retro", "y"])})
    joined = ink.concat([one, two])
    assert joined["style"].cat.categories.tolist() == ["anime", "retro", "x", "y"]
    assert joined["style"].tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("parts", "dtype", "values"),
    [
        (["Int64", None], "Int64", [1, pd.NA]),
        (["int64", None], "Int64", [1, pd.NA]),
        (["bool", None], "boolean", [True, pd.NA]),
        (["boolean", None], "boolean", [True, pd.NA]),
        (["float64", None], "float64", [1.0, float("nan")]),
        (["Int64", "float64"], "float64", [1.0, 1.0]),
        (["Int64", "str"], "str", ["1", "1"]),
        (["str", None], "str", ["1", float("nan")]),
    ],
)
def test_columns_come_and_go(parts, dtype, values):
    """A column that a page lacks is missing there; where pages disagree about its type, the wider one holds."""
    frames = [
        pd.DataFrame(
            {"id": [n], **({} if part is None else {"more": pd.array([1], dtype="Int64").astype(part)})}
        )
        for n, part in enumerate(parts)
    ]
    joined = ink.concat(frames)
    pd.testing.assert_series_equal(
        joined["more"], pd.Series(values, index=joined.index, dtype=dtype, name="more")
    )


def test_a_column_without_values_takes_the_others_type():
    """An all-missing column of a page says nothing about its type."""
    empty = pd.DataFrame({"id": [1], "more": pd.array([None], dtype="str")})
    number = pd.DataFrame({"id": [2], "more": pd.array([5], dtype="Int64")})
    assert str(ink.concat([empty, number])["more"].dtype) == "Int64"


def test_one_text_id_makes_texts_of_all():
    """Ids are numbers only if all are."""
    joined = ink.concat([pd.DataFrame({"id": [1], "a": [1]}), pd.DataFrame({"id": ["x"], "a": [2]})])
    assert (joined.index.tolist(), str(joined.index.dtype), joined.index.name) == (["1", "x"], "str", "id")


def test_frames_without_provenance():
    """They are joined, and the result has none either."""
    frame = pd.DataFrame({"id": [1], "a": [1]})
    assert ink.concat([frame, frame.assign(id=2)]).attrs == {}
    assert ink.concat([frame.head(0)]).empty


def test_what_cannot_be_joined(inkframe_misbehaving):
    """Nothing, different collections, and frames without ids are refused."""
    client, _ = inkframe_misbehaving(records=3)
    with pytest.raises(ink.InvalidArgument, match="no frames to join"):
        ink.concat([])
    with pytest.raises(ink.InvalidArgument, match="of different collections: documents and images"):
        ink.concat([client.images.all(), client.documents.all()])
    with pytest.raises(ink.InvalidArgument, match="has no ids"):
        ink.concat([pd.DataFrame({"a": [1]})])
