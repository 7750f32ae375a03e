"""The sheet by code: columns that grow, marks, what is made anew, and the lines that do the same."""

import re
from html import unescape

import pandas as pd
import pytest
from tests.services import Faults, FaultyService

import inkframe as ink

pytestmark = pytest.mark.integration

PRODUCTS = pd.DataFrame({"product": ["a kettle", "a lamp", "a rug", "a desk"], "price": [12, 7, 100, 5]})
PROMPT = "Describe {product}."


@pytest.fixture
def local():
    with ink.connect(library=":memory:", engine="offline") as client:
        yield client


@pytest.fixture
def sheet(local):
    return ink.Sheet(local, PRODUCTS, prompt=PROMPT)


def states(sheet, name="text_status"):
    """Return the statuses of a column."""
    return sheet.frame[name].astype(object).where(sheet.frame[name].notna(), None).tolist()


def heads(sheet):
    """Return the headings of the table, and those of columns that are generated."""
    return re.findall(r'title="(.*?)"', sheet.table.head), re.findall(
        r'data-column="(.*?)"', sheet.table.head
    )


def window(sheet, begin, end):
    """Return of each row that a page asks for the texts of its cells, its key, and the last state."""
    sent, table = [], sheet.table
    table.send = sent.append
    asked = {"kind": "window", "version": table.version, "from": begin, "to": end}
    table._handle_custom_msg(asked, [])
    del table.send
    [message] = sent
    assert (message["from"], message["version"]) == (begin, table.version)
    return [
        (
            [
                unescape(text)
                for text in re.findall(r'class="ink-clip" dir="auto">(.*?)</div>', html, re.DOTALL)
            ],
            re.findall(r'data-key="(.*?)"', html)[-1],
            (re.findall(r'ink-state-(\w+)">(.*?)</div>', html) or [None])[-1],
        )
        for html in message["rows"]
    ]


def test_a_few_first_then_the_rest(sheet, local, eventually):
    """Preview creates the first rows, the button says how many are left, and submit creates them."""
    eventually(lambda: sheet.button.description == "Create 4 documents")
    made = sheet.preview(1).result(30)
    assert states(sheet) == ["created", "waiting", "waiting", "waiting"]
    pd.testing.assert_frame_equal(made, sheet.frame)
    eventually(lambda: sheet.button.description == "Create 3 documents")
    assert sheet.status.text.endswith(" The table is sheet.frame. 3 rows left for later.")
    assert not sheet.button.disabled
    sheet.submit().result(30)
    assert states(sheet) == ["existing", "created", "created", "created"]
    eventually(lambda: sheet.button.description == "All created" and sheet.button.disabled)
    assert not sheet.preview_button.disabled
    assert local.created == 4
    assert sheet.status.text.startswith("3 documents created. Enter reads, e edits")
    pd.testing.assert_frame_equal(sheet.frame[["product", "price"]], PRODUCTS)


def test_the_number_on_the_button_is_the_number_created(local, eventually):
    """Records of earlier are shown at once and counted apart, and rows that lack something are never called created."""
    local.documents.write(PRODUCTS[:3], PROMPT)
    sheet = ink.Sheet(local, pd.concat([PRODUCTS, pd.DataFrame({"product": [None]})]), prompt=PROMPT)
    eventually(lambda: sheet.status.text.startswith("3 documents created earlier."))
    eventually(lambda: sheet.button.description == "Create 1 document" and not sheet.busy)
    sheet.submit().result(30)
    assert sheet.status.text.startswith("1 document created. ")
    assert states(sheet) == ["existing"] * 3 + ["created", "skipped"]
    eventually(lambda: sheet.button.description == "4 of 5 created")


def test_a_sheet_that_is_opened_again_finds_its_column(sheet, local, eventually):
    """With the same table and prompt, what was created before is shown at once, and nothing is created."""
    made = sheet.submit().result(30)
    other = ink.Sheet(local, PRODUCTS, prompt=PROMPT)
    eventually(lambda: other.button.description == "All created")
    assert other.frame["text_id"].tolist() == made["text_id"].tolist()
    assert local.created == 4


