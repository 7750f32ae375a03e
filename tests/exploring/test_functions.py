"""What is said of vectors, places, texts and options that do not fit."""

import numpy as np
import pandas as pd
import pytest

from inkframe import analysis
from inkframe.errors import InvalidArgument
from inkframe.versions import text_type

pytestmark = pytest.mark.integration


def message_of(call):
    with pytest.raises(InvalidArgument) as caught:
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
