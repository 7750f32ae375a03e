"""Count what the structure of the source is judged by, and print one table.

Run by hand: ``python -m tests.benchmarks.measure_structure``; ``--list`` also names every place that was counted,
``--tests`` counts the tests too, which takes pytest some seconds. Another ``--source`` measures another clone.

Each line of the table is one number:

looks together
    Modules with a line that names style, medium and filter. Not counted are the schema, the store of the embedded
    service, the engines and the service for tests: they have a reason to.
two-way branches
    Decisions that ask for one of images and documents and treat whatever else comes as the other: an ``if`` with an
    else or with code that it returns before, a conditional expression, a ``match`` with such a last case, a filter
    of a comprehension with a not, an ``or`` that falls back on one of them. An else that is None, or that refuses,
    does not count. What is asked is the name, the schema's or the
    record's class, a field that only one of them has, or ``is_document``.
    Modules that draw with ``PIL.Image`` are passed over, and so are the engines; the next line counts those of the
    service for tests.
  by whether records have a picture
    Decisions by ``has_picture``, which the schema derives: no fault, but what a third kind of record is checked by.
import cycles
    Groups of modules that import each other, imports inside functions and by string included. A string counts where
    ``import_module`` is given it.
  by lazy tables
    The same with the entries of tables such as ``_MODULES``, which import a name when it is first used, with commands
    that are imported by their names, and with entry points such as ``inkframe.service.engines.openai:OpenAI``.
  for types only
    The same with imports under ``TYPE_CHECKING``, but without the lazy tables.
noqa
    Comments that switch off a rule, by the rule; one for a whole file counts once. Then the rules that
    ``per-file-ignores`` switch off for files of the source.
statements
    Nodes of the syntax tree that are statements, docstrings among them, without the demo engine and the service for
    tests. The next lines count them without docstrings, and the characters of the docstrings.
longest file, median file, files
    Lines of Python files, and how many there are.
class names defined twice
    Names that more than one class of the source has.
small files with one importer
    Files under 60 lines that one other file imports: candidates for a merge. Packages and entry points aside.
docstrings that open with Give, Say, Tell or Hold
    As the words say.
tests
    By marker, as pytest collects them.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import statistics
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOOKS = ("style", "medium", "filter")
#: What one of the two is called: its names, the schema's and its record's.
ONE = {"images", "documents", "image", "document", "IMAGES", "DOCUMENTS", "Image", "Document"}
#: Fields that only one of the two has.
OWN_FIELDS = {"description", "picture_url", "prompt", "result"}
PREDICATES = {"is_document", "is_image"}
#: The tables that packages import their public names by.
LAZY_TABLES = {"_HOMES", "_MODULES", "_PACKAGES"}
OPENINGS = ("Give", "Say", "Tell", "Hold")
SMALL = 60
MARKERS = ("integration", "browser", "notebook", "install")


class Module:
    """One file of the source.

    Args:
        path: The file.
        source: The folder that the package is in.
    """

    def __init__(self, path, source):
        self.path = path.relative_to(source).as_posix()
        parts = path.relative_to(source).with_suffix("").parts
        self.is_package = parts[-1] == "__init__"
        self.name = ".".join(parts[:-1] if self.is_package else parts)
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.tree = ast.parse(self.text)
        for parent in ast.walk(self.tree):
            for child in ast.iter_child_nodes(parent):
                child.parent = parent

    def under(self, *places):
        """Whether it is in one of these folders, or one of these files."""
        inside = self.path.partition("/")[2]
        return any(inside == place or inside.startswith(f"{place}/") for place in places)

    def place(self, node):
        """Return where a node is, as editors open it."""
        return f"{self.path}:{node.lineno}"

    @property
    def docstrings(self):
        """The docstrings of the module, its classes and its functions."""
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, kinds)]
        return [text for node in nodes if (text := ast.get_docstring(node))]


# Branches


def asks_for_one(node):
    """Whether an expression asks for one of images and documents, by name, class or field."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            sides = {word(left), word(right)} - {None}
            if isinstance(op, ast.In | ast.NotIn) and isinstance(left, ast.Constant):
                return left.value in OWN_FIELDS
            return len(sides & ONE) == 1 and isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot)
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]):
            return word(kind) in ONE
        case ast.Call(func=ast.Name(id=name)) if name in PREDICATES:
            return True
        case ast.BoolOp(values=values):
            return any(asks_for_one(value) for value in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return asks_for_one(operand)
    return False


def asks_for_others(node):
    """Whether an expression asks for whatever is not one of the two."""
    match node:
        case ast.UnaryOp(op=ast.Not()) | ast.Compare(ops=[ast.NotEq() | ast.IsNot()]):
            return asks_for_one(node)
    return False


def word(node):
    """Return the name or text of an expression; ``IMAGES.name`` is ``IMAGES``."""
    match node:
        case ast.Constant(value=str(value)):
            return value
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=name)) if name in ONE:
            return name
    return None


