"""Test the choices that ship as data files, and the errors for values outside them."""

import pytest

from inkframe.errors import InvalidArgument
from inkframe.vocabulary.vocabulary import Choice, read_choices, refuse

FILTERS = {"grayscale": "Black and white", "sepia": "Sepia", "invert": "Invert"}
CREATIVITIES = {
    "0": "Repetitive", "0.25": "Deterministic", "0.5": "Original", "0.75": "Creative", "1": "Imaginative",
}  # fmt: skip


def test_labels_of_the_interface_are_kept():
    """Labels that the interface defines are unchanged."""
    assert {c.code: c.label for c in read_choices("filters")} == FILTERS
    assert list(read_choices("creativities")) == [Choice(*each) for each in CREATIVITIES.items()]
    assert Choice("3d_render", "3D render") in read_choices("styles")


@pytest.mark.parametrize("name", ["resolutions", "styles", "mediums", "filters", "creativities"])
def test_every_choice_has_a_label_of_its_own(name):
    """Each choice of a list has a different label."""
    labels = [choice.label for choice in read_choices(name)]
    assert all(labels)
    assert len(set(labels)) == len(labels)


def test_an_error_has_the_value_the_nearest_match_and_the_allowed_values():
    """The three lines have the value, the nearest match and the allowed values."""
    mediums = ["acrylic", "ink", "watercolor"]
    error = refuse("medium", "waterclor", mediums)
    first, second, third = str(error).splitlines()
    assert isinstance(error, InvalidArgument)
    assert first == "medium='waterclor' is invalid."
    assert "'watercolor'" in second
    assert all(medium in third for medium in mediums)


def test_an_error_for_an_empty_list_says_to_leave_the_field_out():
    """The error for a service without styles differs from that for a wrong style."""
    assert "leave it out" in str(refuse("style", "anime", []))


@pytest.mark.integration
def test_an_error_stays_short_for_long_values_and_long_lists():
    """The message stays short for a long value and for a long list."""
    message = str(refuse("template", "x" * 5000, [f"Label {number}" for number in range(52)]))
    assert len(message) < 300
    assert "52 allowed values" in message
    assert "client.vocabulary.templates" in message
