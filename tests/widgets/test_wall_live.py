"""The wall with 10,000 pictures, measured in Chromium."""

from __future__ import annotations

from statistics import median

import pytest

pytestmark = pytest.mark.browser

SETUP = """
import inkframe as ink
from inkframe.library.selection import rows
from inkframe.widgets.footer import Footer
from inkframe.widgets.wall import Wall
import ipywidgets

client = ink.connect(library=":memory:", sample=True)
pictures = [(row, client.images.get(row["id"]).picture_bytes) for row in rows(client.images.list(per_page=25))]
wall = Wall(print, lambda record: pictures[record["file"]][1])
most, send = [], wall.send
wall.send = lambda content, buffers=None: (most.append(len(buffers or [])), send(content, buffers))
box = ipywidgets.VBox([wall, Footer()])
box.add_class("inkframe")
box.add_class("ink-panel")
box
"""
#: Hangs other pictures and gives the milliseconds until every tile of the first row shows its own.
FIRST_ROW = """async run => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel, began = performance.now();
  const row = `{**pictures[n % 25][0], "id": ${run}_00000 + n, "name": "Run ${run}", "file": n % 25}`;
  kernel.requestExecute({code: `wall.hang([${row} for n in range(10_000)])`, store_history: false});
  const isThere = () => {
    const tiles = [...(document.querySelector('.ink-wall-row')?.children ?? [])];
    const image = tile => tile.querySelector('img');
    return tiles.length && tiles.every(tile => tile.textContent.includes(`Run ${run}`) && image(tile)?.naturalWidth);
  };
  while (!isThere() && performance.now() - began < 10_000) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
#: Scrolls three rows a frame and gives the longest task in milliseconds; 0 where none was long.
SCROLL = """async () => {
  const view = document.querySelector('.ink-view'), long = [];
  const watch = new PerformanceObserver(list => long.push(...list.getEntries().map(entry => entry.duration)));
  watch.observe({entryTypes: ['longtask']});
  view.scrollTop = 0;
  const height = document.querySelector('.ink-tile').getBoundingClientRect().height;
  for (let frame = 0; frame < 60; frame++) {
    view.scrollTop += 3 * height;
    await new Promise(requestAnimationFrame);
  }
  await new Promise(resolve => setTimeout(resolve, 150));
  watch.disconnect();
  return Math.max(0, ...long);
}"""


#: Walks past so many pictures that the first ones are let go, and gives how many were.
PASS_BY = """async () => {
  const view = document.querySelector('.ink-view'), revoke = URL.revokeObjectURL;
  let count = 0;
  URL.revokeObjectURL = url => { count += 1; revoke.call(URL, url); };
  view.scrollTop = 0;
  const isFull = () => [...document.querySelectorAll('.ink-tile')].every(tile => tile.querySelector('img'));
  for (let screen = 0; screen < 40 && !count; screen++) {
    view.scrollTop += view.clientHeight;
    const began = performance.now();
    do await new Promise(requestAnimationFrame); while (!isFull() && performance.now() - began < 2_000);
  }
  URL.revokeObjectURL = revoke;
  return count;
}"""


@pytest.fixture(scope="module")
def notebook(open_notebook):
    """Give a notebook with an empty wall."""
    return open_notebook(SETUP)


def test_the_first_row_is_there_within_a_second(notebook):
    """From the call in the kernel to the pictures on the screen: at most a second, median of three runs."""
    times = [notebook.page.evaluate(FIRST_ROW, run) for run in (1, 2, 3)]
    assert median(times) < 1_000, times


def test_scrolling_has_no_long_task(notebook):
    """Three rows a frame over 180 rows: no task over 100 ms, median of five runs."""
    longest = [notebook.page.evaluate(SCROLL) for _ in range(5)]
    assert median(longest) < 100, longest


def test_only_what_is_in_view_is_held(notebook):
    """Of 10,000 tiles a screenful is on the page; pictures that were passed are let go as others come."""
    page = notebook.page
    let_go = page.evaluate(PASS_BY)
    assert let_go > 0
    assert page.locator(".ink-tile").count() < 60
    assert page.locator("[role=grid]").get_attribute("aria-rowcount") == "2000"


def test_a_message_holds_24_pictures_at_most(notebook):
    """No message from the kernel carries more pictures than are wanted at once."""
    assert 0 < int(notebook.text("print(max(most))")) <= 24
