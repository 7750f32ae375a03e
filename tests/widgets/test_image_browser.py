import io
import threading
import zipfile

import pytest

from inkframe import CreativityTuner, ImageBrowser, connect
from inkframe.display.files import open_file


@pytest.fixture
def browser(library):
    """Return a browser that has listed a library of twelve images."""
    browser = ImageBrowser(library, per_page=10)
    browser.submit().result(30)
    return browser


def keys(browser):
    return [*browser.gallery.ids]


def test_the_gallery_shows_what_the_frame_holds(browser, library):
    """RecordGallery, frame and code are one page of the same list."""
    page = library.images.list(per_page=10)
    assert keys(browser) == [str(id) for id in page.index]
    assert list(browser.frame.index) == list(page.index)
    assert browser.code == "client.images.list(per_page=10)"
    assert "1–10 of 12 · Newest first" in browser.pager.count.value


def test_pages_are_turned(browser, settle):
    """Next and Previous, a number and another size all show what they say; a filter begins at page one."""
    browser.pager.next.click()
    settle(browser)
    assert (len(browser.frame), browser.code) == (2, "client.images.list(per_page=10, page=2)")
    assert browser.pager.next.disabled
    browser.pager.previous.click()
    settle(browser)
    assert len(browser.frame) == 10
    browser.pager.number.value = 2
    settle(browser)
    assert len(browser.frame) == 2
    browser.filters.fields["style"].value = "anime"
    settle(browser)
    assert (browser.pager.page, len(browser.frame)) == (1, 4)
    browser.filters.fields["style"].value = None
    settle(browser)
    browser.pager.size.value = None
    settle(browser)
    assert (len(browser.frame), browser.pager.page, browser.code) == (12, 1, "client.images.all()")


def test_favorites_are_marked_and_unmarked(browser, library, send, settle):
    """F marks what is meant; where all of it is marked already, it takes the mark away."""
    first, second = keys(browser)[:2]
    send(browser.gallery, "favorite", keys=[first, second])
    settle(browser)
    assert library.images.get(int(first)).favorite
    assert browser.frame.loc[int(second), "favorite"]
    assert ["ink-starred" in each for each in browser.gallery.first[:3]] == [True, True, False]
    send(browser.gallery, "favorite", keys=[first])
    settle(browser)
    assert not library.images.get(int(first)).favorite


def test_a_new_name_is_stored_and_shown(browser, library, send, settle, press, monkeypatch):
    """Renaming on the gallery changes the record, the frame and the tile, and nothing else; the button begins it there."""
    key = keys(browser)[4]
    send(browser.gallery, "rename", keys=[key], key=key, name="Ny hamn 🌊")
    settle(browser)
    assert library.images.get(int(key)).name == "Ny hamn 🌊"
    assert 'title="Ny hamn 🌊">Ny hamn 🌊<' in browser.gallery.first[4]
    assert (browser.status.total, browser.status.cancels) == (0, False)
    assert browser.record.name == browser.frame.loc[int(key), "name"] == "Ny hamn 🌊"
    told = []
    browser.gallery.chosen = [key]
    monkeypatch.setattr(browser.gallery, "send", told.append)
    press(browser, "Rename")
    assert told == [{"kind": "rename", "key": key}]


def test_deletion_is_noted_taken_back_and_carried_out(browser, library, send, settle):
    """Nothing is deleted until it is confirmed; each step can be undone until then."""
    one, two, three = keys(browser)[:3]
    send(browser.gallery, "delete", keys=[one, two])
    send(browser.gallery, "delete", keys=[three])
    assert ["ink-leaving" in each for each in browser.gallery.first[:4]] == [True, True, True, False]
    assert "3 images marked for deletion" in browser.actions.question.children[0].value
    browser.actions.question.children[1].click()
    assert ["ink-leaving" in each for each in browser.gallery.first[:3]] == [True, True, False]
    send(browser.gallery, "delete", keys=[two])
    for kind in ("delete", "undo"):
        send(browser.gallery, kind, keys=[three])
    assert list(browser.actions.pending) == [one]
    assert len(library.images.all()) == 12
    browser.actions.question.children[2].click()
    settle(browser)
    assert int(one) not in library.images.all().index
    assert len(library.images.all()) == len(browser.frame) + 1 == 11
    assert not browser.actions.question.is_open


