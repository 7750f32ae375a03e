"""Notebook commands: ``%load_ext inkframe`` adds ``%%document``, ``%%image``, ``%documents`` and ``%images``.

Prompts are used literally: nothing in them is expanded, unquoted or run.
"""

from __future__ import annotations

import argparse
import re
import shlex
import textwrap
from contextlib import suppress
from functools import partial
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeGuard

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand

from inkframe.display.markup import counted, tag
from inkframe.errors import InkframeError, InvalidArgument, OutcomeUnknown
from inkframe.notebook.completion import SUGGESTED, add_matcher
from inkframe.schema import DOCUMENTS, IMAGES, RESOURCES, SORT_FIELDS, SORTS, ResourceSpec
from inkframe.vocabulary import Vocabulary, compose_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas as pd
    from IPython.core.completer import CompletionContext
    from IPython.core.interactiveshell import InteractiveShell

    from inkframe.client import Client

__all__ = ["COMMANDS", "complete", "load", "unload"]

#: The lines that are a command over a cell and nothing else.
CELL_COMMANDS: Final = [[f"%%{spec.noun}"] for spec in RESOURCES.values()]
#: The most characters of a text that become the name of a record without one.
NAMED: Final = 60
#: Records that a listing shows.
SHOWN: Final = 25
#: Characters of a line of help.
WIDTH: Final = 96
#: A command and the text between it and the cursor; a line may assign its result.
CALL: Final = re.compile(r"(?:[\w\s,]+=)?\s*(%%?\w+)\s(.*)", re.DOTALL)
#: A word that may include quoted parts.
WHOLE: Final = r"""(?:[^\s"']|"[^"]*"|'[^']*')*"""
#: Words, and the word at the cursor, where a quotation mark may still be open.
WORDS: Final = re.compile(rf"""((?:{WHOLE}\s)*)({WHOLE}(?:"[^"]*|'[^']*)?)""")


def load(shell: InteractiveShell) -> None:
    """Register the four commands in a shell, with completion of their options."""
    shell.register_magics(Commands(shell))
    shell.input_transformers_cleanup.append(keep_lone_line)

    def find(context: CompletionContext) -> tuple[str, list[str]]:
        before = context.full_text.split("\n")[: context.cursor_line]
        if next((line for line in before if line.strip()), "").startswith("%%"):
            return "", []  # this line is the text of the command above
        after = context.line_with_cursor[context.cursor_position :]
        return complete(context.text_until_cursor, after, shell.user_ns)

    add_matcher(shell, __name__, "option", find)


def unload(shell: InteractiveShell) -> None:
    """Remove the commands and their completion."""
    for kind, names in Commands.magics.items():
        for name in names:
            shell.magics_manager.magics[kind].pop(name, None)
    shell.magics_manager.registry.pop(Commands.__name__, None)
    shell.input_transformers_cleanup.remove(keep_lone_line)
    matchers = getattr(shell.Completer, "custom_matchers", [])
    matchers[:] = [each for each in matchers if getattr(each, "matcher_identifier", "") != __name__]


def keep_lone_line(lines: list[str]) -> list[str]:
    """Add an empty text to a lone command line, since IPython would reject even its ``--help``."""
    if len(lines) == 1 and lines[0].split(maxsplit=1)[:1] in CELL_COMMANDS:
        return [*lines, "\n"]
    return lines


