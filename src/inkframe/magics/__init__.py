"""Commands for notebooks: ``%load_ext inkframe`` gives ``%%document``, ``%%image``, ``%documents`` and ``%images``.

Prompts are taken to the letter: nothing in them is expanded, quoted or run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inkframe.magics.commands import Commands
from inkframe.magics.completion import completer
from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["load", "unload"]

#: The lines that are a command over a cell and nothing else.
CELL_COMMANDS: Final = [[f"%%{spec.noun}"] for spec in RESOURCES.values()]


def load(shell: InteractiveShell) -> None:
    """Give a shell the four commands, with the values of their options on Tab."""
    shell.register_magics(Commands(shell))
    shell.input_transformers_cleanup.append(keep_lone_line)
    if hasattr(shell.Completer, "custom_matchers"):  # IPython 8.6; before, Tab does without our values
        shell.Completer.custom_matchers.append(completer(shell))


def unload(shell: InteractiveShell) -> None:
    """Take the commands and their completion away again."""
    for kind, names in Commands.magics.items():
        for name in names:
            shell.magics_manager.magics[kind].pop(name, None)
    shell.magics_manager.registry.pop(Commands.__name__, None)
    shell.input_transformers_cleanup.remove(keep_lone_line)
    matchers = getattr(shell.Completer, "custom_matchers", [])
    matchers[:] = [
        each for each in matchers if getattr(each, "matcher_identifier", "") != completer.__module__
    ]


def keep_lone_line(lines: list[str]) -> list[str]:
    """Give a command without a text below it an empty one: IPython would refuse even its ``--help``."""
    if len(lines) == 1 and lines[0].split(maxsplit=1)[:1] in CELL_COMMANDS:
        return [*lines, "\n"]
    return lines
