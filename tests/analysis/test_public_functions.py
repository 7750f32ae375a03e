"""What all public functions of the analysis have: defaults, and errors that say what to pass instead."""

import inspect
import sys
from dataclasses import FrozenInstanceError
from types import SimpleNamespace

import pandas as pd
import pytest
from PIL import Image

from inkframe import analysis
from inkframe.analysis.charts import figure, theme
from inkframe.analysis.similarity import signatures
from inkframe.analysis.term_weights import read_terms
from inkframe.analysis.validation import only_texts
from inkframe.analysis.words import chunks, tokens
from inkframe.deciding.groups import observe
from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.versions import text_type

pytestmark = pytest.mark.integration

RESPONSE = "column=None, by_prompt=False, edited=False, confidence=0.95, random_state=0"
DUPLICATES = "threshold=None, column=None, pictures=None, vectors=None, random_state=0"
STATISTICS = "column=None, language=None, measures=None, window=50"
DEFAULTS = {
    "compare_groups": "block='case', confidence=0.95, smallest=None",
    "coverage": "rows='style', columns='medium'",
    "creativity_response": RESPONSE,
    "keywords": "by='template', column=None, n=10, least=2",
    "library_summary": "confidence=0.95",
    "measure": "language=None",
    "near_duplicates": DUPLICATES,
    "picture_colors": "colors=5, column=None",
    "plot_coverage": "rows='style', columns='medium'",
    "plot_creativity_response": RESPONSE,
    "plot_keywords": "by='template', n=8, column=None, least=2",
    "plot_library_summary": "confidence=0.95",
    "plot_near_duplicates": DUPLICATES,
    "plot_picture_colors": "pictures=None",
    "plot_similar": "text=None, n=5, column=None, vectors=None",
    "plot_text_statistics": STATISTICS,
    "recommend": "by='creativity', require=None, block='case', smallest=0.5, confidence=0.95",
    "similar": "n=5, column=None, vectors=None",
    "text_statistics": STATISTICS,
    "win_rates": "confidence=0.95, resamples=1000, random_state=0",
}


#: The arguments that cannot be left out, beside the frame.
REQUIRED = {
    "compare_groups": {"by": "style", "column": "rating"},
    "picture_colors": {"pictures": {}},
    "plot_compare_groups": {"by": "style", "column": "rating"},
    "plot_win_rates": {"by": "style"},
    "recommend": {"column": "rating"},
    "similar": {"text": "a kettle"},
    "win_rates": {"by": "style"},
}


def test_defaults():
    """Arguments that are left out have these values, and a frame without columns is refused."""
    found = {}
    for name in set(analysis.__all__) - {"Measures", "Recommendation"}:
        function, empty = getattr(analysis, name), pd.DataFrame()
        if function.__module__.startswith("inkframe.exploring"):  # tested there
            continue
        parameters = inspect.signature(function).parameters.values()
        defaults = [f"{each.name}={each.default!r}" for each in parameters if each.default is not each.empty]
        found[name] = ", ".join(defaults)
        if name in ("measure", "pairwise_similarity"):
            assert len(function([])) == 0
        elif "picture_colors" not in name:
            with pytest.raises(InvalidArgument, match=r"column|frame|settings|draw"):
                function(empty, **REQUIRED.get(name, {}))
        else:
            with pytest.raises(InvalidArgument, match="pictures must be"):
                function(empty, None)
    assert {name: defaults for name, defaults in found.items() if defaults} == DEFAULTS


def test_misspelled_options():
    """Every function refuses an option that it does not have by name."""
    for name in set(analysis.__all__) - {"Measures", "Recommendation"}:
        with pytest.raises(InvalidArgument, match="'odd'") as caught:
            getattr(analysis, name)(pd.DataFrame({"result": ["a"]}), odd=1)
        assert isinstance(caught.value, TypeError)


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


def test_results_are_plain_and_frozen():
    """Results cannot be changed by mistake, and refuse names that they do not have."""
    for kind in (analysis.Measures, analysis.Recommendation):
        with pytest.raises(InvalidArgument, match="'odd'"):
            kind(odd=1)
    frozen = [
        (analysis.measure(["One text."])[0], "words"),
        (observe(pd.DataFrame({"g": [1, 2], "v": [1, 2]}), by="g", column="v", block=None), "column"),
        (theme(), "text"),
        (next(tokens(only_texts(["a"]))), "starts"),
        (next(chunks(only_texts(["a"]))), "first"),
        (read_terms(only_texts(["a"])), "size"),
        (signatures(only_texts(["a"]), 0), "sizes"),
    ]
    for result, name in frozen:
        with pytest.raises(FrozenInstanceError):
            setattr(result, name, None)
        with pytest.raises((AttributeError, TypeError)):
            result.odd = 1
        assert not hasattr(result, "__dict__")
