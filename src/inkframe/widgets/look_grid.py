"""``LookGrid``: one description in many looks, style by medium, filled as the pictures arrive."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import ipywidgets

from inkframe.display import gallery, image_bundle
from inkframe.display.picture import small_copy
from inkframe.errors import InkframeError
from inkframe.resources.selection import values
from inkframe.vocabulary import Vocabulary
from inkframe.widgets.batch_panel import BatchPanel
from inkframe.widgets.call_source import Expression, client_name, write_call
from inkframe.widgets.controls import button, show, styled
from inkframe.widgets.form_fields import Chips, ChoiceField, FormField, text_field
from inkframe.widgets.panel import check_keywords
from inkframe.widgets.picture_grid import PictureGrid
from inkframe.widgets.static_output import folded
from inkframe.widgets.thumbnail_loader import BYTES, SIZE
from inkframe.workflows.plans import ALL, plan_images

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future

    import pandas as pd

    from inkframe.client import Client
    from inkframe.resources.images import Images
    from inkframe.resources.records import Image
    from inkframe.workflows.create_rows import Row

__all__ = ["LookGrid"]

LOOKS: Final = ("style", "medium", "filter")
KEYWORDS: Final = ("description", "name", "resolution", *LOOKS)
NAME: Final = "Look {number}"
#: Styles and mediums that a grid begins with: few enough to be affordable by mistake.
FIRST: Final = 3
#: What stands for none among a look's values.
NONE: Final = ""

Looks = str | None | Any


class LookGrid(BatchPanel):
    """A description drawn in chosen styles and mediums, and filters if wanted.

    A press on an empty cell makes its picture, on a full one shows it large.

    Args:
        client: The service's client.
        description: What the pictures show.
        name: A pattern for the names, with ``{style}``, ``{medium}``, ``{filter}``, ``{resolution}`` and
            ``{number}``.
        resolution: Width and height in pixels.
        style: A style, several, or ``ink.ALL``; the first three if not given.
        medium: A medium, several, or ``ink.ALL``; the first three if not given.
        filter: A filter, several, or ``ink.ALL``; none if not given.

    Raises:
        InvalidArgument: There is no such field, or a value is not of the client's vocabulary.

    Example:
        >>> ink.LookGrid(client, description="a lighthouse in fog", style=["anime", "sketch"], medium=["ink", "chalk"])
    """

    _required = ("name", "description")

    def __init__(
        self,
        client: Client,
        *,
        description: str = "",
        name: str = NAME,
        resolution: str | None = None,
        style: Looks | Iterable[Looks] = None,
        medium: Looks | Iterable[Looks] = None,
        filter: Looks | Iterable[Looks] = None,
        **unknown: Any,
    ) -> None:
        check_keywords(type(self), unknown, KEYWORDS)
        vocabulary = client.vocabulary
        sizes = [(vocabulary.label("resolution", code), code) for code in vocabulary.codes("resolution")]
        size = None if resolution is None else vocabulary.code("resolution", resolution)
        self._name = text_field("name", "Name", name, span=6)
        self._description = text_field("description", "Description", description, lines=2, span=12)
        self._resolution = ChoiceField("resolution", "Resolution", sizes, size or sizes[0][1], span=6)
        given = {"style": style, "medium": medium, "filter": filter}
        self._looks = {
            look: _chips(vocabulary, look, given[look]) for look in LOOKS if vocabulary.codes(look)
        }
        self._grid = PictureGrid(self._pressed)
        self._small: dict[str, bytes] = {}
        #: Why there is no small picture of an image.
        self._unseen: dict[str, str] = {}
        self._layout_shown: Any = None
        self._chosen: Row | None = None
        self._large = ipywidgets.HTML()
        self._favorite = button("★ Favourite", self._mark, "ink-small")
        self._detail = styled(ipywidgets.VBox([self._large, self._favorite]), "ink-detail", "ink-gone")
        controls = [self._description, self._name, self._resolution, *self._looks.values()]
        super().__init__(client, controls, [self._grid, self._detail], "image", "Drawing")
        for field in (self._description, self._name, self._resolution, *self._looks.values()):
            field.on_change(partial(self._touch, field.name))
        self.observe(lambda change: None if change["new"] else self._lay_out(), "busy")
        self._refresh()

    @property
    def _collection(self) -> Images:
        return self._client.images

    def _fields(self) -> dict[str, FormField]:
        own = (self._description, self._name, self._resolution, *self._looks.values())
        return {field.name: field for field in own}

    def _values(self, look: str) -> list[str | None]:
        """Give the values of a look that are chosen; a service without the look has none to choose from."""
        field = self._looks.get(look)
        return [None] if field is None else [code or None for code in field.value]

    def _size(self) -> int:
        sizes = [len(self._values(look)) for look in LOOKS]
        return sizes[0] * sizes[1] * sizes[2]

    def _plan(self) -> pd.DataFrame:
        return plan_images(
            self._description.value,
            name=self._name.value,
            resolution=self._resolution.value,
            style=self._values("style"),
            medium=self._values("medium"),
            filter=self._values("filter"),
            vocabulary=self._client.vocabulary,
        )

    def _refresh(self) -> None:
        vocabulary = self._client.vocabulary
        client = client_name(self._client)
        given: dict[str, Any] = {
            "description": self._description.value,
            "name": self._name.value,
            "resolution": self._resolution.value,
        }
        for look in LOOKS:
            chosen = self._values(look)
            given[look] = None if chosen == [None] else chosen[0] if len(chosen) == 1 else chosen
        given["vocabulary"] = None if vocabulary == Vocabulary() else Expression(f"{client}.vocabulary")
        self.code = self._write_code(write_call("ink.plan_images", given))
        self._count()
        if not self.busy:
            self._lay_out()

    def _lay_out(self) -> None:
        """Show a table for each filter, with what is there of it."""
        rows = self._planned_rows()
        shape = (self._words("style"), self._words("medium"), self._words("filter"))
        layout = (shape, [(_cell(row), row.status, id(row.record) if row.record else 0) for row in rows])
        if layout == self._layout_shown:
            return
        self._layout_shown = layout
        cells = {_cell(row): self._face(row) for row in rows}
        pictures = {_cell(row): self._small[row.identity] for row in rows if row.identity in self._small}
        columns, lines, sections = shape
        if [code for code, _ in sections] == [NONE]:
            sections = [(NONE, "")]
        self._grid.lay_out(columns, lines, sections, cells, pictures)

    def _planned_rows(self) -> list[Row]:
        """Give the rows of the plan, as far as there is one yet."""
        if self._lacks() or not self._size():
            return []
        try:
            return self._planned().rows
        except InkframeError:
            return []

    def _words(self, look: str) -> list[tuple[str, str]]:
        vocabulary = self._client.vocabulary
        return [
            (code or NONE, vocabulary.label(look, code) if code else f"no {look}")
            for code in self._values(look)
        ]

    def _begun(self) -> None:
        self._lay_out()

    def _row_changed(self, row: Row) -> None:
        if row.record is not None and row.status != "pending" and row.identity not in self._small:
            self._fetch(row.identity, cast("Image", row.record))
        self._grid.renew(_cell(row), self._face(row, begun=not row.status), self._small.get(row.identity))

    def _fetch(self, identity: str, record: Image) -> None:
        """Make the small picture of an image; where there is none the image is made all the same."""
        try:
            picture = small_copy(record.picture_bytes, SIZE, BYTES)
        except InkframeError as error:
            picture = str(error)
        if isinstance(picture, bytes):
            self._small[identity] = picture
            self._unseen.pop(identity, None)
        else:
            self._unseen[identity] = picture

    def _ended_run(self) -> None:
        if any(row.record is not None for row in self._rows):
            self._keep_copy(self._static_copy)

    def _static_copy(self) -> dict[str, Any]:
        made = [(row.record, self._small.get(row.identity, b"")) for row in self._rows if row.record]
        pictures = {record.id: picture for record, picture in made}
        view = gallery(
            [values(record) for record, _ in made],
            lambda record: pictures[record["id"]],
            group_by="style",
            service=self._client.service,
            progress=False,
        )
        return folded(view, "These pictures, as they are kept when the notebook is saved")

    def _face(self, row: Row, *, begun: bool = False) -> dict[str, Any]:
        """Give what the grid shows of a row."""
        vocabulary = self._client.vocabulary
        looks = [vocabulary.label(look, row.fields[look]) for look in LOOKS if row.fields.get(look)]
        name = ", ".join(looks) or "no look"
        if row.record is not None and row.status != "pending":
            words = "favourite" if row.record.favorite else "made"
            chosen = row is self._chosen
            return {
                "state": "done",
                "label": f"{name}: {words}",
                "favorite": bool(row.record.favorite),
                "chosen": chosen,
                "reason": self._unseen.get(row.identity, ""),
            }
        if row.status in ("failed", "unknown"):
            return {"state": row.status, "label": f"{name}: {row.error}", "reason": row.error}
        if begun or row.status == "pending":
            return {"state": "working", "label": f"{name}: drawing"}
        return {"state": "empty", "label": f"{name}: empty, press to create"}

    def _pressed(self, key: str) -> None:
        """Do what a press on a cell asks for: show it, make it, or look for what may have been made."""
        rows = self._rows if self.busy else self._planned_rows()
        row = next((row for row in rows if _cell(row) == key), None)
        if row is not None and row.status in ("unknown", "pending"):
            self._look_for(row)
        elif row is not None and row.record is not None:
            self._aside(lambda: self._choose(row))
        elif self.busy:
            self._say("Wait until this run has ended, or cancel it.")
        else:
            self.create(key)

    def create(self, key: str) -> Future[pd.DataFrame]:
        """Create the picture of one cell, in a thread.

        Args:
            key: Style, medium and filter with ``|`` between them; nothing for none.

        Returns:
            A future of the frame, as ``submit`` gives it.
        """
        return self._create_some(lambda row: _cell(row) == key)

    def _choose(self, row: Row) -> None:
        """Show a picture large."""
        before, self._chosen = self._chosen, row
        for each in (before, row):
            if each is not None:
                self._grid.renew(_cell(each), self._face(each))
        record = cast("Image", row.record)
        self.record = record
        self._large.value = str(
            image_bundle(values(record), record.picture_bytes, service=self._client.service)["text/html"]
        )
        self._favorite.description = "★ No favourite" if record.favorite else "★ Favourite"
        show(self._detail)
        self._status.send({"kind": "reveal", "where": ".ink-detail"})

    def _mark(self) -> None:
        if (row := self._chosen) is not None and row.record is not None:
            future = self._update(row, favorite=not row.record.favorite)
            future.add_done_callback(lambda done: None if done.exception() else self._choose(row))


def _chips(vocabulary: Vocabulary, look: str, given: Any) -> FormField:
    """Give the field for a look's values; styles and mediums begin with a few, filters with none."""
    codes = vocabulary.codes(look)
    if given is None:
        chosen: list[str] = [NONE] if look == "filter" else list(codes[:FIRST])
    elif given is ALL:
        chosen = list(codes)
    else:
        several = [given] if isinstance(given, str) else list(given)
        chosen = [NONE if each is None else vocabulary.code(look, each) for each in several]
    options = [(NONE, "none"), *((code, vocabulary.label(look, code)) for code in codes)]
    value = [code for code, _ in options if code in chosen]
    chips = Chips(label=look.capitalize(), options=[list(pair) for pair in options], value=value)
    return FormField(look, chips, span=12)


def _cell(row: Row) -> str:
    """Give the cell of a row: its style, medium and filter."""
    return "|".join(row.fields.get(look) or NONE for look in LOOKS)
