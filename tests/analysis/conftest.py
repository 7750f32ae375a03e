"""Small libraries."""

from tests.libraries import *  # noqa: F403  # fixtures of this folder
