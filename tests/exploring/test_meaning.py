"""Find by meaning: a function of vectors, asked once for each text, in the analysis and in the explorer."""

import threading
from functools import partial

import numpy as np
import pandas as pd
import pytest
from tests.cases import cases
from tests.waiting import LIMIT

import inkframe as ink
from inkframe.analysis import clusters, near_duplicates, outliers, plot_similar, project, similar, topics
from inkframe.versions import text_type

#: The words of each concept; no two texts about one thing need to share any.
CONCEPTS = (
    ("kettle", "tea", "boils", "brew", "hot"),
    ("bicycle", "ride", "pedal", "cycling", "hill"),
    ("lamp", "light", "glow", "bright", "dark"),
)


class Model:
    """Counts the words of each concept, and keeps what it was asked for."""

    def __init__(self):
        self.asked = []
        self.begun, self.gate = threading.Semaphore(0), threading.Event()
        self.gate.set()
        self.failure = None

    def encode(self, texts):
        """Return an array with a row for each text."""
        self.asked.append(list(texts))
        self.begun.release()
        assert self.gate.wait(LIMIT)
        if self.failure is not None:
            raise self.failure
        found = [[sum(word in text.lower() for word in words) for words in CONCEPTS] for text in texts]
        return np.array(found, float) + 0.01

    @property
    def texts(self):
        """All texts that it was asked for."""
        return [text for batch in self.asked for text in batch]


