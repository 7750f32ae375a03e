"""What all public functions of the analysis have: defaults, units, and errors that say what to pass instead."""

import inspect
import sys
from types import SimpleNamespace

import pandas as pd
import pytest
from PIL import Image

from inkframe import analysis
from inkframe.analysis.charts import figure
from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.versions import text_type

pytestmark = pytest.mark.integration

RESPONSE = "column=None, by_prompt=False, edited=False, confidence=0.95, random_state=0"
DUPLICATES = "threshold=None, column=None, pictures=None, vectors=None, random_state=0"
STATISTICS = "column=None, language=None, measures=None, window=50"
VECTORS = "vectors=None, column=None"
DEFAULTS = {
    "clusters": f"n=None, {VECTORS}, random_state=0",
    "compare_groups": "block='case', confidence=0.95, smallest=None",
    "coverage": "rows='style', columns='medium'",
    "creativity_response": RESPONSE,
    "embed": "column=None, pictures=None, dimensions=50, random_state=0",
    "keywords": "by='template', column=None, n=10, least=2",
    "library_summary": "confidence=0.95",
    "measure": "language=None",
    "near_duplicates": DUPLICATES,
    "outliers": f"n=10, {VECTORS}",
    "picture_colors": "colors=5, column=None",
    "plot_coverage": "rows='style', columns='medium'",
    "plot_creativity_response": RESPONSE,
    "plot_keywords": "by='template', n=8, column=None, least=2",
    "plot_library_summary": "confidence=0.95",
    "plot_map": f"color=None, method='tsne', {VECTORS}, random_state=0, progress=None",
    "plot_near_duplicates": DUPLICATES,
    "plot_picture_colors": "pictures=None",
    "plot_similar": "text=None, n=5, column=None, vectors=None",
    "plot_text_statistics": STATISTICS,
    "project": f"method='tsne', {VECTORS}, random_state=0, progress=None",
    "recommend": "by='creativity', require=None, block='case', smallest=0.5, confidence=0.95",
    "similar": "n=5, column=None, vectors=None",
    "text_statistics": STATISTICS,
    "topics": f"n=20, {VECTORS}, random_state=0",
    "win_rates": "confidence=0.95, resamples=1000, random_state=0",
}
#: The functions of frames, with the arguments that they need beside the frame.
NEEDED = {
    "compare_groups": {"by": "template", "column": "favorite"},
    "picture_colors": {"pictures": {}},
    "plot_compare_groups": {"by": "template", "column": "favorite"},
    "plot_coverage": {"rows": "template", "columns": "creativity"},
    "plot_win_rates": {"by": "template"},
    "recommend": {"column": "favorite"},
    "similar": {"text": "a kettle"},
    "win_rates": {"by": "template"},
}
OF_TEXTS = {"measure", "pairwise_similarity"}
NAMES = sorted(set(analysis.__all__) - {"Measures", "Recommendation"})
OF_FRAMES = [name for name in NAMES if name not in OF_TEXTS]
#: The functions whose results have units for all numbers, with arguments that make them quick.
MEASURED = {
    "text_statistics": {},
    "creativity_response": {},
    "near_duplicates": {},
    "keywords": {},
    "library_summary": {},
    "picture_colors": {"pictures": {}},
    "compare_groups": NEEDED["compare_groups"],
    "topics": {"n": 3},
    "clusters": {"n": 3},
    "project": {"method": "linear"},
}


#: The functions of frames of documents whose results have units and notes.
OF_DOCUMENTS = MEASURED | {"similar": NEEDED["similar"], "coverage": NEEDED["plot_coverage"]}


@pytest.mark.parametrize("name", OF_DOCUMENTS)
def test_every_function_is_deterministic_and_leaves_its_frame_unchanged(documents, name):
    """Two calls return equal frames; values, types, index and attrs of the argument do not change."""
    documents.attrs = {"inkframe": {"collection": "documents"}}
    before = documents.copy()
    first, second = (getattr(analysis, name)(documents, **OF_DOCUMENTS[name]) for _ in range(2))
    pd.testing.assert_frame_equal(first, second)
    pd.testing.assert_frame_equal(documents, before)
    assert documents.attrs == {"inkframe": {"collection": "documents"}}
    assert set(first.attrs["analysis"]) == {"units", "notes"}


