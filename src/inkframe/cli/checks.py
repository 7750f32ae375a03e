"""The results of the doctor's checks, and the checks of the installed libraries."""

from __future__ import annotations

import platform
import re
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final

import inkframe

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PIP", "CheckResult", "installation", "version_parts"]

#: The command that installs into the environment of this Python, whatever is first on the path.
PIP: Final = (
    f'"{sys.executable}" -m pip install' if " " in sys.executable else f"{sys.executable} -m pip install"
)

#: Characters of a line, and of the name in it.
WIDTH: Final = 110
NAME: Final = 20


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check: a line of the report.

    Args:
        name: The name of the check.
        text: The finding.
        cure: The command or action that fixes the problem, if there is one.
        optional: Whether the check is optional: its fix is then a suggestion, not an error.
    """

    name: str
    text: str
    cure: str = ""
    optional: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether there is a problem to fix."""
        return bool(self.cure) and not self.optional

    def __str__(self) -> str:
        mark = "ok" if not self.cure else "--" if self.optional else "NO"
        # Paths and commands are not wrapped, so that they can be copied.
        text = fill(
            self.text,
            WIDTH,
            initial_indent=f"{mark}  {self.name:<{NAME}}",
            subsequent_indent=" " * (NAME + 4),
            break_long_words=False,
            break_on_hyphens=False,
        )
        return f"{text}\n{' ' * (NAME + 4)}{self.cure}" if self.cure else text


#: The extras for users of the package.
EXTRAS: Final = ("lab", "analysis", "excel", "serve", "dask")
#: A requirement of this package: a name, its extras, the lowest version, and the extra it is part of.
REQUIREMENT: Final = re.compile(
    r"(?P<name>[\w.-]+)(?:\[[^]]*\])?(?:>=(?P<lowest>[\d.]+))?(?:\s*;\s*extra == '(?P<extra>\w+)')?"
)


def installation() -> Iterator[CheckResult]:
    """Check the package, its libraries, and its extras."""
    place = Path(inkframe.__file__).parent
    yield CheckResult("inkframe", f"{inkframe.__version__} in {place}")
    yield CheckResult(
        "Python", f"{platform.python_version()} at {sys.executable}, {platform.platform(terse=True)}"
    )
    found, lacking = _libraries("")
    yield CheckResult("libraries", found, f"{PIP} {' '.join(lacking)}" if lacking else "")
    for extra in EXTRAS:
        found, lacking = _libraries(extra)
        cure = f'{PIP} "inkframe[{extra}]"' if lacking else ""
        yield CheckResult(f"extra {extra}", found, cure, optional=True)


def _libraries(extra: str) -> tuple[str, list[str]]:
    """Return the libraries of an extra with their versions, and those to install."""
    shown, lacking = [], []
    for text in requires("inkframe") or ():
        wanted = REQUIREMENT.fullmatch(text.strip())
        if wanted is None or (wanted["extra"] or "") != extra or wanted["name"] == "inkframe":
            continue
        name, lowest = wanted["name"], wanted["lowest"] or "0"
        try:
            present = version(name)
            problem = f" (older than {lowest})" if version_parts(present) < version_parts(lowest) else ""
        except PackageNotFoundError:
            present, problem = "", "is missing"
        shown.append(f"{name} {present}{problem}")
        if problem:
            lacking.append(f'"{name}>={lowest}"')
    return ", ".join(shown), lacking


def version_parts(number: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, without trailing zeros."""
    numbers = re.match(r"\d+(\.\d+)*", number)
    found = [int(part) for part in numbers[0].split(".")] if numbers else []
    while found and not found[-1]:
        found.pop()
    return tuple(found)