def test_a_sheet_of_a_table_finds_what_was_made_of_it(tmp_path, eventually):
    """On another day, in a new client, all columns are there with the last prompt in its field, and nothing is created."""
    with ink.connect(library=tmp_path / "a.db", engine="offline") as client:
        sheet = ink.Sheet(client, PRODUCTS, prompt=PROMPT)
        sheet.preview(2).result(30)
        sheet._put(
            {"kind": "images", "prompt": "A photo of {product}", "into": "photo", "resolution": "256x256"}
        )
        made = sheet.submit().result(30)
    with ink.connect(library=tmp_path / "a.db", engine="offline") as client:
        for prompt in ("", "Praise {product}."):
            other = ink.Sheet(client, PRODUCTS, prompt=prompt, into="praise" if prompt else "text")
            last = prompt or "A photo of {product}"
            for name in ("text_id", "photo_id"):
                eventually(lambda of=other, name=name: name in of.frame and of.frame[name].equals(made[name]))
            eventually(lambda of=other, last=last: of.fields["prompt"].value == last and not of.busy)
            assert other.frame["text_status"].tolist() == ["existing", "existing", "waiting", "waiting"]
        eventually(lambda: other.button.description == "Create 4 documents")
        assert client.created == 0
        assert other.again(0, "text").result(30)["text_id"][0] not in made["text_id"].dropna().tolist()
        bare = ink.Sheet(client, PRODUCTS.rename(columns={"product": "other"}))
        eventually(lambda: bare.button.description == "Create")
        assert (bare.table.generated, bare.fields["prompt"].value) == ({}, "")


def test_the_code_does_the_same(sheet, local):
    """The lines of the panel, run on the user's frame, give its frame without creating anything."""
    sheet.preview(1).result(30)
    sheet.submit().result(30)
    sheet.mark(0, approved=True)
    sheet.examples.value = True
    assert "examples=" in sheet.code.splitlines()[-1]
    sheet.again(2).result(30)
    assert "examples=" in sheet.code.splitlines()[-2]
    sheet.fields["kind"].value = "images"
    sheet.fields["prompt"].value = "A photo of {product}"
    sheet.fields["resolution"].value = "256x256"
    sheet.submit().result(30)
    created = local.created
    assert created == 9
    names = {"frame": PRODUCTS, "client": local}
    exec(sheet.code, names)  # noqa: S102  # the lines that a person runs
    assert local.created == created
    for name in ("text", "text_id", "picture", "picture_id"):
        assert names["frame"][name].tolist() == sheet.frame[name].tolist()
    assert "preview" not in sheet.code


def test_marks_and_the_rows_that_are_shown(sheet):
    """Marks stand in the frame, are undone by the same key, and can be shown alone, as every status can."""
    sheet.submit().result(30)
    sheet.mark(1, approved=True)
    sheet.mark(2, approved=True)
    sheet.mark(3, approved=False)
    sheet.mark(2, approved=True)
    assert states(sheet, "text_approved") == [None, True, None, False]
    assert sheet.approved.index.tolist() == [1]
    assert dict(sheet.filter.options) == {
        "All rows": "", "created (4)": "created", "approved (1)": "approved", "rejected (1)": "rejected",
    }  # fmt: skip
    sheet.filter.value = "rejected"
    assert sheet.table.ids == ["3"]
    sheet.mark(3, approved=False)
    assert sheet.filter.value == ""
    assert sheet.table.ids == ["0", "1", "2", "3"]


