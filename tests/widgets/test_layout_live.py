"""Every panel and view at three widths and in both themes: nothing broken inside a word, cut or illegible."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.waiting import until

pytestmark = pytest.mark.browser

SETUP = """
import inkframe as ink
client = ink.connect(library=":memory:", sample=True)
images, documents = client.images.all(progress=False), client.documents.all(progress=False)
form = ink.DocumentForm(client, template="FAQ")
tuner = ink.CreativityTuner(client, prompt="Product text for a kettle", repeats=2)
grid = ink.LookGrid(client, description="a lighthouse", style=["anime", "digital_art", "photography"], medium=["ink", "spray_paint"])
tuner.submit().result(60), grid.submit().result(60)
client.images.update(images.index[0], name="WWWWWWWW MMMMMMMM")
browser = ink.ImageBrowser(client)
"""
PANELS = {
    "image form": "ink.ImageForm(client)",
    "document form": "form",
    "images": "browser",
    "documents": "ink.DocumentBrowser(client)",
    "tuner": "tuner",
    "grid": "grid",
    "studio": "ink.Studio(client)",
    "rating": "ink.RatingPanel(documents.head(12), by='template')",
}
for path in sorted(Path(__file__).parents[1].glob("*/panels.json")):  # panels of rooms that may be taken out
    PANELS |= json.loads(path.read_text(encoding="utf-8"))
VIEWS = {
    "compared texts": "ink.compare(documents.head(3))",
    "compared pictures": "ink.compare(images.head(3))",
    "gallery": "images.head(12).ink.gallery(group_by='style')",
    "texts": "documents.head(3).ink.read()",
    "table": "documents.ink.table(rows=6)",
    "table of pictures": "images.ink.table(rows=3)",
    "what was learned": "client.describe()",
}
#: The cells after the first one, in their order.
CELLS = PANELS | VIEWS
WIDTHS = (500, 900, 1400)
#: Words that are broken between lines, and texts that are cut without a title that has all of them.
FLAWS = r"""root => {
  const found = new Set(), range = document.createRange();
  const isSeen = element => element?.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!isSeen(node.parentElement) || node.parentElement.closest('style, script, select')) continue;
    for (const word of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const boxes = [...range.getClientRects()].filter(box => box.width > 0);
      if (boxes.length > 1 && boxes.at(-1).top - boxes[0].top > 4) found.add(`broken: ${word[0]}`);
    }
  }
  const widthOf = (text, font) => {
    const ruler = Object.assign(document.createElement('canvas').getContext('2d'), { font });
    return ruler.measureText(text).width;
  };
  for (const element of root.querySelectorAll('*')) {
    if (!isSeen(element)) continue;
    const style = getComputedStyle(element), text = element.textContent.trim().slice(0, 60);
    const hasTitle = element.closest('[title]');
    if (element.tagName === 'SELECT') {
      const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const chosen = element.selectedOptions[0]?.text ?? '';
      if (widthOf(chosen, style.font) > room + 1 && !hasTitle) found.add(`cut: ${chosen}`);
    } else if (element.placeholder) {
      const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (widthOf(element.placeholder, style.font) > room + 1 && element.tagName === 'INPUT') found.add(`cut: ${element.placeholder}`);
    } else if ([element, ...element.querySelectorAll(':scope > code')].some(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim())) && !hasTitle) {
      const isCut = (flow, size, room) => (['hidden', 'clip'].includes(flow) || element.closest('.ink-code')) && size > room + 2;
      if (isCut(style.overflowX, element.scrollWidth, element.clientWidth)) found.add(`cut: ${text}`);
      if (isCut(style.overflowY, element.scrollHeight, element.clientHeight)) found.add(`cut: ${text}`);
    }
  }
  return [...found];
}"""
#: Numbers the controls of a panel that Tab should reach, and gives how many there are.
CONTROLS = """root => {
  const all = [...root.querySelectorAll('.ink-panel :is(input, select, textarea, button, [tabindex])')];
  const isStop = each => each.type !== 'radio' || each.checked;  // arrows lead on to the others
  const controls = all.filter(each => each.tabIndex >= 0 && !each.disabled && each.checkVisibility() && isStop(each));
  controls.forEach((each, at) => { each.dataset.reached = at; });
  return controls.length;
}"""
#: Whether each panel that is seen has been drawn to its end, where its status line is.
IS_DRAWN = """root => {
  const panels = [...root.querySelectorAll('.ink-panel')].filter(each => each.checkVisibility());
  return panels.length > 0 && panels.every(each => each.querySelector('.ink-status'));
}"""
REACHED = "() => document.activeElement?.dataset.reached ?? null"
#: How each control looks, with the two elements around it and its current item; the focus must change it.
LOOKS = """root => [...root.querySelectorAll('[data-reached]')].map(control =>
  [control, control.parentElement, control.parentElement.parentElement,
   ...control.querySelectorAll('.ink-current, .ink-current :is(.ink-pic, .ink-none)')].map(each => {
    const { outlineStyle, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(each);
    return [outlineStyle === 'none' ? '' : outlineColor, boxShadow, borderColor, backgroundColor].join(' ');
  }).join(' | '))"""
#: The contrast of an element's text, or of its placeholder, with what is behind it.
CONTRAST = """(element, part) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const grounds = [];
  for (let each = element; each; each = each.parentElement) grounds.unshift(getComputedStyle(each).backgroundColor);
  const painted = colors => {
    context.clearRect(0, 0, 1, 1);
    for (const color of colors) Object.assign(context, { fillStyle: color }).fillRect(0, 0, 1, 1);
    const light = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map(value => value / 255)
      .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  };
  const [one, other] = [painted(grounds), painted([...grounds, getComputedStyle(element, part).color])];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}"""


@pytest.fixture(scope="module")
def notebook(open_notebook):
    """Run a notebook with every panel and view."""
    notebook = open_notebook(SETUP, *CELLS.values())
    expect(notebook.page.locator(".ink-tile img").first).to_be_visible()
    return notebook


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_broken_or_cut(notebook, width):
    """No word is broken between two lines, and what is cut has a title with all of it."""
    notebook.resize(width)
    flaws = {name: notebook.cell(at).evaluate(FLAWS) for at, name in enumerate(CELLS, 1)}
    assert {name: found for name, found in flaws.items() if found} == {}


def test_every_tab_of_the_studio_is_in_view(notebook):
    """At 500 pixels the tabs are on several lines."""
    notebook.resize(500)
    tabs = notebook.cell(1 + list(PANELS).index("studio")).get_by_role("tab")
    tabs.first.scroll_into_view_if_needed()
    assert tabs.count() > 5
    for tab in tabs.all():
        expect(tab).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("name", PANELS)
def test_every_control_is_reached_by_tab(notebook, name):
    """Tab alone leads through the whole panel in order, the focus is seen everywhere, and out of it at the end."""
    page, cell = notebook.page, notebook.cell(1 + list(PANELS).index(name))
    until(lambda: cell.evaluate(IS_DRAWN))
    notebook.resize(900)
    count = cell.evaluate(CONTROLS)
    assert count > 3
    page.evaluate("() => document.activeElement?.blur()")
    usual = cell.evaluate(LOOKS)
    cell.locator("[data-reached='0']").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")  # the focus by script may be invisible
    reached, unseen = [], []
    while (at := page.evaluate(REACHED)) is not None and len(reached) <= count:
        reached.append(int(at))
        if cell.evaluate(LOOKS)[int(at)] == usual[int(at)]:
            unseen.append(cell.locator(f"[data-reached='{at}']").evaluate("each => each.outerHTML"))
        page.keyboard.press("Tab")
    assert reached == list(range(count))
    assert unseen == []


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_texts_are_legible(notebook, find_severe, theme):
    """axe-core finds nothing severe; disabled buttons and hints are readable, and hints are fainter than what is typed."""
    notebook.resize(900)
    notebook.theme(theme)
    assert (
        find_severe(notebook.page, ".jp-OutputArea-output > :is(.ink-panel, .jp-RenderedHTML .inkframe)")
        == []
    )
    form = notebook.cell(1 + list(PANELS).index("document form"))
    hint = form.get_by_label("Who asks")
    typed, placeholder = (hint.evaluate(CONTRAST, part) for part in (None, "::placeholder"))
    assert 4.5 <= placeholder < 0.8 * typed
    images = notebook.cell(1 + list(PANELS).index("images"))
    for name in ("Rename", "Previous"):
        assert images.get_by_role("button", name=name).evaluate(CONTRAST, None) >= 4.5
    grid = notebook.cell(1 + list(PANELS).index("grid"))
    assert grid.get_by_role("button", name="All created").evaluate(CONTRAST, None) >= 4.5
