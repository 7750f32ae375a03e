import pytest

from inkframe import DocumentBrowser
from inkframe.display.files import document_file, file_name
from inkframe.resources.records import values_of


@pytest.fixture
def browser(library):
    """Return a browser that has listed three documents of three templates."""
    browser = DocumentBrowser(library)
    browser.submit().result(30)
    return browser


@pytest.fixture
def read(browser, settle):
    """Return a function that selects a document by its position."""

    def choose(place):
        browser.gallery.chosen = [browser.gallery.ids[place]]
        settle(browser)
        return browser.record

    return choose


def test_documents_of_every_template_are_listed(browser):
    """Without a template the list holds all documents, and the code says how."""
    assert len(browser.gallery.ids) == len(browser.frame) == 3
    assert browser.code == "client.documents.all().iloc[0:25]"


def test_the_count_is_shown_with_its_records(browser, settle):
    """Whoever reads the new count finds the records that it counts in the list."""
    seen = []
    browser.pager.count.observe(lambda _: seen.append(len(browser.gallery.ids)), "value")
    browser.filters.fields["template"].control.value = "Blog title"
    settle(browser)
    assert seen == [1]


def test_a_template_is_picked_by_typing(browser, settle):
    """A template narrows the list once its name is whole; half a name changes nothing."""
    picker = browser.filters.fields["template"]
    picker.control.value = "Blog tit"
    settle(browser)
    assert len(browser.frame) == 3
    picker.control.value = "Blog title"
    settle(browser)
    assert list(browser.frame["template"]) == ["Blog title"]
    assert browser.code == 'client.documents.list(template="Blog title", per_page=25)'


def test_a_template_goes_by_its_number_too(library, settle):
    """The service's own name for the template is a filter as well."""
    number = library.vocabulary.template("Blog title").id
    browser = DocumentBrowser(library, template_id=number)
    settle(browser)
    assert list(browser.frame["template"]) == ["Blog title"]


def test_texts_are_searched(library):
    """A search may look into the texts."""
    browser = DocumentBrowser(library, search="plain and short", search_by="result")
    assert len(browser.submit().result(30)) == 3
    assert 'search_by="result"' in browser.code


def test_an_edited_text_is_stored(browser, library, read, settle):
    """The text is put into a field, stored as it was typed, and shown; meanwhile the panel says so."""
    document, said = read(0), []
    assert document.name in browser.reader.content
    browser.status.observe(lambda change: said.append(change["new"]), "working")
    browser.reader.edit()
    browser.reader.text.value = "Ein anderer Text\n\n谢谢 🌊"
    browser.reader.keep.click()
    settle(browser)
    assert said == ["Saving", ""]
    assert library.documents.get(document).result == "Ein anderer Text\n\n谢谢 🌊"
    assert "anderer Text" in browser.reader.content
    assert browser.frame.loc[document.id, "result"].startswith("Ein anderer")


def test_an_edit_survives_a_new_name(browser, read, send, settle):
    """A document that is renamed while its text is edited keeps the edit in the field."""
    document = read(0)
    browser.reader.edit()
    browser.reader.text.value = "half a thought"
    send(browser.gallery, "rename", keys=[str(document.id)], key=str(document.id), name="Bicycle tires")
    settle(browser)
    assert browser.reader.is_editing
    assert browser.reader.text.value == "half a thought"
    browser.reader.keep.click()
    settle(browser)
    assert "Bicycle tires" in browser.reader.content


def test_a_deleted_document_is_no_longer_read(browser, read):
    """The pane shows a document until it is deleted, and no longer; its draft goes with it."""
    other, document = read(0), read(1)
    browser.reader.edit()
    browser.reader.text.value = "half a thought"
    browser.actions.mark([str(other.id)])
    browser.actions.delete_marked().result(30)
    assert browser.reader.is_editing
    browser.actions.mark([str(document.id)])
    browser.actions.delete_marked().result(30)
    assert "Select one to read it here." in browser.reader.content
    assert not browser.reader.is_editing
    assert "Select one" in browser.reader.content


def test_documents_are_downloaded(browser, read):
    """As Markdown with front matter, which names the service."""
    document, sent = read(0), []
    browser.gallery.send = lambda content, buffers=None: sent.append((content, buffers))
    browser.actions.download([str(document.id)]).result(30)
    file = document_file(values_of(document), service="local demo service")
    name = file_name(document.id, document.name, ".md", set())
    assert sent == [({"kind": "save", "name": name, "type": "text/markdown"}, [file])]


def test_actions_of_several_documents(browser):
    """A text, a name and settings are those of one document; a comparison is of several."""
    off = []
    for count in (1, 2):
        browser.actions.allow(count)
        off.append([each.description for each in browser.actions.buttons if each.disabled])
    assert off == [["Compare (c)"], ["Rename (r)", "Edit text (e)", "Reuse settings (u)"]]


def test_prompts_go_into_a_form(browser, read, press):
    """Reuse settings fills a form with the prompt and its creativity."""
    document = read(0)
    press(browser, "Reuse settings")
    assert browser.actions.form.arguments["prompt"] == document.prompt


def test_a_static_copy_can_be_read(browser, static_copy):
    """What the cell keeps holds the texts of the page, folded."""
    assert static_copy(browser)[-1].count("plain and short") >= 3


def test_a_change_is_seen_when_the_documents_are_listed_again(library):
    """A document that was marked as a favorite is one in every later listing."""
    browser = DocumentBrowser(library)
    first = int(browser.submit().result(30).index[0])
    browser.actions.favorite([str(first)]).result(30)
    assert browser.frame.loc[first, "favorite"]
    assert browser.submit().result(30).loc[first, "favorite"]


def test_a_deleted_document_is_listed_no_longer(browser, library, settle):
    """A whole listing is fetched again after a deletion, and after a change of a name."""
    key = browser.gallery.ids[0]
    browser.actions.mark([key])
    browser.actions.delete_marked().result(30)
    settle(browser)
    assert [*browser.gallery.ids] == [str(id) for id in library.documents.all().index]
    assert len(browser.frame) == 2
    key = browser.gallery.ids[0]
    browser.actions.act("rename", [key], {"name": "Renamed"})
    settle(browser)
    browser.submit().result(30)
    assert 'title="Renamed"' in browser.gallery.first[0]
