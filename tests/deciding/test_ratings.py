import json

import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink
from inkframe.deciding.ratings import Judgment, RatingsFile, Reveal, ratings_frame


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
    assert empty.attrs["ratings"]["damaged_lines"] == 0
    assert empty.columns.tolist() == frame.columns.tolist()
    assert len(empty) == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("value", "1" * 400),
        ("value", f'"{"1" * 5000}"'),
        ("id", "1" * 400),
        ("id", str(2**70)),
        ("options", "1" * 5000),
        *((name, r'"\ud800"') for name in ("id", "rater", "reason", "question", "service", "judgment")),
        *((name, r'"a\u0000b"') for name in ("id", "rater", "value", "rated_at")),
        *(("rated_at", f'"{time}"') for time in ("9999-12-31T23:59:59-14:00", "0001-01-01", "NaT", "01:00")),
        ("value", "NaN"),
    ],
)
def test_a_hostile_value_damages_its_line_only(file, name, value):
    """The other ratings are read, whatever number or text a line has; nothing else is raised."""
    file.add(judge(3, 4))
    lines = file.path.read_text(encoding="utf-8")
    hostile = json.dumps(json.loads(lines) | {"judgment": "other", name: "$"}).replace('"$"', value)
    file.path.write_text(f"{lines}{hostile}\n{lines.replace(': 3', ': 5')}", encoding="utf-8")
    frame = ink.load_ratings(file.path)
    assert "5" in frame["id"].astype(str).tolist()
    assert frame.to_csv(index=False)


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_a_path_that_no_file_has_is_refused(path):
    """A path with NUL or half of a surrogate pair is an error of the package."""
    with pytest.raises(ink.InvalidArgument, match="path must be the path of a file"):
        ink.load_ratings(path)


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
    file.add(judge(3, 4, service="https://a.example.com"))
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
    with pytest.raises(ink.InvalidArgument) as refused:
        ink.load_ratings(file.path)
    assert str(refused.value) == f"There is no ratings file {file.path}.\nCheck the path."
    other = tmp_path / "notes.txt"
    other.write_text("my notes\n")
    with pytest.raises(ink.InvalidArgument, match=r"notes\.txt is not a ratings file"):
        ink.load_ratings(other)
    with pytest.raises(ink.InvalidArgument, match="cannot be read"):
        ink.load_ratings(tmp_path)


def test_what_cannot_be_written_is_an_error(tmp_path):
    """A place where no file can be says so, and how to go on."""
    (tmp_path / "taken").write_text("")
    path = tmp_path / "taken" / "ratings.jsonl"
    with pytest.raises(ink.ConfigurationError) as refused:
        RatingsFile(path).add(judge(3, 4))
    first, second = str(refused.value).split("\n")
    assert first.startswith("The rating was not saved: ")
    assert second == f"Free some space or fix {path}, or choose another file with path=…"


def test_the_default_file_is_in_the_folder_of_inkframe(home):
    """Without a path, every panel writes to the same file."""
    RatingsFile().add(judge(3, 4))
    assert (home / "ratings.jsonl").exists()
    assert ink.load_ratings()["id"].tolist() == [3]


def test_a_whole_frame_of_ratings():
    """Every column has its type; the ids are texts where one is too large for a number."""
    judgments = [
        Judgment(3, "ana", "scale", "How good?", value=4, reason="clear", service="s", rated_at="2026-11-22T10:00:00.25Z"),
        Judgment(4, "ben", "pairs", "Which?", other=5, winner=5, blind=False, rated_at="2026-11-22T11:00:00+01:00"),
    ]  # fmt: skip
    frame = ratings_frame(judgments)
    assert {name: type_name(dtype) for name, dtype in frame.dtypes.items()} == {
        "id": "int64", "other": "Int64", "value": "float64", "winner": "Int64", "rater": "str", "reason": "str",
        "blind": "boolean", "rated_at": "datetime64[us, UTC]", "mode": "str", "question": "str", "service": "str",
        "collection": "str",
    }  # fmt: skip
    times = [pd.Timestamp("2026-11-22T10:00:00.25Z"), pd.Timestamp("2026-11-22T10:00:00Z")]
    assert frame.astype(object).where(frame.notna(), None).to_dict("list") == {
        "id": [3, 4], "other": [None, 5], "value": [4.0, None], "winner": [None, 5], "rater": ["ana", "ben"],
        "reason": ["clear", None], "blind": [True, False], "rated_at": times, "mode": ["scale", "pairs"],
        "question": ["How good?", "Which?"], "service": ["s", ""], "collection": ["documents", "documents"],
    }  # fmt: skip
    texts = ratings_frame([*judgments, Judgment(2**63, "ana", "labels", "What?", value="keep")])
    assert texts[["id", "other", "winner"]].dtypes.map(type_name).tolist() == ["str"] * 3
    assert texts["id"].tolist() == ["3", "4", "9223372036854775808"]
    assert texts["other"].fillna("").tolist() == ["", "5", ""]
    assert texts["value"].tolist() == [4, None, "keep"]


def test_a_line_of_a_judgment(file):
    """A line has the whole judgment, and an undone one is named by its random id."""
    judgment = judge(3, 4, options=5, judgment="j", rated_at="2026-11-22T10:00:00Z")
    file.add(judgment)
    file.undo(judgment)
    assert [json.loads(line) for line in file.path.read_text().splitlines()] == [
        {"kind": "judgment", "id": 3, "rater": "ana", "mode": "scale", "question": "How good?", "service": "",
         "collection": "documents", "content": "", "other": None, "value": 4, "winner": None, "reason": None,
         "blind": True, "options": 5, "rated_at": "2026-11-22T10:00:00Z", "judgment": "j"},
        {"kind": "undo", "judgment": "j"},
    ]  # fmt: skip
