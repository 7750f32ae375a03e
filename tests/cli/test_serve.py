import os
import re
import signal
import subprocess
import sys

import pytest

import inkframe as ink
from inkframe.cli import commands as serve
from inkframe.cli import main

KEY = "key-7Qd2Zr9sLw4x"


@pytest.fixture
def served(monkeypatch):
    """Prevent serving; return the services that would have been served, with their keys."""
    calls = []

    def note(service, host, port, *, ready):
        calls.append((service.library, service.engine.name, service.key, host, port))
        ready(f"http://{host}:{port}")

    monkeypatch.setattr(serve, "serve", note)
    return calls


@pytest.fixture
def key_file(tmp_path):
    """Return a file with a key that only its owner may read."""
    path = tmp_path / "key"
    path.write_text(f"{KEY}\n", encoding="utf-8")
    path.chmod(0o600)
    return path


def test_a_served_library_is_a_service_like_any_other(tmp_path):
    """One line has its address, a client reaches it over HTTP, SIGTERM ends it, and the library stays."""
    library = tmp_path / "library.db"
    command = [sys.executable, "-m", "inkframe", "serve", "--port", "0", "--library", str(library)]
    environment = os.environ | {"INKFRAME_SERVE_KEY": KEY}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline()
            address = re.fullmatch(r"inkframe serves at (http://127\.0\.0\.1:[1-9]\d*)\n", line)[1]
            with ink.connect(address, KEY) as client:
                made = client.images.create(name="Bay", description="a bay", resolution="256x256")
                assert made.picture.size == (256, 256)
                changed = client.documents.create(name="Bay", prompt="Notes about a bay.", creativity=0)
                client.documents.update(changed, favorite=True)
                assert client.documents.list(favorite=True, template=1)["name"].tolist() == ["Bay"]
            with ink.connect(address, "wrong") as client, pytest.raises(ink.AuthenticationError):
                client.images.list()
            process.send_signal(signal.SIGTERM)
            rest, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, rest, errors) == (0, "", "")
    with ink.connect(library=library) as client:
        assert client.images.list().index.tolist() == [made.id]


def test_options(served, tmp_path, monkeypatch):
    """Host, port, library and engine are those given; the key is that of the environment."""
    monkeypatch.setenv("INKFRAME_SERVE_KEY", KEY)
    library = str(tmp_path / "mine.db")
    options = ["--host", "127.0.0.2", "--port", "81", "--library", library, "--engine", "offline"]
    assert main(["serve", *options]) == 0
    assert [str(each) for each in served[0]] == [library, "offline", KEY, "127.0.0.2", "81"]


@pytest.mark.usefixtures("pen")
def test_defaults(served, monkeypatch, home):
    """Without options it serves the user's own library on the loopback address."""
    monkeypatch.setenv("INKFRAME_SERVE_KEY", KEY)
    assert main(["serve"]) == 0
    library, _, _, host, port = served[0]
    assert library == home / "library.db"
    assert (host, port) == ("127.0.0.1", 8765)


@pytest.mark.usefixtures("pen")
def test_without_a_key_a_new_one_is_shown_once(served, capsys):
    """Each start without a key creates a new one, shown apart from the address."""
    for _ in range(2):
        assert main(["serve", "--library", ":memory:"]) == 0
    captured = capsys.readouterr()
    keys = re.findall(r"^Key, shown only once: (\S{32,})$", captured.err, re.MULTILINE)
    assert keys == [call[2] for call in served]
    assert len(set(keys)) == 2
    assert "inkframe serves at" in captured.out
    assert not any(key in captured.out for key in keys)


@pytest.mark.usefixtures("pen")
def test_a_key_file_takes_precedence_over_the_environment(served, key_file, monkeypatch, capsys):
    """A key from a file is used without its line break, and is not shown."""
    monkeypatch.setenv("INKFRAME_SERVE_KEY", "another-key-from-the-environment")
    assert main(["serve", "--library", ":memory:", "--key-file", str(key_file)]) == 0
    assert served[0][2] == KEY
    captured = capsys.readouterr()
    assert KEY not in captured.out + captured.err


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606])
def test_a_key_file_that_others_can_read_is_rejected(served, key_file, capsys, mode):
    """The error has the command that restricts it, and nothing is served."""
    key_file.chmod(mode)
    assert main(["serve", "--library", ":memory:", "--key-file", str(key_file)]) == 1
    printed = capsys.readouterr().err
    assert f"chmod 600 {key_file}" in printed
    assert KEY not in printed
    assert served == []


@pytest.mark.parametrize("kind", ["missing", "folder", "empty", "binary"])
def test_a_key_file_without_a_key(served, key_file, capsys, kind):
    """A missing file, or one without a key, is an error rather than a service without a key."""
    if kind == "missing":
        key_file.unlink()
    elif kind == "folder":
        key_file.unlink()
        key_file.mkdir(mode=0o700)
    else:
        key_file.write_bytes(b"" if kind == "empty" else b"\xff\xfe\x00")
    assert main(["serve", "--library", ":memory:", "--key-file", str(key_file)]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith(f"inkframe: The key file {key_file} ")
    assert len(printed.splitlines()) <= 3
    assert served == []


@pytest.mark.usefixtures("pen")
def test_a_port_in_use(monkeypatch, capsys):
    """The error names the remedy."""
    monkeypatch.setenv("INKFRAME_SERVE_KEY", KEY)
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--library", ":memory:", "--port", port]) == 1
    printed = capsys.readouterr().err
    assert f"Cannot listen on 127.0.0.1 port {port}" in printed
    assert "--port 0" in printed


def test_an_address_that_is_not_of_this_machine(monkeypatch, capsys):
    """Another port would not help and is not suggested, and no key is shown if the service does not start."""
    monkeypatch.delenv("INKFRAME_SERVE_KEY", raising=False)
    assert main(["serve", "--library", ":memory:", "--host", "192.0.2.1", "--port", "0"]) == 1
    printed = capsys.readouterr().err
    assert "Cannot listen on 192.0.2.1" in printed
    assert "address of this machine" in printed
    assert "--port" not in printed
    assert "Key" not in printed


@pytest.mark.parametrize("key", ["short", "x" * 15])
def test_a_short_key_is_refused(served, key_file, monkeypatch, capsys, key):
    """A key with fewer than 16 characters is refused, from the environment and from a file, and not shown."""
    monkeypatch.setenv("INKFRAME_SERVE_KEY", key)
    assert main(["serve", "--library", ":memory:"]) == 1
    key_file.write_text(key)
    monkeypatch.delenv("INKFRAME_SERVE_KEY")
    assert main(["serve", "--library", ":memory:", "--key-file", str(key_file)]) == 1
    printed = capsys.readouterr().err
    assert printed.count(f"The key must have at least 16 characters, got {len(key)}.") == 2
    assert key not in printed
    assert served == []


@pytest.mark.parametrize(
    ("host", "warns"), [("127.0.0.1", False), ("localhost", False), ("192.0.2.7", True), ("", True)]
)
def test_an_address_that_others_can_reach_is_warned_of(served, monkeypatch, capsys, host, warns):
    """Any host but loopback prints a warning that the connection is not encrypted."""
    monkeypatch.setenv("INKFRAME_SERVE_KEY", KEY)
    assert main(["serve", "--library", ":memory:", "--host", host]) == 0
    assert ("can be reached by others, over plain http" in capsys.readouterr().err) == warns
    assert len(served) == 1
