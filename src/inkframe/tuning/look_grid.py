"""``LookGrid``: one description in many looks, style by medium, filled as the pictures arrive."""

from __future__ import annotations

import re
from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any, Final, cast

import anywidget
import ipywidgets
import pandas as pd
import traitlets

from inkframe.client import Client
from inkframe.creating.plans import plan_images
from inkframe.display.gallery import gallery
from inkframe.display.picture import small_copy
from inkframe.errors import InkframeError, InvalidArgument
from inkframe.resources.records import Image, values_of
from inkframe.schema import IMAGES
from inkframe.tuning.batch_panel import BatchPanel
from inkframe.widgets.fields import NONE, ChipsField, choice_fields, code_options, text_field
from inkframe.widgets.panel import button, client_name, script, sheet, show, styled, write_value
from inkframe.widgets.record_gallery import BYTES, MOST_AT_ONCE, SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inkframe.creating.identity import Identity
    from inkframe.creating.rows import Row
    from inkframe.display.view import View
    from inkframe.vocabulary import Vocabulary

__all__ = ["LookGrid", "PictureGrid"]

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
        self.pictures = PictureGrid(self._pressed, self._picture)
        #: The rows that are shown, by cell.
        self._shown: dict[str, Row] = {}
        #: The small picture of an image, or why there is none, by its row's identity.
        self._small: dict[Identity, bytes | str] = {}
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
        return [None] if field is None else field.chosen

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
        if [code for code, _ in sections] == [NONE]:
            sections = [(NONE, "")]
        cells = {key: self._face(row) for key, row in self._shown.items()}
        self.pictures.lay_out(columns, lines, sections, cells)

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
        if row.record is not None and row.status != "pending" and not self._picture(key):
            self._fetch(row.identity, cast("Image", row.record))
        self.pictures.renew(key, self._face(row, begun=not row.status))

    def _fetch(self, identity: Identity, record: Image) -> None:
        """Fetch the small picture of an image, or keep the reason why there is none."""
        try:
            self._small[identity] = small_copy(record.picture_bytes, SIZE, BYTES)
        except InkframeError as error:
            self._small[identity] = str(error)

    def _picture(self, key: str) -> bytes | None:
        """Return the small picture of a cell, if there is one."""
        row = self._shown.get(key)
        picture = self._small.get(row.identity) if row else None
        return picture if isinstance(picture, bytes) else None

    def _ended_run(self) -> None:
        for row in self.rows:  # Cancel also ends the reading of pictures that were awaited
            if row.record is not None and not self._picture(_cell(row)):
                self._draw_row(row)
        if any(row.record is not None for row in self.rows):
            self._keep_copy(self._static_view)

    def _static_view(self) -> View:
        made = [row for row in self.rows if row.record is not None]
        cells = {row.record.id: _cell(row) for row in made}
        return gallery(
            [values_of(row.record) for row in made],
            lambda record: self._picture(cells[record["id"]]) or b"",
            group_by="style",
            service=self._collection.service,
            progress=False,
        )

    def _face(self, row: Row, *, begun: bool = False) -> dict[str, Any]:
        """Return what the grid shows of a row."""
        vocabulary = self._client.vocabulary
        looks = [vocabulary.label(look, row.fields[look]) for look in LOOKS if row.fields.get(look)]
        name = ", ".join(looks) or "No style, medium or filter"
        if row.record is not None and row.status != "pending":
            small = self._small.get(row.identity)
            return {
                "state": "done",
                "label": f"{name}: {'favorite' if row.record.favorite else 'created'}",
                "favorite": bool(row.record.favorite),
                "chosen": row is self._chosen,
                "reason": small if isinstance(small, str) else "",
            }
        if row.status in ("failed", "unknown"):
            return {"state": row.status, "label": f"{name}: {row.error}", "reason": row.error}
        if begun or row.status == "pending":
            return {"state": "working", "label": f"{name}: drawing"}
        return {"state": "empty", "label": f"{name}: empty, press to create"}

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
        before, self._chosen = self._chosen, row
        for each in (before, row):
            if each is not None:
                self.pictures.renew(_cell(each), self._face(each))
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


class PictureGrid(anywidget.AnyWidget):
    """Pictures by row and column, one table a section; every cell can be pressed.

    Args:
        pressed: Called with the key of the cell that was pressed: its column, row and section.
        picture: Returns the small picture of a cell, if there is one.
    """

    _esm = script("picture_grid", "blobs", package=__package__)
    _css = sheet("picture_grid", package=__package__)

    #: Pairs of value and words.
    columns: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    rows: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    sections: traitlets.List[list[str]] = traitlets.List().tag(sync=True)
    #: State, label, reason, favorite and chosen of each cell that is not empty, by key.
    cells = traitlets.Dict().tag(sync=True)
    #: Counts layouts: with each, the browser forgets the pictures of the one before.
    layout_number = traitlets.Int().tag(sync=True)

    def __init__(self, pressed: Callable[[str], Any], picture: Callable[[str], bytes | None]) -> None:
        super().__init__()
        self._pressed, self.picture = pressed, picture
        self.on_msg(self._on_message)

    def lay_out(
        self,
        columns: Sequence[tuple[str, str]],
        rows: Sequence[tuple[str, str]],
        sections: Sequence[tuple[str, str]],
        cells: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """Show other columns, rows and sections, with the cells that there are."""
        with self.hold_sync():
            self.cells = {key: dict(cell) for key, cell in cells.items()}
            self.columns = [list(pair) for pair in columns]
            self.rows = [list(pair) for pair in rows]
            self.sections = [list(pair) for pair in sections]
            self.layout_number += 1

    def renew(self, key: str, cell: Mapping[str, Any]) -> None:
        """Show a cell as it is now; all others stay as they are."""
        # In place: only this cell is sent to the browser.
        self.cells[key] = dict(cell)
        self.send({"kind": "cell", "key": key, "cell": dict(cell)})

    def _on_message(self, _widget: object, message: Mapping[str, Any], _buffers: object) -> None:
        if message.get("kind") == "press":
            self._pressed(str(message.get("key")))
        elif message.get("kind") == "want":
            keys = message.get("keys", ())[:MOST_AT_ONCE]
            found = {key: picture for key in keys if (picture := self.picture(key))}
            if found:
                self.send({"kind": "pictures", "keys": list(found)}, list(found.values()))
