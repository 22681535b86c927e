"""Codes of rooms as people give them to each other: ``K7QD``, or ``K7QD-CDFGHJKM`` with the code for the seats."""

from parlour_protocol.messages import Join, Role


def entering(code: str, role: Role = "player", style: str | None = None) -> Join:
    """Return the request to enter the room with this code. ``style``: how a bot plays."""
    room, _, seat_code = code.strip().upper().partition("-")
    return Join(room, role, style, seat_code or None)


def whole_code(room: str, seat_code: str | None) -> str:
    """Return a room's code, with the code for its seats if it is known."""
    return f"{room}-{seat_code}" if seat_code else room
