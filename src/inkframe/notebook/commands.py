"""The commands for notebooks."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand

from inkframe.display.markup import counted, tag
from inkframe.errors import InkframeError, OutcomeUnknown
from inkframe.notebook.magics import COMMANDS
from inkframe.schema import DOCUMENTS, IMAGES
from inkframe.vocabulary import compose_prompt

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    import pandas as pd

    from inkframe.client import Client
    from inkframe.schema import ResourceSpec

__all__ = ["Commands"]

#: The most characters of a text that become the name of a record without one.
NAMED: Final = 60
#: Records that a listing shows.
SHOWN: Final = 25


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

        def work(client: Client, given: Namespace) -> Any:
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

        def find(client: Client, given: Namespace) -> Any:
            return getattr(client, spec.name).all(**_query(given, spec))

        def show(client: Client, given: Namespace, frame: Any) -> Any:
            wants_all = getattr(given, view)
            return getattr(getattr(client, spec.name), view)(frame) if wants_all else _paged(frame, spec)

        return self._run(command, line, find, show)

    def _run(
        self,
        command: str,
        line: str,
        work: Callable[[Client, Namespace], Any],
        show: Callable[[Client, Namespace, Any], Any] = lambda _client, _given, result: result,
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
        from inkframe.client import Client

        found = self._variables.get(name)
        if isinstance(found, Client):
            return found
        what = (
            f"The variable {name} is not a client"
            if name in self._variables
            else f"There is no variable {name}"
        )
        raise UsageError(f"{what}. Run client = ink.connect() first, or pass --client.")


def _prompt(client: Client, given: Namespace, text: str) -> str:
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


def _make(collection: Any, given: Namespace, text: str, fields: dict[str, Any]) -> Any:
    """Create a record; reconcile it if the reply is lost, since a cell does not keep the error."""
    name = given.name or textwrap.shorten(text, NAMED, placeholder="…")
    try:
        return (collection.ensure if given.ensure else collection.create)(name=name, **fields)
    except OutcomeUnknown as error:
        if (found := error.reconcile()) is not None:
            return found
        what = str(error).splitlines()[0]
        raise UsageError(f"{what} A search did not find it. Run the cell again with --ensure.") from error


def _paged(frame: pd.DataFrame, spec: ResourceSpec) -> pd.DataFrame:
    """Return the same frame, shown as its first page, with pictures, and how many more there are."""
    shown = frame.copy(deep=False)

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


def _query(given: Namespace, spec: ResourceSpec) -> dict[str, Any]:
    """Return the arguments of ``all`` from a line."""
    names = ("favorite", "sort_by", "sort", "limit", "search_by", *spec.query_names)
    found = {name: vars(given).get(name) for name in names} | {"search": " ".join(given.search)}
    return {name: value for name, value in found.items() if value not in (None, "")}
