"""What every view gives, and what it weighs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import inkframe.display as room
from inkframe.display.markup import Html
from inkframe.display.view import View, fit, weigh


def test_a_view_shows_itself():
    """A view gives HTML and text, and its text where there is no HTML."""
    view = View(Html("<p>x</p>"), "x")
    assert view._repr_mimebundle_() == {"text/html": "<p>x</p>", "text/plain": "x"}
    assert repr(view) == "x"


@pytest.mark.parametrize("text", ["plain", '"<é日\U0001f600>\\' * 50, "line\n" * 500, ""])
def test_the_weight_is_never_less_than_the_file_s(text, tmp_path):
    """What a bundle is said to weigh is at least what it adds to a saved notebook."""

    def size(data):
        import nbformat  # here: it takes two seconds to load

        cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", data=data)])
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "n.ipynb")
        return (tmp_path / "n.ipynb").stat().st_size

    assert size({"text/plain": text}) - size({"text/plain": ""}) <= weigh({"text/plain": text})


def test_fit_halves_until_it_fits():
    """A bundle is built with less and less until its weight allows it."""
    asked = []

    def build(most):
        asked.append(most)
        return {"text/plain": "x" * most}

    assert weigh(fit(build, 8_000, 2_500)) <= 2_500
    assert asked == [8_000, 4_000, 2_000]


def test_names_resolve_to_what_they_name():
    """Every public name resolves, to the thing of that name and not to a module."""
    for name in room.__all__:
        assert getattr(room, name).__name__ == name
    assert dir(room) == sorted(room.__all__)
    with pytest.raises(AttributeError, match="nothing_here"):
        room.nothing_here  # noqa: B018  # reading it is the test


def test_importing_the_room_is_light():
    """Importing the room, and a record's figure without a picture, loads no imaging, Markdown or table library."""
    code = (
        "import sys, inkframe.display as d; d.image_bundle({'name': 'x'}, 'no picture');"
        "print([m for m in ('PIL', 'markdown_it', 'nh3', 'pandas', 'numpy', 'tqdm', 'httpx') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
