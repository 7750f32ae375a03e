"""Fixtures of panels."""

from __future__ import annotations

from tests.panels import *  # noqa: F403  # fixtures of this folder
