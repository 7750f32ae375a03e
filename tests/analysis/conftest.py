"""Small libraries."""

from __future__ import annotations

from tests.libraries import *  # noqa: F403  # fixtures of this folder
