"""Compare a gallery of a hundred pictures with decoding the same pictures: time and size.

    .venv/bin/python -m tests.benchmarks.bench_gallery [--pictures 100] [--rounds 5] [--library FILE]

The pictures are drawn at 1024x1024 by the offline engine; with ``--library`` they are stored for the next
run. Decoding alone is Pillow, on two threads, with the files in memory. The gallery is the public call, which
also fetches each file from the local service, scales, encodes and writes the page; its thumbnail folder is
emptied before each round. Both run in turn, so that a busy machine slows both, and a round's ratio compares
adjacent runs; the median counts. Processor time is shown too, which is more stable on a busy machine.
"""

import os
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import nbformat
from PIL import Image
from tests.benchmarks.measuring import options

import inkframe as ink

MEDIUMS = [None, "ink", "watercolor", "glass", "chalk", "acrylic", "pencil", "canvas"]
MOST_RATIO, MOST_BYTES = 1.2, 1_000_000


def drawn(client, count):
    """Return a frame of as many pictures; draw those missing in the library."""
    if len(held := client.images.all(limit=count)) == count:
        return held
    plan = ink.plan_images(
        "a harbor at dawn, two boats",
        name="{style} {medium} {repeat}",
        resolution="1024x1024",
        style=ink.ALL,
        medium=MEDIUMS,
        repeats=-(-count // 112),
    )
    client.images.create_many(plan.head(count))
    return client.images.all(limit=count)


def decode(data):
    with Image.open(BytesIO(data)) as image:
        image.load()


def bare(files):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(decode, files))


def timed(work):
    """Return the elapsed seconds, the processor seconds, and the result."""
    used, started = sum(os.times()[:2]), time.perf_counter()
    result = work()
    return time.perf_counter() - started, sum(os.times()[:2]) - used, result


def added(gallery):
    """Return the bytes that a gallery adds to a saved notebook."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("gallery")])
    empty = len(nbformat.writes(notebook).encode())
    shown = nbformat.v4.new_output("execute_result", data=gallery._repr_mimebundle_(), execution_count=1)
    notebook.cells[0].outputs = [shown]
    return len(nbformat.writes(notebook).encode()) - empty


def measure(client, frame, rounds):
    """Run both in turn; return the times of each, and the last gallery."""
    files = [client.images.picture_of_row(row) for row in frame.reset_index().to_dict("records")]
    print(f"{len(files)} pictures, {sum(map(len, files)) / 1e6:.0f} MB of PNG, load {os.getloadavg()[0]:.1f}")
    times = []
    for _ in range(rounds):
        shutil.rmtree(Path(os.environ["INKFRAME_HOME"]) / "thumbnails", ignore_errors=True)
        clock, used, _ = timed(lambda: bare(files))
        clock_all, used_all, gallery = timed(lambda: client.images.gallery(frame))
        times.append((clock, clock_all, used, used_all))
    return times, gallery


def main():
    given = options(__doc__, pictures=100, rounds=5, library=":memory:")
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"INKFRAME_HOME": home, "INKFRAME_PROGRESS": "0"}
        with ink.connect(library=given.library) as client:
            times, gallery = measure(client, drawn(client, given.pictures), given.rounds)
    clock, used = ([row[at + 1] / row[at] for row in times] for at in (0, 2))
    for label, at, ratios in (("clock", 0, clock), ("processor", 2, used)):
        one, two = (statistics.median(row[place] for row in times) for place in (at, at + 1))
        print(
            f"{label:9}  decoding {one:.2f} s, gallery {two:.2f} s, ratio {statistics.median(ratios):.2f}"
            f"  (rounds: {' '.join(f'{ratio:.2f}' for ratio in ratios)})"
        )
    weight = added(gallery)
    print(f"notebook   {weight:,} bytes, {gallery.left_out} left out, {len(gallery.failures)} failed")
    raise SystemExit(statistics.median(clock) > MOST_RATIO or weight > MOST_BYTES or gallery.left_out > 0)


if __name__ == "__main__":
    main()
