"""Ids that cannot be those of a new record."""

import sys

import pytest

from inkframe.listing.operations import KnownIds
from inkframe.schema import DOCUMENTS

UUID = "9f1c2a4e-5b6d-4c7e-8f90-a1b2c3d4e5f6"


@pytest.fixture
def known():
    """Return the ids of a client of a service."""
    return KnownIds(DOCUMENTS)


def test_an_id_that_was_seen_before_a_create_is_not_new(known):
    """What counts is the order of replies: an id that was first seen after the create was sent may be the new record."""
    known.see([7])
    mark = known.mark()
    known.see([7, "a"])
    assert not known.claim(7, mark)
    assert not known.claim("7", mark)
    assert known.claim("a", mark)
    assert known.claim(8, mark)


def test_nothing_was_seen_before_a_create_of_another_process(known):
    """Its mark is 0: a record that this process has seen since may be its record, unless this process created it."""
    known.see([7, 8])
    assert not known.is_known(7, 0)
    assert known.claim(7, 0)
    assert known.is_known(7, 0)
    assert known.mark() > 0


def test_the_ids_of_a_page_are_copied(known):
    """A page can be freed or changed after its ids were seen."""
    ids = [10**6, 10**6 + 1]
    before = sys.getrefcount(ids[0])
    known.see(ids)
    after = sys.getrefcount(ids[0])
    assert after == before
    ids.clear()
    assert known.is_known(10**6, known.mark())


@pytest.mark.parametrize(("first", "again"), [(7, "7"), (UUID, UUID.upper()), ("/documents/a%20b", "a b")])
def test_a_record_is_created_once(known, first, again):
    """An id is claimed once, in whichever spelling."""
    assert known.claim(first, 0)
    assert not known.claim(again, 0)
    known.forget(again)
    assert known.claim(first, 0)


def test_how_many_seen_ids_are_kept(known, monkeypatch):
    """All of at most four; of more, the last two, and all that were created."""
    monkeypatch.setattr("inkframe.listing.operations.MAX_KNOWN_IDS", 4)

    def kept(ids):
        known = KnownIds(DOCUMENTS)
        known.see(ids)
        mark = known.mark()
        return [id for id in ids if known.is_known(id, mark)]

    assert [kept(range(count)) for count in (4, 5, 8, 9)] == [[0, 1, 2, 3], [3, 4], [6, 7], [7, 8]]
    assert [kept(["a", "b", "c", "d", "e"][:count]) for count in (4, 5)] == [["a", "b", "c", "d"], ["d", "e"]]
    assert kept([2**63, -(2**63) - 1]) == [2**63, -(2**63) - 1]
    known.claim("mine", 0)
    marks = []
    for at in range(3):
        known.see([10 + at, 20 + at])
        marks.append(known.mark())
    assert known.is_known(22, marks[2])
    assert not known.is_known(22, marks[1])
    assert not known.is_known(10, marks[2])
    assert known.is_known("mine", 0)


def test_each_question_counts_the_latest_ids():
    """An id that was seen is known, claimed or forgotten at once, whatever was asked before."""
    for ask, answer in (
        (lambda known: known.is_known(7, 99), True),
        (lambda known: known.claim(7, 99), False),
        (lambda known: (known.forget(7), known.is_known(7, 99)), (None, False)),
    ):
        known = KnownIds(DOCUMENTS)
        known.see([7])
        assert ask(known) == answer


def test_the_first_reply_counts_and_a_deleted_id_is_forgotten(known):
    """An id in another spelling is the same one; forgetting it also forgets when it was seen."""
    first = known.mark()
    known.see([7])
    second = known.mark()
    known.see(["7", "a"])
    assert (known.is_known("7", first), known.is_known("7", second), known.is_known("a", second)) == (
        False, True, False
    )  # fmt: skip
    known.see([8])
    for id in (7, 8, 9):
        known.forget(id)
        assert not known.is_known(id, 99)