def has_other_way(node):
    """Whether a statement has an else, or leaves its block before statements that are one."""
    if isinstance(node, ast.If) and node.orelse:
        return True
    body = node.body if isinstance(node, ast.If) else node.cases[-1].body
    if not isinstance(body[-1], ast.Return | ast.Raise | ast.Continue):
        return False
    blocks = (getattr(node.parent, name, []) for name in ("body", "orelse"))
    after = [block[block.index(node) + 1 :] for block in blocks if isinstance(block, list) and node in block]
    return any(block and not refuses(block[0]) for block in after)


def refuses(node):
    """Whether a statement raises, or returns nothing."""
    return isinstance(node, ast.Raise) or (isinstance(node, ast.Return) and is_none(node.value))


def is_none(node):
    """Whether an expression is None."""
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def matched_classes(node):
    """Return the classes that the cases of a match name, and whether a last case takes all others."""
    found = set()
    for case in node.cases:
        patterns = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
        found |= {word(pattern.cls) for pattern in patterns if isinstance(pattern, ast.MatchClass)}
        found |= {word(pattern.value) for pattern in patterns if isinstance(pattern, ast.MatchValue)}
    last = node.cases[-1].pattern
    return found - {None}, isinstance(last, ast.MatchAs) and last.pattern is None


def branches(module):
    """Return the two-way branches of a module."""
    found = set()
    for node in ast.walk(module.tree) if "from PIL import Image" not in module.text else ():
        match node:
            case ast.If(test=test):
                counts = asks_for_one(test) and has_other_way(node)
            case ast.IfExp(test=test, orelse=other):
                counts = asks_for_one(test) and not is_none(other)
            case ast.comprehension(ifs=tests):
                counts = any(asks_for_others(test) for test in tests)
            case ast.Match():
                classes, takes_others = matched_classes(node)
                counts = len(classes & ONE) == 1 and (takes_others or has_other_way(node))
            case ast.BoolOp(op=ast.Or(), values=[*_, ast.Constant(value=value)]):
                counts = value in ONE
            case ast.Call(func=ast.Name(id=name)) if name in PREDICATES:
                counts = True
            case _:
                continue
        if counts:
            found.add(module.place(node.iter if isinstance(node, ast.comprehension) else node))
    return sorted(found)


def picture_branches(module):
    """Return the decisions by whether records have a picture."""
    tests = [node.test for node in ast.walk(module.tree) if isinstance(node, ast.If | ast.IfExp)]
    return [module.place(test) for test in tests if "has_picture" in ast.dump(test)]


# Imports


