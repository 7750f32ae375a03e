"""Completion of allowed values inside the quotes of a call: ``client.images.list(style="po<Tab>``.

Of the user's variables the columns of frames are read, and attributes only of objects of this package; nothing is
called or evaluated.
"""

from __future__ import annotations

import ast
import re
import sys
from contextlib import suppress
from inspect import Parameter, signature, unwrap
from io import StringIO
from itertools import accumulate
from tokenize import COMMENT, DEDENT, INDENT, NAME, NL, STRING, TokenError, TokenInfo, generate_tokens
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final
from warnings import catch_warnings

from inkframe.schema import RESOURCES, FieldType
from inkframe.versions import has_matchers
from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from IPython.core.completer import CompletionContext
    from IPython.core.interactiveshell import InteractiveShell

__all__ = ["SUGGESTED", "add_matcher", "complete_value", "register"]

#: The suggested values of a field, by its type.
BY_TYPE: Final[dict[FieldType, Callable[[Vocabulary, str], Sequence[str]]]] = {
    "choice": Vocabulary.codes,
    "label": Vocabulary.labels,
    "number": lambda known, field: (*known.codes(field), *known.labels(field)),
}
#: The same for each field with a list of values.
SUGGESTED: Final = {
    field.name: BY_TYPE[field.type]
    for spec in RESOURCES.values()
    for field in spec.fields
    if field.vocabulary and field.type in BY_TYPE
}
LITERAL: Final = re.compile(r"Literal(\[[^\]]*\])")
#: A line above the cursor that is no Python, such as ``!echo it's``.
COMMAND: Final = re.compile(r"^[ \t]*[!%].*\n", re.MULTILINE)
QUOTES: Final = ('"', "'", '"""', "'''")
BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
SKIPPED: Final = {NL, COMMENT, INDENT, DEDENT}
#: The name that stands for the string literal at the cursor.
CURSOR: Final = "__cursor__"


def register(shell: InteractiveShell) -> None:
    """Register the completion in a shell, once."""

    def find(context: CompletionContext) -> tuple[str, list[str]]:
        above = context.full_text.split("\n")[: context.cursor_line]
        code = "\n".join([*above, context.line_with_cursor[: context.cursor_position]])
        return complete_value(code, shell.user_ns)

    add_matcher(shell, __name__, "value", find)


def add_matcher(
    shell: InteractiveShell,
    identifier: str,
    kind: str,
    find: Callable[[CompletionContext], tuple[str, list[str]]],
) -> None:
    """Add a source of completions to a shell, once; IPython before 8.6 takes none.

    Args:
        shell: The shell.
        identifier: Its name in the shell.
        kind: The type of its completions, which the front end shows.
        find: Returns the text that is completed, and its completions.
    """
    if not has_matchers():
        return
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher(identifier=identifier)  # type: ignore[untyped-decorator]  # IPython is typed in part
    def match(context: CompletionContext) -> dict[str, Any]:
        try:
            typed, found = find(context)
        except Exception:  # noqa: BLE001  # IPython would print the traceback into the cell that is being typed
            typed, found = "", []
        return {
            "completions": [SimpleCompletion(text, type=kind) for text in found],
            "matched_fragment": typed,
            "suppress": bool(found),
            "ordered": True,
        }

    matchers = getattr(shell.Completer, "custom_matchers", None)
    if matchers is not None and identifier not in {getattr(e, "matcher_identifier", "") for e in matchers}:
        matchers.append(match)


