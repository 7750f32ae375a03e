"""The options of the commands."""

from __future__ import annotations

import argparse
import shlex
from functools import partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Final, NoReturn

from IPython.core.error import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["COMMANDS", "LOOKS", "Options"]

LOOKS: Final = ("resolution", "style", "medium", "filter")
WIDTH: Final = 96


class Options(argparse.ArgumentParser):
    """What may stand on a command's line.

    Args:
        command: The command, such as ``%%document``.
        below: What stands below the line, or nothing.
        about: What the command does.
        example: A cell that uses it.
    """

    def __init__(self, command: str, below: str, about: str, example: str) -> None:
        words = "[options]" if below else "[search] [options]"
        usage = f"%(prog)s {words}" + f"\n       <{below}>" * bool(below)
        super().__init__(
            command,
            usage,
            about,
            f"example:\n{example}",
            add_help=False,
            allow_abbrev=False,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=WIDTH),
        )
        #: The few values that an option takes on every service, by its name; nothing for all others.
        self.choices: dict[str, tuple[str, ...]] = {}

    def option(self, *flags: str, **settings: Any) -> None:
        """Add an option; Tab knows it too."""
        added = self.add_argument(*flags, **settings)
        self.choices |= {flag: settings.get("choices", ()) for flag in added.option_strings if flag[1] == "-"}

    def read(self, line: str) -> Namespace | None:
        """Give the values on a line, or nothing where only help was asked for, which is printed.

        Raises:
            UsageError: An option is not known, or has no value or the wrong kind of one.
        """
        try:
            given = self.parse_args(shlex.split(line))
        except ValueError:
            self.error("a quotation mark has no partner")
        if given.help:
            self.print_help()
            return None
        if given.output is not None and (not given.output.isidentifier() or iskeyword(given.output)):
            self.error(f"argument -o: {given.output!r} is no name of a variable")
        return given

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong.

        Raises:
            UsageError: Always; IPython shows it without a traceback.
        """
        raise UsageError(f"{self.prog}: {message}. {self.prog} --help lists the options.")


def _create(command: str, below: str, about: str, example: str, noun: str) -> Options:
    options = Options(command, below, about, example)
    options.option("--name", help="the record's name; the first words of the text if not given")
    options.option(
        "--ensure",
        action="store_true",
        help=f"give the {noun} that has this name and these settings; create it only if there is none",
    )
    return options


def _document() -> Options:
    example = (
        '  %%document --template "Blog intro" --creativity 0.75 --name "Cello" -o doc\n'
        "  learning the cello at forty"
    )
    options = _create(
        "%%document", "the prompt", "Create a document from the text below.", example, "document"
    )
    options.option("--template", metavar="LABEL", help="shapes the prompt; the text below is its first field")
    options.option(
        "--field",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help='another field of the template, such as --field "audience=people who read on trains"',
    )
    options.option(
        "--creativity", metavar="LEVEL", default=0.5, help="a level or its label; 0.5 if not given"
    )
    return _closed(options)


def _image() -> Options:
    example = "  %%image --style anime --medium ink --name Harbour -o harbour\n  a harbour at dawn, two boats"
    options = _create(
        "%%image", "what the picture shows", "Create an image from the text below.", example, "image"
    )
    options.option("--resolution", help="512x512 if not given, where the service has it")
    for look in LOOKS[1:]:
        options.option(f"--{look}", help=f"a {look}; none if not given")
    return _closed(options)


def _listing(command: str, about: str, example: str) -> Options:
    options = Options(command, "", about, example)
    options.add_argument("search", nargs="*", help="words to look for")
    options.option(
        "--favorite", action=argparse.BooleanOptionalAction, help="only favourites, or only others"
    )
    options.option("--sort-by", choices=("id", "name"), help="id is the order of creation")
    options.option("--sort", choices=("desc", "asc"), help="desc is newest first")
    options.option("--limit", type=int, metavar="N", help="the most records")
    return options


def _documents() -> Options:
    about = "List the documents of every template as a DataFrame."
    options = _listing(
        "%documents", about, '  %documents kettle --template FAQ --template "Blog intro" -o docs'
    )
    options.option("--search-by", choices=("name", "result"), help="where to look: the name, or the text")
    options.option("--template", action="append", metavar="LABEL", help="only this template; may stand again")
    options.option("--read", action="store_true", help="show the documents in full instead of as a table")
    return _closed(options)


def _images() -> Options:
    about = "List images as a DataFrame."
    options = _listing("%images", about, "  %images harbour --style anime --favorite --gallery")
    for look in LOOKS:
        options.option(f"--{look}", action="append", help=f"only this {look}; may stand again")
    options.option("--gallery", action="store_true", help="show the pictures instead of a table")
    return _closed(options)


def _closed(options: Options) -> Options:
    """Add what every command has, last in its help."""
    options.option("-o", "--output", metavar="NAME", help="keep the result in this variable")
    options.option("--client", metavar="NAME", default="client", help="the variable with the client")
    options.option("-h", "--help", action="store_true", help="show this")
    return options


#: The options of each command.
COMMANDS: Final[dict[str, Options]] = {
    options.prog: options for options in (_document(), _image(), _documents(), _images())
}
