import numpy as np
import pandas as pd
import pytest
from tests.cases import type_name, with_texts

import inkframe as ink
from inkframe.errors import InvalidArgument


def documents(*texts, **columns):
    return pd.DataFrame(
        {"result": list(texts), **columns}, index=pd.Index(range(5, 5 + len(texts)), name="id")
    )


def test_checks_scores_and_labels():
    """Booleans make a check, numbers a score, texts a label, each with its type; passed is over the checks."""
    frame = with_texts(documents("short", "rather long text"))
    found = ink.score(
        frame,
        short=ink.scorers.max_words(1),
        polite=lambda text: np.bool_("text" in text),
        length=len,
        kind=lambda text: text[0],
    )
    assert found.dtypes.map(type_name).to_dict() == {
        "result": "str", "short": "boolean", "polite": "boolean", "length": "float64", "kind": "str",
        "passed": "boolean",
    }  # fmt: skip
    assert found["short"].tolist() == [True, False]
    assert found["length"].tolist() == [5, 16]
    assert found["kind"].tolist() == ["s", "r"]
    assert found["passed"].tolist() == [False, False]
    assert "short" not in frame
    assert found.index.equals(frame.index)


def test_passed_needs_every_check():
    """A row passes where every check is True, fails where one is False, and is unknown otherwise."""
    values = {"a": [True, True, None], "b": [True, False, True]}
    checks = {name: ink.scorers.by_row(lambda row, name=name: row[f"{name}_"]) for name in values}
    frame = documents("x", "y", "z", a_=pd.array(values["a"], "boolean"), b_=values["b"])
    found = ink.score(frame, **checks)["passed"]
    assert found.tolist()[:2] == [True, False]
    assert found.isna().tolist() == [False, False, True]
    assert "passed" not in ink.score(frame, length=len)


def test_a_scorer_that_raises_costs_its_cell(capsys):
    """Where a scorer raises or returns something else, that cell is missing, and attrs and a line say so."""
    frame = documents("1", "x", "3", "[]")
    found = ink.score(frame, number=lambda text: int(text) if text != "[]" else [], length=len)
    assert found["number"].tolist()[::2] == [1, 3]
    assert found["number"].isna().tolist() == [False, True, False, True]
    assert found["length"].notna().all()
    failed = found.attrs["scoring"]["failed"]
    assert failed.keys() == {"number"}
    assert (failed["number"]["rows"], failed["number"]["positions"]) == (2, [1, 3])
    assert failed["number"]["first"].startswith("ValueError: invalid literal")
    assert capsys.readouterr().out.startswith("number: no value in 2 of 4 rows (ValueError: invalid")


def test_a_scorer_of_two_kinds_is_of_the_more_frequent():
    """A value of another kind than most is missing; missing and NaN values are not failures."""
    answers = iter([True, 0.5, False, None, True, float("nan")])
    found = ink.score(documents(*"abcdef"), check=lambda _: next(answers))
    assert found["check"].isna().tolist() == [False, True, False, True, False, True]
    assert found.attrs["scoring"]["failed"]["check"]["rows"] == 1


def test_rows_without_text_are_not_scored():
    """A failed document has no values, and its scorers are not called."""
    found = ink.score(documents("a", None, "b"), length=len, short=ink.scorers.max_words(3))
    assert found["length"].isna().tolist() == [False, True, False]
    assert found["short"].isna().tolist() == [False, True, False]
    assert found.attrs["scoring"]["failed"] == {}


def test_rows_are_given_whole():
    """by_row passes the whole row, with its id as name."""
    frame = documents("a kettle", "a lamp", product=["kettle", "kettle"])
    found = ink.score(
        frame,
        named=ink.scorers.by_row(lambda row: row["product"] in row["result"]),
        id_of=ink.scorers.by_row(lambda row: row.name),
    )
    assert found["named"].tolist() == [True, False]
    assert found["id_of"].tolist() == [5, 6]


