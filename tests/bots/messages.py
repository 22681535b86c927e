"""Messages of a room as a bot's player receives them, made short."""

from typing import Any

from tests.client import messages

from parlour_protocol.messages import Error, Joined, Offer, Over, Plain, SeatRow, Turn, Update

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
    return messages.joined(seat=seat, table=messages.table(host=None, seats=[]), **fields)


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
