from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pandas as pd
import pytest
from tests.cases import type_name

from inkframe.frames import Categories, FrameBuilder, columns_of
from inkframe.versions import text_type

DTYPES = {
    "text": "str",
    "category": "category",
    "boolean": "boolean",
    "number": "float64",
    "integer": "Int64",
    "time": "datetime64[us, UTC]",
}
MOMENT = datetime(2026, 5, 17, 8, 30, 15, 123456, tzinfo=UTC)
VALUES = {
    "text": "a text: ü 日本",
    "category": "anime",
    "boolean": True,
    "number": 0.25,
    "integer": 16,
    "time": MOMENT,
}


@pytest.fixture(params=["images", "documents"])
def collection(request):
    """Return each collection in turn."""
    return request.param


@pytest.fixture
def builder(collection):
    """Return a builder whose categories have one value."""
    names = [name for name, type in columns_of(collection).items() if type == "category"]
    return FrameBuilder(collection, {name: Categories(["anime"]) for name in names})


@pytest.fixture
def add(builder, collection):
    """Return a function that adds a page with a value of the right type in every column."""

    def make(ids, extra=None, **changed):
        columns = {
            name: [changed.get(type, VALUES[type])] * len(ids)
            for name, type in columns_of(collection).items()
        }
        builder.add(ids, columns, extra or {})

    return make


def check_columns(frame, collection):
    assert frame.columns.tolist()[: len(columns_of(collection))] == list(columns_of(collection))
    for name, type in columns_of(collection).items():
        assert type_name(frame[name].dtype) == DTYPES[type], name
        if type == "category":
            assert type_name(frame[name].cat.categories.dtype) == "str"


def test_columns_and_types(builder, add, collection):
    """A frame has the columns of its collection with their types, and the values unchanged."""
    add([1, 2])
    frame = builder.finish()
    check_columns(frame, collection)
    for name, type in columns_of(collection).items():
        assert frame[name].tolist() == [VALUES[type]] * 2


def test_an_empty_frame_has_the_same_columns_and_types(builder, add, collection):
    """Without records, the columns, types and index are the same, with no page or an empty one."""
    check_columns(builder.finish(), collection)
    other = FrameBuilder(collection, {name: Categories(["anime"]) for name in columns_of(collection)})
    other.add([], {name: [] for name in columns_of(collection)}, {})
    frame = other.finish()
    check_columns(frame, collection)
    assert (frame.index.name, type_name(frame.index.dtype), len(frame)) == ("id", "int64", 0)


def test_a_column_without_values_has_its_type(builder, add, collection):
    """A field that the service omits is missing, in a column of the same type."""
    add([1, 2], **dict.fromkeys(VALUES))
    frame = builder.finish()
    check_columns(frame, collection)
    assert frame.isna().all(axis=None)


def test_pages_join_in_their_order(builder, add, collection):
    """Many pages, large and small, become one frame in the order of arrival."""
    start = 0
    for number in range(150):
        size = number % 3
        add(
            range(start, start + size),
            text=f"page {number}",
            number=float(number),
            time=MOMENT + timedelta(number),
        )
        start += size
    frame = builder.finish()
    check_columns(frame, collection)
    assert frame.index.tolist() == list(range(start))
    pages = np.repeat(np.arange(150), np.arange(150) % 3)
    assert frame["name"].tolist() == [f"page {page}" for page in pages]
    assert frame["created_at"].tolist() == [MOMENT + timedelta(int(page)) for page in pages]


def test_an_interrupt_leaves_whole_pages(builder, add, collection):
    """Ctrl-C while a page is converted loses none of its values."""

    class Interrupted(list):
        def __iter__(self):
            if not interrupts:
                interrupts.append(True)
                raise KeyboardInterrupt
            return super().__iter__()

    interrupts = []
    add(range(100))
    types = columns_of(collection)
    values = {name: [VALUES[type]] * 100 for name, type in types.items()}
    values[[*types][[*types.values()].index("category")]] = Interrupted(["new"] * 100)
    with pytest.raises(KeyboardInterrupt):
        builder.add(range(100, 200), values, {})
    frame = builder.finish()
    assert interrupts
    assert frame.index.tolist() == list(range(200))
    assert (frame.count() == 200).all()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("sort", ["asc", "desc"])
