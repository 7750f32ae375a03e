"""A recommendation: a verdict that renders as a sentence, a table and a plot."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from inkframe.deciding.plot_groups import plot_compare_groups
from inkframe.errors import ConfigurationError, InvalidArgument
from inkframe.output_file import write_file
from inkframe.signatures import checked_calls

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

    from inkframe.analysis.plot_chart import Chart

__all__ = ["Recommendation"]

#: Digits after the point in tables.
DIGITS: Final = 2
PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Recommendation</title>
<meta name="viewport" content="width=device-width"><style>:root{{color-scheme:light dark}}
body{{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}
td,th{{padding:2px 10px;text-align:right}}img{{max-width:100%}}</style>{}</html>
"""


@checked_calls
@dataclass(frozen=True, eq=False, slots=True)
class Recommendation:
    """The result of ``recommend``.

    Args:
        choice: The value of the best group, or a dict of the values of several columns; None if there is none.
        verdict: ``one is best``, ``no difference above …: any will do``, or ``undecided``.
        needed: The range of documents of each group that would probably settle an undecided comparison.
        sentence: The verdict as a sentence to quote.
        frame: A row for each group, as ``compare_groups`` returns them.
    """

    choice: Any
    verdict: str
    needed: tuple[int, int] | None
    sentence: str
    frame: pd.DataFrame

    def plot(self) -> Chart:
        """Plot the groups with their intervals.

        Raises:
            ConfigurationError: matplotlib is not installed.
        """
        return plot_compare_groups(self.frame)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the sentence, the table and the plot as a page (``.html``), or the values as JSON (``.json``).

        Args:
            path: The file. An existing file is replaced.

        Returns:
            The path written.

        Raises:
            InvalidArgument: The suffix is another one, or the file cannot be written.
        """
        target = Path(path).expanduser()
        if target.suffix == ".json":
            content = self._json()
        elif target.suffix in {".html", ".htm"}:
            content = PAGE.format(self._repr_html_())
        else:
            raise InvalidArgument(f"path must end in .html or .json, got {target.name!r}.")
        return write_file(target.parent, target.name, content.encode(), overwrite=True)

    def __repr__(self) -> str:
        return "\n".join([self.sentence, "", self._rounded().to_string(index=False), *self._notes()])

    def _repr_html_(self) -> str:
        table = self._rounded().to_html(index=False, border=0, na_rep="")
        notes = "".join(f"<p><small>{escape(note)}</small></p>" for note in self._notes())
        try:
            picture, size = self.plot()._repr_png_()
        except ConfigurationError:  # matplotlib is an extra
            return f"<p><strong>{escape(self.sentence)}</strong></p>{table}{notes}"
        source = base64.b64encode(picture).decode("ascii")
        plot = f'<img alt="{escape(self.sentence)}" width="{size["width"]}" src="data:image/png;base64,{source}">'
        return f"<p><strong>{escape(self.sentence)}</strong></p>{table}<p>{plot}</p>{notes}"

    def _json(self) -> str:
        values = {"choice": self.choice, "verdict": self.verdict, "needed": self.needed}
        values |= {"sentence": self.sentence, "notes": self._notes()}
        rows = json.loads(self.frame.to_json(orient="records", date_format="iso"))
        return json.dumps(values | {"groups": rows}, indent=2, ensure_ascii=False, default=str) + os.linesep

    def _rounded(self) -> pd.DataFrame:
        return self.frame.round(DIGITS)

    def _notes(self) -> list[str]:
        notes: list[str] = self.frame.attrs["analysis"]["notes"]
        return notes
