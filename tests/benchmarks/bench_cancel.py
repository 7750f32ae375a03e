"""Measure Cancel of a job while a cell blocks the kernel, in JupyterLab and Notebook 7 in Chromium.

    .venv/bin/python -m tests.benchmarks.bench_cancel [--times 10] [--seconds 6]

From the click until the job is cancelled in the kernel, and until the page says so. The cell sleeps, or computes
in Python. Of a run in which the answer came after the cell the time is that, too.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from tests.browser import JupyterLab, Notebook, Notebook7, find_chromium, pages_of

SETUP = """
import threading, time
import httpx
import inkframe as ink
from inkframe.client import NOWHERE, Client
from inkframe_demo import Offline
from inkframe.service import Service

class Slow(Offline):
    def write(self, request):
        time.sleep(0.25)
        return super().write(request)

service = Service(":memory:", engine=Slow())
client = Client(NOWHERE, service.key, transport=httpx.WSGITransport(app=service.app), _embedded=service)
plan = ink.plan_documents("About a kettle", name="Kettle {number}", creativity=0.5, repeats=400)
ended = {}

def follow(job):
    while not job.cancelled():
        time.sleep(0.002)
    ended["at"] = time.time()
"""
JOB = """
job = client.documents.submit_many(plan, fresh=True)
threading.Thread(target=follow, args=(job,)).start()
job
"""
BLOCKS = {
    "sleeps": "time.sleep({seconds})",
    "computes": "began = time.time()\nwhile time.time() - began < {seconds}: sum(range(1000))",
}
RUN = """code => { jupyterapp.shell.currentWidget.sessionContext.session.kernel
  .requestExecute({code, store_history: false}) }"""
BUSY = "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"
#: Notes the time of the press and of the first change of the line that says it.
WATCH = """cell => {
  const times = window.cancelTimes = {};
  cell.addEventListener('click', event => {
    if (event.target.closest('button')?.textContent === 'Cancel') times.pressed = Date.now();
  }, true);
  const look = () => {
    if (/cancelled/i.test(cell.textContent)) times.shown = Date.now(); else requestAnimationFrame(look);
  };
  look();
}"""


def measure(server, page, block, seconds):
    """Return the seconds from a press of Cancel until the kernel knows, and until the page says so."""
    notebook = Notebook(page, server, server.write([SETUP, JOB])).open()
    cell = notebook.cell(1)
    cell.get_by_text(" of 400").first.wait_for()
    page.wait_for_timeout(1500)
    cell.evaluate(WATCH)
    page.evaluate(RUN, BLOCKS[block].format(seconds=seconds))
    page.wait_for_function(BUSY)
    page.wait_for_timeout(300)
    cell.get_by_role("button", name="Cancel").click()
    page.wait_for_function("() => window.cancelTimes.shown")
    times = page.evaluate("() => window.cancelTimes")
    at = float(notebook.text("print(ended['at'])"))
    notebook.text("job.wait()")
    return at - times["pressed"] / 1000, (times["shown"] - times["pressed"]) / 1000


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=6, help="for which the cell blocks")
    options = parser.parse_args()
    for kind in (JupyterLab, Notebook7):
        with (
            tempfile.TemporaryDirectory() as folder,
            kind(Path(folder)).running() as server,
            pages_of(find_chromium()) as new_page,
        ):
            for block in BLOCKS:
                found = []
                for _ in range(options.times):
                    page = new_page()
                    found.append(measure(server, page, block, options.seconds))
                    page.close()
                for name, times in zip(("kernel", "page"), zip(*found, strict=True), strict=True):
                    print(
                        f"{kind.module:10} cell {block:8} {name:6} median {median(times):5.2f} s,"
                        f" longest {max(times):5.2f} s",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
