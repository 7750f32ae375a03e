"""Test what differs between versions: the type of texts, and kept frames that stay when others are edited."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from tests.cases import cases

import inkframe as ink
from inkframe.frames import BASELINES, origin
from inkframe.notebook import magics
from inkframe.schema import DOCUMENTS
from inkframe.versions import as_texts, is_boolean, text_type


def edit(frame):
    """Change every kind of column in place, as pandas 2 does where the type stays."""
    frame.loc[:, "favorite"] = True
    frame.loc[:, "creativity"] = 0.25
    frame.loc[:, "template"] = "FAQ"
    frame.loc[:, "result"] = "edited"
    frame.loc[:, "created_at"] = pd.Timestamp("2001-01-01", tz="UTC")
    frame.loc[:, "template_id"] = 16


@pytest.fixture
def client(misbehaving):
    """Return a client of a service with records of every template."""
    return misbehaving(records=120)[0]


@pytest.fixture
def documents(client):
    """Return the documents of a library."""
    return client.documents.all()


def test_texts_have_one_type():
    """They are stored in Arrow, a missing one is NaN, and objects and pandas' nullable strings are another type."""
    texts = pd.Series(["a", None], dtype=text_type())
    assert isinstance(texts.dtype, pd.StringDtype)
    assert hasattr(texts.array, "__arrow_array__")
    assert isinstance(texts.iloc[1], float)
    assert texts.str.len().dtype == np.float64
    assert pd.Series(["a"], dtype=object).dtype != text_type()
    assert pd.StringDtype("python") != text_type()


@cases(
    "values, kind",
    [
        (["a", None], "text"),
        (["a", 1], "object"),
        ([None, None], "object"),
        ([1, 2], "int64"),
        ([], "object"),
    ],
)
def test_python_texts_become_texts(values, kind):
    """Columns of texts alone do, also with missing ones; mixed and empty ones stay."""
    column = as_texts(
        pd.DataFrame({"a": pd.Series(values, dtype=None if kind == "int64" else object), "b": 1})
    )["a"]
    assert ("text" if column.dtype == text_type() else str(column.dtype)) == kind
    assert column.dropna().tolist() == [value for value in values if value is not None]


@cases(
    "value, found",
    [(True, True), (np.True_, True), (np.bool_(0), True), (1, False), ("True", False), (None, False)],
)
def test_booleans_of_python_and_numpy(value, found):
    """Both are booleans, whatever numpy calls its own; numbers and texts are not."""
    assert is_boolean(value) is found


@pytest.mark.integration
@pytest.mark.parametrize("how", ["list", "all", "pages", "load", "concat"])
def test_baselines_stay_when_their_frame_is_edited(client, tmp_path, how):
    """A push of a frame that was edited in place sends each change."""
    got = {
        "list": lambda: client.documents.list(template="Blog intro"),
        "all": client.documents.all,
        "pages": lambda: next(iter(client.documents.pages())),
        "load": lambda: ink.load(ink.save(client.documents.all(), tmp_path / "a")),
        "concat": lambda: ink.concat(client.documents.pages()),
    }
    frame = got[how]()
    before = frame.copy(deep=True)
    frame.loc[:, "favorite"] = True
    frame.loc[:, "result"] = "edited"
    pd.testing.assert_frame_equal(BASELINES.find(origin(frame)["baseline"]).loc[before.index], before)
    changed = int((~before["favorite"]).sum() + (before["result"] != "edited").sum())
    assert changed > len(frame)
    report = client.documents.push(frame, dry_run=True)
    assert len(report) == changed


