"""Measure the explorer in JupyterLab in Chromium, with the mouse and the keyboard of a person.

    .venv/bin/python -m tests.benchmarks.bench_exploring [--rows 10000] [--changes 40]

Each time runs from the event of the page until the frame after the one that shows the result. Bytes are those of the
kernel's connection, both ways, from running the cell until the first rows are shown. Tasks of the page that take
longer than 50 milliseconds are counted by the browser itself. With 100,000 rows the positions on the map are the
frame's own, so that no sample is drawn.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.benchmarks.measuring import options
from tests.browser import JupyterLab, Notebook, find_chromium, pages_of

SETUP = """
import numpy as np, pandas as pd
import inkframe as ink

random = np.random.default_rng(0)
letters = np.array(list("abcdefghijklmnoprstuvw"))
words = np.array(["".join(random.choice(letters, size)) for size in random.integers(3, 10, 3000)])
kinds, subjects = random.integers(0, 52, {rows}), random.integers(0, 12, {rows})

def text(kind, subject):
    places = [random.integers(0, 400, 90), 400 + 40 * kind + random.integers(0, 40, 60),
              2500 + 40 * subject + random.integers(0, 40, 50)]
    places = np.concatenate(places)
    return " ".join(words[random.permutation(places)])[:1200]

texts = [text(kinds[at], subjects[at]) for at in range({rows})]
docs = pd.DataFrame({{
    "name": [f"Text {{at}}" for at in range({rows})],
    "template": pd.Categorical([f"Template {{kind}}" for kind in kinds]),
    "creativity": random.choice([0, .25, .5, .75, 1], {rows}),
    "result": pd.array(texts, "str"),
    "favorite": pd.array(random.random({rows}) < .2, "boolean"),
    "created_at": pd.Timestamp("2026-01-01", tz="UTC") + pd.to_timedelta(random.integers(0, 10**7, {rows}), "s"),
    "words": random.integers(50, 300, {rows}),
    "x": random.normal(size={rows}), "y": random.normal(size={rows}),
}}, index=pd.Index(range({rows}), name="id"))
needle = texts[0].split()[3]
own = {{"x": "x", "y": "y"}} if {rows} > 20_000 else {{}}
if not own:
    ink.analysis.project(docs)  # the map is stored
print(f"{{sum(map(len, texts)) / len(texts):.0f}} characters a text")
ink.Explorer(docs.head(3));  # all is loaded
"""
SHOW = "explorer = ink.Explorer(docs, **own)\nexplorer"
#: Notes tasks of the page, and times from an event until a condition holds and one more frame is shown.
WATCH = """() => {
  const bench = window.bench = {tasks: [], paints: 0};
  new PerformanceObserver(found => found.getEntries().forEach(each => bench.tasks.push(each.duration)))
    .observe({type: 'longtask'});
  bench.until = holds => new Promise((done, fail) => {
    const start = performance.now();
    const look = () => holds() ? requestAnimationFrame(() => done(performance.now() - start))
      : performance.now() - start > 60000 ? fail('nothing changed') : requestAnimationFrame(look);
    look();
  });
  bench.one = what => document.querySelector('.ink-explorer ' + what);
  bench.line = () => document.querySelector('.ink-explorer').closest('.ink-panel').querySelector('.ink-code code, .ink-code pre');
  bench.renewed = act => {
    const code = bench.line().textContent; // the last thing that is renewed
    act();
    return bench.until(() => bench.line().textContent !== code);
  };
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function (...all) { bench.paints++; return clear.apply(this, all); };
}"""
RUN = """async () => {
  jupyterapp.shell.currentWidget.content.activeCellIndex = 1;
  const shown = bench.until(() => bench.one('.ink-tile') && bench.one('.ink-facet-count'));
  jupyterapp.commands.execute('notebook:run-cell');
  return await shown;
}"""
CHECK = "at => bench.renewed(() => document.querySelectorAll('.ink-explorer .ink-facet')[0].querySelectorAll('input')[at].click())"
KEY = """text => bench.renewed(() => {
  const field = bench.one('input[type=search]');
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event('input', {bubbles: true}));
})"""
MAP = """() => {
  const [last] = [...document.querySelectorAll('.ink-explorer .widget-toggle-button')].slice(-1);
  bench.paints = 0;
  last.click();
  const first = bench.until(() => bench.paints && /^Map of/.test(bench.one('canvas').getAttribute('aria-label')));
  const note = () => bench.one('.ink-map .ink-hint').textContent;
  const whole = first.then(time => bench.until(() => !/better/.test(note())).then(more => time + more));
  return Promise.all([first, whole]);
}"""


class Traffic:
    """Counts the bytes of a page's connections to the kernel."""

    def __init__(self, page: Any) -> None:
        self.bytes = 0
        page.on("websocket", self._opened)

    def _opened(self, socket: Any) -> None:
        socket.on("framereceived", self._count)
        socket.on("framesent", self._count)

    def _count(self, payload: bytes | str) -> None:
        self.bytes += len(payload)


