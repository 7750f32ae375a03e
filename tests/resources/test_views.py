"""Test showing records by the public calls."""

import io
import json
import subprocess
import sys
import warnings
from pathlib import Path

import pandas as pd
import pytest
from PIL import ImageFont
from tests.services import Fault, Faults

import inkframe as ink
from inkframe import InvalidArgument
from inkframe.display.view import weigh

PLACES = {
    "at images": {"style": "pop_art", "medium": "ink", "name": "Harbor", "description": "two boats"},
    "No medium": {"style": "pop_art", "medium": None, "name": "Bridge", "description": "a bridge"},
    "twice": {"style": "anime", "medium": "ink", "name": "Harbor", "description": "three boats"},
}
TEXTS = {0.25: "The kettle is quiet.", 0.5: "The kettle is very quiet.", 1: "Morning begins.\n\nSteel waits."}


@pytest.fixture
def service_and_client(misbehaving):
    """A service with three images and three documents, and its client."""
    client, service = misbehaving(records=0)
    for fields in PLACES.values():
        service.insert("images", **fields, filter=None, resolution="512x512", favorite=True)
    for level, text in TEXTS.items():
        service.insert(
            "documents",
            name="Kettle",
            template_id=1,
            prompt="Product text",
            creativity=level,
            result=text,
            favorite=False,
        )
    return service, client


@pytest.fixture
def client(service_and_client):
    """A client of three images and three documents."""
    return service_and_client[1]


def test_an_image_renders_inline(client):
    """The figure has the name, the look, the service and alternative text, within 150 kB."""
    bundle = client.images.get(1)._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain", "image/jpeg"}
    assert 'alt="Harbor: two boats"' in bundle["text/html"]
    assert 'dir="auto"' in bundle["text/html"]
    assert bundle["text/plain"].startswith("Image 1: Harbor ★\ntwo boats\nPop art · Ink")
    assert "https://service.test" in bundle["text/plain"]
    assert weigh(bundle) <= 150_000


def test_a_document_renders_inline(client):
    """The text is rendered, the prompt is folded, and the output has the name of the service."""
    document = client.documents.get(3)
    html = document._repr_mimebundle_()["text/html"]
    assert '<p dir="auto">Steel waits.</p>' in html
    assert "<summary>Prompt</summary>" in html
    assert "Imaginative · 4 words · https://service.test" in html
    assert "Morning begins" in document._repr_mimebundle_()["text/plain"]


@pytest.mark.parametrize("how", ["a frame", "the frame itself", "ids", "records", "one id"])
def test_a_gallery_takes_frames_ids_and_records(client, how):
    """Frames, ids and records give the same gallery."""
    frame = client.images.list(sort="asc")
    gallery = {
        "a frame": lambda: client.images.gallery(frame),
        "the frame itself": frame.ink.gallery,
        "ids": lambda: client.images.gallery(frame.index),
        "records": lambda: client.images.gallery([client.images.get(id) for id in frame.index]),
        "one id": lambda: client.images.gallery(1),
    }[how]()
    assert (gallery.shown, gallery.left_out, gallery.failures) == (1 if how == "one id" else 3, 0, {})
    assert "Harbor" in str(gallery)


@pytest.mark.integration
def test_a_gallery_has_the_requested_layout(client):
    """Columns, size, groups and captions are used; invalid ones are refused."""
    frame = client.images.list(sort="asc")
    html = str(client.images.gallery(frame, columns=2, size=96, group_by="style", caption="{medium}!").html)
    assert "repeat(2," in html
    assert html.index("Anime") < html.index("Pop art")
    assert "Ink!" in html
    for wrong in ({"columns": 0}, {"size": 4}, {"group_by": "color"}, {"caption": "{color}"}):
        with pytest.raises(InvalidArgument):
            client.images.gallery(frame, **wrong)


@pytest.mark.integration
def test_cached_pictures_are_not_fetched(service_and_client):
    """A second gallery fetches no picture."""
    service, client = service_and_client
    frame = client.images.list()
    first = client.images.gallery(frame)
    asked = len(service.requests)
    assert client.images.gallery(frame).html == first.html
    assert len(service.requests) == asked


@pytest.mark.integration
def test_libraries_do_not_share_thumbnails(tmp_path, monkeypatch):
    """Two libraries with equal records have separate thumbnails; one in memory has none on disk."""
    home = tmp_path / "own"
    monkeypatch.setenv("INKFRAME_HOME", str(home))
    made = {"name": "a", "description": "two boats", "resolution": "256x256"}
    for library in (tmp_path / "one.db", tmp_path / "two.db", ":memory:"):
        with ink.connect(library=str(library)) as client:
            client.images.gallery([client.images.create(**made)])
    assert len(list((home / "thumbnails").iterdir())) == 2


