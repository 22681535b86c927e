"""Tables of people who do not hurry: rooms in which a match is under way, for who looks on."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any

from tests.support.server import ServerProcess
from tests.support.waiting import PATIENCE
from websockets.sync.client import ClientConnection, connect

from parlour_protocol.messages import Plain

_NUMBERS = count()
"""Of guests: a seat is held for a while when its owner has gone, and so is a name."""


class Guest:
    """Somebody with a socket, who reads only to hear an answer."""

    def __init__(self, socket: ClientConnection, name: str) -> None:
        self._socket = socket
        self.ask(t="hello", name=name, kind="human")

    def ask(self, **message: Any) -> Plain:
        """Say ``message`` and return its answer. Raises AssertionError if it was refused, TimeoutError without one."""
        self._socket.send(json.dumps({**message, "id": "asked"}))
        while True:
            heard: Plain = json.loads(self._socket.recv(PATIENCE))
            answer = heard if heard.get("re") == "asked" else heard.get("ok") or {}
            if answer.get("re") == "asked":
                assert answer.get("t") != "error", answer
                return answer


def _socket(url: str) -> ClientConnection:
    """Open a socket that bears not being read."""
    return connect(url, proxy=None, ping_interval=None, max_queue=None)


@contextmanager
def guests(server: ServerProcess, *names: str) -> Iterator[list[Guest]]:
    """Let people come to ``server``; they go at the end."""
    with ExitStack() as sockets:
        yield [Guest(sockets.enter_context(_socket(server.url)), name) for name in names]


@contextmanager
def table(server: ServerProcess, game: str, options: Plain | None = None, seats: int = 2) -> Iterator[str]:
    """Let ``seats`` people begin a match, and yield the code of their room. They wait as long as they are there."""
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
