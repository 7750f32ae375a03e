"""The ``inkframe`` command."""

from __future__ import annotations

import argparse
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inkframe import __version__
from inkframe.errors import InkframeError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status.

    Args:
        arguments: The arguments after ``inkframe``; those of the process by default.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A console or a pipe may not have every character, such as those of a name or a folder.
            stream.reconfigure(errors="backslashreplace")
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 2
    try:
        status = _run(options)
    except InkframeError as error:
        sys.stderr.write(f"inkframe: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _run(options: argparse.Namespace) -> int:
    """Run the chosen command, and import no other."""
    if options.command == "doctor":
        from inkframe.cli import doctor

        return doctor.run(options)
    from inkframe.cli.commands import COMMANDS

    return COMMANDS[options.command](options)


class _Strict(argparse.ArgumentParser):
    """A parser of one command, without abbreviated options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Reject unknown arguments, with the usage of this command."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unknown arguments: {' '.join(unknown)}")
        return options, unknown


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"must be a port from 0 to 65535, got {text}")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"must be 0 or greater, got {text}")
    return int(text)


#: An option that takes a file, the one of a library, and one that takes a number.
FILE: Final[dict[str, Any]] = {"type": _path, "metavar": "FILE"}
LIBRARY: Final = FILE | {"help": "the library file (default: your own library)"}
NUMBER: Final[dict[str, Any]] = {"type": _count, "metavar": "N"}
SWITCH: Final = {"action": "store_true"}
#: What each command does, and its options.
OPTIONS: Final[dict[str, tuple[str, dict[str, dict[str, Any]]]]] = {
    "lab": (
        "start JupyterLab on the example notebooks, with a sample library",
        {
            "--port": {"type": _port, "help": "the port to listen on (default: chosen by JupyterLab)"},
            "--no-browser": SWITCH | {"help": "print the address instead of opening it"},
            "--library": FILE | {"help": "use this library instead of the sample library"},
        },
    ),
    "studio": (
        "serve the studio as a web page for people without Jupyter, on the library of lab",
        {
            "--port": {"type": _port, "help": "the port to listen on (default: 8866, or the next free one)"},
            "--no-browser": SWITCH | {"help": "print the address instead of opening it"},
            "--library": FILE | {"help": "use this library instead of that of lab"},
            "--code": SWITCH | {"help": "show the Python that does the same"},
        },
    ),
    "tour": (
        "run the tour and write it as one HTML file",
        {"--output": FILE | {"default": "tour.html", "help": "the file to write (default: tour.html)"}},
    ),
    "sample": (
        "fill an empty local library with example records",
        {
            "--library": LIBRARY,
            "--images": NUMBER | {"help": "the number of images to draw"},
            "--documents": NUMBER | {"help": "the number of documents to write"},
            "--seed": NUMBER | {"type": int, "default": 0, "help": "the seed of the examples (default: 0)"},
            "--add": SWITCH | {"help": "add to a library that has records"},
        },
    ),
    "serve": (
        "serve a local library over HTTP",
        {
            "--host": {"default": "127.0.0.1", "help": "the address to listen on (default: 127.0.0.1)"},
            "--port": {
                "type": _port,
                "default": 8765,
                "help": "the port to listen on; 0 takes a free one (default: 8765)",
            },
            "--key-file": FILE
            | {"help": "the file with the key (default: INKFRAME_SERVE_KEY, else a new key)"},
            "--library": LIBRARY,
            "--engine": {
                "metavar": "NAME",
                "help": "the engine that draws and writes (default: INKFRAME_ENGINE, else offline)",
            },
        },
    ),
    "import": (
        "copy another service's records into the local library",
        {
            "--from": {
                "dest": "source",
                "metavar": "URL",
                "required": True,
                "help": "the address of the service",
            },
            "--library": LIBRARY,
        },
    ),
    "export": (
        "write a library as Parquet, pictures and Markdown",
        {
            "--to": {
                "type": _path,
                "metavar": "FOLDER",
                "required": True,
                "help": "the folder to write into",
            },
            "--from": {
                "dest": "source",
                "metavar": "URL",
                "help": "export this service instead of a library",
            },
            "--library": LIBRARY,
        },
    ),
    "doctor": (
        "check the setup and suggest fixes",
        {
            "--library": FILE | {"help": "check this library file instead"},
            "--check": SWITCH | {"help": "check what the service honors of the interface; only reads"},
            "--write": SWITCH
            | {
                "help": "with --check: also create, update and delete one document, which the service may bill"
            },
        },
    ),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="inkframe", description="Generated images and documents in Jupyter.", allow_abbrev=False
    )
    parser.add_argument("-V", "--version", action="version", version=f"inkframe {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Strict)
    for name, (help, options) in OPTIONS.items():
        command = commands.add_parser(name, help=help)
        for flag, settings in options.items():
            command.add_argument(flag, **settings)
    return parser
