"""``python -m tools.matrix``: build the wheel, try it in all environments, and print a table of the outcomes."""

import argparse
import asyncio
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

import attrs
from rich.console import Console
from rich.table import Table

from tools.matrix import smoke
from tools.matrix.environments import environments, whole_systems
from tools.matrix.rows import CHECKOUT, Row
from tools.matrix.sandbox import run
from tools.matrix.windows import WINDOWS, WindowsRow

UV = Path(sys.executable).with_name("uv")


def main(words: Sequence[str] | None = None) -> int:
    """Return 1 if a check failed, 2 if there is nothing to try, 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m tools.matrix", description="Try the wheel in many environments.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only environments whose name contains this")
    parser.add_argument("--full", action="store_true", help="make demo and make test of a fresh clone instead")
    parser.add_argument("--jobs", type=int, default=2, help="how many environments at a time (default: 2)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="what is not tried by then is skipped")
    parser.add_argument("--json", action="store_true", help="print the outcomes as one JSON object")
    given = parser.parse_args(words)
    if not (given.full or UV.exists()):
        parser.error("uv is missing; make matrix installs it")
    begun = time.monotonic()

    def report(row: Row, says: str) -> None:
        print(f"{time.monotonic() - begun:5.0f} s  {row.name}: {says}", file=sys.stderr, flush=True)

    found = whole_systems() if given.full else environments()
    rows = [Row(environment, report) for environment in found]
    if not given.full:
        rows.insert(0, WindowsRow(WINDOWS, report))
    rows = [row for row in rows if not given.names or any(name in row.name for name in given.names)]
    if not rows:
        parser.error("no environment has that name")
    try:
        asyncio.run(_all(rows, given.jobs, given.minutes * 60, clone=given.full))
    except (KeyboardInterrupt, asyncio.CancelledError):
        print("interrupted", file=sys.stderr)
        return 130
    if given.json:
        print(json.dumps({"ok": all(row.ok for row in rows), "rows": [_plain(row) for row in rows]}))
    else:
        _show(rows)
    return 0 if all(row.ok for row in rows) else 1


async def _all(rows: Sequence[Row], jobs: int, within: float, *, clone: bool) -> None:
    """Run all rows, ``jobs`` at a time; after ``within`` seconds skip the rest. SIGTERM ends them like Ctrl-C."""
    task = asyncio.current_task()
    assert task is not None
    end = None if within == float("inf") else asyncio.get_running_loop().time() + within
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    places = asyncio.Semaphore(jobs)
    with tempfile.TemporaryDirectory(prefix="parlour-matrix-", ignore_cleanup_errors=True) as name:
        work = Path(name)
        os.chmod(work, 0o755)  # ordinary users read it, too
        if not clone:
            await _prepare(work)

        async def run_row(number: int, row: Row) -> None:
            async with places:
                try:
                    async with asyncio.timeout_at(end):
                        await row.run(work, work / f"{number}", clone=clone)
                except TimeoutError:
                    row.skip(f"not finished within {within / 60:g} minutes")
                shutil.rmtree(work / f"{number}", ignore_errors=True)

        async with asyncio.TaskGroup() as group:
            for number, row in enumerate(rows):
                group.create_task(run_row(number, row))


async def _prepare(work: Path) -> None:
    """Put into ``work`` what all rows use: the wheel, uv, the smoke, and the checkout without its packages."""
    await run(str(UV), "build", "--quiet", "--wheel", "--out-dir", str(work), str(CHECKOUT), within=300.0)
    shutil.copy(UV, work)
    shutil.copy(smoke.__file__, work)
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = [Path(package).name for package in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]]
    ignored = shutil.ignore_patterns(".*", "__pycache__", "node_modules", *packages)
    shutil.copytree(CHECKOUT, work / "tree", ignore=ignored)


def _show(rows: Sequence[Row]) -> None:
    """Print the table, why environments were skipped, and what failed."""
    checks = dict.fromkeys(check.check for row in rows for check in row.checks)
    columns = sorted(checks, key="tests".__eq__)  # which only some rows have, last
    table = Table("system", "Python", *columns)
    for row in rows:
        outcomes = {check.check: "ok" if check.ok else "FAILED" for check in row.checks}
        cells = (outcomes.get(column, "-" if row.skipped else "") for column in columns)
        table.add_row(row.environment.system, row.python or "skipped", *cells)
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False)
    console.print(table)
    for row in rows:
        if row.skipped:
            print(f"skipped: {row.name}: {row.skipped}")
    for row in rows:
        for check in row.checks:
            if not check.ok:
                print(f"\n--- {row.name}: {check.check} failed\n{check.says}")


def _plain(row: Row) -> dict[str, object]:
    """Return the row as plain data for JSON."""
    checks = [attrs.asdict(check) for check in row.checks]
    return {"system": row.environment.system, "python": row.python, "skipped": row.skipped, "checks": checks}


if __name__ == "__main__":
    sys.exit(main())
