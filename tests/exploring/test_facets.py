"""Facets: counts under filters, rows, and the line of pandas that gives the same rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from tests.cases import cases

import inkframe as ink
from inkframe.errors import InvalidArgument
from inkframe.exploring.facets import Facets, histogram_label
from inkframe.versions import text_type

WORDS = ["kettle", "Kettle tea", "the (red) bicycle", "É cup", "50% off", "a|b", ""]


@pytest.fixture
def frame():
    """Return twelve records with columns of every kind."""
    return pd.DataFrame(
        {
            "name": [f"record {at}" for at in range(12)],
            "template": pd.Categorical(["FAQ"] * 6 + ["Slogan"] * 3 + [None] * 3, ["Slogan", "FAQ", "Poem"]),
            "creativity": [0.0, 0.5, 1.0] * 4,
            "favorite": pd.array([True, False, None] * 4, "boolean"),
            "words": np.arange(12) * 10.0,
            "created_at": pd.date_range("2026-01-01", periods=12, freq="D", tz="UTC"),
            "result": pd.array(
                [f"A quiet kettle {at} " + "that boils water " * 6 for at in range(11)] + [None], text_type()
            ),
            "constant": 1,
            "lists": [[1]] * 12,
        },
        index=pd.Index(range(100, 112), name="id"),
    )


def rows(frame, code):
    """Return the rows that a line of pandas gives."""
    return eval(code, {"frame": frame, "pd": pd})  # noqa: S307  # the line that is offered to the user


def test_texts_that_no_file_can_hold():
    """Objects with lone surrogates are counted and searched like other texts."""
    names = [f"a kettle that is number {at} and long" for at in range(11)] + ["a \ud800 pot"]
    facets = Facets(pd.DataFrame({"name": names, "kind": ["x", "\udfff"] * 6}, dtype=object))
    assert facets.positions({"search": "kettle"}).tolist() == list(range(11))
    assert facets.positions({"kind": ["\udfff"], "search": "pot"}).tolist() == [11]


def test_each_column_has_the_kind_of_its_type(frame):
    """Few different numbers are chosen from a list; lists cannot be filtered."""
    facets = Facets(frame)
    assert {name: facets[name].kind for name in facets.names} == {
        "name": "text", "template": "category", "creativity": "number", "favorite": "category",
        "words": "number", "created_at": "time", "result": "text", "constant": "number",
    }  # fmt: skip
    assert facets["creativity"].choices == [0, 0.5, 1]
    assert facets["words"].choices == []
    assert facets["template"].choices == ["FAQ", "Slogan"]


def test_the_columns_that_divide_are_suggested(frame):
    """Neither constant ones nor those in which each record has its own value."""
    assert Facets(frame).suggested() == ["template", "creativity", "favorite", "created_at", "words"]
    assert Facets(frame[["name", "constant"]]).suggested() == []
    assert len(Facets(frame).suggested(2)) == 2
    usual = ["template", "style", "medium", "creativity", "favorite", "label", "created_at"]
    own = ["other", "id", "name", "picture_url", "template_id"]
    values = pd.date_range("2026-01-01", periods=2).repeat(4)
    library = pd.DataFrame(
        {column: values if "_at" in column else ["a", "b"] * 4 for column in own + usual[::-1]}
    )
    assert Facets(library).suggested() == usual[:5]
    assert Facets(library).suggested(20) == [*usual, "other"]


def test_counts_are_under_all_other_filters(frame):
    """The last count is that of missing values."""
    facets = Facets(frame)
    assert facets.counts("template", {}).tolist() == [6, 3, 3]
    filters = facets.check({"template": ["FAQ"], "creativity": [0.5]})
    assert facets.counts("template", filters).tolist() == [2, 1, 1]
    assert facets.counts("creativity", filters).tolist() == [2, 2, 2, 0]
    assert facets.counts("words", filters).sum() == 2


@pytest.mark.integration
@cases(
    ("filters", "expected"),
    [
        ({}, range(100, 112)),
        ({"template": ["Slogan", None]}, range(106, 112)),
        ({"template": "FAQ"}, range(100, 106)),
        ({"favorite": [True]}, [100, 103, 106, 109]),
        ({"favorite": [None]}, [102, 105, 108, 111]),
        ({"words": (20, 40)}, [102, 103, 104]),
        ({"words": (None, 5)}, [100]),
        ({"creativity": (0.5, None), "words": (90, None)}, [110, 111]),
        ({"created_at": ("2026-01-11", None)}, [110, 111]),
        ({"search": "KETTLE 1 "}, [101]),
        ({"search": "record 11"}, [111]),
        ({"template": []}, []),
    ],
)
def test_rows_and_code_agree(frame, filters, expected):
    """The line of pandas gives the rows that are shown."""
    facets = Facets(frame)
    checked = facets.check(filters)
    shown = frame.iloc[facets.positions(checked)]
    assert list(shown.index) == list(expected)
    pd.testing.assert_frame_equal(rows(frame, facets.code(checked)), shown)


@pytest.mark.integration
def test_rows_are_sorted_with_missing_values_last(frame):
    """The line of pandas sorts the same way."""
    facets = Facets(frame)
    for column in ("template", "words", "name", "favorite"):
        for ascending in (True, False):
            at = facets.positions({}, column, ascending=ascending)
            code = facets.code({}, column, ascending=ascending)
            pd.testing.assert_frame_equal(rows(frame, code), frame.iloc[at])
    assert facets.positions({}, "template")[-1] == 11


def test_other_frames_are_refused(frame):
    """A list is no frame, and a column must not appear twice."""
    with pytest.raises(ink.InvalidArgument, match="Expected a pandas DataFrame"):
        Facets([1])
    with pytest.raises(ink.InvalidArgument, match="appears twice"):
        Facets(frame[["name", "words", "name"]])


def test_many_values_that_are_no_texts_are_not_searched():
    """Neither dates, nor texts among numbers."""
    dates = [each.date() for each in pd.date_range("2026-01-01", periods=300)]
    facets = Facets(
        pd.DataFrame({"date": dates, "mixed": [*range(299), "a"], "text": list(map(str, range(300)))})
    )
    assert facets.texts == facets.names == ["text"]
    assert facets.positions({"search": "299"}).tolist() == [299]


def test_edges_are_labeled_for_people(frame):
    """Times by their date, numbers without needless digits."""
    facets = Facets(frame)
    assert histogram_label(facets["created_at"], facets["created_at"].edges[0]) == "1 Jan 2026"
    assert histogram_label(facets["words"], 1234.5) == "1,234"
    assert histogram_label(facets["words"], 0.123456) == "0.123"
    numbers = {-1e6: "-1,000,000", -12: "-12", 0: "0", 7.0: "7", 99.94: "99.9", 100.4: "100", 99.96: "100"}
    assert [histogram_label(facets["words"], value) for value in numbers] == [*numbers.values()]


def test_empty_frames_have_no_facets():
    """They can still be searched for."""
    empty = Facets(pd.DataFrame({"name": pd.array([], text_type()), "words": pd.array([], "float64")}))
    assert empty.suggested() == []
    assert empty.positions({"search": "a"}).tolist() == []


BERLIN = st.datetimes(pd.Timestamp("1700-01-01"), pd.Timestamp("3000-01-01")).map(
    lambda each: pd.Timestamp(each, tz="Europe/Berlin")
)
NUMBERS = st.sampled_from([2**53, 2**53 + 1, -5, 0])
#: Values and types of columns; each value may be missing, unless its type has no missing value.
KINDS = {
    "category": (st.sampled_from(["FAQ", "it's", 'a "b"', "\\n", "é"]), "category"),
    "moments of a category": (st.sampled_from(list(pd.date_range("2026-01-01", periods=3))), "category"),
    "text": (st.sampled_from(WORDS), text_type()),
    "texts and numbers": (st.sampled_from(["a", 1, 2.5, "1", True]), "object"),
    "long text": (st.sampled_from(WORDS).map(lambda word: word + " of the sea" * 9), "object"),
    "flag": (st.booleans(), "boolean"),
    "plain flag": (st.booleans(), "bool"),
    "level": (st.sampled_from([0.0, 0.25, 1.0]), "float64"),
    "size": (st.floats(-1e6, 1e6) | st.sampled_from([np.inf, -np.inf]), "float64"),
    "large": (NUMBERS, "Int64"),
    "any integer": (st.integers(-(2**62), 2**62), "int64"),
    "Arrow integer": (st.integers(-9, 99), "int64[pyarrow]"),
    "moment": (st.datetimes(pd.Timestamp("1700-01-01"), pd.Timestamp("3000-01-01")), "datetime64[us]"),
    "moment in Berlin": (BERLIN, "datetime64[us, Europe/Berlin]"),
    "Arrow moment": (BERLIN, "timestamp[us, tz=UTC][pyarrow]"),
    "date": (st.dates(), "object"),
    "duration": (st.integers(0, 9).map(pd.Timedelta), "timedelta64[ns]"),
    "complex": (st.sampled_from([1j, 2 + 1j]), "complex128"),
}
LABELS = st.sampled_from(["kind", "a 'b'", 'c "d"', "é\n", "search", "query @ 5", "index", 5, 2.5, ("a", 1)])
FULL = ("bool", "int64", "complex128")


@st.composite
def frames(draw):
    """Return a frame of a few rows, with columns of any kinds and names, and with missing values."""
    labels = draw(st.lists(LABELS, min_size=1, max_size=4, unique_by=str))
    size = draw(st.integers(0, 30))
    columns = {}
    for label in labels:
        values, dtype = KINDS[draw(st.sampled_from(sorted(KINDS)))]
        each = values if dtype in FULL else values | st.none()
        columns[label] = pd.Series(draw(st.lists(each, min_size=size, max_size=size)), dtype=dtype)
    frame = pd.DataFrame(columns)
    return frame.set_axis(pd.Index(labels, tupleize_cols=False), axis=1)


def draw_filters(data, facets):
    """Return filters that a person could set on some of the columns."""
    wanted = {}
    for name in data.draw(st.lists(st.sampled_from(facets.names), unique=True)) if facets.names else []:
        facet = facets[name]
        if facet.choices:
            choices = st.sampled_from([*facet.choices, None])
            wanted[name] = data.draw(st.lists(choices, max_size=3))
        elif facet.kind == "number":
            bounds = st.sampled_from(facet.edges.tolist()) | st.none()
            wanted[name] = tuple(data.draw(st.tuples(bounds, bounds)))
        elif facet.kind == "time":
            edges = [pd.Timestamp(int(edge), unit="us") for edge in facet.edges]
            wanted[name] = tuple(data.draw(st.tuples(*[st.sampled_from(edges) | st.none()] * 2)))
    if data.draw(st.booleans()):
        wanted["search"] = data.draw(st.sampled_from(["kettle", "KETTLE", "(red)", "é", "%", "|", "'", "zz"]))
    return wanted


def test_the_code_combines_masks_of_arrow_and_numpy_types():
    """A range of an Arrow column and the values of a masked one, both with missing values, are one line of pandas."""
    frame = pd.DataFrame(
        {
            "kind": pd.array([False, None, False, True], "boolean"),
            "size": pd.array([-5, None, None, -5], "int64[pyarrow]"),
        }
    )
    filters = {"kind": [False], "size": (-5.0, -5.0)}
    facets = Facets(frame)
    assert facets.mask(facets.check(filters)).tolist() == [True, False, False, False]
    for each in (filters, dict(reversed(filters.items()))):
        assert rows(frame, facets.code(facets.check(each))).index.tolist() == [0]


@pytest.mark.integration
@given(frames(), st.data())
@settings(max_examples=80, deadline=None)
def test_random_frames_agree_with_pandas(frame, data):
    """Counts equal value counts of the rows that pass all other filters; the code gives the same rows."""
    facets = Facets(frame)
    checked = facets.check(draw_filters(data, facets))
    sort_by = data.draw(st.sampled_from([None, *facets.names]))
    down = data.draw(st.booleans())
    try:
        shown = frame.iloc[facets.positions(checked, sort_by, ascending=not down)]
    except ink.InvalidArgument:  # values of different kinds
        reject()
    pd.testing.assert_frame_equal(rows(frame, facets.code(checked, sort_by, ascending=not down)), shown)
    for name in facets.names:
        facet = facets[name]
        others = {key: value for key, value in checked.items() if key != name}
        part = rows(frame, facets.code(others))[frame.columns[list(map(str, frame.columns)).index(name)]]
        *counts, missing = facets.counts(name, checked).tolist()
        if facet.kind != "text":
            assert missing == part.isna().sum()
        if facet.choices:
            assert counts == [part.isin([value]).sum() for value in facet.choices]
        elif facet.kind == "number":
            numbers = part.dropna().to_numpy("float64").clip(facet.edges[0], facet.edges[-1])
            assert counts == np.histogram(numbers, facet.edges)[0].tolist()
        elif facet.kind == "time":
            assert sum(counts) == part.notna().sum()


def test_whole_facets(frame, recorded):
    """Kinds, choices, codes, edges, counts, suggestions and code of columns of every kind."""
    rich = frame.assign(
        long=[f"{'word ' * 20}{at}" for at in range(12)],
        few=[1, 2.5, None] * 4,
        same=7.0,
        lists=[[1]] * 12,
        none=None,
        ordered=pd.Categorical(["b", "a", "c"] * 4, ["c", "b", "a", "d"], ordered=True),
        naive=pd.date_range("2026-01-01", periods=12, freq="h"),
        flag=[True, False] * 6,
        label=["x", "y", "y"] * 4,
    )
    facets = Facets(rich)
    read = {
        name: [facets[name].kind, facets[name].choices, facets[name].codes, facets[name].edges]
        for name in facets.names
    }
    filters = facets.check(
        {
            "template": ["FAQ", None],
            "words": (None, 90),
            "search": "quiet",
            "created_at": ("2026-01-02", None),
        }
    )
    recorded(
        "facets",
        {
            "read": read,
            "texts": facets.texts,
            "suggested": [facets.suggested(), facets.suggested(20)],
            "counts": {
                name: [facets.counts(name, {}), facets.counts(name, filters)] for name in facets.names
            },
            "positions": [
                facets.positions(filters),
                facets.positions(filters, "words", ascending=False),
                facets.positions({}, "few"),
                facets.positions({}, "few", ascending=False),
                facets.positions({}, "result", by_length=True),
            ],
            "code": [
                facets.code({}),
                facets.code(filters),
                facets.code(filters, "words", ascending=False, variable="docs"),
                facets.code({"few": [None]}, "result", by_length=True),
                facets.code({"words": (None, None)}),
                facets.code({"few": []}),
                facets.rows_code([2, 5], "frame"),
            ],
            "labels": [
                histogram_label(facets[name], value)
                for name, values in {
                    "words": [99.5, 100.4, 3.0, 1234567.8, 0.012345],
                    "created_at": [1_767_225_600_000_000],
                }.items()
                for value in values
            ],
        },
    )


@pytest.mark.parametrize(("values", "kind"), [(10, "category"), (11, None), (200, "category"), (201, "text")])
def test_bounds_of_texts(values, kind):
    """A column of texts has values up to 200, unless more than half of its rows differ."""
    rows = [f"t{at}" for at in range(values)] * (2 if values in (200, 201, 10) else 1)
    facet = Facets(pd.DataFrame({"a": rows}))["a"]
    assert facet.kind == (kind or "text")


@pytest.mark.parametrize(("different", "kind"), [(1, []), (2, [0.0, 1.0]), (10, None), (11, [])])
def test_bounds_of_numbers(different, kind):
    """Two to ten different numbers are values, and more or a single one are a histogram."""
    facet = Facets(pd.DataFrame({"a": [float(at % different) for at in range(40)]}))["a"]
    assert facet.kind == "number"
    assert facet.choices == (list(map(float, range(10))) if kind is None else kind)


@pytest.mark.parametrize(("length", "kind"), [(80, "category"), (81, "text")])
def test_bounds_of_lengths(length, kind):
    """Texts of more than 80 characters on average are searched."""
    assert Facets(pd.DataFrame({"a": ["x" * length] * 10}))["a"].kind == kind


def test_few_results_are_remembered(frame):
    """Of the conditions, the last 32 are remembered, and what was forgotten is computed again."""
    facets = Facets(frame)
    for bound in range(40):
        assert facets.mask({"words": (bound, None)}).sum() == 12 - -(-bound // 10)
    assert len(facets._known) == 32
    assert facets.mask({"words": (0, None)}).all()


def test_bounds_of_times_take_the_zone_of_their_column(frame):
    """A bound without a zone is in UTC, and one with a zone is compared as a moment, or without for naive times."""
    facets = Facets(frame.assign(naive=pd.date_range("2026-01-01", periods=12)))
    for name in ("created_at", "naive"):
        for bound in ("2026-01-03", pd.Timestamp("2026-01-03")):
            assert facets.mask(facets.check({name: (bound, None)})).sum() == 10
    late = pd.Timestamp("2026-01-03T01:00", tz="Europe/Berlin")
    assert facets.mask(facets.check({"created_at": (late, None)})).sum() == 10


def test_changed_columns_are_read_again(frame):
    """The facets of a changed frame know the changed column, and those that were not read before."""
    facets = Facets(frame)
    assert facets["template"].choices == ["FAQ", "Slogan"]
    assert facets["creativity"].choices == [0.0, 0.5, 1.0]
    renewed = facets.renewed(frame.assign(template="Poem", creativity=0.25, new=[1.0, 2.0] * 6), ["template"])
    assert renewed["template"].choices == ["Poem"]
    assert renewed["creativity"] is facets["creativity"]
    assert renewed["new"].choices == [1.0, 2.0]
    assert "new" not in facets.renewed(frame.drop(columns="words"), []).names


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
def test_every_missing_value_is_chosen_as_none(frame, missing):
    """None, NaN, NA and NaT all mean the rows without a value."""
    checked = Facets(frame).check({"template": ["FAQ", missing]})
    assert checked == {"template": ["FAQ", None]}


def message_of(call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    return str(caught.value).split("\n")


@pytest.mark.integration
def test_messages_of_filters(documents, recorded):
    """Columns and values that rows cannot be filtered by."""
    frame = documents.assign(odd=[[1]] * 60, mixed=[1, "a"] * 30)
    facets = Facets(frame)
    filters = {
        "search": {"search": 5},
        "column": {"nam": "a"},
        "another column": {"zzzzzz": "a"},
        "lists": {"odd": [1]},
        "text": {"result": "a"},
        "value": {"template": ["FAQs"]},
        "another value": {"template": ["zzzzzz"]},
        "bounds of a category": {"template": (1, 2)},
        "three bounds": {"creativity": (1, 2, 3)},
        "bounds of another type": {"creativity": ("low", None)},
        "times": {"created_at": ("then", None)},
        "lists for bounds": {"creativity": (None, [])},
        "lists for times": {"created_at": (None, [])},
    }
    found = {name: message_of(lambda wanted=wanted: facets.check(wanted)) for name, wanted in filters.items()}
    found["sort"] = message_of(lambda: facets.positions({}, "mixed"))
    found["twice"] = message_of(lambda: Facets(pd.DataFrame([[1, 2]], columns=["a", "a"])))
    recorded("filters", found)
