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
from inkframe.service.store import Finding, inspect_library, repair_library

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
        return _library(options.library, repair=options.repair)
    if options.repair:
        raise ConfigurationError("--repair requires a library file: inkframe doctor --library FILE --repair.")
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
    check = f"inkframe doctor --library {library}"
    if str(library) == ":memory:":
        return CheckResult("service", "the local library, in memory: lost when it is closed")
    if not library.exists():
        return CheckResult("service", f"the local library; {library} is created on first use")
    try:
        findings = inspect_library(library, ("records",))
    except InkframeError as error:
        return _failed("service", error, check)
    if problem := next((finding.problem for finding in findings if finding.problem), None):
        return CheckResult("service", f"the local library {library}: {problem}", check)
    if not os.access(library, os.W_OK) or not os.access(library.parent, os.W_OK):
        return CheckResult("service", f"the local library {library} is read-only", f"chmod u+w {library}")
    return CheckResult("service", f"the local library {library}; {findings[-1].detail}")


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


def _library(library: Path, *, repair: bool) -> int:
    """Check a library, after repairing its derived data if requested."""
    if repair:
        repair_library(library)
    sys.stdout.write(f"{library}\n")
    return _print(_result(finding, library) for finding in inspect_library(library))


def _result(finding: Finding, library: Path) -> CheckResult:
    if finding.problem is None:
        return CheckResult(finding.name, finding.detail)
    if finding.repairable:
        cure = f"inkframe doctor --library {library} --repair"
    elif finding.name == "pictures":
        cure = "Delete these images, or create them again: client.images.delete(id)."
    else:
        # The recovery command of SQLite, for a damaged file.
        cure = f"sqlite3 {library} .recover | sqlite3 {library.with_suffix('.rescued.db')}"
    return CheckResult(finding.name, finding.problem, cure)
