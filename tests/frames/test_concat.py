"""Test joining pages: values, types, categories, provenance and baselines."""

import numpy as np
import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink
from inkframe.frames import BASELINES, origin
from inkframe.versions import text_type


@pytest.mark.integration
def test_joined_pages_equal_the_whole_listing(misbehaving):
    """All pages joined equal the frame of ``all``, with its types and categories."""
    client, _ = misbehaving("template_unlimited", records=230)
    for collection in (client.images, client.documents):
        joined = ink.concat(collection.pages())
        pd.testing.assert_frame_equal(joined.sort_index(), collection.all().sort_index())


@pytest.mark.integration
def test_joined_frames_can_be_pushed(misbehaving):
    """Edits from before and after joining are sent, and conflicts are reported."""
    client, service = misbehaving(records=250)
    pages = list(client.images.pages())
    pages[0] = pages[0].copy()
    first, second, third = pages[0].index[0], pages[1].index[0], pages[2].index[0]
    pages[0].loc[first, "name"] = "before"
    joined = ink.concat(pages)
    joined.loc[[second, third], "name"] = "after"
    service.images[third]["name"] = "theirs"
    report = joined.ink.push().set_index("id")
    assert report["outcome"].to_dict() == {first: "changed", second: "changed", third: "conflict"}


@pytest.mark.integration
def test_a_baseline_shares_memory(misbehaving):
    """The texts of a joined frame without edits are stored once."""
    client, _ = misbehaving(records=250)
    joined = ink.concat(client.images.pages())
    kept = BASELINES.find(origin(joined)["baseline"])
    texts, same = (frame["name"].array.__arrow_array__().chunks for frame in (joined, kept))
    assert [chunk.buffers()[2].address for chunk in texts] == [chunk.buffers()[2].address for chunk in same]


@pytest.mark.integration
def test_the_last_row_of_a_record_is_kept(misbehaving):
    """A record in two frames appears once in the joined frame, with the values of the last one."""
    client, service = misbehaving(records=10)
    old = client.images.all()
    service.images[3]["name"] = "newer"
    joined = ink.concat([old, client.images.all().loc[[3]]])
    assert (len(joined), joined.loc[3, "name"], joined.index[-1]) == (10, "newer", 3)
    assert len(joined.ink.push()) == 0


def test_categories_are_joined():
    """The vocabulary's values come first, then others in the order of arrival."""
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
        (["Int64", text_type()], text_type(), ["1", "1"]),
        ([text_type(), None], text_type(), ["1", float("nan")]),
    ],
)
def test_columns_come_and_go(parts, dtype, values):
    """A column that a page lacks is missing there; different types become the wider one."""
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


def test_one_string_id_turns_all_into_strings():
    """Ids are integers only if all are integers."""
    joined = ink.concat([pd.DataFrame({"id": [1], "a": [1]}), pd.DataFrame({"id": ["x"], "a": [2]})])
    assert (joined.index.tolist(), type_name(joined.index.dtype), joined.index.name) == (
        ["1", "x"],
        "str",
        "id",
    )


def test_frames_without_provenance():
    """Frames without provenance are joined, and the result has none."""
    frame = pd.DataFrame({"id": [1], "a": [1]})
    assert ink.concat([frame, frame.assign(id=2)]).attrs == {}
    assert ink.concat([frame.head(0)]).empty


def page(ids, **came):
    """Return a page with provenance, as it is saved."""
    frame = pd.DataFrame({"name": [f"n{id}" for id in ids]}, index=pd.Index(ids, name="id"))
    usual = {
        "service": "s", "collection": "images", "query": {"style": "ink", "page": 1, "per_page": 10, "sort": "asc", "sort_by": "id"},
        "fetched_at": "2026-03-02T00:00:00+00:00", "total": 7, "completeness": "page", "reasons": ["r1"], "absent": ["a1"],
        "client": "c", "baseline": "none",
    }  # fmt: skip
    frame.attrs["inkframe"] = usual | came
    return frame


def joined_origin(*parts):
    came = dict(ink.concat(parts).attrs["inkframe"])
    assert len(came.pop("baseline")) == 32
    return came


