"""The Python code of calls, which panels show."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any, Final

from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inkframe.client import Client

__all__ = ["Expression", "client_name", "own_vocabulary", "variable_name", "write_call", "write_value"]

#: Longer calls get a line for each argument.
WIDTH: Final = 88


class Expression(str):
    """Python code that is not quoted in a call, such as another call."""

    __slots__ = ()


def write_call(function: str, arguments: Mapping[str, Any]) -> Expression:
    """Write a call with keyword arguments.

    Args:
        function: What is called, such as ``client.images.create``.
        arguments: The values by keyword; None is left out.

    Example:
        >>> write_call("client.images.list", {"style": "anime", "page": 2})
        'client.images.list(style="anime", page=2)'
    """
    given = [f"{name}={write_value(value)}" for name, value in arguments.items() if value is not None]
    line = f"{function}({', '.join(given)})"
    if len(line) <= WIDTH and "\n" not in line:
        return Expression(line)
    lines = "".join(f"{each},\n" for each in given)
    return Expression(f"{function}(\n{textwrap.indent(lines, '    ')})")


def write_value(value: Any) -> str:
    """Write a value: texts in double quotes on one line, numbers as short as they are exact."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        # JSON spells every character as Python does, but for those that a source file cannot hold.
        text = json.dumps(value, ensure_ascii=False)
        return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(write_value, value))}]"
    return repr(value)


def own_vocabulary(vocabulary: Vocabulary, client: str) -> Expression | None:
    """Return the argument for a vocabulary; None for the interface's own, which need not be passed on.

    Args:
        vocabulary: The vocabulary of a client.
        client: The client's name.
    """
    return None if vocabulary == Vocabulary() else Expression(f"{client}.vocabulary")


def client_name(client: Client) -> str:
    """Return the name of the variable that holds a client; ``client`` where there is none."""
    return variable_name(client, "client")


def variable_name(value: object, otherwise: str) -> str:
    """Return the name of the user's variable that holds a value, or another name where there is none."""
    from IPython import get_ipython

    shell = get_ipython()
    names = shell.user_ns if shell is not None else {}
    # Names that begin with an underscore are IPython's own, such as the last output.
    return next((name for name, held in list(names.items()) if held is value and name[0] != "_"), otherwise)
