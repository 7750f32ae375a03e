"""Values of the vocabulary are completed inside quotes, wherever one is passed or compared."""

import pytest
from IPython.core.completer import provisionalcompleter
from tests.cases import cases

import inkframe as ink
from inkframe.notebook.completion import complete_value, register
from inkframe.versions import has_matchers


@pytest.fixture(scope="module")
def variables():
    """Return the variables of a user: a client with a vocabulary of its own, frames and the package."""
    own = ink.Vocabulary(styles={"noir": "Film noir", "neon": "Neon"})
    with ink.connect(library=":memory:") as client:
        image = client.images.create(name="a", description="a cat", resolution="256x256", style="anime")
        client.documents.create(name="a", prompt="b")
        frames = {"images": client.images.all(progress=False), "docs": client.documents.list(per_page=10)}
        with ink.connect(library=":memory:", vocabulary=own) as other:
            yield {
                "ink": ink,
                "client": client,
                "other": other,
                "pictures": client.images,
                "image": image,
                **frames,
            }


@pytest.fixture
def values(variables):
    """Return a function that completes code up to the cursor."""
    return lambda code: complete_value(code, variables)[1]


@cases(
    "code",
    [
        'client.images.list(style="po',
        "client.images.list(style='PO",
        'client.images.create(name="a, (b)", description="it\'s",\n    style="po',
        'x = [client.images.all(style=["anime", "po',
        'pictures.list(style="po',
        'ink.connect().images.list(style="po',
        'ink.connect("https://content.example.com", api_key="k")\\\n.images.all(style="po',
        'ink.Client("https://content.example.com", "k").images.list(style="po',
        'ink.ImageForm(client, style="po',
        'ink.plan_images("a cat", name="Cat {style}", resolution="512x512", style=["anime", "po',
        'client.images.list(  # a comment with "quotes" and (brackets\n    style="po',
        'ink.LookGrid(client, style=["po',
        'image.again(style="po',
        'print(client.images.list(style="po',
        '"""a text"""; client.images.list(style="po',
        '"""a text\nof two lines"""\nclient.images.list(style="""po',
        "!echo it's\n%time client.images.list(style='po",
        'if x:\n    return client.images.list(style=r"po',
        "client.images.list(search=f'{name!r}', style='po",
        'client.images.list(search="\\d", style=x if x else"po',
    ],
)
def test_a_style_is_completed_in_every_call_that_takes_one(values, code, recwarn):
    """Positions, quotes, lists, lines and calls inside calls do not matter; nor does case."""
    assert values(code) == ["pop_art"]
    assert not recwarn


@cases(
    ("code", "expected"),
    [
        ("client.documents.list(template='FAQ", ["FAQ"]),
        ('ink.compose_prompt("Blog int', ["Blog intro"]),
        ('client.documents.create(name="a", prompt="b", creativity="Im', ["Imaginative"]),
        ('client.images.list(sort_by="', ["id", "name"]),
        ('client.images.list(sort="a', ["asc"]),
        ('client.images.list(resolution="5', ["512x512"]),
        ('other.images.list(style="n', ["noir", "neon"]),
        ('other.images.list(style="po', []),
        ('ink.ImageForm(other, style="no', ["noir"]),
        ('images["style"] == "po', ["pop_art"]),
        ("images['style'] != 'po", ["pop_art"]),
        ('images.style == "po', ["pop_art"]),
        ('images[images["style"] == "po', ["pop_art"]),
        ('images["style"].isin(["anime", "po', ["pop_art"]),
    ],
)
def test_the_values_are_those_of_the_argument(values, code, expected):
    """They come from the client's vocabulary, the signature, or the categories of a column."""
    assert values(code) == expected


@cases(
    "code",
    [
        'print("po',
        'client.images.list(style="pop_art", search="po',
        'client.images.get("po',
        "client.images.list(style=po",
        '# client.images.list(style="po',
        'unknown.images.list(style="po',
        'images["na',
        'f("x").images.list(style="po',
        'images["name"] == "po',
        'client.images.list(style="anime")\n\'po',
        'client.images.list(style="po\n',
        'client.images.list\n("po',
        'client.images.list(style="po" "',
        "",
    ],
)
def test_nothing_is_offered_elsewhere(values, code):
    """Free text, unknown names and code outside of quotes are left to IPython."""
    assert values(code) == []


def test_nothing_of_the_user_is_evaluated(variables):
    """Attributes are read from objects of the package only."""

    class Trap:
        @property
        def images(self):
            raise AssertionError

        vocabulary = images

    variables = variables | {"trap": Trap()}
    assert complete_value('trap.images.list(style="po', variables) == ("po", [])
    assert complete_value('client.images.list(search=trap, style="po', variables) == ("po", ["pop_art"])


@pytest.fixture
def shell(notebook_shell):
    """Return a shell like that of a kernel."""
    notebook_shell.Completer.use_jedi = False
    return notebook_shell


def completions(shell, code):
    """Return the completions of a shell at the end of the code."""
    with provisionalcompleter():
        return [each.text for each in shell.Completer.completions(code, len(code))]


@pytest.mark.integration
@pytest.mark.skipif(not has_matchers(), reason="IPython before 8.6 takes no completions")
def test_connect_registers_it_once(shell):
    """Inside the quotes the shell then offers values alone, also on a later line of a cell."""
    for _ in range(2):
        assert shell.run_cell("import inkframe as ink\nclient = ink.connect(library=':memory:')").success
    ours = [each for each in shell.Completer.custom_matchers if register.__module__ in repr(each.__dict__)]
    assert len(ours) == 1
    assert completions(shell, 'x = 1\nclient.images.list(\n    style="po') == ["pop_art"]
    # With a dot from one of the two matchers of the shell itself.
    assert [each.lstrip(".") for each in completions(shell, "client.ima")] == ["images"]
    shell.user_ns["client"].close()


def test_a_failure_is_not_printed_into_the_cell(shell, capsys):
    """An object that cannot be inspected gives no completions."""

    class Broken:
        @property
        def columns(self):
            raise ZeroDivisionError

    register(shell)
    shell.user_ns["broken"] = Broken()
    completions(shell, 'broken["style"] == "po')
    assert capsys.readouterr() == ("", "")


def test_the_analysis_package_lists_its_functions():
    """Its modules are not offered beside them."""
    assert dir(ink.analysis) == sorted(ink.analysis.__all__)
