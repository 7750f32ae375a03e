"""The lookup of engines by name."""

import tomllib
from importlib.metadata import EntryPoint

import pytest

from inkframe.errors import ConfigurationError
from inkframe.service import Service, engines
from inkframe.service.engines import DrawRequest, Engine, WriteRequest, find_engine


class Announced:
    """An engine from another package."""

    name = "announced"
    is_stand_in = False

    def draw(self, request):
        """Return a picture."""

    def write(self, request):
        """Return a text."""


@pytest.fixture
def announce(monkeypatch):
    def make(**announced):
        points = [EntryPoint(name, value, engines.GROUP) for name, value in announced.items()]
        monkeypatch.setattr(engines, "entry_points", lambda group: [p for p in points if p.group == group])

    return make


def test_offline_is_the_default(monkeypatch):
    """Without a name and a setting the engine is offline, which is marked as a demo."""
    monkeypatch.delenv("INKFRAME_ENGINE", raising=False)
    found = find_engine()
    assert (found.name, found.is_stand_in, isinstance(found, Engine)) == ("offline", True, True)


def test_the_setting_chooses_and_the_argument_wins(announce, monkeypatch):
    """INKFRAME_ENGINE names an engine, and the argument takes precedence."""
    announce(one="types:SimpleNamespace", two="types:SimpleNamespace")
    monkeypatch.setenv("INKFRAME_ENGINE", "two")
    with pytest.raises(ConfigurationError, match="'two' must have name, is_stand_in, draw and write"):
        find_engine()
    with pytest.raises(ConfigurationError, match="'one' must have name, is_stand_in, draw and write"):
        find_engine("one")


def test_the_error_for_an_unknown_name_lists_the_known_ones(announce):
    """The error has the nearest name and all names."""
    announce(studio="types:SimpleNamespace")
    with pytest.raises(ConfigurationError, match=r"(?s)'ofline'.*mean offline\?.*offline, openai, studio"):
        find_engine("ofline")


def test_an_engine_that_cannot_be_loaded_says_why(announce):
    """The error names the missing module."""
    announce(broken="no_such_module:Engine")
    with pytest.raises(ConfigurationError, match="no_such_module"):
        find_engine("broken")


def test_anything_with_the_four_members_is_an_engine():
    """The protocol is the only requirement; requests have defaults for optional values."""
    assert isinstance(Announced(), Engine)
    assert DrawRequest("d", "256x256") == DrawRequest("d", "256x256", None, None, None)
    assert WriteRequest("p") == WriteRequest("p", 0.5, 1, 0)


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ({}, (True, 2, "announced")),
        ({"is_stand_in": True}, (False, 1, "demo engine")),
        ({"is_billed": False, "at_once": 8, "label": "mine at home"}, (False, 8, "mine at home")),
        ({"at_once": 1}, (True, 2, "announced")),
    ],
)
def test_what_an_engine_need_not_say(said, known):
    """By default it may be billed and takes two requests at once, of which one waits if it takes a single one."""
    engine = type("Own", (Announced,), said)()
    with Service(engine=engine) as service:
        assert (service.is_billed, service.at_once, service.engine_label) == known


def test_the_engines_of_the_package_are_found_first(announce, project):
    """Those of its own entry points are known, and a package of the same name as one does not replace it."""
    announce(offline="types:SimpleNamespace")
    assert find_engine("offline").is_stand_in
    metadata = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(metadata["project"]["entry-points"][engines.GROUP]) == {"offline", "openai"}
