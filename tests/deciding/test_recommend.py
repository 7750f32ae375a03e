import json
import re
import sys

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.analysis import recommend
from inkframe.errors import InvalidArgument


def rated(count, *means, seed=0, **columns):
    """Return ratings of groups in turn, of which the means differ by whole standard deviations."""
    random = np.random.default_rng(seed)
    values = random.permuted(np.tile(np.linspace(-1.5, 1.5, 10), (len(means), -(-count // 10))), axis=1)[
        :, :count
    ]
    frame = pd.DataFrame(
        {
            "creativity": np.tile(np.linspace(0, 1, len(means)), count),
            "rating": (values + np.array(means)[:, None]).T.ravel(),
            "prompt": "p",
        }
    )
    return frame.assign(**columns)


@pytest.mark.integration
def test_one_is_best():
    """A group that beats every other is the choice, and the sentence has its mean and the difference."""
    found = recommend(rated(10, 3, 3, 5), column="rating")
    assert (found.choice, found.verdict, found.needed) == (1.0, "one is best", None)
    assert type(found.choice) is float
    assert found.sentence.startswith(
        "Creativity 1 (Imaginative) is best: its mean rating of 5.00 is 2.00 above"
    )
    assert found.frame["verdict"].tolist() == ["worse", "worse", "best"]
    other = rated(10, 3, 3, 5).rename(columns={"creativity": "warmth"})
    assert recommend(other, by="warmth", column="rating").sentence == found.sentence.replace(
        "Creativity 1 (Imaginative)", "Warmth 1"
    ).replace("creativity 0 (Repetitive)", "warmth 0")


@pytest.mark.integration
def test_undecided():
    """Otherwise there is a range of documents to add to each group, larger for less, up to forty in all at most."""
    found = recommend(rated(20, 3, 3.5), column="rating", smallest=0.5)
    assert (found.choice, found.verdict) == (None, "undecided")
    assert found.needed == (10, 20)
    assert found.sentence.endswith("About 10 to 20 more documents each may settle it.")
    few = recommend(rated(10, 3, 3.5), column="rating", smallest=1.2)
    assert few.needed == (10, 10)
    assert few.sentence.endswith("About 10 more documents each would probably settle it.")
    assert recommend(rated(10, 3, 3.5), column="rating", smallest=1).needed == (10, 20)


def test_verdicts_need_ten_documents_of_each_group():
    """Before ten documents of each group there is no verdict, however clear it looks."""
    frame = rated(10, 1, 9)
    assert recommend(frame, column="rating").choice == 1
    few = recommend(frame.iloc[:-1], column="rating")
    assert (few.verdict, few.needed) == ("undecided", (1, 31))
    assert few.sentence == "Undecided: a verdict needs at least 10 documents of each group, got 9."


@pytest.mark.integration
def test_a_verdict_stays():
    """A verdict at ten documents is not undone by what is rated later, and none comes between two looks."""
    first = rated(10, 1, 4)
    later = rated(9, 9, 1)
    both = pd.concat([first, later], ignore_index=True)
    assert recommend(both, column="rating").choice == 1
    waiting = rated(1, 1, 9).assign(rating=np.nan)
    tied = pd.concat([rated(10, 3, 3), rated(9, 1, 9)], ignore_index=True)
    between = pd.concat([tied, waiting], ignore_index=True)
    assert recommend(between, column="rating").verdict == "undecided"
    assert recommend(between.assign(raters=1), column="rating").verdict == "undecided"
    assert recommend(tied, column="rating").choice == 1
    assert (
        recommend(pd.concat([tied, rated(1, 1, 9), waiting], ignore_index=True), column="rating").choice == 1
    )


@pytest.mark.integration
@pytest.mark.parametrize("count", [10, 30, 40, 140])
def test_nothing_beyond_forty_is_advised(count):
    """Where forty documents of a group would probably bring no verdict, none are to be added, and the sentence says so."""
    found = recommend(rated(count, 3, 3), column="rating", smallest=0.1)
    assert found.verdict == "undecided"
    if count < 30:
        assert found.needed == (20, 30)
        assert found.sentence.endswith("About 20 to 30 more documents each may settle it.")
    else:
        assert (found.needed, found.needed_code) == (None, "")
        assert found.sentence.endswith("More documents would probably not settle it.")


def by_case(random, means, repeats, noise=0.8, cases=8):
    """Return ratings of levels in some cases, in the order in which a panel shows them."""
    quality = 3 + np.array(means) + random.normal(size=(cases * repeats, len(means))) * noise
    return pd.DataFrame(
        {
            "creativity": np.tile(np.linspace(0, 1, len(means)), cases * repeats),
            "case": np.repeat([f"product {at % cases}" for at in range(cases * repeats)], len(means)),
            "rating": np.clip(np.round(quality), 1, 5).ravel(),
        }
    )


@pytest.mark.integration
@pytest.mark.parametrize("has_panel_order", [True, False])
def test_two_texts_of_a_case_are_enough(has_panel_order):
    """Eight cases with two texts of each level, one level at 3.94 and the others at most 2: that level is best."""
    values = [[2, 1, 2, 4, 1], [1, 2, 2, 4, 2], [2, 2, 1, 4, 3], [1, 2, 3, 4, 1]] * 4
    values[5] = [2, 3, 2, 3, 2]
    frame = by_case(np.random.default_rng(0), [0] * 5, 2).assign(rating=np.ravel(values).astype(float))
    if not has_panel_order:
        frame = frame.sort_values(["case", "creativity"], ignore_index=True)
    assert sorted(frame.groupby("creativity")["rating"].mean())[-2:] == [2, 3.9375]
    found = recommend(frame, column="rating")
    assert found.choice == 0.75
    assert "for cases like these 8" in found.sentence


@pytest.mark.integration
def test_verdicts_over_cases_come_as_promised():
    """A lead of two points is named at the first look mostly and at the end nearly always, one of two equals seldom."""
    random = np.random.default_rng(5)
    lead = [by_case(random, (1, -1, -1, -1, -1), 2) for _ in range(30)]
    assert [recommend(each, column="rating").choice for each in lead].count(0) >= 28
    waiting = by_case(random, (0,) * 5, 2)[-5:].assign(rating=np.nan)
    first = [pd.concat([each[:50], waiting], ignore_index=True) for each in lead]
    assert [recommend(each, column="rating").choice for each in first].count(0) >= 22
    tied = [by_case(random, (1, 1, -1, -1, -1), 3) for _ in range(60)]
    assert sum(recommend(each, column="rating").choice is not None for each in tied) <= 6


@pytest.mark.integration
@pytest.mark.parametrize("cases", range(2, 11))
def test_a_promised_number_names_a_clear_lead(cases):
    """At the first number that is promised for some cases a lead of two points is named in most, and at no earlier one."""
    random = np.random.default_rng(6)
    first = 11 if cases == 7 else 10
    lead = [by_case(random, (1, -1, -1, -1, -1), 8, cases=cases) for _ in range(40)]
    found = [recommend(each[: 5 * first], column="rating") for each in lead]
    assert [each.choice for each in found].count(0) >= 30
    few = recommend(lead[0][: 5 * first - 5], column="rating")
    assert (few.verdict, few.needed) == ("undecided", (1, 41 - first))
    assert f"a verdict needs at least {first} documents of each group, got {first - 1}." in few.sentence
    open_ = pd.concat([lead[0][: 5 * first], lead[0][5 * first :].assign(rating=np.nan)], ignore_index=True)
    assert set(recommend(open_, column="rating").frame["n"]) == {first}


@pytest.mark.integration
def test_documents_count_in_the_order_they_were_rated():
    """The time of a rating decides which documents come first, else their id; the order of rows does not."""
    first = pd.concat([rated(10, 1, 4), rated(30, 6, 1)], ignore_index=True)
    assert recommend(first, column="rating").choice == 1
    assert recommend(first.sort_values("rating"), column="rating").choice == 1
    times = pd.Timestamp("2026-01-01", tz="UTC") + pd.to_timedelta(range(len(first), 0, -1), unit="s")
    assert recommend(first.assign(rated_at=times), column="rating").choice == 0


@pytest.mark.integration
def test_requirements_filter_groups_first():
    """The best group does not count if too few of its texts passed a check."""
    frame = rated(20, 3, 4.5, 9)
    frame["passed"] = frame["creativity"] < 1
    found = recommend(frame, column="rating", require={"passed": 0.9})
    assert found.choice == 0.5
    assert found.sentence.endswith("Groups without passed of at least 0.9 were left out.")
    assert found.frame["passed"].tolist() == [1, 1, 0]
    assert found.frame["verdict"].tolist() == ["worse", "best", "left out"]
    assert recommend(frame, column="rating", require={"passed": 0}).choice == 1


@pytest.mark.integration
def test_a_group_without_a_required_value_is_refused():
    """A group whose check was never made cannot meet the requirement, nor fail it."""
    frame = rated(10, 1, 2, 3)
    frame["passed"] = pd.array([True, True, None] * 10, "boolean")
    with pytest.raises(InvalidArgument, match="A group has no value in 'passed'"):
        recommend(frame, column="rating", require={"passed": 0.5})


@pytest.mark.integration
def test_a_group_that_alone_meets_the_requirement():
    """One group left is the choice only if the others surely fail; with none left there is no choice."""
    frame = rated(20, 3, 4)
    frame["passed"] = frame["creativity"] > 0
    found = recommend(frame, column="rating", require={"passed": 0.9})
    assert (found.choice, found.verdict) == (1, "one is best")
    nearly = frame.assign(passed=(frame["creativity"] > 0) | (np.arange(40) > 6))
    found = recommend(nearly, column="rating", require={"passed": 0.9})
    assert (found.choice, found.verdict) == (None, "undecided")
    assert found.sentence.endswith("has passed of at least 0.9 so far.")
    assert found.frame.attrs["analysis"]["notes"][-1] == (
        "creativity 0 (Repetitive) was left out, but more documents may show that it has what is required."
    )
    none = recommend(frame.assign(passed=False), column="rating", require={"passed": 0.5})
    assert (none.choice, none.sentence) == (None, "No group has passed of at least 0.5.")


def test_several_columns_make_a_choice_of_each():
    """Groups of several columns are chosen as a dict, which a form takes as keywords."""
    frame = rated(20, 3, 3, 5).assign(variant="plain")
    found = recommend(frame, by=["variant", "creativity"], column="rating")
    assert found.choice == {"variant": "plain", "creativity": 1.0}
    assert "Variant plain, creativity 1 (Imaginative) is best" in found.sentence


def test_documents_that_wait_for_a_rating_need_not_be_added():
    """What has a text, no rating and an unseen group is rated first; only what is missing then is to be added."""
    frame = rated(15, 3, 3.2).assign(result=[f"text {at}" for at in range(30)], blind=True)
    later = frame[-10:].assign(rating=np.nan, blind=None)
    more = pd.concat([frame, later], ignore_index=True).astype({"blind": "boolean"})
    seen = more.assign(blind=more["blind"].fillna(value=False))
    empty = more.assign(result=more["result"].where(more["rating"].notna()))
    needed = [recommend(each, column="rating").needed for each in (frame, more, seen, empty)]
    assert needed == [(5, 25), (0, 20), (5, 25), (5, 25)]
    sentence = recommend(more, column="rating", smallest=0.8).sentence
    assert "Rate the other 5 of each group first. About 0 to 20 more documents each" in sentence
    scores = more.rename(columns={"rating": "score"})
    assert recommend(scores, column="score").needed == (5, 25)


def test_the_line_that_adds_what_is_needed(inkframe_client):
    """It creates at least as many texts of each group, in its cases, with other names; none where none is needed."""
    plan = ink.plan_documents(
        {"plain": "About {product}", "warm": "Warmly about {product}"},
        variables={"product": ["a kettle", "a lamp", "a tent"]},
        name="{number}",
        creativity=[0, 1],
        quiet=True,
    )
    frame = pd.DataFrame(plan).assign(rating=3.0, result="x")
    for by, needed in ((["variant"], 4), (["variant", "creativity"], 7), (["creativity"], 4)):
        found = recommend(frame, by=by, column="rating")
        assert found.needed[0] == needed
        space = {"client": inkframe_client}
        exec(found.needed_code, space)  # noqa: S102  # running the code is what is tested
        more = space["more"]
        assert more.groupby(by).size().min() >= needed
        assert set(more["case"]) == set(plan["case"])
        assert not set(more["name"]) & set(plan["name"])
    three = frame.assign(creativity=[0.0, 0.5, 1.0] * 4, passed=[True, True, False] * 4)
    code = recommend(three, column="rating", require={"passed": 0.5}).needed_code
    assert ["'creativity': 0.5" in code, "'creativity': 1.0" in code] == [True, False]
    images = ink.plan_images(
        "a pier", name="{number}", resolution="256x256", style=["anime", "retro"], quiet=True
    )
    code = recommend(images.assign(rating=3), by="style", column="rating").needed_code
    assert "client.images.create_many" in code
    assert "medium" not in code
    assert recommend(rated(9, 1, 2).drop(columns="prompt"), column="rating").needed_code == ""


@pytest.mark.integration
def test_similarity_is_shown_and_not_weighed():
    """The similarity of the texts of each group is a column, and changes no verdict."""
    frame = rated(20, 3, 5)
    texts = frame.assign(
        result=["a b c" if level else f"a{at} b{at} {at}" for at, level in enumerate(frame["creativity"])]
    )
    found = recommend(texts.assign(score=texts["rating"]), column="score")
    assert found.frame["similarity"].tolist() == [0, 1]
    assert found.choice == recommend(frame, column="rating").choice == 1


@pytest.mark.integration
def test_checks_are_compared_as_shares():
    """A check has shares, and a difference of half of all documents is called large."""
    frame = rated(40, 1, 2)
    frame["passed"] = frame["creativity"] > 0
    frame.loc[:3, "passed"] = True
    found = recommend(frame, column="passed", smallest=0.1)
    assert found.choice == 1
    assert "its share passed of 1.00" in found.sentence
    notes = recommend(frame, column="passed").frame.attrs["analysis"]["notes"]
    assert any("half of all documents" in note for note in notes)


@pytest.mark.integration
def test_two_tied_groups_seldom_have_a_winner():
    """Over all looks, one of two equal groups is called best in at most one in twenty comparisons."""
    random = np.random.default_rng(2)
    levels, won = np.tile([0.0, 1.0], 40), 0
    for _ in range(60):
        ratings = np.clip(np.round(3 + random.normal(size=80)), 1, 5)
        frame = pd.DataFrame({"creativity": levels, "rating": ratings, "prompt": "p"})
        won += recommend(frame, column="rating", smallest=0.01).choice is not None
    assert won <= 9  # three are expected, with a standard deviation of less than two


@pytest.mark.integration
def test_saving(tmp_path):
    """A recommendation is saved as a page or as values, which replace an earlier file; other files are refused."""
    found = recommend(rated(20, 3, 3, 5), column="rating")
    page = found.save(tmp_path / "kettle.html")
    assert found.save(page).read_text(encoding="utf-8").startswith("<!doctype html>")
    values = json.loads(found.save(str(tmp_path / "kettle.json")).read_text(encoding="utf-8"))
    assert (values["choice"], values["verdict"], len(values["groups"])) == (1.0, "one is best", 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kettle.html", "kettle.json"]
    by_day = rated(20, 3, 3, 5)
    by_day["day"] = pd.Timestamp("2026-01-01") + pd.to_timedelta(by_day.pop("creativity") * 2, unit="D")
    saved = recommend(by_day, by="day", column="rating").save(tmp_path / "new" / "kettle.json")
    days = [group["day"] for group in json.loads(saved.read_text(encoding="utf-8"))["groups"]]
    assert [day[:10] for day in days] == ["2026-01-01", "2026-01-02", "2026-01-03"]
    with pytest.raises(InvalidArgument, match="must end in"):
        found.save(tmp_path / "kettle.csv")


@pytest.mark.integration
def test_saving_replaces_recommendations_only(tmp_path):
    """An earlier recommendation is replaced, of any release; another file only on request."""
    found = recommend(rated(20, 3, 3, 5), column="rating")
    old = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Recommendation</title>\n<p>0.2</p>'
    for name, theirs in (("a.html", old), ("a.json", '{\n  "choice": 0.5,\n  "verdict": "one is best"\n}')):
        (tmp_path / name).write_text(theirs, encoding="utf-8")
        assert found.save(tmp_path / name).read_text(encoding="utf-8") != theirs
    for name, theirs in (
        ("b.html", "<!doctype html><title>Mine</title>"),
        ("b.json", '{"choice": 1}'),
        ("c.html", ""),
    ):
        (tmp_path / name).write_text(theirs, encoding="utf-8")
        with pytest.raises(InvalidArgument, match="already exists"):
            found.save(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8") == theirs
        found.save(tmp_path / name, overwrite=True)
        assert found.sentence[:20] in (tmp_path / name).read_text(encoding="utf-8")
    (tmp_path / "link.html").symlink_to(tmp_path / "a.html")
    with pytest.raises(InvalidArgument, match="already exists"):
        found.save(tmp_path / "link.html")


@pytest.mark.parametrize(
    "name", ["$\\frac{$", "\u202eevil\u2066", "<img src=x onerror=y>", "\x1b[31mred", "a\n# b", "{0}"]
)
def test_names_of_groups_are_harmless(name, tmp_path):
    """Names of groups are shown as text: without formulas, directions, markup, or escapes for terminals."""
    frame = rated(10, 3, 5).assign(group=[name] * 10 + ["other"] * 10)
    found = recommend(frame, by="group", column="rating")
    html = found._repr_html_()
    assert html.startswith("<div")
    assert "mathjax_ignore" in html[: html.index("<style")]
    for text in (html, repr(found), found.save(tmp_path / "a.html").read_text(encoding="utf-8")):
        assert not {"\u202e", "\u2066", "\x1b"} & set(text)
    assert "<img src=x" not in html
    assert "other" in html


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"column": "none"}, "no column 'none'"),
        ({"smallest": -1}, "smallest must be above 0"),
        ({"require": {"prompt": 1}}, "must hold numbers"),
        ({"require": {"rating": "much"}}, r"require\['rating'\] must be a number"),
        ({"by": "prompt"}, "at least 2 groups"),
    ],
)
def test_wrong_arguments_are_refused(options, message):
    """Missing columns, texts as values and impossible numbers are refused."""
    with pytest.raises(InvalidArgument, match=message):
        recommend(rated(10, 1, 2), **({"column": "rating"} | options))


@pytest.mark.integration
def test_whole_recommendations(recorded):
    """The sentence, verdict, table, notes and text of each kind of recommendation."""
    checked = rated(
        10, 3, 3, 5, passed=[True, True, False] * 10, result=[f"text {at % 4}" for at in range(30)]
    )
    cases = {
        "best": recommend(rated(10, 3, 3, 5), column="rating"),
        "any": recommend(rated(40, 3, 3, 3.05), column="rating", smallest=1),
        "some": recommend(rated(40, 0, 3, 3.05), column="rating", smallest=1),
        "undecided": recommend(rated(20, 3, 3.5), column="rating"),
        "long": recommend(rated(40, 3, 3.2), column="rating", smallest=0.1),
        "few": recommend(rated(9, 3, 3.5), column="rating"),
        "required": recommend(checked, column="rating", require={"passed": 0.9}),
        "none": recommend(checked, column="rating", require={"passed": 0.9, "rating": 9}),
        "one": recommend(checked, column="rating", require={"rating": 4}),
        "check": recommend(checked, column="passed"),
        "several": recommend(rated(10, 1, 3, kind="<b>"), by=["kind", "creativity"], column="rating"),
    }
    for name, found in cases.items():
        result = [found.choice, found.verdict, found.needed, found.sentence]
        recorded(name, {"result": result, "frame": found.frame})


@pytest.mark.integration
def test_whole_rendering(recorded, tmp_path):
    """The text, the HTML and the file of a recommendation that leaves a group out."""
    frame = rated(10, 1, 3, 5, kind="<b>")
    found = recommend(frame, by=["kind", "creativity"], column="rating", require={"rating": 2})
    recorded("text", repr(found).split("\n"))
    recorded("html", re.sub(r'width="[0-9]+"', "", found._repr_html_()))
    recorded("json", json.loads(found.save(tmp_path / "found.json").read_text(encoding="utf-8")))


@pytest.mark.integration
def test_the_sentence_says_for_which_cases(recorded):
    """Over a few cases, every sentence has their number; over many, it has none."""
    sentences = [
        recommend(
            rated(count, 3, *means, case=[at // 3 % cases for at in range(3 * count)]), column="rating"
        ).sentence
        for count, means in [(10, (3, 5)), (20, (3, 3.4)), (40, (3, 3))]
        for cases in (2, 5)
    ]
    recorded("cases", sentences)


def test_recommendations_without_matplotlib(monkeypatch):
    """The table and the sentence are shown without the plot."""
    found = recommend(rated(10, 3, 3, 5), column="rating")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    html = found._repr_html_()
    assert f"<p><strong>{found.sentence}</strong></p><table" in html
    assert "<img" not in html
    assert html.endswith("</small></p></div>")


def test_a_needed_number_without_an_interval():
    """Where no interval is known, the range is from the next look to forty, and the sentence has none."""
    frame = pd.DataFrame({"creativity": [0.0, 1.0], "rating": [1, 2], "prompt": "p"})
    assert recommend(frame, column="rating").needed == (9, 39)
    many = recommend(pd.concat([frame] * 12), column="rating")
    assert many.needed == (8, 28)
    assert many.sentence == (
        "Undecided: creativity 1 (Imaginative) leads creativity 0 (Repetitive) by 1.00 in mean rating (12 documents"
        " each, for this case). About 8 to 28 more documents each would probably settle it."
    )
