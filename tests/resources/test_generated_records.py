"""The frame that ``write`` and ``draw`` return in every view, panel, measure and file."""

import json
import re

import pandas as pd
import pytest
from tests.cases import cases

import inkframe as ink

pytestmark = pytest.mark.integration

PRODUCTS = ["Quiet Kettle", "Desk Lamp", "Wool Rug"]
LOOKS = {"resolution": "256x256", "style": "retro"}


@pytest.fixture(scope="module")
def client():
    """Return a client whose first records have the numbers of the products, and are of other things."""
    with ink.connect(library=":memory:") as client:
        for number in range(3):
            client.documents.create(name=f"Other {number}", prompt=f"About a stranger {number}.")
            client.images.create(name=f"Other {number}", description=f"a stranger {number}", **LOOKS)
        yield client


@pytest.fixture(scope="module")
def shop(client):
    """Return a table of products by numbers of its own, with a text and a picture for each."""
    frame = pd.DataFrame({"product": PRODUCTS, "price": [30, 45, 120]}, index=pd.Index([3, 1, 2], name="id"))
    frame = client.documents.write(frame, "Two sentences about the {product}.")
    return client.images.draw(frame, "{product} on a table", **LOOKS)


def named(text):
    """Return the products that a text names, once each, and whether it names a record of something else."""
    return list(dict.fromkeys(re.findall("|".join(PRODUCTS), text))), "Other" in text or "stranger" in text


def test_documents_are_read_by_the_texts_of_the_frame(client, shop):
    """The reader shows the text of each row under the name of the row."""
    for view in (client.documents.read(shop), shop.ink.read()):
        assert named(str(view.html)) == (PRODUCTS, False)
        assert [line.split()[0] for line in view.text.splitlines()[1:]] == [*map(str, shop["text_id"])]


def test_the_gallery_has_the_pictures_of_the_frame(client, shop):
    """The gallery shows the picture of each row, and groups them by a column of the person's own."""
    for gallery in (client.images.gallery(shop), shop.ink.gallery()):
        assert named(str(gallery.html)) == (PRODUCTS, False)
    assert "120" in str(client.images.gallery(shop, group_by="price").html)


def test_tables_have_texts_and_pictures(client, shop):
    """The table has the person's own columns, three pictures and three texts, and no ids."""
    for view in (client.documents.table(shop), client.images.table(shop), shop.ink.table()):
        html = str(view.html)
        assert named(html) == (PRODUCTS, False)
        assert html.count("<img") == 3
        assert "text_id" not in html


def test_files_have_the_settings_of_the_records(client, shop, tmp_path):
    """Downloads have the settings of each record, which are not in the frame, and the text that is."""
    edited = shop.assign(text=["My own text.", *shop["text"].iloc[1:]])
    report = client.documents.download(edited, tmp_path / "texts")
    assert report.index.tolist() == shop["text_id"].tolist()
    first = ink.open_file(report["path"].iloc[0])
    assert (first["prompt"], first["result"].strip()) == (
        "Two sentences about the Quiet Kettle.",
        "My own text.",
    )
    pictures = client.images.download(shop, tmp_path / "pictures")
    assert pictures.index.tolist() == shop["picture_id"].tolist()
    assert ink.open_file(pictures["path"].iloc[1])["description"] == "Desk Lamp on a table"


def test_records_of_the_frame_are_compared(client, shop):
    """Texts are compared side by side, pictures with ``column``, and sheets are of pictures."""
    assert named(str(ink.compare(shop).html)) == (PRODUCTS, False)
    assert str(ink.compare(shop, column="picture").html).count("<img") == 3
    records = [client.images.get(id) for id in shop["picture_id"]]
    assert ink.contact_sheet(shop, size=64).tobytes() == ink.contact_sheet(records, size=64).tobytes()


def test_texts_of_the_frame_are_measured(shop):
    """Measures are of the texts, by the rows of the frame."""
    lengths = ink.analysis.text_statistics(shop)["characters"]
    assert lengths.to_dict() == shop["text"].str.len().to_dict()
    assert ink.analysis.text_statistics(shop, column="product")["words"].tolist() == [2, 2, 2]
    assert ink.analysis.similar(shop, "kettle", n=1).index.tolist() == [3]
    assert ink.analysis.near_duplicates(pd.concat([shop, shop]))["size"].tolist() == [2] * 6
    assert ink.analysis.keywords(shop, by="product", least=1)["product"].nunique() == 3
    scored = ink.score(shop, kettle=ink.scorers.contains("Kettle"))
    assert scored["kettle"].tolist() == [True, False, False]
    assert ink.score(shop, column="product", lamp=ink.scorers.contains("Lamp"))["lamp"].tolist() == [
        False,
        True,
        False,
    ]


