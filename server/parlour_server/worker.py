"""A process beside the server for computations that games ask for: the event loop goes on meanwhile, undisturbed."""

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress

from parlour_games.game import Plain
from parlour_games.registry import AnyGame


class Worker:
    """One process, started when it is first needed; it does one computation after the other."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def compute(self, game: AnyGame, name: str, args: Plain) -> Plain:
        """Return what the computation ``name`` of ``game`` comes to. Raises whatever it raises.

        If the process dies of it, that is BrokenProcessPool, and the next computation gets a new process.
        """
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=spawn, initializer=_prepare)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, game.compute, name, args)
        except BrokenProcessPool:
            self.close()
            raise

    def close(self) -> None:
        """End the process, in the middle of a computation if need be."""
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)


def _prepare() -> None:
    """End with the parent, however it ends, and leave the terminal's interrupt to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        with suppress(OSError):
            parent.join()
        os._exit(1)
