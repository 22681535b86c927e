"""Rooms with a running match, for pages that watch."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any

from tests.support.server import ServerProcess
from tests.support.waiting import PATIENCE, wait_until
from websockets.sync.client import ClientConnection, connect

from parlour_protocol.messages import Plain

_NUMBERS = count()
"""Numbers for names: a name stays reserved for a while after its owner has left."""


class Guest:
    """A player with a socket, which is read only to get answers."""

    def __init__(self, socket: ClientConnection, name: str, kind: str) -> None:
        self._socket = socket
        self.ask(t="hello", name=name, kind=kind)

    def ask(self, **message: Any) -> Plain:
        """Send ``message`` and return its answer. Raises AssertionError for an error, TimeoutError for none."""
        self._socket.send(json.dumps({**message, "id": "asked"}))
        while True:
            heard: Plain = json.loads(self._socket.recv(PATIENCE))
            answer = heard if heard.get("re") == "asked" else heard.get("ok") or {}
            if answer.get("re") == "asked":
                assert answer.get("t") != "error", answer
                return answer


@contextmanager
def guests(server: ServerProcess, *names: str, kind: str = "human") -> Iterator[list[Guest]]:
    """Connect guests to ``server``, until the end of the context. Their sockets need not be read."""
    with ExitStack() as stack:
        yield [
            Guest(stack.enter_context(connect(server.url, proxy=None, ping_interval=None, max_queue=None)), name, kind)
            for name in names
        ]


def wait_for_bots(server: ServerProcess, *games: str) -> None:
    """Wait until ``server`` has started bots for ``games``. Until then a page that invites one is refused."""
    with guests(server, f"early-{next(_NUMBERS)}") as [early]:
        wait_until(
            lambda: {*games} <= {game for bot in early.ask(t="list")["bots"] for game in bot["games"]}, every=0.25
        )


@contextmanager
def running_match(server: ServerProcess, game: str, options: Plain | None = None, seats: int = 2) -> Iterator[str]:
    """Start a match of ``seats`` players, who do not move, and yield the code of its room."""
    with guests(server, *(f"{game[:4]}-{next(_NUMBERS)}" for _ in range(seats))) as people:
        room = people[0].ask(t="create", game=game, options=options or {}, seats=seats, clock=None)["room"]
        for other in people[1:]:
            other.ask(t="join", room=room)
        people[0].ask(t="start", room=room)
        if game == "minesweeper":
            people[0].ask(t="act", room=room, rid=1, act=0)
        yield str(room)
        for each in people:  # or stand-ins would play on
            each.ask(t="leave", room=room)
