from __future__ import annotations

from inkframe.frames import DOCUMENT_COLUMNS, IMAGE_COLUMNS, columns_of


def test_image_columns_are_those_of_the_contract():
    """Images have these columns, in this order and of these types."""
    assert list(IMAGE_COLUMNS.items()) == [
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
    assert list(DOCUMENT_COLUMNS.items()) == [
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


def test_each_collection_has_its_columns():
    """Columns are found by the interface's name of a collection."""
    assert columns_of("images") is IMAGE_COLUMNS
    assert columns_of("documents") is DOCUMENT_COLUMNS