def test_pictures_within_the_records_are_shown(misbehaving):
    """Pictures within the records are shown without further requests."""
    client, service = misbehaving("fastapi_header_links", records=3)
    records = [client.images.get(id) for id in client.images.list().index]
    asked = len(service.requests)
    assert client.images.gallery(records).failures == {}
    assert len(service.requests) == asked


def test_compare_marks_differences(client):
    """Documents are shown with differing words marked, images with differing settings marked."""
    documents = str(ink.compare(client.documents.list(sort="asc")).html)
    assert documents.index("Deterministic") < documents.index("Original") < documents.index("Imaginative")
    assert "<ins>very</ins>" in documents
    images = str(ink.compare([client.images.get(id) for id in (1, 3)]).html)
    assert "differing: style" in images
    assert "<ins>three</ins>" in images
    for wrong in ([], [client.images.get(1)], [client.images.get(1), client.documents.get(1)], [1, 2]):
        with pytest.raises(InvalidArgument):
            ink.compare(wrong)


def test_contact_sheets_of_images_and_documents(client):
    """Sheets are drawn of images and of documents, from frames and from records."""
    frame = client.images.list()
    sheet = ink.contact_sheet(frame, rows="medium", columns="style", size=64)
    assert (
        sheet.size
        == ink.contact_sheet(
            [client.images.get(id) for id in frame.index], rows="medium", columns="style", size=64
        ).size
    )
    texts = ink.contact_sheet(client.documents.list(), rows="creativity", columns="template", size=64)
    assert texts.height > sheet.height
    with io.BytesIO() as file:
        sheet.save(file, "PDF")


@pytest.mark.integration
def test_a_sheet_fetches_only_the_first_picture_of_each_cell(service_and_client):
    """Further pictures of a cell are not fetched, and an invalid sheet fetches nothing."""
    service, client = service_and_client
    frame = client.images.list()
    asked = len(service.requests)
    with pytest.raises(InvalidArgument, match="color"):
        ink.contact_sheet(frame, rows="color", columns="style")
    assert len(service.requests) == asked
    ink.contact_sheet(frame, rows="resolution", columns="resolution", size=64)
    assert len(service.requests) == asked + 1


@pytest.mark.integration
def test_a_warning_about_glyphs_points_at_the_caller(service_and_client):
    """Missing characters are listed in one warning, with the line of the call."""
    service, client = service_and_client
    service.images[1]["style"] = "\u2fa1"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ink.contact_sheet(
            client.images.list(), rows="style", columns="medium", size=64, font=ImageFont.load_default(12)
        )
    assert [each.filename for each in caught] == [__file__]


def test_documents_are_read_in_full(client):
    """Documents of a frame and of ids are shown in full, as accordion and as page."""
    frame = client.documents.list(sort="asc")
    wanted = "Steel waits."
    views = [frame.ink.read(), frame.ink.read(layout="page"), client.documents.read([3, 1])]
    assert all(wanted in view.html for view in views)
    with pytest.raises(InvalidArgument, match="layout"):
        client.documents.read(frame, layout="book")
    with pytest.raises(InvalidArgument, match="A frame of images is needed; this is a frame of documents."):
        client.images.gallery(frame)


def test_texts_that_lists_omit_are_fetched(misbehaving):
    """If a list has no results, reading and comparing fetch the records."""
    client, service = misbehaving("list_brief", records=0)
    for text in TEXTS.values():
        service.insert("documents", name="Kettle", template_id=1, result=text, creativity=0.5)
    frame = client.documents.list()
    assert frame["result"].isna().all()
    assert "Steel waits." in frame.ink.read().html
    assert "<ins>very</ins>" in ink.compare(frame.sort_index()).html
    del service.documents[1]
    assert "No text yet." in client.documents.read(frame[["name"]]).html


@pytest.mark.integration
def test_a_table_shows_pictures_in_its_cells(client):
    """Images have a picture in each row, documents have folded texts, and other frames are shown, too."""
    frame = client.images.list()
    assert frame.ink.table().html.count("<img") == 3
    assert frame.ink.table(rows=1).html.count("<img") == 1
    documents = client.documents.list()
    assert documents.ink.table().html == client.documents.table(documents).html
    joined = documents.reset_index().merge(pd.DataFrame({"name": ["Kettle"], "note": ["good"]}), on="name")
    assert "good" in joined.set_index("id").ink.table().html


def test_a_failure_replaces_its_picture(service_and_client):
    """A picture that cannot be fetched is replaced by the reason, in the gallery and in the figure."""
    service, client = service_and_client
    frame = client.images.list(sort="asc")
    lost = Fault(name="gone", handled=False, status=404)
    service.plan(
        Faults(script=dict.fromkeys(range(1, 9), lost), where=lambda request: "pictures/2" in request.target)
    )
    gallery = client.images.gallery(frame)
    assert list(gallery.failures) == [1]
    assert gallery.failures[1].split("\n")[0] in gallery.html
    assert "<img" not in client.images.get(2)._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("records", [[], [5], "a name", 7, None])
