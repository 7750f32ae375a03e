from __future__ import annotations

from inkframe.frames import columns_of


def test_image_columns_are_those_of_the_contract():
    """Images have these columns, in this order and of these types."""
    assert list(columns_of("images").items()) == [
        ("name", "text"),
        ("description", "text"),
        ("resolution", "category"),
        ("style", "category"),
        ("medium", "category"),
        ("filter", "category"),
        ("favorite", "boolean"),
        ("picture_url", "text"),
        ("created_at", "time"),
        ("updated_at", "time"),
    ]


def test_document_columns_are_those_of_the_contract():
    """Documents have these columns, in this order and of these types."""
    assert list(columns_of("documents").items()) == [
        ("name", "text"),
        ("template", "category"),
        ("template_id", "integer"),
        ("prompt", "text"),
        ("creativity", "number"),
        ("result", "text"),
        ("favorite", "boolean"),
        ("created_at", "time"),
        ("updated_at", "time"),
    ]