@pytest.mark.integration
def test_an_explorer_and_its_frame_stay_apart(documents):
    """Edits of the frame do not show in the explorer, nor those of its frames in the given one or in later ones."""
    before = documents.copy(deep=True)
    explorer = ink.Explorer(documents)
    edit(documents)
    pd.testing.assert_frame_equal(explorer.source.frame, before)
    given = before.copy(deep=True)
    explorer = ink.Explorer(given)
    explorer.submit().result(60)
    for held in (explorer.frame, explorer.shown, explorer.selection):
        edit(held)
    pd.testing.assert_frame_equal(given, before)
    explorer = ink.Explorer(given)
    held = explorer.source.frame
    explorer.choose([0])
    explorer.label("keep")
    edit(held)
    pd.testing.assert_frame_equal(explorer.source.frame.drop(columns="label"), before)


@pytest.mark.integration
@pytest.mark.parametrize("mode", ["scale", "pairs", "labels"])
def test_a_rating_panel_and_its_frame_stay_apart(documents, mode):
    """Edits of the frame do not show in the panel's, nor the reverse, also after the next rating."""
    before = documents.copy(deep=True)
    panel = ink.RatingPanel(documents, mode=mode, labels=["keep", "drop"] if mode == "labels" else None)
    edit(panel.frame)
    pd.testing.assert_frame_equal(documents, before)
    edit(documents)
    panel.rate({"scale": 3, "pairs": "left", "labels": "keep"}[mode])
    pd.testing.assert_frame_equal(panel.frame[before.columns], before)


@pytest.mark.integration
def test_a_job_and_its_plan_stay_apart(client):
    """A plan that is edited while its rows are created changes none of them, also where it gets a column."""
    plan = ink.plan_documents(
        "About {thing}", name="{thing} {creativity}", variables={"thing": ["tea", "ink"]}
    )
    plan["rank"] = 1
    before = plan.copy(deep=True)
    job = client.documents.submit_many(plan)
    plan.loc[:, "rank"] = 2
    plan.loc[:, "thing"] = "edited"
    plan["new"] = 1
    made = job.result(60)
    assert made["rank"].eq(1).all()
    assert made["thing"].tolist() == before["thing"].tolist()
    assert "new" not in made.columns
    made.loc[:, "rank"] = 3
    assert job.frame["rank"].eq(1).all()


@pytest.mark.integration
def test_a_browser_and_its_page_stay_apart(client):
    """Edits of a page of a listing that is kept whole do not show when the page is turned."""
    browser = ink.DocumentBrowser(client)
    browser.submit().result(30)
    before = browser.frame.copy(deep=True)
    edit(browser.frame)
    browser.submit().result(30)
    pd.testing.assert_frame_equal(browser.frame, before)


@pytest.mark.integration
def test_a_shown_page_and_its_frame_stay_apart(documents):
    """The result of ``%documents`` shows what was listed, whatever is done to the result."""
    shown = magics._paged(documents, DOCUMENTS)
    before = shown._repr_mimebundle_()
    edit(shown)
    assert shown._repr_mimebundle_() == before


@pytest.fixture
def without_pyarrow(tmp_path):
    """Return a function that runs Python beside a PyArrow that needs a newer NumPy."""
    reason = "pyarrow requires NumPy 2.0 or newer, found 1.26.4"
    (tmp_path / "pyarrow.py").write_text(f"raise ImportError({reason!r})\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])

    def run(*arguments):
        return subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": path},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.mark.integration
@cases(
    "command",
    [
        ["-c", "import inkframe as ink; ink.connect()"],
        *(["-m", "inkframe", each] for each in ("serve", "lab", "tour", "doctor")),
    ],
)
def test_a_pyarrow_that_cannot_be_imported(without_pyarrow, command):
    """PyArrow beside a NumPy that is too old for it is one sentence that names the line to install."""
    ran = without_pyarrow(*command)
    assert ran.returncode == 1
    printed = ran.stdout if "doctor" in command else ran.stderr
    assert "PyArrow cannot be imported: pyarrow requires NumPy 2.0 or newer, found 1.26.4." in printed
    assert 'pip install "pyarrow<26"' in printed
    assert "Traceback" not in printed or "ConfigurationError" in printed
    assert ("extra analysis" in printed) == ("doctor" in command)
