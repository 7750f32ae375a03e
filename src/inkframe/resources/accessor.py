"""The accessor ``frame.ink`` with methods of the collection that a frame was fetched from."""

from __future__ import annotations

import csv
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from inkframe.display.console import notice
from inkframe.display.gallery import Gallery
from inkframe.display.markup import counted, line, unmarked
from inkframe.display.view import View
from inkframe.errors import InvalidArgument, checked_calls, options_of
from inkframe.frames import (
    ENDINGS,
    generated_columns,
    neutralize_formulas,
    origin,
    plain,
    records_of,
)
from inkframe.schema import DOCUMENTS, RESOURCES
from inkframe.system.files import check_file, write_file

__all__ = ["Accessor", "register_accessor"]


@checked_calls
class Accessor:
    """The methods under ``frame.ink``; those that need a service exist on its collection too.

    Args:
        frame: A frame fetched by a client that is still open.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def __repr__(self) -> str:
        names = sorted(name for name in vars(type(self)) if not name.startswith("_"))
        return f"<ink of {counted(len(self._frame), 'row')}: {', '.join(names)}>"

    def gallery(self, **options: Any) -> Gallery:
        """Show the images as a gallery; options as in ``client.images.gallery``."""
        source = self._collection("images", "gallery", options.get("column"))
        gallery: Gallery = source.gallery(self._frame, **options)
        return gallery

    def read(self, **options: Any) -> View:
        """Show the documents in full; options as in ``client.documents.read``."""
        source = self._collection("documents", "read", options.get("column"))
        view: View = source.read(self._frame, **options)
        return view

    def table(self, *, rows: int = 100) -> View:
        """Show the frame with thumbnails in its cells and long texts folded.

        Args:
            rows: The maximum number of rows.
        """
        from inkframe.resources.views import table_of

        return table_of(self._frame, rows)

    @options_of(pd.DataFrame.to_csv)
    def to_csv(
        self,
        path: str | PathLike[str],
        *,
        neutralize: bool = True,
        overwrite: bool = False,
        **options: Any,
    ) -> Path:
        """Write the frame as CSV without formulas that a spreadsheet would run.

        A text that begins like a formula gets a leading apostrophe, which ``push`` ignores when the file is
        read back; numbers are unchanged. Any frame can be written, without a client.

        Args:
            path: The file.
            neutralize: Whether to neutralize formulas.
            overwrite: Whether to replace an existing file.
            options: Arguments of ``DataFrame.to_csv``, such as ``sep`` or ``encoding``.

        Returns:
            The path written.

        Raises:
            InvalidArgument: The file already exists, or cannot be written.
        """
        target = Path(path).expanduser()
        check_file(target.parent, target.name, overwrite=overwrite)
        frame = neutralize_formulas(self._frame) if neutralize else self._frame
        encoding = options.pop("encoding", "utf-8")
        if "lineterminator" in options:
            options.setdefault("quoting", csv.QUOTE_NONNUMERIC)
        # With these ends of lines, a carriage return in a text is quoted too, so that it ends no row.
        text: str = frame.to_csv(**{"lineterminator": "\r\n", **options})
        try:
            data = text.encode(encoding)
        except (LookupError, UnicodeEncodeError) as error:
            raise InvalidArgument(
                f"The texts cannot be written in {encoding!r}: {error}.\nUse encoding='utf-8'."
            ) from None
        return write_file(target.parent, target.name, data, overwrite=overwrite)

    def to_excel(self, path: str | PathLike[str], *, pictures: bool = False, overwrite: bool = False) -> Path:
        """Write the frame as an Excel file: times in UTC without zone, texts never as formulas.

        Generated texts are without the marks of Markdown, and their ids, statuses and errors are the last columns.
        ``push``, ``write`` and ``draw`` accept the frame that ``pandas.read_excel`` reads back: a text that was not
        edited keeps its marks, and nothing is created again. Any frame can be written, without a client if it is
        without pictures.

        Args:
            path: The file; ``.xlsx`` is added if it has no suffix.
            pictures: Whether to put thumbnails into the cells of generated pictures, or beside the names of images,
                to wrap texts, and to offer filters. A cell whose picture is missing shows where it is.
            overwrite: Whether to replace an existing file.

        Returns:
            The path written.

        Raises:
            InvalidArgument: The file already exists or cannot be written, or a text or the frame is too long
                for Excel.
            ConfigurationError: The extra ``excel`` is not installed.
        """
        from inkframe.frames.spreadsheets import workbook

        target = Path(path).expanduser()
        target = target if target.suffix else target.with_suffix(".xlsx")
        check_file(target.parent, target.name, overwrite=overwrite)
        frame = self._handed_on()
        fetch = partial(self._pictures, target.name, frame) if pictures else None
        return write_file(target.parent, target.name, workbook(frame, fetch), overwrite=overwrite)

    def _handed_on(self) -> pd.DataFrame:
        """Return the frame with generated texts as plain texts, and the columns beside generated ones last."""
        made, given = generated_columns(self._frame), self._frame
        texts = {
            name: pd.Series(
                [unmarked(each) if isinstance(each, str) else each for each in plain(given[name])],
                given.index,
                dtype=object,
            )
            for name, spec in made.items()
            if spec is DOCUMENTS
        }
        last = {f"{name}{ending}" for name in made for ending in ENDINGS}
        return given.assign(**texts).iloc[
            :, sorted(range(given.shape[1]), key=lambda at: given.columns[at] in last)
        ]

    def _pictures(self, file: str, frame: pd.DataFrame) -> dict[int, dict[int, bytes]]:
        """Return thumbnails for a file by the positions of their cells, after printing how many are missing."""
        from inkframe.display.picture import encode, load_picture
        from inkframe.resources.views import thumbnails_by_column

        columns = thumbnails_by_column(frame)
        reasons = [
            line(each.partition("\n")[0], 120)
            for column in columns.values()
            for each in column.values()
            if isinstance(each, str)
        ]
        found = {
            # Excel shows no WEBP, which transparent thumbnails are.
            [*frame.columns].index(name): {
                row: small if small[:1] != b"R" else encode(load_picture(small), "JPEG")
                for row, small in column.items()
                if isinstance(small, bytes)
            }
            for name, column in columns.items()
        }
        wanted = len(frame) * len(found)
        if missing := wanted - sum(map(len, found.values())):
            notice(
                " ".join([f"{missing:,} of {counted(wanted, 'picture')} missing in {file}.", *reasons[:1]])
            )
        return found

    def push(self, **options: Any) -> pd.DataFrame:
        """Send the edited cells; options as in ``client.images.push``."""
        made = generated_columns(self._frame) if self._frame.attrs else {}
        column = options.get("column")
        texts = DOCUMENTS.name if DOCUMENTS in made.values() else None
        held = made[column].name if column in made else origin(self._frame).get("collection", texts)
        if held not in RESOURCES:
            given = "".join(f", {name}=…" for name in options)
            calls = " or ".join(f"client.{name}.push(frame{given})" for name in RESOURCES)
            raise InvalidArgument(f"The collection of this frame is unknown.\nWrite {calls}.")
        report: pd.DataFrame = self._collection(held, "push", column).push(self._frame, **options)
        return report

    def _collection(self, name: str, method: str, column: str | None = None) -> Any:
        from inkframe.resources.views import collection_of

        is_whole = method == "push" and column is None and "collection" in origin(self._frame)
        return collection_of(
            self._frame if is_whole else records_of(self._frame, name, column=column).frame, name, method
        )


def register_accessor() -> None:
    """Register ``frame.ink`` with pandas."""
    if not hasattr(pd.DataFrame, "ink"):
        pd.api.extensions.register_dataframe_accessor("ink")(Accessor)
