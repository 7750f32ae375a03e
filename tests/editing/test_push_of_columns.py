"""Pushes of generated texts beside a person's own columns."""

import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import ATTRIBUTE, BASELINES, COLUMNS

pytestmark = pytest.mark.integration


@pytest.fixture
def client():
    """Return a client of a service in memory."""
    with ink.connect(library=":memory:") as client:
        yield client


@pytest.fixture
def table(client):
    """Return a table of products with texts, of which the last row has none."""
    made = [
        client.documents.create(name=name, prompt=f"About the {name}.") for name in ("Kettle", "Lamp", "Rug")
    ]
    frame = pd.DataFrame(
        {"product": ["Kettle", "Lamp", "Rug", "Vase"], "price": [30, 45, 120, 15]}, index=list("kkrv")
    )
    frame["text"] = [*(each.result for each in made), None]
    frame["text_id"] = pd.array([*(each.id for each in made), None], "Int64")
    frame["text_status"] = ["created", "created", "existing", "failed"]
    frame["text_error"] = [None, None, None, "refused"]
    came = client.documents.list().attrs[ATTRIBUTE]
    frame.attrs = {ATTRIBUTE: {name: came[name] for name in ("service", "library", "client") if name in came}}
    frame.attrs[COLUMNS] = {"text": "documents"}
    return frame


def test_edited_texts_are_sent_to_their_documents(client, table):
    """Only the edited cell is planned and then sent; rows without a document and own columns are left alone."""
    before = table.copy()
    table.loc["r", "text"] = "A rug, by hand."
    planned = client.documents.push(table, column="text", baseline=before, dry_run=True)
    rug = int(table["text_id"].iloc[2])
    assert planned[["id", "column", "new", "outcome"]].to_numpy().tolist() == [
        [rug, "result", "A rug, by hand.", "planned"]
    ]
    assert client.documents.get(rug).result == before["text"].iloc[2]
    assert client.documents.push(table, column="text", baseline=before)["outcome"].tolist() == ["changed"]
    assert client.documents.get(rug).result == "A rug, by hand."


def test_a_text_that_others_changed_is_a_conflict(client, table):
    """With the frame as it was, or a listing of the same documents, a cell that others changed is not overwritten."""
    before, kettle = table.copy(), int(table["text_id"].iloc[0])
    listed = client.documents.all()
    table["text"] = ["My kettle.", "My lamp.", *table["text"].iloc[2:]]
    client.documents.update(kettle, result="Their kettle.")
    for baseline in (before, listed, None):  # the last one is the listing, which the client has stored
        report = client.documents.push(table, column="text", baseline=baseline, dry_run=True)
        assert report["outcome"].tolist() == ["conflict", "planned"]
    forced = client.documents.push(table, column="text", force=True)
    assert forced["outcome"].tolist() == ["changed", "changed"]


@pytest.mark.parametrize("form", ["excel", "csv"])
def test_a_file_that_was_edited_is_sent(client, table, tmp_path, form, capsys):
    """A file that is read back without its attributes, with ids as decimal numbers, is compared with the service."""
    table["text"] = ["=1+1", "- one\n- two", "007", None]
    client.documents.push(table, column="text")
    BASELINES.clear()
    if form == "excel":
        back = pd.read_excel(table.ink.to_excel(tmp_path / "a.xlsx"))
    else:
        back = pd.read_csv(table.ink.to_csv(tmp_path / "a.csv"))
    assert back.attrs == {}
    assert client.documents.push(back, column="text", dry_run=True).empty
    back.loc[1, "text"] += "\n- three"
    assert client.documents.push(back, column="text")["new"].tolist() == ["- one\n- two\n- three"]
    assert client.documents.get(int(table["text_id"].iloc[1])).result == "- one\n- two\n- three"
    assert "conflicts cannot be detected" in capsys.readouterr().out


def test_the_accessor_finds_the_collection(client, table):
    """``frame.ink.push`` knows from the attributes which collection a column is of, whatever it is called."""
    table["text"] = table["text"].str.upper()
    named = table.rename(columns=lambda name: name.replace("text", "texte neuf"))
    named.attrs[COLUMNS] = {"texte neuf": "documents"}
    assert len(named.ink.push(column="texte neuf", dry_run=True)) == 3
    named.attrs = {}
    with pytest.raises(
        ink.InvalidArgument, match=r"Write .*client\.documents\.push\(frame, column=…, dry_run=…\)"
    ):
        named.ink.push(column="texte neuf", dry_run=True)


