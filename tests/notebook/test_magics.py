import time

import pandas as pd
import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from tests.services import Faults, FaultyService
from traitlets.config import Config

import inkframe as ink
from inkframe.notebook.magics import COMMANDS, complete
from inkframe.versions import has_matchers

PROMPT = """about {braces} and {client}, $HOME, %images, "quotes", 'apostrophes', back\\slashes

a second line, which ends here?"""


completes = pytest.mark.skipif(not has_matchers(), reason="IPython before 8.6 takes no completions")


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """Return a shell like that of a kernel, without files on disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        options = Config(HistoryManager={"enabled": False}, Completer={"use_jedi": False})
        yield InteractiveShell(config=options)


@pytest.fixture(scope="module")
def service():
    """Return the client of a library with a few records."""
    with ink.connect(library=":memory:") as client:
        client.documents.create(name="Quiet Kettle", prompt=ink.compose_prompt("FAQ", "a kettle"))
        client.documents.create(name="Loud Kettle", prompt=ink.compose_prompt("Blog title", "a kettle"))
        client.documents.create(name="Bicycle", prompt="Notes about a bicycle.")
        for style in ("anime", "sketch"):
            client.images.create(
                name=f"Harbor, {style}", description="a harbor", resolution="256x256", style=style
            )
        yield client


@pytest.fixture
def shell(kernel, service):
    """Return the shell with the commands and the variable ``client``."""
    before = set(kernel.user_ns)
    kernel.run_line_magic("load_ext", "inkframe")
    kernel.user_ns["client"] = service
    yield kernel
    kernel.run_line_magic("unload_ext", "inkframe")
    for name in set(kernel.user_ns) - before:
        del kernel.user_ns[name]


@pytest.fixture
def run(shell, capsys):
    """Return a function that runs a cell and returns its result."""

    def make(cell):
        outcome = shell.run_cell(cell)
        assert outcome.success, capsys.readouterr().err
        return outcome.result

    return make


@pytest.fixture
def refused(shell, capsys):
    """Return a function that runs an invalid cell and returns its error message."""

    def make(cell):
        capsys.readouterr()
        assert not shell.run_cell(cell).success
        said = capsys.readouterr()
        assert "Traceback" not in said.out + said.err
        assert said.err.count("\n") == 1, "one plain line"
        return said.err.removeprefix("UsageError: ").rstrip()

    return make


@pytest.fixture
def tab(shell):
    """Return a function that completes a cell at the mark ``|``."""

    def make(cell):
        before, _, after = cell.partition("|")
        with provisionalcompleter():
            found = list(shell.Completer.completions(before + after, len(before)))
        return [cell[: each.start].rpartition(" ")[0] + "…" + each.text for each in found]

    return make


def test_a_document_is_created_shown_and_kept(run, shell, service):
    """The cell's text is the prompt, the record is the cell's result, and ``-o`` stores it."""
    shown = run("%%document --name Samovar --creativity 0.75 -o doc\nProduct text for a kettle\n")
    assert shown is shell.user_ns["doc"]
    assert (shown.name, shown.creativity) == ("Samovar", 0.75)
    assert service.documents.get(shown.id).prompt == "Product text for a kettle"


def test_a_prompt_is_used_literally(run):
    """Braces, dollars, quotes, percent signs and question marks are literal, in the cell and on the line."""
    document = run(f"%%document --name 'It is {{x}} $y %z \"q\"'\n{PROMPT}\n")
    assert document.prompt == PROMPT
    assert document.name == 'It is {x} $y %z "q"'


def test_a_template_composes_the_prompt(run):
    """The text is the template's first field; other fields are on the line."""
    document = run(
        '%%document --template "Blog title" --field keyword=cello --creativity Imaginative\nlearning the cello'
    )
    assert document.prompt == ink.compose_prompt("Blog title", "learning the cello", keyword="cello")
    assert document.creativity == 1


def test_the_text_names_a_record_without_a_name(run):
    """The name is its first words, cut between words."""
    assert run(f"%%document\n{'samovar ' * 20}").name == ("samovar " * 7).strip() + "…"


def test_an_image_is_created(run, shell):
    """It has the looks of the line, and the form's default resolution."""
    image = run("%%image --style 'Pop art' --medium ink --filter sepia -o harbor\na harbor at dawn")
    assert shell.user_ns["harbor"] is image
    assert (image.name, image.description) == ("a harbor at dawn", "a harbor at dawn")
    assert (image.style, image.medium, image.filter, image.resolution) == (
        "pop_art",
        "ink",
        "sepia",
        "512x512",
    )


