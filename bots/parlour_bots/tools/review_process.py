"""A server's reviewer of UNO and Minesweeper: ``parlour_server.node.reviews`` describes what it reads and writes."""

import json
import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from parlour_bots.tools.review import decisions, replays, review
from parlour_client.core.errors import Fault, Usage
from parlour_protocol.messages import Plain

NICE = 10
"""Niceness of the process compared with the server, whose moves come first."""


def main() -> None:
    """Review the match and seat that stdin names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles the terminal's interrupt
    if os.name != "nt":
        os.nice(NICE)
    asked = json.loads(sys.stdin.readline())
    try:
        _write(_reviewed(asked["lines"], asked["seat"]))
    except (Fault, Usage) as error:
        _write({"refused": str(error)})


def _reviewed(lines: list[str], seat: int) -> Plain:
    """Return the review of ``seat``; write the progress, and wait until the server wants more. Raises Fault, Usage."""
    with TemporaryDirectory(prefix="parlour-") as folder:
        file = Path(folder, "match.jsonl")
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
        [replay] = replays(file, str(seat))
    of = len(decisions(replay))
    done = 0

    def judged() -> None:
        nonlocal done
        done += 1
        _go_on({"done": done, "of": of})

    _go_on({"done": 0, "of": of})
    return review(replay, None, 0, judged).plain()


def _go_on(said: Plain) -> None:
    _write(said)
    if not sys.stdin.readline():  # the server has ended
        sys.exit()


def _write(said: Plain) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
