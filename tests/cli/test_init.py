import os
import subprocess
import sys
from importlib.metadata import entry_points

import pytest

import inkframe
from inkframe import cli
from inkframe.cli import main
from inkframe.cli.commands import COMMANDS
from inkframe.errors import ConfigurationError


def test_the_command_and_the_module_are_equivalent():
    """``inkframe`` is installed as a command, and ``python -m inkframe`` is the same."""
    (command,) = {point.value for point in entry_points(group="console_scripts", name="inkframe")}
    assert command == "inkframe.cli:main"
    ran = subprocess.run(
        [sys.executable, "-m", "inkframe", "--version"], capture_output=True, text=True, check=True
    )
    assert ran.stdout == f"inkframe {inkframe.__version__}\n"


def test_the_version_has_a_short_option(capsys):
    """``-V`` prints the version, as ``python -V`` and ``pip -V`` do."""
    with pytest.raises(SystemExit) as ended:
        main(["-V"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"inkframe {inkframe.__version__}\n")


def test_a_console_without_every_character_is_enough(tmp_path):
    """Characters that the console does not have are escaped, in output and in errors."""
    ran = subprocess.run(
        [sys.executable, "-m", "inkframe", "doctor", "--library", str(tmp_path / "Hafen \N{SNOWMAN}.db")],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii:strict", "INKFRAME_HOME": str(tmp_path)},
        check=False,
    )
    assert rb"Hafen \u2603.db" in ran.stdout + ran.stderr
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize(
    "command", ["lab", "studio", "tour", "sample", "serve", "import", "export", "doctor"]
)
def test_each_command_explains_itself(capsys, command):
    """``--help`` describes each option on its own line."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for option in [word.strip("[],") for word in text.split() if word.strip("[],").startswith("--")]:
        assert option in text.partition("options:")[2]
    with pytest.raises(SystemExit):
        main(["--help"])
    assert command in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["paint"], "paint"),
        (["lab", "--prot", "1"], "--prot"),
        (["serve", "--prot", "1"], "--prot"),
        (["serve", "--port", "70000"], "--port"),
        (["serve", "--port", "abc"], "--port"),
        (["lab", "--port", "-1"], "--port"),
        (["sample", "--images", "-1"], "--images"),
        (["sample", "--documents", "many"], "--documents"),
        (["sample", "--image", "3"], "--image"),
        (["sample", "--seed", "x"], "--seed"),
        (["import"], "--from"),
        (["import", "--from"], "--from"),
        (["import", "--form", "x"], "--from"),
    ],
    ids=str,
)
def test_an_invalid_argument_shows_the_usage_of_its_command(capsys, arguments, named):
    """An invalid command, option or number ends with 2 and a line that names it, without private names."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    printed = capsys.readouterr().err
    command = "inkframe" if arguments == ["paint"] else f"inkframe {arguments[0]}"
    assert printed.startswith(f"usage: {command} [-h]")
    last = printed.splitlines()[-1]
    assert "error:" in last
    assert named in last
    assert "_port" not in printed
    assert "_count" not in printed


def test_without_a_command_the_help_is_shown(capsys):
    """The help is shown, and the status is that of an invalid call."""
    assert main([]) == 2
    printed = capsys.readouterr().out
    assert all(
        f"    {command} " in printed for command in ("lab", "tour", "sample", "serve", "import", "export")
    )


def test_an_error_ends_with_1_and_its_message(monkeypatch, capsys):
    """An error of the package is printed without a traceback."""

    def fail(_options):
        raise ConfigurationError("It cannot be.\nDo this instead.")

    monkeypatch.setitem(COMMANDS, "sample", fail)
    assert main(["sample"]) == 1
    captured = capsys.readouterr()
    assert captured.err == "inkframe: It cannot be.\nDo this instead.\n"
    assert captured.out == ""


def test_an_interrupt_ends_with_130(monkeypatch):
    """Ctrl-C ends a command with the status that shells expect."""

    def interrupt(_options):
        raise KeyboardInterrupt

    monkeypatch.setitem(COMMANDS, "sample", interrupt)
    assert cli.main(["sample"]) == 130


def test_nothing_is_imported_from_the_current_folder(tmp_path):
    """``python -m inkframe`` imports no module of the folder it is started in."""
    for name in ("falcon", "platformdirs", "argparse", "jupyter_core"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    command = [sys.executable, "-m", "inkframe", "sample", "--images", "0", "--documents", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
