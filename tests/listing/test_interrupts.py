"""Interrupts that are held back."""

import signal
import threading

import pytest

from inkframe.listing.frames import uninterrupted


def test_an_interrupt_comes_at_the_end_of_the_block():
    """Ctrl-C inside the block is raised after it, and later ones at once."""
    done = []

    def work():
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("whole")
        done.append("after")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["whole"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_other_threads_have_nothing_to_hold_back():
    """In another thread, where signals cannot be handled, the block just runs."""
    ran = []

    def work():
        with uninterrupted():
            ran.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ran == [True]
