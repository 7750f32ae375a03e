"""Every view in a real JupyterLab in a real browser: hostile records run nothing and fetch nothing, alive and dead."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter

pytestmark = pytest.mark.browser

#: A person's cells; every name, text and setting in them comes from a hostile service.
CELLS = (
    "import hostile, inkframe as ink\nfrom IPython.display import display\n"
    "service = hostile.service()\n"
    "client = ink.Client(service.base_url, service.key, transport=service.transport)\n"
    "images, documents = client.images.all(), client.documents.all()",
    "for number in images.index:\n    display(client.images.get(number))",
    "for number in documents.index:\n    display(client.documents.get(number))",
    "client.images.gallery(images, group_by='style', caption='{name} {style}')",
    "ink.compare(images.head(6))",
    "ink.compare(documents.tail(8))",
    "documents.ink.read()",
    "client.documents.read(documents, layout='page')",
    "display(images.ink.table(), documents.ink.table())",
    "display(images.head(3), images['name'].iloc[1], client, client.describe())",
    "ink.contact_sheet(images, rows='medium', columns='style', size=64)",
    "ink.report(client.images.all(), 'images.html')\nink.report(documents, 'documents.html')",
)
#: Opens all that opens, and sends each element the events that handlers wait for.
PROVOKE = """async () => {
  for (const each of document.querySelectorAll(".inkframe details")) each.open = true;
  for (const each of document.querySelectorAll(".jp-OutputArea *, .inkframe, .inkframe *"))
    for (const kind of ["mouseover", "mouseenter", "focus", "load", "error", "toggle", "animationstart"])
      each.dispatchEvent(new Event(kind));
  await new Promise(resolve => setTimeout(resolve, 100));
  return window.ran ?? null;
}"""
MADE_OF = """() => {
  const all = [...document.querySelectorAll(".inkframe *")];
  return {
    views: document.querySelectorAll(".inkframe").length,
    elements: [...new Set(all.map(each => each.localName))],
    attributes: [...new Set(all.flatMap(each => each.getAttributeNames()))],
    sources: all.filter(each => each.src).map(each => each.src),
    links: all.filter(each => each.href).map(each => each.href),
    broken: all.filter(each => each.localName === "img" && !each.naturalWidth).length,
  };
}"""
#: Opens a notebook on a page that JupyterLab is on already, with or without a kernel.
OPEN = """async ([path, kernel]) => {
  await jupyterapp.commands.execute('application:close-all');
  const preference = kernel ? {} : {shouldStart: false, canStart: false, autoStartDefault: false};
  const panel = await jupyterapp.commands.execute('docmanager:open', {path, kernelPreference: preference});
  await panel.context.ready; await panel.revealed;
  if (kernel) await panel.sessionContext.session.kernel.info;
  return {
    trusted: [...panel.content.widgets].map(cell => cell.model.trusted).every(Boolean),
    kernel: panel.sessionContext.session?.kernel ? true : false,
  };
}"""
PICTURES = ("data:image/jpeg;base64,", "data:image/webp;base64,")


@pytest.fixture(scope="module")
def notebook(open_notebook, jupyterlab, chromium_page):
    """Give the notebook of every view, run, on a page that notes what happens on it."""
    shutil.copy(Path(__file__).with_name("hostile.py"), jupyterlab.folder)
    nb= open_notebook(*CELLS); return nb


def watch(page):
    """Give the list to which dialogs, new pages and requests will be added."""
    happened = []
    page.on("dialog", lambda dialog: (happened.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.context.on("page", lambda other: happened.append(f"page {other.url}"))
    page.on("request", lambda request: happened.append(f"{request.resource_type} {request.url}"))
    return happened


def unexpected(happened, lab):
    """Give what JupyterLab itself does not do: it asks for its own parts, and pictures of ours are in the page."""
    own = tuple(
        f"{kind} {scheme}{lab.url.removeprefix('http')}/{place}"
        for kind, scheme, place in (
            ("fetch", "http", "api/"),
            ("fetch", "http", "lab/api/"),
            ("fetch", "http", "lsp/"),
            ("websocket", "ws", "api/"),
            ("script", "http", "static/"),
            ("stylesheet", "http", "static/"),
            ("image", "http", "static/"),
            ("font", "http", "static/"),
        )
    )
    inside = (*(f"image {start}" for start in PICTURES), "image data:image/svg+xml;base64,", "image blob:")
    return [each[:200] for each in happened if not each.startswith((*own, *inside))]


def test_hostile_records_do_nothing(notebook, hostile, tmp_path):
    """Alive, reopened with and without a kernel, trusted and not, and converted: no view runs or asks for anything."""
    page, lab = notebook.page, notebook.lab
    happened = watch(page)
    import time
    t=time.time()
    print(page.evaluate(PROVOKE), time.time()-t)
    print(page.evaluate(MADE_OF)["views"], time.time()-t)
    saved = notebook.save()
    print(len(json.dumps(saved)), time.time()-t)
    print([h[:150] for h in happened])
    for kernel in (True, False):
        t=time.time()
        print(page.evaluate(OPEN,[notebook.name,kernel]), time.time()-t, page.evaluate(PROVOKE), page.evaluate(MADE_OF)["views"], time.time()-t)
        print(set(h[:100] for h in happened)); happened.clear()
    (lab.folder/"copy.ipynb").write_text(json.dumps(saved))
    print(page.evaluate(OPEN,["copy.ipynb",False]), time.time()-t, page.evaluate(PROVOKE), page.evaluate(MADE_OF)["views"], time.time()-t)
    print(set(h[:100] for h in happened)); happened.clear()
    page.screenshot(path="/tmp/seeing/live.png")
    print(page.refused,page.errors)
