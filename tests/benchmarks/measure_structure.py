"""Count what the structure of the source is judged by, and print one table beside ``structure.toml``, its budgets.

Run by hand: ``python -m tests.benchmarks.measure_structure``; ``--list`` also names every place that was counted,
``--wheel`` builds the wheel, ``--tests`` lets pytest count the tests. Another ``--source`` measures another clone,
with the environment that runs this script. ``tests/test_structure.py`` fails above a budget.

statements, files, lines
    Of ``src/inkframe``: nodes of the syntax tree that are statements, docstrings not counted.
files and calls of a create, a list and a whole listing
    Traced at run time by ``sys.setprofile``, the second time the call is made: ``images.create`` with all six fields on a
    service at an address, with its journal; ``images.list`` of 100 and ``documents.all`` of 110 records on the embedded
    service, without the service's own part. A call is a function that begins or a generator that goes on, comprehensions
    and lambdas not counted. A change of room is a call from a file in one folder to a file in another.
circles
    Groups of modules that import each other, and of rooms, imports for type checkers and inside of functions
    included. The lazy tables of the two packages that have public names are not imports.
class names used more than once
    In any two places, nested classes and those with an underscore included.
modules with one importer in the same folder
    Candidates for a merge, unless they hide something difficult behind a small face.
"""

import argparse
import ast
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUDGETS = Path(__file__).with_name("structure.toml")
#: What is counted by the lines of its files: its name, the folder below the source, and the patterns.
LINES = (
    ("lines of JavaScript and styles", "src/inkframe", ("*.js", "*.css")),
    ("lines of recorded JSON", "tests", ("*.json",)),
    ("lines of tests", "tests", ("*.py",)),
)
MARKERS = ("integration", "browser", "notebook", "install")


def modules_of(source):
    """Return the syntax tree of each module of the package, by its path."""
    package = source / "src" / "inkframe"
    paths = {path.relative_to(package).as_posix(): path for path in sorted(package.rglob("*.py"))}
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in paths.items()}


def name_of(path):
    """Return the dotted name of a module."""
    return ".".join(("inkframe", *Path(path).with_suffix("").parts)).removesuffix(".__init__")


def statements(tree):
    """Return how many statements a module has, without docstrings and other bare constants."""
    return sum(
        isinstance(node, ast.stmt)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.walk(tree)
    )


def statements_by_room(modules, rooms):
    """Return the statements of each room of the budgets, and of the whole package."""
    found = Counter(dict.fromkeys(rooms, 0))
    for path, tree in modules.items():
        folder = path.partition("/")[0]
        room = next((each for each in rooms if folder in each.split(" + ")), "all else")
        found[room] += (count := statements(tree))
        found["together"] += count
    return found


def imports(modules):
    """Return the modules that each module imports, by dotted name."""
    names = {name_of(path) for path in modules}
    found = defaultdict(set)
    for path, tree in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                wanted = [f"{node.module}.{alias.name}" for alias in node.names]
                found[name_of(path)] |= {name if name in names else node.module for name in wanted} & names
            elif isinstance(node, ast.Import):
                found[name_of(path)] |= {alias.name for alias in node.names} & names
        found[name_of(path)].discard(name_of(path))
    return found


def circles(graph):
    """Return the groups of nodes that reach each other."""

    def reached(start):
        seen, todo = set(), [start]
        while todo:
            new = graph.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        return seen

    reach = {node: reached(node) for node in graph}
    groups = {frozenset(other for other in reach[node] if node in reach.get(other, ())) for node in graph}
    return sorted(", ".join(sorted(group)) for group in groups if len(group) > 1)


def room_of(name):
    """Return the folder of a module below the package, or the module itself."""
    return name.split(".")[1] if "." in name else name


TRACE = """
import json, os, sys
root = sys.argv[1] + "/"
os.environ["INKFRAME_PROGRESS"] = "0"
import inkframe as ink
from tests.services import FaultyService

def traced(act):
    act()
    files, calls, changes = set(), 0, 0
    def note(frame, event, _):
        nonlocal calls, changes
        path = frame.f_code.co_filename
        if event != "call" or frame.f_code.co_name[0] == "<" or not path.startswith(root):
            return
        outer, back = None, frame
        while back is not None:
            place = back.f_code.co_filename
            if place.startswith((root + "service/", sys.argv[2])):
                return
            if outer is None and back is not frame and place.startswith(root):
                outer = place
            back = back.f_back
        files.add(path[len(root):])
        calls += 1
        changes += outer is not None and os.path.dirname(outer) != os.path.dirname(path)
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return sorted(files), calls, changes

look = dict(resolution="256x256", style="pop_art", medium="ink", filter="sepia")
service = FaultyService(images=0, documents=0)
remote = ink.Client("https://content.example.com", service.key, transport=service.transport)
create = traced(lambda: remote.images.create(name="Harbor", description="a harbor at dawn", **look))
client = ink.connect(library=":memory:")
for number in range(100):
    client.images.create(name=f"Harbor {number}", description="a harbor at dawn", **look)
for number in range(110):
    client.documents.create(name=f"Kettle {number}", prompt="Product text for a kettle")
found = {"create": create, "list": traced(lambda: client.images.list(per_page=100)), "all": traced(client.documents.all)}
print(json.dumps(found))
"""


