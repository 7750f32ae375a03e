import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest
from tests.services import FaultyService

import inkframe as ink
from inkframe.http.sender import USER_AGENT
from inkframe.resources.documents import Documents
from inkframe.vocabulary import names

#: A configuration that skips packages which are not needed for the public names.
MYPY = """
[mypy]
strict = True
[mypy-numpy.*,pandas.*,pyarrow.*,httpx.*,PIL.*,inkframe.display.*,inkframe.service.*,inkframe.replies.*,inkframe.analysis.*]
follow_imports = skip
follow_imports_for_stubs = True
"""
SNIPPET = """
from typing import assert_type
import inkframe as ink

client = ink.connect()
assert_type(client, ink.Client)
assert_type(client.images.get(1), ink.Image)
assert_type(client.documents.create(name="a", prompt="b", creativity="Imaginative"), ink.Document)
assert_type(ink.compose_prompt("FAQ", "tea"), str)
reveal_type(client.images.create)
client.images.create(name="a", description="b", resolution="640x480", style="of_another_service")
client.images.list(sort_by="created_at")
client.images.list("anime")
client.documents.list(per_page=20)
client.documents.create(name="a")
ink.conect()
reveal_type(ink.plan_images)
ink.plan_images("a", nmae="b", resolution="512x512")
ink.compare(record=[])
ink.ImageForm(client, descriptoin="a")
"""
#: The codes of the errors by line; older versions of mypy call some of the arguments ``misc``.
WRONG_LINES = {
    11: "arg-type",
    12: "call-arg",
    13: "arg-type",
    14: "call-arg",
    15: "attr-defined",
} | dict.fromkeys((17, 18, 19), "call-arg")


def test_importing_is_fast():
    """``import inkframe`` loads no other module, not even of the standard library."""
    script = "import sys; before = set(sys.modules); import inkframe; print(*set(sys.modules) - before)"
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert output.split() == ["inkframe"]


def test_every_public_name_exists():
    """Each public name is an object with that name, and there are no others."""
    assert dir(ink) == sorted(ink.__all__)
    assert len(set(ink.__all__)) == len(ink.__all__)
    for name in ink.__all__:
        found = getattr(ink, name)
        assert getattr(found, "__name__", name).rpartition(".")[2] == name
    assert not hasattr(ink, "Nonsense")


def test_the_version_is_the_same_everywhere(project):
    """The package, its description and what it says to services have one version."""
    described = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert ink.__version__ == described
    assert f"inkframe/{'.'.join(described.split('.')[:2])}" == USER_AGENT


def test_the_package_says_that_it_has_types():
    """Type checkers use the annotations of an installed package with this file only."""
    assert (Path(ink.__file__).parent / "py.typed").exists()


def test_the_table_of_names_is_sorted():
    """The tables of names are in alphabetical order."""
    assert list(ink._MODULES) == sorted(ink._MODULES)
    assert list(ink._PACKAGES) == sorted(ink._PACKAGES)


def test_checkers_and_editors_see_the_same_names(project):
    """``__init__.pyi`` has the table of names as imports."""
    homes = {name: f"inkframe.{module}".rpartition(".") for name, module in ink._PACKAGES.items()}
    packages = [f"from {home} import {module} as {name}" for name, (home, _, module) in homes.items()]
    modules = sorted((module, name) for name, module in ink._MODULES.items())
    lines = [f"from inkframe.{module} import {name} as {name}" for module, name in modules]
    written = (project / "src/inkframe/__init__.pyi").read_text(encoding="utf-8").splitlines()
    assert sorted(filter(None, written)) == sorted([*packages, *lines, "__version__: str"])


@pytest.mark.parametrize(
    ("method", "name", "type"),
    [
        (Documents.create, "creativity", "Creativity"),
        (Documents.list, "template", "TemplateLabel"),
        (Documents.all, "template", "TemplateLabel"),
        (ink.compose_prompt, "template", "TemplateLabel"),
    ],
    ids=lambda value: getattr(value, "__qualname__", ""),
)
def test_signatures_complete_their_values(method, name, type):
    """An argument with a list of values has its type, and accepts any str."""
    annotation = str(inspect.signature(method).parameters[name].annotation)
    assert re.search(rf"\b{type}\b", annotation), annotation
    assert re.search(r"\bstr\b", annotation), annotation


def test_a_type_checker_knows_the_names_and_their_types(tmp_path):
    """Correct lines pass, wrong ones are found, and signatures contain the allowed values."""
    api = pytest.importorskip("mypy.api")

    (tmp_path / "mypy.ini").write_text(MYPY, encoding="utf-8")
    (tmp_path / "snippet.py").write_text(SNIPPET.lstrip(), encoding="utf-8")
    options = ["--config-file", str(tmp_path / "mypy.ini"), "--cache-dir", os.devnull, "--no-error-summary"]
    output, problems, _ = api.run([*options, str(tmp_path / "snippet.py")])
    assert problems == ""
    found = dict(re.findall(r"snippet\.py:(\d+): error: .*\[([\w-]+)\]", output))
    codes = {int(line): code.replace("misc", "call-arg") for line, code in found.items()}
    assert codes == WRONG_LINES, output
    revealed = re.findall(r"Revealed type is (.*)", output)
    assert len(revealed) == 2
    for each in revealed:
        for values in (names.Resolution, names.Style, names.Medium, names.Filter):
            assert all(f"Literal['{value}']" in each for value in get_args(values))


