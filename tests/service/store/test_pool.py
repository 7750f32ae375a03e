"""Connections to a library, across threads and forked processes."""

import sqlite3
import threading

import pytest

from inkframe.service.store import Closed, Pool, open_library
from inkframe.service.store.pool import connect

ADD = "INSERT INTO counters VALUES (?, 0)"


def add(pool, name):
    with pool.writing() as connection:
        connection.execute(ADD, (name,))


def names(pool):
    with pool.connection() as connection:
        return {name for (name,) in connection.execute("SELECT name FROM counters")}


@pytest.fixture
def pool(tmp_path):
    pool = open_library(tmp_path / "library")
    yield pool
    pool.close()


def test_a_child_that_is_alive_keeps_its_commits_when_the_parent_closes(pool, in_child, tmp_path):
    """The parent closes its pool first, which removes the log unless the child holds its own lock."""
    add(pool, "before")
    closed, path = threading.Event(), tmp_path / "closed"

    def child():
        add(pool, "one")
        (tmp_path / "ready").touch()
        while not path.exists():
            closed.wait(0.005)
        add(pool, "two")

    def close():
        while not (tmp_path / "ready").exists():
            closed.wait(0.005)
        pool.close()
        path.touch()

    closing = threading.Thread(target=close)
    closing.start()
    assert in_child(child) is None
    closing.join()
    again = open_library(tmp_path / "library")
    assert names(again) == {"take", "before", "one", "two"}
    again.close()


def test_a_fork_during_a_write_refuses_the_child(pool, in_child, monkeypatch):
    """A connection that another thread does not return in time is never used by the child."""
    monkeypatch.setattr("inkframe.service.store.pool.PATIENCE", 0.01)
    started, forked = threading.Event(), threading.Event()

    def write():
        with pool.writing() as connection:
            connection.execute(ADD, ("slow",))
            started.set()
            forked.wait()

    writing = threading.Thread(target=write)
    writing.start()
    started.wait()
    refused = in_child(lambda: names(pool))
    forked.set()
    writing.join()
    assert isinstance(refused, Closed)
    assert str(refused) == (
        "The library was in use by another thread when this process was forked. Connect again."
    )
    assert names(pool) == {"take", "slow"}


def test_what_a_child_makes_of_its_pool(tmp_path):
    """It opens connections of its own if all were closed before the fork; else it says why it cannot."""
    for place, closed, said in (
        (tmp_path / "free", False, None),
        (":memory:", False, "A library in memory is not shared with a forked process. Connect to a library in a file."),
        (tmp_path / "closed", True, "The service was closed. Connect again."),
    ):  # fmt: skip
        pool = open_library(place)
        add(pool, "before")
        if closed:
            pool.close()
        pool.before_fork()
        pool.after_fork(in_child=True)
        if said is None:
            add(pool, "child")
            assert names(pool) == {"take", "before", "child"}
        else:
            with pytest.raises(Closed) as refused:
                names(pool)
            assert str(refused.value) == said
        pool.close()


def test_a_fork_waits_for_a_write(pool, in_child):
    """A write that ends soon is finished before the fork, and the child can go on."""
    started = threading.Event()

    def write():
        with pool.writing() as connection:
            started.set()
            for number in range(2000):
                connection.execute(ADD, (str(number),))

    writing = threading.Thread(target=write)
    writing.start()
    started.wait()
    assert len(in_child(lambda: names(pool))) == 2001
    writing.join()


def test_a_closed_pool_does_not_delay_a_fork(pool, in_child):
    """A pool that was closed while a connection was in use forks at once and stays closed."""
    with pool.connection():
        pool.close()
    assert str(in_child(lambda: names(pool))) == "The service was closed. Connect again."


def test_a_library_that_stays_in_use_is_locked(tmp_path, monkeypatch):
    """A write that waits too long for another thread, and a read that finds no connection, fail as locked."""
    monkeypatch.setattr("inkframe.service.store.pool.PATIENCE", 0.01)
    pool = Pool(lambda: connect(str(tmp_path / "library")), 1)
    with pool.connection():
        for ask in (pool.connection, pool.writing):
            with pytest.raises(sqlite3.OperationalError, match=r"^database is locked$"), ask():
                pass
    with pool.connection() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    with (
        pool.writing(),
        pytest.raises(sqlite3.OperationalError, match=r"^database is locked$"),
        pool.writing(),
    ):
        pass
    pool.close()
    with pytest.raises(Closed, match=r"^The service was closed\. Connect again\.$"), pool.connection():
        pass


def test_those_that_wait_for_a_connection_see_that_the_library_was_closed(tmp_path):
    """They do not wait for the connection that is in use; it is closed when it is returned."""
    pool = Pool(lambda: connect(str(tmp_path / "library")), 1)
    refused = []

    def ask():
        with pytest.raises(Closed) as caught, pool.connection():
            pass
        refused.append(str(caught.value))

    waiting = [threading.Thread(target=ask) for _ in range(3)]
    with pool.connection() as connection:
        for thread in waiting:
            thread.start()
        pool.close()
        for thread in waiting:
            thread.join(60)
        assert refused == ["The service was closed. Connect again."] * 3
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_many_pools_of_one_file_share_its_connections(tmp_path):
    """Pools that are used in turn have one connection together; it is closed with any of them, and opened again."""
    path = tmp_path / "library"
    pools = [open_library(path) for _ in range(20)]
    used = set()
    for pool in pools:
        with pool.connection() as connection:
            used.add(connection)
    assert len(used) == 1
    pools[0].close()
    for pool in pools[1:]:
        add(pool, str(id(pool)))
        with pytest.raises(Closed), pools[0].connection():
            pass
    assert len(names(pools[-1])) == 20
    for pool in pools:
        pool.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        used.pop().execute("SELECT 1")


def test_a_file_that_is_created_again_has_connections_of_its_own(tmp_path):
    """A pool of the new file does not use those of the deleted one."""
    path = tmp_path / "library"
    first = open_library(path)
    add(first, "first")
    for part in tmp_path.iterdir():
        part.unlink()
    second = open_library(path)
    add(second, "second")
    assert (names(first), names(second)) == ({"take", "first"}, {"take", "second"})
    first.close()
    second.close()


def test_pools_that_share_connections_are_forked_together(tmp_path, in_child):
    """Both pools and a new one work in the child and in the parent, whose connections differ."""
    path = tmp_path / "library"
    pools = [open_library(path) for _ in range(2)]
    for pool in pools:
        add(pool, f"parent {pools.index(pool)}")

    def child():
        for number, pool in enumerate([*pools, open_library(path)]):
            add(pool, f"child {number}")

    assert in_child(child) is None
    add(pools[0], "last")
    assert names(pools[1]) == {
        "take",
        "last",
        *(f"parent {number}" for number in range(2)),
        *(f"child {number}" for number in range(3)),
    }
    for pool in pools:
        pool.close()


def test_a_child_uses_no_connection_of_its_parent(tmp_path, in_child, monkeypatch):
    """Where one was returned too late, pools of the parent are refused, and a new one has its own connection."""
    monkeypatch.setattr("inkframe.service.store.pool.PATIENCE", 0.01)
    path = tmp_path / "library"
    busy, idle = open_library(path), open_library(path)
    lent = busy.connection()
    connection = lent.__enter__()

    def child():
        lent.__exit__(None, None, None)  # as a thread that ended just before the fork
        again = open_library(path)
        with again.connection() as found:
            return found is connection, names(again)

    assert in_child(child) == (False, {"take"})
    lent.__exit__(None, None, None)
    assert names(idle) == {"take"}
    busy.close()
    idle.close()
