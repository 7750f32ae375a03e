"""Test that connections are shut down together."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from inkframe.http.connections import CancelScope


class Line:
    """A connection that counts how often it is shut down."""

    def __init__(self):
        self.shut = 0

    def shut_down(self):
        """Count."""
        self.shut += 1


def test_connections_in_use_are_shut_down():
    """Connections in use and later ones are shut down; one that was released is not."""
    scope, used, free, late = CancelScope(), Line(), Line(), Line()
    scope.enter(used)
    scope.enter(free)
    scope.leave(free)
    scope.cancel()
    scope.enter(late)
    assert (used.shut, free.shut, late.shut, scope.cancelled) == (1, 0, 1, True)


def test_a_job_knows_its_scope():
    """The innermost call counts, an error resets the scope, and threads have separate scopes."""
    outer, inner = CancelScope(), CancelScope()
    found = outer.call(
        lambda _: [inner.call(lambda _: CancelScope.current(), 0), CancelScope.current(), elsewhere()], 0
    )
    assert found == [inner, outer, None]
    with pytest.raises(ZeroDivisionError):
        outer.call(lambda _: 1 // 0, 0)
    assert CancelScope.current() is None


def elsewhere():
    """Return the current scope of another thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(CancelScope.current).result()
