"""Test the output of views and their size."""

import re
import subprocess
import sys

import pytest

from inkframe.display.comparison import compare
from inkframe.display.fragments import document_bundle, image_bundle
from inkframe.display.gallery import gallery, read, report_html
from inkframe.display.markup import Html
from inkframe.display.view import View, data_uri, fit, left_out, until_full, weigh


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
    """A bundle is built with less text until it fits the size limit; one that never fits has 100 characters, not none."""
    asked = []

    def build(most):
        asked.append(most)
        return {"text/plain": "x" * most}

    assert weigh(fit(build, 8_000, 2_500)) <= 2_500
    assert len(fit(build, 400, 10)["text/plain"]) == 100
    assert asked == [8_000, 4_000, 2_000, 400, 200, 100]


@pytest.mark.integration
def test_importing_the_package_is_fast():
    """Importing the package and showing an image without a picture imports no optional library."""
    code = (
        "import sys; from inkframe.display.fragments import image_bundle; image_bundle({'name': 'x'}, 'no picture');"
        "print([m for m in ('PIL', 'markdown_it', 'nh3', 'pandas', 'numpy', 'tqdm', 'httpx') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(("size", "kept"), [(92, True), (93, False)])
def test_a_limit_includes_its_last_byte(size, kept):
    """A bundle of exactly the limit fits, and a cell takes an entry of exactly the space that is left."""
    assert weigh({"": "x" * 92}) == 100
    assert (len(fit(lambda most: {"": "x" * most}, size, 100)[""]) == size) is True
    asked = []

    def build(most):
        asked.append(most)
        return {"": "x" * most}

    fit(build, 2 * size, weigh({"": "x" * 2 * 92}))
    assert (len(asked) == 1) is kept
    entries = ["x" * size, "y"]
    shown = list(until_full(entries, str, 1_000_000 - 100))
    assert bool(shown) is kept


def test_the_size_counts_lines_and_bytes():
    """Each line break counts with its indentation, and each character with its bytes."""
    assert weigh({"": "a"}) == 9
    assert weigh({"": "é"}) == 10
    assert weigh({"": "a\nb\n"}) == 14 + 2 * 12


def test_entries_left_out_are_counted():
    """The note has the number and the limit; without such entries there is none."""
    assert left_out(0) == []
    assert left_out(1_200) == ["1,200 left out: a cell holds 1 MB"]
    assert data_uri(b"a", "text/plain") == "data:text/plain;base64,YQ=="


@pytest.mark.parametrize(("length", "shown"), [(80, "s" * 80), (81, "s" * 79 + "…")])
def test_names_of_services_have_a_limit(image, document, picture, length, shown):
    """Every view shows up to 80 characters of the name of its service."""
    service = "s" * length
    for html in (
        compare([document] * 2, service=service).html,
        compare([image] * 2, lambda _: picture(), service=service).html,
        gallery([image], lambda _: picture(), service=service).html,
        read([document], service=service).html,
        report_html([document], service=service),
        image_bundle(image, picture(), service=service)["text/html"],
        image_bundle(image, picture(), service=service)["text/plain"],
        document_bundle(document, service=service)["text/html"],
    ):
        assert re.findall("s{20,}…?", html) == [shown]
