"""Test galleries of pictures."""

import io
import re

import numpy as np
import pytest
from PIL import Image

from inkframe.display.gallery import gallery
from inkframe.display.view import weigh
from inkframe.errors import NotFound
from inkframe.system.files import FileCache


@pytest.fixture
def images(image):
    """Twelve images of three styles."""
    styles = ["retro", "anime", None]
    return [
        {**image, "id": n, "name": f"Picture {n}", "style": styles[n % 3], "favorite": n == 4}
        for n in range(12)
    ]


@pytest.mark.integration
def test_a_gallery_shows_every_picture(images, picture):
    """Each picture has its name, look and alternative text, and opens on a click without a script."""
    view = gallery(images, lambda record: picture(record["id"]), service="local demo service")
    assert (view.shown, view.left_out, view.failures) == (12, 0, {})
    assert view.html.count("<details") == view.html.count("<summary") == view.html.count("<img") == 12
    assert view.html.count("★") == 1
    assert ">12 pictures · local demo service<" in view.html
    assert "Retro · Ink · 512<" in view.html
    assert " id=" not in view.html
    assert view.text.splitlines()[5] == "4  Picture 4 ★  Anime · Ink · 512"


def test_many_pictures_have_a_bar(images, picture, capsys):
    """More than twenty pictures have a progress bar, unless it is not wanted."""
    for options, shown in (({}, True), ({"progress": True}, True), ({"progress": False}, False)):
        gallery((images * 2)[:21], lambda _: picture(0, 8), **options)
        assert ("/21" in capsys.readouterr().err) is shown


@pytest.mark.integration
def test_a_hundred_pictures_stay_within_a_megabyte(images, tmp_path):
    """A hundred pictures that compress badly fit in 1 MB, each below 10 kB of base64."""
    noise = np.random.default_rng(0).integers(0, 255, (256, 256, 3), dtype="u1")
    with io.BytesIO() as file:
        Image.fromarray(noise).save(file, "PNG", compress_level=1)
        data = file.getvalue()
    view = gallery((images * 9)[:100], lambda _: data, cache=FileCache(tmp_path), progress=False)
    assert view.shown == 100
    assert max(len(data) for data in re.findall(r"base64,([^\"]+)", view.html)) <= 10_000
    assert weigh(view._repr_mimebundle_()) <= 1_000_000


@pytest.mark.integration
def test_pictures_that_do_not_fit_are_counted(images, picture):
    """With long texts fewer pictures fit; a line counts the others, which are not fetched."""
    asked = []

    def fetch(record):
        asked.append(1)
        return picture()

    wordy = [
        {**record, "description": "\U0001f600" * 400, "id": f"{n}" * 40}
        for n, record in enumerate(images * 60)
    ]
    view = gallery(wordy, fetch, progress=False)
    assert weigh(view._repr_mimebundle_()) <= 1_000_000
    assert view.shown + view.left_out == len(wordy)
    assert view.left_out
    assert f"{view.left_out:,} left out: a cell holds 1 MB" in view.html
    assert len(asked) < view.shown + 10


@pytest.mark.integration
def test_columns_and_size_can_be_set(images, picture):
    """Columns and size are used for the grid."""
    assert "--ink-columns:repeat(4,minmax(0,1fr))" in gallery(images, lambda _: picture(), columns=4).html
    assert "--ink-size:96px" in gallery(images, lambda _: picture(), size=96).html


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("style", "Retro"),
        ("{name}, {medium}", "Picture 0, Ink"),
        (lambda record: f"no. {record['id']}", "no. 0"),
    ],
)
def test_captions_are_fields_patterns_or_functions(images, picture, caption, expected):
    """A caption is a field, a pattern or a function."""
    assert f">{expected}</p>" in gallery(images[:1], lambda _: picture(), caption=caption).html


def test_an_empty_gallery_has_a_count():
    """A gallery without records has the count 0."""
    assert ">0 pictures<" in gallery([], lambda _: b"").html


def test_whole_gallery(images, picture, recorded):
    """A grouped gallery with a caption, a failed picture, a favorite and a record without words."""

    def fetch(record):
        if record["id"] == 1:
            raise NotFound("The picture is gone.\nFetch the image again.", status=404)
        return picture()

    several = [*images[:5], {"id": "x", "style": "retro", "name": None, "medium": None}]
    options = {"group_by": "style", "caption": "{medium} {id}", "columns": 3, "size": 64}
    view = gallery(several, fetch, service="content.example.com", **options)
    recorded("gallery", view)
    assert (view.shown, view.left_out, view.failures) == (
        6,
        0,
        {0: "The picture is gone.\nFetch the image again."},
    )


def test_bounds_of_columns_and_size(images, picture):
    """Columns from 1 to 24 and sizes from 48 to 512 are allowed."""
    for options in ({"columns": 1}, {"columns": 24}, {"size": 48}, {"size": 512}):
        assert gallery(images[:1], lambda _: picture(), **options).shown == 1


@pytest.mark.parametrize(
    "caption", ["{a}{b}", lambda record: record["a"] + record["b"]], ids=["pattern", "function"]
)
@pytest.mark.parametrize(("length", "end"), [(80, "y"), (81, "…")])
def test_captions_have_a_limit(picture, caption, length, end):
    """A caption of at most 160 characters is whole, and a longer one is cut."""
    record = {"style": "anime", "a": "x" * 80, "b": "y" * min(length, 80) + "z" * (length - 80)}
    caption = f"{caption}{'z' * (length - 80)}" if isinstance(caption, str) else caption
    html = gallery([record], lambda _: picture(), caption=caption).html
    shown = re.search(r'class="ink-meta" dir="auto">(x[^<]*)<', html)[1]
    assert len(shown) == 160
    assert shown.endswith(end)
