"""What a notebook shows of an error: the user's own line, what was wrong, and what to do."""

import re
import traceback
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import inkframe as ink
from inkframe.versions import has_matchers

#: The maximum number of lines that a notebook shows of a mistake.
MOST_LINES = 12
SETUP = """
import inkframe as ink, pandas as pd
ink.connect(library=":memory:").close()
docs, images = client.documents.all(progress=False), client.images.all(progress=False)
doc, image = client.documents.get(1), client.images.get(1)
"""


def read_mistakes():
    """Return the mistakes of the list with their expected lines."""
    found = []
    text = (Path(__file__).parent / "mistakes.txt").read_text(encoding="utf-8")
    for block in text.split("\n\n")[1:]:
        cell, first, *last = block.strip("\n").split("\n    ")
        found.append(pytest.param(cell, first, last[0] if last else first, id=cell[:60]))
    return found


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Return the shell of a notebook with two clients, frames, records and a closed client."""
    with (
        pytest.MonkeyPatch.context() as patch,
        ink.connect(library=":memory:", sample=True) as client,
        ink.connect(library=":memory:"),  # so that the client of a frame is not guessed
        ink.connect(library=":memory:") as closed,
    ):
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        patch.chdir(tmp_path_factory.mktemp("folder"))
        shell = InteractiveShell.instance(
            config=Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
        )
        gone = client.images.create(name="a", description="a cat", resolution="256x256")
        client.images.delete(gone)
        closed.close()
        shell.user_ns.update(client=client, closed=closed, gone=gone)
        assert shell.run_cell(SETUP).success
        yield shell
        shell.reset(new_session=False)
        InteractiveShell.clear_instance()


@pytest.fixture
def shown(shell, capsys):
    """Return a function that runs a cell and returns what is printed."""

    def run(cell):
        capsys.readouterr()
        assert not shell.run_cell(cell).success
        said = capsys.readouterr()
        return re.sub(r"\x1b\[[0-9;]*m", "", said.out + said.err).rstrip()

    return run


def matches(line, expected):
    """Return whether a line is as expected."""
    return line.startswith(expected[:-1]) if expected.endswith("…") else line == expected


@pytest.mark.parametrize(("cell", "first", "last"), read_mistakes())
def test_a_mistake_is_told_in_a_few_lines(shown, cell, first, last):
    """No frame of the package is shown; the first line says what was wrong, the last one what to do."""
    lines = shown(cell).split("\n")
    assert len(lines) <= MOST_LINES
    assert not [line for line in lines if line.startswith("File ")]
    name = first.partition(":")[0]
    message = next(number for number, line in enumerate(lines) if line.startswith(f"{name}: "))
    assert matches(lines[message], first)
    assert matches(lines[-1], last)
    assert len(lines) - message <= 3


def test_the_users_own_frames_are_shown(shown):
    """Also those between which a library calls the user's function."""
    text = shown("def find(i):\n    return client.images.get(i)\npd.Series([99]).map(find)")
    assert "----> 3 pd.Series([99]).map(find)" in text
    assert "----> 2     return client.images.get(i)" in text
    assert "pandas" not in text.replace("pandas as pd", "")


def test_the_error_that_the_user_was_handling_is_shown(shown):
    """One from inside the package is not."""
    assert "KeyError: 'a'" in shown("try:\n    {}['a']\nexcept KeyError:\n    client.images.get(99)")
    assert "During handling" not in shown("client.images.create(name='a', description='b', resolution='c')")


@pytest.mark.parametrize("ending", ["from error", ""])
def test_an_error_of_the_users_shows_no_frame_of_the_package(shell, shown, capsys, ending):
    """One that was raised from an error of the package, or while it was handled; ``%tb`` shows all frames."""
    cell = f"try:\n    client.images.get(99)\nexcept ink.NotFound as error:\n    raise ValueError('mine') {ending}"
    text = shown(cell)
    assert "NotFound: There is no image 99." in text
    assert "ValueError: mine" in text
    assert "----> 2     client.images.get(99)" in text
    assert "File " not in text
    shell.run_line_magic("tb", "")
    # IPython before 8 asks for the traceback while it handles an error of its own.
    assert "errors.py" in capsys.readouterr().out or not has_matchers()


def test_other_causes_are_shown_in_full(shown):
    """An error of another package, from which the user raised one, keeps its frames."""
    text = shown(
        "try:\n    pd.DataFrame()['a']\nexcept KeyError as error:\n    raise ValueError('mine') from error"
    )
    assert "pandas" in text.replace("pandas as pd", "")


def test_the_whole_traceback_stays_available(shell, shown, capsys):
    """``%tb`` shows it, the mode Verbose, and plain Python; the error itself is unchanged."""
    assert "errors.py" not in shown("client.images.get(99)")
    shell.run_line_magic("tb", "")
    assert "errors.py" in capsys.readouterr().out
    shell.run_line_magic("xmode", "Verbose")
    try:
        assert "errors.py" in shown("client.images.get(99)")
    finally:
        shell.run_line_magic("xmode", "Context")
    shell.run_cell("client.images.get(99)")
    assert "sender.py" in "".join(
        traceback.format_tb(shell.last_execution_result.error_in_exec.__traceback__)
    )


def test_the_causes_of_an_error_stay_with_it(shell, shown):
    """They are hidden for the time of showing the error only."""
    cell = (
        "try:\n    client.images.get(99)\nexcept ink.NotFound as e:\n    raise ink.InkframeError('x') from e"
    )
    shown(cell)
    error = shell.last_execution_result.error_in_exec
    assert isinstance(error.__cause__, ink.NotFound)
    assert error.__suppress_context__
