"""Panels and a job in a notebook that is opened again, where no kernel knows them: JupyterLab in Chromium."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SETUP = """
import inkframe as ink
client = ink.connect(library=":memory:", sample=True)
docs = client.documents.all(progress=False)
job = client.documents.submit_many(ink.plan_documents("A text about a kettle", name="Kettle {creativity}"))
job.wait()
"""
SHOWN = ("ink.ImageForm(client)", "ink.Explorer(docs)", "ink.RatingPanel(docs.head(4))", "job")


@pytest.fixture(scope="module")
def notebook(open_notebook):
    """Return a notebook with three panels and a job."""
    return open_notebook(SETUP, *SHOWN)


def test_no_widget_is_missed(notebook, reopened):
    """Each cell has its sentence and what was saved, and no error of a widget; while the kernel runs, neither."""
    notebook.page.wait_for_function("() => document.querySelector('.ink-preview')")
    for at in range(1, len(SHOWN) + 1):
        expect(notebook.cell(at).locator(".jupyter-widgets").first).to_be_visible()
    for each in notebook.page.locator(".ink-preview, .ink-needs-kernel").all():
        expect(each).to_be_hidden()
    copy = reopened(notebook)
    errors = copy.page.get_by_text("Error displaying widget: model not found")
    expect(errors).to_have_count(len(SHOWN))
    for error in errors.all():
        expect(error).to_be_hidden()
    names = ("ImageForm", "Explorer", "RatingPanel")
    for at, name in enumerate(names, 1):
        expect(
            copy.cell(at).get_by_text(f"{name} needs a running kernel: run this cell again.")
        ).to_be_visible()
    expect(copy.cell(2).locator(".ink-preview table").first).to_be_visible()
    expect(copy.cell(4).get_by_text("Kettle").first).to_be_visible()
