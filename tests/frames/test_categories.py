import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import Categories

RECORD = {"id": 5, "name": "Harbor", "resolution": "256x256"}
LOOKS = ("resolution", "style", "medium", "filter")


def test_values_keep_their_codes():
    """The given values come first, others follow in the order of arrival, and None has no code."""
    categories = Categories(["a", "b"])
    assert categories.encode(["b", None, "z", "a", "y", "z"]).tolist() == [1, -1, 2, 0, 3, 2]
    assert categories.encode(["y"]).tolist() == [3]
    assert categories.dtype.categories.tolist() == ["a", "b", "z", "y"]


@pytest.mark.parametrize(("count", "narrow"), [(126, np.int8), (127, np.int16), (32_767, np.int32)])
def test_codes_are_as_narrow_as_those_of_pandas(count, narrow):
    """Codes are decoded to their values, also if there are too many for one byte or two."""
    values = [f"value {number}" for number in range(count)]
    categories = Categories()
    column = categories.decode(categories.encode([*values, None]))
    assert list(column[:-1]) == values
    assert pd.isna(column[-1])
    assert column.codes.dtype == pd.Categorical(values, categories=values).codes.dtype == narrow


def test_categories_are_the_vocabulary_in_its_order(inkframe_client):
    """Every value of the vocabulary is a category, in its order, also in an empty frame."""
    frame = inkframe_client.images.list()
    for field in LOOKS:
        assert tuple(frame[field].cat.categories) == inkframe_client.vocabulary.codes(field)
    documents = inkframe_client.documents.list(template="FAQ")
    labels = [template.label for template in inkframe_client.vocabulary.all_templates]
    assert documents["template"].cat.categories.tolist() == labels


def test_frames_of_a_client_concat(answering):
    """Two frames of one client keep their categories when they are joined."""
    images = answering(RECORD | {"style": "retro"}, RECORD | {"id": 6, "style": "anime"})
    first, second = images.list(), images.list()
    joined = pd.concat([first.iloc[:1], second.iloc[1:]])
    for field in LOOKS:
        assert joined[field].dtype == first[field].dtype
    assert joined.dtypes.equals(first.dtypes)
    assert joined["style"].tolist() == ["retro", "anime"]


def test_unknown_values_pass_through(answering):
    """A value that the vocabulary lacks is kept, after those that it has."""
    images = answering(RECORD | {"style": "gouache"}, RECORD | {"id": 6, "style": "anime"})
    frame = images.list()
    assert frame["style"].tolist() == ["gouache", "anime"]
    assert frame["style"].cat.categories.tolist()[-2:] == ["vaporwave", "gouache"]
    documents = answering({"id": 5, "name": "x", "template_id": 99}, collection="documents")
    frame = documents.list(template="FAQ")
    assert frame["template"].tolist() == ["Template 99"]
    assert frame["template"].cat.categories[-1] == "Template 99"


def test_another_vocabulary_has_other_categories(answering):
    """The vocabulary of a client determines the categories and their order."""
    images = answering(RECORD | {"style": "oil"})
    images._session.use(ink.Vocabulary(styles=["gouache", "oil"]))
    assert images.list()["style"].cat.categories.tolist() == ["gouache", "oil"]


def test_grouping_follows_the_vocabulary(answering):
    """Groups are in the vocabulary's order, not in alphabetical order."""
    images = answering(
        *(RECORD | {"id": n, "resolution": r} for n, r in enumerate(["1024x1024", "256x256", "512x512"], 1))
    )
    counts = images.list().groupby("resolution", observed=True).size()
    assert counts.index.tolist() == ["256x256", "512x512", "1024x1024"]
