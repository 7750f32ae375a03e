"""``inkframe doctor``: check the setup and suggest fixes."""

from __future__ import annotations

import os
import sys
from itertools import chain
from typing import TYPE_CHECKING

from inkframe.cli.checks import CheckResult, installation
from inkframe.cli.front_end import front_end
from inkframe.connect_client import ADDRESS_VARIABLE, KEY_VARIABLE, connect, library_path
from inkframe.errors import ConfigurationError, InkframeError
from inkframe.http.address import Address
from inkframe.service.engines import Unavailable, find_engine
from inkframe.service.store import check_library

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["check_engine", "check_service", "run"]

#: Seconds for a service to answer.
SECONDS = 5.0


def run(options: Namespace) -> int:
    """Print the report; return 1 if there is a problem to fix."""
    if options.write and not options.check:
        raise ConfigurationError("--write requires --check: inkframe doctor --check --write.")
    if options.check:
        return _check(options.library, write=options.write)
    if options.library:
        return _library(options.library)
    return _print(chain(installation(), front_end(), check_service(), check_engine()))


def _check(library: Path | None, *, write: bool) -> int:
    """Print what the service honors of the interface; return 1 if a row fails."""
    with connect(library=library) as client:
        report = client.check(write=write)
    sys.stdout.write(f"{report}\n")
    return int((report.frame["status"] == "fails").any())


def _print(results: Iterable[CheckResult]) -> int:
    wrong = 0
    for result in results:
        sys.stdout.write(f"{result}\n")
        sys.stdout.flush()
        wrong += result.is_wrong
    if wrong:
        sys.stdout.write(f"\n{wrong} to fix: run the command below each NO.\n")
    return 1 if wrong else 0


def check_service() -> Iterator[CheckResult]:
    """Check the service that `connect` would use, or the local library."""
    address = os.environ.get(ADDRESS_VARIABLE)
    if not address:
        yield _local_library(library_path())
    elif not os.environ.get(KEY_VARIABLE):
        try:
            place = Address.parse(address).base_url
        except ConfigurationError as error:
            yield _failed("service", error, f"Check {ADDRESS_VARIABLE}.")
            return
        text = f"{place}; prompts for the key each time"
        yield CheckResult("service", text, f"export {KEY_VARIABLE}=…", optional=True)
    else:
        try:
            with connect(timeout=SECONDS, max_retries=0) as client:
                place = client.service
                total = client.images.list().attrs["inkframe"]["total"]
        except InkframeError as error:
            yield _failed("service", error, f"Check {ADDRESS_VARIABLE}.")
        else:
            yield CheckResult(
                "service", f"{place} responds" + ("" if total is None else f"; {total:,} images")
            )


def _local_library(library: Path) -> CheckResult:
    """Check the local library with the quick checks only."""
    if str(library) == ":memory:":
        return CheckResult("service", "the local library, in memory: lost when it is closed")
    if not library.exists():
        return CheckResult("service", f"the local library; {library} is created on first use")
    try:
        version = check_library(library, whole=False)
    except InkframeError as error:
        return _failed("service", error, f"inkframe doctor --library {library}")
    if not os.access(library, os.W_OK) or not os.access(library.parent, os.W_OK):
        return CheckResult("service", f"the local library {library} is read-only", f"chmod u+w {library}")
    return CheckResult("service", f"the local library {library}; schema {version}")


def check_engine() -> Iterator[CheckResult]:
    """Check the engine of the local service."""
    if os.environ.get(ADDRESS_VARIABLE):
        return
    try:
        engine = find_engine()
    except ConfigurationError as error:
        yield _failed("engine", error, "unset INKFRAME_ENGINE")
        return
    if engine.is_stand_in:
        yield CheckResult("engine", f"{engine.name}, the demo engine")
        return
    try:
        if check := getattr(engine, "check", None):
            check()
    except Unavailable as trouble:
        first, _, rest = str(trouble).partition(". ")
        yield CheckResult("engine", f"{engine.name}: {first}", rest or "Check the settings of the engine.")
    else:
        yield CheckResult("engine", repr(engine).strip("<>"))
    finally:
        if close := getattr(engine, "close", None):
            close()


def _failed(name: str, error: InkframeError, cure: str) -> CheckResult:
    """Return an error as a result: its first line, and its remedy or a default one."""
    first, _, rest = str(error).partition("\n")
    return CheckResult(name, first, " ".join(rest.split()) or cure)


def _library(library: Path) -> int:
    """Check a library file completely."""
    version = check_library(library)
    return _print([CheckResult("library", f"{library}; schema {version}")])
