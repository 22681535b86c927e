"""The child process of ``compute``: run the computations that its parent asks for, one after the other.

It reads one JSON line a computation from stdin: ``{"game", "name", "args"}``, ``{"replay": …}`` with the arguments of
``game_files.positions.page``, ``{"continuation": …}`` with those of ``game_files.continuation.continuation``, or
``{"ladder": …}`` with those of ``contests.ladder.ladder``. It writes one to stdout, ``{"result": …}`` or
``{"error": TYPE}``; an error's message may be secret and is not reported. With ``"cpu"`` in the line, a
computation that takes more seconds of CPU time is given up, with ``{"late": true}``, where the system can limit it. The
process ends with its stdin, even during a computation.
"""

import json
import os
import queue
import signal
import sys
import threading

from parlour_games.game import Plain
from parlour_games.registry import games
from parlour_server.contests.ladder import ladder
from parlour_server.game_files.continuation import continuation
from parlour_server.game_files.replay import page

NICE = 5
"""Niceness compared with the server, whose moves come first."""


class OutOfTime(BaseException):
    """A computation has used up its CPU time. Games do not catch it."""


def main() -> None:
    """Compute what stdin asks for, until it closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles the terminal's interrupt
    if os.name != "nt":
        os.nice(NICE)
        signal.signal(signal.SIGPROF, _give_up)
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(asked,), daemon=True).start()
    while True:
        _write(json.dumps(_answer(json.loads(asked.get()))) + "\n")


def _write(line: str) -> None:
    try:
        sys.stdout.write(line)
        sys.stdout.flush()
    except BrokenPipeError:  # the server has died
        os._exit(0)


def _read(asked: "queue.SimpleQueue[bytes]") -> None:
    with open(0, "rb", closefd=False) as stdin:
        for line in stdin:
            asked.put(line)
    os._exit(0)


def _give_up(*_: object) -> None:
    raise OutOfTime


def _answer(wanted: Plain) -> Plain:
    """Return what is written for a line."""
    if "cpu" not in wanted or os.name == "nt":
        return _computed(wanted)
    try:
        signal.setitimer(signal.ITIMER_PROF, wanted["cpu"])
        try:
            return _computed(wanted)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except OutOfTime:
        return {"late": True}


def _computed(wanted: Plain) -> Plain:
    try:
        if "replay" in wanted:
            return {"result": page(**wanted["replay"])}
        if "continuation" in wanted:
            return {"result": continuation(**wanted["continuation"])}
        if "ladder" in wanted:
            return {"result": ladder(**wanted["ladder"])}
        return {"result": games()[wanted["game"]].compute(wanted["name"], wanted["args"])}
    except Exception as error:
        return {"error": type(error).__name__}


if __name__ == "__main__":
    main()