def test_what_is_noted_stays_noted_on_other_pages(browser, library, settle):
    """Deletions are noted over all pages, and carried out in one go."""
    browser.actions.mark(keys(browser)[:1])
    browser.pager.next.click()
    settle(browser)
    browser.actions.mark(keys(browser)[:1])
    browser.pager.previous.click()
    settle(browser)
    assert "ink-leaving" in browser.gallery.first[0]
    question = browser.actions.question.children[0]
    assert "2 images marked for deletion, 1 hidden: “Image 12”, “Image 2”. Nothing" in question.value
    browser.pager.size.value = None
    settle(browser)
    assert "2 images marked for deletion: “Image 12”, “Image 2”. Nothing" in question.value
    browser.actions.delete_marked().result(30)
    assert len(library.images.all()) == 10


def test_what_is_gone_already_counts_as_deleted(browser, library, settle):
    """A record that somebody else deleted meanwhile is no failure."""
    browser.actions.mark(keys(browser)[:2])
    library.images.delete(int(keys(browser)[0]))
    browser.actions.delete_marked().result(30)
    settle(browser)
    assert browser.error is None
    assert len(library.images.all()) == 10


def test_nothing_that_is_hidden_is_acted_on(browser, library, send, settle):
    """A filter hides what is selected: it is counted, no button or key takes it, and shown again it is selected."""
    shown, hidden = keys(browser)[0], keys(browser)[1]
    browser.gallery.chosen = [shown, hidden]
    browser.filters.fields["style"].value = browser.records[shown]["style"]
    settle(browser)
    assert hidden not in keys(browser)
    assert "2 selected, 1 hidden" in browser.actions.bar.children[0].value
    assert (browser.chosen_keys, list(browser.selection.index)) == ([shown], [int(shown)])
    assert str(browser.record.id) == shown
    send(browser.gallery, "favorite", keys=[shown, hidden], key=shown)
    send(browser.gallery, "delete", keys=[shown, hidden], key=shown)
    settle(browser)
    assert "1 image marked for deletion" in browser.actions.question.children[0].value
    assert list(library.images.all(favorite=True).index) == [int(shown)]
    browser.gallery.chosen = [hidden]
    assert "1 selected, 1 hidden" in browser.actions.bar.children[0].value
    assert all(each.disabled for each in browser.actions.buttons)
    for kind in ("favorite", "delete", "s", "r", "u"):
        send(browser.gallery, kind, keys=[hidden], key=shown)
    settle(browser)
    assert "1 image marked for deletion" in browser.actions.question.children[0].value
    assert len(library.images.all(favorite=True)) == 1
    browser.filters.fields["style"].value = None
    settle(browser)
    assert browser.chosen_keys == [hidden]
    send(browser.gallery, "open", keys=[hidden], key="gone")
    assert "1 selected<" in browser.actions.bar.children[0].value
    assert str(browser.record.id) == hidden


def test_keys_act_on_the_selection_wherever_the_cursor_is(browser, library, send, settle):
    """What is at the cursor is not meant, but what is selected; only a star belongs to its own tile."""
    selected, cursor = keys(browser)[2], keys(browser)[4]
    send(browser.gallery, "delete", keys=[selected], key=cursor)
    assert list(browser.actions.pending) == browser.chosen_keys == [selected]
    sent = []
    browser.gallery.send = sent.append
    send(browser.gallery, "r", keys=[selected], key=cursor)
    assert sent[-1] == {"kind": "rename", "key": selected}
    settle(browser)
    send(browser.gallery, "star", keys=[cursor], key=cursor)
    settle(browser)
    assert list(library.images.all(favorite=True).index) == [int(cursor)]
    assert (browser.chosen_keys, str(browser.record.id)) == ([selected], selected)
    send(browser.gallery, "open", keys=[cursor], key=cursor)
    settle(browser)
    assert (browser.chosen_keys, str(browser.record.id)) == ([cursor], cursor)


