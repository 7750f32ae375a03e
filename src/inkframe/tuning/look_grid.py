"""``LookGrid``: one description in many looks, style by medium, filled as the pictures arrive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, Final, cast

import ipywidgets
import pandas as pd

from inkframe.client import Client
from inkframe.creating.plans import plan_images
from inkframe.display.fragments import look_cell
from inkframe.display.gallery import gallery
from inkframe.display.markup import Html, join, tag
from inkframe.display.picture import small_copy
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.resources.records import Image, values_of
from inkframe.schema import IMAGES
from inkframe.tuning.batch_panel import BatchPanel
from inkframe.widgets.fields import NONE, ChipsField, choice_fields, code_options, text_field
from inkframe.widgets.panel import button, client_name, show, styled, write_value
from inkframe.widgets.rows import BYTES, SIZE, Rows, send_pictures

if TYPE_CHECKING:
    from inkframe.creating.rows import Row
    from inkframe.display.view import View
    from inkframe.vocabulary import Vocabulary

__all__ = ["LookGrid"]

Looks = str | None | Any

LOOKS: Final = ("style", "medium", "filter")
#: Without the number, so that more looks rename none, whose pictures would be created again.
NAME: Final = "Look {style} {medium} {filter}"


class LookGrid(BatchPanel):
    """A description drawn in chosen styles and mediums, and filters if wanted.

    A press on an empty cell makes its picture, on a full one shows it large.

    Args:
        client: The service's client.
        description: What the pictures show.
        name: A pattern for the names, with ``{style}``, ``{medium}``, ``{filter}``, ``{resolution}`` and
            ``{number}``.
        resolution: Width and height in pixels.
        style: A style, several, or ``ink.ALL``; none is chosen if not given.
        medium: A medium, several, or ``ink.ALL``; none is chosen if not given.
        filter: A filter, several, or ``ink.ALL``; none if not given.

    Attributes:
        pictures: Where the pictures are shown.
        large: The picture that is chosen.
        larger: Creates it in the next larger resolution.

    Raises:
        InvalidArgument: There is no such field, or a value is not of the client's vocabulary.

    Example:
        >>> ink.LookGrid(client, description="a lighthouse in fog", style=["anime", "sketch"], medium=["ink", "chalk"])
    """

    _spec = IMAGES
    _working = "Drawing"
    _next = "Press a picture to see it large, mark it as a favorite or create it larger."
    _make_plan = staticmethod(plan_images)

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
    ) -> None:
        vocabulary = client.vocabulary
        size = resolution or next(iter(vocabulary.codes("resolution")), None)
        given = {"style": style, "medium": medium, "filter": filter}
        self._looks = {
            look: _chips(vocabulary, look, value) for look, value in given.items() if vocabulary.codes(look)
        }
        #: The rows that are shown, by cell, and the cells whose pictures are drawn now.
        self._shown: dict[str, Row] = {}
        self._drawing: set[str] = set()
        #: The medium, the filter and the words of each line.
        self._lines: list[tuple[str, str, str]] = []
        #: The small picture of an image, or why there is none, by its id.
        self._small: dict[str, bytes | str] = {}
        acts = dict.fromkeys(("click", "Enter", " "), "press")
        self.pictures = Rows(
            self._lanes, self._asked, self._send_wanted, shape="looks", acts=acts, label="Looks", empty=""
        )
        self._layout: Any = None
        self._chosen: Row | None = None
        self.large = ipywidgets.HTML()
        self.favorite = button("★ Favorite", self._mark, "ink-small")
        self.larger = button("", self.enlarge, "ink-small")
        steps = styled(ipywidgets.HBox([self.favorite, self.larger]), "ink-row")
        self._detail = styled(ipywidgets.VBox([self.large, steps]), "ink-detail", "ink-gone")
        parts = [
            text_field("description", "Description", description, lines=2, span=12, required=True),
            text_field("name", "Name", name, required=True),
            *choice_fields(vocabulary, {"resolution": size}, span=6),
            *self._looks.values(),
        ]
        super().__init__(client, parts, [self.pictures, self._detail])

    def _values(self, look: str) -> list[str | None]:
        """Return the values of a look that are chosen; None alone where the service has no such look."""
        field = self._looks.get(look)
        return [None] if field is None else field.value

    def _size(self) -> int:
        return prod(len(self._values(look)) for look in LOOKS)

    def _show_rows(self, rows: Sequence[Row]) -> None:
        """Show a table for each filter, with what is there of it."""
        self._shown = {_cell(row): row for row in rows}
        columns, lines, sections = (self._words(look) for look in LOOKS)
        made = [(key, row.status, id(row.record)) for key, row in self._shown.items()]
        if (layout := (columns, lines, sections, made)) == self._layout:
            return
        self._layout = layout
        self._drawing.clear()
        is_filtered = [code for code, _ in sections] != [NONE]
        self._lines = [
            (medium, filter, f"{words} · {also}" if is_filtered else words)
            for filter, also in sections
            for medium, words in lines
            if columns
        ]
        heads = (
            tag("div", words, role="columnheader", dir="auto", data_column=code) for code, words in columns
        )
        ids = [_line(medium, filter) for medium, filter, _ in self._lines]
        chosen = [key for key, row in self._shown.items() if row is self._chosen]
        self.pictures.lay_out(ids, head=str(join(tag("span"), *heads)), chosen=chosen)

    def _lanes(self, begin: int, end: int) -> list[Html]:
        """Return the lines of pictures between two places."""
        styles = [code or NONE for code in self._values("style")]
        return [
            join(
                tag("div", words, role="rowheader", dir="auto"),
                *(self._face(f"{style}|{medium}|{filter}") for style in styles),
            )
            for medium, filter, words in self._lines[begin:end]
        ]

    def _send_wanted(self, keys: Sequence[str], *, large: bool) -> None:
        del large  # a press shows it
        send_pictures(self.pictures, {key: self._small[key] for key in keys if key in self._small})

    def _asked(self, kind: str, _chosen: Sequence[str], message: Mapping[str, Any]) -> None:
        if kind == "press":
            self._pressed(str(message.get("key")))

    def _words(self, look: str) -> list[tuple[str, str]]:
        vocabulary = self._client.vocabulary
        return [
            (code or NONE, vocabulary.label(look, code) if code else f"No {look}")
            for code in self._values(look)
        ]

    def _compared(self) -> list[str]:
        varied = [look for look in self._looks if len({row.fields.get(look) for row in self.rows}) > 1]
        return varied or list(self._looks)[:1]

    def _draw_row(self, row: Row) -> None:
        key = _cell(row)
        self._shown[key] = row
        (self._drawing.discard if row.status else self._drawing.add)(key)
        if row.record is not None and row.status != "pending" and not self._picture(row.record.id):
            self._fetch(cast("Image", row.record))
        self._renew(row)

    def _renew(self, row: Row) -> None:
        self.pictures.renew(_line(*_cell(row).split("|")[1:]))

    def _fetch(self, record: Image) -> None:
        """Fetch the small picture of an image, or keep the reason why there is none."""
        try:
            self._small[str(record.id)] = small_copy(record.picture_bytes, SIZE, BYTES)
        except InkframeError as error:
            self._small[str(record.id)] = str(error)

    def _picture(self, id: object) -> bytes | None:
        """Return the small picture of an image, if there is one."""
        picture = self._small.get(str(id))
        return picture if isinstance(picture, bytes) else None

    def _ended_run(self) -> None:
        for row in self.rows:  # Cancel also ends the reading of pictures that were awaited
            if row.record is not None and not self._picture(row.record.id):
                self._draw_row(row)
        self._drawing.clear()
        if any(row.record is not None for row in self.rows):
            self._keep_copy()

    def _saved_view(self) -> View:
        return gallery(
            [values_of(row.record) for row in self.rows if row.record is not None],
            lambda record: self._picture(record["id"]) or b"",
            group_by="style",
            service=self._collection.service,
            progress=False,
        )

    def _face(self, key: str) -> Html:
        """Return what the grid shows of a cell."""
        row, vocabulary = self._shown.get(key), self._client.vocabulary
        codes = zip(LOOKS, key.split("|"), strict=True)
        name = ", ".join(vocabulary.label(look, code) for look, code in codes if code)
        name = name or "No style, medium or filter"
        if row is not None and row.record is not None and row.status != "pending":
            starred, picture = bool(row.record.favorite), self._small.get(str(row.record.id))
            reason = picture if isinstance(picture, str) else ""
            label = f"{name}: {'favorite' if starred else 'created'}"
            return look_cell(
                key, label, "done", picture=None if reason else row.record.id, reason=reason, starred=starred
            )
        if row is not None and row.status in ("failed", "unknown"):
            return look_cell(key, f"{name}: {row.error}", row.status, reason=row.error or "")
        if key in self._drawing or (row is not None and row.status == "pending"):
            return look_cell(key, f"{name}: drawing", "working")
        return look_cell(key, f"{name}: empty, press to create", "empty")

    def _pressed(self, key: str) -> None:
        """Handle a press on a cell: show its record, create it, or search for one that may exist."""
        row = self._shown.get(key)
        if row is not None and row.status in ("unknown", "pending"):
            self._look_for(row)
        elif row is not None and row.record is not None:
            self._aside(lambda: self._choose(row))
        elif self.busy:
            self.say("Wait until this run ends, or cancel it.")
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
        self._chosen = row
        self.pictures.chosen = [_cell(row)]
        self._renew(row)
        self.record = record = cast("Image", row.record)
        self.large.value = str(record._repr_mimebundle_()["text/html"])  # what IPython itself calls
        self.favorite.description = "★ Remove favorite" if record.favorite else "★ Favorite"
        size = self._larger_than(record)
        self.larger.description = (
            f"Create at {self._client.vocabulary.label('resolution', size)}" if size else ""
        )
        show(self.larger, shown=bool(size))
        self.bring_into_view(self._detail, "ink-detail")

    def _larger_than(self, record: Image) -> str | None:
        """Return the smallest resolution of the vocabulary that is larger than a picture's."""
        pixels = _pixels(record.resolution or "")
        larger = (code for code in self._client.vocabulary.codes("resolution") if _pixels(code) > pixels)
        return min(larger, key=_pixels, default=None)

    def enlarge(self) -> Future[Image]:
        """Create the chosen picture in the next larger resolution, in a thread; once, however often it is asked for.

        Returns:
            A future of the image. It holds an ``InvalidArgument`` where none is chosen, or none is larger.
        """
        record: Any = None if self._chosen is None else self._chosen.record
        size = None if record is None else self._larger_than(record)
        if size is None:
            return self._refuse(
                InvalidArgument("There is no larger picture to create.\nPress a picture."), {}
            )
        fields = {name: getattr(record, name) for name in self._spec.creates} | {"resolution": size}

        def create() -> Image:
            larger: Image = self._collection.ensure(**fields)
            self.record = larger
            self.large.value = str(larger._repr_mimebundle_()["text/html"])  # what IPython itself calls
            show(self.larger, shown=False)
            line = f"{client_name(self._client)}.{self._spec.name}.get({write_value(larger.id)})"
            words = self._client.vocabulary.label("resolution", size)
            self.say(f"Image {larger.id} has {words} pixels. To use it in a cell: {line}")
            return larger

        return self._begin(create, self._working)

    def _mark(self) -> None:
        if (row := self._chosen) is not None and row.record is not None:
            future = self._update(row, favorite=not row.record.favorite)
            future.add_done_callback(lambda done: None if done.exception() else self._choose(row))


def _chips(vocabulary: Vocabulary, look: str, given: Any) -> ChipsField:
    """Return the field for the values of a look; nothing that is billed is chosen without being asked for."""
    if given is None:
        given = [None] if look == "filter" else []
    return ChipsField(
        look,
        [("None", NONE), *code_options(vocabulary, look)],
        given,
        default=[None],
        code=partial(vocabulary.code, look),
        read=lambda code: code or None,
    )


def _pixels(resolution: str) -> int:
    """Return the number of pixels of a resolution such as ``512x512``."""
    return prod(map(int, re.findall(r"\d+", resolution)))


def _cell(row: Row) -> str:
    """Return the cell of a row: its style, medium and filter."""
    return "|".join(row.fields.get(look) or NONE for look in LOOKS)


def _line(medium: str, filter: str) -> str:
    """Return the key of a line of the grid."""
    return f"{medium}|{filter}"
