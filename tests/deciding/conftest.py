"""Small libraries, and fixtures of panels."""

from __future__ import annotations

from tests.libraries import (  # noqa: F401  # fixtures of this folder
    address,
    column,
    documents,
    images,
    pictures,
)
from tests.panels import (  # noqa: F401  # fixtures of this folder
    client,
    closed_widgets,
    engine,
    eventually,
    library,
    outline,
    press,
    quick_engine,
    raising,
    send,
    settle,
    small_png,
    static_copy,
)
