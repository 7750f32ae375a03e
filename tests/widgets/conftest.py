"""Fixtures of panels."""

from tests.panels import *  # noqa: F403  # fixtures of this folder
