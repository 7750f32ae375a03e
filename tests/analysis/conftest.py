"""Small libraries."""

from __future__ import annotations

from tests.libraries import (  # noqa: F401  # fixtures of this folder
    address,
    column,
    documents,
    images,
    pictures,
)
