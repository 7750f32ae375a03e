"""Kill a Jupyter kernel with ``kill -9`` while a job of 40 slow creations runs, and run the same cell again in a new one.

    .venv/bin/python -m tests.benchmarks.bench_kernel_kills [--kills 20] [--rows 40] [--seed 0]

On a service that keeps fields word for word, all rows must exist once at the end, but for one whose request was noted
and did not arrive: it is ``unknown`` until the create timeout. On one that shortens names, nothing may be sent again by
itself: a row exists, or is ``unknown``.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter

from jupyter_client.manager import start_new_kernel
from tests.benchmarks.measuring import options
from tests.services import Faults, FaultyService
from tests.services.exchange import Fault

CELL = """
import inkframe as ink
client = ink.Client({address!r}, {key!r})
plan = ink.plan_documents("About a kettle", name="The Quiet Kettle {{number}}", creativity=0.5, repeats={rows})
job = client.documents.submit_many(plan, confirm={rows})
job
"""
RESULT = "import json; print(json.dumps(job.result()['status'].value_counts().to_dict()))"
#: Seconds that a creation takes.
SLOW = 0.1


def shortened(fields):
    """Return the fields with a shorter name, as a service may store them."""
    return {name: value[:12] if name == "name" else value for name, value in fields.items()}


STORES = {"keeps": None, "shortens": shortened}


def is_create(request):
    """Return whether a request creates a record."""
    return request.method == "POST"


def run(client, code):
    """Run a cell and return what it prints."""
    printed = []

    def note(message):
        content = message["content"]
        if message["msg_type"] == "stream":
            printed.append(content["text"])
        if message["msg_type"] == "error":
            raise AssertionError("\n".join(content["traceback"]))

    client.execute_interactive(code, timeout=120, output_hook=note)
    return "".join(printed)


def trial(stores, rows, seed):
    """Kill the kernel once and run again; return the creates before the kill, the statuses and what is wrong."""
    service = FaultyService(
        images=0,
        documents=3,
        stores=STORES[stores],
        faults=Faults({Fault(name="creating", about="a slow creation", delay=SLOW): 1.0}, where=is_create),
    )
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as home, service.serve() as address:
        environment = os.environ | {"INKFRAME_HOME": home, "INKFRAME_PROGRESS": "0"}
        cell = CELL.format(address=address, key=service.key, rows=rows)
        manager, client = start_new_kernel(env=environment, stderr=subprocess.DEVNULL)
        run(client, cell)
        moment = chance.randrange(rows)
        while service.generations < moment:
            time.sleep(0.001)
        time.sleep(chance.uniform(0, SLOW))
        manager.signal_kernel(9)
        before = service.generations
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager, client = start_new_kernel(env=environment, stderr=subprocess.DEVNULL)
        try:
            run(client, cell)
            statuses = +Counter(json.loads(run(client, RESULT).splitlines()[-1]))
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    # A request that was cut off in its body creates nothing.
    whole = [request.form for request in service.requests if is_create(request) and "name" in request.form]
    sent = Counter(form["name"] for form in whole)
    there = set(service.created)
    wrong = [f"{name} was sent {count} times" for name, count in sent.items() if count > 1]
    if sum(statuses.values()) != rows or not set(statuses) <= {"created", "existing", "unknown"}:
        wrong.append(f"statuses {dict(statuses)}")
    missing = rows - len(there)  # those that were noted as sent, and whose requests did not leave the kernel
    if statuses["unknown"] < missing or (stores == "keeps" and statuses["unknown"] > missing):
        wrong.append(f"{len(there)} of {rows} exist, {statuses['unknown']} unknown")
    return before, dict(statuses), wrong


def main() -> int:
    """Print a line for each kill; return the number of wrong trials."""
    given = options(__doc__, kills=20, rows=40, seed=0)
    bad = 0
    for stores in STORES:
        for seed in range(given.seed, given.seed + given.kills):
            before, statuses, wrong = trial(stores, given.rows, seed)
            bad += bool(wrong)
            print(
                f"{stores:9} seed {seed:3} killed after {before:3}: {statuses} {wrong or 'right'}", flush=True
            )
    return bad


if __name__ == "__main__":
    sys.exit(main())