def test_defaults():
    """Arguments that are left out have these values, and a frame without columns is refused."""
    found = {}
    for name in NAMES:
        function, empty = getattr(analysis, name), pd.DataFrame()
        parameters = inspect.signature(function).parameters.values()
        defaults = [f"{each.name}={each.default!r}" for each in parameters if each.default is not each.empty]
        found[name] = ", ".join(defaults)
        if name in OF_TEXTS:
            assert len(function([])) == 0
        elif "picture_colors" not in name:
            with pytest.raises(InvalidArgument, match=r"column|frame|settings|draw") as caught:
                function(empty, **NEEDED.get(name, {}))
            assert len(str(caught.value).splitlines()) <= 3
        else:
            with pytest.raises(InvalidArgument, match="pictures must be"):
                function(empty, None)
    assert {name: defaults for name, defaults in found.items() if defaults} == DEFAULTS


@pytest.mark.parametrize("name", MEASURED)
def test_every_number_has_a_unit(documents, name):
    """Each column of numbers has a unit, and no other column that is not there."""
    result = getattr(analysis, name)(documents, **MEASURED[name])
    units = result.attrs["analysis"]["units"]
    numbers = result.select_dtypes("number").columns.difference(["creativity"])
    assert set(numbers) <= set(units) <= set(result.columns)
    assert all(units.values())


@pytest.mark.parametrize("name", OF_FRAMES)
def test_other_values_are_refused(name):
    """A list of records is refused, and the error says what to pass."""
    with pytest.raises(
        InvalidArgument, match=r"Expected a pandas DataFrame, got list[\s\S]*documents\.all"
    ) as caught:
        getattr(analysis, name)([{"result": "x"}], **NEEDED.get(name, {}))
    assert str(caught.value).count("\n") < 3


@pytest.mark.parametrize("name", sorted({*OF_FRAMES} - {"text_statistics"}))
def test_dask_frames_are_refused(documents, name):
    """A dask frame is refused, and the error says how to get its rows; text_statistics alone takes one."""
    lazy = pytest.importorskip("dask.dataframe").from_pandas(documents[["result"]], npartitions=2)
    with pytest.raises(InvalidArgument) as caught:
        getattr(analysis, name)(lazy, **NEEDED.get(name, {}))
    assert str(caught.value) == (
        "Expected a pandas DataFrame, got a dask DataFrame.\n"
        "Pass the result of its .compute(), which collects all rows."
    )


def message_of(call):
    with pytest.raises((InvalidArgument, ConfigurationError)) as caught:
        call()
    return str(caught.value).replace(f"got {text_type()}.", "got str.").split("\n")


