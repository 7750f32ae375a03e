"""Create by every way under every disturbance, and print what each way paid for.

    .venv/bin/python -m tests.benchmarks.bench_ways [create …]

Each cell runs two programs that do the same with a service on a socket: the first one is killed while its first create
is answered (``killed``, and with another clock, address or key, on lists that lack what was made, or always with a reply of
status 500 although the record was made), or ends (``run again``, also in a new home), or both run at once. It prints
how many creates were paid for, per account where there are two, beside how many were asked for once. It fails if a
program that was killed cost more than one that was not, if a way by identity pays twice, or if a program raises an error
other than that of a create whose outcome is unknown. Ways that create another record each time (``create`` and those
beside it) pay for each program that ended, and once for one that was killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass

from tests.services import Accounts
from tests.services.hiding_service import HidingService

SETUP = """
import os, sys
import inkframe as ink, pandas as pd
client = ink.Client(sys.argv[1], sys.argv[2], max_retries=1)
ROWS = [{"name": f"Kettle {n}", "prompt": f"Text {n} about a kettle", "creativity": 0.5} for n in range(4)]
TABLE = pd.DataFrame({"product": ["Kettle", "Lamp", "Chair", "Shelf"]})
def run():
"""
#: What follows a program: an outcome that is unknown ends it, as a user would see it.
END = """
try:
    run()
except Exception as error:
    is_unknown = isinstance(error, ink.OutcomeUnknown) or "may have been created" in str(error)
    print("unknown" if is_unknown else repr(error), file=sys.stderr)
os._exit(0)
"""


@dataclass(frozen=True)
class Way:
    """A way to create.

    Args:
        code: The program.
        count: How many records it asks for.
        by_identity: Whether the same program run again finds what the first one created.
    """

    code: str
    count: int = 4
    by_identity: bool = True


MAGIC = """from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance()
    shell.user_ns["client"] = client
    shell.extension_manager.load_extension("inkframe")
    shell.run_cell_magic("document", "", "About a kettle")"""
WAYS = {
    "create": Way("client.documents.create(**ROWS[0])", 1, by_identity=False),
    "again": Way("client.documents.get(1).again()", 1, by_identity=False),
    "DocumentForm": Way(
        "ink.DocumentForm(client, name='Title', prompt='About a kettle').submit().result(60)",
        1,
        by_identity=False,
    ),
    "%%document": Way(MAGIC, 1, by_identity=False),
    "ensure": Way("[client.documents.ensure(**row) for row in ROWS]"),
    "create_many": Way("client.documents.create_many(ROWS)"),
    "submit_many": Way("client.documents.submit_many(ROWS).result(60)"),
    "CreativityTuner": Way(
        "ink.CreativityTuner(client, prompt='About a kettle', creativity=[0.25, 0.5], repeats=2).submit().result(60)"
    ),
    "LookGrid": Way(
        "ink.LookGrid(client, description='A kettle', style=['anime', 'pop_art'], medium=['ink', 'pencil']).submit().result(60)"
    ),
    "write": Way("client.documents.write(TABLE, 'About a {product}')"),
    "draw": Way("client.images.draw(TABLE, 'A {product}', resolution='256x256')"),
    "submit_write": Way("client.documents.submit_write(TABLE, 'About a {product}').result(60)"),
}
SPELLED = "http://LOCALHOST:{port}//api/v1/"
#: Whether the first program is killed, the seconds by which the service is ahead, and the address and key of the second
#: program; ``new home``, ``hidden`` and ``error`` are known by name.
CASES = {
    "run again": (False, 0.0, "{address}", "first"),
    "killed": (True, 0.0, "{address}", "first"),
    "at once": (False, 0.0, "{address}", "first"),
    "clock behind": (True, -360.0, "{address}", "first"),
    "clock ahead": (True, 7200.0, "{address}", "first"),
    "other address": (True, 0.0, SPELLED, "first"),
    "other key": (True, 0.0, "{address}", "second"),
    "new home": (False, 0.0, "{address}", "first"),
    "hidden": (True, 0.0, "{address}", "first"),
    "error": (False, 0.0, "{address}", "first"),
    "other account": (True, 0.0, "{address}", "other"),
}


def paid(way, case):
    """Return what was paid for in each account, and what the second program said."""
    is_killed, skew, second, key = CASES[case]
    kept = {"images": 0, "documents": 3}
    first, other = (HidingService("laravel_resource", **kept, seed=n, skew=skew) for n in (0, 1))
    first.hides = lambda _: case == "hidden"
    first.answers = lambda: (500, {}, {"message": "try later"}) if case == "error" else None
    accounts = Accounts({"first": first, "second": first, "other": other})
    running, is_over = [], threading.Event()

    def kill(_service):
        if is_killed and first.generations and not is_over.is_set():
            is_over.set()
            running[0].send_signal(signal.SIGKILL)
            running[0].wait()

    first.between_replies(kill)
    program = SETUP + f"    {WAYS[way].code}\n" + END
    with accounts.serve() as address, tempfile.TemporaryDirectory() as home:

        def start(place, name):
            own = f"{home}/second" if case == "new home" and running else home
            environment = os.environ | {"INKFRAME_HOME": own, "INKFRAME_PROGRESS": "0"}
            return subprocess.Popen(
                [sys.executable, "-c", program, place, name],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )

        running.append(start(address, "first"))
        if case != "at once":
            running[0].wait()
        last = second.format(address=address, port=address.rsplit(":", 1)[1])
        running.append(start(last, key))
        said = [program.communicate()[1].strip().splitlines()[-1:] for program in running]
    return first.generations, other.generations, " ".join(said[1])


def main(names=WAYS):
    """Print a table of the ways, and return how many cells are wrong."""
    wrong = 0
    print(f"{'way':<16} {'asked':>5}  " + "  ".join(f"{case:>13}" for case in CASES))
    for name in names:
        way, cells = WAYS[name], []
        for case, (*_, key) in CASES.items():
            count, elsewhere, said = paid(name, case)
            again = case in ("run again", "at once", "new home", "error")
            most = way.count * (1 if way.by_identity or not again else 2)
            is_wrong = count > most or elsewhere > way.count or said not in ("", "unknown")
            wrong += is_wrong
            cell = f"{count}+{elsewhere}" if key == "other" else str(count)
            cells.append(
                f"{cell}{' asked' if said == 'unknown' else ''}{' WRONG ' + said if is_wrong else ''}"
            )
        print(f"{name:<16} {way.count:>5}  " + "  ".join(f"{cell:>13}" for cell in cells), flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:] or WAYS)))
