"""Every regular expression of the packages takes linear time, whatever text a service or a person sends."""

from __future__ import annotations

import ast
import importlib
import re
import signal
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parents[1] / "src"
ANCHORED = ("match", "fullmatch")
SCANNING = ("search", "sub", "subn", "split", "findall", "finditer")
FUNCTIONS = {"compile", *ANCHORED, *SCANNING}
#: The position of the flags in calls of functions that have them elsewhere than behind the text.
FLAGS = {"compile": 1, "split": 3, "sub": 4, "subn": 4}
#: What stands in an f-string for a value that only the run time knows.
ANY_VALUE = "word"
#: Patterns that people pass themselves.
FROM_PEOPLE = {("inkframe/deciding/scorers.py", "pattern")}
#: The lengths of hostile texts; at the longest, a time below the floor in seconds is never quadratic.
LENGTHS, LONGEST, FLOOR = (24, 400), 12_000, 0.015
#: The processor time in seconds after which all searches with one pattern are stopped.
STOPPED = 1
#: The part of the floor that the shorter texts may take, and the most that twice the text may take.
SHORT, RATIO = 4, 3.0
#: Characters besides those of a pattern.
USUAL = " a0"
#: The parser of the standard library.
PARSER = importlib.import_module("re._parser")
LOOPS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
ONE = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}
CATEGORIES = {"DIGIT": "0", "SPACE": " ", "WORD": "a"}


class Pattern(NamedTuple):
    """A pattern, its flags, and the functions that use it."""

    place: str
    text: str | bytes
    flags: int
    functions: frozenset[str]


class Module(NamedTuple):
    """A module: its path, its syntax tree with the parent of each node, and its names."""

    path: str
    tree: ast.Module
    parents: dict[ast.AST, ast.AST]
    names: dict[str, object]

    def above(self, node, *kinds):
        """Yield the nodes of some kinds around a node, the innermost first."""
        while (node := self.parents.get(node)) is not None:
            if isinstance(node, kinds):
                yield node

    def value(self, node):
        """Return the value of an expression of constants of the module."""
        expression = ast.fix_missing_locations(ast.Expression(node))
        return eval(compile(expression, self.path, "eval"), {**self.names})  # noqa: S307  # our own source


def module(path):
    """Read a module of the packages."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parents = {inner: node for node in ast.walk(tree) for inner in ast.iter_child_nodes(node)}
    parts = path.relative_to(SOURCE).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(path.relative_to(SOURCE).as_posix(), tree, parents, {**vars(importlib.import_module(name))})


def is_call(node):
    """Return whether a node calls a function of ``re`` that takes a pattern."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in FUNCTIONS
    )


@cache
def collected():
    """Return every pattern of the source, and the expressions of those that only the run time knows."""
    patterns, unknown = [], set()
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    everything = "\n".join(sources.values())
    for path in (path for path, text in sources.items() if re.search(r"^import re$", text, re.MULTILINE)):
        this = module(path)
        for node in filter(is_call, ast.walk(this.tree)):
            function = node.func.attr
            given = [each.value for each in node.keywords if each.arg == "flags"]
            given += node.args[FLAGS.get(function, 2) :][:1]
            functions = {function}
            if function == "compile":
                target = getattr(this.parents[node], "target", None)
                name = getattr(target, "id", "")
                used = set(re.findall(rf"\b{name}\.(\w+)\(", everything)) if name else set()
                functions = used & FUNCTIONS or {"search", "fullmatch"}
            flags = int(this.value(given[0])) if given and ast.unparse(given[0]) != "flags" else 0
            for text in texts(this, node, node.args[0]):
                if text is None:
                    unknown.add((this.path, ast.unparse(node.args[0])))
                else:
                    place = f"{this.path}:{node.lineno}"
                    patterns.append(Pattern(place, text, flags, frozenset(functions)))
    return patterns, unknown


