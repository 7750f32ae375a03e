"""Notebook commands: ``%load_ext inkframe`` adds ``%%document``, ``%%image``, ``%documents`` and ``%images``.

Prompts are used literally: nothing in them is expanded, unquoted or run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from inkframe.notebook.commands import Commands
from inkframe.notebook.completion_ import completer
from inkframe.schema import RESOURCES

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["load", "unload"]

#: The lines that are a command over a cell and nothing else.
CELL_COMMANDS: Final = [[f"%%{spec.noun}"] for spec in RESOURCES.values()]


def load(shell: InteractiveShell) -> None:
    """Register the four commands in a shell, with completion of their options."""
    shell.register_magics(Commands(shell))
    shell.input_transformers_cleanup.append(keep_lone_line)
    if hasattr(
        shell.Completer, "custom_matchers"
    ):  # IPython 8.6 or later; earlier versions do not complete our values
        shell.Completer.custom_matchers.append(completer(shell))


def unload(shell: InteractiveShell) -> None:
    """Remove the commands and their completion."""
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
    """Add an empty text to a lone command line, since IPython would reject even its ``--help``."""
    if len(lines) == 1 and lines[0].split(maxsplit=1)[:1] in CELL_COMMANDS:
        return [*lines, "\n"]
    return lines
