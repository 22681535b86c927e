"""A row of the matrix: an environment, and the outcomes of what is tried in it."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree

import attrs

from tools.matrix.environments import Environment
from tools.matrix.sandbox import USER, Failed, Sandbox, Skipped, run

CHECKOUT = Path(__file__).parents[2]
_VERSION = "import platform; print(platform.python_version())"
_MINUTE = 60.0


@attrs.frozen
class Check:
    """The outcome of a check."""

    check: str
    ok: bool
    seconds: float
    says: str = ""
    """What went wrong."""


@attrs.define
class Row:
    """An environment and the outcomes of its checks."""

    environment: Environment
    report: Callable[["Row", str], None]
    """Gets each outcome when it is known."""
    python: str = ""
    """The version of its Python, once that is known."""
    skipped: str = ""
    """Why the environment was not tried, or only in part."""
    checks: list[Check] = attrs.field(factory=list)

    @property
    def name(self) -> str:
        """The name of its system, and its Python."""
        return f"{self.environment.system}, Python {self.python or self.environment.python}"

    @property
    def ok(self) -> bool:
        """Whether no check failed."""
        return all(check.ok for check in self.checks)

    async def run(self, work: Path, folder: Path, *, clone: bool) -> None:
        """Make the environment; try the wheel that is in ``work``, or a fresh clone. Write only in ``folder``."""
        sandbox = Sandbox(self.environment, work, folder)
        try:
            await sandbox.prepare()
            await (self._try_clone(sandbox) if clone else self._try_wheel(sandbox))
        except Skipped as why:
            self.skip(str(why))

    def skip(self, why: str) -> None:
        """Note that the environment was not tried, or only in part."""
        self.skipped = why
        self.report(self, f"skipped: {why}")

    async def _try_wheel(self, sandbox: Sandbox) -> None:
        python = str(sandbox.folder / "venv/bin/python")
        with self._checked("install"):
            await self._install(sandbox, python)
        if not self.ok:
            return
        try:
            script = sandbox.work / "smoke.py"
            await sandbox.run(python, str(script), cwd=sandbox.folder, within=15 * _MINUTE, told=self._smoked)
        except Failed as error:
            if self.ok:
                self._add(Check("smoke", False, 0.0, str(error)))
        if self.environment.tests:
            with self._checked("tests"):
                tree = copytree(sandbox.work / "tree", sandbox.folder / "tree")
                words = ("-m", "pytest", "-q", "--tb=short", "-n", "2", "--dist", "worksteal", *self.environment.tests)
                await sandbox.run(python, *words, cwd=tree, within=15 * _MINUTE)

    async def _install(self, sandbox: Sandbox, python: str) -> None:
        """Install the wheel in a new virtual environment, and what the tests need if any are run.

        Raises Failed, and Skipped if there are no builds of the libraries for learning agents.
        """
        tree, (wheel,) = sandbox.work / "tree", map(str, sandbox.work.glob("*.whl"))
        uv, into, project = str(sandbox.work / "uv"), ("pip", "install", "--python", python), f"{tree}/pyproject.toml"
        commands: list[tuple[str, ...]] = [(uv, "venv", "--python", self.environment.python, "venv")]
        if self.environment.lowest:
            commands.append((uv, *into, "--resolution", "lowest-direct", "--requirements", project))
        commands.append((uv, *into, wheel))
        if self.environment.tests:
            commands.append((uv, *into, "--group", f"{project}:test"))
        commands.append((python, "-c", _VERSION))
        for command in commands:
            said = await sandbox.run(*command, cwd=sandbox.folder, within=10 * _MINUTE, installing=True)
        self.python = said.splitlines()[-1]
        if self.environment.learners:
            group = self.environment.system
            command = (uv, *into, "--torch-backend", "cpu", f"{wheel}[rl]", "--group", f"{project}:{group}")
            try:
                await sandbox.run(*command, cwd=sandbox.folder, within=20 * _MINUTE, installing=True)
            except Failed as error:
                raise Skipped(f"cannot install the group {group}: {str(error).splitlines()[-1]}") from error

    async def _try_clone(self, sandbox: Sandbox) -> None:
        """Run what the README says first, from a fresh clone."""
        clone = sandbox.folder / "clone"
        await run("git", "clone", "--quiet", str(CHECKOUT), str(clone), within=5 * _MINUTE)
        if self.environment.ordinary:
            await run("chown", "-R", f"{USER}:{USER}", str(clone), within=_MINUTE)
        make = ("make", f"PYTHON={self.environment.python}")
        for target in ("demo", "test"):
            with self._checked(target):
                await sandbox.run(
                    *make, target, cwd=clone, within=60 * _MINUTE, told=lambda line: self.report(self, line)
                )
        self.python = (
            await sandbox.run(str(clone / ".venv/bin/python"), "-c", _VERSION, within=_MINUTE, cwd=clone)
        ).strip()

    @contextmanager
    def _checked(self, name: str) -> Iterator[None]:
        """Add what is done in the context as a check, which fails if that raises Failed."""
        began, says = time.monotonic(), ""
        try:
            yield
        except Failed as error:
            says = str(error)
        self._add(Check(name, not says, round(time.monotonic() - began, 1), says))

    def _smoked(self, line: str) -> None:
        """Add a check from its line of the smoke's output."""
        if line.startswith('{"check"'):
            self._add(Check(**json.loads(line)))

    def _add(self, check: Check) -> None:
        self.checks.append(check)
        self.report(self, f"{check.check} {'ok' if check.ok else 'FAILED'} ({check.seconds:.1f} s)")
