"""The process beside the server: it computes, it survives its own death, and it does not outlive its parent."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool

import pytest
from tests.server.rooms.fake import Fake
from tests.support.processes import gone
from tests.support.waiting import until

from parlour_games.game import Plain
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_server.worker import Worker


class Troubled(Fake):
    """A game whose computations do strange things."""

    def compute(self, name: str, args: Plain) -> Plain:
        if name == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if name == "raise":
            raise ValueError("no such board")
        return {"pid": os.getpid()}


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()


async def test_it_computes_in_another_process_and_keeps_it(worker: Worker) -> None:
    first, again = [await worker.compute(Troubled(), "pid", {}) for _ in range(2)]
    assert first == again
    assert first["pid"] != os.getpid()


async def test_a_board_without_guesses_comes_back(worker: Worker) -> None:
    args = {"width": 9, "height": 9, "mines": 10, "key": "00" * 32, "promise": "opening", "first": 40}
    assert await worker.compute(Minesweeper(), "board", args) == Minesweeper().compute("board", args)


async def test_what_a_computation_raises_is_raised(worker: Worker) -> None:
    with pytest.raises(ValueError, match="no such board"):
        await worker.compute(Troubled(), "raise", {})


async def test_after_a_death_there_is_a_new_process(worker: Worker) -> None:
    with pytest.raises(BrokenProcessPool):
        await worker.compute(Troubled(), "die", {})
    assert (await worker.compute(Troubled(), "pid", {}))["pid"] != os.getpid()


_PARENT = """
import asyncio
from tests.server.test_worker import Troubled
from parlour_server.worker import Worker

async def main():
    print((await Worker().compute(Troubled(), "pid", {}))["pid"], flush=True)
    await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
async def test_it_ends_with_a_parent_that_is_killed() -> None:
    way = {**os.environ, "PYTHONPATH": "."}
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PARENT, stdout=asyncio.subprocess.PIPE, env=way
    )
    assert parent.stdout is not None
    pid = int(await parent.stdout.readline())
    parent.kill()
    await parent.wait()
    await until(lambda: gone(pid))
