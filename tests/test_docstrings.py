"""The examples in docstrings run, and show what they say."""

import doctest
import importlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import inkframe as ink
from inkframe.service.engines import DrawRequest

SOURCES = Path(ink.__file__).parent
MODULES = sorted(
    ".".join(("inkframe", *path.relative_to(SOURCES).with_suffix("").parts)).removesuffix(".__init__")
    for path in SOURCES.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
    and path.name != "lazy_frame.py"  # needs a cluster; tests/dask has one
)


class Checker(doctest.OutputChecker):
    """Compares an output only where the example shows one."""

    def check_output(self, want, got, optionflags):
        """Return whether the output is the expected one."""
        return not want or super().check_output(want, got, optionflags)


@pytest.fixture(scope="module")
def names():
    """Return what the examples refer to: a client with some records, and frames of them."""
    with ink.connect(library=":memory:") as client:
        looks = ink.plan_images(
            "a harbor", name="Harbor {style}", resolution="256x256", style=["anime", "sketch"]
        )
        client.images.create_many(looks, progress=False)
        plan = ink.plan_documents(
            ink.compose_prompt("FAQ", "the {product}"),
            variables={"product": ["kettle"]},
            name="{product} {creativity} {repeat}",
            creativity=[0.5, 0.75, 1],
            repeats=10,
        )
        runs = ink.score(client.documents.create_many(plan, progress=False), good=lambda _: True)
        best = runs["creativity"] == 0.75
        rated = runs.assign(rating=[5 if good else 1 + number % 3 for number, good in enumerate(best)])
        yield {
            "ink": ink,
            "inkframe": ink,
            "pd": pd,
            "client": client,
            "plan": plan,
            "runs": runs,
            "images": client.images.all(progress=False),
            "documents": client.documents.all(progress=False),
            "panel": SimpleNamespace(frame=rated),
            "DrawRequest": DrawRequest,
            "SentenceTransformer": lambda _name: SimpleNamespace(
                encode=lambda texts: np.ones((len(texts), 2))
            ),
        }


@pytest.mark.integration
@pytest.mark.parametrize("name", MODULES)
def test_the_examples_run(name, names, tmp_path, monkeypatch):
    """Each example of a module runs without an error, and its output is as written where it is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INKFRAME_API_KEY", "a-key-of-the-examples")
    ink.save(names["documents"], "monday.parquet")
    (tmp_path / "shop.csv").write_text("sku;product\n007;kettle\n")
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(Checker(), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    report = []
    for found in doctest.DocTestFinder(exclude_empty=True).find(module, name, extraglobs=names):
        if found.examples:
            runner.run(found, out=report.append)
    assert runner.tries
    assert not runner.failures, "".join(report)
