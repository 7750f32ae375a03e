from __future__ import annotations

import threading

from inkframe.widgets.thumbnail_loader import TOGETHER, RecentThumbnails, ThumbnailLoader


def test_recent_pictures_stay_within_their_bytes():
    """The least recently used goes first, and a picture put twice counts once."""
    recent = RecentThumbnails(most=30)
    for key in ("a", "b", "c"):
        recent.put(key, bytes(10))
    recent.get("a")
    recent.put("a", bytes(10))
    recent.put("d", bytes(10))
    assert [key for key in "abcd" if recent.get(key)] == ["a", "c", "d"]


def test_what_was_passed_is_dropped(small_png):
    """Pictures that are no longer looked at when their turn comes are not made."""
    held, fetched, delivered, done = threading.Event(), [], {}, threading.Event()

    def fetch(record):
        fetched.append(record["id"])
        assert held.wait(30)
        return small_png

    def deliver(made):
        delivered.update(made)
        if "100" in delivered:
            done.set()

    thumbnails = ThumbnailLoader(fetch, deliver)
    thumbnails.show([{"id": id} for id in range(1, 101)])
    thumbnails.want([str(id) for id in range(1, 25)])
    thumbnails.want(["100"])
    held.set()
    assert done.wait(30)
    assert len(fetched) <= 2 * TOGETHER


def test_a_picture_is_made_once(small_png):
    """Looking at a picture again takes it from memory."""
    fetched, delivered, done = [], [], threading.Semaphore(0)

    def fetch(record):
        fetched.append(record["id"])
        return small_png

    def deliver(made):
        delivered.append(made)
        done.release()

    thumbnails = ThumbnailLoader(fetch, deliver)
    for _ in range(2):
        thumbnails.show([{"id": 1}])
        thumbnails.want(["1"])
        assert done.acquire(timeout=30)
    assert fetched == [1]
    assert len(delivered) == 2
