"""The ``inkframe`` command."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkframe import __version__
from inkframe.errors import InkframeError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit status.

    Args:
        arguments: The words after ``inkframe``; those of the process if not given.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 2
    try:
        status: int = import_module(f"inkframe.cli.{options.command}").run(options)
    except InkframeError as error:
        sys.stderr.write(f"inkframe: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return status


class _Strict(argparse.ArgumentParser):
    """A parser of one command, whose options are never shortened."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse what is unknown here, so that the usage shown is that of this command."""
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unknown: {' '.join(unknown)}")
        return options, unknown


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="inkframe", description="Generated pictures and texts in Jupyter.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"inkframe {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Strict)

    lab = commands.add_parser("lab", help="start JupyterLab on the example notebooks, with a sample library")
    lab.add_argument(
        "--port", type=_port, help="the port to listen on (JupyterLab's own choice if not given)"
    )
    lab.add_argument("--no-browser", action="store_true", help="print the address instead of opening it")
    _add_library(lab, "use this library instead of the sample one")

    tour = commands.add_parser("tour", help="run the tour and write it as one HTML file")
    tour.add_argument(
        "--output", type=_path, metavar="FILE", default="tour.html", help="the file to write (tour.html)"
    )

    sample = commands.add_parser("sample", help="fill the local library with example records")
    _add_library(sample)
    sample.add_argument("--images", type=_count, metavar="N", help="how many images to draw")
    sample.add_argument("--documents", type=_count, metavar="N", help="how many documents to write")
    sample.add_argument("--seed", type=int, default=0, metavar="N", help="chooses other examples (0)")

    serve = commands.add_parser("serve", help="serve a local library over HTTP")
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1)")
    serve.add_argument(
        "--port", type=_port, default=8765, help="the port to listen on; 0 takes a free one (8765)"
    )
    serve.add_argument(
        "--key-file",
        type=_path,
        metavar="FILE",
        help="the file that holds the key; else INKFRAME_SERVE_KEY, else a new one",
    )
    _add_library(serve)
    serve.add_argument(
        "--engine", metavar="NAME", help="what draws and writes (INKFRAME_ENGINE, else offline)"
    )
    _add_moving(commands)
    return parser


def _add_moving(commands: Any) -> None:
    """Add what moves a library in and out, and checks it."""
    copy = commands.add_parser("import", help="copy another service's records into the local library")
    copy.set_defaults(command="import_")  # the word itself cannot name a module
    copy.add_argument("--from", dest="source", metavar="URL", required=True, help="the service's address")
    _add_library(copy)

    export = commands.add_parser("export", help="write a library as Parquet, pictures and Markdown")
    export.add_argument("--to", type=_path, metavar="FOLDER", required=True, help="the folder to write into")
    export.add_argument("--from", dest="source", metavar="URL", help="a service instead of the library")
    _add_library(export)

    doctor = commands.add_parser("doctor", help="say what works here, and how to mend what does not")
    _add_library(doctor, "check this library's file instead")
    doctor.add_argument(
        "--repair", action="store_true", help="with --library: make the totals and the search index anew"
    )


def _add_library(
    command: argparse.ArgumentParser, help: str = "the library's file (your own if not given)"
) -> None:
    command.add_argument("--library", type=_path, metavar="FILE", help=help)


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: give 0 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} will not do: give 0 or more")
    return int(text)
