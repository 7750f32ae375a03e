"""Test that the types have the values of the data files."""

from typing import get_args

import pytest

from inkframe.vocabulary import names
from inkframe.vocabulary.vocabulary import read_choices, read_templates


@pytest.mark.parametrize(
    ("type_name", "values"),
    [
        ("Resolution", [choice.code for choice in read_choices("resolutions")]),
        ("Style", [choice.code for choice in read_choices("styles")]),
        ("Medium", [choice.code for choice in read_choices("mediums")]),
        ("Filter", [choice.code for choice in read_choices("filters")]),
        ("Creativity", [choice.label for choice in read_choices("creativities")]),
        ("TemplateLabel", [template.label for template in read_templates()]),
    ],
)
def test_each_type_has_the_values_of_its_data_file(type_name, values):
    """Each type has exactly the values of its data file."""
    assert list(get_args(getattr(names, type_name))) == values


def test_every_type_is_exported():
    """The module exports only its types."""
    assert set(names.__all__) == {name for name in vars(names) if name[0].isupper() and name != "Literal"}