def test_marks_and_edits_of_a_column_that_is_filled(eventually):
    """What is approved while a column is filled stays approved, as an edit of another cell stays."""
    service = FaultyService(images=0, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        sheet = ink.Sheet(client, PRODUCTS, prompt=PROMPT)
        sheet.preview(2).result(30)
        sheet.read(1, edits=True).result(30)
        reader = sheet.reader
        reader.text.value = "My own."
        sent = []

        @service.intercept
        def answered(request, answer):
            if request.method == "POST" and not sent:
                sent.append(request)
                sheet.mark(0, approved=True)
                reader.keep.click()
                eventually(lambda: states(sheet)[1] == "edited")
            return answer(request)

        sheet.submit().result(30)
    assert states(sheet) == ["existing", "edited", "created", "created"]
    assert sheet.frame["text"][1] == "My own."
    assert states(sheet, "text_approved") == [True, None, None, None]


def test_what_the_table_shows(sheet, local, send):
    """A window of rows has own columns, texts without marks of Markdown, block below block, and the state of each cell."""
    sheet.submit().result(30)
    assert heads(sheet) == (["product", "price", "text"], ["text"])
    [(cells, key, state)] = window(sheet, 1, 2)
    assert (cells[:2], key, state) == (["a lamp", "7"], "1", ("usual", "created"))
    marked = sheet.frame.assign(product="**own**", text="## Uses\n\n- **Boil** water")
    assert window(ink.Sheet(local, marked), 0, 1)[0][0][::2] == ["**own**", "Uses\n- Boil water"]
    for kind in ("approve", "column", "nonsense"):
        send(sheet.table, kind, key="1", column="text")
    send(sheet.table, "approve", key="99", column="text")
    send(sheet.table, "column", key=None, column="text")
    assert states(sheet, "text_approved") == [None, True, None, None]
    assert window(sheet, 1, 2)[0][2] == ("approved", "approved")


def test_a_frame_that_was_filled_before(local, eventually):
    """What was filled and approved before is shown, with and without the columns of statuses and errors."""
    made = local.documents.write(PRODUCTS, PROMPT).assign(text_approved=[True, None, False, None])
    sheet = ink.Sheet(local, made)
    assert sheet.approved.index.tolist() == [0]
    marks = ["approved", "created", "rejected", "created"]
    assert [state[1] for *_, state in window(sheet, 0, 4)] == marks
    bare = ink.Sheet(local, made.drop(columns=["text_status", "text_error", "text_approved"]))
    assert heads(bare) == (["product", "price", "text"], ["text"])
    assert window(bare, 0, 1)[0][2] is None
    assert bare.read(0, edits=True).result(30).name == "a kettle"
    bare.reader.text.value = "My own words."
    bare.reader.keep.click()
    eventually(lambda: bare.frame["text"][0] == "My own words.")


def test_an_edit_is_sent_and_kept(sheet, local, eventually):
    """A text that was edited goes to its document and its cell, which later creates leave alone."""
    sheet.submit().result(30)
    record = sheet.read(1, edits=True).result(30)
    reader = sheet.reader
    assert reader.is_editing
    reader.text.value = "My own words."
    reader.keep.click()
    eventually(lambda: states(sheet)[1] == "edited")
    assert local.documents.get(record.id).result == sheet.frame["text"][1] == "My own words."
    sheet.fields["prompt"].value = "Praise {product}."
    sheet.submit().result(30)
    assert states(sheet) == ["created", "edited", "created", "created"]
    assert sheet.read(0).result(30).prompt == "Praise a kettle."


def test_two_columns_beside_each_other(sheet, local, send):
    """Another name makes another column; a click on the head of the first brings its prompt back."""
    sheet.submit().result(30)
    sheet.fields["into"].value = "bold"
    sheet.fields["creativity"].value = 1
    sheet.fields["prompt"].value = "Praise {product}."
    sheet.submit().result(30)
    assert local.created == 8
    assert sheet.frame.columns.tolist()[2:7] == ["text", "text_id", "text_status", "text_error", "bold"]
    send(sheet.table, "column", key=None, column="text")
    values = {name: sheet.fields[name].value for name in ("prompt", "into", "creativity", "kind")}
    assert values == {"prompt": PROMPT, "into": "text", "creativity": 0.5, "kind": "documents"}


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"prompt": "Describe {prodct}."}, "Did you mean {product}?"),
        ({"prompt": " "}, "Prompt is required."),
        ({"into": ""}, "Column is required."),
    ],
)
def test_a_mistake_is_shown_at_its_field(sheet, local, fields, problem):
    """A column that does not exist and an empty field are refused there, and nothing is sent."""
    for name, value in fields.items():
        sheet.fields[name].value = value
    with pytest.raises(ink.InvalidArgument):
        sheet.submit().result(60)
    assert any(problem in field.problem for field in sheet.fields.values())
    assert local.created == 0


def test_a_column_holds_one_kind(sheet, local):
    """Pictures go into a column of their own, and not into one with texts."""
    sheet.submit().result(30)
    sheet.fields["kind"].value = "images"
    assert sheet.fields["into"].value == "picture"
    with pytest.raises(ink.InvalidArgument, match="holds documents, and cannot hold images"):
        local.images.draw(sheet.frame, "x {product}", resolution="256x256", into="text")


