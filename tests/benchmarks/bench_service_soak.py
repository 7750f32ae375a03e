"""Stress a library: many writers and readers in two processes, and processes killed while writing.

Run by hand: ``python -m tests.benchmarks.bench_service_soak --seconds 60 --kills 50``.

The soak has eight writers (two of them draw pictures) and eight readers in two processes on one file. Every
writer records the acknowledged writes, which are compared at the end: no error, no lost write. The kills stop
a writing process at a random moment; after each, ``inkframe doctor --library`` finds no problem, and at the
end every acknowledged record is there.
"""

import argparse
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

from inkframe.service import Service

PNG = b"\x89PNG\r\n\x1a\n"


class Engine:
    """An engine that blocks in C for a picture, like numpy, and takes no time for a text."""

    name, is_stand_in = "tiny", True

    def draw(self, _request):
        """Return bytes of a picture's size."""
        time.sleep(0.05)
        return PNG + random.randbytes(80_000)

    def write(self, request):
        """Return a text."""
        return f"{request.prompt} {request.take} " + "kettle and pot " * 30


def connect(service):
    """Return a client of a service in process."""
    transport = httpx.WSGITransport(app=service.app)
    bearer = {"Authorization": f"Bearer {service.key}"}
    return httpx.Client(transport=transport, base_url="http://local/api/v1", headers=bearer)


def expect(reply, status):
    """Return the data of a reply, which must have the status."""
    if reply.status_code != status:
        raise AssertionError(f"{reply.status_code}: {reply.text}")
    return reply.json()["data"]


def write(client, deadline, seed, kind, kept):
    """Create and update until the end; record the acknowledged writes."""
    chance = random.Random(seed)
    while time.monotonic() < deadline:
        if kind == "images":
            form = {"name": f"image {seed}", "description": "d", "resolution": "256x256"}
        else:
            form = {"name": f"document {seed}", "prompt": f"prompt {chance.random()}"}
        record = expect(client.post(f"/{kind}", data=form), 201)
        kept[f"{kind}/{record['id']}"] = record
        address = chance.choice(list(kept))
        name = f"changed {chance.random()}"
        kept[address] = expect(client.patch(f"/{address}", data={"name": name, "favorite": "1"}), 200)


def read(client, deadline, seed, times):
    """List, page, search and show until the end; record the time of each."""
    chance = random.Random(seed)
    while time.monotonic() < deadline:
        path, params = chance.choice(
            [
                ("/documents", {}),
                ("/documents", {"page": chance.randint(1, 50), "sort_by": "name"}),
                ("/documents", {"search": f"changed 0.{chance.randint(100, 999)}"}),
                ("/images", {"favorite": "1", "per_page": 25}),
            ]
        )
        began = time.perf_counter()
        expect(client.get(path, params=params), 200)
        times.append((time.perf_counter() - began) * 1000)


def work(library, seconds, seed):
    """Run one of the two processes: four writers and four readers; print the records."""
    kept, times, failures = [{} for _ in range(4)], [], []

    def guarded(call, *parameters):
        try:
            call(*parameters)
        except Exception as error:  # noqa: BLE001  # every error is a finding
            failures.append(repr(error))

    with Service(library, engine=Engine()) as service:
        deadline = time.monotonic() + seconds
        client = connect(service)
        threads = [
            threading.Thread(
                target=guarded,
                args=(write, client, deadline, seed * 10 + n, "documents" if n else "images", kept[n]),
            )
            for n in range(4)
        ]
        threads += [
            threading.Thread(target=guarded, args=(read, client, deadline, seed * 10 + n, times))
            for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    merged = {address: record for records in kept for address, record in records.items()}
    print(json.dumps({"kept": merged, "times": times, "failures": failures}))


def write_until_killed(library):
    """Run the process to kill: print every acknowledged path."""
    service = Service(library, engine=Engine())
    client = connect(service)
    while True:
        for kind, form in (
            ("documents", {"name": "n", "prompt": "p" * 500}),
            ("images", {"name": "n", "description": "d", "resolution": "256x256"}),
        ):
            print(f"{kind}/{expect(client.post(f'/{kind}', data=form), 201)['id']}", flush=True)


def sound(library):
    """Run the doctor on the library; return the lines with problems."""
    command = [sys.executable, "-m", "inkframe", "doctor", "--library", str(library)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    wrong = [line for line in ran.stdout.splitlines() if line.startswith("NO")]
    return [] if ran.returncode == 0 else wrong or [ran.stderr]


def soak(folder, seconds):
    """Run both processes and compare."""
    library = folder / "soak.inkframe"
    Service(library, engine=Engine()).close()
    command = [sys.executable, __file__, "--library", str(library), "--seconds", str(seconds)]
    processes = [
        subprocess.Popen([*command, "--seed", str(seed)], stdout=subprocess.PIPE, text=True)
        for seed in (1, 2)
    ]
    reports = [json.loads(process.communicate()[0]) for process in processes]
    failures = [failure for report in reports for failure in report["failures"]]
    times = sorted(time_ for report in reports for time_ in report["times"])
    kept = {address: record for report in reports for address, record in report["kept"].items()}
    with Service(library, engine=Engine()) as service:
        client = connect(service)
        lost = [a for a, record in kept.items() if client.get(f"/{a}").json().get("data") != record]
    print(
        f"soak {seconds} s: {len(kept):,} records kept, {len(lost)} lost, {len(failures)} errors {failures[:2]},"
        f" {len(times):,} reads, p50 {times[len(times) // 2]:.1f} ms, p99 {times[len(times) * 99 // 100]:.1f} ms,"
        f" max {times[-1]:.1f} ms, unsound: {sound(library)}"
    )


def kill(folder, count):
    """Kill a writing process at random moments, always on the same library."""
    library = folder / "killed.inkframe"
    chance = random.Random(7)
    acknowledged, problems = set(), []
    for _ in range(count):
        command = [sys.executable, __file__, "--library", str(library), "--until-killed"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            seen = process.stdout.readline()
            time.sleep(chance.uniform(0, 0.4))
            process.send_signal(signal.SIGKILL)
            seen += process.stdout.read()
        acknowledged |= set(re.findall(r"(\w+/\d+)\n", seen))
        problems += sound(library)
    with Service(library, engine=Engine()) as service:
        client = connect(service)
        lost = [address for address in acknowledged if client.get(f"/{address}").status_code != 200]
    print(f"{count} kills: {len(acknowledged):,} acknowledged, {len(lost)} lost, unsound: {problems}")


def main():
    """Run the requested tests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--library", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--until-killed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.until_killed:
        write_until_killed(options.library)
    elif options.library:
        work(options.library, options.seconds, options.seed)
    else:
        with tempfile.TemporaryDirectory() as folder:
            soak(Path(folder), options.seconds)
            kill(Path(folder), options.kills)


if __name__ == "__main__":
    main()
