"""A fake server for a page, to show states that real matches rarely reach."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from playwright.sync_api import Page, WebSocketRoute
from tests.support.server import ServerProcess
from tests.web.visitors import Visitors, address

from parlour_protocol.messages import Plain

Answer: TypeAlias = Plain | Callable[[Plain], Plain]
"""An answer, or a function from the request to the answer."""
ROOM = "K7QD"
NO_ROOMS: Plain = {"t": "rooms", "rooms": [], "bots": []}
OPTIONS: dict[str, Plain] = {
    "uno": {"scoring": "race", "target": 500, "false_call_penalty": 0},
    "minesweeper": {"mode": "race", "level": "expert", "width": 0, "height": 0, "mines": 0, "lives": 1, "penalty": 0},
}


class FakeServer:
    """Answers a page in place of a server: ``joined`` when it joins the room, then what is given to `send`."""

    def __init__(self, page: Page, joined: Plain, answers: Mapping[str, Answer] | None = None, **greeting: Any) -> None:
        """``answers``: by type of request, which are abilities, too; all others are answered by ``ok``.

        ``greeting``: further fields of ``welcome``.
        """
        self.asked: list[Plain] = []
        self._joined, self._answers, self._greeting = joined, answers or {}, greeting
        self._socket: WebSocketRoute | None = None
        self._seq = 0
        page.route_web_socket("**", self._take)

    @property
    def acts(self) -> list[Plain]:
        """The actions that were sent."""
        return [asked["act"] for asked in self.asked if asked["t"] == "act"]

    def set_room(self, joined: Plain) -> None:
        """Change the room, for the next page load."""
        self._joined = joined

    def send(self, t: str, **fields: Any) -> None:
        """Send a message of the room, with the next ``seq``."""
        assert self._socket is not None
        self._seq += 1
        self._socket.send(json.dumps({"t": t, "room": ROOM, "seq": self._seq, **fields}))

    def ask(self, legal: list[Plain], may: list[Plain] | None = None, **more: Any) -> None:
        """Send a turn to the seat, with its ``legal`` actions; ``may``: its optional decisions."""
        room = self._joined
        turn = {"game": room["game"], "seat": room["seat"], "view": room["view"], "rid": self._seq, "left": 14_000}
        self.send("turn", **{**turn, "legal": legal, "may": may or [], "events": [], "clocks": {}, **more})

    def update(self, view: Plain, *events: Plain) -> None:
        """Send what has happened at the table."""
        self.send("update", view=view, events=[*events], clocks={}, may=[])

    def end(self, view: Plain, result: Plain, digest: str = "d" * 64) -> None:
        """Send the end of the match."""
        self.send("over", view=view, events=[], clocks={}, result=result, reveal="", digest=digest)

    def chat(self, name: str, text: str) -> None:
        """Send what a person says."""
        self.send("chat", **{"from": {"name": name, "kind": "human"}, "text": text})

    def close(self, code: int) -> None:
        """Close the socket."""
        assert self._socket is not None
        self._socket.close(code=code)

    def _take(self, socket: WebSocketRoute) -> None:
        self._socket, self._seq = socket, self._joined["seq"]
        socket.on_message(lambda said: self._answer(socket, json.loads(said)))

    def _answer(self, socket: WebSocketRoute, asked: Plain) -> None:
        self.asked.append(asked)
        for answer in self._answers_to(asked):
            socket.send(json.dumps({**answer, "re": asked.get("id")}))

    def _answers_to(self, asked: Plain) -> list[Plain]:
        if (answer := self._answers.get(asked["t"])) is not None:
            return [answer(asked) if callable(answer) else answer]
        if asked["t"] == "hello":
            seated = self._joined["seat"] is not None
            can = ["uno", "minesweeper", *self._answers]
            welcome = {"t": "welcome", "name": asked["name"], "server": "staged", "limits": {}, "can": can}
            return [{**welcome, **self._greeting, "rooms": [ROOM] * seated, "token": "x"}, *[self._joined] * seated]
        if asked["t"] == "join":
            return [self._joined]
        return [{"t": {"ping": "pong"}.get(asked["t"], "ok")}]


def entered(
    visitors: Visitors,
    server: ServerProcess,
    room: Plain,
    mark: str,
    answers: Mapping[str, Answer] | None = None,
    *,
    path: str = f"r/{ROOM}",
    script: str = "",
    clock: bool = False,
    **more: Any,
) -> tuple[Page, FakeServer]:
    """Return a page in ``room``, or at ``path``, which shows ``mark`` and all motion, and its server.

    ``script`` runs before its own, ``clock``: with a clock of the test's own, ``more``: as for ``visitors.arrive``.
    """
    page = visitors.arrive(**{"reduced_motion": "no-preference", **more})
    page.add_init_script(script)
    if clock:
        page.clock.install()
    fake = FakeServer(page, room, answers)
    page.goto(address(server, path))
    page.wait_for_selector(mark)
    return page, fake


def names(count: int) -> list[str]:
    """Return ``count`` names, some of the maximum length."""
    return [f"{'abcdefghij'[seat]}{'wwwwwwwwwwwwwwwwwww'[: 19 if seat % 3 == 1 else 4]}" for seat in range(count)]


def joined(game: str, view: Plain | None, seats: int, seat: int | None = None, **more: Any) -> Plain:
    """Return a ``joined`` message for a room of ``seats`` seats, every other one a bot's."""
    rows = [
        {"seat": at, "name": name, "kind": "bot" if at % 2 else "human", "here": at != 3, "ready": False, "by": "owner"}
        for at, name in enumerate(names(seats))
    ]
    table = {
        "state": "playing" if view else "waiting",
        "host": rows[0]["name"] if rows else None,
        "options": OPTIONS.get(game, {}),
        "watchers": 1,
        "fair": {"commit": "0" * 64, "context": f"{ROOM}/1", "nonces": {}},
        "hints": True,
        "seats": rows,
    }
    room = {"t": "joined", "room": ROOM, "epoch": 1, "seq": 1, "game": game, "seat": seat, "table": table, "view": view}
    return {**room, "events": [], "gap": False, "may": [], "clocks": {}, "chat": [], "why": "join", **more}


