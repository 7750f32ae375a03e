"""Filters that a service ignores: what contradicts them is left out, and said."""

from __future__ import annotations

import httpx
import pytest

import inkframe

IMAGES = [
    {"id": 1, "name": "a", "style": "anime", "medium": None, "favorite": True},
    {"id": 2, "name": "b", "style": "retro", "medium": None, "favorite": False},
    {"id": 3, "name": "c", "style": None, "medium": None},
    {"id": 4, "name": "d", "style": "Anime", "medium": None, "favorite": False},
    {"id": 5, "name": "e", "style": "house style", "medium": None, "favorite": True},
]
DOCUMENTS = [{"id": 1, "name": "a", "template_id": 1}, {"id": 2, "name": "b", "template_id": 4},
             {"id": 3, "name": "c", "template_id": 9}, {"id": 4, "name": "d", "template_id": 77}]  # fmt: skip


@pytest.fixture
def client():
    """Give a client of a service that gives all it has, whatever is asked."""

    def answer(request):
        rows = IMAGES if request.url.path.endswith("images") else DOCUMENTS
        rows = rows if request.url.params.get("sort") == "asc" else rows[::-1]
        return httpx.Response(200, json={"data": rows, "total": len(rows), "last_page": 1})

    with inkframe.Client("https://service.test", "key", transport=httpx.MockTransport(answer)) as client:
        yield client


def facts(frame):
    said = frame.attrs["inkframe"]
    return sorted(frame.index), said["completeness"], said["reasons"]


def test_another_value_is_left_out_and_the_reason_given(client):
    """A label, another case and a word of the service's own contradict nothing; another style and none do."""
    by_style = ["the service does not filter by style"]
    assert facts(client.images.all(style="anime")) == ([1, 4, 5], "verified", by_style)
    assert facts(client.images.list(style="anime")) == (
        [1, 2, 3, 4, 5],
        "page",
        by_style,
    )  # as it is answered
    assert [facts(frame) for frame in client.images.pages(style="anime")] == [([1, 4, 5], "page", by_style)]
    assert facts(client.images.all(style=["anime", "sketch"]))[0] == [1, 4, 5]


def test_favourites_that_are_not_shown_are_none(client):
    """Services leave out what is false."""
    assert facts(client.images.all(favorite=True))[0] == [1, 5]
    assert facts(client.images.all(favorite=False))[0] == [2, 3, 4]


def test_a_column_that_shows_nothing_contradicts_nothing(client):
    """Where no record has a value it may be that lists do not show it."""
    assert facts(client.images.all(medium="ink")) == ([1, 2, 3, 4, 5], "exact", [])


def test_documents_of_other_templates_are_left_out(client):
    """Whether one template is asked for or several; one that the vocabulary does not know is kept."""
    assert facts(client.documents.all(template=4)) == (
        [2, 4],
        "verified",
        ["the service does not filter by template"],
    )
    assert facts(client.documents.all(template=[1, 4]))[0] == [1, 2, 4]
    assert facts(client.documents.all())[0] == [1, 2, 3, 4]


def test_it_is_said_once(client, capsys):
    """A line says what is left out, the first time."""
    client.images.list(style="anime")
    client.images.list(style="retro")
    client.images.all(style="anime", favorite=True)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "service.test does not filter by style",
        "service.test does not filter by favorite",
    ]


def test_nothing_is_deleted_that_was_not_asked_for(client):
    """What a filtered listing hands on to a batch is what the filter says."""
    assert 2 not in client.images.all(style="anime").index
    pytest.importorskip("dask")
    assert client.images.to_dask(style="anime").compute(scheduler="sync").index.tolist() == [1, 4, 5]
