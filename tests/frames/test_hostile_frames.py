"""Frames with odd columns and attrs: what cannot be read is an error of the package, and nothing is sent before it."""

import io
import json
from contextlib import suppress

import httpx
import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import attribute, origin

DOCUMENTS = pd.DataFrame(
    {
        "name": ["A", "B", "C"],
        "template": ["FAQ"] * 3,
        "template_id": [16] * 3,
        "prompt": ["Write about it.", "Write again.", "Write about it."],
        "creativity": [0.25, 0.5, 0.75],
        "result": ["One two three.", "Two three four.", "Three four five."],
        "rating": [3, 4, 5],
        "short": [True, False, True],
    },
    index=pd.Index([1, 2, 3], name="id"),
)
CAME = {"service": "https://a.test", "collection": "documents", "query": {}, "total": 3, "reasons": [],
        "absent": [], "completeness": "exact", "client": "c", "baseline": "b"}  # fmt: skip
SCORED = {"kinds": {"short": "check"}, "failed": {}, "judged": {}}
CALLS = {
    "concat": lambda frame, _: ink.concat([frame, DOCUMENTS]),
    "diff": lambda frame, _: ink.diff(frame, DOCUMENTS),
    "score": lambda frame, _: ink.score(frame, short=ink.scorers.max_words(2)),
    "compare": lambda frame, _: ink.compare(frame),
    "compare groups": lambda frame, _: ink.analysis.compare_groups(frame, by="creativity", column="rating"),
    "statistics": lambda frame, _: ink.analysis.text_statistics(frame),
    "summary": lambda frame, _: ink.analysis.library_summary(frame),
    "table": lambda frame, _: frame.ink.table(),
    "csv": lambda frame, folder: frame.ink.to_csv(folder / "a.csv", overwrite=True),
    "report": lambda frame, folder: ink.report(frame, folder / "a.html"),
    "save": lambda frame, folder: ink.save(frame, folder / "a.parquet", overwrite=True),
    "write": lambda frame, _: write(frame),
}
ODD = (None, 5, "x", [5], {"a": 5}, float("nan"), np.array([1, 2]), 10**400)


def named(name):
    """Return the documents with another name of the last column."""
    return DOCUMENTS.set_axis(pd.Index([*DOCUMENTS.columns[:-1], name], dtype=object), axis=1)


def frames():
    """Yield frames with repeated columns, names that are no text, and attrs that something else wrote."""
    for name in DOCUMENTS.columns:
        yield f"{name} twice", pd.concat([DOCUMENTS, DOCUMENTS[[name]]], axis=1)
    for name in (5, None, ("a", 1), float("nan"), b"x", pd.NaT, "\ud800", "\0"):
        yield f"column {name!a}", named(name)
    yield "two levels", DOCUMENTS.set_axis(pd.MultiIndex.from_product([DOCUMENTS.columns, ["x"]]), axis=1)
    usual = {"inkframe": CAME, "scoring": SCORED, "analysis": {"units": {}, "notes": []}}
    for key in (*usual, "columns", "sources"):
        own = usual.get(key, {"text": "x"})
        for value in (*ODD, own, *(own | {name: odd} for name in own for odd in (5, [5], {"a": [5]}))):
            frame = DOCUMENTS.copy()
            frame.attrs = {key: value}
            yield f"{key} {str(value)[:200]}", frame


def write(frame):
    """Fill a column, which is returned if anything was created for it."""
    with ink.connect(library=":memory:", engine="offline") as client:
        made = None
        with suppress(ink.InkframeError):
            made = client.documents.write(frame[:1], "Sell {id}.")
        assert (0 if made is None else made["text"].count().item()) == client.created


@pytest.mark.integration
@pytest.mark.parametrize("call", CALLS)
def test_odd_frames_end_in_a_result_or_an_error_of_the_package(call, tmp_path, capsys):
    """Whatever columns and attrs a frame has, no other error leaves a call."""
    failed = []
    for name, frame in frames():
        try:
            CALLS[call](frame, tmp_path)
        except ink.InkframeError:
            continue
        except Exception as error:  # noqa: BLE001  # each is collected
            failed.append(f"{name}: {error!r}")
    assert not failed


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.concat([DOCUMENTS, DOCUMENTS[["name"]]], axis=1), "a text that no other has, got 'name'"),
        pytest.param(
            named("\ud800"),
            "a text that no other has, got '\\\\ud800'",
            marks=pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 joins such frames"),
        ),
    ],
)
def test_the_error_names_the_column(frame, message):
    """The column that cannot be read is named, with the error that it led to as the cause."""
    with pytest.raises(ink.InvalidArgument, match=message) as caught:
        ink.concat([DOCUMENTS, frame])
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    "call",
    [
        lambda file: ink.save(DOCUMENTS, file),
        ink.load,
        ink.open_file,
        lambda file: ink.report(DOCUMENTS, file),
        *(lambda file, name=name: getattr(DOCUMENTS.ink, name)(file) for name in ("to_csv", "to_excel")),
    ],
    ids=["save", "load", "open_file", "report", "to_csv", "to_excel"],
)
def test_an_open_file_is_no_path(call):
    """Where pandas takes an open file, the error says that the path is wanted."""
    with pytest.raises(ink.InvalidArgument, match="path must be a file name, got BytesIO"):
        call(io.BytesIO())


def test_an_error_of_a_sound_frame_stays_what_it_is():
    """An error that has nothing to do with the columns of a frame is not explained by them."""
    with pytest.raises(ink.InvalidArgument, match="no column"):
        ink.analysis.text_statistics(DOCUMENTS.drop(columns="result"))


def test_values_of_other_types_in_attrs_are_ignored():
    """Of the attrs only values of the types that they are written with are read."""
    frame = DOCUMENTS.copy()
    frame.attrs = {"inkframe": CAME | {"service": 5, "absent": [5], "reasons": ["x"], "collection": "other"}}
    came = origin(frame)
    assert came["reasons"] == ["x"]
    assert came.keys().isdisjoint({"service", "absent", "collection"})
    frame.attrs = {"scoring": [1]}
    assert attribute(frame, "scoring") == {}


@pytest.mark.parametrize("name", ["name", 5, None, pd.NaT, float("nan"), "\ud800"])
def test_rows_with_odd_columns_are_refused_before_anything_is_sent(name):
    """A batch whose result could not become a frame is not paid for."""
    sent = []
    transport = httpx.MockTransport(lambda request: sent.append(request) or httpx.Response(500))
    rows = pd.DataFrame(
        [["A", "Write.", 1, 2]], columns=pd.Index(["name", "prompt", "5", name], dtype=object)
    )
    with ink.Client("https://a.test", "secret-1234567", transport=transport) as client:
        with pytest.raises(ink.InvalidArgument, match="different texts as names"):
            client.documents.create_many(rows)
    assert sent == []


def test_an_odd_carried_column_stays():
    """A column whose name is a number or a tuple is carried through a batch."""
    record = {"id": 7, "name": "A", "prompt": "Write.", "creativity": 0.5, "result": "Done."}

    def answer(request):
        return httpx.Response(200, content=json.dumps(record if request.method == "POST" else []))

    rows = pd.DataFrame(
        [["A", "Write.", 1, 2]], columns=pd.Index(["name", "prompt", 5, ("a", 1)], tupleize_cols=False)
    )
    with ink.Client("https://a.test", "secret-1234567", transport=httpx.MockTransport(answer)) as client:
        runs = client.documents.create_many(rows, journal=None)
    assert runs.loc[0, 5] == 1
    assert runs["status"].tolist() == ["created"]
