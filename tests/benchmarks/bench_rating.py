"""Measure the rating panel in JupyterLab in Chromium: from a key to the next item, and to the mark that it is saved.

    .venv/bin/python -m tests.benchmarks.bench_rating [--ratings 200]

Next item: from the event of a digit until the frame after the one that shows the next text. Saved: from
the same event until the page counts the judgment as saved, which is after it was written and synced.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median, quantiles

from tests.browser import JupyterLab, Notebook, find_chromium, pages_of

CELL = """
import pandas as pd
import inkframe as ink

rows = [{{"id": n, "creativity": n % 5 / 4, "case": "the kettle", "result": f"# Number {{n}}\\n\\n" + "A sentence of a text. " * {words}}}
        for n in range({count})]
panel = ink.RatingPanel(pd.DataFrame(rows), by="creativity", per_group={count}, path={path!r})
panel
"""
#: Notes the time of each digit, and of the next frame that shows another item, and of each count of saved ones.
WATCH = """() => {
  const root = document.querySelector('.ink-rating');
  const times = window.ratingTimes = {next: [], saved: []};
  const began = [];
  root.addEventListener('keydown', event => {
    if (!/^[1-5]$/.test(event.key)) return;
    const start = performance.now();
    began.push(start);
    const item = () => root.querySelector('.ink-item').textContent, before = item();
    const look = () => item() === before ? requestAnimationFrame(look)
      : requestAnimationFrame(() => times.next.push(performance.now() - start));
    requestAnimationFrame(look);
  }, true);
  new MutationObserver(() => {
    const count = parseInt(root.querySelector('.ink-saved').textContent);
    while (times.saved.length < count) times.saved.push(performance.now() - began[times.saved.length]);
  }).observe(root.querySelector('.ink-saved'), {childList: true, characterData: true, subtree: true});
}"""


def measure(ratings: int, words: int) -> dict[str, list[float]]:
    """Rate by keyboard, and return the milliseconds of each key."""
    with (
        tempfile.TemporaryDirectory() as folder,
        JupyterLab(Path(folder)).running() as lab,
        pages_of(find_chromium()) as new_page,
    ):
        page = new_page()
        path = str(Path(folder) / "ratings.jsonl")
        cell = CELL.format(count=ratings + 10, words=words, path=path)
        notebook = Notebook(page, lab, lab.write([cell])).open()
        stage = notebook.cell(0).locator(".ink-stage")
        stage.click()
        page.evaluate(WATCH)
        for number in range(ratings):
            notebook.cell(0).locator(".ink-rating:not(.ink-empty)").wait_for()
            page.keyboard.press(str(1 + number % 5))
        page.wait_for_function(f"() => window.ratingTimes.saved.length >= {ratings}")
        times: dict[str, list[float]] = page.evaluate("() => window.ratingTimes")
    return times


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ratings", type=int, default=200)
    parser.add_argument("--words", type=int, default=150, help="sentences of five words in each text")
    options = parser.parse_args()
    for name, times in measure(options.ratings, options.words).items():
        spread = quantiles(times, n=20)
        print(
            f"{name:6} median {median(times):6.1f} ms, 95 % {spread[-1]:6.1f} ms, longest {max(times):6.1f} ms"
        )


if __name__ == "__main__":
    main()