def test_the_whole_provenance_of_joined_pages():
    """Shared facts stay, others are joined or left out; the time is that of the first fetch."""
    first = page([1])
    came = dict(first.attrs["inkframe"], query={"style": "ink"})
    del came["baseline"]
    assert joined_origin(first) == came
    assert joined_origin(first, page([2], query={"style": "ink", "page": 2})) == came | {
        "completeness": "best-effort", "reasons": ["r1", "joined from 2 frames"]
    }  # fmt: skip
    other = {
        "query": {"style": "ink", "favorite": True}, "fetched_at": "2026-03-01T00:00:00+00:00", "total": 8,
        "reasons": ["r2", "r1"], "absent": ["a2"], "assumed": ["x"], "client": "d", "completeness": "exact",
    }  # fmt: skip
    assert joined_origin(first, page([2], **other), page([3], assumed=["y", "x"])) == came | {
        "fetched_at": "2026-03-01T00:00:00+00:00", "total": None, "completeness": "best-effort",
        "reasons": ["r1", "r2", "joined from 3 frames"], "absent": ["a1", "a2"], "assumed": ["x", "y"], "client": None,
    }  # fmt: skip
    assert joined_origin(page([2], **other))["query"] == {"style": "ink", "favorite": True}
    assert joined_origin(page([2], **other), first)["query"] == {"style": "ink"}


LABEL = "ink.connect(label=…) names a service in such messages."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"service": "t"}, "All frames must be of one service, got s and t.\nJoin them with pandas.concat. " + LABEL),
        ({"collection": "documents"}, ("All frames must be of one collection, got documents and images.\n"
         "Join them with pandas.concat.")),
        ({"library": "l"}, "All frames must be of one library, got k and l.\nJoin them with pandas.concat. " + LABEL),
    ],
)  # fmt: skip
def test_frames_of_two_origins_are_refused_in_full(change, message):
    """The error names what differs."""
    with pytest.raises(ink.InvalidArgument) as caught:
        ink.concat([page([1], library="k"), page([2], **{"library": "k"} | change)])
    assert str(caught.value) == message
    assert len(ink.concat([page([1], library="k"), page([2])])) == 2


def test_no_frames_are_refused():
    """An empty list is no frame, and a frame without ids has nothing to join by."""
    with pytest.raises(ink.InvalidArgument, match="has no ids"):
        ink.concat([pd.DataFrame({"a": [1]})])
    with pytest.raises(ink.InvalidArgument) as caught:
        ink.concat([])
    assert (
        str(caught.value)
        == "frames must have at least one frame, got none.\nPass a list or iterator of frames."
    )


def frame_of(ids, **columns):
    """Return a frame without provenance."""
    return pd.DataFrame(columns, index=pd.Index(ids, name="id"))


def test_an_id_that_appears_twice_keeps_its_last_row():
    """Also within one frame."""
    joined = ink.concat([frame_of([1, 1], name=["a", "b"]), frame_of([2, 1], name=["c", "d"])])
    assert joined["name"].to_dict() == {2: "c", 1: "d"}
    assert ink.concat([frame_of([1, 1], name=["a", "b"])])["name"].to_dict() == {1: "b"}


@pytest.mark.parametrize(
    ("one", "other", "dtype"),
    [
        (pd.array([None], dtype="Int64"), pd.array([None], dtype="Int64"), "Int64"),
        (pd.array([None], dtype="boolean"), pd.array([True], dtype="boolean"), "boolean"),
        (np.array([np.nan]), np.array([0.5]), "float64"),
        (np.array([np.nan]), np.array([np.nan]), "float64"),
        (np.array([1]), np.array([0.5]), "float64"),
        (np.array([True]), np.array([1]), "str"),
        (pd.array(["a"], dtype=text_type()), pd.array([None], dtype=text_type()), "str"),
        (pd.array(["a"], dtype=text_type()), np.array([{}], dtype=object), "object"),
        (np.array([1]), pd.array([None], dtype=text_type()), "Int64"),
        (np.array([True]), np.array([np.nan]), "boolean"),
        (pd.interval_range(0, 1), np.array([np.nan]), "interval[float64, right]"),
        (pd.arrays.SparseArray([1]), np.array([np.nan]), "Sparse[float64, 0]"),
    ],
)
def test_the_type_of_a_joined_column(one, other, dtype):
    """Missing values do not decide it, and different types become strings or objects."""
    for parts in ((one, other), (other, one)):
        joined = ink.concat([frame_of([1], a=parts[0]), frame_of([2], a=parts[1])])
        assert type_name(joined["a"].dtype) == dtype


