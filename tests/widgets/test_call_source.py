import pytest
from IPython import get_ipython
from IPython.testing.globalipapp import start_ipython

from inkframe.vocabulary import Vocabulary
from inkframe.widgets.panel import (
    Expression,
    client_name,
    own_vocabulary,
    variable_name,
    write_call,
    write_value,
)


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        'a "quoted" one',
        "line\nbreak\ttab",
        "back\\slash {brace}",
        "🌊 東京 שלום",
        "\x00\x7f\u2028\u200f",
        "\ud83d",
        "\U000e0001",
    ],
)
def test_texts_are_written_as_python_reads_them(text):
    """Every text survives being written as source, on one line, whatever is in it."""
    written = write_value(text)
    assert eval(written) == text  # noqa: S307  # reading source back is what is tested
    assert written.isprintable()


@pytest.mark.parametrize("value", [0.25, 1.0, 0.0, 3, True, None, ["a", 0.5], []])
def test_values_are_written_as_python_reads_them(value):
    """Numbers, truths, None and lists keep their value."""
    assert eval(write_value(value)) == value  # noqa: S307  # as above


def test_source_within_a_call_stands_for_itself():
    """A call as an argument is not quoted, and its lines are indented."""
    inner = Expression('f(\n    a="1",\n)')
    assert write_call("g", {"x": inner}) == 'g(\n    x=f(\n        a="1",\n    ),\n)'


def test_the_client_goes_by_the_name_that_the_notebook_gave_it(client):
    """The code names the variable that holds the client, so that it runs in the next cell."""
    assert client_name(client) == "client"
    shell = start_ipython() or get_ipython()
    shell.user_ns["my_service"] = client
    try:
        assert client_name(client) == "my_service"
    finally:
        del shell.user_ns["my_service"]


def test_a_call_of_88_characters_is_one_line():
    """One character more, and each argument has its own line."""
    fits = write_call("f", {"a": "x" * 80})
    assert (len(fits), "\n" in fits) == (87, False)
    assert "\n" not in write_call("f", {"a": "x" * 81})
    assert write_call("f", {"a": "x" * 82}) == f'f(\n    a="{"x" * 82}",\n)'
    assert write_call("f", {"a": (1, "b"), "b": None, "c": False}) == 'f(a=[1, "b"], c=False)'
    assert type(fits) is Expression


def test_a_vocabulary_of_ones_own_is_passed_on():
    """The interface's own needs no argument."""
    assert own_vocabulary(Vocabulary(), "client") is None
    assert own_vocabulary(Vocabulary(filters=[]), "my") == "my.vocabulary"
    assert write_value(own_vocabulary(Vocabulary(filters=[]), "my")) == "my.vocabulary"


def test_names_of_the_shell_itself_do_not_count():
    """The last output is no variable of the user's."""
    value = object()
    shell = start_ipython() or get_ipython()
    shell.user_ns |= {"_9": value}
    try:
        assert variable_name(value, "other") == "other"
        shell.user_ns["mine"] = value
        assert variable_name(value, "other") == "mine"
    finally:
        for name in ("_9", "mine"):
            shell.user_ns.pop(name, None)