def test_scoring_again_replaces_its_own_columns():
    """The same cell can run twice; passed is over the checks of both runs."""
    once = ink.score(documents("a b", "a"), short=ink.scorers.max_words(1), length=len)
    again = ink.score(once, short=ink.scorers.max_words(2), has=ink.scorers.contains("b"))
    assert again["short"].tolist() == [True, True]
    assert again["passed"].tolist() == [True, False]
    assert again.attrs["scoring"]["kinds"] == {"short": "check", "length": "score", "has": "check"}


@pytest.mark.parametrize("name", ["result", "style", "passed", "status", "own"])
def test_other_columns_are_not_replaced(name):
    """The names of fields and of columns of the frame are refused."""
    with pytest.raises(InvalidArgument, match=f"has a column '{name}'"):
        ink.score(documents("a", own=[1]), **{name: len})


def test_wrong_scorers_are_refused():
    """Nothing to score, and scorers that are no functions, are refused."""
    with pytest.raises(InvalidArgument, match="at least one scorer"):
        ink.score(documents("a"))
    with pytest.raises(InvalidArgument, match="short must be a function, got 80"):
        ink.score(documents("a"), short=80)
    with pytest.raises(InvalidArgument, match="no column 'result'"):
        ink.score(pd.DataFrame({"x": [1]}), length=len)
    with pytest.raises(InvalidArgument, match="Expected a pandas DataFrame"):
        ink.score([1], length=len)


@pytest.mark.integration
def test_pictures_are_scored(inkframe_client):
    """Scorers of images get the picture; one that cannot be fetched costs its row only."""
    for resolution in ("256x256", "512x512"):
        inkframe_client.images.create(name=resolution, description="a pier", resolution=resolution)
    images = inkframe_client.images.all().sort_values("resolution")
    inkframe_client.images.delete(images.index[0])
    found = ink.score(
        images, large=lambda picture: picture.width > 256, width=lambda picture: picture.size[0]
    )
    assert found["width"].isna().tolist() == [True, False]
    assert found["large"].tolist()[1] is True
    assert found.attrs["scoring"]["failed"]["width"]["rows"] == 1


@pytest.mark.integration
def test_results_of_a_batch_are_scored(inkframe_client):
    """The rows of a batch are scored, of images too, where ids are a column."""
    plan = ink.plan_images("a pier", name="Pier", resolution="256x256")
    runs = inkframe_client.images.create_many(plan)
    assert ink.score(runs, width=lambda picture: picture.width)["width"].tolist() == [256]


@pytest.mark.integration
def test_a_judge_beside_human_ratings(capsys):
    """A judged column keeps its reasons, calls and agreement with human ratings, also in comparisons."""
    frame = documents("a", "bb", "ccc", "dddd", rating=[1.0, 2, 4, 3], group=list("xxyy"))
    judge = ink.scorers.judge(lambda prompt: f"{min(prompt.count('d'), 5)}\nbecause", "How good?")
    judged = ink.scorers.judge(lambda prompt: "4.\nso" if "ccc" in prompt else "2", "How good?")
    found = ink.score(frame, quality=judged)
    assert found["quality"].tolist() == [2, 2, 4, 2]
    assert found["quality_reason"].tolist()[2] == "so"
    said = found.attrs["scoring"]["judged"]["quality"]
    assert said["calls"] == judged.calls == 4
    assert "rank correlation with human ratings is 0.77 over 4 records" in said["agreement"]
    assert "4 calls so far" in capsys.readouterr().out
    notes = ink.analysis.compare_groups(found, by="group", column="quality").attrs["analysis"]["notes"]
    assert notes == [said["agreement"]]
    assert (
        "no human ratings"
        in ink.score(frame.drop(columns="rating"), q=judge).attrs["scoring"]["judged"]["q"]["agreement"]
    )


def test_labels_of_a_judge_beside_human_labels():
    """The agreement of choices is the share of records with the human label."""
    frame = documents("a", "b", "c", label=["keep", "drop", "keep"])
    judge = ink.scorers.judge(lambda _: "keep", "Keep it?", labels=["keep", "drop"])
    said = ink.score(frame, kept=judge).attrs["scoring"]["judged"]["kept"]["agreement"]
    assert said == "kept was judged by a model; it is the human label for 67% of 3 records."
