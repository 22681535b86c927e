"""The thread of a store, which all commits need."""

import sys
from functools import partial

import pytest

from parlour_server.store.sqlite.store import CallThread


async def test_a_call_that_wants_to_end_the_thread_does_not() -> None:
    thread = CallThread("store")
    for error in (SystemExit, KeyboardInterrupt, MemoryError):
        with pytest.raises(error):
            await thread.run(partial(_raise, error))
    assert await thread.run(lambda: sys.maxsize) == sys.maxsize
    thread.close()


def _raise(error: type[BaseException]) -> None:
    raise error