def test_the_selection_of_the_page_is_not_sent_back(browser, send, settle, monkeypatch):
    """A page that has moved on since its key was pressed keeps its own selection; only an echo says what was heard."""
    one, other = keys(browser)[:2]
    sent = []
    monkeypatch.setattr(browser.gallery, "_send", lambda message, **_: sent.append(message))
    for key in (one, other):
        send(browser.gallery, "delete", keys=[key], key=key)
    settle(browser)
    assert list(browser.actions.pending) == [one, other]
    assert browser.chosen_keys == [other]
    updates = [each["state"] for each in sent if each["method"] == "update"]
    assert not [each for each in updates if "chosen" in each]


def test_a_button_takes_the_selection_that_the_page_held_back(browser, send, press):
    """A press on a page counts for what was selected before it, though the kernel hears of that later; a key at once."""
    one, other, third = keys(browser)[:3]
    send(browser.status, "shown")
    browser.gallery.chosen = [one]
    press(browser, "Delete")
    assert not browser.actions.pending
    for answer in (browser.status, browser.code_box) * 2:
        browser.gallery.chosen = [other]
        send(answer, "settled")
    assert list(browser.actions.pending) == [other]
    send(browser.gallery, "delete", keys=[third], key=third)
    assert list(browser.actions.pending) == [other, third]


def test_a_button_takes_the_record_that_was_just_selected(browser, settle):
    """Settings are reused of the record that is selected, also before it was fetched."""
    first, second = keys(browser)[:2]
    styles = [browser.records[key]["style"] for key in (first, second)]
    assert styles[0] != styles[1]
    browser.gallery.chosen = [first]
    settle(browser)
    is_busy = threading.Event()
    browser.queue(lambda: is_busy.wait(30), "Waiting")
    browser.gallery.chosen = [second]
    next(each for each in browser.actions.buttons if each.description.startswith("Reuse")).click()
    is_busy.set()
    settle(browser)
    assert browser.actions.form.arguments["style"] == styles[1]
    assert browser.actions.form.arguments["description"] == "two boats"


def test_what_is_to_be_deleted_is_named(browser, library):
    """The question has the number, the first three names, and how many more there are."""
    names = list(browser.frame["name"])
    browser.actions.mark(keys(browser)[:1])
    asked = browser.actions.question.children[0]
    assert f"1 image marked for deletion: “{names[0]}”. Nothing is deleted yet." in asked.value
    browser.actions.mark(keys(browser)[:5])
    first = ", ".join(f"“{name}”" for name in names[:3])
    assert f"5 images marked for deletion: {first} and 2 more. Nothing is deleted yet." in asked.value


def test_an_opened_image_follows_its_record(browser, send, settle):
    """An image opened large shows its new name, and is closed when another is selected or it is deleted."""
    key = keys(browser)[3]
    send(browser.gallery, "open", keys=[key], key=key)
    send(browser.gallery, "rename", keys=[key], key=key, name="Ny hamn")
    settle(browser)
    assert "Ny hamn" in browser.reader.content
    assert "data:image/" in browser.reader.content
    assert "ink-gone" not in browser.reader._dom_classes
    browser.gallery.chosen = keys(browser)[:1]
    settle(browser)
    assert "ink-gone" in browser.reader._dom_classes
    send(browser.gallery, "open", keys=[key], key=key)
    settle(browser)
    assert "ink-gone" not in browser.reader._dom_classes
    browser.actions.mark([key])
    browser.actions.delete_marked().result(30)
    settle(browser)
    assert "Ny hamn" not in browser.reader.content
    assert "ink-gone" in browser.reader._dom_classes


def test_no_copy_is_kept_without_a_cell(library, monkeypatch):
    """A browser that no cell shows, as in the studio, writes none."""
    asked = []
    monkeypatch.setattr("inkframe.widgets.record_panel.later", lambda *given: asked.append(given))
    ImageBrowser(library).submit().result(30)
    assert asked == []


@pytest.mark.parametrize("count", [1, 3])
def test_downloads_carry_their_settings(browser, tmp_path, count):
    """One image comes as a picture, several as an archive; each file has the record's settings."""
    sent = []
    browser.gallery.send = lambda content, buffers=None: sent.append((content, buffers))
    browser.actions.download(keys(browser)[:count]).result(30)
    content, [data] = sent[-1]
    if count > 1:
        assert content["name"] == "inkframe-images.zip"
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert len(archive.namelist()) == count
            data = archive.read(archive.namelist()[0])
    assert browser.status.text == f"{count} {'image' if count == 1 else 'images'} downloaded by the browser."
    assert b"local demo service" in data
    (tmp_path / "picture.png").write_bytes(data)
    assert open_file(tmp_path / "picture.png")["description"] == "two boats"


