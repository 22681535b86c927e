"""Codes of rooms as people give them to each other."""

import pytest

from parlour_client.core.url import entering, room_at, whole_code
from parlour_protocol.messages import Join


@pytest.mark.parametrize(
    ("said", "room", "seat_code"),
    [
        ("K7QD", "K7QD", None),
        (" k7qd-cdfghjkm ", "K7QD", "CDFGHJKM"),
        ("K7QD-", "K7QD", None),
        ("http://10.0.0.4:7777/r/K7QD", "K7QD", None),
        ("http://10.0.0.4:7777/r/K7QD#seat=CDFGHJKM", "K7QD", "CDFGHJKM"),
    ],
)
def test_code_may_have_that_for_the_seats(said: str, room: str, seat_code: str | None) -> None:
    code, _ = room_at(said, "ws://localhost:7777")
    assert entering(code) == Join(room, seat_code=seat_code)
    assert entering(whole_code(room, seat_code), "spectator") == Join(room, "spectator", seat_code=seat_code)