@magics_class
class Commands(Magics):
    """The four commands of a shell."""

    @no_var_expand
    @cell_magic
    def document(self, line: str, cell: str) -> Any:
        """Create a document from the text below; ``%%document --help`` lists the options."""
        return self._create(DOCUMENTS, line, cell)

    @no_var_expand
    @cell_magic
    def image(self, line: str, cell: str) -> Any:
        """Create an image from the text below; ``%%image --help`` lists the options."""
        return self._create(IMAGES, line, cell)

    @no_var_expand
    @line_magic
    def documents(self, line: str) -> Any:
        """List documents as a DataFrame; ``%documents --help`` lists the options."""
        return self._list(DOCUMENTS, line)

    @no_var_expand
    @line_magic
    def images(self, line: str) -> Any:
        """List images as a DataFrame; ``%images --help`` lists the options."""
        return self._list(IMAGES, line)

    def _create(self, spec: ResourceSpec, line: str, cell: str) -> Any:
        command, text = f"%%{spec.noun}", cell.strip()

        def work(client: Client, given: argparse.Namespace) -> Any:
            if not text:
                below = COMMANDS[command].below
                raise UsageError(f"{command} requires a text. Write {below} on the lines below.")
            fields = {name: getattr(given, name) for name in spec.settings}
            for name, field in spec.settings.items():
                if fields[name] is None and field.create == "required":
                    fields[name] = client.vocabulary.usual(name)
            fields[spec.source] = _prompt(client, given, text)
            return _make(getattr(client, spec.name), given, text, fields)

        return self._run(command, line, work)

    def _list(self, spec: ResourceSpec, line: str) -> Any:
        command = f"%{spec.name}"
        view = COMMANDS[command].view

        def show(client: Client, given: argparse.Namespace, frame: Any) -> Any:
            wants_all = getattr(given, view)
            return getattr(getattr(client, spec.name), view)(frame) if wants_all else _paged(frame, spec)

        return self._run(
            command, line, lambda client, given: getattr(client, spec.name).all(**_query(given, spec)), show
        )

    def _run(
        self,
        command: str,
        line: str,
        work: Callable[[Client, argparse.Namespace], Any],
        show: Callable[[Client, argparse.Namespace, Any], Any] = lambda _client, _given, result: result,
    ) -> Any:
        """Parse the line, run the command, store its result for ``-o``, and return the value to show."""
        given = COMMANDS[command].read(line)
        if given is None:
            return None
        client = self._client(given.client)
        try:
            result = work(client, given)
            if given.output is not None:
                self._variables[given.output] = result
            return show(client, given, result)
        except InkframeError as error:
            raise UsageError(" ".join(str(error).splitlines())) from error

    @property
    def _variables(self) -> dict[str, Any]:
        return self.shell.user_ns  # type: ignore[union-attr,no-any-return]  # these commands have their shell

    def _client(self, name: str) -> Client:
        if _is_client(found := self._variables.get(name)):
            return found
        what = (
            f"The variable {name} is not a client"
            if name in self._variables
            else f"There is no variable {name}"
        )
        raise UsageError(f"{what}. Run client = ink.connect() first, or pass --client.")


def _prompt(client: Client, given: argparse.Namespace, text: str) -> str:
    """Return the prompt: the text, composed with the template if one is given."""
    if vars(given).get("template") is None:
        if vars(given).get("field"):
            raise UsageError("%%document: --field requires a template. Pass --template.")
        return text
    template = client.vocabulary.template(given.template)
    names = [field.name for field in template.fields]
    fields = dict(pair.partition("=")[::2] for pair in given.field)
    for name in fields:
        if name not in names:
            raise UsageError(
                f"%%document: the template {template.label!r} has no field {name!r}. It has {', '.join(names)}."
            )
    return compose_prompt(template, text, vocabulary=client.vocabulary, **fields)


def _make(collection: Any, given: argparse.Namespace, text: str, fields: dict[str, Any]) -> Any:
    """Create a record; reconcile it if the reply is lost, since a cell does not keep the error."""
    name = given.name or textwrap.shorten(text, NAMED, placeholder="…")
    try:
        return (collection.ensure if given.ensure else collection.create)(name=name, **fields)
    except OutcomeUnknown as error:
        if (found := error.reconcile()) is not None:
            return found
        what = str(error).splitlines()[0]
        raise UsageError(
            f"{what} A search did not find it. Look in the service, or run the cell again to create another one."
        ) from error


def _paged(frame: pd.DataFrame, spec: ResourceSpec) -> pd.DataFrame:
    """Return the same frame, shown as its first page, with pictures, and how many more there are."""
    shown = frame.copy()

    def page(**_options: object) -> dict[str, Any]:
        bundle: dict[str, Any] = frame.ink.table(rows=SHOWN)._repr_mimebundle_()
        if (more := len(frame) - SHOWN) > 0:
            rest = (
                f"{counted(more, f'more {spec.noun}')}. Pass words to search for, or keep all with -o NAME."
            )
            bundle["text/html"] += tag("div", tag("p", rest, class_="ink-meta"), class_="inkframe")
            bundle["text/plain"] += f"\n{rest}"
        return bundle

    # IPython asks the object itself; what pandas makes of the frame is shown as usual.
    vars(shown)["_repr_mimebundle_"] = page
    return shown