def test_only_records_and_frames_are_shown(records):
    """What is neither a frame nor records of one kind is refused by name."""
    with pytest.raises(InvalidArgument):
        ink.compare(records)
    with pytest.raises(InvalidArgument):
        ink.report(records, "never.html")


@pytest.mark.integration
def test_a_report_is_one_file(client, tmp_path):
    """Pictures, texts and settings are in one page; an earlier report is replaced, no other page is."""
    records = [client.images.get(1), *(client.documents.get(id) for id in (1, 2, 3))]
    path = ink.report(records, tmp_path / "new" / "report.html", title="Kettles <1>")
    page = path.read_text("utf-8")
    assert "Kettles &lt;1&gt;" in page
    assert page.count("<img") == 1
    assert "Steel waits." in page
    assert ink.report(records[1:], path) == path
    assert path.read_text("utf-8").count("<img") == 0
    path.write_text(f"<!doctype html><p class='inkframe'>{' ' * 1000}{page}")
    with pytest.raises(InvalidArgument, match="already exists"):
        ink.report(records, path)
    assert ink.report(client.images.list(), path, overwrite=True) == path
    assert [each.name for each in path.parent.iterdir()] == ["report.html"]


@pytest.mark.integration
def test_the_error_for_a_frame_without_a_client_has_a_line_to_write(client):
    """With two possible clients, none is guessed."""
    frame = client.images.list()
    frame.attrs.clear()
    with (
        ink.connect(library=":memory:"),
        pytest.raises(InvalidArgument, match=r"client.images.gallery\(frame\)"),
    ):
        frame.ink.gallery()
    with ink.connect(library=":memory:"), pytest.raises(InvalidArgument, match="client.images.get"):
        ink.compare(frame)


@pytest.mark.integration
def test_formulas_in_csv_are_neutralized(client, tmp_path):
    """Formulas are neutralized by default, numbers are unchanged, and existing files are kept."""
    frame = client.documents.list()[["name", "creativity"]].assign(name="=cmd|' /C calc'!A0", less=-1)
    written = frame.ink.to_csv(tmp_path / "safe.csv", sep=";").read_text("utf-8")
    assert written.splitlines()[1] == "3;'=cmd|' /C calc'!A0;1.0;-1"
    raw = frame.ink.to_csv(tmp_path / "raw.csv", neutralize=False, index=False, encoding="utf-16")
    assert raw.read_text("utf-16").splitlines()[1] == "=cmd|' /C calc'!A0,1.0,-1"
    with pytest.raises(InvalidArgument, match="already exists"):
        frame.ink.to_csv(raw)
    frame.ink.to_csv(raw, overwrite=True)
    assert pd.read_csv(raw, index_col="id").shape == (3, 3)


@pytest.mark.integration
def test_hostile_pictures_are_replaced_by_a_reason(tmp_path):
    """Foreign, forged, cut and huge files are replaced by a reason in every view, in little memory."""
    script = Path(__file__).parents[1] / "display" / "hostile_pictures.py"
    command = [sys.executable, str(script), str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    found = json.loads(run.stdout)
    *refused, (last, _, shown) = found["images"]
    assert shown
    assert last == "shown (64, 64)"
    assert len(refused) == len(found["reasons"])
    for position, (expected, (reason, text, pictured)) in enumerate(
        zip(found["reasons"], refused, strict=True)
    ):
        assert expected in reason
        assert not pictured
        assert reason.split("\n")[0] in text
        assert found["gallery"][str(position)] == reason
    assert (found["in_gallery"], found["in_table"]) == (1, 1)
    assert found["memory"] < 300_000_000


@pytest.mark.integration
def test_created_rows_are_shown_as_they_are(capsys):
    """The rows of ``create_many`` are drawn, read, compared and tabulated, by their order or by their ids."""
    with ink.connect(library=":memory:") as client:
        plan = ink.plan_images("a cat", name="{style}", resolution="256x256", style=["anime", "retro"])
        pictures = client.images.create_many(plan)
        texts = client.documents.create_many(
            ink.plan_documents("About a kettle", name="{creativity}", creativity=[0, 1])
        )
        for frame in (pictures, pictures.set_index("id")):
            assert frame.ink.gallery().shown == 2
            assert "2 pictures" in ink.compare(frame).text
            assert frame.ink.table().html.count("<img") == 2
            assert client.images.push(frame, dry_run=True).empty
        for frame in (texts, texts.set_index("id")):
            assert "2 documents" in frame.ink.read().text
            assert "2 documents" in ink.compare(frame).text
            assert "2 rows" in frame.ink.table().text
