import pandas as pd
import pytest

from inkframe import analysis
from inkframe.analysis.validation import flags, levels, share, texts, whole
from inkframe.errors import InvalidArgument

#: Each function with its further arguments.
FUNCTIONS = {
    "text_statistics": {},
    "creativity_response": {},
    "near_duplicates": {},
    "keywords": {"by": "template"},
    "similar": {"text": "a kettle"},
    "library_summary": {},
    "coverage": {"rows": "template", "columns": "creativity"},
    "picture_colors": {"pictures": {}},
    "compare_groups": {"by": "template", "column": "favorite"},
}


@pytest.mark.integration
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_leaves_its_frame_unchanged(documents, name):
    """Values, types, index and attrs of the argument do not change."""
    documents.attrs = {"inkframe": {"collection": "documents"}}
    before = documents.copy()
    result = getattr(analysis, name)(documents, **FUNCTIONS[name])
    pd.testing.assert_frame_equal(documents, before)
    assert documents.attrs == {"inkframe": {"collection": "documents"}}
    assert set(result.attrs["analysis"]) == {"units", "notes"}


#: Results that have a unit for each number; of the others, one for all cells or of the frame itself.
MEASURED = {
    **{name: given for name, given in FUNCTIONS.items() if name not in ("coverage", "similar")},
    "topics": {"n": 3},
    "clusters": {"n": 3},
    "project": {"method": "linear"},
}


@pytest.mark.integration
@pytest.mark.parametrize("name", MEASURED)
def test_every_number_has_a_unit(documents, name):
    """Each column of numbers has a unit, and no other column that is not there."""
    if name in ("topics", "clusters", "project"):
        pytest.importorskip("sklearn")
    result = getattr(analysis, name)(documents, **MEASURED[name])
    units = result.attrs["analysis"]["units"]
    numbers = result.select_dtypes("number").columns.difference(["creativity"])
    assert set(numbers) <= set(units) <= set(result.columns)
    assert all(units.values())


@pytest.mark.integration
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_is_deterministic(documents, name):
    """Two calls return equal frames."""
    call = getattr(analysis, name)
    pd.testing.assert_frame_equal(call(documents, **FUNCTIONS[name]), call(documents, **FUNCTIONS[name]))


@pytest.mark.integration
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_takes_a_dask_frame(documents, name):
    """A dask frame gives the same result as its rows in memory; text statistics stay lazy."""
    dask = pytest.importorskip("dask")
    with dask.config.set({"dataframe.convert-string": False}):
        lazy = pytest.importorskip("dask.dataframe").from_pandas(documents, npartitions=3)
    call = getattr(analysis, name)
    found = call(lazy, **FUNCTIONS[name])
    assert isinstance(found, pd.DataFrame) is (name != "text_statistics")
    found = found.compute() if name == "text_statistics" else found
    pd.testing.assert_frame_equal(found, call(documents, **FUNCTIONS[name]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_refuses_other_values(name):
    """A list of records is refused, and the error says what to pass."""
    with pytest.raises(
        InvalidArgument, match=r"Expected a pandas DataFrame, got list[\s\S]*documents\.all"
    ) as caught:
        getattr(analysis, name)([{"result": "x"}], **FUNCTIONS[name])
    assert str(caught.value).count("\n") < 3


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "picture_colors"])
def test_every_function_names_the_missing_column(name):
    """A frame without the columns is refused, and the error lists its columns."""
    with pytest.raises(InvalidArgument) as caught:
        getattr(analysis, name)(pd.DataFrame({"other": [1]}), **FUNCTIONS[name])
    assert "has no" in str(caught.value) or "has none" in str(caught.value)
    assert str(caught.value).count("\n") < 3


def test_columns_of_other_types_are_refused():
    """Columns of the wrong type are errors that name the column and its type."""
    frame = pd.DataFrame({"result": [1.5], "favorite": ["often"], "creativity": ["high"], "mixed": [["a"]]})
    with pytest.raises(InvalidArgument, match="'result' must hold text, got float64"):
        texts(frame, "result")
    with pytest.raises(InvalidArgument, match="'mixed' must hold text, got object"):
        texts(frame, "mixed")
    with pytest.raises(InvalidArgument, match="'favorite' must hold booleans, got str"):
        flags(frame, "favorite")
    with pytest.raises(InvalidArgument, match="'creativity' must hold numbers, got str"):
        levels(frame)


def test_a_repeated_column_is_refused():
    """A frame with two columns of the same name is refused."""
    with pytest.raises(InvalidArgument, match="'result' appears twice in the frame"):
        texts(pd.DataFrame([["a", "b"]], columns=["result", "result"]), "result")


def test_numbers_are_checked():
    """Counts must be positive integers, and shares above 0 and at most 1."""
    assert (whole("n", 3), share("confidence", 1)) == (3, 1.0)
    for value in (0, 2.5, True, "3"):
        with pytest.raises(InvalidArgument, match="n must be an integer of 1 or greater, got"):
            whole("n", value)
    for value in (0, 1.2, None, True):
        with pytest.raises(InvalidArgument, match="confidence must be above 0 and at most 1, got"):
            share("confidence", value)