@pytest.fixture
def model():
    """Return a model that has not been asked."""
    return Model()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Keep labels and stored results in a folder of the test."""
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))


@pytest.fixture
def frame():
    """Return 30 texts about three things in turn, one blank and one missing."""
    about = ["a kettle for tea", "a bicycle to ride", "a lamp with light"]
    texts = [f"Text {at} is about {about[at % 3]}." for at in range(28)]
    return pd.DataFrame(
        {
            "name": [f"Name {29 - at:02}" for at in range(30)],
            "kind": ["a", "b"] * 15,
            "result": pd.array([*texts, " ", None], text_type()),
        },
        index=pd.Index(range(100, 130), name="id"),
    )


@pytest.fixture
def explorer(frame, model):
    """Return an explorer of the texts with the model."""
    return ink.Explorer(frame, vectors=model.encode)


def rows(code, frame, explorer):
    """Return the rows that the line of code gives."""
    return eval(code, {"ink": ink, "frame": frame, "explorer": explorer})  # noqa: S307  # the line that is offered


def message_of(call):
    """Return the lines of the error of a call."""
    with pytest.raises(ink.InvalidArgument) as caught:
        call()
    return str(caught.value).split("\n")


def test_each_text_goes_to_a_function_once(frame, model):
    """Whatever asks, also by another method object of the same model; blank and missing texts are not passed."""
    doubled = pd.concat([frame, frame])
    found = topics(doubled, n=3, vectors=model.encode)
    assert found["topic"].isna().sum() == 4
    assert found["topic"][:27].to_numpy().reshape(9, 3).std(axis=0).tolist() == [0, 0, 0]
    clusters(frame, n=3, vectors=model.encode)
    project(frame, method="linear", vectors=model.encode)
    similar(frame, "hot brew", vectors=model.encode)
    similar(frame, "hot brew", n=1, vectors=model.encode)
    assert model.texts == [*frame["result"][:28], "hot brew"]
    other = Model()
    similar(frame, "hot brew", vectors=other.encode)
    assert len(other.texts) == 29


def test_a_model_that_cannot_be_hashed_is_asked_once(frame):
    """An object with a call and its own equality is known by itself."""

    class Equal(Model):
        __hash__ = None

        def __eq__(self, other):
            return True

        def __call__(self, texts):
            return self.encode(texts)

    one, other = Equal(), Equal()
    for each in (one, one, other):
        outliers(frame, vectors=each)
    assert (len(one.texts), len(other.texts)) == (28, 28)


def test_texts_are_asked_in_batches(model):
    """At most 256 at a time, with the share that is done before each; what the report raises ends the work."""
    frame = pd.DataFrame({"result": [f"kettle {at}" for at in range(600)]})
    similar(frame[:300], "tea", vectors=model.encode)
    shares = []
    project(frame, method="linear", vectors=model.encode, progress=shares.append)
    assert list(map(len, model.asked)) == [256, 44, 1, 256, 44]
    assert shares == [0, 0, 0, 1]

    def stop(_share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        project(frame + "!", method="linear", vectors=model.encode, progress=stop)
    assert len(model.asked) == 5


def test_two_threads_wait_for_each_other(frame, model):
    """Both get their answer, and each text is asked for once."""
    model.gate.clear()
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(similar(frame, "tea", vectors=model.encode)))
        for _ in range(2)
    ]
    for each in threads:
        each.start()
    assert model.begun.acquire(timeout=LIMIT)
    model.gate.set()
    for each in threads:
        each.join(LIMIT)
    assert sorted(model.texts) == sorted([*frame["result"][:28], "tea"])
    pd.testing.assert_frame_equal(*found)


@cases(
    "returned, said",
    {
        "flat": (np.zeros(2), "got an array of the shape (2,)."),
        "few rows": (np.zeros((1, 3)), "got an array of the shape (1, 3)."),
        "no columns": (np.zeros((2, 0)), "got an array of the shape (2, 0)."),
        "nothing": (None, "got an array of the shape ()."),
        "nan": ([[1, 2], [np.nan, 2]], "got NaN for 1 of them."),
        "words": ([["a"], ["b"]], "but raised ValueError: could not convert string to float: 'a'"),
    }.values(),
)
def test_wrong_vectors_are_refused(returned, said):
    """The shape, NaN or the error is said, with the text where one is wrong."""
    frame = pd.DataFrame({"result": ["one", "two"]})
    first, second = message_of(lambda: clusters(frame, vectors=lambda _texts: returned))
    assert first == f"vectors must return finite numbers for each of 2 texts, {said}"
    remedy = "Pass a function that takes a list of texts and returns an array with a row for each."
    assert second == ("The first is 'two'." if "NaN" in said else remedy)


def test_vectors_of_another_length_are_refused(frame):
    """A function that changes its mind is named with the length that it had."""
    lengths = iter([3, 4])
    first, _ = message_of(
        lambda: similar(frame, "tea", vectors=lambda texts: np.ones((len(texts), next(lengths))))
    )
    assert (
        first == "vectors must return 3 finite numbers for each of 1 texts, got an array of the shape (1, 4)."
    )


def test_a_batch_that_failed_is_asked_again(frame, model):
    """The error names what was raised, in one line; an error of this package comes as it is."""
    model.failure = KeyError("no\nmodel")
    first, _ = message_of(lambda: outliers(frame, vectors=model.encode))
    assert (
        first == r"vectors must return finite numbers for each of 28 texts, but raised KeyError: 'no\nmodel'"
    )
    model.failure = ink.ConnectionFailed("It is off.")
    with pytest.raises(ink.ConnectionFailed, match=r"^It is off\.$"):
        outliers(frame, vectors=model.encode)
    model.failure = None
    assert len(outliers(frame, 3, vectors=model.encode)) == 3
    assert list(map(len, model.asked)) == [28] * 3


def test_the_closest_texts_share_no_word_with_the_query(frame, model):
    """They come by the cosine of the vectors, with their score; texts that are blank or missing never."""
    found = similar(frame, "hot brew", n=9, vectors=model.encode)
    assert found.index.tolist() == list(range(100, 127, 3))
    assert found.columns[0] == "score"
    assert found["score"].between(0.99, 1).all()
    assert found.attrs["analysis"]["units"] == {"score": "cosine of the vectors, -1 to 1"}
    assert len(similar(frame, "hot brew", n=99, vectors=model.encode)) == 28
    nothing = message_of(lambda: similar(frame[:0], "hot brew", vectors=model.encode))
    assert nothing[0] == "No record has a vector."
    images = pd.DataFrame({"description": ["a bicycle", "a lamp"], "style": ["anime", None]})
    assert similar(images, "cycling", n=1, vectors=model.encode).index.tolist() == [0]
    assert "a bicycle anime" in model.texts
    assert "cosine of the vectors" in plot_similar(found).axes[0].get_xlabel()


def test_only_a_function_finds_a_text(frame):
    """An array has no vector for it, which the error says."""
    first, _ = message_of(lambda: similar(frame, "tea", vectors=np.eye(30)))
    assert first == "vectors must be a function from texts to vectors, got ndarray."


def test_duplicates_and_outliers_by_meaning(model):
    """Texts in other words are one group, with the middle one to represent it; the one apart is an outlier."""
    texts = [
        "A kettle for tea.",
        "It can brew, boils, hot!",
        "Tea from the kettle",
        "Pedal uphill",
        "bright lamp",
    ]
    frame = pd.DataFrame({"result": texts}, index=list("abcde"))
    found = near_duplicates(frame, vectors=model.encode)
    assert sorted(found.index) == list("abc")
    assert found["is_representative"].sum() == 1
    assert found["similarity"].dropna().between(0.99, 1).all()
    assert found.attrs["analysis"]["units"]["similarity"] == "cosine of the vectors, 0 to 1"
    assert len(near_duplicates(frame)) == 0
    own = near_duplicates(frame, vectors=np.array([[1, 0], [0, 1], [0, 2], [0, 0], [0, 0]]))
    assert own.index.tolist() == ["b", "c"]
    many = pd.DataFrame({"result": [f"kettle {at}" for at in range(12)] + ["lamp"]})
    odd = outliers(many, 1, vectors=model.encode)
    assert odd.index.tolist() == [12]
    assert odd.attrs["analysis"]["units"]["score"].startswith("mean cosine of the vectors")


def test_the_explorer_asks_nothing_by_itself(explorer, model, send):
    """Facets, searches, labels and a selection need no vectors; assigning near by code waits for them."""
    explorer.filters = {"kind": ["a"], "search": "kettle"}
    send(explorer.facets, "choose", name="kind", at=1, on=True)
    explorer.choose([0])
    explorer.label("keep")
    assert model.asked == []
    explorer.filters = {"near": "hot brew"}
    assert len(model.texts) == 29
    assert explorer.shown.index[:10].tolist() == list(range(100, 130, 3))[:10]
    assert len(explorer.shown) == 28


def test_the_nearest_of_those_that_pass_the_other_filters(explorer, frame, model):
    """As many as asked for, nearest first; a chosen order sorts what was kept, and the code gives the same."""
    explorer.filters = {"near": ("cycling uphill", 4), "kind": ["b"]}
    shown = explorer.shown
    assert shown.index.tolist() == [101, 107, 113, 119]
    line = "ink.analysis.similar(frame[frame['kind'].isin(['b'])], 'cycling uphill', n=4, vectors=explorer.vectors)"
    assert explorer.code == line
    pd.testing.assert_frame_equal(
        rows(explorer.code, frame, explorer).drop(columns="score"), shown, check_dtype=False
    )
    facet = next(each for each in explorer.facets.facets if each["name"] == "kind")
    assert [each["count"] for each in facet["values"]] == [2, 2]
    explorer.order.order.value = ("name", False)
    assert explorer.shown.index.tolist() == [119, 113, 107, 101]
    pd.testing.assert_frame_equal(
        rows(explorer.code, frame, explorer).drop(columns="score"), explorer.shown, check_dtype=False
    )
    explorer.filters = {"near": " "}
    assert (explorer.filters, len(explorer.shown)) == ({}, 30)
    assert len(model.texts) == 29


def test_nearest_by_code(explorer, frame, model):
    """A frame with the score, of all rows whatever is filtered."""
    explorer.filters = {"kind": ["a"]}
    found = explorer.nearest("glow in the dark", 2)
    assert found.index.tolist() == [102, 105]
    assert list(found.columns) == ["score", *frame.columns]
    notes = pd.DataFrame({"notes": [f"{'kettle ' * 20}{at}" for at in range(3)] + ["A bicycle." * 20]})
    other = ink.Explorer(notes, vectors=model.encode)
    assert other.nearest("ride", 1).index.tolist() == [3]
    other.filters = {"near": "ride"}
    assert other.code.endswith("'ride', n=50, vectors=explorer.vectors, column='notes')")


def test_code_that_waits_for_vectors_has_a_bar(model, monkeypatch, capsys):
    """It has the share of the texts that were asked for; the bar of the panel takes its place for a press there."""
    monkeypatch.setenv("INKFRAME_PROGRESS", "1")
    frame = pd.DataFrame({"result": [f"kettle {at}" for at in range(600)]})
    by_code, pressed = ink.Explorer(frame, vectors=model.encode), ink.Explorer(frame, vectors=Model().encode)
    pressed.find_meaning("tea").result(30)
    assert "Vectors" not in capsys.readouterr().err
    by_code.filters = {"near": "tea"}
    assert "| 0/600 [" in capsys.readouterr().err


def test_the_code_has_the_name_of_the_function(frame, model, monkeypatch):
    """That of the variable, or of the variable that holds the object of the method."""
    names = {"model": model, "docs": frame}
    monkeypatch.setattr("inkframe.display.console.variables", lambda _kind: names)
    for given, name in ((model.encode, "model.encode"), (partial(model.encode), "explorer.vectors")):
        explorer = ink.Explorer(frame, vectors=given)
        explorer.filters = {"near": "tea"}
        assert explorer.code == f"ink.analysis.similar(docs, 'tea', n=50, vectors={name})"
    names["embed"] = given
    explorer.filters = {"near": "brew"}
    assert explorer.code.endswith("vectors=embed)")


def test_what_is_near_cannot_be_told(frame, model):
    """Without a function, with a wrong text or number, and where the function fails, filters stay as they were."""
    for vectors in (None, np.eye(30)):
        plain = ink.Explorer(frame, vectors=vectors)
        for call in (partial(plain.set_trait, "filters", {"near": "tea"}), partial(plain.nearest, "tea")):
            assert message_of(call)[0] == "near requires a function as vectors."
        assert not plain.facets.has_meaning
    explorer = ink.Explorer(frame.assign(near=1), vectors=model.encode)
    assert "near" not in explorer.facets.available
    explorer.filters = {"kind": ["a"]}
    model.failure = OSError("no memory")
    for wanted, said in (
        (5, "near must be a string, got 5."),
        (("tea", 0), "n"),
        ("tea", "vectors must return"),
    ):
        assert message_of(partial(explorer.set_trait, "filters", {"near": wanted}))[0].startswith(said)
    assert explorer.filters == {"kind": ["a"]}


def test_a_person_finds_by_meaning(explorer, model, send, settle):
    """In a thread, with what is shown until then; the last text counts, and words replace it again."""
    assert explorer.facets.has_meaning
    send(explorer.facets, "search", text="kettle")
    model.gate.clear()
    for text in ("cycl", "cycling"):
        send(explorer.facets, "search", text=text, by="near")
    assert model.begun.acquire(timeout=LIMIT)
    assert (explorer.busy, explorer.status.cancels, explorer.status.total) == (True, True, 30)
    send(explorer.facets, "choose", name="kind", at=1, on=True)
    assert explorer.filters == {"search": "kettle", "kind": ["b"]}
    model.gate.set()
    settle(explorer)
    assert explorer.filters == {"near": "cycling", "kind": ["b"]}
    assert (explorer.facets.search, explorer.facets.by) == ("cycling", "near")
    assert explorer.shown.index[0] == 101
    send(explorer.facets, "search", text="lamp", by="search")
    assert explorer.filters == {"search": "lamp", "kind": ["b"]}
    assert explorer.facets.by == "search"
    send(explorer.facets, "search", text="", by="near")
    assert explorer.filters == {"kind": ["b"]}


def test_a_cancelled_search_keeps_what_was_known(model, send, settle):
    """Cancel ends it before the next batch; the next search asks for the rest only."""
    frame = pd.DataFrame({"result": [f"kettle {at}" for at in range(300)]})
    explorer = ink.Explorer(frame, vectors=model.encode)
    model.gate.clear()
    send(explorer.facets, "search", text="tea", by="near")
    assert model.begun.acquire(timeout=LIMIT)
    send(explorer.status, "cancel")
    model.gate.set()
    settle(explorer)
    assert (explorer.status.text, explorer.status.alert, explorer.filters) == ("Cancelled.", "", {})
    send(explorer.facets, "search", text="tea", by="near")
    settle(explorer)
    assert list(map(len, model.asked)) == [256, 44, 1]
    assert len(explorer.shown) == 50


def test_a_search_that_fails_says_so(explorer, model, send, settle):
    """The panel shows the error, and the next search works."""
    model.failure = RuntimeError("out of memory")
    send(explorer.facets, "search", text="tea", by="near")
    settle(explorer)
    assert "raised RuntimeError: out of memory" in explorer.status.alert
    assert explorer.filters == {}
    model.failure = None
    send(explorer.facets, "search", text="tea", by="near")
    settle(explorer)
    assert (explorer.status.alert, explorer.filters) == ("", {"near": "tea"})


@pytest.mark.integration
def test_all_that_compares_takes_the_vectors(explorer, model):
    """The map, groups, near duplicates, outliers and records like one, with one call of the function."""
    explorer.choose([1])
    explorer.actions.find_more().result(60)
    assert explorer.shown.index[:9].tolist() == list(range(101, 128, 3))
    assert explorer.status.text == "The closest records first (cosine of the vectors)."
    explorer.actions.find("Near duplicates").result(60)
    assert explorer.status.text == "28 near duplicates in 3 groups, by vectors with a cosine from 0.75."
    for what in ("Topics", "Clusters", "Outliers"):
        explorer.actions.find(what).result(60)
        explorer.filters = {}
    assert explorer.submit().result(60)["x"].notna().sum() == 28
    assert list(map(len, model.asked)) == [28]
    explorer.choose([29])
    with pytest.raises(ink.InvalidArgument, match="This record has no vector to compare"):
        explorer.actions.find_more().result(60)


def test_a_text_that_was_edited_is_asked_for_when_it_is_needed(explorer, model):
    """Only it, and only then; rows that are gone are not asked for."""
    explorer.filters = {"near": ("hot brew", 3)}
    explorer.changed("result", [0], "A lamp.")
    explorer.removed(["103"])
    assert explorer.shown.index.tolist() == [106, 109, 112]
    assert model.texts[29:] == ["A lamp."]


@pytest.mark.integration
def test_one_of_each_group_is_kept(send):
    """All groups are listed; the button selects all but the one that represents its group, of those that are shown."""
    texts = [f"{'word ' * 9}{at // 2} {at // 2}" for at in range(140)]
    frame = pd.DataFrame({"kind": ["a"] * 138 + ["b"] * 2, "result": texts})
    explorer = ink.Explorer(frame)
    button = explorer.actions.keep_one
    assert "ink-gone" in button._dom_classes
    explorer.actions.find("Near duplicates").result(60)
    assert "ink-gone" not in button._dom_classes
    groups = next(each for each in explorer.facets.facets if each["name"] == "duplicates")
    assert len(groups["values"]) == explorer.frame["duplicates"].nunique() == 70
    button.click()
    assert len(explorer.selection) == 70
    assert explorer.selection["duplicates"].is_unique
    assert explorer.selection["similarity"].notna().all()
    assert explorer.status.text == "70 records selected; one of each group is not."
    explorer.filters = {"kind": ["b"]}
    button.click()
    assert len(explorer.selection) == 1
    explorer.filters = {}
    representatives = explorer.frame.index[explorer.frame["similarity"].isna()]
    explorer.removed([str(representatives[0])])
    button.click()
    assert len(explorer.selection) == 69
