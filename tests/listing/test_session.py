"""What the collections of one client share."""

from pathlib import Path

import pytest
from tests.services import FaultyService

import inkframe as ink
from inkframe.creating.journal import journal_of
from inkframe.listing.session import open_sessions

pytestmark = pytest.mark.integration


@pytest.fixture
def remote():
    """Return the session of a client of a remote service."""
    service = FaultyService()
    with service.client(create_limit=2, concurrency=5) as client:
        yield client._session


@pytest.fixture
def local():
    """Return the session of a client of a service in memory."""
    with ink.connect(library=":memory:") as client:
        yield client._session


def test_an_open_session_is_known_by_its_id(remote):
    """A closed one is not, and closing it again does nothing."""
    assert open_sessions()[remote.id] is remote
    for _ in range(2):
        remote.close()
        assert remote.id not in open_sessions()


def test_where_frames_are_from(remote, local):
    """Frames name the service, and the identity of a local library, which differs from those of others."""
    assert remote.source == {"service": remote.service}
    assert list(local.source) == ["service", "library"]
    assert local.source["service"] == local.host == "local demo service"
    with ink.connect(library=":memory:") as other:
        assert other._session.source["library"] != local.source["library"]


def test_requests_at_once(remote, local):
    """Threads only slow down a service in this process."""
    assert (remote.width, remote.is_local) == (5, False)
    assert (local.width, local.is_local) == (1, True)


def test_what_outlives_the_client(remote, local, home):
    """A service in memory has no journal file and no thumbnails; two of them are two places."""
    assert (journal_of(local).path, local.thumbnails) == (None, None)
    assert local.places == (f"client {local.id}",)
    path = journal_of(remote).path
    assert path.is_relative_to(home)
    assert remote.thumbnails is not None
    assert journal_of(remote) is journal_of(remote)


def test_a_journal_at_a_path(remote, tmp_path, monkeypatch):
    """Each file is one journal, however its path is written."""
    monkeypatch.setenv("HOME", str(tmp_path))
    mine = journal_of(remote, "~/mine.jsonl")
    assert mine.path == tmp_path / "mine.jsonl"
    assert journal_of(remote, tmp_path / "mine.jsonl") is mine
    assert journal_of(remote, Path("other.jsonl")) is not mine


def test_a_line_is_printed_once_for_each_subject(remote, capsys):
    """The same subject is told once, whatever the text."""
    for about, text in (("a", "one"), ("a", "two"), ("b", "two")):
        remote.say_once(about, text)
    assert capsys.readouterr().out == "one\ntwo\n"


def test_labels_of_templates(remote):
    """A template that the vocabulary does not have is named by its number."""
    assert [remote.template_label(number) for number in (None, 1, 999)] == [None, "Freestyle", "Template 999"]
