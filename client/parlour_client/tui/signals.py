"""The end from outside: a program that is told to end, and a terminal that goes away, with a signal or without a word.

Without a terminal each read is an end of file and each write an error; a program would spin, or wait for ever. So what
is open on it is led to nowhere, and the program ends in good order.
"""

import asyncio
import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

_LOOKS_EVERY = 500
"""Milliseconds between looks at whether the watch is over; a hang-up itself is seen at once."""


@contextmanager
def exit_on_signals(end: Callable[[], object]) -> Iterator[None]:
    """While in the context call ``end``, in the running loop, on SIGTERM, on SIGHUP, and when the terminal is gone."""
    loop, over = asyncio.get_running_loop(), Event()
    terminals = [file for file in (0, 1, 2) if os.isatty(file)]

    def gone() -> None:
        _lead_to_nowhere(terminals)
        loop.call_soon_threadsafe(end)

    with suppress(NotImplementedError, AttributeError):  # Windows has neither these signals nor poll
        loop.add_signal_handler(signal.SIGTERM, end)
        loop.add_signal_handler(signal.SIGHUP, gone)
        if 0 in terminals:
            Thread(target=_watch, args=(select.poll(), gone, over), name="hangup", daemon=True).start()
    try:
        yield
    finally:
        over.set()
        with suppress(NotImplementedError, AttributeError):
            loop.remove_signal_handler(signal.SIGTERM)
            loop.remove_signal_handler(signal.SIGHUP)


def _watch(poll: "select.poll", gone: Callable[[], None], over: Event) -> None:
    """Wait for the hang-up of standard input, or until it is ``over``."""
    poll.register(0, 0)  # no event is asked for: a hang-up is always told
    while not over.is_set():
        if poll.poll(_LOOKS_EVERY):
            gone()
            return


def _lead_to_nowhere(files: list[int]) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for file in files:
        os.dup2(nowhere, file)
    os.close(nowhere)
