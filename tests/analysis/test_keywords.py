import numpy as np
import pandas as pd
import pytest

from inkframe.analysis import keywords, similar


@pytest.fixture
def library():
    texts = [
        "How do I clean the kettle?",
        "How long does the kettle take?",
        "The easy tea.",
        "An easy cup, the tea!",
    ]
    frame = pd.DataFrame(
        {"template": list("FFSS"), "result": texts, "name": list("abcd")}, index=[3, 4, 5, 6]
    )
    return frame.astype({"template": pd.CategoricalDtype(["S", "F", "unused"])})


def test_keywords_distinguish_their_group(library):
    """Words of one group come first; words of all groups and of single texts are left out."""
    found = keywords(library)
    assert found.groupby("template", observed=True)["keyword"].first().to_dict() == {
        "S": "easy",
        "F": "kettle",
    }
    assert set(found["keyword"]) >= {"how", "kettle", "easy", "tea"}
    assert not set(found["keyword"]) & {"clean", "cup", "i"}
    assert found.loc[0, ["inside", "outside", "texts"]].tolist() == [1, 0, 2]


def test_weights_are_the_usual_ones():
    """The weight is mean TF-IDF inside minus outside, calculated by hand for two texts of two words."""
    frame = pd.DataFrame({"template": ["a", "b"], "result": ["tea tea pot", "pot"]})
    found = keywords(frame, least=1)
    tea, pot = (1 + np.log(2)) * (np.log(3 / 2) + 1), 1.0
    assert found["keyword"].tolist() == ["tea", "pot"]
    assert found["weight"].tolist() == pytest.approx([tea / np.hypot(tea, pot), 1 - pot / np.hypot(tea, pot)])


def test_keywords_of_scripts_without_spaces():
    """Japanese keywords are pairs of letters."""
    frame = pd.DataFrame({"template": ["a", "a", "b"], "result": ["湯沸かし器", "湯沸かし", "紅茶の本"]})
    assert "湯沸" in keywords(frame)["keyword"].tolist()


def test_similar_sorts_by_score(library):
    """The closest records come first with all columns; records without a common word are left out."""
    library.attrs = {"inkframe": {"collection": "documents"}}
    found = similar(library, "kettle: how LONG?", n=2)
    assert list(found.index) == [4, 3]
    assert list(found.columns) == ["score", "similarity", "template", "result", "name"]
    assert found.attrs["inkframe"] == {"collection": "documents"}
    assert similar(library, library.loc[5, "result"])["score"].iloc[0] == pytest.approx(1)
    assert len(similar(library, "zebra")) == len(similar(library.iloc[:0], "tea")) == 0


def test_similar_ignores_words_that_no_record_has(library):
    """They do not lower the score; a text of nothing but such words finds nothing."""
    expected = similar(library, "kettle long")
    found = similar(library, "kettle zebra long quokka")
    assert found["score"].tolist() == pytest.approx(expected["score"].tolist())
    assert len(similar(library, "zebra quokka")) == 0


def test_missing_results_match_nothing(library):
    """A record without a text is never similar."""
    missing = library.astype({"result": "object"}).assign(result=[None, None, "tea", None])
    assert list(similar(missing, "tea").index) == [5]


def test_whole_tables(library, documents, recorded):
    """All columns, units and notes of keywords and of similar texts."""
    recorded("keywords", keywords(documents, by="template", n=4))
    recorded("similar", similar(documents, "steel kettle", 4))


def test_rows_without_a_text_or_a_group_do_not_count(documents):
    """They change neither the words nor the number of texts."""
    more = documents.iloc[:20].copy()
    more.loc[more.index[:10], "result"] = None
    more["template"] = more["template"].astype("object")
    more.loc[more.index[10:], "template"] = None
    both = pd.concat([documents.assign(template=documents["template"].astype("object")), more])
    expected = keywords(documents.assign(template=documents["template"].astype("object")), n=3)
    pd.testing.assert_frame_equal(keywords(both, n=3), expected)
