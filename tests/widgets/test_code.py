"""``code`` is always the Python that does what the panel would do: run in many states, it gives the same."""

import ast
import random

import pytest

from inkframe import CreativityTuner, DocumentBrowser, DocumentForm, ImageBrowser, ImageForm, LookGrid
from inkframe.vocabulary import Vocabulary

WORDS = (
    "two boats", "日本語の題", "שלום עולם", "مرحبا", "👩🏽‍🚀🌊", 'a "b" \'c\'', "back\\slash {brace}", "<b>&amp;", "line\nbreak",
    "\u200fright\u2028to left", "# no comment", '"""', "%s %(x)s", "x" * 90,
)  # fmt: skip
IMAGE = ("name", "description", "resolution", "style", "medium", "filter")
DOCUMENT = ("name", "prompt", "creativity")
SEEDS = range(3)


def run(code, client):
    """Run code as a cell would, and give the value of its last line."""
    tree = ast.parse(code)
    *before, last = tree.body
    space = {"client": client}
    exec(compile(ast.Module(before, []), "cell", "exec"), space)  # noqa: S102  # running the code is what is tested
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "cell", "eval"), space)  # noqa: S307  # as above
    exec(compile(ast.Module([last], []), "cell", "exec"), space)  # noqa: S102  # as above
    return space["runs"]


class Chance(random.Random):
    """Chooses what a person might have typed and picked."""

    def text(self):
        """Return some words."""
        return " ".join(self.sample(WORDS, self.randint(1, 3)))

    def maybe(self, values):
        """Return a value or None."""
        return self.choice([None, *values])

    def some(self, values, most):
        """Return a few of the values."""
        return self.sample(list(values), self.randint(1, most))


def filled(template, chance):
    """Return values for a template's fields: all required ones, some of the others."""
    own = template.fields if template else ()
    return {field.name: chance.text() for field in own if field.required or chance.random() < 0.5}


@pytest.fixture(params=["usual", "another"])
def deployment(client, request):
    """Return the client, once with the standard vocabulary and once with another."""
    if request.param == "another":
        client.vocabulary = Vocabulary(styles=[], templates={1: "Freestyle", 7: "Limerick", 9: "Haiku"})
    return client


@pytest.mark.parametrize("seed", SEEDS)
def test_an_image_form_and_its_code(deployment, seed):
    """The image that the code makes has every field of the one that the form makes."""
    client, chance, codes = deployment, Chance(seed), deployment.vocabulary.codes
    looks = {name: chance.maybe(codes(name)) for name in ("style", "medium", "filter") if codes(name)}
    form = ImageForm(client, resolution=chance.choice([*codes("resolution")]), **looks)
    form.fill(name=chance.text(), description=chance.text())
    made, again = form.submit().result(30), run(form.code, client)
    assert [getattr(made, name) for name in IMAGE] == [getattr(again, name) for name in IMAGE]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_document_form_and_its_code(deployment, seed):
    """The same for documents: with a template, without one, and with a prompt that was edited after it."""
    client, chance = deployment, Chance(seed)
    template = chance.maybe(client.vocabulary.all_templates)
    level = chance.choice([*client.vocabulary.codes("creativity")])
    form = DocumentForm(client, creativity=level, template=template, **filled(template, chance))
    form.fill(name=chance.text())
    if template is None or chance.random() < 0.3:
        form.fields["prompt"].value = chance.text()
    made, again = form.submit().result(30), run(form.code, client)
    assert [getattr(made, name) for name in DOCUMENT] == [getattr(again, name) for name in DOCUMENT]


@pytest.mark.parametrize("seed", SEEDS)
def test_browsers_and_their_code(library, seed):
    """The frame that the code gives has the rows and values that the browser shows."""
    chance = Chance(seed)
    shared = {"favorite": chance.maybe([True, False]), "search": chance.maybe(["1", "image", "🌊"])}
    order = {"sort_by": chance.choice(["id", "name"]), "sort": chance.choice(["asc", "desc"])}
    codes = library.vocabulary.codes
    looks = {"style": chance.maybe(["anime", "sketch"]), "resolution": chance.maybe(codes("resolution"))}
    size = chance.choice([None, 10, 25])
    images = ImageBrowser(library, per_page=size, **shared, **order, **looks)
    template = chance.maybe(library.vocabulary.all_templates)
    documents = DocumentBrowser(library, per_page=size, template=template, **shared, **order)
    for browser in (images, documents):
        if chance.random() < 0.5:
            browser.pager.page = 2
        shown = browser.submit().result(30)
        given = run(browser.code, library)
        assert list(given.index) == list(shown.index)
        assert given.equals(shown)


@pytest.mark.parametrize("seed", SEEDS)
def test_trials_and_their_code(deployment, seed, capsys):
    """The code finds the records that tuner and grid made, with their names and settings, and pays for none again."""
    client, chance, vocabulary = deployment, Chance(seed), deployment.vocabulary
    template = chance.maybe(vocabulary.all_templates)
    tuner = CreativityTuner(
        client,
        template=template,
        prompt="" if template else chance.text(),
        creativity=[float(code) for code in chance.some(vocabulary.codes("creativity"), 5)],
        repeats=chance.randint(1, 2),
        name=chance.choice(["Draft {creativity} {repeat}", "{number} שלום", "日記 {creativity}"]),
        **filled(template, chance),
    )
    looks = {
        name: chance.some([None, *vocabulary.codes(name)], 2)
        for name in ("style", "medium", "filter")
        if vocabulary.codes(name)
    }
    grid = LookGrid(client, description=chance.text(), name="🌊 {style} {medium} {number}", **looks)
    for panel, columns in ((tuner, DOCUMENT), (grid, IMAGE)):
        made = panel.submit().result(30)
        assert panel.error is None
        again = run(panel.code, client)
        assert again[list(columns)].equals(made[list(columns)])
        assert again["id"].tolist() == made["id"].tolist()
        assert set(again["status"]) == {"existing"}
    assert "creation" not in capsys.readouterr().out