def test_ensure_creates_nothing_twice(run, service):
    """Running a cell again returns the existing record."""
    cell = "%%image --ensure --resolution 256x256 --name Once\na tree"
    assert run(cell).id == run(cell).id
    assert len(service.images.all(search="Once")) == 1


def test_documents_are_listed(run, shell):
    """Every template is listed, words and filters narrow the list, and a variable stores it."""
    assert {"Quiet Kettle", "Loud Kettle", "Bicycle"} <= set(run("%documents")["name"])
    assert [*run("%documents quiet kettle")["name"]] == ["Quiet Kettle"]
    assert [*run("%documents --template FAQ --template 'blog title' -o found Kettle")["name"]] == [
        "Loud Kettle",
        "Quiet Kettle",
    ]
    assert len(shell.user_ns["found"]) == 2
    run("kept = %documents kettle --sort-by name --sort asc --limit 1 --no-favorite")
    assert [*shell.user_ns["kept"]["name"]] == ["Loud Kettle"]
    assert [*run('%documents "kettle" --search-by result --template FAQ')["template"]] == ["FAQ"]


def test_images_are_listed(run):
    """Looks narrow the list, also with several values of one look."""
    assert [*run("%images harbor, --style anime --style sketch")["style"]] == ["sketch", "anime"]
    assert run("%images harbor, --favorite").empty


def test_a_listing_shows_a_page(run, shell, monkeypatch):
    """A listing is a DataFrame that shows its first records, with pictures, and how many more there are."""
    monkeypatch.setattr("inkframe.notebook.magics.SHOWN", 1)
    for line, noun, pictures in (("%images harbor,", "image", 1), ("%documents kettle", "document", 0)):
        listing = run(f"{line} -o listing")
        shown, _ = shell.display_formatter.format(listing)
        assert isinstance(listing, pd.DataFrame)
        assert shown["text/html"].count("<img") == pictures
        assert "1 of 2 rows" in shown["text/html"]
        assert f"1 more {noun}." in shown["text/html"]
        assert f"1 more {noun}." in shown["text/plain"]
        pd.testing.assert_frame_equal(listing, shell.user_ns["listing"])
        assert "more" not in shell.display_formatter.format(shell.user_ns["listing"])[0]["text/plain"]
    assert (
        "more"
        not in shell.display_formatter.format(run("%images anime"))[0]["text/html"].split("</style>")[-1]
    )


def test_a_listing_can_be_shown(run, shell):
    """``--gallery`` and ``--read`` show the records, but the variable is the frame."""
    gallery = run("%images harbor, --gallery -o shown")
    assert gallery._repr_mimebundle_()["text/html"].count("<img") >= 2
    assert len(shell.user_ns["shown"]) == 2
    assert "Bicycle" in run("%documents bicycle --read")._repr_mimebundle_()["text/html"]


def test_another_client_can_be_used(run, shell):
    """``--client`` names its variable."""
    with ink.connect(library=":memory:") as other:
        shell.user_ns["other"] = other
        assert run("%images --client other").empty


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_shown(run, capsys, command):
    """``--help`` alone, without a text below it, lists the options with an example."""
    assert run(f"{command} --help") is None
    said = capsys.readouterr().out
    assert said.startswith(f"usage: {command} ")
    assert "example:" in said
    assert all(option in said for option in COMMANDS[command].choices)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("%%document", "%%document requires a text. Write the prompt on the lines below."),
        (
            "%%image --style anime\n  \n",
            "%%image requires a text. Write what the picture shows on the lines below.",
        ),
        ("%%document --nam Kettle\nabout", "unrecognized arguments: --nam Kettle. %%document --help lists"),
        ("%%document --name Tom's\nabout", "a quotation mark is not closed"),
        ("%%document -o 2nd\nabout", "must be the name of a variable, got '2nd'"),
        ("%%document -o class\nabout", "must be the name of a variable, got 'class'"),
        ("%%document --creativity 0.6\nabout", "The nearest step is 0.5 (Original)."),
        ('%%document --template "Blog intrx"\nabout', "Did you mean 'Blog intro'?"),
        ("%%document --field tone=dry\nabout", "--field requires a template"),
        ("%%document --template FAQ --field vocabulary=x\nabout", "has no field 'vocabulary'. It has "),
        ("%%image --style animee\na harbor", "Did you mean 'anime' (Anime)?"),
        ("%images --limit many", "invalid int value: 'many'"),
        ("%documents --sort up", "invalid choice: 'up'"),
        ("%documents --client nobody", "There is no variable nobody. Run client = ink.connect() first"),
        ("%documents --client shown", "The variable shown is not a client."),
    ],
)
def test_misuse_raises_an_error_of_one_line(refused, shell, service, cell, said):
    """It has the problem and the remedy, and nothing is sent or stored."""
    shell.user_ns["shown"] = "not a client"
    before = service.created
    assert said in refused(cell)
    assert service.created == before


