"""The matrix of systems: what it starts and mounts ends with it, and no failure is lost."""

import asyncio
import sys
from pathlib import Path

import pytest
from tests.support.processes import gone
from tests.support.waiting import until
from tools.matrix.environments import Environment
from tools.matrix.rows import Row
from tools.matrix.sandbox import Failed, Sandbox, Skipped, run

CRASHING = """
print('{"check": "demo", "ok": true, "seconds": 1.0, "says": ""}', flush=True)
raise SystemExit("no more")
"""


def in_sandbox(folder: Path, environment: Environment, script: str) -> str:
    """Return the output of a shell script in the environment. Skips the test where that needs root."""
    folder.chmod(0o755)
    sandbox = Sandbox(environment, folder, folder / "row")

    async def prepared() -> str:
        await sandbox.prepare()
        return await sandbox.run("/bin/sh", "-c", script, within=60.0, cwd=Path("/"))

    try:
        return asyncio.run(prepared())
    except Skipped as why:
        pytest.skip(str(why))


async def test_a_cancelled_command_ends_with_all_that_it_started() -> None:
    pids: list[str] = []
    script = "sleep 600 & echo $!; sleep 600"
    task = asyncio.create_task(run("sh", "-c", script, within=600.0, told=pids.append))
    await until(lambda: bool(pids))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: gone(int(pids[0])))


async def test_a_command_that_fails_says_what_it_wrote() -> None:
    with pytest.raises(Failed, match=r"(?s)exit code 3.*the reason"):
        await run("sh", "-c", "echo the reason >&2; exit 3", within=60.0)


async def test_a_command_that_takes_too_long_is_killed() -> None:
    with pytest.raises(Failed, match="killed after"):
        await run("sh", "-c", "sleep 600", within=0.1)


def test_localhost_has_two_addresses_in_there_only(tmp_path: Path) -> None:
    before = Path("/etc/hosts").read_bytes()
    hosts = in_sandbox(tmp_path, Environment("", "/bin/sh", dual_stack=True), "cat /etc/hosts").splitlines()
    assert [line.split()[0] for line in hosts if "localhost" in line.split()] == ["127.0.0.1", "::1"]
    assert Path("/etc/hosts").read_bytes() == before
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()


def test_a_bare_user_has_no_rights_and_no_programs(tmp_path: Path) -> None:
    script = '/usr/bin/id -u; (: >"$HOME/file") 2>&- || echo read-only; echo "$LANG$TERM"; command -v git || echo none'
    said = in_sandbox(tmp_path, Environment("", "/bin/sh", ordinary=True, bare=True), script)
    assert said.splitlines() == ["54321", "read-only", "C", "none"]


async def test_a_smoke_that_crashes_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "parlour.whl").touch()
    (tmp_path / "smoke.py").write_text(CRASHING)
    installer = tmp_path / "uv"  # gives this Python, whatever it is to install
    installer.write_text(f"#!/bin/sh\nmkdir -p venv/bin\nln -sf {sys.executable} venv/bin/python\n")
    installer.chmod(0o755)
    told: list[str] = []
    row = Row(Environment("", sys.executable), lambda _, says: told.append(says))
    await row.run(tmp_path, tmp_path / "row", clone=False)
    assert [(check.check, check.ok) for check in row.checks] == [("install", True), ("demo", True), ("smoke", False)]
    assert "no more" in row.checks[-1].says
    assert not row.ok
    assert len(told) == 3
