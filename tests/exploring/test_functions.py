"""What the public functions of this package have: defaults, units, and errors that say what to pass instead."""

import inspect
import sys

import numpy as np
import pandas as pd
import pytest

from inkframe import analysis
from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.versions import text_type

pytestmark = pytest.mark.integration

DEFAULTS = {
    "clusters": "n=None, vectors=None, column=None, random_state=0",
    "embed": "column=None, pictures=None, dimensions=50, random_state=0",
    "outliers": "n=10, vectors=None, column=None",
    "plot_map": "color=None, method='tsne', vectors=None, column=None, random_state=0, progress=None",
    "project": "method='tsne', vectors=None, column=None, random_state=0, progress=None",
    "topics": "n=20, vectors=None, column=None, random_state=0",
}
#: The functions whose results have units for all numbers, with arguments that make them quick.
MEASURED = {"topics": {"n": 3}, "clusters": {"n": 3}, "project": {"method": "linear"}}


@pytest.mark.parametrize("name", DEFAULTS)
def test_defaults(name):
    """Arguments that are left out have these values, and a frame without columns is refused."""
    function = getattr(analysis, name)
    parameters = inspect.signature(function).parameters.values()
    defaults = [f"{each.name}={each.default!r}" for each in parameters if each.default is not each.empty]
    assert ", ".join(defaults) == DEFAULTS[name]
    with pytest.raises(InvalidArgument, match="The frame has no column"):
        function(pd.DataFrame())


@pytest.mark.parametrize("name", DEFAULTS)
def test_dask_frames_are_refused(documents, name):
    """A dask frame is refused, and the error says how to get its rows."""
    lazy = pytest.importorskip("dask.dataframe").from_pandas(documents[["result"]], npartitions=2)
    with pytest.raises(InvalidArgument) as caught:
        getattr(analysis, name)(lazy)
    assert str(caught.value) == (
        "Expected a pandas DataFrame, got a dask DataFrame.\n"
        "Pass the result of its .compute(), which collects all rows."
    )


@pytest.mark.parametrize("name", MEASURED)
def test_every_number_has_a_unit(documents, name):
    """Each column of numbers has a unit, and no other column that is not there."""
    result = getattr(analysis, name)(documents, **MEASURED[name])
    units = result.attrs["analysis"]["units"]
    assert set(result.select_dtypes("number").columns) <= set(units) <= set(result.columns)
    assert all(units.values())


def test_misspelled_options_of_the_map_are_refused(documents):
    """An option that neither the plot nor its function has is refused by name."""
    with pytest.raises(InvalidArgument, match="'odd'") as caught:
        analysis.plot_map(documents, odd=1)
    assert isinstance(caught.value, TypeError)


def message_of(call):
    with pytest.raises((InvalidArgument, ConfigurationError)) as caught:
        call()
    return str(caught.value).split("\n")


def test_messages(documents, recorded):
    """Vectors, places, texts and options that do not fit."""
    calls = {
        "vectors of words": lambda: analysis.project(documents[:1], vectors=[["a"]]),
        "vectors of dicts": lambda: analysis.project(documents[:1], vectors=[[{}]]),
        "dicts for places": lambda: analysis.plot_map(pd.DataFrame({"x": [{}], "y": [{}]})),
        "no places": lambda: analysis.plot_map(pd.DataFrame({"x": ["left"], "y": ["up"]})),
        "no vector": lambda: analysis.project(pd.DataFrame({"result": ["a"]}), vectors=[[np.nan]]),
        "no text to embed": lambda: analysis.embed(pd.DataFrame({"result": [None]}, dtype=text_type())),
        "method": lambda: analysis.project(documents, method="umap"),
        "dimensions": lambda: analysis.embed(documents, dimensions=True),
    }
    recorded("messages", {name: message_of(call) for name, call in calls.items()})


def test_the_message_of_the_missing_library(documents, monkeypatch, recorded):
    """An extra that is not installed is named with its command."""
    monkeypatch.setitem(sys.modules, "sklearn", None)
    recorded("libraries", message_of(lambda: analysis.topics(documents)))
