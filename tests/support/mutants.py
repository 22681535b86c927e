"""Mutation testing: ``make mutants`` changes one place of the code at a time and reports changes that no test detects.

::

    make mutants                        # a tenth of the mutants of all TARGETS
    make mutants OF=uno SHARE=10        # all mutants of UNO

It runs mutmut on a copy in a temporary folder. A surviving mutant is a gap in the tests or an equivalent program. Code
that runs at import time cannot be tested, because mutmut imports modules first.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "protocol/parlour_protocol", "games/parlour_games", "server/parlour_server", "client/parlour_client",
    "bots/parlour_bots",
)  # fmt: skip
DIGITS = "3714926508"
"""The last digits of mutant numbers in a share: the first N digits for N tenths."""


@attrs.frozen
class Target:
    """Modules to mutate and the folder of their tests; ``slow`` tests are excluded."""

    package: str
    modules: tuple[str, ...]
    tests: str
    slow: tuple[str, ...] = ()


TARGETS = {
    "uno": Target(
        "parlour_games/uno",
        ("rules", "house_rules", "calls", "piles", "rounds", "scoring", "state", "explanations"),
        "tests/games/uno",
    ),
    "minesweeper": Target(
        "parlour_games/minesweeper",
        ("rules", "duel", "board", "results", "state", "fair_boards"),
        "tests/games/minesweeper",
    ),
    "rooms": Target(
        "parlour_server/rooms",
        ("core", "room", "state", "decisions", "match", "timers", "seating", "readiness"),
        "tests/server/rooms",
        ("random_rooms", "secrecy", "canaries"),
    ),
}


def configuration(target: Target) -> str:
    """Return the configuration of mutmut."""
    tests = sorted(str(path.relative_to(ROOT)) for path in (ROOT / target.tests).glob("test_*.py"))
    settings: dict[str, list[str] | str] = {
        "source_paths": ["src"],
        "only_mutate": [f"src/{target.package}/{module}.py" for module in target.modules],
        "also_copy": ["docs", "benchmarks"],
        "pytest_add_cli_args_test_selection": [test for test in tests if not any(each in test for each in target.slow)],
        "pytest_add_cli_args": ["-p", "no:xdist", "-p", "no:cacheprovider", "--hypothesis-seed=1"],
        "timeout_multiplier": "4",
        "use_git_change_detection": "false",
        "track_dependencies": "false",
    }
    lines = [
        f"{name}={value}" if isinstance(value, str) else "\n    ".join([f"{name}=", *value])
        for name, value in settings.items()
    ]
    return "\n".join(["[mutmut]", *lines, ""])


def copy_to(folder: Path, target: Target) -> None:
    """Copy the packages and tests to ``folder`` and write the configuration."""
    ignored = shutil.ignore_patterns("__pycache__")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / "src" / Path(package).name, ignore=ignored)
    for name in ("tests", "docs", "benchmarks"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "setup.cfg").write_text(configuration(target))


def exit_codes(folder: Path) -> dict[str, int]:
    """Return pytest's exit code for each tested mutant; 0 means that no test failed."""
    found: dict[str, int] = {}
    for path in folder.glob("mutants/src/**/*.meta"):
        codes = json.loads(path.read_text())["exit_code_by_key"]
        found |= {name: code for name, code in codes.items() if code is not None}
    return found


def report(folder: Path, name: str) -> Iterator[str]:
    """Yield the report on a target: the numbers, then each surviving mutant with its diff."""
    codes = exit_codes(folder)
    survivors = sorted(mutant for mutant, code in codes.items() if code == 0)
    yield f"{name}: {len(codes)} mutants tested, {len(codes) - len(survivors)} killed, {len(survivors)} survived"
    for mutant in survivors:
        yield mutant
        diff = _mutmut(folder, "show", mutant, capture_output=True).stdout.splitlines()
        yield from (f"    {line}" for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---"))


def _mutmut(folder: Path, *words: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    seeded = {**os.environ, "PARLOUR_SEED": "1"}
    return subprocess.run((sys.executable, "-m", "mutmut", *words), cwd=folder, env=seeded, text=True, **options)


def main() -> int:
    """Test the mutants of the named targets; return 1 if mutmut fails."""
    parser = argparse.ArgumentParser(description="Run mutation tests.")
    parser.add_argument("names", nargs="*", choices=[*TARGETS, []], help="targets; default: all")
    parser.add_argument("--share", type=int, default=1, choices=range(1, 11), help="tenths of all mutants; default: 1")
    given = parser.parse_args()
    for name in given.names or TARGETS:
        with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
            folder = Path(temporary)
            copy_to(folder, TARGETS[name])
            chosen = f"*__mutmut_*[{DIGITS[: given.share]}]"
            if _mutmut(folder, "run", "--max-children", "2", chosen).returncode:
                return 1
            print("\n".join(report(folder, name)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
