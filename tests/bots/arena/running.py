"""The arena as a command of its own, to be interrupted."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support.processes import children, gone
from tests.support.server import environment
from tests.support.waiting import PATIENCE, until

from parlour_bots.judgement import CLEARLY
from parlour_client.replays import read


@asynccontextmanager
async def running(tmp_path: Path, *words: object) -> AsyncIterator[Process]:
    """Run ``parlour arena`` as a process group of its own."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "parlour_client.cli.main", "arena", *map(str, words)),
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
        env=environment(tmp_path),
    )
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
            await child.communicate()


async def interrupted(child: Process) -> str:
    """Press Ctrl-C and return what is printed; nothing is said on stderr, and nobody is left."""
    family = [pid for one in children(child.pid) for pid in (one, *children(one))]
    os.killpg(child.pid, signal.SIGINT)
    async with asyncio.timeout(PATIENCE):
        text, complaints = await child.communicate()
    progress = re.compile(rb"\d+ of \d+ games: .*\n")  # a slow machine has time for it
    assert (child.returncode, progress.sub(b"", complaints).strip()) == (130, b"")
    await until(lambda: all(map(gone, family)))
    return text.decode()


def complained(capsys: pytest.CaptureFixture[str], told: str) -> None:
    """Nothing has been printed but one line of complaint."""
    out, err = capsys.readouterr()
    assert out == ""
    assert told in err
    assert len(err.splitlines()) == 1


def costliest(found: Any) -> Any:
    """Return the costliest decision of losses as data; it comes first, is clear, and is in its match file."""
    costs = [each["cost"] for each in found["costly"]]
    assert costs == sorted(costs, reverse=True)
    worst = found["costly"][0]
    assert worst["cost"] > CLEARLY * worst["error"]
    steps = read(Path(worst["file"]), worst["seat"]).steps
    assert steps[worst["n"] - 1].act == worst["action"] != worst["best"]
    return worst