def test_a_column_of_another_service_is_shown_as_it_is(sheet, local, send):
    """What another client wrote or drew is shown as stored; it is neither read, edited nor made anew by this one."""
    sheet.submit().result(30)
    drawn = local.images.draw(sheet.frame, "A photo of {product}", resolution="256x256")
    with ink.connect(library=":memory:", engine="offline") as client:
        mixed = client.documents.write(drawn, "Praise {product}.", into="praise")
        other = ink.Sheet(client, mixed, prompt="Blame {product}.", into="text")
        names = ["product", "price", "text", "picture", "praise"]
        assert heads(other) == (names, ["praise"])
        assert window(other, 1, 2)[0][0][3] == drawn["picture"][1]
        for work in (other.read, lambda *of: other.read(*of, edits=True), other.again):
            with pytest.raises(
                ink.InvalidArgument, match="'text' is of library .*Open a Sheet with its client"
            ):
                work(0, "text").result(60)
        with pytest.raises(ink.InvalidArgument, match="'text' holds records of library"):
            other.submit().result(60)
        for kind in ("open", "edit", "again"):
            send(other.table, kind, key="0", column="text")
        assert other.read(1, "praise").result(30).prompt == "Praise a lamp."
        assert client.created == 4
        assert len(other._saved_view().html.split("<img")) == 5
        with pytest.raises(ink.InvalidArgument, match="must be of library"):
            client.documents.push(mixed, column="text")


def test_a_billed_service_is_asked_twice():
    """More than 25 creates need a second press, or the number; a number given at first covers fewer."""
    service = FaultyService(images=0, documents=0)
    frame = pd.DataFrame({"product": [f"p {n}" for n in range(30)]})
    with ink.Client(service.base_url, service.key, transport=service.transport) as client:
        sheet = ink.Sheet(client, frame, prompt=PROMPT)
        with pytest.raises(ink.InvalidArgument, match="Confirm with submit"):
            sheet.submit().result(60)
        assert (sheet.button.description, service.generations) == ("Yes, create 30 documents", 0)
        sheet.preview(2).result(30)
        sheet.submit(confirm=28).result(60)
        assert service.generations == 30
        other = ink.Sheet(client, frame, prompt="On {product}.", confirm=30)
        other.preview(1).result(30)
        other.submit().result(60)
    assert service.generations == 60


def test_a_failure_is_said_and_the_rest_is_there():
    """A create that is refused is an error of its row, said above the table, and can be tried again."""
    service = FaultyService(images=0, documents=0)
    with ink.Client(service.base_url, service.key, transport=service.transport, max_retries=0) as client:
        service.plan(Faults(script={2: "too_large"}, where=lambda request: request.method == "POST"))
        sheet = ink.Sheet(client, PRODUCTS, prompt=PROMPT)
        sheet.submit().result(30)
        assert sorted(states(sheet)) == ["created"] * 3 + ["failed"]
        assert sheet.error is not None
        at = states(sheet).index("failed")
        assert window(sheet, at, at + 1)[0][2][0] == "wrong"
        with pytest.raises(ink.InvalidArgument, match="has nothing in"):
            sheet.read(at).result(60)
        sheet.submit().result(30)
        assert sorted(states(sheet)) == ["created"] + ["existing"] * 3


def test_what_is_saved_is_small(sheet):
    """The copy in the notebook is a table of at most 200 kB with texts and pictures."""
    sheet.submit().result(30)
    sheet.fields["kind"].value = "images"
    sheet.submit().result(30)
    view = sheet._saved_view()
    assert len(view.html) < 200_000
    assert view.html.count("<img") == 4
    assert "a kettle" in view.html


def test_create_right_after_a_preview_creates_the_rest(local, monkeypatch):
    """A press of another button, however soon after the end, is no second half of a double click."""
    monkeypatch.setattr("inkframe.widgets.panel.DOUBLE_CLICK", 1e9)
    sheet = ink.Sheet(local, PRODUCTS, prompt=PROMPT)
    sheet.preview_button.click()
    while sheet.busy:
        pass
    assert states(sheet).count("created") == 3
    sheet.button.click()
    while sheet.busy:
        pass
    assert states(sheet) == ["existing"] * 3 + ["created"]
