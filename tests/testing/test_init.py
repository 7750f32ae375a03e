from __future__ import annotations

import json
import subprocess
import sys

import pytest

import inkframe.testing


def test_every_public_name_can_be_imported():
    """Each public name resolves to the object with that name, in its own module."""
    for name in inkframe.testing.__all__:
        found = getattr(inkframe.testing, name)
        assert getattr(found, "__name__", name) == name
    assert dir(inkframe.testing) == sorted(inkframe.testing.__all__)
    assert not hasattr(inkframe.testing, "Nonsense")


SCRIPT = """
import json, sys, pytest
steps = [set(sys.modules)]
for name in ("inkframe.testing.plugin", "inkframe.testing.faulty_service", "inkframe.testing.server"):
    __import__(name)
    steps.append(set(sys.modules))
print(json.dumps([sorted(steps[1] - steps[0]), sorted(steps[-1] - steps[0])]))
"""


@pytest.fixture(scope="module")
def loaded():
    """Return the modules loaded by the plugin, and those loaded by the whole service."""
    command = [sys.executable, "-c", SCRIPT]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [set(names) for names in json.loads(output)]


def test_the_plugin_is_light(loaded):
    """Every run of pytest on the machine loads it, so it imports no other package and no large library."""
    own = {name for name in loaded[0] if name.startswith("inkframe")}
    assert own == {"inkframe", "inkframe.testing", "inkframe.testing.plugin"}
    assert not loaded[0] & {"httpx", "pandas", "numpy", "PIL", "ipywidgets", "falcon"}


def test_the_service_stands_alone(loaded):
    """It needs the errors, the vocabulary with its schema and checks of keywords, and httpx: no package of the client or the embedded service."""
    layers = {name.split(".")[1] for name in loaded[1] if name.startswith("inkframe.")}
    assert layers == {
        "errors",
        "schema",
        "short_traceback",
        "signatures",
        "spelling",
        "testing",
        "vocabulary",
    }
    assert not loaded[1] & {"pandas", "numpy", "PIL", "ipywidgets", "falcon"}
