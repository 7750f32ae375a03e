"""A job as a person sees it: in a real JupyterLab, while other cells run."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SETUP = """
import time
import httpx
import inkframe as ink
from inkframe.client import NOWHERE, Client
from inkframe.engines.offline import Offline
from inkframe.service import Service

class Slow(Offline):
    def write(self, request):
        time.sleep(0.25)
        return super().write(request)

service = Service(":memory:", engine=Slow())
client = Client(NOWHERE, service.key, transport=httpx.WSGITransport(app=service.app), _embedded=service)
plan = ink.plan_documents("About a kettle", name="Kettle {number}", creativity=0.5, repeats=400)
"""
JOB, OTHER = 1, 2


@pytest.fixture(scope="module")
def notebook(open_notebook):
    """Open a notebook in which a job runs and another cell has computed."""
    return open_notebook(SETUP, "job = client.documents.submit_many(plan)\njob", "6 * 7")


def test_a_job_shows_itself_while_other_cells_run(notebook):
    """The line counts up and the newest records appear, while the next cell has long ended."""
    expect(notebook.cell(OTHER)).to_contain_text("42")
    cell = notebook.cell(JOB)
    expect(cell).to_contain_text(" of 400")
    expect(cell).to_contain_text(" left")
    expect(cell).to_contain_text("Kettle 2")
    assert notebook.text("print(job.done())") == "False"
    cell.get_by_role("button", name="Show all").click()
    expect(cell.get_by_role("button", name="Show less")).to_be_visible()
    saved = notebook.save()["cells"][JOB]["outputs"]
    assert any(" of 400" in "".join(output.get("data", {}).get("text/plain", "")) for output in saved)


def test_cancel_answers_while_a_cell_blocks(notebook):
    """The button works while a cell waits for just that; what was under way is kept, and the buttons go."""
    cell, page = notebook.cell(JOB), notebook.page
    page.evaluate(
        """() => { jupyterapp.shell.currentWidget.sessionContext.session.kernel
             .requestExecute({code: 'while not job.cancelled(): time.sleep(0.01)', store_history: false}) }"""
    )
    page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"
    )
    cell.get_by_role("button", name="Cancel").click()
    expect(cell).to_contain_text("cancelled")
    state = "print(job.cancelled(), job.done(), set(job.frame['status']))"
    assert notebook.text(state).startswith("True True {")
    expect(cell.get_by_role("button")).to_have_count(0)
    assert notebook.errors == []


def test_a_finished_job_is_a_reading_view(notebook):
    """Run again, the rest is created; ``await job`` works, and all documents are in the output."""
    text = notebook.text(
        "job = client.documents.submit_many(plan[:8])\nruns = await job\nprint(set(runs['status']), job.line)"
    )
    assert "8 of 8 documents" in text
