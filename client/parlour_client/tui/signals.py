"""Termination from outside: signals, and terminals that disappear with or without a signal.

Without its terminal a program reads only ends of file, and its writes fail; it would spin or hang. So its file
descriptors are redirected to the null device, and the program ends in good order.
"""

import asyncio
import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

_LOOKS_EVERY = 500
"""Milliseconds between checks whether to stop watching. A hang-up is noticed immediately."""


@contextmanager
def exit_on_signals(end: Callable[[], object]) -> Iterator[None]:
    """Within the context, call ``end`` in the running loop on SIGTERM, SIGHUP, and loss of the terminal."""
    loop, over = asyncio.get_running_loop(), Event()
    terminals = [file for file in (0, 1, 2) if os.isatty(file)]

    def gone() -> None:
        _redirect_to_null(terminals)
        loop.call_soon_threadsafe(end)

    with suppress(NotImplementedError, AttributeError):  # not available on Windows
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
    poll.register(0, 0)  # poll always reports a hang-up, without any event requested
    while not over.is_set():
        if poll.poll(_LOOKS_EVERY):
            gone()
            return


def _redirect_to_null(files: list[int]) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for file in files:
        os.dup2(null, file)
    os.close(null)