def complete_value(code: str, namespace: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return what was typed since the quotation mark, and the values that continue it.

    Args:
        code: The code up to the cursor.
        namespace: The user's variables.
    """
    with catch_warnings(action="ignore"):
        typed, compared, call = _open_string(COMMAND.sub("\n", code))
    values = _column(compared, namespace) or _argument(call, namespace)
    begun = typed.casefold()
    return typed, [value for value in dict.fromkeys(values) if value.casefold().startswith(begun)]


def _open_string(code: str) -> tuple[str, ast.expr | None, ast.expr | None]:
    """Return the text of the string literal at the end of the code, what it is compared with, and its call."""
    line = code[code.rfind("\n") + 1 :]
    tried = {quote: _tokens(code, quote) for quote in QUOTES if quote in (line if len(quote) == 1 else code)}
    quote = min((each for each in tried if tried[each]), key=lambda each: tried[each][-1].start, default="")
    if not quote:
        return "", None, None
    tokens = tried[quote]
    lines = [0, *accumulate(map(len, StringIO(code)))]
    places = [lines[token.start[0] - 1] + token.start[1] for token in tokens]
    #: For each token, the first one of the expression that it continues, such as a chain of attributes.
    first: list[int] = []
    opened: list[int] = []
    for at, token in enumerate(tokens):
        before = tokens[at - 1]
        if token.string in BRACKETS.values() and opened:
            first.append(first[opened.pop()])
            continue
        is_operand = before.type == NAME or before.string in {")", "]"}
        goes_on = "." in {token.string, before.string} or (token.string in {"(", "["} and is_operand)
        first.append(first[-1] if at and goes_on else at)
        if token.string in BRACKETS:
            opened.append(at)
    compared = call = None
    if len(tokens) > 2 and tokens[-2].string in {"==", "!="}:
        compared = _parsed(code[places[first[-3]] : places[-2]])
    closing = ""
    for at in reversed(opened):
        closing += BRACKETS[tokens[at].string]
        if tokens[at].string == "(" and first[at] < at:
            call = _parsed(f"{code[places[first[at]] : places[-1]]} {CURSOR}{closing}")
            break
    return tokens[-1].string.removesuffix(quote).partition(quote)[2], compared, call


def _tokens(code: str, quote: str) -> list[TokenInfo]:
    """Return the tokens of the code if the quotation mark ends a string literal at its end, else none."""
    lines = [*StringIO(code + quote)]
    end = len(lines), len(lines[-1])
    tokens: list[TokenInfo] = []
    with suppress(TokenError, SyntaxError):
        for token in generate_tokens(iter(lines).__next__):
            if token.type not in SKIPPED:
                tokens.append(token)
            if token.end == end:
                is_string = token.type == STRING and len(token.string) > len(quote)
                return tokens if is_string else []
    return []


def _parsed(expression: str) -> ast.expr | None:
    with suppress(SyntaxError):
        return ast.parse(f"({expression})", mode="eval").body
    return None


def _argument(call: ast.expr | None, namespace: Mapping[str, Any]) -> Sequence[str]:
    """Return the values of the last argument of a call of this package."""
    if not isinstance(call, ast.Call):
        return ()
    if isinstance(call.func, ast.Attribute) and call.func.attr == "isin":
        return _column(call.func.value, namespace)
    passed = _resolve(call.func, namespace)
    called = passed[-1] if passed else None
    if not callable(called) or not _is_ours(called):
        return ()
    taken = [each for each in signature(called).parameters.values() if each.name != "self"]
    if call.keywords:
        wanted = next((each for each in taken if each.name == call.keywords[-1].arg), None)
    else:
        first = [each for each in taken if each.kind is not Parameter.KEYWORD_ONLY]
        wanted = first[len(call.args) - 1] if len(call.args) <= len(first) else None
    if wanted is None:
        return ()
    if wanted.name in SUGGESTED:
        arguments = ast.walk(ast.Tuple([*call.args, *(each.value for each in call.keywords)]))
        named = [namespace.get(each.id) for each in arguments if isinstance(each, ast.Name)]
        return SUGGESTED[wanted.name](_vocabulary([*passed, *named]), wanted.name)
    literal = LITERAL.search(str(wanted.annotation))
    return [each for each in ast.literal_eval(literal[1]) if isinstance(each, str)] if literal else ()


def _column(node: ast.expr | None, namespace: Mapping[str, Any]) -> Sequence[str]:
    """Return the categories of a column of a frame, or the values of the field with its name."""
    match node:
        case (
            ast.Subscript(value=ast.Name(id=frame), slice=ast.Constant(value=str(name)))
            | ast.Attribute(value=ast.Name(id=frame), attr=name)
        ) if name in getattr(namespace.get(frame), "columns", ()):
            column = namespace[frame][name]
            if hasattr(column, "cat"):
                return [each for each in column.cat.categories if isinstance(each, str)]
            return SUGGESTED[name](Vocabulary(), name) if name in SUGGESTED else ()
    return ()


def _resolve(node: ast.expr, namespace: Mapping[str, Any]) -> list[Any]:
    """Return the objects along an expression; empty if it cannot be known without evaluating it."""
    match node:
        case ast.Name(id=name):
            return [namespace[name]] if name in namespace else []
        case ast.Attribute(value=owner) | ast.Call(func=owner):
            passed = _resolve(owner, namespace)
            if passed and _is_ours(passed[-1]):
                here = passed[-1]
                after = _attribute(here, node.attr) if isinstance(node, ast.Attribute) else _returned(here)
                return [] if after is None else [*passed, after]
    return []


def _attribute(owner: Any, name: str) -> Any:
    """Return an attribute of an object; of a class also the class of an attribute of its instances."""
    annotations = getattr(owner, "__annotations__", {}) if isinstance(owner, type) else {}
    if name in annotations:
        return getattr(sys.modules[owner.__module__], annotations[name], None)
    return getattr(owner, name, None)


def _returned(called: Any) -> Any:
    """Return the class of what a call returns, by its annotation."""
    if isinstance(called, type):
        return called
    function = unwrap(called)
    annotation = getattr(function, "__annotations__", {}).get("return")
    return getattr(function, "__globals__", {}).get(annotation)


def _is_ours(value: Any) -> bool:
    if isinstance(value, ModuleType):
        name = value.__name__
    else:
        name = getattr(value, "__module__", None) or type(value).__module__
    return name.partition(".")[0] == __name__.partition(".")[0]


def _vocabulary(passed: Sequence[Any]) -> Vocabulary:
    """Return the vocabulary of the nearest object that has one, or that of the interface."""
    for each in filter(_is_ours, reversed(passed)):
        known = each if isinstance(each, Vocabulary) else getattr(each, "vocabulary", None)
        if isinstance(known, Vocabulary):
            return known
    return Vocabulary()
