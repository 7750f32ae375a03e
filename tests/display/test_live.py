"""Test in JupyterLab in a real browser that hostile records run and fetch nothing in any view."""

import json
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

SETUP = """import hostile, inkframe as ink
from IPython.display import Latex, display
service = hostile.service()
client = ink.Client(service.base_url, service.key, transport=service.transport)
images, documents = client.images.all(), client.documents.all()"""
#: The cells of a notebook; every name, text and setting comes from a hostile service.
CELLS = (
    SETUP,
    "for number in images.index:\n    display(client.images.get(number))",
    "for number in documents.index:\n    display(client.documents.get(number))",
    "client.images.gallery(images, group_by='style', caption='{name} {style}', progress=True)",
    "ink.compare(images.head(6))",
    "ink.compare(documents.tail(8))",
    "documents.ink.read()",
    "client.documents.read(documents, layout='page')",
    "display(images.ink.table(), documents.ink.table())",
    "display(images.head(3), images['name'].iloc[1], client, client.describe())",
    "ink.contact_sheet(images, rows='medium', columns='style', size=64)",
    "ink.report(images, 'images.html')\nink.report(documents, 'documents.html')\ndisplay(Latex('$x$'))",
)
#: The address of a remote picture that the test requests last, to prove that requests are recorded.
CANARY = "https://canary.invalid/"
#: Opens all details, and sends each element the events that handlers wait for. The canary starts last, so
#: when it has ended with a request, an error and a dialog, everything started before has ended, too.
PROVOKE = """async canary => {
  for (const each of document.querySelectorAll(".inkframe details")) each.open = true;
  for (const each of document.querySelectorAll(".jp-OutputArea *, .inkframe, .inkframe *"))
    for (const kind of ["mouseover", "mouseenter", "focus", "load", "error", "toggle", "animationstart"])
      each.dispatchEvent(new Event(kind));
  await new Promise(resolve => setTimeout(resolve, 50));
  await new Promise(resolve => Object.assign(new Image(), {onerror: resolve, src: canary}));
  alert("canary");
  return window.ran ?? null;
}"""
#: The elements, attributes and addresses of the views, as the browser parsed them.
MADE_OF = """() => {
  const all = [...document.querySelectorAll(".inkframe *")];
  return {
    views: document.querySelectorAll(".inkframe").length,
    elements: [...new Set(all.map(each => each.localName))],
    attributes: [...new Set(all.flatMap(each => each.getAttributeNames()))],
    pictures: all.filter(each => each.localName === "img").map(each => each.src.slice(0, 40)),
    text: all.map(each => each.firstChild?.data).join(" "),
    links: all.filter(each => each.hasAttribute("href")).map(each => each.href),
  };
}"""
#: Opens a notebook in a running JupyterLab, with or without a kernel.
OPEN = """async ([path, kernel]) => {
  await jupyterapp.commands.execute("application:close-all");
  const kernelPreference = kernel ? {} : {shouldStart: false, canStart: false, autoStartDefault: false};
  const panel = await jupyterapp.commands.execute("docmanager:open", {path, kernelPreference});
  await panel.context.ready;
  await panel.revealed;
  if (kernel) await panel.sessionContext.ready;
  const trusted = [...panel.content.widgets].map(cell => cell.model.trusted);
  return [panel.sessionContext.session !== null, new Set(trusted).size === 1 ? trusted[0] : "some"];
}"""
#: The paths that JupyterLab requests from its server, and the libraries of a page of nbconvert.
OWN = ("api/", "lab/api/", "static/", "kernelspecs/", "lsp/")
LIBRARIES = "https://cdnjs.cloudflare.com/"


@pytest.fixture(scope="module")
def notebook(open_notebook, jupyterlab):
    """Return the executed notebook with every view."""
    shutil.copy(Path(__file__).with_name("hostile.py"), jupyterlab.folder)
    return open_notebook(*CELLS)


class Watch:
    """Records unexpected events of a page: requests to other addresses, dialogs, further pages."""

    def __init__(self, page, *own):
        self.page, self.happened = page, set()
        self._own = (*own, "data:image/", "blob:")  # pictures within the page are not requests
        page.on("dialog", self._dismiss)
        page.context.on("page", lambda other: self.happened.add(f"a page: {other.url}"))
        page.on("request", self._note)

    def _note(self, request):
        if not request.url.startswith(self._own):
            self.happened.add(request.url[:200])

    def _dismiss(self, dialog):
        self.happened.add(f"a dialog: {dialog.message}")
        dialog.dismiss()


def look(watch, hostile, views=None):
    """Check every view on a page: known elements only, and no event except for the canary."""
    page = watch.page
    views = views or 2 * len(hostile.CORPUS) + 7  # two cells show one record per text, seven views have many
    page.wait_for_function("views => document.querySelectorAll('.inkframe').length === views", arg=views)
    assert page.evaluate(PROVOKE, CANARY) is None
    assert watch.happened == {"a dialog: canary", CANARY}
    watch.happened.clear()
    made = page.evaluate(MADE_OF)
    assert set(made["elements"]) <= hostile.ELEMENTS
    assert set(made["attributes"]) <= hostile.ATTRIBUTES
    assert all(each.startswith("data:image/jpeg;base64,") for each in made["pictures"])
    assert all(each.startswith(("https://", "http://", "mailto:")) for each in made["links"])
    assert hostile.CORPUS["onerror"] in made["text"]


def test_hostile_records_do_nothing(notebook, hostile):
    """No view runs or requests anything: live, reopened with and without a kernel, trusted or not."""
    page, lab = notebook.page, notebook.lab
    address = lab.url.removeprefix("http")
    watch = Watch(page, *(f"{scheme}{address}/{place}" for scheme in ("http", "ws") for place in OWN))
    page.wait_for_selector("mjx-container")  # once this is rendered, MathJax has finished
    look(watch, hostile)
    saved = notebook.save()
    # The bar of the gallery is not a widget, which could not be rendered again.
    assert "widget-view" not in json.dumps(saved)
    stranger = saved | {"metadata": saved["metadata"] | {"title": "from elsewhere"}}
    (lab.folder / "stranger.ipynb").write_text(json.dumps(stranger))
    for name, kernel, trusted in (
        (notebook.name, True, True),
        (notebook.name, False, True),
        ("stranger.ipynb", False, False),
    ):
        assert page.evaluate(OPEN, [name, kernel]) == [kernel, trusted]
        page.wait_for_selector("mjx-container")
        look(watch, hostile)
    assert set(notebook.refused) == {CANARY}


def test_hostile_records_do_nothing_in_pages(notebook, chromium_page, hostile):
    """No view runs or requests anything in a page of nbconvert or in a report."""
    page, folder = chromium_page(), notebook.lab.folder
    import nbformat  # here: it takes two seconds to load
    from nbconvert import HTMLExporter

    converted = HTMLExporter().from_notebook_node(nbformat.read(folder / notebook.name, as_version=4))[0]
    (folder / "converted.html").write_text(converted, "utf-8")
    addresses = {name: (folder / f"{name}.html").as_uri() for name in ("converted", "images", "documents")}
    watch = Watch(page, *addresses.values(), LIBRARIES)
    page.goto(addresses["converted"], wait_until="domcontentloaded")
    look(watch, hostile)
    for name in ("images", "documents"):
        page.goto(addresses[name])
        look(watch, hostile, 1)
    # The policy of a report blocks even the canary, so only that of the converted notebook was requested.
    assert [each for each in page.refused if not each.startswith(LIBRARIES)] == [CANARY]
