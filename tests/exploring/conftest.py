"""Small libraries, and fixtures of panels."""

from tests.libraries import *  # noqa: F403  # fixtures of this folder
from tests.panels import *  # noqa: F403  # fixtures of this folder