def texts(this, call, node):
    """Yield the values that a pattern has; None if only the run time knows them."""
    if isinstance(node, ast.JoinedStr):
        return ["".join(part(this, each) for each in node.values)]
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.escape":
        return [ANY_VALUE]
    try:
        return [this.value(node)]
    except NameError:
        return [*looped(this, call, node), *passed(this, call, node)] or [None]


def looped(this, call, node):
    """Yield the values of a name that a loop around a call gives it."""
    for loop in this.above(call, ast.For, ast.GeneratorExp, ast.ListComp):
        for each in [loop] if isinstance(loop, ast.For) else loop.generators:
            names = [name.id for name in ast.walk(each.target) if isinstance(name, ast.Name)]
            if isinstance(node, ast.Name) and node.id in names:
                values = this.value(each.iter)
                yield from values if len(names) == 1 else [value[names.index(node.id)] for value in values]


def passed(this, call, node):
    """Yield the values of a parameter that other functions of the module pass."""
    function = next(this.above(call, ast.FunctionDef), None)
    names = [each.arg for each in function.args.args] if function else []
    at = names.index(node.id) if isinstance(node, ast.Name) and node.id in names else None
    for each in ast.walk(this.tree) if at is not None else ():
        if isinstance(each, ast.Call) and getattr(each.func, "id", "") == function.name:
            yield from texts(this, each, each.args[at])


def part(this, node):
    """Return a part of an f-string, or another word for a value that only the run time knows."""
    if isinstance(node, ast.Constant):
        return node.value
    try:
        return str(this.value(node.value))
    except (NameError, AttributeError, KeyError, TypeError):
        return ANY_VALUE


# The characters of a pattern


def holds(parsed, char):
    """Return whether a part of a pattern for one character matches it."""
    (op, given) = parsed
    kind = str(op)
    if kind in {"LITERAL", "NOT_LITERAL"}:
        return (ord(char) == given) is (kind == "LITERAL")
    if kind == "ANY":
        return char != "\n"
    if kind == "RANGE":
        return given[0] <= ord(char) <= given[1]
    if kind == "CATEGORY":
        name = str(given).removeprefix("CATEGORY_")
        escape = rf"\{name.removeprefix('NOT_')[0].lower()}"
        return (re.fullmatch(escape, char) is None) is name.startswith("NOT_")
    members = [each for each in given if str(each[0]) != "NEGATE"]
    return any(holds(each, char) for each in members) is (len(members) == len(given))


def inside(op, given):
    """Return the parts of a pattern within one of its parts."""
    kind = str(op)
    if kind == "BRANCH":
        return given[1]
    at = {"SUBPATTERN": 3, "ASSERT": 1, "ASSERT_NOT": 1} | dict.fromkeys(LOOPS, 2)
    return [given] if kind == "ATOMIC_GROUP" else [given[at[kind]]] if kind in at else []


def characters(parsed):
    """Yield the characters of a pattern: both ends of its ranges, and one for each category."""
    for op, given in parsed:
        kind = str(op)
        if kind in {"LITERAL", "NOT_LITERAL"}:
            yield chr(given)
        elif kind == "RANGE":
            yield from map(chr, given)
        elif kind == "CATEGORY":
            yield CATEGORIES[str(given).removeprefix("CATEGORY_").removeprefix("NOT_")]
        elif kind == "IN":
            yield from characters(given)
        for each in inside(op, given):
            yield from characters(each)


def example(parsed, alphabet):
    """Return a short text that matches a pattern, without what it looks ahead for."""
    found = ""
    for op, given in parsed:
        kind = str(op)
        if kind in ONE:
            found += next((each for each in alphabet if holds((op, given), each)), "a")
        elif kind in LOOPS:
            found += example(given[2], alphabet) * min(max(given[0], 1), 40)
        elif not kind.startswith("ASSERT"):
            found += "".join(example(each, alphabet) for each in inside(op, given)[:1])
    return found


