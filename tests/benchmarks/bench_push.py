"""Measure write-back in a large library: the requests, their time, and the client's own time.

Run by hand: ``python -m tests.benchmarks.bench_push [--records 20000] [--edits 1000]``. The service is in
this process, so that its own work is part of the seconds. It fails if a push sends more than necessary: one
write and at most one read for each edited row.
"""

import argparse
import os
import time
from collections import Counter

from tests.services import FaultyService

import inkframe as ink


def edits(frame, count):
    """Return several selections of rows to edit, by name."""
    yield f"{count:,} rows anywhere", frame.sample(count, random_state=1).index
    yield f"the newest {count:,} rows", frame.index[:count]
    yield "10 rows anywhere", frame.sample(10, random_state=2).index
    yield "every row", frame.index


def measure(label, collection, service, frame, rows):
    """Edit, do a dry run and push; print one line of the table."""
    frame.loc[rows, "name"] = [f"{label} {id}" for id in rows]
    times = []
    for dry_run in (True, False):
        before = len(service.requests)
        began = time.perf_counter()
        report = collection.push(frame, dry_run=dry_run)
        times.append(time.perf_counter() - began)
        sent = Counter(request.method for request in service.requests[before:])
    writes, reads = sent["PATCH"], sent["GET"]
    assert (report["outcome"] == "changed").all()
    assert len(report) == len(rows) == writes
    assert reads <= len(rows), reads
    print(f"{label:<42}{writes:>8,}{reads:>8,}{times[0]:>10.2f}{times[1]:>10.2f}")


def main():
    """Measure both collections."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--edits", type=int, default=1_000)
    options = parser.parse_args()
    os.environ["INKFRAME_PROGRESS"] = "0"
    service = FaultyService(images=options.records, documents=options.records)
    client = ink.Client(service.base_url, service.key, transport=service.transport)
    print(f"{'':<42}{'writes':>8}{'reads':>8}{'looked s':>10}{'pushed s':>10}")
    for collection in (client.images, client.documents):
        before = len(service.requests)
        frame = collection.all()
        listed = len(service.requests) - before
        print(f"{collection.resource}: {len(frame):,} records, listed with {listed:,} requests")
        for label, rows in edits(frame, options.edits):
            measure(f"  {label}", collection, service, frame, rows)
    client.close()


if __name__ == "__main__":
    main()
