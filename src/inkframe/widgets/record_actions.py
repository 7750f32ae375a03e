"""What is done to the records that are chosen: buttons, deletions noted first, downloads as one file."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from inkframe.display import file_name
from inkframe.errors import InvalidArgument
from inkframe.widgets.controls import button, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

__all__ = ["ActionRow", "PendingDeletes", "pack"]

#: What a browser is handed at most: it goes through the notebook's connection in one message.
MOST_BYTES: Final = 100_000_000
MIME: Final = {".png": "image/png", ".md": "text/markdown"}


class ActionRow(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets carries no types
    """Buttons that can be pressed while something is chosen.

    Args:
        acts: What each button says, and what is done when it is pressed.
        single: The words on those that mean one record, not several.
    """

    def __init__(self, acts: Mapping[str, Callable[[], Any]], single: Collection[str] = ()) -> None:
        self._single = single
        super().__init__([button(label, act, "ink-small", disabled=True) for label, act in acts.items()])
        styled(self, "ink-row")

    def allow(self, count: int) -> None:
        """Let those buttons be pressed that make sense for so many."""
        for each in self.children:
            each.disabled = not count or (count > 1 and each.description in self._single)


class PendingDeletes:
    """Records noted to be deleted, and the way back."""

    def __init__(self) -> None:
        self._ids: dict[str, int | str] = {}
        self._steps: list[list[str]] = []

    def __contains__(self, key: str) -> bool:
        return key in self._ids

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def ids(self) -> dict[str, int | str]:
        """The ids of what is noted, by key."""
        return dict(self._ids)

    def note(self, ids: Mapping[str, int | str]) -> None:
        """Note records in one step; where all of them are noted, take them back instead."""
        new = {key: id for key, id in ids.items() if key not in self._ids}
        if new:
            self._ids |= new
            self._steps.append(list(new))
        else:
            self.drop(ids)

    def undo(self) -> list[str]:
        """Take the last step back, and give the keys that were noted by it."""
        keys = self._steps[-1] if self._steps else []
        self.drop(keys)
        return keys

    def drop(self, keys: Iterable[str]) -> None:
        """Note these no longer."""
        for key in keys:
            self._ids.pop(key, None)
        steps = ([key for key in step if key in self._ids] for step in self._steps)
        self._steps = [step for step in steps if step]


def pack(
    records: Iterable[Any], write: Callable[[Any], tuple[str, bytes]], collection: str
) -> tuple[str, str, bytes]:
    """Give a file's name, media type and content: one record's own, or an archive of several.

    Args:
        records: The records.
        write: Gives a record's ending and content.
        collection: ``images`` or ``documents``.

    Raises:
        InvalidArgument: Together they are too large to be handed to a browser.
    """
    taken: set[str] = set()
    files: list[tuple[str, str, bytes]] = []
    for record in records:
        ending, data = write(record)
        files.append((file_name(record.id, record.name, ending, taken), MIME[ending], data))
        if sum(len(data) for _, _, data in files) > MOST_BYTES:
            raise InvalidArgument(
                f"That is more than {MOST_BYTES // 1_000_000} MB, too much for one download.\n"
                f'Choose fewer, or run client.{collection}.download(frame, "folder") in a cell.'
            )
    if len(files) == 1:
        return files[0]
    with BytesIO() as packed:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, _, data in files:
                archive.writestr(name, data)
        return f"inkframe-{collection}.zip", "application/zip", packed.getvalue()
