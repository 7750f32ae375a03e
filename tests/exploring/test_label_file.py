import json

import numpy as np
import pandas as pd
import pytest

from inkframe.exploring.frame_source import FrameSource, restore_labels, save_label


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return the folder that labels are saved in."""
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    monkeypatch.setenv("USER", "ana")
    return tmp_path


def source(**columns):
    """Return four records of a service."""
    frame = pd.DataFrame(
        {
            "name": list("abcd"),
            "created_at": pd.to_datetime(["2026-01-01", "2026-01-02", None, "2026-01-04"], utc=True),
            "prompt": ["one", "two", "three", None],
            "result": ["r1", "r2", "r3", "r4"],
        }
        | columns,
        index=pd.Index([1, 2, 3, 4], name="id"),
    )
    frame.attrs["inkframe"] = {"service": "https://a.example.com", "collection": "documents"}
    return FrameSource(frame)


def lines(home):
    """Return the lines of the file without their times and random ids."""
    found = [json.loads(line) for line in (home / "ratings.jsonl").read_text().splitlines()]
    return [
        {name: value for name, value in each.items() if name not in ("rated_at", "judgment")}
        for each in found
    ]


def test_whole_lines(home, recorded):
    """A label is a line for each record, with the marks by which the record is recognized."""
    save_label(source(), [0, 2, 3], "keep")
    save_label(source(), [0], None)
    recorded("lines", lines(home))


def test_labels_are_restored(home):
    """The last label counts; others than the records' own are not shown."""
    save_label(source(), [0, 1, 2, 3], "keep")
    save_label(source(), [1], "own")
    save_label(source(), [2], None)
    again = source()
    assert restore_labels(again) == ["keep", "own"]
    assert again.frame["label"].tolist() == ["keep", "own", np.nan, "keep"]
    other = source(
        created_at=pd.to_datetime(["2026-01-01", "2026-02-02", None, None], utc=True), prompt=["x"] * 4
    )
    assert restore_labels(other) == ["keep"]
    assert other.frame["label"].tolist() == ["keep", np.nan, np.nan, np.nan]
    fewer = source()
    fewer.frame = fewer.frame.drop(columns=["created_at", "prompt", "result"])
    assert restore_labels(fewer) == ["keep", "own"]
    kept = source(label=["x"] * 4)
    assert restore_labels(kept) == []
    assert kept.frame["label"].tolist() == ["x"] * 4
    for change in ({"service": "https://b.example.com"}, {"service": ""}, {"has_ids": False}):
        changed = source()
        for name, value in change.items():
            setattr(changed, name, value)
        assert restore_labels(changed) == []


def test_a_file_that_cannot_be_read_has_no_labels(home):
    """The first label that is given says so."""
    (home / "ratings.jsonl").write_text("no json\n" * 3)
    assert restore_labels(source()) == []


def test_labels_of_images(home):
    """The line names their collection, so that they are found again."""
    frame = source().frame.copy()
    frame.attrs["inkframe"] = frame.attrs["inkframe"] | {"collection": "images"}
    save_label(FrameSource(frame), [1], "keep")
    assert lines(home)[0]["collection"] == "images"
    assert restore_labels(FrameSource(frame)) == ["keep"]
    assert restore_labels(source()) == []