def test_pictures_of_the_frame_are_measured(client, shop):
    """Pictures are those of the column, whatever the numbers of the products are."""
    asked = []

    def picture(id):
        asked.append(id)
        return client.images.get(id).picture_bytes

    colors = ink.analysis.picture_colors(shop, picture)
    assert asked == shop["picture_id"].tolist()
    assert colors[colors["rank"] == 1].index.tolist() == shop.index.tolist()
    assert colors["id"].unique().tolist() == asked
    asked.clear()
    assert ink.analysis.near_duplicates(shop, pictures=picture).empty
    ink.analysis.plot_picture_colors(colors, picture)
    assert {*asked} == {*shop["picture_id"]}
    assert ink.score(shop, column="picture", wide=lambda picture: picture.width > 200)["wide"].all()


def test_texts_of_the_frame_are_rated(shop, tmp_path):
    """The panel shows the texts, and its frame has the index of the person's own table."""
    panel = ink.RatingPanel(shop, by="product", path=tmp_path / "ratings.jsonl")
    assert panel.item in shop["text"].str.strip().tolist()
    while panel.item is not None:
        panel.rate(5 if "Kettle" in panel.item else 2)
    assert panel.frame["rating"].to_dict() == {3: 5, 1: 2, 2: 2}
    assert {*panel.ratings["id"]} == {*shop["text_id"]}
    pictures = ink.RatingPanel(shop, column="picture", path=tmp_path / "pictures.jsonl")
    assert pictures.item is not None


def test_texts_of_the_frame_are_explored(client, shop):
    """The Explorer lists the texts under the names of the rows, and changes the records beside them."""
    explorer = ink.Explorer(shop)
    assert [row["name"] for row in explorer.source.rows([0, 1, 2]).values()] == PRODUCTS
    assert explorer.source.keys == [str(id) for id in shop["text_id"]]
    assert explorer.collection is client.documents
    explorer.choose([1])
    assert explorer.selection.index.tolist() == [1]
    assert "Desk Lamp" in explorer.reader.content
    explorer.replace(client.documents.get(int(shop["text_id"].iloc[1])), ["result", "name", "favorite"])
    assert explorer.frame.columns.tolist() == shop.columns.tolist()
    assert explorer.frame["text"].tolist() == shop["text"].tolist()
    pictures = ink.Explorer(shop, column="picture")
    assert pictures.collection is client.images
    assert pictures.view.value == "Gallery"


def test_rows_without_a_record_stay_in_the_explorer(shop):
    """A row that failed has a key of its own, and the others keep theirs."""
    failed = shop.copy()
    failed["text_id"] = failed["text_id"].astype(object).where([True, False, True])
    explorer = ink.Explorer(failed)
    assert explorer.source.keys == [str(shop["text_id"].iloc[0]), "row 1", str(shop["text_id"].iloc[2])]
    assert len(explorer.shown) == 3


def test_edited_texts_are_pushed_without_naming_the_column(client, shop):
    """A table of one's own has one column that can be pushed; a fetched one is pushed by its own cells."""
    edited = shop.assign(text=shop["text"] + " Cut.")
    for report in (client.documents.push(edited, dry_run=True), edited.ink.push(dry_run=True)):
        assert report["id"].tolist() == shop["text_id"].tolist()
    fetched = client.documents.all(template="Freestyle", limit=2, progress=False)
    fetched = client.documents.write(fetched, "Translate: {result}", into="german")
    fetched["favorite"] = True
    assert {*client.documents.push(fetched, dry_run=True)["column"]} == {"favorite"}


def test_frames_of_files_hold_the_same_records(client, shop, tmp_path):
    """A file loses the attributes; texts and pictures are still those beside their ids."""
    read = pd.read_csv(shop.ink.to_csv(tmp_path / "shop.csv"), index_col="id")
    assert json.dumps(read.attrs) == "{}"
    assert named(str(client.documents.read(read).html)) == (PRODUCTS, False)
    assert named(str(client.images.gallery(read).html)) == (PRODUCTS, False)
    assert named(str(ink.compare(read).html)) == (PRODUCTS, False)


@cases("view", ["read", "gallery", "download", "compare", "score", "statistics", "rate", "explore"])
def test_two_columns_of_texts_are_an_error_with_the_argument(client, shop, tmp_path, view):
    """Each call says which columns there are, and takes the chosen one."""
    two = client.documents.write(shop, "A slogan for the {product}.", into="slogan")
    two = client.images.draw(two, "{product}, from above", into="above", **LOOKS)
    call, column = {
        "read": (client.documents.read, "slogan"),
        "gallery": (client.images.gallery, "above"),
        "download": (lambda frame, **more: client.documents.download(frame, tmp_path, **more), "slogan"),
        "compare": (ink.compare, "slogan"),
        "score": (lambda frame, **more: ink.score(frame, short=ink.scorers.max_words(80), **more), "slogan"),
        "statistics": (ink.analysis.text_statistics, "slogan"),
        "rate": (ink.RatingPanel, "slogan"),
        "explore": (ink.Explorer, "slogan"),
    }[view]
    with pytest.raises(ink.InvalidArgument, match=r"2 columns of generated .*\nPass column="):
        call(two)
    assert call(two, column=column) is not None