def _query(given: argparse.Namespace, spec: ResourceSpec) -> dict[str, Any]:
    """Return the arguments of ``all`` from a line."""
    names = ("favorite", "sort_by", "sort", "limit", "search_by", *spec.query_names)
    found = {name: vars(given).get(name) for name in names} | {"search": " ".join(given.search)}
    return {name: value for name, value in found.items() if value not in (None, "")}


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

    def read(self, line: str) -> argparse.Namespace | None:
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
    """Return the options of the command that creates a record."""
    noun = spec.noun
    about = f"Create {'an' if noun[0] in 'aeiou' else 'a'} {noun} from the text below."
    options = Options(f"%%{noun}", below, about, example)
    options.option("--name", help="the record's name (default: the first words of the text)")
    options.option(
        "--ensure",
        action="store_true",
        help=f"return the {noun} with this name and these settings; create it only if there is none",
    )
    if spec is DOCUMENTS:
        options.option(
            "--template",
            metavar="LABEL",
            help="the template of the prompt; the text below is its first field",
        )
        options.option(
            "--field",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help='another field of the template, such as --field "audience=people who read on trains"',
        )
    for name, field in spec.settings.items():
        instead = f"{field.usual} if the service has it" if field.usual else field.default
        options.option(
            f"--{name}",
            metavar="VALUE",
            type=int if field.type == "integer" else str,
            default=field.default,
            help=f"{field.about[0].lower()}{field.about[1:-1]} (default: {instead or 'none'})",
        )
    return _closed(options)


def _listing(spec: ResourceSpec, about: str, example: str, view: str, view_help: str) -> Options:
    """Return the options of the command that lists records."""
    options = Options(f"%{spec.name}", "", f"List {about}", example)
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
    options.option(f"--{view}", action="store_true", help=f"show the {view_help} instead of a table")
    return _closed(options)


def _closed(options: Options) -> Options:
    """Add the options of every command, last in its help."""
    options.option("-o", "--output", metavar="NAME", help="keep the result in this variable")
    options.option("--client", metavar="NAME", default="client", help="the variable with the client")
    options.option("-h", "--help", action="store_true", help="show this")
    return options


#: The options of each command.
COMMANDS: Final[dict[str, Options]] = {
    options.prog: options
    for options in (
        _creating(
            DOCUMENTS,
            "the prompt",
            '  %%document --template "Blog intro" --creativity 0.75 --name "Cello" -o doc\n'
            "  learning the cello at forty",
        ),
        _creating(
            IMAGES,
            "what the picture shows",
            "  %%image --style anime --medium ink --name Harbor -o harbor\n  a harbor at dawn, two boats",
        ),
        _listing(
            DOCUMENTS,
            "the documents of every template as a DataFrame; the first 25 are shown.",
            '  %documents kettle --template FAQ --template "Blog intro" -o docs',
            "read",
            "full documents",
        ),
        _listing(
            IMAGES,
            "images as a DataFrame; the first 25 are shown, with their pictures.",
            "  %images harbor --style anime --favorite --gallery",
            "gallery",
            "pictures",
        ),
    )
}


def complete(line: str, after: str, namespace: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Return the word at the cursor and its completions.

    Args:
        line: The line up to the cursor.
        after: The line from the cursor on.
        namespace: The user's variables.
    """
    call = CALL.fullmatch(line)
    options = COMMANDS.get(call[1]) if call else None
    if call is None or options is None:
        return "", []
    split = WORDS.fullmatch(call[2])
    earlier, word = split.groups() if split else (call[2], "")
    words: list[str] = []
    with suppress(ValueError):
        words = shlex.split(earlier)
    flag = words[-1] if words else ""
    mark = word[0] if word[:1] in {'"', "'"} else ""
    values = options.choices.get(flag) or _values(flag, words, namespace)
    if values is None:
        values = [*options.choices] if word.startswith("-") or not word else []
    begun = word.removeprefix(mark).casefold()
    fitting = [value for value in values if value.casefold().startswith(begun)]
    return word, [_quoted(value, mark, after) for value in fitting]


def _values(flag: str, words: Sequence[str], namespace: Mapping[str, Any]) -> Iterable[str] | None:
    """Return the values of the option before the cursor, or None if it has no list of values."""
    client = namespace.get(_after("--client", words, "client"))
    known = client.vocabulary if _is_client(client) else Vocabulary()
    field = flag.removeprefix("--")
    if flag == "--client":
        return [name for name, value in namespace.items() if _is_client(value) and name[0] != "_"]
    if flag == "--field":
        return _fields(words, known)
    values = SUGGESTED.get(field) if flag.startswith("--") else None
    return None if values is None else values(known, field)


def _fields(words: Sequence[str], known: Vocabulary) -> list[str]:
    try:
        form = known.template(_after("--template", words, ""))
    except InvalidArgument:
        return []
    return [f"{field.name}=" for field in form.fields if field != form.subject]


def _is_client(value: object) -> TypeGuard[Client]:
    from inkframe.client import Client

    return isinstance(value, Client)


def _after(flag: str, words: Sequence[str], otherwise: str) -> str:
    return words[words.index(flag) + 1] if flag in words[:-1] else otherwise


def _quoted(value: str, mark: str, after: str) -> str:
    """Return a value as written on a line, with the open quotation mark."""
    if mark:
        return mark + value + ("" if after.startswith(mark) else mark)
    return f'"{value}"' if re.search(r"[\s']", value) else value