def imports(module, names):
    """Return the modules that a module imports, as sets by kind: run time, strings, lazy, types.

    Args:
        module: The module.
        names: The name of every module.
    """
    found = defaultdict(set)
    for node in ast.walk(module.tree):
        match node:
            case ast.Import(names=aliases):
                found[kind_of(node)] |= {known(alias.name, names) for alias in aliases}
            case ast.ImportFrom(module=origin, names=aliases, level=0):
                wanted = [f"{origin}.{alias.name}" for alias in aliases]
                found[kind_of(node)] |= {name if name in names else known(origin, names) for name in wanted}
            case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=name)]):
                found["strings"].add(known(name, names))
            case ast.JoinedStr(values=[ast.Constant(value=start), _]) if start.count(".") > 1:
                found["lazy"] |= {name for name in names if name.rpartition(".")[0] == start[:-1]}
            case ast.Assign(targets=[ast.Name(id=name)], value=table) if name in LAZY_TABLES:
                words = [part.value for part in ast.walk(table) if isinstance(part, ast.Constant)]
                found["lazy"] |= {
                    f"{base}.{word}" for base in ("inkframe", module.name) for word in words
                } & names
            case ast.Constant(value=str(value)) if re.fullmatch(r"[\w.]+:\w+", value):
                found["lazy"] |= {value.partition(":")[0]} & names
    return {kind: those - {None, module.name} for kind, those in found.items()}


def kind_of(node):
    """Return whether an import is for type checkers only, or for run time."""
    while (node := getattr(node, "parent", None)) is not None:
        if isinstance(node, ast.If) and word(node.test) == "TYPE_CHECKING":
            return "types"
    return "run time"


def known(name, names):
    """Return the module that a dotted name is, or is in; None for another package's."""
    while name and name not in names:
        name = name.rpartition(".")[0]
    return name or None


def cycles(graph):
    """Return the groups of modules that import each other, by Tarjan's search."""
    order, lowest, stack, found = {}, {}, [], []

    def visit(name):
        order[name] = lowest[name] = len(order)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in order:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == order[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return sorted(found)


def cycles_of(edges, *kinds):
    """Return the cycles of imports of some kinds, each as one line."""
    graph = {name: set().union(*(those.get(kind, ()) for kind in kinds)) for name, those in edges.items()}
    return [f"{len(group)} modules: {', '.join(group)}" for group in cycles(graph)]


# Comments and tests


def switched_off(module):
    """Return the rules that comments switch off, each with its place."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type == tokenize.COMMENT and (said := re.search(r"noqa:?\s*([A-Z0-9, ]*)", token.string)):
            rules = re.findall(r"[A-Z]+[0-9]+", said[1]) or ["all"]
            found += [(rule, f"{module.path}:{token.start[0]}") for rule in rules]
    return found


def ignored_by_file(project):
    """Return the rules that the configuration switches off for files of the source."""
    lint = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    ignores = lint.get("per-file-ignores", {})
    return [
        f"{pattern}: {rule}"
        for pattern, rules in ignores.items()
        if pattern.startswith("src")
        for rule in rules
    ]


def count_tests(project, marker):
    """Return how many tests a marker has, as pytest collects them."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", marker]
    ran = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    said = re.search(r"(\d+)(?:/\d+)? tests? collected", ran.stdout)
    return int(said[1]) if said else 0


# The table


def statements(modules):
    """Return the statements, how many of them are docstrings, and the characters of all docstrings."""
    texts = [text for module in modules for text in module.docstrings]
    count = sum(isinstance(node, ast.stmt) for module in modules for node in ast.walk(module.tree))
    return count, len(texts), sum(map(len, texts))