def test_a_static_copy_is_kept_beside_the_gallery(browser, static_copy, eventually, monkeypatch, capsys):
    """What the cell keeps holds the pictures of the page, folded, within a megabyte, and follows the page."""
    kept = static_copy(browser)
    html = kept[-1]
    assert html.count("data:image/") == 10
    assert "<details" in html
    assert html.split("<summary", 1)[0].endswith(" open>")
    assert len(html) < 1_000_000
    browser.pager.next.click()
    eventually(lambda: kept[-1].count("data:image/") == 2)
    monkeypatch.setenv("INKFRAME_PROGRESS", "1")
    browser.records = {str(at): {**browser.records[keys(browser)[0]], "id": at} for at in range(30)}
    assert browser._saved_view().html.count("data:image/") == 30
    assert capsys.readouterr().err == ""


def test_what_means_one_image_is_off_for_several(library):
    """A name and settings are those of one image; a comparison is of several. Each button shows its key."""
    browser = ImageBrowser(library)
    browser.submit().result(30)

    def off():
        return [button.description for button in browser.actions.buttons if button.disabled]

    assert len(off()) == 6
    browser.gallery.chosen = ["1"]
    assert off() == ["Compare (c)"]
    browser.gallery.chosen = ["1", "2"]
    assert off() == ["Rename (r)", "Reuse settings (u)"]
    assert "2 selected" in browser.actions.bar.children[0].value
    browser.actions.allow(12)
    assert off() == ["Rename (r)", "Reuse settings (u)"]
    browser.actions.allow(13)
    assert "Compare (c)" in off()
    browser.actions.allow(1_500_000)
    assert off() == ["Rename (r)", "Reuse settings (u)", "Compare (c)"]
    assert "1,500,000 selected" in browser.actions.bar.children[0].value


def test_several_chosen_images_are_compared(browser, send, settle):
    """The button and its key show them side by side; another choice puts the comparison away."""
    chosen = keys(browser)[:3]
    send(browser.gallery, "c", keys=chosen, key=chosen[0])  # before the page has sent what is selected
    settle(browser)
    assert list(browser.selection.index) == [int(key) for key in chosen]
    assert "3 pictures" in browser.actions.compared.value
    assert "ink-gone" not in browser.actions.compared._dom_classes
    browser.gallery.chosen = chosen[:1]
    settle(browser)
    assert "ink-gone" in browser.actions.compared._dom_classes
    send(browser.gallery, "c", keys=chosen[:1], key=chosen[0])
    settle(browser)
    assert "ink-gone" in browser.actions.compared._dom_classes


def test_a_download_can_be_cancelled(library, monkeypatch):
    """After a cancel nothing more is fetched, and no half archive is handed over."""
    browser, saved = ImageBrowser(library), []
    browser.submit().result(30)
    monkeypatch.setattr(browser.gallery, "save", lambda *file: saved.append(file))
    browser.status.observe(lambda change: change["new"] == 2 and browser.cancel(), "done")
    keys = [str(id) for id in browser.frame.index]
    browser.actions.download(keys).result(30)
    assert (saved, browser.status.done) == ([], 2)
    assert "cancelled" in browser.status.text
    browser.actions.download(keys[:1]).result(30)
    assert saved[0][1] == "image/png"


def test_the_label_of_a_service_stands_in_captions(send, settle):
    """Not its address: in the reader of a browser, and in what a panel says that it will create."""
    with connect(library=":memory:", label="Studio A") as client:
        made = client.images.create(name="Boats", description="two boats", resolution="256x256")
        browser = ImageBrowser(client)
        settle(browser)
        send(browser.gallery, "open", keys=[str(made.id)], key=str(made.id))
        settle(browser)
        assert "Studio A" in browser.reader.content
        assert "local demo service" not in browser.reader.content
        assert "(Studio A)" in CreativityTuner(client, prompt="a kettle").cost.value
