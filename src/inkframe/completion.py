"""Completion of allowed values inside the quotes of a call: ``client.images.list(style="po<Tab>``.

Only names of the user are looked up, and attributes of objects of this package; nothing is called or evaluated.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from inspect import Parameter, signature, unwrap
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from inkframe.schema import RESOURCES
from inkframe.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from IPython.core.completer import CompletionContext
    from IPython.core.interactiveshell import InteractiveShell

    from inkframe.schema import FieldType

__all__ = ["SUGGESTED", "complete_value", "register"]

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
#: Whitespace, and the backslash that continues a line.
BLANK: Final = " \t\n\\"
PAIRS: Final = {")": "(", "]": "[", "}": "{"}
WORD: Final = re.compile(r"(\w+)\s*$")
KEYWORD: Final = re.compile(r"(?:\s|#[^\n]*\n)*(\w+)\s*=(?!=)")
COMPARED: Final = re.compile(r"\s*[=!]=\s*$")
LITERAL: Final = re.compile(r"Literal(\[[^\]]*\])")
QUOTE: Final = re.compile(r"\"\"\"|'''|\"|'")


@dataclass(slots=True)
class Bracket:
    """An open bracket: its position, where the current item begins, and the number of items before it."""

    position: int
    start: int
    items: int = 0


@dataclass(slots=True)
class OpenString:
    """A string literal that ends at the cursor.

    Args:
        text: What was typed since the quotation mark.
        before: The code before it.
        brackets: The brackets that are open, the innermost last.
        closed: The position of the opening bracket of each closed one.
    """

    text: str
    before: str
    brackets: list[Bracket]
    closed: dict[int, int]


def register(shell: InteractiveShell) -> None:
    """Register the completion in a shell, once."""
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher(identifier=__name__)  # type: ignore[untyped-decorator]  # IPython is typed in part
    def match(context: CompletionContext) -> dict[str, Any]:
        above = context.full_text.split("\n")[: context.cursor_line]
        code = "\n".join([*above, context.line_with_cursor[: context.cursor_position]])
        try:
            typed, values = complete_value(code, shell.user_ns)
        except Exception:  # noqa: BLE001  # IPython would print the traceback into the cell that is being typed
            typed, values = "", []
        return {
            "completions": [SimpleCompletion(value, type="value") for value in values],
            "matched_fragment": typed,
            "suppress": bool(values),
            "ordered": True,
        }

    # IPython before 8.6 has no matchers.
    matchers = getattr(shell.Completer, "custom_matchers", None)
    if matchers is not None and __name__ not in {getattr(e, "matcher_identifier", "") for e in matchers}:
        matchers.append(match)


def complete_value(code: str, namespace: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return what was typed since the quotation mark, and the values that continue it.

    Args:
        code: The code up to the cursor.
        namespace: The user's variables.
    """
    place = _open_string(code)
    if place is None:
        return "", []
    typed = place.text.casefold()
    values = _compared(place, namespace) or _argument(place, namespace)
    return place.text, [value for value in dict.fromkeys(values) if value.casefold().startswith(typed)]


def _open_string(code: str) -> OpenString | None:
    """Return the string literal at the end of the code, or None if the code ends outside of one."""
    brackets: list[Bracket] = []
    closed: dict[int, int] = {}
    at = 0
    while at < len(code):
        mark = code[at]
        if quote := QUOTE.match(code, at):
            end = _end_of_string(code, quote.end(), quote[0])
            if end is None:
                return OpenString(code[quote.end() :], code[:at], brackets, closed)
            at = end
            continue
        if mark == "#":
            at = code.find("\n", at) + 1 or len(code)
            continue
        if mark in "([{":
            brackets.append(Bracket(at, at + 1))
        elif mark in PAIRS and brackets and code[brackets[-1].position] == PAIRS[mark]:
            closed[at] = brackets.pop().position
        elif mark == "," and brackets:
            brackets[-1].start = at + 1
            brackets[-1].items += 1
        at += 1
    return None


def _end_of_string(code: str, at: int, quote: str) -> int | None:
    """Return the position after a string literal, or None if it is open at the end of the code."""
    while at < len(code):
        if code[at] == "\\":
            at += 2
        elif code.startswith(quote, at):
            return at + len(quote)
        elif code[at] == "\n" and len(quote) == 1:
            return at  # unfinished, on a line above the cursor
        else:
            at += 1
    return None