def twice_defined(modules):
    """Return the names that more than one class has."""
    places = defaultdict(list)
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module.place(node))
    return [f"{name}: {', '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1]


def merge_candidates(modules, edges):
    """Return the small files that one other file imports."""
    importers = defaultdict(set)
    for name, those in edges.items():
        for other in set().union(*those.values()):
            importers[other].add(name)
    return [
        f"{module.path} ({len(module.lines)} lines, {', '.join(importers[module.name])})"
        for module in modules
        if len(module.lines) < SMALL and len(importers[module.name]) == 1 and not module.is_package
    ]


def measure(project):
    """Yield each measure: its name, its goal, its number, and the places that were counted."""
    source = project / "src"
    modules = [Module(path, source) for path in sorted(source.rglob("*.py"))]
    names = {module.name for module in modules}
    edges = {module.name: imports(module, names) for module in modules}
    own = [module for module in modules if not module.under("inkframe_demo")]

    together = [
        f"{module.path}:{number}"
        for module in modules
        if not module.under("schema.py", "service/store", "service/engines", "inkframe_demo")
        for number, line in enumerate(module.lines, 1)
        if all(look in line for look in LOOKS)
    ]
    yield (
        "modules that name style, medium, filter together",
        "<= 8",
        len({t.split(":")[0] for t in together}),
        together,
    )
    two_way = [place for module in own if not module.under("engines") for place in branches(module)]
    yield "branches 'images, else documents'", "<= 2", len(two_way), two_way
    places = [place for module in modules if module.under("testing") for place in branches(module)]
    yield "  in the service for tests", "", len(places), places
    by_picture = [place for module in own for place in picture_branches(module)]
    yield "  by whether records have a picture", "", len(by_picture), by_picture
    found = cycles_of(edges, "run time", "strings")
    yield "import cycles, strings included", "0", len(found), found
    found = cycles_of(edges, "run time", "strings", "lazy")
    yield "  by lazy tables too", "", len(found), found
    found = cycles_of(edges, "run time", "strings", "types")
    yield "  for types too", "", len(found), found

    off = [each for module in modules for each in switched_off(module)]
    yield (
        "noqa: SLF001",
        "<= 5",
        sum(rule == "SLF001" for rule, _ in off),
        [p for rule, p in off if rule == "SLF001"],
    )
    by_rule = Counter(rule for rule, _ in off)
    counted = [f"{rule}: {count}" for rule, count in by_rule.most_common()]
    yield "noqa, all rules", "", len(off), counted
    ignored = ignored_by_file(project)
    yield "  by file in the configuration", "", len(ignored), ignored

    count, docs, characters = statements(own)
    yield "statements, without demo engine and testing", "<= 14500", count, []
    yield "  without docstrings", "", count - docs, []
    yield "  characters of docstrings", "", characters, []
    lengths = sorted(((len(module.lines), module.path) for module in modules), reverse=True)
    yield "longest file", "<= 350", lengths[0][0], [f"{path}: {n}" for n, path in lengths if n > 350]
    yield "median file", "", int(statistics.median(n for n, _ in lengths)), []
    yield "files", "", len(modules), []
    found = twice_defined(modules)
    yield "class names defined twice", "", len(found), found
    found = merge_candidates(modules, edges)
    yield f"files under {SMALL} lines with one importer", "", len(found), found
    opened = Counter(text.split()[0] for module in modules for text in module.docstrings)
    counted = [f"{opening}: {opened[opening]}" for opening in OPENINGS]
    yield (
        f"docstrings that open with {', '.join(OPENINGS)}",
        "0",
        sum(opened[each] for each in OPENINGS),
        counted,
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", type=Path, default=ROOT, help="the clone to measure")
    parser.add_argument("--list", action="store_true", help="name every place that was counted")
    parser.add_argument("--tests", action="store_true", help="count the tests too")
    options = parser.parse_args()
    print(f"{'measure':52}{'goal':>10}{'now':>10}")
    for name, goal, now, places in measure(options.source):
        print(f"{name:52}{goal:>10}{now:>10}")
        for place in places if options.list else ():
            print(f"    {place}")
    if options.tests:
        unit = " and ".join(f"not {marker}" for marker in MARKERS)
        for name, marker in {"unit tests": unit, **{f"tests: {each}": each for each in MARKERS}}.items():
            print(f"{name:52}{'':>10}{count_tests(options.source, marker):>10}")


if __name__ == "__main__":
    main()
