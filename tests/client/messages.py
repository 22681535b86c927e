"""Messages of a scripted server, with what a test does not care about filled in."""

from collections.abc import Sequence
from typing import Any

from parlour_protocol import messages as m

ROOM = "K7QD"
VIEW: m.Plain = {
    "phase": "play", "round": 1, "dealer": 1, "turn": 0, "direction": 1, "colour": "red", "deck": 80,
    "counts": [3, 5, 1], "called": [2], "out": [], "scores": [0, 12, 40],
    "top": 13, "hand": [9, 20, 100],  # red 7; red 5, red skip, wild
}  # fmt: skip


def row(seat: int, name: str, **more: Any) -> m.SeatRow:
    made: Any = {"seat": seat, "name": name, "kind": "human", "here": True, "ready": False, "by": "owner", **more}
    return made  # type: ignore[no-any-return]


PEOPLE = [row(0, "maria"), row(1, "otto"), row(2, "pia", kind="bot")]


def table(state: Any = "waiting", commit: str = "c1", nonces: dict[str, str] | None = None, **more: Any) -> m.Table:
    fair: m.FairView = {"commit": commit, "context": f"K7QD/{commit}", "nonces": nonces or {}}
    usual: Any = {"host": "maria", "options": {}, "watchers": 0, "hints": True, "seats": PEOPLE}
    made: Any = {"state": state, "fair": fair, **usual, **more}
    return made  # type: ignore[no-any-return]


PLAYING: dict[str, Any] = {"table": table("playing"), "view": VIEW}


def welcome(*rooms: str, token: str | None = "t1", name: str = "maria", can: Sequence[str] = ()) -> m.Welcome:
    return m.Welcome(name, "parlour", {}, list(can), list(rooms), token, re="hello")


def joined(seq: int = 0, *, seat: int | None = 0, epoch: int = 1, room: str = ROOM, **more: Any) -> m.Joined:
    empty: dict[str, Any] = {"events": [], "may": [], "clocks": {}, "chat": []}
    fields: dict[str, Any] = {"game": "uno", "table": table(), "view": None, "gap": False, "why": "join", **empty}
    return m.Joined(room=room, epoch=epoch, seq=seq, seat=seat, **{**fields, **more})


def update(seq: int, *events: m.Plain, view: m.Plain = VIEW, may: Sequence[m.Offer] = (), ok: Any = None) -> m.Update:
    return m.Update(ROOM, seq, view, list(events), list(may), {}, ok)


def turn(seq: int, rid: int, legal: list[m.Plain] | None = None, *events: m.Plain, **more: Any) -> m.Turn:
    fields: dict[str, Any] = {"view": VIEW, "may": [], "clocks": {}, "left": 14_000}
    asked = [{"do": "draw"}] if legal is None else legal
    return m.Turn(ROOM, seq, "uno", 0, events=list(events), rid=rid, legal=asked, **{**fields, **more})


def over(seq: int, reveal: str = "00" * 32, **more: Any) -> m.Over:
    result: Any = {"ranks": {"0": 2, "1": 3, "2": 1}, "scores": {"0": 77, "1": 12, "2": 512}, "why": "target"}
    fields: dict[str, Any] = {"view": VIEW, "events": [], "clocks": {}, "result": result, "digest": "d16e57"}
    return m.Over(room=ROOM, seq=seq, reveal=reveal, **{**fields, **more})


def seats(seq: int, changed: m.Table) -> m.SeatsChanged:
    return m.SeatsChanged(ROOM, seq, changed)


def said(seq: int, name: str, text: str) -> m.Said:
    return m.Said(ROOM, seq, {"name": name, "kind": "human", "seat": None}, text)
