import asyncio
import json
import os
import re
import shlex
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.support.commands import Finished, run
from tests.support.processes import children, gone
from tests.support.server import environment
from tests.support.waiting import PATIENCE, until

from parlour_bots.judgement import CLEARLY
from parlour_client.replays import read


@asynccontextmanager
async def running(tmp_path: Path, *words: object) -> AsyncIterator[Process]:
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


def arena(*words: object) -> Finished:
    return run("arena", *map(str, words))


def played(*words: object) -> Any:
    """Return what ``parlour arena`` tells as data."""
    done = arena(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refused(*words: object) -> str:
    """Return the one line of complaint before anything is played."""
    done = arena(*words)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    return done.stderr


def costliest(found: Any) -> Any:
    """Return the costliest decision of losses as data; it comes first, is clear, and its command opens it."""
    costs = [each["cost"] for each in found["costly"]]
    assert costs == sorted(costs, reverse=True)
    worst = found["costly"][0]
    assert worst["cost"] > CLEARLY * worst["error"]
    steps = read(Path(worst["file"]), worst["seat"]).steps
    assert steps[worst["n"] - 1].act == worst["action"] != worst["best"]
    assert "Your " in run(*shlex.split(worst["command"])[1:]).stdout
    return worst
