"""Room rows: how a room is listed."""

from attrs import asdict

from parlour_protocol.messages import DEFAULT_CLOCK, Clock, RoomRow
from parlour_server.rooms.room import Room


def is_listed(room: Room, game: str | None = None) -> bool:
    """Whether a room is listed for those who ask for rooms of ``game``; None: of any game.

    Nobody else can play in a room with a chosen deal.
    """
    config = room.state.config
    return not config.private and config.deal is None and game in (None, config.game)


def is_shown(room: Room) -> bool:
    """Whether a room is shown to those who know its code: not that of a daily board, which is for one player."""
    return room.state.config.daily is None


def row(room: Room) -> RoomRow:
    """Return a room's row, with the names of those who sit there if the room may be watched."""
    state = room.state
    found: RoomRow = {
        "room": state.config.code,
        "game": state.config.game,
        "state": state.state,
        "seats": state.config.seats,
        "taken": len(state.taken()),
        "kinds": state.config.kinds,
        "watch": state.config.watch,
        "host": room.audience.name_of(state.host),
        "people": sum(seat.kind == "human" for _, seat in state.taken() if seat.who),
        "rules": [*state.rules, *_clock(state.config.clock)],
        "options": asdict(state.options, recurse=False),
        "clock": state.config.clock,
        "standin": state.config.standin,
    }
    if state.unrated is not None:
        found["unrated"] = state.unrated
    if state.config.seat_code:
        found["seat_code"] = True
    if state.config.watch:
        found["players"] = [{"name": seat.name, "kind": seat.kind} for _, seat in state.taken() if seat.who]
    return found


def _clock(clock: Clock | None) -> list[str]:
    """Return the clock in words, unless it is the usual one."""
    if clock is None:
        return ["no clock"]
    if clock == DEFAULT_CLOCK:
        return []
    bank, add = (f"{milliseconds / 1000:.10g} s" for milliseconds in (clock["bank"], clock["add"]))
    if not clock["add"]:
        return [f"{bank} in all"]
    for_each_turn = not clock["bank"] or clock["bank"] == clock["add"] == clock.get("cap")
    return [f"{add} a turn" if for_each_turn else f"{bank} + {add} a turn"]
