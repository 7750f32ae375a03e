"""Kill a long ``create_many`` with ``kill -9``, run it again, and count the records at the end.

    .venv/bin/python -m tests.benchmarks.bench_resume [--kills 50] [--rows 500] [--seed 0] [--programs 2]

With ``--programs``, several processes run the same rows at the same moment, and one of them is killed. A process creates the rows, against the embedded service on a file or against ``inkframe serve``; it is killed
after its journal has a random number of lines, and a random delay. It then runs again until it is done. It
fails if there are more or fewer records than rows, or a name appears twice.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import inkframe

KEY = "a-key-for-this-run"
CELL = """
import sys
import inkframe
target, count = sys.argv[1], int(sys.argv[2])
client = inkframe.connect(target) if target.startswith("http") else inkframe.connect(library=target)
plan = inkframe.plan_documents("A line about a kettle", name="Kettle {number}", creativity=0, repeats=count)
runs = client.documents.create_many(plan, confirm=count, progress=False)
print(*(f"{status}={number}" for status, number in runs["status"].value_counts().items() if number))
"""
#: Lines of the journal for each row: the request and its outcome.
LINES = 2


@contextmanager
def embedded(library):
    """Yield the embedded service on a file."""
    yield str(library)


@contextmanager
def served(library):
    """Yield the address of ``inkframe serve`` on the file."""
    command = [sys.executable, "-m", "inkframe", "serve", "--port", "0", "--library", str(library)]
    environment = os.environ | {"INKFRAME_SERVE_KEY": KEY}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def lines(home):
    """Return the number of lines in the journals."""
    return sum(path.read_bytes().count(b"\n") for path in (home / "journals").glob("*"))


def killed(command, environment, home, moment, pause):
    """Run the cell and kill it; return the number of lines written, and whether it had finished."""
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and lines(home) < moment:
            time.sleep(0.0005)
        time.sleep(pause)
        early = process.poll() is not None
        process.kill()
    return lines(home), early


def run_beside(command, environment, programs):
    """Start further processes with the same rows; return them."""
    return [
        subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) for _ in range(programs - 1)
    ]


def trial(service, count, seed, programs=1):
    """Kill once, resume until done, and return the findings."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        home, library = Path(folder) / "home", Path(folder) / "library.db"
        environment = os.environ | {
            "INKFRAME_HOME": str(home),
            "INKFRAME_API_KEY": KEY,
            "INKFRAME_PROGRESS": "0",
        }
        with service(library) as target:
            command = [sys.executable, "-c", CELL, target, str(count)]
            others = run_beside(command, environment, programs)
            wrote, early = killed(
                command, environment, home, chance.randrange(1, LINES * count), chance.uniform(0, 0.01)
            )
            for other in others:
                other.wait()
            runs = 1
            while True:
                ended = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
                runs += 1
                said = dict(pair.split("=") for pair in ended.stdout.splitlines()[-1].split())
                if said.keys() <= {"created", "existing"}:
                    break
        with inkframe.connect(library=library) as client:
            names = client.documents.all(progress=False)["name"]
    return {"wrote": wrote, "early": early, "runs": runs, "records": len(names), "names": names.nunique()}


def main():
    """Test both services and return the number of failed trials."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--programs", type=int, default=1, help="at the same moment")
    parser.add_argument("--service", choices=["embedded", "served"], help="only this one")
    options = parser.parse_args()
    os.environ["INKFRAME_PROGRESS"] = "0"
    names = ("kills", "too late", "least lines", "median", "most lines", "runs", "records", "wrong", "s")
    print(f"{options.rows:,} rows".ljust(12) + "".join(f"{name:>13}" for name in names))
    wrong = 0
    for service in (embedded, served):
        if options.service not in {None, service.__name__}:
            continue
        began = time.perf_counter()
        found = [
            trial(service, options.rows, seed, options.programs)
            for seed in range(options.seed, options.seed + options.kills)
        ]
        bad = sum(not one["records"] == one["names"] == options.rows for one in found)
        wrote = [one["wrote"] for one in found]
        counts = sorted({one["records"] for one in found})
        cells = (
            len(found), sum(one["early"] for one in found), min(wrote), int(statistics.median(wrote)), max(wrote),
            max(one["runs"] for one in found), "/".join(map(str, counts)), bad, round(time.perf_counter() - began),
        )  # fmt: skip
        print(service.__name__.ljust(12) + "".join(f"{cell:>13}" for cell in cells), flush=True)
        wrong += bad
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main()))
