"""Test that files are read by every version, whichever version wrote them: those here are of pandas 2.2 and of 3."""

import shutil

import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink

from .make import HERE, opened, plan

WRITERS = ["pandas_2", "pandas_3"]


@pytest.fixture
def pair():
    """Return the service that the files are of, and a client of it."""
    service, client = opened()
    with client:
        yield service, client


@pytest.mark.parametrize("writer", WRITERS)
def test_a_snapshot(pair, writer):
    """Its values and types are those of a new listing, and its edit can be pushed."""
    _, client = pair
    frame, listed = ink.load(HERE / writer / "documents.parquet"), client.documents.all()
    assert frame["note"].tolist()[0] == "mine"
    assert frame["note"].isna().sum() == len(frame) - 1
    assert frame.attrs["inkframe"]["completeness"] == "exact"  # as was said when it was written
    report = client.documents.push(frame.drop(columns="note"), dry_run=True)
    assert report[["column", "new"]].to_numpy().tolist() == [["name", "Edited before it was saved"]]
    listed.loc[listed.index[3], "name"] = "Edited before it was saved"
    pd.testing.assert_frame_equal(frame[listed.columns], listed)


def test_snapshots_of_two_versions_are_equal():
    """So are the types of all columns but those that the user added as objects."""
    one, other = (ink.load(HERE / writer / "documents.parquet") for writer in WRITERS)
    types = [frame.drop(columns="note").dtypes.map(type_name).to_dict() for frame in (one, other)]
    assert types[0] == types[1]
    assert ink.diff(one, other).empty


@pytest.mark.parametrize("writer", WRITERS)
def test_a_workbook(pair, writer):
    """Pandas reads it, and a push plans the edited cell alone."""
    _, client = pair
    frame = pd.read_excel(HERE / writer / "documents.xlsx")
    report = client.documents.push(frame, dry_run=True, baseline=client.documents.all())
    assert report[["column", "new"]].to_numpy().tolist() == [["name", "Edited before it was saved"]]


@pytest.mark.parametrize("writer", WRITERS)
def test_a_journal(pair, tmp_path, writer):
    """A batch that it has is not created again."""
    service, client = pair
    client.documents.create_many(plan(), journal=tmp_path / "another.jsonl")
    before = service.generations
    shutil.copy(HERE / writer / "journal.jsonl", tmp_path)
    made = client.documents.create_many(plan(), journal=tmp_path / "journal.jsonl")
    assert service.generations == before
    assert made["id"].tolist() == [13, 14, 15, 16]
    assert made["rank"].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("writer", WRITERS)
def test_ratings(tmp_path, writer):
    """They have the same values and types."""
    shutil.copy(HERE / writer / "ratings.jsonl", tmp_path)
    found = ink.load_ratings(tmp_path / "ratings.jsonl")
    assert found["value"].tolist() == [4.0, 2.0]
    assert found["reason"].fillna("").tolist() == ["clear", ""]
    assert type_name(found["rater"].dtype) == type_name(found["reason"].dtype) == "str"
