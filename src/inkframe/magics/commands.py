"""What the commands do."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Final

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class, no_var_expand

from inkframe.errors import InkframeError, OutcomeUnknown
from inkframe.magics.options import COMMANDS, LOOKS
from inkframe.vocabulary import compose_prompt

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from inkframe.client import Client
    from inkframe.resources.documents import Documents
    from inkframe.resources.images import Images

__all__ = ["Commands"]

#: Characters of a text that name a record without a name.
NAMED: Final = 60
#: What an image has unless told otherwise, as in the form.
RESOLUTION: Final = "512x512"


@magics_class
class Commands(Magics):
    """The four commands of a shell."""

    @no_var_expand
    @cell_magic
    def document(self, line: str, cell: str) -> Any:
        """Create a document from the text below; ``%%document --help`` lists the options."""

        def create(client: Client, given: Namespace, text: str) -> Any:
            fields = {"prompt": _prompt(client, given, text), "creativity": given.creativity}
            return _make(client.documents, given, text, fields)

        return self._create("%%document", line, cell, create)

    @no_var_expand
    @cell_magic
    def image(self, line: str, cell: str) -> Any:
        """Create an image from the text below; ``%%image --help`` lists the options."""

        def create(client: Client, given: Namespace, text: str) -> Any:
            looks = {look: getattr(given, look) for look in LOOKS}
            sizes = client.vocabulary.codes("resolution")
            usual = RESOLUTION if RESOLUTION in sizes else next(iter(sizes), RESOLUTION)
            fields = {"description": text, **looks, "resolution": given.resolution or usual}
            return _make(client.images, given, text, fields)

        return self._create("%%image", line, cell, create)

    @no_var_expand
    @line_magic
    def documents(self, line: str) -> Any:
        """List documents as a DataFrame; ``%documents --help`` lists the options."""

        def find(client: Client, given: Namespace) -> Any:
            return client.documents.all(**_query(given, "search_by", "template"))

        def show(client: Client, given: Namespace, frame: Any) -> Any:
            return client.documents.read(frame) if given.read else frame

        return self._run("%documents", line, find, show)

    @no_var_expand
    @line_magic
    def images(self, line: str) -> Any:
        """List images as a DataFrame; ``%images --help`` lists the options."""

        def find(client: Client, given: Namespace) -> Any:
            return client.images.all(**_query(given, *LOOKS))

        def show(client: Client, given: Namespace, frame: Any) -> Any:
            return client.images.gallery(frame) if given.gallery else frame

        return self._run("%images", line, find, show)

    def _create(
        self, command: str, line: str, cell: str, create: Callable[[Client, Namespace, str], Any]
    ) -> Any:
        text = cell.strip()

        def work(client: Client, given: Namespace) -> Any:
            if not text:
                below = "the prompt" if command == "%%document" else "what the picture shows"
                raise UsageError(f"{command}: there is no text. Write {below} on the lines below.")
            return create(client, given, text)

        return self._run(command, line, work)

    def _run(
        self,
        command: str,
        line: str,
        work: Callable[[Client, Namespace], Any],
        show: Callable[[Client, Namespace, Any], Any] = lambda _client, _given, result: result,
    ) -> Any:
        """Read the line, do the work, keep its result where ``-o`` says so, and give what is shown."""
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
        what = f"The variable {name} holds no client" if name in self._variables else f"There is no {name}"
        raise UsageError(f"{what}. Run client = ink.connect() first, or name yours with --client.")


def _prompt(client: Client, given: Namespace, text: str) -> str:
    """Give the text, in the form of the template where one is named."""
    if given.template is None:
        if given.field:
            raise UsageError("%%document: --field belongs to a template. Name it with --template.")
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


def _make(collection: Documents | Images, given: Namespace, text: str, fields: dict[str, Any]) -> Any:
    """Create a record; one whose answer was lost is looked for, since nobody holds the error that could."""
    name = given.name or textwrap.shorten(text, NAMED, placeholder="…")
    try:
        return (collection.ensure if given.ensure else collection.create)(name=name, **fields)
    except OutcomeUnknown as error:
        if (found := error.reconcile()) is not None:
            return found
        what = str(error).splitlines()[0]
        raise UsageError(
            f"{what} It was looked for and is not there. Run the cell again with --ensure."
        ) from error


def _query(given: Namespace, *filters: str) -> dict[str, Any]:
    """Give the arguments of ``all`` that stand on a line."""
    names = ("favorite", "sort_by", "sort", "limit", *filters)
    found = {name: getattr(given, name) for name in names} | {"search": " ".join(given.search)}
    return {name: value for name, value in found.items() if value not in (None, "")}
