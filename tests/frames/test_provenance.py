import json
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest
from tests.cases import type_name

import inkframe as ink
from inkframe.frames import ATTRIBUTE, differing, provenance
from inkframe.resources.views import collection_of

RECORD = {
    "id": 5,
    "name": "Harbor",
    "resolution": "256x256",
    "style": "anime",
    "favorite": True,
    "created_at": "2026-05-17T08:30:15Z",
    "user": {"id": 7},
    "tags": ["a"],
}


@pytest.fixture
def images(answering):
    """Return a collection of two images."""
    return answering(RECORD, RECORD | {"id": 6, "name": "Bay", "style": None, "favorite": False})


@pytest.fixture
def frame(images):
    """Return a frame that was fetched with a query."""
    return images.list(favorite=True, sort="asc", per_page=25)


def test_a_frame_has_provenance(frame):
    """It has the service, collection, query, time, total, completeness, absent columns and two ids only."""
    facts = frame.attrs["inkframe"]
    assert list(frame.attrs) == ["inkframe"]
    moment = datetime.fromisoformat(facts.pop("fetched_at"))
    assert timedelta(0) <= datetime.now(UTC) - moment < timedelta(minutes=1)
    assert len(facts.pop("client")) == len(facts.pop("baseline")) == 32
    assert facts == {
        "service": "https://frames.test",
        "collection": "images",
        "query": {"favorite": True, "sort": "asc", "per_page": 25},
        "total": 2,
        "completeness": "page",
        "reasons": ["the service does not filter by favorite"],
        "absent": ["description", "medium", "filter", "picture_url", "updated_at"],
    }


@pytest.mark.integration
def test_the_local_service_has_its_name(inkframe_client):
    """A frame of the embedded service has its name instead of an address."""
    frame = inkframe_client.images.list()
    assert frame.attrs["inkframe"]["service"] == "local demo service"
    assert frame.attrs["inkframe"]["absent"] == []


def test_provenance_is_plain_json_without_secrets(frame):
    """Provenance can be written as JSON and read again, and contains no part of the key."""
    facts = frame.attrs["inkframe"]
    assert json.loads(json.dumps(facts)) == facts
    assert "a-key-of" not in json.dumps(facts)


def test_ids_are_of_the_client_and_of_the_fetch(images):
    """Two frames of one client share its id, and each has its own baseline."""
    first, second = (images.list().attrs["inkframe"] for _ in range(2))
    assert first["client"] == second["client"]
    assert first["baseline"] != second["baseline"]


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(lambda frame: frame.head(1), id="head"),
        pytest.param(lambda frame: frame.query("favorite"), id="query"),
        pytest.param(lambda frame: frame[["name", "style"]], id="columns"),
        pytest.param(lambda frame: frame.sort_values("name"), id="sort_values"),
        pytest.param(lambda frame: frame[frame["style"] == "anime"], id="rows"),
        pytest.param(lambda frame: frame.assign(words=1), id="assign"),
        pytest.param(lambda frame: frame.copy(), id="copy"),
        pytest.param(lambda frame: pd.concat([frame, frame]), id="concat of equal"),
    ],
)
def test_provenance_survives_a_step(frame, step):
    """A frame derived in one step keeps the provenance, as its own copy."""
    made = step(frame)
    assert made.attrs == frame.attrs
    made.attrs["inkframe"]["query"]["style"] = "changed"
    assert "style" not in frame.attrs["inkframe"]["query"]


@pytest.mark.integration
def test_a_frame_goes_to_parquet_and_back(frame, tmp_path):
    """Every column, the index and the provenance survive a round trip."""
    path = tmp_path / "images.parquet"
    frame.to_parquet(path)
    again = pd.read_parquet(path)
    pd.testing.assert_frame_equal(again.astype(frame.dtypes), frame)
    assert again.attrs == frame.attrs
    assert again["style"].cat.categories.tolist() == frame["style"].cat.categories.tolist()


@pytest.mark.integration
@pytest.mark.parametrize("collection", ["images", "documents"])
def test_an_empty_frame_goes_to_parquet_and_back(answering, tmp_path, collection):
    """Columns of an empty frame survive too, except for categories, which Parquet omits."""
    frame = answering(collection=collection).list()
    frame.to_parquet(tmp_path / "empty.parquet")
    again = pd.read_parquet(tmp_path / "empty.parquet")
    assert again.columns.equals(frame.columns)
    types = again.dtypes.map(type_name).replace(["object", "string"], "str")  # as pandas 2 reads texts
    assert types.equals(frame.dtypes.map(type_name))
    assert again.attrs == frame.attrs


def test_the_query_is_copied(answering):
    """Later changes of the query do not change the provenance."""
    query = {"style": "anime"}
    facts = provenance(
        source={"service": "local demo service"},
        client="c",
        collection="images",
        query=query,
        total=None,
        completeness="page",
    )
    query["style"] = "retro"
    assert facts["query"] == {"style": "anime"}
    assert list(facts)[:3] == ["service", "collection", "query"]
    assert ATTRIBUTE == "inkframe"


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ({"collection": "documents", "service": "t"}, ("collection", ["images", "documents"])),
        ({"service": "t", "library": "l"}, ("service", ["s", "t"])),
        ({"library": "l"}, ("library", ["k", "l"])),
        ({"library": None}, None),
        ({"total": 5}, None),
        ({}, None),
    ],
)
def test_frames_are_of_one_source_unless_they_name_two(other, found):
    """A frame without a collection, service or library fits every other."""
    came = {"collection": "images", "service": "s", "library": "k"}
    assert differing({}, came, came | other, other) == found


def test_a_frame_finds_its_client(images, frame, monkeypatch):
    """``frame.ink`` uses the client that fetched the frame while it is open."""
    seen = []

    def note(collection, selected, **options):
        seen.append((collection, len(selected), options))

    monkeypatch.setattr(type(images), "gallery", note)
    frame.head(1).ink.gallery(columns=3)
    assert seen == [(images, 1, {"columns": 3})]
    with pytest.raises(
        ink.InvalidArgument, match="A frame of documents is needed; this is a frame of images"
    ):
        frame.ink.read()


def test_a_frame_never_guesses_between_clients(answering, images, frame):
    """Without its own client a frame uses the only one of its service, else the error has a line to write."""
    other = answering(RECORD)
    images._session.close()
    assert collection_of(frame, "images", "gallery") is other
    answering(RECORD)
    with pytest.raises(ink.InvalidArgument, match=r"2 clients.*\nWrite client\.images\.gallery\(frame\)"):
        frame.ink.gallery()
    plain = pd.DataFrame(frame)
    plain.attrs = {"inkframe": frame.attrs["inkframe"] | {"service": "https://other.test"}}
    with pytest.raises(ink.InvalidArgument, match="no client of its service is open"):
        plain.ink.gallery()