def test_what_cannot_be_sent_is_refused(client, table):
    """A picture, a column without ids, one that appears twice and the texts of another service are refused, unsent."""
    table["picture"], table["picture_id"] = "/a.png", 1
    with pytest.raises(
        ink.InvalidArgument, match="picture cannot be updated: services change only name and favorite"
    ):
        client.images.push(table, column="picture")
    with pytest.raises(ink.InvalidArgument, match="must have one column 'price_id'"):
        client.documents.push(table, column="price")
    twice = pd.concat([table, table[["text"]]], axis=1)
    with pytest.raises(ink.InvalidArgument, match="must have one column 'text'"):
        client.documents.push(twice, column="text")
    with pytest.raises(ink.InvalidArgument, match="Expected a DataFrame, got list"):
        client.documents.push([], column="text")
    table.attrs[ATTRIBUTE] |= {"service": "https://other.example.com"}
    with pytest.raises(ink.InvalidArgument, match=r"must be of service .* got 'https://other\.example\.com'"):
        client.documents.push(table, column="text")


PROMPT = "Write about {product}."


@pytest.fixture
def written(client):
    """Return a table of three products with texts from ``write``."""
    return client.documents.write(pd.DataFrame({"product": ["Kettle", "Lamp", "Rug"]}), PROMPT)


def edited_by_others(client, frame, at=0):
    """Return a frame with an edit in its second row, after another person changed the text of a row."""
    client.documents.update(int(frame["text_id"].iloc[at]), result="Theirs.")
    frame = frame.copy()
    frame.loc[frame.index[1], "text"] = "Mine."
    return frame


def outcomes(report):
    """Return the new value and the outcome of each cell of a report."""
    return report[["new", "outcome"]].to_numpy().tolist()


@pytest.mark.parametrize(
    "later",
    [
        pytest.param(lambda _client, frame: frame, id="as written"),
        pytest.param(lambda client, frame: client.documents.write(frame, PROMPT), id="written again"),
        pytest.param(lambda client, frame: client.documents.write(frame.drop(columns="text_error"), PROMPT,
                     where=frame["product"] == "Rug"), id="some written again"),
        pytest.param(lambda _client, frame: ink.concat([frame.head(1), frame.tail(2)]), id="joined"),
        pytest.param(lambda _client, frame: pd.DataFrame(frame.to_dict("list"), frame.index), id="without attributes"),
        pytest.param(lambda client, frame: client.documents.submit_many(
            frame.assign(name=frame["product"], prompt="Write about " + frame["product"] + ".")[["name", "prompt"]]
        ).result().rename(columns={"result": "text", "id": "text_id"}), id="a job"),
    ],
)  # fmt: skip
def test_a_written_text_that_nobody_edited_here_is_not_sent(client, written, later, capsys):
    """The texts that ``write`` returned are the baseline: only an edit is sent, and another person's text stays."""
    frame = edited_by_others(client, later(client, written))
    assert outcomes(client.documents.push(frame, column="text")) == [["Mine.", "changed"]]
    assert client.documents.push(frame, column="text").empty
    assert client.documents.get(int(frame["text_id"].iloc[0])).result == "Theirs."
    assert "conflicts cannot be detected" not in capsys.readouterr().out


def test_a_written_text_that_others_edited_is_a_conflict(client, written):
    """An edit of the same text is not sent over theirs, also after another ``write`` of the edited table."""
    frame = edited_by_others(client, written, at=1)
    for again in (frame, client.documents.write(frame, PROMPT)):
        assert outcomes(client.documents.push(again, column="text")) == [["Mine.", "conflict"]]
    assert outcomes(frame.ink.push(column="text", force=True)) == [["Mine.", "changed"]]


@pytest.mark.parametrize("is_edited", [False, True], ids=["as created", "edited"])
def test_the_journal_knows_which_texts_are_as_created(client, written, is_edited, capsys):
    """In another kernel, texts as they were created are a baseline, and an edited one has none."""
    BASELINES.clear()
    if is_edited:
        written.loc[0, "text"] = "Edited before."
    frame = edited_by_others(client, client.documents.write(written, PROMPT), at=2)
    report = client.documents.push(frame, column="text", dry_run=True)
    assert ("conflicts cannot be detected" in capsys.readouterr().out) is is_edited
    assert len(report) == (3 if is_edited else 1)


def test_a_listing_is_not_compared_with_the_texts_alone(client, written):
    """A frame with more columns than the texts is compared with a frame that has them, although that is older."""
    listed = client.documents.all()
    client.documents.write(written, PROMPT)
    bare = pd.DataFrame(listed.to_dict("list"), listed.index)
    bare["favorite"] = [True, *bare["favorite"].iloc[1:]]
    assert client.documents.push(bare)["column"].tolist() == ["favorite"]
