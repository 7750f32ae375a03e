"""A grid of pictures by row and column, filled as they arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import anywidget
import traitlets

from inkframe.widgets.front import script, sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["PictureGrid"]

#: Pictures in one message.
MOST: Final = 24


class PictureGrid(anywidget.AnyWidget):
    """Pictures by row and column, one table a section; every cell can be pressed.

    Args:
        pressed: Called with the key of the cell that was pressed: its column, row and section.
        picture: Returns the small picture of a cell, if there is one.
    """

    _esm = script("blobs", "picture_grid")
    _css = sheet("picture_grid")

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
            keys = message.get("keys", ())[:MOST]
            found = {key: picture for key in keys if (picture := self.picture(key))}
            if found:
                self.send({"kind": "pictures", "keys": list(found)}, list(found.values()))
