import io
import threading

from PIL import Image

from inkframe.display.picture import load_picture
from inkframe.errors import InvalidArgument
from inkframe.widgets.rows import RecentThumbnails, ThumbnailLoader


def test_what_was_passed_is_dropped(small_png):
    """Pictures that are no longer looked at when their turn comes are not made."""
    held, fetched, delivered, done = threading.Event(), [], {}, threading.Event()

    def fetch(record):
        fetched.append(record["id"])
        assert held.wait(30)
        return small_png

    def deliver(made, *, large):
        delivered.update(made)
        if "100" in delivered:
            done.set()

    thumbnails = ThumbnailLoader(fetch, deliver)
    thumbnails.show([{"id": id} for id in range(1, 101)])
    thumbnails.want([str(id) for id in range(1, 25)])
    thumbnails.want(["100"])
    held.set()
    assert done.wait(30)
    assert len(fetched) <= 12


def test_a_picture_is_made_once(small_png):
    """Looking at a picture again takes it from memory."""
    fetched, delivered, done = [], [], threading.Semaphore(0)

    def fetch(record):
        fetched.append(record["id"])
        return small_png

    def deliver(made, *, large):
        delivered.append(made)
        done.release()

    thumbnails = ThumbnailLoader(fetch, deliver)
    for _ in range(2):
        thumbnails.show([{"id": 1}])
        thumbnails.want(["1"])
        assert done.acquire(timeout=30)
    assert fetched == [1]
    assert len(delivered) == 2


def test_recent_pictures_are_kept():
    """The least recently used ones go first, and a picture that is put again counts once."""
    kept = RecentThumbnails(10)
    kept.put("a", b"12345")
    kept.put("b", b"12345")
    assert kept.get("a") == b"12345"
    kept.put("c", b"1")
    assert [kept.get(key) for key in "abc"] == [b"12345", None, b"1"]
    kept.put("a", b"123456789")
    assert [kept.get(key) for key in "ca"] == [b"1", b"123456789"]
    kept.put("d", b"12")
    assert [kept.get(key) for key in "cad"] == [None, None, b"12"]
    kept.put("e", b"x" * 11)
    assert [kept.get(key) for key in "de"] == [None, None]


def test_sixteen_megabytes_are_kept():
    """With a byte more, the picture goes that was used least recently."""
    kept = RecentThumbnails()
    for key, size in (("b", 1), ("a", 15_999_999), ("c", 1)):
        kept.put(key, bytes(size))
    assert [kept.get(key) is not None for key in "abc"] == [True, False, True]


def test_a_small_picture_has_320_pixels():
    """On its longer side, and its metadata is gone."""
    with io.BytesIO() as file:
        Image.new("L", (700, 350)).save(file, "PNG")
        picture = file.getvalue()
    [small] = ThumbnailLoader(lambda _record: picture, print).pictures([{"id": 1}])
    assert load_picture(small).size == (320, 160)


def test_pictures_come_one_by_one(small_png, monkeypatch, capsys):
    """In the order they were wanted, each as soon as it is there; other keys are left out, and no bar is shown."""
    monkeypatch.setenv("INKFRAME_PROGRESS", "1")
    delivered, done = [], threading.Event()

    def deliver(made, *, large):
        assert not large
        delivered.extend(made)
        if len(delivered) == 14:
            done.set()

    def fetch(record):
        if record["id"] == 3:
            raise InvalidArgument("It is gone.\nTry another one.")
        return small_png

    loader = ThumbnailLoader(fetch, deliver)
    loader.show([{"id": id} for id in range(1, 15)])
    wanted = [str(id) for id in range(14, 0, -1)]
    loader.want(["99", *wanted])
    assert done.wait(30)
    assert delivered == wanted
    small = list(loader.pictures([{"id": 1}, {"id": 3}]))
    assert (type(small[0]), small[1]) == (bytes, "It is gone.\nTry another one.")
    assert len(list(loader.pictures([{"id": id} for id in range(30)]))) == 30
    assert capsys.readouterr().err == ""
