import pandas as pd
import pytest

from inkframe import analysis
from inkframe.analysis.validation import flags, levels, share, texts, whole
from inkframe.errors import InvalidArgument

#: Each function with what it needs beside the frame.
FUNCTIONS = {
    "text_statistics": {},
    "creativity_response": {},
    "near_duplicates": {},
    "keywords": {"by": "template"},
    "similar": {"text": "a kettle"},
    "library_summary": {},
    "coverage": {"rows": "template", "columns": "creativity"},
    "picture_colors": {"pictures": {}},
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_leaves_its_frame_untouched(documents, name):
    """Neither values, types, index nor attrs of the argument change."""
    documents.attrs = {"inkframe": {"collection": "documents"}}
    before = documents.copy()
    result = getattr(analysis, name)(documents, **FUNCTIONS[name])
    pd.testing.assert_frame_equal(documents, before)
    assert documents.attrs == {"inkframe": {"collection": "documents"}}
    assert set(result.attrs["analysis"]) == {"units", "notes"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_gives_the_same_twice(documents, name):
    """Two calls give the same frame."""
    call = getattr(analysis, name)
    pd.testing.assert_frame_equal(call(documents, **FUNCTIONS[name]), call(documents, **FUNCTIONS[name]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_takes_a_dask_frame(documents, name):
    """A dask frame gives what the same rows give in memory; each text's own measures stay lazy."""
    dask = pytest.importorskip("dask")
    with dask.config.set({"dataframe.convert-string": False}):
        lazy = pytest.importorskip("dask.dataframe").from_pandas(documents, npartitions=3)
    call = getattr(analysis, name)
    found = call(lazy, **FUNCTIONS[name])
    assert isinstance(found, pd.DataFrame) is (name != "text_statistics")
    found = found.compute() if name == "text_statistics" else found
    pd.testing.assert_frame_equal(found, call(documents, **FUNCTIONS[name]))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_refuses_what_is_no_frame(name):
    """A list of records is refused in one sentence that says what to pass."""
    with pytest.raises(
        InvalidArgument, match=r"DataFrame was expected, not list[\s\S]*documents\.all"
    ) as caught:
        getattr(analysis, name)([{"result": "x"}], **FUNCTIONS[name])
    assert str(caught.value).count("\n") < 3


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "picture_colors"])
def test_every_function_names_the_missing_column(name):
    """A frame without the columns is refused, naming what there is."""
    with pytest.raises(InvalidArgument) as caught:
        getattr(analysis, name)(pd.DataFrame({"other": [1]}), **FUNCTIONS[name])
    assert "has no" in str(caught.value) or "has none" in str(caught.value)
    assert str(caught.value).count("\n") < 3


def test_columns_of_other_kinds_are_refused():
    """Numbers where text is needed, and words where numbers are needed, are named with their kind."""
    frame = pd.DataFrame({"result": [1.5], "favorite": ["often"], "creativity": ["high"], "mixed": [["a"]]})
    with pytest.raises(InvalidArgument, match="'result' holds float64, which is no text"):
        texts(frame, "result")
    with pytest.raises(InvalidArgument, match="'mixed' holds object"):
        texts(frame, "mixed")
    with pytest.raises(InvalidArgument, match="'favorite' holds str"):
        flags(frame, "favorite")
    with pytest.raises(InvalidArgument, match="'creativity' holds str, not levels"):
        levels(frame)


def test_a_repeated_column_is_refused():
    """Two columns of one name cannot be told apart."""
    with pytest.raises(InvalidArgument, match="stands twice"):
        texts(pd.DataFrame([["a", "b"]], columns=["result", "result"]), "result")


def test_numbers_are_checked():
    """Counts are whole and positive, shares lie between 0 and 1."""
    assert (whole("n", 3), share("confidence", 1)) == (3, 1.0)
    for value in (0, 2.5, True, "3"):
        with pytest.raises(InvalidArgument, match="n="):
            whole("n", value)
    for value in (0, 1.2, None, True):
        with pytest.raises(InvalidArgument, match="confidence="):
            share("confidence", value)