def test_messages_of_frames(documents, images, recorded):
    """Columns that are missing, appear twice, or hold something else."""
    empty = documents.iloc[:0]
    pairs = pd.DataFrame({"id": [1], "other": [2], "winner": [3], "g": ["a"], "other_g": ["b"]})
    wide = pd.DataFrame([range(40)], columns=[f"column {at}" for at in range(40)])
    calls = {
        "no frame": lambda: analysis.text_statistics([{"result": "a"}]),
        "twice": lambda: analysis.coverage(pd.concat([images, images["style"]], axis=1)),
        "no column": lambda: analysis.coverage(images, "color", "shape"),
        "of many columns": lambda: analysis.coverage(wide),
        "no texts": lambda: analysis.text_statistics(documents, column="creativity"),
        "texts and numbers": lambda: analysis.text_statistics(pd.DataFrame({"result": ["a", 1]})),
        "numbers and texts": lambda: analysis.text_statistics(pd.DataFrame({"result": [1, "a"]})),
        "texts for booleans": lambda: analysis.library_summary(
            documents.assign(favorite=pd.array(["x"] * len(documents), text_type()))
        ),
        "times for levels": lambda: analysis.creativity_response(
            documents.assign(creativity=pd.Timestamp(0))
        ),
        "booleans for times": lambda: analysis.library_summary(documents.assign(created_at=True)),
        "no booleans": lambda: analysis.library_summary(documents.assign(favorite=2.5)),
        "no levels": lambda: analysis.creativity_response(
            documents.assign(creativity=pd.array(["much"] * len(documents), text_type()))
        ),
        "no settings": lambda: analysis.library_summary(documents[["name"]]),
        "no times": lambda: analysis.library_summary(
            documents.assign(created_at=pd.array(["then"] * len(documents), text_type()))
        ),
        "no documents": lambda: analysis.creativity_response(empty),
        "no text to draw": lambda: analysis.plot_text_statistics(empty),
        "no library to draw": lambda: analysis.plot_library_summary(empty.assign(template=[])),
        "no settings to draw": lambda: analysis.plot_coverage(pd.DataFrame({"style": [], "medium": []})),
        "one group of texts": lambda: analysis.keywords(documents.assign(kind="a"), "kind"),
        "no revealed group": lambda: analysis.win_rates(pairs, by=["g", "kind"]),
        "one group of pairs": lambda: analysis.win_rates(pairs.assign(winner=1, other_g="a"), by="g"),
        "another winner": lambda: analysis.win_rates(pairs, by="g"),
    }
    recorded("frames", {name: message_of(call) for name, call in calls.items()})


def test_messages_of_options(documents, images, recorded):
    """Options that are out of range, of another type, or not known."""
    closed = Image.new("RGB", (1, 1))
    closed.close()
    nearly = SimpleNamespace(format=None, mode="RGB", info=None)
    broken = b"\x89PNG\r\n\x1a\n" + bytes(3) + b"\x0dIHDR" + bytes(30)
    compared = {"by": "creativity", "column": "favorite"}
    calls = {
        "colors": lambda: analysis.picture_colors(images, {}, colors=33),
        "no colors": lambda: analysis.picture_colors(images, {}, colors=0),
        "pictures": lambda: analysis.picture_colors(images, "a.png"),
        "no picture": lambda: analysis.picture_colors(images, {"a": 5}),
        "closed picture": lambda: analysis.picture_colors(images, {"a": closed}),
        "nearly a picture": lambda: analysis.picture_colors(images, {"a": nearly}),
        "broken file": lambda: analysis.picture_colors(images, {"a": broken}),
        "broken picture": lambda: analysis.picture_colors(images, {"a": b"x"}),
        "measures": lambda: analysis.text_statistics(documents, measures=["length"]),
        "window": lambda: analysis.text_statistics(documents, window=0),
        "window of another type": lambda: analysis.text_statistics(documents, window=2.5),
        "threshold": lambda: analysis.near_duplicates(documents, 0),
        "larger threshold": lambda: analysis.near_duplicates(documents, 1.01),
        "text": lambda: analysis.similar(documents, " "),
        "confidence": lambda: analysis.library_summary(documents, confidence=0.5),
        "whole confidence": lambda: analysis.library_summary(documents, confidence=1),
        "confidence of another type": lambda: analysis.library_summary(documents, confidence="high"),
        "smallest": lambda: analysis.compare_groups(documents, **compared, smallest=0),
        "smallest of another type": lambda: analysis.compare_groups(documents, **compared, smallest="a"),
        "require": lambda: analysis.recommend(documents, column="favorite", require={"favorite": "all"}),
        "resamples": lambda: analysis.win_rates(documents, by="g", resamples=0),
    }
    recorded("options", {name: message_of(call) for name, call in calls.items()})


def test_messages_of_missing_libraries(monkeypatch, recorded):
    """An extra that is not installed is named with its command."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    recorded("libraries", message_of(lambda: figure(1, "a")))


@pytest.mark.parametrize("kind", [analysis.Measures, analysis.Recommendation])
def test_results_take_no_other_names(kind):
    """A result refuses a name that it does not have."""
    with pytest.raises(InvalidArgument, match="'odd'"):
        kind(odd=1)