def test_a_create_with_a_lost_reply_is_reconciled(run, refused, shell):
    """After a lost reply the cell returns the record if it exists, else an error; nothing is sent twice."""
    creates = {"where": lambda request: request.method == "POST"}
    service = FaultyService(documents=0, faults=Faults(script={1: "lost_reply"}, **creates))
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        shell.user_ns["client"] = client
        assert run("%%document --name Kettle\nabout").name == "Kettle"
        service.plan(Faults(script={1: "lost_request"}, **creates))
        assert "A search did not find it. Look in the service, or run the cell again" in refused(
            "%%document\nanother"
        )
    assert service.generations == 1


@completes
@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("%%image --style p|", ["pixel_art", "photography", "pop_art"]),
        ("shown = %images --medium ch|", ["chalk", "charcoal"]),
        ("x = 1\n%images harbor --filter |", ["grayscale", "sepia", "invert"]),
        ("%%image --resolution 5|\na harbor", ["512x512"]),
        ("%%document --creativity i|", ["Imaginative"]),
        ("%%document --creativity 0.|", ["0.25", "0.5", "0.75"]),
        ("%%document --template bl|", ['"Blog intro"', '"Blog outline"']),
        ('%%document --template "Blog int|', ['"Blog intro"']),
        ('%%document --template "Blog int|"', ['"Blog intro']),
        ("%%document --template 'Blog int|", ["'Blog intro'"]),
        ('%%document --template "Blog title" --field |', ["reader=", "keyword="]),
        ("%documents --sort |", ["desc", "asc"]),
        ("%documents --client |", ["client"]),
        ("%images --f|", ["--favorite", "--filter"]),
        ("%%document --name 'a b' |", ["--name", "--ensure"]),
    ],
)
def test_tab_completes_values(tab, cell, found):
    """Options and the values of the vocabulary are completed, quoted if necessary."""
    assert [each.partition("…")[2] for each in tab(cell)][: len(found)] == found


@completes
def test_tab_completes_the_values_of_the_client(tab, shell, service):
    """The values are those of the service, also with ``--client``."""
    with ink.connect(library=":memory:") as other:
        other.vocabulary = service.vocabulary.replace(styles={"oil": "Oil", "gouache": "Gouache"})
        shell.user_ns["other"] = other
        assert tab("%images --client other --style |") == [
            "%images --client other --style…oil",
            *tab("%images --client other --style g|"),
        ]
    del shell.user_ns["client"]
    assert len(tab("%images --style |")) == 14


@completes
def test_tab_does_not_complete_the_text_below_a_command(tab):
    """A line that looks like a command is part of the prompt there."""
    assert any(each.endswith("…anime") for each in tab("%images --style |"))
    assert not any(each.endswith("…anime") for each in tab("%%document\n%images --style |"))


def test_tab_is_fast_on_any_line():
    """A long line of quotation marks is completed at once."""
    begun = time.process_time()
    for line in ("\"' " * 2000, '"a ' * 2001, "' " * 2001, "a" * 20000):
        complete(f"%images {line}", "", {})
    assert time.process_time() - begun < 0.5


def test_unloading_removes_everything(kernel, capsys):
    """The commands, the completion and the rest are restored."""

    def state():
        matchers = [each.__qualname__ for each in kernel.Completer.custom_matchers]
        names = {kind: sorted(magics) for kind, magics in kernel.magics_manager.magics.items()}
        return matchers, names, sorted(kernel.magics_manager.registry), [*kernel.input_transformers_cleanup]

    before = state()
    kernel.run_line_magic("load_ext", "inkframe")
    assert state() != before
    kernel.run_line_magic("reload_ext", "inkframe")
    kernel.run_line_magic("unload_ext", "inkframe")
    assert state() == before
    assert not kernel.run_cell("%images").success
    assert "`%images` not found" in capsys.readouterr().err
