"""Cleanup scripts that run if the test process is killed."""

import signal
import subprocess
import sys
from pathlib import Path

from tests.support.processes import gone, otherwise
from tests.support.waiting import until

CHILD = """
import sys
from tests.support.processes import otherwise
with otherwise(f"echo >{sys.argv[1]}"):
    print(flush=True)
    input()
"""
HERE = Path(__file__).parents[2]


def started(sign: Path) -> "subprocess.Popen[bytes]":
    command = (sys.executable, "-c", CHILD, str(sign))
    child = subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    return child


async def test_script_runs_if_the_process_is_killed(tmp_path: Path) -> None:
    with started(tmp_path / "sign") as child:
        child.send_signal(signal.SIGKILL)
        await until((tmp_path / "sign").exists)


async def test_script_does_not_run_after_the_context(tmp_path: Path) -> None:
    with started(tmp_path / "sign") as child:
        child.communicate(b"\n")
        assert child.returncode == 0
    assert not (tmp_path / "sign").exists()


def test_shell_exits_with_the_context() -> None:
    with otherwise("true") as watch:
        assert not gone(watch)
    assert gone(watch)
