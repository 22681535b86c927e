"""The process beside the server: it computes, it survives its own death, and it does not outlive its parent."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
from tests.server.matches import play
from tests.support.processes import children, gone
from tests.support.waiting import PATIENCE, until

from parlour_games.game import Plain
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_server.node import compute
from parlour_server.node.budget import Computing
from parlour_server.node.compute import ComputationFailed, NotWanted, Worker

EASY: Plain = {"width": 9, "height": 9, "mines": 10, "key": "00" * 32, "promise": "opening", "first": 40}
HARD: Plain = {**EASY, "width": 100, "height": 100, "mines": 2_200}
"""A search of half a minute."""
GAME = Minesweeper()


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    worker = Worker()
    yield worker
    await worker.close()


def processes() -> set[int]:
    return set(children(os.getpid()))


async def test_it_computes_in_one_other_process(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "QUICK", 0.5)  # of CPU time: to start the process takes longer
    before = processes()
    wanted = [{**EASY, "first": first} for first in (0, 40, 80)]
    found = await asyncio.gather(*(worker.compute(GAME, "board", args) for args in wanted))
    assert found == [GAME.compute("board", args) for args in wanted]
    assert len(processes() - before) == 1


async def test_a_computation_that_is_not_quick_is_repeated_in_a_second_process(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compute, "QUICK", 0.05)
    before = processes()
    hard = asyncio.create_task(worker.compute(GAME, "board", HARD, "anna"))
    await until(lambda: len(processes() - before) == 2)
    monkeypatch.setattr(compute, "QUICK", 60.0)
    assert await worker.compute(GAME, "board", EASY, "bert") == GAME.compute("board", EASY)
    assert len(processes() - before) == 2, "the first goes on with what others ask for"
    hard.cancel()
    await asyncio.wait([hard])  # its process has ended before the loop does


async def test_what_fails_says_what_kind_of_error_it_was_and_the_process_goes_on(worker: Worker) -> None:
    with pytest.raises(ComputationFailed, match=r"^LookupError$"):
        await worker.compute(GAME, "tea", EASY)
    assert await worker.compute(GAME, "board", EASY) == GAME.compute("board", EASY)


async def test_a_match_is_replayed_there(worker: Worker) -> None:
    played = play("uno", 1)
    found = await worker.replay({"lines": played.log, "after": 2, "seat": 0}, "anna", lambda: True)
    assert found["lines"][0] == played.lines[2]
    assert len(found["lines"]) == len(found["views"])


async def test_an_owner_that_has_used_up_its_credit_waits_for_its_share_unless_it_is_alone() -> None:
    now, alone = 0.0, False

    def clock() -> float:
        nonlocal now
        now += 0.5  # each computation takes a second, with the calls before and after it
        return now

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    async def compute(owner: str) -> float:
        before = now
        await paced.compute(GAME, "board", EASY, owner)
        return now - before

    paced = Worker(Computing(clock, sleep, lambda owner: alone))
    try:
        took = [await compute("anna") for _ in range(15)]
        assert took[0] < 3
        assert 0.5 * 15 / sum(took) <= 0.3, "of a core"
        assert await compute("bert") < 3
        alone = True
        assert sum([await compute("anna") for _ in range(5)]) < 15
        alone = False
        assert await compute("bert") < 3
    finally:
        await paced.close()


async def test_a_computation_whose_process_dies_is_repeated_once(worker: Worker) -> None:
    before = processes()
    hard = asyncio.create_task(worker.compute(GAME, "board", HARD))
    killed = set[int]()
    for _ in range(2):
        await until(lambda: len(processes() - before - killed) == 1)
        [pid] = processes() - before - killed
        os.kill(pid, signal.SIGKILL)
        killed.add(pid)
    with pytest.raises(ComputationFailed, match="died"):
        await hard
    assert await worker.compute(GAME, "board", EASY) == GAME.compute("board", EASY)


async def test_a_computation_that_nobody_waits_for_is_ended(worker: Worker) -> None:
    before = processes()
    hard = asyncio.create_task(worker.compute(GAME, "board", HARD))
    await until(lambda: len(processes() - before) == 1)
    [pid] = processes() - before
    hard.cancel()
    await until(lambda: gone(pid))
    assert await worker.compute(GAME, "board", EASY) == GAME.compute("board", EASY)


_PARENT = f"""
import asyncio
import json
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_server.node.compute import Worker

async def main():
    asyncio.get_running_loop().call_later(0.5, print, "computing")
    await Worker().compute(Minesweeper(), "board", {HARD})

asyncio.run(main())
"""


async def test_it_ends_with_a_parent_that_is_killed_in_the_middle_of_a_computation() -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, "-u", "-c", _PARENT, stdout=asyncio.subprocess.PIPE)
    assert parent.stdout is not None
    await parent.stdout.readline()
    [pid] = children(parent.pid)
    parent.kill()
    await until(lambda: gone(pid))
    await parent.communicate()  # also closes the pipe, before the loop ends


def test_it_ends_quietly_when_nobody_wants_its_answer_any_more() -> None:
    with subprocess.Popen(
        (sys.executable, "-m", "parlour_server.node.computations"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdin
        assert child.stdout
        assert child.stderr
        child.stdout.close()
        child.stdin.write(json.dumps({"game": GAME.name, "name": "board", "args": EASY}).encode() + b"\n")
        child.stdin.flush()
        assert child.stderr.read() == b""
        assert child.wait(PATIENCE) == 0


async def test_what_nobody_wants_any_more_when_its_turn_comes_is_not_computed(worker: Worker) -> None:
    wanted = [True, True]
    first = asyncio.create_task(worker.compute(GAME, "board", EASY, "anna", lambda: wanted[0]))
    second = asyncio.create_task(worker.compute(GAME, "board", EASY, "anna", lambda: wanted[1]))
    await asyncio.sleep(0)
    wanted[1] = False
    assert await first == GAME.compute("board", EASY)
    with pytest.raises(NotWanted):
        await second