def _argument(place: OpenString, namespace: Mapping[str, Any]) -> Sequence[str]:
    """Return the values of the argument of a call of this package that a string literal is written for."""
    code = place.before
    call = next((each for each in reversed(place.brackets) if _is_call(code, each)), None)
    if call is None:
        return ()
    steps = _chain(code, call.position, place.closed)
    if steps[-1:] == ["isin"]:
        return _column(steps[:-1], namespace)
    passed = _resolve(steps, namespace)
    called = passed[-1] if passed else None
    if not callable(called) or not _is_ours(called):
        return ()
    keyword = KEYWORD.match(code, call.start)
    taken = [each for each in signature(called).parameters.values() if each.name != "self"]
    if keyword:
        wanted = next((each for each in taken if each.name == keyword[1]), None)
    else:
        first = [each for each in taken if each.kind is not Parameter.KEYWORD_ONLY]
        wanted = first[call.items] if call.items < len(first) else None
    if wanted is None:
        return ()
    if wanted.name in SUGGESTED:
        known = _vocabulary([*passed, *_names(code[call.position + 1 :], namespace)])
        return SUGGESTED[wanted.name](known, wanted.name)
    literal = LITERAL.search(str(wanted.annotation))
    return [each for each in ast.literal_eval(literal[1]) if isinstance(each, str)] if literal else ()


def _compared(place: OpenString, namespace: Mapping[str, Any]) -> Sequence[str]:
    """Return the values of the column that a string literal is compared with: ``images["style"] == "an``."""
    operator = COMPARED.search(place.before)
    if operator is None:
        return ()
    return _column(_chain(place.before, operator.start(), place.closed), namespace)


def _column(steps: Sequence[str], namespace: Mapping[str, Any]) -> Sequence[str]:
    """Return the categories of a column of a frame, or the values of the field with its name."""
    frame = namespace.get(steps[0]) if len(steps) == 2 else None
    if frame is None or not hasattr(frame, "columns") or steps[1] not in frame.columns:
        return ()
    column = frame[steps[1]]
    if hasattr(column, "cat"):
        return [each for each in column.cat.categories if isinstance(each, str)]
    return SUGGESTED[steps[1]](Vocabulary(), steps[1]) if steps[1] in SUGGESTED else ()


def _is_call(code: str, bracket: Bracket) -> bool:
    before = code[: bracket.position].rstrip()
    return code[bracket.position] == "(" and bool(before) and (before[-1].isalnum() or before[-1] in "_)]")


def _chain(code: str, end: int, closed: Mapping[int, int]) -> list[str]:
    """Return the names of an expression that ends at a position; ``()`` denotes a call."""
    steps: list[str] = []
    while True:
        end = len(code[:end].rstrip(BLANK))
        if end and (begin := closed.get(end - 1)) is not None:
            inside = code[begin + 1 : end - 1].strip()
            steps.append("()" if code[begin] == "(" else inside.strip("\"'"))
            end = begin
            continue
        word = WORD.search(code, 0, end)
        if word is None:
            return []
        steps.append(word[1])
        end = len(code[: word.start()].rstrip(BLANK))
        if not code[:end].endswith("."):
            return steps[::-1]
        end -= 1


def _resolve(steps: Sequence[str], namespace: Mapping[str, Any]) -> list[Any]:
    """Return the objects along an expression; empty if it cannot be known without evaluating it."""
    if not steps or steps[0] not in namespace:
        return []
    found = [namespace[steps[0]]]
    for step in steps[1:]:
        here = found[-1]
        if not _is_ours(here):
            return []
        after = _returned(here) if step == "()" else _attribute(here, step)
        if after is None:
            return []
        found.append(after)
    return found


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


def _names(arguments: str, namespace: Mapping[str, Any]) -> list[Any]:
    """Return the user's variables that are named in the arguments of a call."""
    return [namespace[name] for name in re.findall(r"\b\w+\b", arguments) if name in namespace]


def _vocabulary(passed: Sequence[Any]) -> Vocabulary:
    """Return the vocabulary of the nearest object that has one, or that of the interface."""
    for each in reversed(passed):
        known = each if isinstance(each, Vocabulary) else getattr(each, "vocabulary", None)
        if _is_ours(each) and isinstance(known, Vocabulary):
            return known
    return Vocabulary()
