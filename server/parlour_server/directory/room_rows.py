"""Room rows: how a room is listed."""

from parlour_protocol.messages import RoomRow
from parlour_server.rooms.room import Room


def is_listed(room: Room, game: str | None = None) -> bool:
    """Whether a room is listed for those who ask for rooms of ``game``; None: of any game.

    Nobody else can play in a room with a chosen deal.
    """
    config = room.state.config
    return not config.private and config.deal is None and game in (None, config.game)


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
    }
    if state.config.watch:
        found["players"] = [{"name": seat.name, "kind": seat.kind} for _, seat in state.taken() if seat.who]
    return found