IDLE = joined("uno", None, 2)
"""The room of a fake server that is about something else."""


def uno(seats: int, hand: list[int] | None = None, **more: Any) -> Plain:
    """Return the view of a round of UNO in which players hold many cards, or one."""
    counts = [1 if seat % 4 == 2 else 4 + 9 * seat for seat in range(seats)]
    view = {"phase": "play", "round": 3, "dealer": 0, "turn": 1, "direction": 1, "colour": "red", "top": 5}
    view |= {"counts": counts, "called": [2] if seats > 2 else [], "exposed": 1, "out": [], "deck": 41}
    view |= {"scores": [499 - 60 * seat if seat < 8 else 0 for seat in range(seats)]}
    if hand is not None:
        view["hand"], counts[0] = hand, len(hand)
    return {**view, **more}


def board(
    width: int = 9, height: int = 9, mines: int = 10, *, mode: str = "solo", seats: int = 1, **more: Any
) -> Plain:
    """Return the view of a closed board; ``more``: fields in place of those of a match in which nobody is out."""
    view = {"mode": mode, "phase": "playing", "width": width, "height": height, "mines": mines}
    view |= {"safe": width * height - mines, "rows": ["." * width] * height}
    return {**view, "players": [{"state": "in", "open": 0}] * seats, **more}


def beginner(view: Plain) -> Plain:
    """Return a ``joined`` message for a room with a solo board of beginners, which is shown as ``view``."""
    room = joined("minesweeper", view, 1, seat=0)
    room["table"]["options"] = {**room["table"]["options"], "mode": "solo", "level": "beginner"}
    return room


CLEARED = board(3, 3, 1, phase="over", rows=["111", "1F1", "111"], players=[{"state": "done", "open": 8, "ms": 61_000}])
"""The view of a board at its end."""
CLEARED_RESULT: Plain = {
    "ranks": {"0": 1}, "scores": {"0": 8}, "why": "cleared", "time": {"board": "beginner", "ms": 61_000},
    "stats": {"bbbv": 3, "seats": [{"ms": 61_000, "bbbv": 3, "rate": 49, "clicks": 4, "efficiency": 75}]},
}  # fmt: skip
