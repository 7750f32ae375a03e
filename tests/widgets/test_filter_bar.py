import pytest

from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Vocabulary
from inkframe.widgets.fields import TemplateField
from inkframe.widgets.pager import FilterBar


def test_what_is_left_open_is_left_out():
    """Filters that are not set are not sent, and neither is the service's own order."""
    filters = FilterBar([], ("name", "result"), {})
    assert filters.query() == {}
    filters.fields["order"].value = ("name", "asc")
    filters.fields["favorite"].value = False
    assert filters.query() == {"favorite": False, "sort_by": "name", "sort": "asc"}


def test_where_to_search_needs_something_to_search():
    """The field to search in is sent with a search only."""
    filters = FilterBar([], ("name", "result"), {"search_by": "result"})
    assert filters.query() == {}
    filters.fields["search"].value = "kettle"
    assert filters.query() == {"search": "kettle", "search_by": "result"}


def test_a_misspelled_template_is_said_at_its_field():
    """Words that name no template are a mistake, with the nearest template."""
    field = TemplateField(Vocabulary(), "every template")
    filters = FilterBar([field], ("name",), {})
    field.control.value = "Blog titel"
    assert "Did you mean Blog title" in filters.mistake()
    assert field.problem


def test_whole_filters():
    """The controls with their options and values, and the query that they begin with."""
    filters = FilterBar([], ("name", "result"), {"search": " tea ", "sort_by": "name", "favorite": True})
    shown = [
        [name, field.control.description, field.value, list(getattr(field.control, "options", ()))]
        for name, field in filters.fields.items()
    ]
    orders = [
        ("Newest first", ("id", "desc")), ("Oldest first", ("id", "asc")),
        ("Name, A to Z", ("name", "asc")), ("Name, Z to A", ("name", "desc")),
    ]  # fmt: skip
    assert shown == [
        ["search", "Search", " tea ", []],
        ["favorite", "Favorites", True, [("All", ""), ("Favorites", True), ("Others", False)]],
        ["order", "Sort", ("name", "asc"), orders],
        ["search_by", "Search in", "name", [("Names", "name"), ("Texts", "result")]],
    ]
    assert filters.query() == {"search": "tea", "favorite": True, "sort_by": "name", "sort": "asc"}
    assert (filters.order_words(), filters.mistake()) == ("Name, A to Z", "")
    assert filters.children == tuple(filters.fields.values())
    assert filters._dom_classes == ("ink-fields",)
    other = FilterBar([], ("name",), {"sort": "asc"})
    assert (list(other.fields), other.order_words()) == (["search", "favorite", "order"], "Oldest first")
    assert other.query() == {"sort_by": "id", "sort": "asc"}
    assert FilterBar([], ("name",), {"sort_by": "id"}).query() == {}
    for wrong, said in (
        ({"favorite": 1}, "favorite"), ({"sort_by": "date"}, "sort_by='date'"),
        ({"sort": "up"}, "sort='up'"), ({"search_by": "result"}, "search_by='result'"),
    ):  # fmt: skip
        with pytest.raises(InvalidArgument, match=said):
            FilterBar([], ("name",), wrong)


def test_typing_counts_once_it_pauses(monkeypatch):
    """Each letter begins the pause again; other controls count at once."""
    timers, calls = [], []

    class Timer:
        def __init__(self, seconds, act):
            self.seconds, self.act, self.state, self.daemon = seconds, act, "", False

        def start(self):
            self.state = "started"
            timers.append(self)

        def cancel(self):
            self.state = "cancelled"

    monkeypatch.setattr("inkframe.widgets.pager.threading.Timer", Timer)
    filters = FilterBar([], ("name",), {})
    filters.on_change(lambda: calls.append(filters.query()))
    filters.fields["search"].value = "t"
    filters.fields["search"].value = "te"
    assert [(each.state, each.seconds, each.daemon) for each in timers] == [
        ("cancelled", 0.3, True),
        ("started", 0.3, True),
    ]
    assert calls == []
    timers[-1].act()
    filters.fields["favorite"].value = True
    assert calls == [{"search": "te"}, {"search": "te", "favorite": True}]
