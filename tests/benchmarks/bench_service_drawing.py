"""Measure the time of lists while two pictures are drawn, and where the drawing blocks the interpreter.

Run by hand: ``python -m tests.benchmarks.bench_service_drawing --seconds 20``.

A list is requested every 20 ms, first alone, then while two threads draw one picture after another, of every
style, medium and resolution. Over HTTP it is requested twice: over a plain socket, which shows the service
alone, and with httpx, which itself then waits for the processor. In parallel, a probe sleeps for one
millisecond at a
time: if it wakes up more than 10 ms late, it records the position of each drawing thread.
"""

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
from tests.benchmarks.bench_service_calls import asking

from inkframe.service import Service
from inkframe.vocabulary import Vocabulary

LATE = 0.010
PATHS = ("/images", "/documents", "/images?style=anime&sort_by=name")


def in_process(service):
    """Yield a function that returns a client of a service in this process."""
    bearer = {"Authorization": f"Bearer {service.key}"}

    def connect():
        transport = httpx.WSGITransport(app=service.app)
        return httpx.Client(transport=transport, base_url="http://local/api/v1", headers=bearer)

    return connect


@contextmanager
def served(library):
    """Serve a library from another process, and yield a function that returns a client."""
    command = [sys.executable, "-m", "inkframe", "serve", "--port", "0", "--library", str(library)]
    environment = os.environ | {"INKFRAME_SERVE_KEY": "the-key-of-this-benchmark"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().split()[-1]
        bearer = {"Authorization": "Bearer the-key-of-this-benchmark"}
        try:
            yield address, lambda: httpx.Client(base_url=f"{address}/api/v1", headers=bearer, timeout=60)
        finally:
            process.terminate()


def draw(connect, stop, start, resolutions, drawn):
    """Draw until the stop event."""
    words = Vocabulary()
    looks = list(itertools.product(words.codes("style"), words.codes("medium")))
    with connect() as client:
        for number in itertools.count(start, 2):
            if stop.is_set():
                return
            style, medium = looks[number * 7 % len(looks)]
            form = {
                "name": "n",
                "description": "a harbor at dawn, two boats, mountains behind",
                "resolution": resolutions[number % len(resolutions)],
                "style": style,
                "medium": medium,
            }
            began = time.perf_counter()
            assert client.post("/images", data=form).status_code == 201
            drawn.append(time.perf_counter() - began)


def watch(stop, threads, places, waits):
    """Sleep for one millisecond at a time; if that takes longer, record the position of the drawing."""
    while not stop.is_set():
        began = time.perf_counter()
        time.sleep(0.001)
        late = time.perf_counter() - began - 0.001
        waits.append(late)
        if late > LATE:
            frames = sys._current_frames()
            for thread in threads:
                frame = frames.get(thread.ident)
                while frame and "/offline/" not in frame.f_code.co_filename:
                    frame = frame.f_back
                if frame:
                    name = Path(frame.f_code.co_filename).name
                    places[f"{name}:{frame.f_lineno} {frame.f_code.co_name}"] += late


def by_httpx(connect):
    """Return a function for each list, with an httpx client."""

    def get(path):
        assert client.get(path).status_code == 200

    client = connect()
    return [partial(get, path) for path in PATHS]


def by_socket(address):
    """Return a function for each list, over a plain socket."""
    return [asking(address, f"/api/v1{path}") for path in PATHS]


def lists(calls, seconds):
    """Request lists for a while; return the milliseconds of each."""
    times = []
    deadline = time.monotonic() + seconds
    calls[0]()
    turns = itertools.cycle(calls)
    while time.monotonic() < deadline:
        call = next(turns)
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1000)
        time.sleep(0.02)
    return sorted(times)


def tell(label, times):
    """Print a line of percentiles."""
    p50, p95, p99 = (times[len(times) * share // 100] for share in (50, 95, 99))
    print(
        f"{label:<32} p50 {p50:7.2f}  p95 {p95:7.2f}  p99 {p99:7.2f}  max {times[-1]:7.2f} ms  ({len(times)})"
    )


def measure(connect, calls, options, label, places):
    """Measure lists alone, and then while two threads draw."""
    stop, waits, drawn = threading.Event(), [], []
    tell(f"lists {label}, alone", lists(calls, min(options.seconds, 5)))
    resolutions = options.resolutions.split(",")
    painters = [
        threading.Thread(target=draw, args=(connect, stop, start, resolutions, drawn)) for start in (0, 1)
    ]
    probe = threading.Thread(target=watch, args=(stop, painters, places, waits))
    for thread in (*painters, probe):
        thread.start()
    times = lists(calls, options.seconds)
    stop.set()
    for thread in (*painters, probe):
        thread.join()
    tell(f"lists {label}, while drawing", times)
    tell("  a wake-up beside them", sorted(late * 1000 for late in waits))
    print(f"  {len(drawn)} pictures, {sum(drawn) / max(len(drawn), 1):.2f} s each")


def main():
    """Measure in process and over HTTP."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--resolutions", default="256x256,512x512,1024x1024")
    options = parser.parse_args()
    places = Counter()
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        with Service(library, engine="offline") as service:
            service.sample(images=30, documents=1000)
            connect = in_process(service)
            measure(connect, by_httpx(connect), options, "in process", places)
        with served(library) as (address, connect):
            measure(connect, by_socket(address), options, "over HTTP", Counter())
            measure(connect, by_httpx(connect), options, "over HTTP, httpx", Counter())
    print("where the drawing in this process blocked the interpreter for more than 10 ms:")
    for place, seconds in places.most_common(12):
        print(f"  {seconds * 1000:8.0f} ms at {place}")


if __name__ == "__main__":
    main()
