from __future__ import annotations

import json

import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames.ratings import Judgment, RatingsFile, Reveal


@pytest.fixture
def file(tmp_path):
    """Return a ratings file that does not exist yet."""
    return RatingsFile(tmp_path / "ratings.jsonl")


def judge(id, value=None, rater="ana", **more):
    """Return a judgment on a scale, or of a pair."""
    return Judgment(id, rater, "pairs" if "other" in more else "scale", "How good?", value=value, **more)


@pytest.mark.integration
def test_judgments_come_back_as_a_frame(file):
    """Each judgment is a row in the order it was made, with fixed columns and types."""
    file.add(judge(3, 4, reason="clear"))
    file.add(judge(5, 2, "ben", blind=False))
    frame = ink.load_ratings(file.path)
    assert frame["id"].tolist() == [3, 5]
    assert frame["value"].tolist() == [4, 2]
    assert frame["rater"].tolist() == ["ana", "ben"]
    assert frame["blind"].tolist() == [True, False]
    assert frame["reason"].tolist()[0] == "clear"
    assert frame["reason"].isna().tolist() == [False, True]
    assert (pd.Timestamp.now("UTC") - frame["rated_at"]).dt.total_seconds().between(0, 60).all()
    empty = ink.load_ratings()
    assert empty.columns.tolist() == frame.columns.tolist()
    assert len(empty) == 0


@pytest.mark.integration
def test_pairs_have_both_ids_and_the_winner(file):
    """A tie has no winner; integer ids stay integers beside it."""
    file.add(judge(3, other=4, winner=4))
    file.add(judge(3, other=5))
    frame = ink.load_ratings(file.path)
    assert frame[["id", "other"]].to_numpy().tolist() == [[3, 4], [3, 5]]
    assert frame["winner"].isna().tolist() == [False, True]
    assert frame["winner"].dtype == "Int64"


@pytest.mark.integration
def test_an_undone_judgment_does_not_count(file):
    """Undo is a line of its own, so that nothing is ever taken out of the file."""
    first, second = judge(3, 4), judge(4, 1)
    for each in (first, second):
        file.add(each)
    file.undo(first)
    assert ink.load_ratings(file.path)["id"].tolist() == [4]
    assert len(file.path.read_text().splitlines()) == 3


@pytest.mark.integration
def test_groups_are_there_after_a_reveal_only(file):
    """The group is no column before, and is one for each record of the same service afterwards."""
    file.add(judge(3, 4, service="https://a.example.com"))
    file.add(judge(3, 4, service="https://b.example.com"))
    file.add(judge(3, other=4, winner=4))
    assert "creativity" not in ink.load_ratings(file.path)
    groups = [[3, [0.25, "warm"]], [4, [1.0, "plain"]]]
    file.add(Reveal("ana", ["creativity", "variant"], groups, service="https://a.example.com"))
    frame = ink.load_ratings(file.path)
    assert frame["creativity"].fillna(-1).tolist() == [0.25, -1, 0.25]
    assert frame["other_creativity"].fillna(-1).tolist() == [-1, -1, 1.0]
    assert frame["other_variant"].tolist()[2] == "plain"


def test_a_group_column_never_replaces_one_of_the_ratings(file):
    """A frame grouped by a column that ratings have too is shown under another name."""
    file.add(judge(3, 4))
    file.add(Reveal("ana", ["question"], [[3, ["what"]]]))
    frame = ink.load_ratings(file.path)
    assert frame["question"].tolist() == ["How good?"]
    assert frame["group.question"].tolist() == ["what"]


@pytest.mark.integration
def test_text_ids_stay_text(file):
    """If one id is text, all are, as in other frames."""
    file.add(judge("007", 4))
    file.add(judge(8, 4))
    assert ink.load_ratings(file.path)["id"].tolist() == ["007", "8"]


@pytest.mark.parametrize(
    "change",
    [
        {"id": None},
        {"id": [3]},
        {"value": {"a": 1}},
        {"rated_at": "yesterday evening"},
        {"blind": "yes"},
        {"rater": None},
        {"kind": "other"},
    ],
)
def test_damaged_lines_are_counted(file, change):
    """A line with a wrong value is left out and counted; the others are read."""
    file.add(judge(3, 4))
    line = json.loads(file.path.read_text())
    with file.path.open("a") as lines:
        lines.write(json.dumps(line | {"judgment": "x"} | change) + "\n")
    frame = ink.load_ratings(file.path)
    assert frame["id"].tolist() == [3]
    assert frame.attrs["ratings"]["damaged_lines"] == 1


@pytest.mark.parametrize("groups", [[[3]], [3], [[3, "warm"]], [[3, ["warm", 1]]]])
def test_a_damaged_reveal_is_counted(file, groups):
    """Groups of another shape are left out."""
    file.add(judge(3, 4))
    file.add(Reveal("ana", ["variant"], groups))
    frame = ink.load_ratings(file.path)
    assert "variant" not in frame
    assert frame.attrs["ratings"]["damaged_lines"] == 1


def test_other_files_are_refused(file, tmp_path):
    """A missing file and one that holds something else are errors that name it."""
    with pytest.raises(ink.InvalidArgument, match="no ratings file"):
        ink.load_ratings(file.path)
    other = tmp_path / "notes.txt"
    other.write_text("my notes\n")
    with pytest.raises(ink.InvalidArgument, match=r"notes\.txt is not a ratings file"):
        ink.load_ratings(other)
    with pytest.raises(ink.InvalidArgument, match="cannot be read"):
        ink.load_ratings(tmp_path)


def test_what_cannot_be_written_is_an_error(tmp_path):
    """A place where no file can be says so, and how to go on."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(ink.ConfigurationError, match="was not saved"):
        RatingsFile(tmp_path / "taken" / "ratings.jsonl").add(judge(3, 4))


def test_the_default_file_is_in_the_folder_of_inkframe(home):
    """Without a path, every panel writes to the same file."""
    RatingsFile().add(judge(3, 4))
    assert (home / "ratings.jsonl").exists()
    assert ink.load_ratings()["id"].tolist() == [3]
