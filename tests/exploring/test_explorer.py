"""The explorer: facets, rows, selection, labels and the map, without a browser."""

import threading
from datetime import date

import numpy as np
import pandas as pd
import pytest
from tests.cases import addresses
from tests.panels import QuickEngine, png

import inkframe as ink
from inkframe.exploring.finds import more_like
from inkframe.exploring.map import CHOSEN, SHOWN
from inkframe.versions import text_type
from inkframe.widgets.record_reader import mark_hits


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Return the folder that labels are saved in."""
    monkeypatch.setenv("INKFRAME_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def frame():
    """Return 120 texts of three kinds, with a column of their own."""
    random = np.random.default_rng(0)
    kinds = np.repeat(["FAQ", "Slogan", "Poem"], [60, 40, 20])
    texts = [
        f"A {kind.lower()} about the number {at}, which is quiet and calm." for at, kind in enumerate(kinds)
    ]
    return pd.DataFrame(
        {
            "name": [f"Text {at}" for at in range(120)],
            "template": pd.Categorical(kinds),
            "words": random.integers(5, 500, 120),
            "result": pd.array(texts, text_type()),
        },
        index=pd.Index(range(1000, 1120), name="id"),
    )


@pytest.fixture
def explorer(frame):
    """Return an explorer of the frame."""
    return ink.Explorer(frame)


def facet(explorer, name):
    """Return what the page has of a facet."""
    return next(each for each in explorer.facets.facets if each["name"] == name)


def counts(explorer, name):
    """Return the counts of a facet by label."""
    return {each["label"]: each["count"] for each in facet(explorer, name)["values"]}


def rows(frame, code, explorer=None):
    """Return the rows that a line of pandas gives."""
    return eval(code, {"frame": frame, "explorer": explorer, "pd": pd})  # noqa: S307  # the line that is offered to the user


def test_the_first_view_has_facets_that_divide_and_a_page_of_rows(explorer):
    """Only what is seen is on the page."""
    assert [each["name"] for each in explorer.facets.facets] == ["template", "words"]
    assert len(explorer.gallery.ids) == 50
    assert counts(explorer, "template") == {"FAQ": 60, "Slogan": 40, "Poem": 20}
    assert sum(facet(explorer, "words")["bars"]) == 120
    assert explorer.code == "frame"
    assert repr(explorer) == "<Explorer of 120 records>"


def test_filters_are_set_by_code_and_shown_on_the_page(explorer, frame):
    """Each facet counts under all others, and the code gives the same rows."""
    explorer.filters = {"template": ["FAQ", "Poem"], "search": "number 1"}
    assert set(explorer.shown["template"]) == {"FAQ", "Poem"}
    assert counts(explorer, "template")["Slogan"] == frame["result"][60:100].str.contains("number 1").sum()
    assert explorer.facets.search == "number 1"
    pd.testing.assert_frame_equal(rows(frame, explorer.code), explorer.shown)
    with pytest.raises(ink.InvalidArgument, match="Did you mean 'Poem'"):
        explorer.filters = {"template": ["Poems"]}
    assert explorer.filters["template"] == ["FAQ", "Poem"]


def test_each_search_is_answered(explorer, send, monkeypatch):
    """The page asks for what was typed meanwhile only then, also when nothing was found."""
    lamps = []
    monkeypatch.setattr(explorer.facets, "send", lamps.append)
    send(explorer.facets, "search", text="quiet")
    send(explorer.facets, "search", text="quiet zzz")
    assert lamps == [{"kind": "answered"}] * 2
    assert len(explorer.shown) == 0


def test_columns_that_cannot_be_sorted_say_so(frame):
    """The order before stays."""
    frame["mixed"] = ["a", 1] * 60
    explorer = ink.Explorer(frame)
    explorer.order.order.value = ("mixed", False)
    assert "different kinds" in explorer.status.alert
    assert len(explorer.shown) == 120


def test_a_column_without_values_has_an_empty_facet(frame):
    """It can be chosen as one, and shows how many values are missing."""
    frame["empty"] = pd.Categorical([None] * 120, ["a"])
    explorer = ink.Explorer(frame, facets=["empty"])
    assert counts(explorer, "empty") == {"(missing)": 120}


def test_facets_are_added_and_removed(frame, send):
    """A facet that is removed filters no longer."""
    explorer = ink.Explorer(frame.assign(size=frame["words"] % 3), facets=["template"])
    assert set(explorer.facets.available) == {"words", "size"}
    send(explorer.facets, "add", name="size")
    assert explorer.facets.names == ["template", "size"]
    send(explorer.facets, "choose", name="size", at=0, on=True)
    send(explorer.facets, "remove", name="size")
    assert (explorer.facets.names, explorer.filters) == (["template"], {})


def test_the_selection_is_a_frame(explorer, frame, press):
    """By position, by click, or all that is shown; the code gives the same rows."""
    explorer.choose([3, 1])
    assert list(explorer.selection.index) == [1001, 1003]
    pd.testing.assert_frame_equal(rows(frame, explorer.code), explorer.selection)
    sent = []
    explorer.gallery.send = sent.append
    press(explorer, "Copy ids")
    assert (sent, explorer.status.text) == ([{"kind": "copy", "text": "1001, 1003"}], "2 ids copied.")
    explorer.gallery.chosen = ["1005"]
    assert list(explorer.selection.index) == [1005]
    explorer.filters = {"template": ["Poem"]}
    explorer.choose_shown()
    assert len(explorer.selection) == 20
    pd.testing.assert_frame_equal(rows(frame, explorer.code), explorer.selection)


@pytest.mark.parametrize(
    "index",
    [
        [f"it's {at}" for at in range(120)],
        pd.DatetimeIndex(list(pd.date_range("2026-01-01", periods=120, tz="Europe/Berlin"))),
        pd.MultiIndex.from_product([["a", "b"], range(60)]),
        [7] * 120,
    ],
    ids=["text", "time", "levels", "repeated"],
)
def test_the_code_of_a_selection_gives_it_exactly(frame, index):
    """With labels of any kind, and with values that were changed in the explorer."""
    frame.index = index
    explorer = ink.Explorer(frame)
    explorer.choose([3, 100])
    pd.testing.assert_frame_equal(rows(frame, explorer.code), explorer.selection)
    explorer.label("keep")
    explorer.filters = {"label": ["keep"]}
    explorer.choose_shown()
    assert explorer.code.startswith("explorer.frame[")
    pd.testing.assert_frame_equal(rows(frame, explorer.code, explorer), explorer.selection)


def test_a_selection_survives_turning_pages(explorer):
    """What is chosen on another page stays chosen when more is added, and a click replaces all of it."""
    explorer.choose([0, 60])
    explorer.pager.number.value = 2
    assert explorer.gallery.chosen == ["1000", "1060"]
    explorer.gallery.chosen = ["1000", "1060", "1061"]
    assert list(explorer.selection.index) == [1000, 1060, 1061]
    explorer.gallery.chosen = ["1061"]
    assert list(explorer.selection.index) == [1061]


def test_rows_that_a_filter_hides_are_acted_on_by_nothing(explorer, frame, send, press):
    """They are counted as hidden, and are neither in the frame nor in the code until they are shown again."""
    explorer.choose(range(40, 88))
    explorer.filters = {"template": ["Slogan"]}
    count = explorer.actions.bar.children[0]
    assert "48 selected, 20 hidden" in count.value
    assert list(explorer.selection.index) == list(range(1060, 1088))
    pd.testing.assert_frame_equal(rows(frame, explorer.code), explorer.selection)
    explorer.filters = {"template": ["Poem"]}
    assert "48 selected, 48 hidden" in count.value
    assert len(explorer.selection) == 0
    assert all(each.disabled for each in explorer.actions.buttons)
    pd.testing.assert_frame_equal(rows(frame, explorer.code), explorer.shown)
    for kind in ("label 1", "i", "v"):
        send(explorer.gallery, kind, keys=explorer.gallery.chosen, key="1000")
    assert "label" not in explorer.frame.columns
    assert explorer.status.text == ""
    explorer.filters = {}
    assert "48 selected<" in count.value
    assert list(explorer.selection.index) == list(range(1040, 1088))


def test_the_map_frames_what_is_selected_and_shown(frame):
    """A filter takes the frame from the points that it hides."""
    explorer, sent = ink.Explorer(frame.assign(x=range(120), y=range(120)), x="x", y="y"), []
    explorer.submit().result(60)
    explorer.choose(range(40, 88))
    explorer.map.send = lambda content, buffers=None: sent.append((content["kind"], buffers))
    explorer.filters = {"template": ["Slogan"]}
    states = np.frombuffer(next(bytes[0] for kind, bytes in reversed(sent) if kind == "shown"), np.uint8)
    assert np.flatnonzero(states & CHOSEN).tolist() == list(range(60, 88))
    assert np.flatnonzero(states & SHOWN).tolist() == list(range(60, 100))


def test_a_chosen_row_is_read_with_its_hits_marked(explorer, send):
    """All columns are shown beside; hits are gone through by key."""
    explorer.filters = {"search": "quiet"}
    explorer.gallery.chosen = ["1001"]
    assert '<mark class="ink-hit ink-hit-1">quiet</mark>' in explorer.reader.content
    assert str(explorer.frame.loc[1001, "words"]) in explorer.reader.content
    assert explorer.reader.turn(1) == explorer.reader.turn(1) == 1
    explorer.filters = {"search": "a"}
    explorer.choose([2])
    revealed = []
    explorer.status.send = revealed.append
    for kind in ("next hit", "next hit", "next hit", "previous hit"):
        send(explorer.gallery, kind, keys=[])
    assert [each["where"] for each in revealed] == [f".ink-hit-{hit}" for hit in (1, 2, 3, 2)]
    explorer.filters = {}
    explorer.choose([2])
    assert "ink-hit" not in explorer.reader.content
    assert explorer.reader.turn(1) == 0


def test_own_columns_are_shown_beside_the_text(frame):
    """Whole, times without seconds, numbers in six digits; what is missing is left out."""
    frame["share"] = 0.08169495086091111
    frame["seen"], frame["note"] = pd.Timestamp("2026-03-01 09:30:12", tz="UTC"), None
    frame["remark"] = "A long remark. " * 20
    explorer = ink.Explorer(frame)
    explorer.choose([0])
    assert "1 Mar 2026, 09:30 UTC<" in explorer.reader.content
    assert "0.081695<" in explorer.reader.content
    assert "A long remark. " * 19 in explorer.reader.content
    assert "note" not in explorer.reader.content


def test_hits_are_marked_between_tags_only():
    """Neither tags, nor attributes, nor style sheets are changed; text is matched as it is escaped."""
    html = '<style>p{}</style><p title="p &amp; q">P &amp; p</p>'
    assert mark_hits(html, "p &") == (
        '<style>p{}</style><p title="p &amp; q"><mark class="ink-hit ink-hit-1">P &amp;</mark> p</p>',
        1,
    )
    assert mark_hits(html, "  ") == (html, 0)


def test_labels_are_a_column_saved_and_shown_again(explorer, frame, send, home):
    """By key for the rows that are meant; a facet counts them."""
    frame.attrs["inkframe"] = {"service": "https://content.example.com", "collection": "documents"}
    explorer = ink.Explorer(frame)
    send(explorer.gallery, "label 1", keys=["1000", "1001"], key="1000")
    explorer.choose([5])
    explorer.label("own words")
    explorer.choose([1])
    send(explorer.gallery, "label 0", keys=["1001"], key="1001")
    assert explorer.frame["label"].dropna().to_dict() == {1000: "keep", 1005: "own words"}
    for number in (4, 5):
        send(explorer.gallery, f"label {number}", keys=["1005"], key="1005")
    assert explorer.frame["label"].dropna().to_dict() == {1000: "keep", 1005: "own words"}
    assert "label" not in frame.columns
    assert counts(explorer, "label") == {"keep": 1, "own words": 1, "(missing)": 118}
    again = ink.Explorer(frame)
    assert again.frame["label"].dropna().to_dict() == {1000: "keep", 1005: "own words"}
    assert again.labels == ["keep", "rework", "drop", "own words"]


def test_a_label_that_cannot_be_saved_is_not_shown(explorer, home):
    """The reason is."""
    (home / "ratings.jsonl").mkdir()
    explorer.choose([0])
    explorer.label("keep")
    assert "label" not in explorer.frame.columns
    assert "was not saved" in explorer.status.alert


def test_the_texts_are_not_copied(frame):
    """Labels add a column; all others are those of the given frame."""
    explorer = ink.Explorer(frame)
    explorer.choose([0])
    explorer.label("keep")
    assert addresses(explorer.frame["result"]) == addresses(frame["result"])


@pytest.mark.integration
def test_the_map_shows_what_the_filters_leave(explorer, send):
    """A lasso chooses among the rows that are shown; own positions are taken."""
    explorer.filters = {"template": ["FAQ"]}
    explorer.submit().result(60)
    assert explorer.map.groups == ["FAQ", "Slogan", "Poem"]
    send(explorer.map, "lasso", polygon=[[-2, -2], [2, -2], [2, 2], [-2, 2]])
    assert len(explorer.selection) == 60
    send(explorer.map, "lasso", polygon=[[5, 5], [6, 5], [6, 6]])
    assert len(explorer.selection) == 0
    send(explorer.map, "color", name="words")
    assert (explorer.map.color, explorer.map.groups) == ("", [])


def test_images_have_pictures_through_their_client(library):
    """Their gallery asks for pictures, and favorites and deletions go to the service."""
    explorer = ink.Explorer(library.images.all(progress=False))
    assert explorer.gallery.shape == "gallery"
    explorer.choose([0])
    assert "data:image" in explorer.reader.content


def test_the_static_copy_of_images_has_their_pictures(library, monkeypatch):
    """A notebook without a kernel shows a table with a small picture in each row; one of texts has none."""
    shown, copied = [], threading.Event()

    def display(bundle, *, update=False, **_):
        shown.append(bundle)
        if update:
            copied.set()

    for module in ("widgets.panel", "display.view"):
        monkeypatch.setattr(f"inkframe.{module}.display", display)
    monkeypatch.setattr("inkframe.widgets.record_panel.STILL", 0)
    images = library.images.all(progress=False)
    ink.Explorer(images)._ipython_display_()
    assert copied.wait(30)
    assert shown[-1]["text/html"].count("data:image") == min(len(images), 20)
    assert "Document 0" in ink.Explorer(library.documents.all(progress=False))._saved_view().html


def test_records_are_changed_through_their_client(library, press, settle):
    """By the same buttons as in a browser: marked, renamed, and deleted once a person confirms it."""
    explorer = ink.Explorer(library.images.all(progress=False))
    explorer.choose([0, 1])
    ids = list(explorer.selection.index)
    press(explorer, "★ Favorite")
    settle(explorer)
    assert [library.images.get(id).favorite for id in ids] == [True, True]
    assert explorer.frame.loc[ids, "favorite"].tolist() == [True, True]
    explorer.actions.act("rename", [str(ids[0])], {"name": "Harbor"})
    settle(explorer)
    assert library.images.get(ids[0]).name == explorer.frame.loc[ids[0], "name"] == "Harbor"
    press(explorer, "Delete")
    assert len(library.images.all(progress=False)) == 12
    explorer.actions.question.children[-1].click()
    settle(explorer)
    assert len(library.images.all(progress=False)) == len(explorer.frame) == 10
    assert len(explorer.selection) == 0


@pytest.mark.parametrize("rest", ["b", None])
def test_a_filter_ends_with_its_last_record(library, press, settle, rest):
    """After all records of a value were deleted, what is left is shown, also where the column is empty then."""
    explorer = ink.Explorer(library.images.all(progress=False).assign(mine=["a", "a"] + [rest] * 10))
    explorer.filters = {"mine": ["a"], "style": ["anime", "sketch", "retro"]}
    explorer.choose_shown()
    press(explorer, "Delete")
    explorer.actions.question.children[-1].click()
    settle(explorer)
    assert (explorer.error, explorer.status.text) == (None, "2 images deleted.")
    assert (len(explorer.frame), len(explorer.shown), len(explorer.gallery.ids)) == (10, 10, 10)
    assert explorer.filters == {"style": ["anime", "sketch", "retro"]}
    assert ("mine" in explorer.facets.names) is (rest == "b")


def test_texts_are_edited_where_they_are_read(library, press, settle):
    """The text is stored by the service, and in the frame."""
    explorer = ink.Explorer(library.documents.all(progress=False))
    explorer.choose([0])
    id = explorer.selection.index[0]
    press(explorer, "Edit text")
    explorer.reader.text.value = "Another text."
    explorer.reader.keep.click()
    settle(explorer)
    assert library.documents.get(id).result == explorer.frame.loc[id, "result"] == "Another text."
    assert "Another text." in explorer.reader.content


def test_the_record_that_is_read_follows_its_changes(library, press, settle):
    """The reader shows a new name at once, and nothing of a record that was deleted."""
    explorer = ink.Explorer(library.documents.all(progress=False))
    explorer.choose([0])
    id = str(explorer.selection.index[0])
    explorer.actions.act("rename", [id], {"name": "Bicycle tires"})
    settle(explorer)
    assert "Bicycle tires" in explorer.reader.content
    press(explorer, "Delete")
    explorer.actions.question.children[-1].click()
    settle(explorer)
    assert "Select one to read it here." in explorer.reader.content


@pytest.mark.parametrize("name", ["images", "documents"])
def test_settings_go_into_a_form(library, press, settle, name):
    """Reuse settings fills a form with the selected record, as the service has it now, which creates another one."""
    collection = getattr(library, name)
    explorer = ink.Explorer(collection.all(progress=False))
    explorer.choose([1])
    id = explorer.selection.index[0]
    collection.update(id, name="Renamed elsewhere")
    press(explorer, "Reuse settings")
    settle(explorer)
    form, record = explorer.actions.form, collection.get(id)
    assert form.arguments["name"] == "Renamed elsewhere"
    source = "description" if name == "images" else "prompt"
    assert form.arguments[source] == getattr(record, source)
    form.fill(name="Another one")
    assert form.submit().result(30).name == "Another one"
    explorer.choose([0])
    press(explorer, "Reuse settings")
    settle(explorer)
    assert explorer.actions.form is form
    assert form.arguments["name"] == explorer.selection["name"].iloc[0]


def test_records_without_a_client_are_not_changed(explorer, press):
    """There are no buttons for it, and a key says why."""
    names = [each.description for each in explorer.actions.buttons]
    assert names == ["More like this (m)", "Rate blind (b)", "Save as CSV (v)", "Copy ids (i)", "Compare (c)"]
    for kind in ("favorite", "rename", "delete"):
        explorer.say("")
        explorer.actions.act(kind, ["1000"], {})
        assert explorer.status.text == "This needs the client that the frame was fetched by."
    off = []
    for chosen in ([], [0], [0, 1], range(12), range(13)):
        explorer.choose(chosen)
        off.append([each.description[-2] for each in explorer.actions.buttons if each.disabled])
    assert off == [list("mbvic"), ["c"], ["m"], ["m"], ["m", "c"]]


@pytest.fixture
def lamps():
    """Return 60 texts about two things, two of them nearly the same and one unlike any other."""
    random = np.random.default_rng(0)
    kettle, bicycle = (
        ["kettle", "water", "steam", "boil", "pour", "tea", "cup"],
        ["wheel", "hill", "road", "chain", "pedal", "race", "bell"],
    )
    texts = [" ".join(random.choice(kettle, 20)) for _ in range(30)]
    texts += [" ".join(random.choice(bicycle, 20)) for _ in range(28)]
    texts += ["One two three four five six seven.", "Entirely unrelated zebra xylophone."]
    texts[5] = texts[4] + " Yes."
    return pd.DataFrame(
        {"name": [f"Text {at}" for at in range(60)], "kind": ["a", "b"] * 30, "result": texts}
    )


@pytest.mark.integration
def test_near_duplicates_are_found_among_what_is_shown(lamps, settle):
    """Each group is a value of a facet, the texts of one stand together."""
    explorer = ink.Explorer(lamps)
    explorer.filters = {"kind": ["a"]}
    explorer.actions.find("Near duplicates").result(60)
    assert "No near duplicates" in explorer.status.text
    explorer.filters = {}
    explorer.actions.find("Near duplicates").result(60)
    assert {4, 5} <= set(explorer.shown.index[:12])
    assert explorer.shown["duplicates"].cat.codes.replace(-1, 99).is_monotonic_increasing
    assert counts(explorer, "duplicates")["Group 1"] >= 2
    pd.testing.assert_frame_equal(rows(lamps, explorer.code, explorer), explorer.shown)


@pytest.mark.integration
def test_outliers_are_shown_with_the_reason(lamps):
    """The least usual one first, and the reason beside its text."""
    explorer = ink.Explorer(lamps)
    explorer.actions.find("Outliers").result(60)
    assert set(explorer.shown.index[:2]) == {58, 59}
    assert len(explorer.shown) == 20
    explorer.gallery.chosen = ["59"]
    assert explorer.frame["reason"][59] in explorer.reader.content


def test_more_like_one_record(lamps, send, settle):
    """By button or key, all others follow by their score; own columns are kept."""
    explorer = ink.Explorer(lamps.assign(score="own"))
    send(explorer.gallery, "m", keys=["3"], key="3")
    settle(explorer)
    assert explorer.shown.index[0] == 3
    assert set(explorer.shown.index[:30]) == set(range(30))
    assert (explorer.frame["score"] == "own").all()
    assert explorer.shown["score found"].is_monotonic_decreasing
    assert "TF-IDF" in explorer.status.text


class ShadeEngine(QuickEngine):
    """Draws one shade, which the description begins with."""

    def draw(self, request):
        """Draw it."""
        return png(int(request.description.split()[0]))


@pytest.mark.parametrize("engine", [ShadeEngine()])
def test_more_like_a_picture_compares_pictures(client, send, settle):
    """Pictures alike are first, whatever their descriptions say; without its picture, texts are compared."""
    texts = ["20 a lamp", "200 a lamp", "25 two boats", "210 a lamp", "15 a harbor"]
    made = [client.images.create(name=text, description=text, resolution="256x256").id for text in texts]
    explorer = ink.Explorer(client.images.all())
    send(explorer.gallery, "m", keys=[str(made[0])], key=str(made[0]))
    settle(explorer)
    assert set(explorer.shown.index[:3]) == {made[0], made[2], made[4]}
    assert explorer.status.text == "The closest pictures first (colors and shapes)."
    found = more_like(explorer.source, 0, ["no picture"] * 5)
    assert found.said == "The closest texts first (cosine of TF-IDF; this record has no picture)."


@pytest.mark.integration
def test_own_vectors_are_taken(lamps):
    """For the map, groups, and records like one."""
    vectors = np.zeros((60, 2), np.float32)
    vectors[::2, 0] = vectors[1::2, 1] = 1
    explorer = ink.Explorer(lamps, vectors=vectors)
    explorer.choose([0])
    explorer.actions.find_more().result(60)
    assert explorer.shown.index[:30].tolist() == list(range(0, 60, 2))
    explorer.actions.find("Clusters").result(60)
    assert explorer.frame["cluster"].nunique() == 2
    assert explorer.submit().result(60)["x"].nunique() <= 60


def test_texts_are_sorted_by_length(lamps):
    """The code sorts the same way."""
    explorer = ink.Explorer(lamps)
    explorer.order.order.value, explorer.order.descending.value = ("result", True), True
    assert explorer.shown["result"].str.len().is_monotonic_decreasing
    pd.testing.assert_frame_equal(rows(lamps, explorer.code), explorer.shown)


def test_any_frame_can_be_explored():
    """Without ids, with repeated ones, empty, or with columns of other types."""
    table = pd.DataFrame({"kind": ["a", "b", "a"], "n": [[1], [2], [3]]}, index=[7, 7, 8])
    days = pd.array([date(2026, 1, day) for day in (1, 2, 2)], "date32[day][pyarrow]")
    explorer = ink.Explorer(table.assign(day=days), facets=["day", "kind"])
    explorer.filters = {"day": [date(2026, 1, 2)]}
    assert explorer.shown["kind"].tolist() == ["b", "a"]
    explorer = ink.Explorer(table)
    explorer.choose([1])
    assert explorer.selection["kind"].tolist() == ["b"]
    assert explorer.code == "frame.iloc[[1]]"
    assert len(ink.Explorer(pd.DataFrame({"result": pd.array([], text_type())})).shown) == 0


def test_the_map_colors_ten_groups(frame, send):
    """The ten largest groups have a color each, and all others share one."""
    sizes = [20, 18, 16, 14, 12, 10, 8, 7, 6, 5, 3, 1]
    kinds = np.repeat([f"Kind {at:02}" for at in range(12)], sizes)
    explorer = ink.Explorer(frame.assign(template=pd.Categorical(kinds)))
    explorer.map.place(np.zeros((120, 2)))
    explorer.map.color_by("template")
    assert explorer.map.groups == [*(f"Kind {at:02}" for at in range(10)), "other"]
    explorer = ink.Explorer(frame.assign(template=pd.Categorical(np.repeat(kinds[:116:12], 12))))
    explorer.map.place(np.zeros((120, 2)))
    explorer.map.color_by("template")
    assert "other" not in explorer.map.groups


def test_the_map_is_computed_when_it_is_first_shown(explorer, settle):
    """Turning to the map computes it once; without it nothing is."""
    assert (explorer.busy, explorer.map.is_placed) == (False, False)
    explorer.view.value = "Map"
    settle(explorer)
    assert explorer.map.is_placed
    explorer.map.note = "kept"
    explorer.view.value = "List"
    explorer.view.value = "Map"
    settle(explorer)
    assert explorer.map.note == "kept"


def test_a_selection_is_saved_as_csv():
    """Comma-separated, with Windows line ends and a mark for Excel; what would be a formula is none."""
    explorer = ink.Explorer(pd.DataFrame({"name": ["=1+1", "né", "a,b"]}, index=[1, "half \ud83d", 3]))
    saved = []
    explorer.gallery.save = lambda *given: saved.append(given)
    explorer.choose([0, 1])
    next(each for each in explorer.actions.buttons if each.description == "Save as CSV (v)").click()
    assert saved == [
        ("inkframe-selection.csv", "text/csv", "\ufeff,name\r\n1,'=1+1\r\nhalf ?,né\r\n".encode())
    ]
    assert explorer.status.text == "2 records downloaded by the browser."


def test_files_of_the_selection(library, send, settle):
    """A picture is downloaded with its settings in it, a text with its front matter."""
    for collection, name, start in (
        ("images", "12-Image-12.png", b"\x89PNG"),
        ("documents", ".md", b"---\n"),
    ):
        explorer = ink.Explorer(getattr(library, collection).all(progress=False))
        saved = []
        explorer.gallery.save = lambda *given, saved=saved: saved.append(given)
        key = explorer.gallery.ids[0]
        send(explorer.gallery, "s", keys=[key], key=key)
        settle(explorer)
        [(file, _, data)] = saved
        assert file.endswith(name)
        assert data.startswith(start)
        assert b"local demo service" in data


def test_labels_by_their_buttons(explorer):
    """Each label has a button with its key, and the last one takes the label away."""
    explorer.choose([1])
    _, keep, *_, gone, _ = explorer.actions._labels.children
    assert (keep.description, gone.description) == ("1  keep", "0  no label")
    keep.click()
    assert explorer.frame["label"].iloc[1] == "keep"
    gone.click()
    assert pd.isna(explorer.frame["label"].iloc[1])
    assert explorer.status.text == "1 record without a label."


@pytest.mark.parametrize("shift", [0, 1000])
def test_ids_in_a_column_are_those_of_the_rows(frame, shift):
    """A frame with its ids in a column, as a batch returns it, is selected, labeled and copied by these ids."""
    batch = frame.reset_index().assign(id=lambda rows: rows["id"][::-1].to_numpy() - 1000 + shift)
    explorer = ink.Explorer(batch)
    key = str(5 + shift)
    explorer.gallery.chosen = [key]
    assert explorer.selection["id"].tolist() == [5 + shift]
    assert explorer.record == 5 + shift
    explorer.label("keep")
    assert explorer.frame.loc[explorer.frame["label"] == "keep", "id"].tolist() == [5 + shift]
    sent = []
    explorer.gallery.send = sent.append
    explorer.actions.act("i", [key], {})
    assert sent == [{"kind": "copy", "text": key}]


def test_a_batch_is_labeled_again(tmp_path):
    """Labels of a batch with its ids in a column are shown again, and a deleted row is removed."""
    with ink.connect(library=":memory:") as client:
        plan = ink.plan_documents("A text about a kettle", name="Kettle {creativity}")
        runs = client.documents.create_many(plan, progress=False)
        explorer = ink.Explorer(runs)
        explorer.gallery.chosen = [str(runs["id"].iloc[2])]
        explorer.label("rework")
        assert ink.Explorer(runs).frame["label"].dropna().to_dict() == {2: "rework"}
        explorer.removed(explorer.chosen_keys)
        assert explorer.frame["id"].tolist() == runs["id"].drop(2).tolist()


def test_rows_without_an_id_are_selected_by_their_position(frame):
    """A row whose creation failed has no id, and is selected and read like the others, which keep theirs."""
    batch = frame.reset_index().astype({"id": "Int64"})
    batch.loc[3, "id"] = pd.NA
    explorer = ink.Explorer(batch)
    explorer.gallery.chosen = ["row 3"]
    assert explorer.selection["name"].tolist() == ["Text 3"]
    assert {row["id"] for row in explorer.source.rows([3, 4]).values()} == {"row 3", 1004}


def test_an_index_that_was_dropped_is_not_taken_for_ids():
    """A frame that lost its ids offers no action of the service, which would change other records."""
    with ink.connect(library=":memory:") as client:
        for name in "abc":
            client.documents.create(name=name, prompt="A text about a kettle")
        explorer = ink.Explorer(client.documents.all(progress=False).reset_index(drop=True))
        explorer.gallery.chosen = ["1"]
        assert explorer.selection["name"].tolist() == ["b"]
        assert explorer.collection is None
        assert ink.Explorer(client.documents.all(progress=False)).collection is not None


@pytest.mark.integration
def test_the_outcome_of_a_job_can_be_explored(client):
    """A job offers an explorer of what it has created."""
    plan = ink.plan_documents("About a kettle", name="Kettle {creativity} {repeat}", repeats=2)
    job = client.documents.submit_many(plan)
    job.result(30)
    assert len(job._view._endings["Explore"]().shown) == 10
