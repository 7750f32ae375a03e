"""Count what the structure of the source is judged by, and print one table.

Run by hand: ``python -m tests.benchmarks.measure_structure``; ``--list`` also names every place that was counted,
``--wheel`` builds the wheel, ``--tests`` lets pytest count the tests. Another ``--source`` measures another clone,
with the environment that runs this script.

statements, files, lines
    Of ``src/inkframe``: nodes of the syntax tree that are statements, docstrings not counted. The package of
    release 0.2 is measured without its demo engine and its service for tests, which are elsewhere now.
files and calls of a create, a list and a whole listing
    Traced at run time by ``sys.setprofile``, the second time the call is made, on the embedded service without its
    own part: ``images.create`` with all six fields, ``images.list`` of 100, ``documents.all`` of 110 records. A call is
    a function that begins or a generator that goes on, comprehensions and lambdas not counted. A change of room is a
    call from a file in one folder to a file in another.
circles
    Groups of modules that import each other, and of rooms, imports for type checkers and inside of functions
    included. The lazy tables of the two packages that have public names are not imports.
class names used more than once
    In any two places, nested classes and those with an underscore included.
modules with one importer in the same folder
    Candidates for a merge, unless they hide something difficult behind a small face.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Folders of release 0.2 that are not part of the package any more, and that are therefore not measured.
MOVED_OUT = ("engines/offline/", "testing/")
MARKERS = ("integration", "browser", "notebook", "install")


def modules_of(source):
    """Return the syntax tree of each module of the package, by its path."""
    package = source / "src" / "inkframe"
    paths = {path.relative_to(package).as_posix(): path for path in sorted(package.rglob("*.py"))}
    return {
        name: ast.parse(path.read_text(encoding="utf-8"))
        for name, path in paths.items()
        if not name.startswith(MOVED_OUT)
    }


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
            if place.startswith((root + "service/", root + "engines/")):
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

client = ink.connect(library=":memory:")
look = dict(resolution="256x256", style="pop_art", medium="ink", filter="sepia")
create = traced(lambda: client.images.create(name="Harbor", description="a harbor at dawn", **look))
for number in range(98):
    client.images.create(name=f"Harbor {number}", description="a harbor at dawn", **look)
for number in range(110):
    client.documents.create(name=f"Kettle {number}", prompt="Product text for a kettle")
found = {"create": create, "list": traced(lambda: client.images.list(per_page=100)), "all": traced(client.documents.all)}
print(json.dumps(found))
"""


def traces(source):
    """Return the files, the calls and the changes of room of three calls, by name."""
    environment = os.environ | {"PYTHONPATH": str(source / "src"), "INKFRAME_HOME": tempfile.mkdtemp()}
    command = [sys.executable, "-c", TRACE, str(source / "src" / "inkframe")]
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


def measure(source):
    """Yield each measure: its name, its goal, its number, and the places that were counted."""
    modules = modules_of(source)
    package = source / "src" / "inkframe"
    yield "statements", "<= 21000", sum(map(statements, modules.values())), []
    yield "files", "<= 170", len(modules), []
    lengths = sorted(
        (len((package / path).read_text(encoding="utf-8").splitlines()), path) for path in modules
    )
    yield "median lines of a file", ">= 200", int(statistics.median(length for length, _ in lengths)), []
    yield "longest file", "<= 500", lengths[-1][0], [f"{path}: {length}" for length, path in lengths[-5:]]
    goals = {
        "create": ("<= 22", "<= 180", ""),
        "list": ("<= 22", "<= 230", ""),
        "all": ("", "<= 4500", "<= 900"),
    }
    for name, (files, calls, changes) in traces(source).items():
        yield f"{name}: own files", goals[name][0], len(files), files
        yield f"{name}: calls", goals[name][1], calls, []
        yield f"{name}: changes of room", goals[name][2], changes, []
    classes = Counter(
        node.name for tree in modules.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    twice = [name for name, count in classes.items() if count > 1]
    yield "class names used more than once", "0", len(twice), twice
    graph = imports(modules)
    found = circles(graph)
    yield "import circles of modules, types included", "0", len(found), found
    rooms = defaultdict(set)
    for name, others in graph.items():
        rooms[room_of(name)] |= {room_of(other) for other in others} - {room_of(name), "inkframe"}
    found = circles(rooms)
    yield "import circles of rooms, types included", "0", len(found), found
    importers = defaultdict(set)
    for name, others in graph.items():
        for other in others:
            importers[other].add(name)
    lone = [
        f"{name} ({next(iter(those))})"
        for name, those in sorted(importers.items())
        if len(those) == 1 and next(iter(those)).rpartition(".")[0] == name.rpartition(".")[0]
    ]
    yield "modules with one importer in the same folder", "<= 20", len(lone), lone


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
    print(f"{'measure':48}{'goal':>10}{'now':>10}")
    for name, goal, now, places in measure(source):
        print(f"{name:48}{goal:>10}{now:>10}")
        for place in places if options.list else ():
            print(f"    {place}")
    if options.wheel:
        print(f"{'wheel, MB':48}{'<= 1.5':>10}{wheel_size(source):>10}")
    if options.tests:
        unit = " and ".join(f"not {marker}" for marker in MARKERS)
        for name, marker in {"unit tests": unit, **{f"tests: {each}": each for each in MARKERS}}.items():
            print(f"{name:48}{'':>10}{count_tests(source, marker):>10}")


if __name__ == "__main__":
    main()
