"""``frame.ink`` in a process of its own, without ``ink.connect``."""

import subprocess
import sys
import textwrap

import pytest

BARE = """
import httpx
import pandas as pd
{imports}

def answer(request):
    records = [{{"id": 1, "name": "Harbor", "style": "anime"}}, {{"id": 2, "name": "Kettle", "style": "retro"}}]
    number = request.url.path.rpartition("/")[2]
    if number.isdecimal():
        return httpx.Response(200, json={{"data": records[int(number) - 1]}})
    return httpx.Response(200, json={{"data": records, "meta": {{"total": 2}}}})
"""
CLIENT = """
client = inkframe.Client("https://bare.test", "a-key-of-some-length", transport=httpx.MockTransport(answer))
"""


def run(script):
    """Run a script in a new process, and return what it printed."""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def test_a_bare_client_brings_the_accessor():
    """A frame of ``ink.Client`` has ``.ink``, which finds the client, plans the edited cell, and shows its methods."""
    script = (
        BARE.format(imports="import inkframe")
        + CLIENT
        + textwrap.dedent("""
        frame = client.images.list()
        frame.loc[2, "name"] = "Lamp"
        print(*frame.ink.push(dry_run=True)["new"], frame.ink)
        """)
    )
    assert " ".join(run(script)) == "Lamp <ink of 2 rows: gallery, push, read, table, to_csv, to_excel>"


def test_a_bare_client_divides_a_listing():
    """``to_dask`` works for ``ink.Client`` in a process that imported nothing else."""
    pytest.importorskip("dask")
    script = BARE.format(imports="import inkframe") + CLIENT + "print(len(client.images.to_dask()))"
    assert run(script)[-1:] == ["2"]


@pytest.mark.parametrize("name", ["load", "concat", "diff", "plan_documents"])
def test_what_returns_frames_brings_the_accessor(name):
    """Any public name that returns frames registers ``frame.ink``, also where no client was ever made."""
    script = f"import inkframe, pandas; inkframe.{name}; print(hasattr(pandas.DataFrame, 'ink'))"
    assert run(script) == ["True"]


def test_a_snapshot_is_read_and_written_without_a_client(tmp_path):
    """``ink.load`` in a new process gives a frame whose ``.ink.to_csv`` works."""
    made = tmp_path / "frame.parquet"
    saved = (
        BARE.format(imports="import inkframe")
        + CLIENT
        + f"inkframe.save(client.images.list(), {str(made)!r})"
    )
    run(saved)
    script = (
        f"import inkframe; print(inkframe.load({str(made)!r}).ink.to_csv({str(tmp_path / 'a.csv')!r}).name)"
    )
    assert run(script) == ["a.csv"]
