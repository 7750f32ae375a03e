"""Measure the gallery with 10,000 pictures and a busy form in JupyterLab in Chromium.

    .venv/bin/python -m tests.benchmarks.bench_widgets [--runs 5] [--pictures 10000] [--seconds 3]

First row: from the call in the kernel that shows other pictures until every tile of the first row shows its own.
Scrolling: three rows per frame over 120 rows; the longest task of the page and the time between frames.
Button: from the press of an unrelated button until its label has changed, on an idle kernel and while a form's
creation of three seconds runs. The idle time is the lower bound, that of Jupyter itself.
"""

import argparse
import tempfile
from pathlib import Path
from statistics import median

from tests.browser import JupyterLab, Notebook, find_chromium, pages_of

MOST_FIRST_ROW, MOST_TASK, MOST_BUTTON = 1_000, 100, 200
GALLERY = """
import ipywidgets
import inkframe as ink
from inkframe.frames import rows_of
from inkframe.widgets.panel import Status
from inkframe.widgets.rows import RecordGallery

sample = ink.connect(library=":memory:", sample=True)
pictures = [(row, sample.images.get(row["id"]).picture_bytes) for row in rows_of(sample.images.list(per_page=25))]
gallery = RecordGallery(print, lambda record: pictures[record["file"]][1], label="Images")
box = ipywidgets.VBox([gallery, Status()])
for name in ("inkframe", "ink-panel", "gallery-alone"):
    box.add_class(name)
box
"""
FORM = """
import time
import httpx
from inkframe.client import NOWHERE, Client
from inkframe.service import Service
from inkframe_demo import Offline

class Slow(Offline):
    def draw(self, request):
        time.sleep({seconds})
        return super().draw(request)

service = Service(":memory:", engine=Slow())
slow = Client(NOWHERE, service.key, transport=httpx.WSGITransport(app=service.app), _embedded=service)
form = ink.ImageForm(slow, name="Slow", description="a lighthouse", resolution="256x256")
count, plus = ipywidgets.Label("0"), ipywidgets.Button(description="Plus")
count.add_class("count-alone")
plus.on_click(lambda _: count.set_trait("value", str(int(count.value) + 1)))
ipywidgets.VBox([form, plus, count])
"""
FIRST_ROW = """async ([run, pictures]) => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel, began = performance.now();
  const row = `{**pictures[n % 25][0], "id": ${run} * 10**6 + n, "name": "Run ${run}", "file": n % 25}`;
  kernel.requestExecute({code: `gallery.show([${row} for n in range(${pictures})])`, store_history: false});
  const isThere = () => {
    const tiles = [...(document.querySelector('.gallery-alone .ink-lane')?.children ?? [])];
    const image = tile => tile.querySelector('img');
    return tiles.length && tiles.every(tile => tile.textContent.includes(`Run ${run}`) && image(tile)?.naturalWidth);
  };
  while (!isThere() && performance.now() - began < 10_000) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
SCROLL = """async () => {
  const view = document.querySelector('.gallery-alone .ink-view'), tasks = [], frames = [];
  const watch = new PerformanceObserver(list => tasks.push(...list.getEntries().map(entry => entry.duration)));
  watch.observe({entryTypes: ['longtask']});
  view.scrollTop = 0;
  const height = document.querySelector('.gallery-alone .ink-tile').getBoundingClientRect().height;
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 40; frame++) {
    view.scrollTop += 3 * height;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  await new Promise(resolve => setTimeout(resolve, 150));
  watch.disconnect();
  return [Math.max(0, ...tasks), tasks.length, frames.sort((a, b) => a - b)[frames.length >> 1]];
}"""
PRESS = """async () => {
  const button = [...document.querySelectorAll('button')].find(each => each.textContent === 'Plus');
  const label = document.querySelector('.count-alone'), before = label.textContent, began = performance.now();
  button.click();
  while (label.textContent === before && performance.now() - began < 10_000)
    await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


def measure(notebook, given):
    """Return the lines of the table: the name, the limit, and the figures of each run."""
    page = notebook.page
    first = [page.evaluate(FIRST_ROW, [run, given.pictures]) for run in range(given.runs)]
    scrolls = [page.evaluate(SCROLL) for _ in range(given.runs)]
    idle = [page.evaluate(PRESS) for _ in range(given.runs)]
    page.get_by_role("button", name="Create image").click()
    page.get_by_text("Drawing…").wait_for()
    busy = [page.evaluate(PRESS) for _ in range(given.runs)]
    assert page.get_by_text("Drawing…").is_visible(), "the creation ended before the last press"
    page.get_by_text("Image 1 created").wait_for()
    return (
        ("first row, ms", MOST_FIRST_ROW, first),
        ("longest task while scrolling, ms", MOST_TASK, [longest for longest, _, _ in scrolls]),
        ("long tasks over 50 ms", None, [tasks for _, tasks, _ in scrolls]),
        ("frame while scrolling, ms", None, [frame for _, _, frame in scrolls]),
        ("button on an idle kernel, ms", None, idle),
        (f"button while {given.seconds:g} s are drawn, ms", MOST_BUTTON, busy),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--pictures", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=3)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        JupyterLab(Path(folder)).running() as lab,
        pages_of(find_chromium()) as new_page,
    ):
        written = lab.write([GALLERY, FORM.format(seconds=given.seconds)])
        lines = measure(Notebook(new_page(), lab, written).open(), given)
    print(f"{'':36}{'limit':>7}{'median':>8}  runs")
    for label, limit, figures in lines:
        runs = " ".join(f"{figure:.0f}" for figure in figures)
        print(f"{label:36}{limit or '':>7}{median(figures):>8.0f}  {runs}")
    raise SystemExit(any(limit and median(figures) > limit for _, limit, figures in lines))


if __name__ == "__main__":
    main()