def report(name: str, times: list[float], limit: float, unit: str = "ms") -> None:
    """Print a figure beside its limit."""
    worst = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    spread = f"median {median(times):7.1f}, 95 % {worst:7.1f}, most {max(times):7.1f}"
    print(f"{name:38} {spread} {unit:3} (limit {limit:g}){'' if worst <= limit else '  OVER'}", flush=True)


def longest(page: Any, act: Any) -> float:
    """Return the longest task of the page while something is done; 0 if none takes 50 milliseconds."""
    page.wait_for_timeout(300)
    page.evaluate("() => { bench.tasks.length = 0; }")
    act()
    page.wait_for_timeout(300)
    return float(max([0.0, *page.evaluate("() => bench.tasks")]))


def lasso(page: Any) -> float:
    """Draw a lasso around half of the map, and return the milliseconds until the selection is counted."""
    page.get_by_role("button", name="Lasso").click()
    box = page.locator(".ink-explorer canvas").bounding_box()
    left, top, width, height = box["x"], box["y"], box["width"], box["height"]
    page.mouse.move(left + 5, top + 5)
    page.mouse.down()
    for x, y in ((0.5, 0.01), (0.5, 0.99), (0.02, 0.99)):
        page.mouse.move(left + x * width, top + y * height, steps=5)
    page.evaluate(
        "() => addEventListener('pointerup', () => { bench.chosen = bench.until(() => /[0-9] selected/.test(document.querySelector('.ink-panel').textContent)); }, {once: true, capture: true})"
    )
    page.mouse.up()
    return float(page.evaluate("() => bench.chosen"))


def measure(rows: int, changes: int, screenshot: str | None) -> None:
    """Print the figures of one explorer."""
    with (
        tempfile.TemporaryDirectory() as folder,
        JupyterLab(Path(folder)).running() as lab,
        pages_of(find_chromium()) as new_page,
    ):
        page = new_page()
        page.set_default_timeout(180_000)
        traffic = Traffic(page)
        name = lab.write([SETUP.format(rows=rows), SHOW])
        notebook = Notebook(page, lab, name).open(run=False)
        print(f"--- {rows:,} rows, load {os.getloadavg()[0]:.1f}")
        page.evaluate(WATCH)
        first = page.locator(".jp-CodeCell").nth(0)
        page.evaluate("""async () => {
          const context = jupyterapp.shell.currentWidget.sessionContext;
          await context.ready; await context.session.kernel.info;
          jupyterapp.shell.currentWidget.content.activeCellIndex = 0;
          await jupyterapp.commands.execute('notebook:run-cell');
        }""")
        print(first.locator(".jp-OutputArea").inner_text().strip()[-300:])
        page.wait_for_timeout(500)
        before = traffic.bytes
        report("first rows and facets", [page.evaluate(RUN)], 1500)
        page.wait_for_timeout(1500)
        report("before the first interaction", [(traffic.bytes - before) / 1e3], 1000, "kB")
        limit = 150 if rows <= 10_000 else 300
        facets = [page.evaluate(CHECK, at % 6) for at in range(changes)]
        report("a facet", facets, limit)
        page.get_by_role("button", name="Clear all").click()
        page.wait_for_timeout(500)
        needle = notebook.text("print(needle)")
        keys = [
            page.evaluate(KEY, needle[:size])
            for _ in range(max(changes // 6, 2))
            for size in range(1, len(needle) + 1)
        ]
        report("a key in search", keys, limit)
        page.wait_for_timeout(500)
        page.mouse.move(*middle(page.locator(".ink-view")))
        report("longest task, scrolling", [longest(page, lambda: wheel(page, 400))], 100)
        near, whole = page.evaluate(MAP)
        report("first map", [near], 2000)
        report("map", [whole], 2000)
        page.wait_for_timeout(500)
        page.mouse.move(*middle(page.locator(".ink-explorer canvas")))
        report("longest task, zooming", [longest(page, lambda: wheel(page, -60))], 100)
        report("longest task, moving", [longest(page, lambda: drag(page))], 100)
        page.get_by_role("button", name="Show all", exact=True).click()
        report("lasso to selection", [lasso(page)], 500)
        print(f"selected: {notebook.text('print(len(explorer.selection))')}")
        report("saved notebook", [len(str(notebook.save())) / 1e3], 300, "kB")
        print(f"load {os.getloadavg()[0]:.1f}; errors {page.errors}")
        if screenshot:
            page.screenshot(path=screenshot)


def middle(locator: Any) -> tuple[float, float]:
    """Return the middle of an element."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def wheel(page: Any, by: int) -> None:
    """Turn the wheel for a second or two."""
    for _ in range(30):
        page.mouse.wheel(0, by)
        page.wait_for_timeout(30)


def drag(page: Any) -> None:
    """Drag the map."""
    x, y = middle(page.locator(".ink-explorer canvas"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 150, y + 90, steps=30)
    page.mouse.up()


def main() -> None:
    """Print the figures."""
    given = options(__doc__, rows=[10_000, 100_000], changes=40, screenshot=str)
    for rows in given.rows:
        measure(rows, given.changes, given.screenshot)


if __name__ == "__main__":
    main()