@pytest.fixture(scope="module")
def complete(tmp_path_factory):
    """Return a function that completes the end of code as editors do."""
    import jedi

    before, jedi.settings.cache_directory = (
        jedi.settings.cache_directory,
        str(tmp_path_factory.mktemp("jedi")),
    )
    here = jedi.InterpreterEnvironment()

    def make(code):
        script = jedi.Script(f"import inkframe as ink\nclient = ink.connect()\n{code}", environment=here)
        return {each.name for each in script.complete() if not each.name.startswith("__")}, script

    yield make
    jedi.settings.cache_directory = before


def test_an_editor_completes_the_names(complete):
    """Editors complete the public names after ``ink.``, and the members of clients and records."""
    assert complete("ink.")[0] >= set(ink.__all__) - {"__version__"}
    assert complete("client.")[0] >= {"images", "documents", "vocabulary", "describe", "created", "close"}
    assert complete("client.images.")[0] >= {
        "list",
        "all",
        "pages",
        "get",
        "create",
        "update",
        "delete",
        "gallery",
    }
    assert complete("client.documents.get(1).")[0] >= {"result", "prompt", "creativity", "template"}


def test_an_editor_completes_the_arguments(complete):
    """Editors complete the arguments of ``create(`` and show its signature with the types of values."""
    words, _ = complete("client.images.create(")
    assert words >= {"name=", "description=", "resolution=", "style=", "medium=", "filter="}
    _, script = complete("client.images.create(style=")
    (signature,) = script.get_signatures()
    shown = {each.name: each.description for each in signature.params}
    assert "Style" in shown["style"]
    assert signature.params[signature.index].name == "style"


@pytest.fixture
def readme(project):
    """Return the README."""
    return (project / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def commands(readme):
    """Return the lines of the first two blocks of shell commands in the README."""
    blocks = re.findall(r"^```sh\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    return [block.splitlines() for block in blocks[:2]]


def test_the_two_commands_are_one_line_each(commands):
    """One command starts JupyterLab, the other runs the tests, and each creates its environment."""
    (lab,), (tests,) = commands
    assert lab.endswith("inkframe lab")
    assert tests.endswith("pytest")
    for line in (lab, tests):
        assert line.startswith("python3 -m venv ")
        assert "pip install" in line


def test_the_continuous_check_uses_the_command_of_the_readme(project, commands):
    """The check of each change runs the test command of the README."""
    assert commands[1][0] in (project / ".ci/run").read_text(encoding="utf-8").splitlines()


def test_the_readme_has_every_setting_and_command(project, readme):
    """Each environment variable and each command is in the README; those of one engine are in its own documentation."""
    readme += importlib.import_module("inkframe.service.engines.openai").__doc__
    text = "".join(path.read_text(encoding="utf-8") for path in (project / "src").rglob("*.py"))
    for name in sorted(set(re.findall(r'"(INKFRAME_[A-Z_]+)"', text))):
        assert f"`{name}`" in readme, name
    for command in ("lab", "tour", "sample", "serve"):
        assert f"inkframe {command}" in readme


def test_the_readme_lists_the_common_mistakes(readme):
    """There are ten common mistakes, and each error in the list exists."""
    section = readme.partition("## When something goes wrong")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 10
    for _, error, _ in rows:
        for name in re.findall(r"`(\w+)`", error):
            assert issubclass(getattr(ink, name), ink.InkframeError)


@pytest.mark.parametrize("bills", [False, True])
def test_the_code_of_the_readme_runs(readme, tmp_path, monkeypatch, bills):
    """The blocks of Python run one after another in an empty folder; a service that bills needs nothing added."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.chdir(tmp_path)
    service = FaultyService(images=6, documents=6)
    client = ink.Client(service.base_url, service.key, transport=service.transport)
    assert client.creations_are_billed
    if bills:
        monkeypatch.setattr(ink, "connect", lambda: client)
    blocks = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    names = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)  # noqa: S102  # written here
    written = {path.name for path in tmp_path.iterdir()}
    assert written >= {"images.parquet", "images.xlsx", "pictures", "page.html"}
    names["job"].result(30)
    assert bills or len(eval(re.search(r"ink\.compare\((.*?)\)", readme)[1], names)["result"].unique()) > 1  # noqa: S307
    assert (service.generations > 75) is bills
    client.close()


def test_no_link_of_the_readme_is_broken(project, readme):
    """Pictures and files linked in the README exist."""
    for target in re.findall(r"\]\(([^)#:]+)\)", readme):
        assert (project / target).exists(), target
