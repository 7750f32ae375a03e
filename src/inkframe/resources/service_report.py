"""The report of a check of a service, rendered inline and as text."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Final

from inkframe.display.markup import tag
from inkframe.display.plain_text import joined, line
from inkframe.display.tables import table_tag
from inkframe.display.theme import root
from inkframe.display.view import View
from inkframe.signatures import checked_calls
from inkframe.workflows.findings import STATUSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from inkframe.workflows.findings import Finding

__all__ = ["ServiceReport"]

#: The order of the report: what has to be fixed first.
ORDER: Final = ("fails", "unknown", "holds")
WIDTH: Final = 110


@checked_calls
class ServiceReport(View):
    """A report on the rows of the interface that a service honors: ``client.check()``.

    Args:
        service: The name of the service.
        findings: The result for each row of the interface.
        requests: The number of requests that were sent.

    Attributes:
        frame: A row for each row of the interface with collection, row, status (``holds``, ``fails`` or
            ``unknown``) and evidence.
    """

    def __init__(self, service: str, findings: Sequence[Finding], requests: int) -> None:
        import pandas as pd

        names = ("collection", "row", "evidence")
        columns = {name: pd.array([getattr(each, name) for each in findings], dtype="str") for name in names}
        statuses = pd.Categorical([each.status for each in findings], categories=STATUSES)
        self.frame: pd.DataFrame = pd.DataFrame(
            {"collection": columns["collection"], "row": columns["row"], "status": statuses,
             "evidence": columns["evidence"]}
        )  # fmt: skip
        counts = [f"{sum(each.status == status for each in findings)} {status}" for status in ORDER]
        head = joined(line(service, 80), *counts, f"{requests} requests")
        ranked = sorted(findings, key=lambda each: ORDER.index(each.status))
        rows = [
            tag(
                "tr",
                tag("td", each.status),
                tag("td", f"{each.collection}: {each.row}"),
                tag("td", each.evidence),
            )
            for each in ranked
        ]
        grid = table_tag(["status", "row", "evidence"], rows)
        text = [_line(each) for each in ranked]
        super().__init__(
            root(tag("p", head, class_="ink-meta", style="margin:0 0 8px"), grid, parts=("table",)),
            "\n".join([head, *text]),
        )


def _line(finding: Finding) -> str:
    text = f"{finding.collection}: {finding.row}. {line(finding.evidence, 300)}"
    return fill(text, WIDTH, initial_indent=f"{finding.status:<9}", subsequent_indent=" " * 9)
