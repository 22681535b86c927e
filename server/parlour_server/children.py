"""Keep a process that works beside the server: it gets its orders on stdin, and ends with the pipe to its parent."""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import structlog

from parlour_protocol.installation import module_command
from parlour_server.metrics import Metrics

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
STOPS_WITHIN = 3.0
"""Seconds."""

log = structlog.get_logger()


async def keep_child(
    what: str,
    module: str,
    orders: Callable[[], Any],
    metrics: Metrics,
    *,
    files: Sequence[int] = (),
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Run ``module`` until cancelled. If it ends, restart it: soon, or with growing pauses if it does not last.

    ``what`` it does is a fixed word. ``orders`` returns the first line of its stdin, as plain data; ``files``: open
    files that it inherits.
    """
    pause = FIRST_PAUSE
    while True:
        metrics.runs(what)
        began = clock()
        await _run(module, json.dumps(orders()).encode() + b"\n", files)
        if clock() - began > LONGEST_PAUSE:
            pause = FIRST_PAUSE
        metrics.ended(what)
        log.warning("a process has ended; it is started again", what=what, again_in_seconds=pause)
        await asyncio.sleep(pause)
        pause = min(LONGEST_PAUSE, pause * 2)


async def _run(module: str, line: bytes, files: Sequence[int]) -> None:
    child = await _start(*module_command(module), files=files)
    assert child.stdin is not None
    try:
        child.stdin.write(line)
        await child.stdin.drain()
        await child.wait()
    except (BrokenPipeError, ConnectionResetError):
        await child.wait()
    finally:
        if child.returncode is None:
            await _end(child)


async def _start(*command: str, files: Sequence[int]) -> asyncio.subprocess.Process:
    """Start a process, and end it if this task is cancelled meanwhile.

    When asyncio is cancelled during the start, it kills the process without closing our end of its pipe, and waits
    until the children of the process have closed theirs: forever, if they in turn wait for the end of the pipe.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    beginning = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=nothing, pass_fds=files)
    )
    try:
        return await asyncio.shield(beginning)
    except asyncio.CancelledError:
        await _end(await beginning)
        raise


async def _end(child: asyncio.subprocess.Process) -> None:
    assert child.stdin is not None
    child.stdin.close()
    with suppress(ProcessLookupError):
        child.terminate()
    try:  # in a cancelled task, where asyncio.timeout does not raise TimeoutError before Python 3.11.3
        await asyncio.wait_for(child.wait(), STOPS_WITHIN)
    except TimeoutError:
        child.kill()
        await child.wait()
