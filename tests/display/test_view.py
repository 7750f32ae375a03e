"""Test the output of views and their size."""

from __future__ import annotations

import subprocess
import sys

import pytest

import inkframe.display as package
from inkframe.display.markup import Html
from inkframe.display.view import View, fit, weigh


def test_a_view_renders_inline():
    """A view has HTML and plain text."""
    view = View(Html("<p>x</p>"), "x")
    assert view._repr_mimebundle_() == {"text/html": "<p>x</p>", "text/plain": "x"}
    assert repr(view) == "x"


@pytest.mark.integration
@pytest.mark.parametrize("text", ["plain", '"<é日\U0001f600>\\' * 50, "line\n" * 500, ""])
def test_the_size_is_never_less_than_in_the_file(text, tmp_path):
    """The computed size of a bundle is at least what it adds to a saved notebook."""

    def size(data):
        import nbformat  # here: it takes two seconds to load

        cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", data=data)])
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "n.ipynb")
        return (tmp_path / "n.ipynb").stat().st_size

    assert size({"text/plain": text}) - size({"text/plain": ""}) <= weigh({"text/plain": text})


def test_fit_halves_until_it_fits():
    """A bundle is built with less text until it fits the size limit."""
    asked = []

    def build(most):
        asked.append(most)
        return {"text/plain": "x" * most}

    assert weigh(fit(build, 8_000, 2_500)) <= 2_500
    assert asked == [8_000, 4_000, 2_000]


def test_names_resolve_to_what_they_name():
    """Every public name resolves to the object of that name, not to a module."""
    for name in package.__all__:
        assert getattr(package, name).__name__ == name
    assert dir(package) == sorted(package.__all__)
    with pytest.raises(AttributeError, match="nothing_here"):
        package.nothing_here  # noqa: B018  # reading it is the test


@pytest.mark.integration
def test_importing_the_package_is_fast():
    """Importing the package and showing an image without a picture imports no optional library."""
    code = (
        "import sys, inkframe.display as d; d.image_bundle({'name': 'x'}, 'no picture');"
        "print([m for m in ('PIL', 'markdown_it', 'nh3', 'pandas', 'numpy', 'tqdm', 'httpx') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
