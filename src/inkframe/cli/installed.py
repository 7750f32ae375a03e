"""Which libraries are installed, held against what the package asks for."""

from __future__ import annotations

import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import inkframe
from inkframe.cli.condition import PIP, Condition

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["installation"]

#: The extras that somebody who uses the package may want.
EXTRAS: Final = ("lab", "analysis", "serve", "dask")
#: A requirement as this package writes them: a name, parts of it, the lowest version, and its extra.
REQUIREMENT: Final = re.compile(
    r"(?P<name>[\w.-]+)(?:\[[^]]*\])?(?:>=(?P<lowest>[\d.]+))?(?:\s*;\s*extra == '(?P<extra>\w+)')?"
)


def installation() -> Iterator[Condition]:
    """Look at the package, its libraries, and its extras."""
    place = Path(inkframe.__file__).parent
    yield Condition("inkframe", f"{inkframe.__version__} in {place}")
    yield Condition(
        "Python", f"{platform.python_version()} at {sys.executable}, {platform.platform(terse=True)}"
    )
    found, lacking = _libraries("")
    yield Condition("libraries", found, f"{PIP} {' '.join(lacking)}" if lacking else "")
    for extra in EXTRAS:
        found, lacking = _libraries(extra)
        cure = f'{PIP} "inkframe[{extra}]"' if lacking else ""
        yield Condition(f"extra {extra}", found, cure, optional=True)


def _libraries(extra: str) -> tuple[str, list[str]]:
    """Give the libraries of an extra with their versions, and those that have to be installed."""
    shown, lacking = [], []
    for text in requires("inkframe") or ():
        wanted = REQUIREMENT.fullmatch(text.strip())
        if wanted is None or (wanted["extra"] or "") != extra or wanted["name"] == "inkframe":
            continue
        name, lowest = wanted["name"], wanted["lowest"] or "0"
        try:
            present = version(name)
            problem = f" (older than {lowest})" if _parts(present) < _parts(lowest) else ""
        except PackageNotFoundError:
            present, problem = "", "is missing"
        shown.append(f"{name} {present}{problem}")
        if problem:
            lacking.append(f'"{name}>={lowest}"')
    return ", ".join(shown), lacking


def _parts(number: str) -> tuple[int, ...]:
    """Give a version's numbers, up to the first part that is none, without zeros at the end."""
    numbers = re.match(r"\d+(\.\d+)*", number)
    found = [int(part) for part in numbers[0].split(".")] if numbers else []
    while found and not found[-1]:
        found.pop()
    return tuple(found)