def traces(source):
    """Return the files, the calls and the changes of room of three calls, by name."""
    roots = [str(source / "src" / "inkframe"), str(source / "tests")]
    with tempfile.TemporaryDirectory() as home:
        path = os.pathsep.join([str(source / "src"), str(source)])
        environment = os.environ | {"PYTHONPATH": path, "INKFRAME_HOME": home}
        command = [sys.executable, "-c", TRACE, *roots]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout.splitlines()[-1])


def wheel_size(source):
    """Return the megabytes of the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, str(source)]
        subprocess.run(command, check=True)
        return round(next(Path(folder).glob("*.whl")).stat().st_size / 1e6, 2)


def count_tests(source, marker):
    """Return how many tests a marker has, as pytest collects them."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", marker]
    ran = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    said = re.search(r"(\d+)(?:/\d+)? tests? collected", ran.stdout)
    return int(said[1]) if said else 0


def measure(source, rooms):
    """Yield each measure: its name, its number, and the places that were counted.

    Args:
        source: The clone.
        rooms: The names of the rooms whose statements are counted together.
    """
    modules = modules_of(source)
    package = source / "src" / "inkframe"
    yield from (
        (f"statements: {room}", count, []) for room, count in statements_by_room(modules, rooms).items()
    )
    yield "files", len(modules), []
    lengths = sorted(
        (len((package / path).read_text(encoding="utf-8").splitlines()), path) for path in modules
    )
    yield "median lines of a file", int(statistics.median(length for length, _ in lengths)), []
    yield "longest file", lengths[-1][0], [f"{path}: {length}" for length, path in lengths[-5:]]
    for name, (files, calls, changes) in traces(source).items():
        yield f"{name}: own files", len(files), files
        yield f"{name}: calls", calls, []
        yield f"{name}: changes of room", changes, []
    passed = [
        f"{path}:{node.lineno}"
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "locals"
    ]
    yield "calls of locals()", len(passed), passed
    for name, folder, patterns in LINES:
        paths = [path for pattern in patterns for path in (source / folder).rglob(pattern)]
        yield name, sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths), []
    classes = Counter(
        node.name for tree in modules.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    twice = [name for name, count in classes.items() if count > 1]
    yield "class names used more than once", len(twice), twice
    graph = imports(modules)
    found = circles(graph)
    yield "import circles of modules, types included", len(found), found
    rooms = defaultdict(set)
    for name, others in graph.items():
        rooms[room_of(name)] |= {room_of(other) for other in others} - {room_of(name), "inkframe"}
    found = circles(rooms)
    yield "import circles of rooms, types included", len(found), found
    importers = defaultdict(set)
    for name, others in graph.items():
        for other in others:
            importers[other].add(name)
    lone = [
        f"{name} ({next(iter(those))})"
        for name, those in sorted(importers.items())
        if len(those) == 1 and next(iter(those)).rpartition(".")[0] == name.rpartition(".")[0]
    ]
    yield "modules with one importer in the same folder", len(lone), lone


def read_budgets():
    """Return the budgets: for each measure its limit today, and the one that the structure is going to."""
    budgets = tomllib.loads(BUDGETS.read_text(encoding="utf-8"))
    rooms = {f"statements: {room}": limits for room, limits in budgets["statements"].items()}
    return list(budgets["statements"]), rooms | budgets["measures"]


def beyond(limit, now):
    """Return by how much a number is beyond a limit such as ``<= 165``; 0 or less if it is within."""
    relation, _, bound = limit.partition(" ")
    return now - int(bound) if relation == "<=" else int(bound) - now


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", type=Path, default=ROOT, help="the clone to measure")
    parser.add_argument("--list", action="store_true", help="name every place that was counted")
    parser.add_argument("--wheel", action="store_true", help="build the wheel, which needs the network")
    parser.add_argument("--tests", action="store_true", help="count the tests too")
    options = parser.parse_args()
    source = options.source.resolve()
    rooms, budgets = read_budgets()
    print(f"{'measure':48}{'now':>10}{'limit':>12}{'goal':>12}")
    for name, now, places in measure(source, rooms):
        limit, goal = budgets.get(name, ("", ""))
        print(f"{name:48}{now:>10}{limit:>12}{goal:>12}")
        for place in places if options.list else ():
            print(f"    {place}")
    if options.wheel:
        print(f"{'wheel, MB':48}{wheel_size(source):>10}{'':>12}{'<= 1.5':>12}")
    if options.tests:
        unit = " and ".join(f"not {marker}" for marker in MARKERS)
        for name, marker in {"unit tests": unit, **{f"tests: {each}": each for each in MARKERS}}.items():
            print(f"{name:48}{count_tests(source, marker):>10}")


if __name__ == "__main__":
    main()
