"""However parlour ends, the programs that it has started end with it."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
from tests.bots.programs import IS_CONFINED, daemons
from tests.support.processes import called
from tests.support.waiting import until

PARLOUR = (sys.executable, "-m", "parlour_client.cli.main")
STAFF = """
game = "uno"
seed = 7
budget = 60_000
[[staff]]
name = "random"
bot = "random"
threshold = 1
points = 3
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes in sessions of their own are not adopted")
@pytest.mark.parametrize(
    ("command", "sent"),
    [
        pytest.param("bot exec", signal.SIGTERM, marks=pytest.mark.long),
        pytest.param("bot exec", signal.SIGHUP, marks=pytest.mark.long),
        ("bot exec", signal.SIGKILL),
        pytest.param("arena", signal.SIGKILL, marks=pytest.mark.long),
        ("contest grade", signal.SIGTERM),
    ],
)
async def test_programs_end_with_parlour(command: str, sent: signal.Signals, tmp_path: Path) -> None:
    name = f"bot-{command.replace(' ', '-')}-{sent}-{os.getpid()}"
    program = tmp_path / "all" / "bot" / "bot"
    program.parent.mkdir(parents=True)
    script = f"input(), input()\nprint(0, flush=True)\nos.execlp('sleep', {name!r}, '1000')"
    program.write_text(f"#!{sys.executable}\nimport os\n{daemons(name, 2)}\n{script}\n")
    program.chmod(0o755)
    (tmp_path / "staff.toml").write_text(STAFF)
    words = {
        "bot exec": ("bot", "exec", "--budget", "60000", "--", str(program)),
        "arena": ("arena", "uno", f"exec:{program}", "random", "--jobs", "2", "--games", "4", "--budget", "60000"),
        "contest grade": (
            *("contest", "grade", str(tmp_path / "all"), "--against", str(tmp_path / "staff.toml")),
            *("--results", str(tmp_path / "results"), *(() if IS_CONFINED else ("--unconfined",))),
        ),
    }[command]
    parlour = await asyncio.create_subprocess_exec(*PARLOUR, *words, stdout=asyncio.subprocess.DEVNULL)
    try:
        await until(lambda: len(called(name)) >= 3)
        parlour.send_signal(sent)
        assert await parlour.wait() == -sent
        await until(lambda: called(name) == [])
    finally:
        if parlour.returncode is None:
            parlour.kill()
            await parlour.wait()
