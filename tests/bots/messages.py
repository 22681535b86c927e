"""Messages of a room as a bot's player receives them, made short."""

from typing import Any

from parlour_protocol.messages import Error, Joined, Offer, Over, Plain, SeatRow, Table, Turn, Update

ROOM = "K7QD"
VIEW: Plain = {"hand": [1, 2]}
PLAYS: list[Plain] = [
    {"do": "play", "card": 1, "uno": True},
    {"do": "play", "card": 1},
    {"do": "play", "card": 2, "uno": True},
    {"do": "play", "card": 2},
    {"do": "draw"},
]


def joined(seat: int | None = 0, **fields: Any) -> Joined:
    table: Table = {
        "state": "waiting",
        "host": None,
        "options": {},
        "watchers": 0,
        "fair": {"commit": "c1", "context": "K7QD/1", "nonces": {}},
        "hints": True,
        "seats": [],
    }
    told: dict[str, Any] = {"view": None, "events": [], "gap": False, "may": [], "clocks": {}, "chat": [], **fields}
    return Joined(ROOM, epoch=1, seq=0, game="uno", seat=seat, table=table, **told)


def seats(*names: str, ready: bool = True) -> list[SeatRow]:
    return [SeatRow(seat=n, name=name, kind="bot", here=True, ready=ready, by="owner") for n, name in enumerate(names)]


def update(*events: Plain, may: list[Offer] | None = None) -> Update:
    return Update(ROOM, 1, VIEW, list(events), may or [], {})


def turn(rid: int, legal: list[Plain] | None = PLAYS, *events: Plain, may: list[Offer] | None = None) -> Turn:
    return Turn(ROOM, 1, "uno", 0, VIEW, list(events), may or [], {}, rid, None, legal)


def over(*ranks: int) -> Over:
    scores = {str(seat): 100 - rank for seat, rank in enumerate(ranks)}
    result = {"ranks": {str(seat): rank for seat, rank in enumerate(ranks)}, "scores": scores, "why": "target"}
    return Over(ROOM, 9, {**VIEW, "round": 3}, [], {}, result, reveal="00", digest="d1")  # type: ignore[arg-type]


def illegal(rid: int, msg: str = "that card does not fit") -> Error:
    return Error("illegal_action", msg, room=ROOM, rid=rid, why=msg)
