"""Pushes of frames that were read back from CSV and Excel files."""

import pandas as pd
import pytest

import inkframe as ink
from inkframe.frames import BASELINES
from inkframe.versions import text_type

pytestmark = pytest.mark.integration

TEXTS = [
    *("- one\n- two", "=1+1", "+plus", "@at", "'- quoted", "plain", " spaces ", "x,y\"z;'"),
    *("a\rb", "a\r\nb", "\r", "tab\there", "\u2028line", "nul\x01control", "=\x02", "\x02"),
    *("NA", "null", "None", "007", "1e5", "12", "True", "-5", "2026-01-05", "", "\U0001f600"),
]


@pytest.fixture(scope="module")
def client():
    with ink.connect(library=":memory:") as client:
        for number, text in enumerate(TEXTS):
            made = client.documents.create(name=text.strip() or f"n{number}", prompt="p")
            client.documents.update(made.id, result=text, favorite=number % 2 == 0)
        yield client


@pytest.fixture(params=["csv", "text", "semicolons", "without neutralizing", "unix", "excel"])
def read_back(request, tmp_path):
    """Return a function that writes a frame to a file and reads it with pandas."""

    def run(frame):
        match request.param:
            case "csv":
                return pd.read_csv(frame.ink.to_csv(tmp_path / "a.csv", overwrite=True))
            case "text":
                path = frame.ink.to_csv(tmp_path / "a.csv", overwrite=True)
                return pd.read_csv(path, dtype="str", keep_default_na=False)
            case "semicolons":
                return pd.read_csv(
                    frame.ink.to_csv(tmp_path / "a.csv", overwrite=True, sep=";", encoding="utf-16"),
                    sep=";",
                    encoding="utf-16",
                )
            case "without neutralizing":
                return pd.read_csv(frame.ink.to_csv(tmp_path / "a.csv", overwrite=True, neutralize=False))
            case "unix":
                return pd.read_csv(frame.ink.to_csv(tmp_path / "a.csv", overwrite=True, lineterminator="\n"))
        return pd.read_excel(frame.ink.to_excel(tmp_path / "a", overwrite=True))

    return run


@pytest.mark.parametrize("known", [True, False])
def test_a_file_that_was_not_edited_plans_no_write(client, read_back, known):
    """Whatever a text looks like, the frame that is read back equals the fetched one, and rows stay rows."""
    frame = client.documents.all()
    back = read_back(frame)
    assert len(back) == len(TEXTS)
    if not known:  # compared with the values of the service instead of those fetched
        del frame
        BASELINES.clear()
    report = client.documents.push(back, dry_run=True)
    assert report.to_dict("records") == []


def test_columns_of_one_type_are_texts_again(client, read_back):
    """A column of digits, or of True and False, is read as numbers or booleans, and is still no edit."""
    frame = client.documents.all(search="e")
    for texts in (["007", "12", "5"], ["True", "False", "true"]):
        part = frame.head(3).assign(name=texts)
        back = read_back(part)
        assert client.documents.push(back, baseline=part, dry_run=True).empty


@pytest.mark.parametrize(
    "read", [lambda times: times.dt.tz_localize(None), lambda times: times.astype(text_type()).str[:19]]
)
def test_a_time_without_a_zone_is_in_utc(client, monkeypatch, read):
    """Excel and some files lose the zone, on whatever machine; such a time is no edit, and another one is refused."""
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    frame = client.documents.all()
    back = frame.assign(created_at=read(frame["created_at"]), updated_at=read(frame["updated_at"]))
    back.attrs.clear()
    assert client.documents.push(back, dry_run=True).empty
    moved = back.assign(created_at=read(frame["created_at"] + pd.Timedelta(hours=8)))
    with pytest.raises(ink.InvalidArgument, match="created_at of document"):
        client.documents.push(moved, dry_run=True)


def test_an_edited_cell_is_sent_without_the_apostrophe(client, read_back):
    """Only the edited cell is planned, as it would have been written in the notebook."""
    frame = client.documents.all()
    (id,) = frame.index[frame["result"] == TEXTS[0]]
    back = read_back(frame).astype({"id": "int64"}).set_index("id")
    back.loc[id, "result"] += "\n- three"
    report = client.documents.push(back, dry_run=True)
    assert report[["id", "column", "new"]].to_numpy().tolist() == [[id, "result", "- one\n- two\n- three"]]


def test_ids_that_are_digits_are_found(pair, tmp_path):
    """Text ids that pandas reads as numbers are those of the records."""
    at = pair("jsonapi", records=5)
    frame = at.client.images.all()
    assert frame.index.dtype == text_type()
    back = pd.read_csv(frame.ink.to_csv(tmp_path / "a.csv", overwrite=True))
    assert at.client.images.push(back, dry_run=True).empty


def test_a_renamed_column_is_noticed(client, capsys):
    """A column with the texts or the spelling of one that is missing is named, with the way back."""
    frame = client.documents.all().rename(columns={"name": "title"})
    frame["title"] = frame["title"].where(frame.index > 3, "edited")
    assert client.documents.push(frame, dry_run=True).empty
    assert "title looks like name, renamed" in capsys.readouterr().out
    client.documents.push(client.documents.all().rename(columns={"favorite": "Favourite"}), dry_run=True)
    assert "frame.rename(columns={'Favourite': 'favorite'})" in capsys.readouterr().out
    other = client.documents.all().drop(columns="name").assign(rank=1, title="mine", note=None)
    client.documents.push(other, dry_run=True)
    assert "looks like" not in capsys.readouterr().out


def test_a_frame_with_nothing_of_ours_is_refused(client):
    """A frame without any column of documents says which ones there are; nothing is fetched."""
    frame = pd.DataFrame({"id": [1], "Name": ["x"]})
    with pytest.raises(ink.InvalidArgument, match=r"such as name or result or favorite") as caught:
        client.documents.push(frame)
    assert "frame.rename(columns={'Name': 'name'})" in str(caught.value)
    with pytest.raises(ink.InvalidArgument, match="Nothing was sent"):
        client.documents.push(frame[["id"]])
