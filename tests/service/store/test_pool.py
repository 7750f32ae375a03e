"""The bounded pool of connections."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from inkframe.service.store import Closed, Pool


@pytest.fixture
def opened():
    return []


@pytest.fixture
def pool(opened, tmp_path):
    def connect():
        connection = sqlite3.connect(tmp_path / "db", isolation_level=None, check_same_thread=False)
        opened.append(connection)
        return connection

    made = Pool(connect, size=2)
    with made.writing() as connection:
        connection.execute("CREATE TABLE t (x)")
    yield made
    made.close()


def rows(pool):
    with pool.connection() as connection:
        return [x for (x,) in connection.execute("SELECT x FROM t")]


def test_one_caller_needs_one_connection(pool, opened):
    """A returned connection is lent again."""
    for _ in range(5):
        assert rows(pool) == []
    assert len(opened) == 1


def test_no_more_connections_than_the_bound(pool, opened):
    """A third caller waits until one of two connections is returned."""
    ready, go = threading.Semaphore(0), threading.Event()

    def hold():
        with pool.connection():
            ready.release()
            go.wait(5)

    threads = [threading.Thread(target=hold) for _ in range(3)]
    for thread in threads:
        thread.start()
    ready.acquire(timeout=5)
    ready.acquire(timeout=5)
    assert not ready.acquire(blocking=False)
    go.set()
    assert ready.acquire(timeout=5)
    for thread in threads:
        thread.join()
    assert len(opened) == 2


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_write_that_fails_leaves_nothing(pool, error):
    """Any exception rolls back the whole transaction, and the next one succeeds."""

    def interrupted():
        with pool.writing() as connection:
            connection.execute("INSERT INTO t VALUES (1)")
            raise error

    with pytest.raises(error):
        interrupted()
    assert rows(pool) == []
    with pool.writing() as connection:
        connection.execute("INSERT INTO t VALUES (2)")
    assert rows(pool) == [2]


def test_a_reading_sees_one_snapshot(pool):
    """A reading that has started does not see later writes."""
    with pool.connection() as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    with pool.reading() as before:
        assert before.execute("SELECT count(*) FROM t").fetchone() == (0,)
        with pool.writing() as connection:
            connection.execute("INSERT INTO t VALUES (1)")
        assert before.execute("SELECT count(*) FROM t").fetchone() == (0,)
    assert rows(pool) == [1]


def test_closing_closes_lent_connections_when_they_are_returned(pool, opened):
    """A closed pool lends no connections and keeps none open."""
    with pool.connection() as connection:
        pool.close()
        connection.execute("SELECT 1")
    with pytest.raises(sqlite3.ProgrammingError):
        opened[0].execute("SELECT 1")
    with pytest.raises(Closed):
        rows(pool)


def test_one_connection_is_shared_by_threads(opened):
    """A pool of one connection shares the library in memory between threads, one at a time."""

    def connect():
        opened.append(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))
        return opened[-1]

    pool = Pool(connect, size=1)
    with pool.writing() as connection:
        connection.execute("CREATE TABLE t (x)")

    def add():
        for number in range(50):
            with pool.writing() as connection:
                connection.execute("INSERT INTO t VALUES (?)", (number,))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rows(pool)) == 200
    assert len(opened) == 1
    pool.close()