def test_rows_out_of_order_keep_their_values(turned, sort):
    """Pages of any size whose ids are out of order are sorted with all their values, long texts too."""
    builder = FrameBuilder(
        "images", {name: Categories(["anime"]) for name in columns_of("images")}, turned=turned
    )
    rng = np.random.default_rng(1)
    ids = rng.permutation(1500)
    for page in np.split(ids, [70, 470, 471, 999]):
        values = {
            name: [
                f"{name} {id} {'x' * (id % 900)}" if type == "text" else VALUES[type] for id in page.tolist()
            ]
            for name, type in columns_of("images").items()
        }
        values["created_at"] = [MOMENT + timedelta(id) for id in page.tolist()]
        builder.add(page.tolist(), values, {})
    frame = builder.finish("id", sort)
    found = sorted(ids.tolist(), reverse=sort == "desc")
    assert frame.index.tolist() == found
    assert frame["name"].tolist() == [f"name {id} {'x' * (id % 900)}" for id in found]
    assert frame["created_at"].tolist() == [MOMENT + timedelta(id) for id in found]


@pytest.mark.parametrize(
    ("pages", "dtype", "ids"),
    [
        pytest.param([[3, 1], [2]], "int64", [3, 1, 2], id="numbers"),
        pytest.param([[-(2**63), 2**63 - 1]], "int64", [-(2**63), 2**63 - 1], id="the largest numbers"),
        pytest.param([["007", "7"]], "str", ["007", "7"], id="texts of digits stay texts"),
        pytest.param([[1, "a"]], "str", ["1", "a"], id="a text among numbers"),
        pytest.param([[1, 2], ["a"]], "str", ["1", "2", "a"], id="a text on a later page"),
        pytest.param([["a"], [1]], "str", ["a", "1"], id="a number on a later page"),
        pytest.param([[2**63], [1]], "str", [str(2**63), "1"], id="a number beyond 64 bits"),
    ],
)
def test_the_index(builder, add, pages, dtype, ids):
    """Ids are integers only if all are integers of at most 64 bits; otherwise all are strings."""
    for page in pages:
        add(page)
    index = builder.finish().index
    assert (index.name, type_name(index.dtype)) == ("id", dtype)
    assert index.tolist() == ids


@pytest.mark.parametrize(
    ("values", "dtype", "kept"),
    [
        pytest.param([True, None], "boolean", [True, pd.NA], id="truths"),
        pytest.param([1, None], "Int64", [1, pd.NA], id="whole numbers"),
        pytest.param([1, 0.5], "float64", [1.0, 0.5], id="numbers"),
        pytest.param(["a", None], "str", ["a", np.nan], id="texts"),
        pytest.param([1, "a"], "str", ["1", "a"], id="a number and a text"),
        pytest.param([True, 1], "str", ["True", "1"], id="a truth and a number"),
        pytest.param([2**64, 1], "str", [str(2**64), "1"], id="a number beyond 64 bits"),
        pytest.param([None, None], "str", [np.nan, np.nan], id="nothing"),
    ],
)
def test_the_type_of_a_further_column(builder, add, values, dtype, kept):
    """A further column has the common type of its values, or is text if they have none."""
    add([1, 2], {"more": values})
    frame = builder.finish()
    pd.testing.assert_series_equal(
        frame["more"],
        pd.Series(kept, index=frame.index, name="more", dtype=text_type() if dtype == "str" else dtype),
    )


def test_further_columns_come_and_go(builder, add, collection):
    """Further columns follow the fixed ones in the order of arrival, missing where a page lacks them."""
    add([1], {"b": [1]})
    add([2], {"a": ["x"]})
    add([3])
    add([4], {"b": [4], "a": ["y"]})
    frame = builder.finish()
    assert frame.columns.tolist() == [*columns_of(collection), "b", "a"]
    assert frame["b"].astype(object).where(frame["b"].notna(), None).tolist() == [1, None, None, 4]
    assert frame["a"].where(frame["a"].notna(), "-").tolist() == ["-", "x", "-", "y"]


RECORD = {"id": 5, "name": "Harbor", "description": "a harbor", "resolution": "256x256"}


def test_nested_objects_become_dotted_columns(answering):
    """Nested objects become columns such as ``user.id``; lists become JSON text."""
    frame = answering(RECORD | {"user": {"id": 7, "team": {"name": "A"}}, "tags": ["a", "b"]}).list()
    assert frame.columns.tolist()[-3:] == ["user.id", "user.team.name", "tags"]
    assert frame.loc[5, ["user.id", "user.team.name", "tags"]].tolist() == [7, "A", '["a","b"]']


