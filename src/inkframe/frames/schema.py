"""The columns of the two frames, in their order, and the type of each."""

from __future__ import annotations

from typing import Final, Literal

__all__ = ["DOCUMENT_COLUMNS", "IMAGE_COLUMNS", "ColumnType", "columns_of"]

ColumnType = Literal["text", "category", "boolean", "number", "integer", "time"]

IMAGE_COLUMNS: Final[dict[str, ColumnType]] = {
    "name": "text",
    "description": "text",
    "resolution": "category",
    "style": "category",
    "medium": "category",
    "filter": "category",
    "favorite": "boolean",
    "picture_url": "text",
    "created_at": "time",
    "updated_at": "time",
}
DOCUMENT_COLUMNS: Final[dict[str, ColumnType]] = {
    "name": "text",
    "template": "category",
    "template_id": "integer",
    "prompt": "text",
    "creativity": "number",
    "result": "text",
    "favorite": "boolean",
    "created_at": "time",
    "updated_at": "time",
}


def columns_of(collection: str) -> dict[str, ColumnType]:
    """Give the columns of ``images`` or ``documents``."""
    return IMAGE_COLUMNS if collection == "images" else DOCUMENT_COLUMNS