def test_categories_without_values_stay_texts():
    """The type of the categories is kept where there are none."""
    none = pd.Categorical([None], categories=pd.Index([], dtype=text_type()))
    joined = ink.concat([frame_of([1], style=none), frame_of([2], style=none)])
    assert type_name(joined["style"].cat.categories.dtype) == "str"
    some = pd.Categorical(["b"], categories=["b", "a"])
    joined = ink.concat(
        [frame_of([1], style=some), frame_of([2], style=pd.Categorical(["c"])), frame_of([3], style=none)]
    )
    assert joined["style"].cat.categories.tolist() == ["b", "a", "c"]
    assert joined["style"].fillna("a").tolist() == ["b", "c", "a"]


@pytest.fixture
def shops():
    """Return two tables of two products with texts from ``write``, whose own numbers are no ids of documents."""
    with ink.connect(library=":memory:") as client:
        yield [
            client.documents.write(
                pd.DataFrame({"product": names, "id": [1, 2]}, index=pd.RangeIndex(2, name="id")),
                "Write about {product}.",
            )
            for names in (["Kettle", "Lamp"], ["Chair", "Desk"])
        ]


@pytest.mark.integration
@pytest.mark.parametrize(
    "own",
    [
        pytest.param(lambda shop: shop, id="both"),
        pytest.param(lambda shop: shop.drop(columns="id"), id="index named id"),
        pytest.param(lambda shop: shop.rename_axis(None), id="column id"),
        pytest.param(lambda shop: shop.drop(columns="id").rename_axis(None), id="no ids"),
        pytest.param(lambda shop: shop.drop(columns="id").set_index(["product", "text_id"], drop=False), id="levels"),
    ],
)  # fmt: skip
def test_a_table_with_generated_columns_keeps_its_rows(shops, own):
    """Each row stays, in order and with its own index; the column is still known as one of documents."""
    parts = [own(shop) for shop in shops]
    joined = ink.concat(parts)
    assert joined["product"].tolist() == ["Kettle", "Lamp", "Chair", "Desk"]
    assert joined.index.tolist() == [*parts[0].index, *parts[1].index]
    assert joined.index.names == parts[0].index.names
    assert joined.columns.tolist() == parts[0].columns.tolist()
    assert joined.attrs == parts[0].attrs | {"sources": joined.attrs["sources"]}
    assert joined.attrs["sources"]["text"].items() >= joined.attrs["inkframe"].items()
    assert len(joined.ink.push(dry_run=True)) == 0


@pytest.mark.integration
def test_pages_with_texts_beside_them_stay_pages(misbehaving):
    """Images with captions are joined by the ids of the images, and both collections stay known."""
    client, _ = misbehaving(records=3)
    images = client.images.all()
    captioned = client.documents.write(images, "A caption for {name}.", into="caption")
    joined = ink.concat([captioned.head(2), captioned.tail(2)])
    assert sorted(joined.index) == sorted(images.index)
    assert (joined.attrs["columns"], origin(joined)["collection"]) == ({"caption": "documents"}, "images")


@pytest.mark.integration
def test_columns_of_two_services_are_refused(shops):
    """Also where the table itself is of no service."""
    for shop, service in zip(shops, ("https://one.test", "https://two.test"), strict=True):
        shop.attrs = {
            "columns": {"text": "documents"},
            "sources": {"text": {"service": service, "client": "c"}},
        }
    with pytest.raises(
        ink.InvalidArgument, match=r"must be of one service, got https://one\.test and https://two"
    ):
        ink.concat(shops)
