"""``parlour serve`` whose rooms do nothing: what sockets, encodings, commits and the store cost alone.

Each act, whatever it is, becomes one stored record and one message to each seat: a turn to the next seat, an update to
the others, about as large as in UNO. Rooms are opened and joined as usual.
"""

import sys
from itertools import count
from typing import Any

from parlour_client.cli.main import main
from parlour_protocol.messages import Act, Answer, Plain, ServerMessage, Turn, Update
from parlour_server import app
from parlour_server.effects import Effect, Post
from parlour_server.lobby.lobby import Lobby
from parlour_server.persistence import Append

VIEW: Plain = {"phase": "play", "round": 1, "dealer": 0, "turn": 2, "direction": 1, "colour": "red", "top": 55}
VIEW |= {"counts": [7, 7, 6, 5], "called": [], "out": [], "deck": 70, "scores": [0, 0, 0, 0]}
VIEW |= {"hand": [3, 15, 44, 56, 78, 99]}
LEGAL: list[Plain] = [{"do": "play", "card": 5}, {"do": "play", "card": 7}, {"do": "draw"}]
EVENTS: list[Plain] = [{"e": "play", "seat": 1, "card": 55}]


class EmptyRoom:
    """The connections of a room, by seat, and the number of its last act."""

    def __init__(self, lobby: Lobby, code: str) -> None:
        state = lobby.rooms.loaded[code].room.state
        self._code = code
        self._conns = [lobby.connections.main[seat.who or ""] for _, seat in state.seats.taken()]
        self._numbers = count(1)

    def act(self, conn: int, rid: int) -> list[Effect]:
        """Return the effects of an act."""
        code, n = self._code, next(self._numbers)
        seat = self._conns.index(conn)
        turn = (seat + 1) % len(self._conns)
        line = f'{{"act":{{"card":5,"do":"play"}},"at":123456,"n":{n},"r":"act","rid":{n},"seat":{seat}}}'
        wanted: list[Effect] = [Append(f"{code} empty", 1, n, line)]  # the real room has a log, too
        for to, viewer in enumerate(self._conns):
            ok: Answer | None = {"rid": rid, "act": LEGAL[0]} if to == seat else None
            message: ServerMessage = Update(code, n, VIEW, EVENTS, [], {}, ok)
            if to == turn:
                message = Turn(code, n, "uno", to, VIEW, EVENTS, [], {}, n, None, LEGAL, ok)
            wanted.append(Post((viewer,), message))
        return wanted


class LobbyOfEmptyRooms(Lobby):
    """A lobby that answers acts by empty rooms."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._empty: dict[str, EmptyRoom] = {}

    def receive(self, conn: int, data: Plain, now: int) -> list[Effect]:
        """Answer the map that came in a frame."""
        if data.get("t") != Act.t:
            return super().receive(conn, data, now)
        code = data["room"]
        if code not in self._empty:
            self._empty[code] = EmptyRoom(self, code)
        return self._empty[code].act(conn, data["rid"])


if __name__ == "__main__":
    vars(app)["Lobby"] = LobbyOfEmptyRooms  # replaces the class of the lobby
    sys.exit(main())
