"""The options of the commands."""

from __future__ import annotations

import argparse
import shlex
from functools import partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Final, NoReturn

from IPython.core.error import UsageError

from inkframe.schema import DOCUMENTS, IMAGES, SORT_FIELDS, SORTS

if TYPE_CHECKING:
    from argparse import Namespace

    from inkframe.schema import ResourceSpec

__all__ = ["COMMANDS", "Options"]

WIDTH: Final = 96


class Options(argparse.ArgumentParser):
    """The options of a command's line.

    Args:
        command: The command, such as ``%%document``.
        below: The text below the line, or an empty text.
        about: The description of the command.
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
        self.below = below
        #: The collection's method that shows a whole listing, also the name of its option.
        self.view = ""
        #: The fixed values of an option on every service, by its name; empty for other options.
        self.choices: dict[str, tuple[str, ...]] = {}

    def option(self, *flags: str, **settings: Any) -> None:
        """Add an option, with completion."""
        added = self.add_argument(*flags, **settings)
        self.choices |= {flag: settings.get("choices", ()) for flag in added.option_strings if flag[1] == "-"}

    def read(self, line: str) -> Namespace | None:
        """Parse a line and return its values, or print the help and return None.

        Raises:
            UsageError: An option is unknown, or its value is missing or invalid.
        """
        try:
            given = self.parse_args(shlex.split(line))
        except ValueError:
            self.error("a quotation mark is not closed")
        if given.help:
            self.print_help()
            return None
        if given.output is not None and (not given.output.isidentifier() or iskeyword(given.output)):
            self.error(f"argument -o: must be the name of a variable, got {given.output!r}")
        return given

    def error(self, message: str) -> NoReturn:
        """Raise an error of one line.

        Raises:
            UsageError: Always; IPython shows it without a traceback.
        """
        raise UsageError(f"{self.prog}: {message}. {self.prog} --help lists the options.")


def _creating(spec: ResourceSpec, below: str, example: str) -> Options:
    noun = spec.noun
    about = f"Create {'an' if noun[0] in 'aeiou' else 'a'} {noun} from the text below."
    options = Options(f"%%{noun}", below, about, example)
    options.option("--name", help="the record's name (default: the first words of the text)")
    options.option(
        "--ensure",
        action="store_true",
        help=f"return the {noun} with this name and these settings; create it only if there is none",
    )
    return options


def _settings(options: Options, spec: ResourceSpec) -> None:
    for name, field in spec.settings.items():
        instead = f"{field.usual} if the service has it" if field.usual else field.default
        options.option(
            f"--{name}",
            metavar="VALUE",
            type=int if field.type == "integer" else str,
            default=field.default,
            help=f"{field.about[0].lower()}{field.about[1:-1]} (default: {instead or 'none'})",
        )


def _document() -> Options:
    example = (
        '  %%document --template "Blog intro" --creativity 0.75 --name "Cello" -o doc\n'
        "  learning the cello at forty"
    )
    options = _creating(DOCUMENTS, "the prompt", example)
    options.option(
        "--template", metavar="LABEL", help="the template of the prompt; the text below is its first field"
    )
    options.option(
        "--field",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help='another field of the template, such as --field "audience=people who read on trains"',
    )
    _settings(options, DOCUMENTS)
    return _closed(options)


def _image() -> Options:
    example = "  %%image --style anime --medium ink --name Harbor -o harbor\n  a harbor at dawn, two boats"
    options = _creating(IMAGES, "what the picture shows", example)
    _settings(options, IMAGES)
    return _closed(options)


def _listing(spec: ResourceSpec, about: str, example: str, view: str, view_help: str) -> Options:
    options = Options(f"%{spec.name}", "", about, example)
    options.view = view
    options.add_argument("search", nargs="*", help="words to search for")
    options.option(
        "--favorite", action=argparse.BooleanOptionalAction, help="only favorites, or only the others"
    )
    options.option("--sort-by", choices=SORT_FIELDS, help="id is the order of creation")
    options.option("--sort", choices=SORTS, help="desc is newest first")
    options.option("--limit", type=int, metavar="N", help="the largest number of records")
    if len(spec.search_by) > 1:
        options.option("--search-by", choices=spec.search_by, help="the field to search")
    for name in spec.query_names:
        options.option(
            f"--{name}", action="append", metavar="VALUE", help=f"only this {name}; may be repeated"
        )
    options.option(f"--{view}", action="store_true", help=view_help)
    return _closed(options)


def _documents() -> Options:
    about = "List the documents of every template as a DataFrame; the first 25 are shown."
    example = '  %documents kettle --template FAQ --template "Blog intro" -o docs'
    return _listing(DOCUMENTS, about, example, "read", "show the full documents instead of a table")


def _images() -> Options:
    example = "  %images harbor --style anime --favorite --gallery"
    return _listing(
        IMAGES,
        "List images as a DataFrame; the first 25 are shown, with their pictures.",
        example,
        "gallery",
        "show the pictures instead of a table",
    )


def _closed(options: Options) -> Options:
    """Add the options of every command, last in its help."""
    options.option("-o", "--output", metavar="NAME", help="keep the result in this variable")
    options.option("--client", metavar="NAME", default="client", help="the variable with the client")
    options.option("-h", "--help", action="store_true", help="show this")
    return options


#: The options of each command.
COMMANDS: Final[dict[str, Options]] = {
    options.prog: options for options in (_document(), _image(), _documents(), _images())
}