def test_a_clash_is_prefixed(answering):
    """A field of the service with the name of one of our columns, but another meaning, is prefixed."""
    document = {"id": 5, "name": "FAQ", "template_id": 16, "template": "Questions", "url": "https://x.test/5"}
    frame = answering(document, collection="documents").list()
    assert frame.columns.tolist()[-2:] == ["service.template", "url"]
    assert frame.loc[5, "template"] == "FAQ"
    assert frame.loc[5, "service.template"] == "Questions"
    image = RECORD | {"picture_url": 7, "url": "/pictures/5.png"}
    frame = answering(image).list()
    assert frame.loc[5, "picture_url"] == "https://frames.test/pictures/5.png"
    assert frame.loc[5, "service.picture_url"] == 7


@pytest.mark.parametrize("field", ["b64_json", "image", "preview"])
def test_no_picture_enters_a_frame(answering, field):
    """Pictures in base64 or data URIs stay out, whatever their field is called."""
    for picture in ("iVBORw0KGgo" + "A" * 3000, "data:image/png;base64,iVBORw0KGgo"):
        frame = answering(RECORD | {field: picture}).list()
        assert picture[:20] not in frame.to_csv()
        assert len(frame) == 1


def test_an_empty_list_of_a_service_has_every_column(answering, collection):
    """An empty page has the columns and types of a full one."""
    frame = answering(collection=collection).list()
    check_columns(frame, collection)
    assert (len(frame), frame.index.name, type_name(frame.index.dtype)) == (0, "id", "int64")


@pytest.mark.parametrize("value", ["values", "nothing"])
def test_every_column_can_be_written_to(builder, collection, value):
    """No column uses Arrow's read-only memory, which pandas could not write to."""
    types = columns_of(collection)
    given = {
        name: [VALUES[type], VALUES[type] if value == "values" else None] for name, type in types.items()
    }
    builder.add([1, 2], given, {"count": [1, 2]})
    frame = builder.finish()
    for name in frame.columns:
        frame.loc[2, name] = frame.loc[1, name]
        assert frame.loc[2, name] == frame.loc[1, name]


@pytest.mark.parametrize(
    "time",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2262, 5, 1, 1, 2, 3, 456_789, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        MOMENT.astimezone(timezone(timedelta(hours=-8))),
    ],
)
def test_times_are_exact_to_the_microsecond(builder, add, time):
    """Early, late and far times come back as they were, whatever their zone."""
    add([1], time=time)
    add([2], time=MOMENT)
    assert builder.finish()["created_at"].tolist() == [time, MOMENT]


def test_a_missing_time_beside_others_is_missing(builder, add):
    """A page with and without a time keeps both, and a time without a zone is in UTC."""
    for id, time in enumerate((None, pd.NaT, MOMENT.replace(tzinfo=None))):
        add([id], time=time)
    times = builder.finish()["created_at"]
    assert times.isna().tolist() == [True, True, False]
    assert times[2] == MOMENT


@pytest.mark.parametrize("count", [1, 2000])
def test_a_page_without_times_keeps_their_type(builder, add, collection, count):
    """A column of times without any is of the same type as others, on one page and on several."""
    add([0], time=None)
    add(range(1, count), time=None)
    check_columns(builder.finish(), collection)


def test_a_builder_returns_the_same_frame_again(collection):
    """The second frame has the values as they were added, whatever was edited in the first."""
    types = columns_of(collection)
    names = [name for name, type in types.items() if type == "category"]
    builder = FrameBuilder(collection, {name: Categories(["anime"]) for name in names})
    for id in (1, 2):
        values = {name: [VALUES[type]] for name, type in types.items()}
        builder.add([id], values, {"count": [id], "note": ["a"], "last": [None]})
    edited = builder.finish()
    for name in edited.columns:
        edited.loc[1, name] = None if edited[name].dtype != "category" else np.nan
    edited.columns.name = "edited"
    kept = builder.finish()
    assert kept.index.tolist() == [1, 2]
    assert kept.columns.name is None
    check_columns(kept, collection)
    for name, type in types.items():
        assert kept[name].tolist() == [VALUES[type]] * 2, name
    assert kept["count"].tolist() == kept.index.tolist()
