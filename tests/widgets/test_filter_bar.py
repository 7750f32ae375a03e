from __future__ import annotations

import pytest

from inkframe.errors import InvalidArgument
from inkframe.vocabulary import Vocabulary
from inkframe.widgets.filter_bar import FilterBar
from inkframe.widgets.form_fields import TemplateField


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


def test_orders_that_do_not_exist_are_refused():
    """An order outside the interface is refused."""
    with pytest.raises(InvalidArgument, match="sort_by='date'"):
        FilterBar([], ("name",), {"sort_by": "date"})