def loops(parsed, alphabet, before=""):
    """Yield a text that leads to each loop of a pattern, and the texts that go once around."""
    for at, (op, given) in enumerate(parsed):
        here = before + example(parsed[:at], alphabet)
        if str(op) in LOOPS and given[1] > SHORT:
            body = list(given[2])
            if len(body) == 1 and str(body[0][0]) in ONE:
                yield here, [each for each in alphabet if holds(body[0], each)]
            else:
                turned = (alphabet[at:] + alphabet[:at] for at in range(len(alphabet)))
                yield here, list(dict.fromkeys(example(body, each) for each in turned))
        for each in inside(op, given):
            yield from loops(list(each), alphabet, here)


def hostile(pattern):
    """Yield the beginning, the repeated part and the end of texts that make a pattern try again and again."""
    parsed = list(PARSER.parse(pattern.text, pattern.flags))
    alphabet = "".join(dict.fromkeys([*characters(parsed), *USUAL]))
    found = [("", each, end) for each in [*alphabet[:16], example(parsed, alphabet)] for end in ("", "\0")]
    for before, parts in loops(parsed, alphabet):
        found += [("", before, "\0")]
        for each in parts:
            found += [(before, each, end) for end in ("", "\0", " \0")]
            found += [("", before + each, "\0"), (before, before[-1:] + each, "\0")]
    return [each for each in dict.fromkeys(found) if each[1]]


class TooLongError(Exception):
    """The searches with a pattern were stopped."""


def seconds(search, text):
    """Return the processor time of a search."""
    began = time.process_time()
    search(text)
    return time.process_time() - began


def is_linear(search, make):
    """Return whether a search of twice the text takes about twice the time, beyond a floor."""
    if any(seconds(search, make(length)) > SHORT * FLOOR for length in LENGTHS):
        return False
    if seconds(search, make(LONGEST)) < FLOOR:
        return True
    half, whole = (min(seconds(search, make(length)) for _ in range(3)) for length in (LONGEST // 2, LONGEST))
    return whole < FLOOR or whole <= RATIO * half


def searches(pattern):
    """Return how a pattern is used; all that search go through the whole text."""
    compiled = re.compile(pattern.text, pattern.flags)
    found = [getattr(compiled, each) for each in ANCHORED if each in pattern.functions]
    if not pattern.functions.isdisjoint(SCANNING):
        found.append(lambda text: sum(1 for _ in compiled.finditer(text)))
    return found


def slow_text(pattern):
    """Return a hostile text for which a pattern takes more than linear time, or None."""

    def stop(*_):
        raise TooLongError

    parts = ()

    def make(length):
        before, repeated, end = parts
        text = before + repeated * max(1, length // len(repeated)) + end
        return text.encode("utf-8", "replace") if isinstance(pattern.text, bytes) else text

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, STOPPED)
    try:
        for parts in hostile(pattern):
            if not all(is_linear(search, make) for search in searches(pattern)):
                return parts
    except TooLongError:
        return parts
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        # Its default would end the process, and one signal may still be on its way.
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
    return None


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a slow search cannot be stopped here")
@pytest.mark.integration
def test_patterns_take_linear_time():
    """Each pattern of the source takes about twice the time for twice the text, whatever its characters."""
    patterns, _ = collected()
    assert len(patterns) > 150
    assert not {pattern[:2]: found for pattern in patterns if (found := slow_text(pattern))}


def test_patterns_are_known():
    """Each pattern can be read from the source, unless a person passes it; no other library searches."""
    _, unknown = collected()
    assert unknown == FROM_PEOPLE
    sources = [path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")]
    assert not [each for each in sources if re.search(r"from re import|import regex|import re as", each)]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a slow search cannot be stopped here")
@pytest.mark.integration
@pytest.mark.parametrize(
    ("text", "function"),
    [
        (r"(?:a|b)[A-Z\s]*={0,2}\s*\Z", "match"),
        (r"<[^>]*>", "findall"),
        (r"(?:x+)+y", "fullmatch"),
        (r"\br=0\b.*?\bt=(\d+)", "search"),
    ],
)
def test_slow_patterns_are_found(text, function):
    """Patterns that take quadratic, cubic or exponential time are found to do so."""
    assert slow_text(Pattern("", text, 0, frozenset({function})))
