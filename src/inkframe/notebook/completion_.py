"""Completion on the line of a command: its options, and the values of the client's vocabulary."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from inkframe.errors import InvalidArgument
from inkframe.notebook.completion import SUGGESTED
from inkframe.notebook.magics import COMMANDS
from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from IPython.core.completer import CompletionContext
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["complete", "completer"]

#: A command and the text between it and the cursor; a line may assign its result.
CALL: Final = re.compile(r"(?:[\w\s,]+=)?\s*(%%?\w+)\s(.*)", re.DOTALL)
#: A word that may include quoted parts.
WHOLE: Final = r"""(?:[^\s"']|"[^"]*"|'[^']*')*"""
#: Words, and the word at the cursor, where a quotation mark may still be open.
WORDS: Final = re.compile(rf"""((?:{WHOLE}\s)*)({WHOLE}(?:"[^"]*|'[^']*)?)""")


def completer(shell: InteractiveShell) -> Callable[[CompletionContext], dict[str, Any]]:
    """Return the matcher for IPython's completer."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher(identifier=__name__)  # type: ignore[untyped-decorator]  # IPython is typed in part
    def match(context: CompletionContext) -> dict[str, Any]:
        before = context.full_text.split("\n")[: context.cursor_line]
        after = context.line_with_cursor[context.cursor_position :]
        # A cell command is on the first line; the lines below are text.
        line = "" if _is_text(before) else context.text_until_cursor
        word, found = complete(line, after, shell.user_ns)
        return {
            "completions": [SimpleCompletion(text, type="option") for text in found],
            "matched_fragment": word,
            "suppress": True,
            "ordered": True,
        }

    return match  # type: ignore[no-any-return]  # as above


def complete(line: str, after: str, namespace: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the word at the cursor and its completions.

    Args:
        line: The line up to the cursor.
        after: The line from the cursor on.
        namespace: The user's variables.
    """
    call = CALL.fullmatch(line)
    options = COMMANDS.get(call[1]) if call else None
    if call is None or options is None:
        return "", []
    split = WORDS.fullmatch(call[2])
    earlier, word = split.groups() if split else (call[2], "")
    words: list[str] = []
    with suppress(ValueError):
        words = shlex.split(earlier)
    flag = words[-1] if words else ""
    mark = word[0] if word[:1] in {'"', "'"} else ""
    values = options.choices.get(flag) or _values(flag, words, namespace)
    if values is None:
        values = [*options.choices] if word.startswith("-") or not word else []
    begun = word.removeprefix(mark).casefold()
    fitting = [value for value in values if value.casefold().startswith(begun)]
    return word, [_quoted(value, mark, after) for value in fitting]


def _values(flag: str, words: Sequence[str], namespace: Mapping[str, Any]) -> Iterable[str] | None:
    """Return the values of the option before the cursor, or None if it has no list of values."""
    known = _vocabulary(words, namespace)
    field = flag.removeprefix("--")
    if flag == "--client":
        return [name for name, value in namespace.items() if _is_client(value) and name[0] != "_"]
    if flag == "--field":
        return _fields(words, known)
    values = SUGGESTED.get(field) if flag.startswith("--") else None
    return None if values is None else values(known, field)


def _fields(words: Sequence[str], known: Vocabulary) -> list[str]:
    try:
        form = known.template(_after("--template", words, ""))
    except InvalidArgument:
        return []
    return [f"{field.name}=" for field in form.fields if field != form.subject]


def _vocabulary(words: Sequence[str], namespace: Mapping[str, Any]) -> Vocabulary:
    client = namespace.get(_after("--client", words, "client"))
    return client.vocabulary if client is not None and _is_client(client) else Vocabulary()


def _is_client(value: object) -> bool:
    from inkframe.client import Client

    return isinstance(value, Client)


def _after(flag: str, words: Sequence[str], otherwise: str) -> str:
    return words[words.index(flag) + 1] if flag in words[:-1] else otherwise


def _quoted(value: str, mark: str, after: str) -> str:
    """Return a value as written on a line, with the open quotation mark."""
    if mark:
        return mark + value + ("" if after.startswith(mark) else mark)
    return f'"{value}"' if re.search(r"[\s']", value) else value


def _is_text(before: Sequence[str]) -> bool:
    """Return whether the lines above the cursor start with a cell command, so that this line is its text."""
    return next((line for line in before if line.strip()), "").startswith("%%")
