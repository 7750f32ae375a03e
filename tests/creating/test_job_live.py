"""A job as a person sees it, in a real JupyterLab and a real Notebook 7, while other cells run."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SETUP = """
import threading
import time
import httpx
import inkframe as ink
from inkframe.client import NOWHERE, Client
from inkframe_demo import Offline
from inkframe.service import Service

held = threading.Event()

class Slow(Offline):
    written = 0

    def write(self, request):
        time.sleep(0.25)
        self.written += 1
        if self.written == 12:
            held.wait()
        return super().write(request)

service = Service(":memory:", engine=Slow())
client = Client(NOWHERE, service.key, transport=httpx.WSGITransport(app=service.app), _embedded=service)
plan = ink.plan_documents("About a kettle", name="Kettle {number}", creativity=0.5, repeats=40)
"""
JOB, OTHER, SHOWN = 1, 2, 3
#: A cell that ends once a file is there.
BLOCK = """
import pathlib
while not pathlib.Path("shown").exists():
    time.sleep(0.01)
print(job.cancelled())
"""
#: Runs code in the kernel, and keeps what it prints.
BEGIN = """code => {
  const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const future = kernel.requestExecute({code, store_history: false});
  let text = '';
  future.onIOPub = message => { text += message.content.text || '' };
  window.blocked = future.done.then(() => text.trim());
}"""
BUSY = "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"


@pytest.fixture(scope="module", params=["jupyterlab", "notebook_7"])
def notebook(request, open_on):
    """Return a notebook in which a job runs, and other cells have computed and displayed."""
    server = request.getfixturevalue(request.param)
    cells = (
        SETUP,
        "job = client.documents.submit_many(plan)\njob",
        "6 * 7",
        "client.documents.list().head(1)",
    )
    return open_on(server, *cells)


def own_errors(notebook):
    """Return the errors of scripts on the page, without the one of Notebook 7 about settings that it lacks."""
    return [error for error in notebook.errors if "reading 'schema'" not in error]


def test_a_job_shows_itself_while_other_cells_run(notebook):
    """The line counts up and the newest records appear, while the next cells have long ended."""
    expect(notebook.cell(OTHER)).to_contain_text("42")
    expect(notebook.cell(SHOWN).locator("table")).to_be_visible()
    cell = notebook.cell(JOB)
    expect(cell).to_contain_text(" of 40")
    expect(cell).to_contain_text(" left")
    expect(cell).to_contain_text(re.compile(r"Kettle [2-9]"))
    assert notebook.text("print(job.done())") == "False"
    cell.get_by_role("button", name="Show all").click()
    expect(cell.get_by_role("button", name="Show less")).to_be_visible()
    saved = notebook.save()["cells"][JOB]["outputs"]
    assert any(" of 40" in "".join(output.get("data", {}).get("text/plain", "")) for output in saved)


def test_cancel_is_handled_while_a_cell_blocks(notebook):
    """The page says so while the cell still runs; what was under way is kept."""
    cell, page, shown = notebook.cell(JOB), notebook.page, notebook.lab.folder / "shown"
    page.evaluate(BEGIN, BLOCK)
    page.wait_for_function(BUSY)
    cell.get_by_role("button", name="Cancel").click()
    expect(cell).to_contain_text("cancelled")
    shown.touch()
    assert page.evaluate("() => window.blocked") == "True"
    notebook.text("held.set()\njob.wait()")
    assert (
        notebook.text("print(job.done(), set(job.frame['status']) <= {'created', 'skipped'})") == "True True"
    )
    expect(cell.get_by_role("button", name="Cancel")).to_have_count(0)
    saved = notebook.save()["cells"][JOB]["outputs"]
    assert any("cancelled" in "".join(output.get("data", {}).get("text/plain", "")) for output in saved)
    assert own_errors(notebook) == []


def test_the_outcome_can_be_rated_and_explored(notebook):
    """At the end, buttons open the rating panel and the explorer of what was created."""
    cell = notebook.cell(JOB)
    cell.get_by_role("button", name="Rate blind").click()
    expect(cell.locator(".ink-rating")).to_be_visible()
    cell.get_by_role("button", name="Explore").click()
    expect(cell.locator(".ink-rating")).to_have_count(0)
    expect(cell.get_by_role("searchbox").first).to_be_visible()
    assert own_errors(notebook) == []


def test_a_finished_job_is_a_reading_view(notebook):
    """Run again, the rest is created; ``await job`` and ``job.result()`` return all rows."""
    text = notebook.text(
        "held.set()\njob = client.documents.submit_many(plan[:8])\nruns = await job\n"
        "print(runs.equals(job.result()), set(runs['status']) <= {'created', 'existing'}, job.line)"
    )
    assert text.splitlines()[-1].startswith("True True 8 of 8 documents")
