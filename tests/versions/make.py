"""Write the files of this folder with the installed versions: a snapshot, a journal, a workbook and ratings.

python -m tests.versions.make pandas_3
"""

import sys
from pathlib import Path

from tests.services import FaultyService

import inkframe as ink

HERE = Path(__file__).parent


def opened(records=12):
    """Return a service with some records, and a client of it."""
    service = FaultyService("laravel_resource", images=records, documents=records)
    return service, ink.Client(service.base_url, service.key, transport=service.transport, concurrency=1)


def plan():
    """Return rows with columns of their own."""
    made = ink.plan_documents(
        "About {thing}", name="{thing} {creativity}", variables={"thing": ["tea", "ink"]}, creativity=[0, 1]
    )
    return made.assign(rank=range(len(made)))


def make(folder):
    """Write each kind of file: an edited snapshot, an edited workbook, the journal of a batch, and two ratings."""
    folder.mkdir(exist_ok=True)
    _, client = opened()
    frame = client.documents.all()
    frame.loc[frame.index[3], "name"] = "Edited before it was saved"
    frame["note"] = ["mine", *[None] * (len(frame) - 1)]
    ink.save(frame, folder / "documents.parquet", overwrite=True)
    frame.drop(columns="note").ink.to_excel(folder / "documents.xlsx", overwrite=True)
    client.documents.create_many(plan(), journal=folder / "journal.jsonl")
    panel = ink.RatingPanel(client.documents.all(), path=folder / "ratings.jsonl", rater="a rater")
    panel.rate(4, reason="clear")
    panel.rate(2)


if __name__ == "__main__":
    make(HERE / sys.argv[1])
