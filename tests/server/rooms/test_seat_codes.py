"""Rooms whose seats take a second code."""

import msgspec
import pytest
from tests.server.local_server import OpenRoom, new_server, one, only, received, refused, request

from parlour_protocol import messages as m
from parlour_server.directory.room_creation import LETTERS
from parlour_server.local import Local


def coded(local: Local | None = None, role: m.Role = "player", seats: int = 2, **more: object) -> tuple[OpenRoom, str]:
    """Return a room with a seat code, in which its host is alone; and the code."""
    server = local or new_server()
    host = server.connect("anna", "human")
    joined = request(host, m.Create("uno", seats=seats, as_=role, seat_code=True, **more), m.Joined)  # type: ignore[arg-type]
    assert joined.seat_code is not None
    return OpenRoom(server, joined.room, [host]), joined.seat_code


def test_seat_takes_the_code_and_watching_does_not() -> None:
    at, code = coded()
    assert len(code) == 8
    assert set(code) <= set(LETTERS)
    zoe = at.server.connect("zoe", "human")
    for wrong in (None, "", at.code, code[:-1], code[::-1] + "C"):
        assert refused(zoe, m.Join(at.code, seat_code=wrong)).code == "seat_code"
    watching = request(zoe, m.Join(at.code, "spectator"), m.Joined)
    assert watching.table["seat_code"] is True
    assert refused(zoe, m.Join(at.code)).code == "seat_code"
    seated = request(zoe, m.Join(at.code, seat_code=code.lower()), m.Joined)
    assert (seated.seat, seated.seat_code) == (1, code)


@pytest.mark.parametrize("delay", [0, 1_000])
def test_spectators_never_get_the_code(delay: int) -> None:
    at, code = coded(delay=delay, seats=2)
    walt = at.enter("walt", role="spectator")
    stranger = at.server.connect("lena", "human")
    bert = at.server.connect("bert", "human")
    bert.send(m.Join(at.code, seat_code=code))
    at[0].send(m.Start(at.code))
    at[0].send(m.Chat(at.code, "hi"))
    stranger.send(m.List(room=at.code))
    walt.send(m.Join(at.code, "spectator"))
    at.server.wait(5_000)
    for peer in (walt, stranger):
        told = b"".join(map(msgspec.json.encode, received(peer)))
        assert b'"seat_code":true' in told
        assert code.encode() not in told
    lines = at.lines()
    begun = next(number for number, line in enumerate(lines) if '"r":"begun"' in line)
    assert code not in "".join(lines[begun:]), "it would be in the match file"


def test_host_who_watches_knows_the_code() -> None:
    at, code = coded(role="spectator", delay=1_000)
    again = request(at[0], m.Join(at.code, "spectator"), m.Joined)
    assert (again.seat, again.seat_code) == (None, code)


def test_owner_comes_back_and_hands_over_without_the_code() -> None:
    at, code = coded()
    walt = at.enter("walt", role="spectator")
    again = request(at[0], m.Join(at.code), m.Joined)
    assert again.seat == 0
    walt.send(m.Handover(at.code, 0))
    at[0].send(m.Handover(at.code, to="walt"))
    assert only(walt, m.Joined)[-1].seat_code == code


def test_waiting_for_a_seat_takes_the_code() -> None:
    at, code = coded(seats=2)
    bert = at.server.connect("bert", "human")
    bert.send(m.Join(at.code, seat_code=code))
    walt = at.enter("walt", role="spectator")
    assert refused(walt, m.Queue(at.code)).code == "seat_code"
    request(walt, m.Queue(at.code, seat_code=code), m.Ok)
    walt.inbox.clear()
    bert.send(m.Leave(at.code))
    at.server.wait(1)
    assert one(walt, m.Joined).seat_code == code


def test_code_stays_the_same_when_the_room_is_loaded_again() -> None:
    at, code = coded()
    at.load_again()
    zoe = at.server.connect("zoe", "human")
    assert refused(zoe, m.Join(at.code)).code == "seat_code"
    request(zoe, m.Join(at.code, seat_code=code), m.Joined)


def test_guesses_are_limited() -> None:
    at, _ = coded()
    zoe = at.server.connect("zoe", "human")
    codes = [refused(zoe, m.Join(at.code, seat_code="CCCCCCCC")).code for _ in range(12)]
    assert codes[0] == "seat_code"
    assert codes[-1] == "rate_limited"


def test_rooms_without_a_code_say_nothing_of_it() -> None:
    server = new_server()
    joined = request(server.connect("anna", "human"), m.Create("uno"), m.Joined)
    assert joined.seat_code is None
    assert "seat_code" not in joined.table
    zoe = server.connect("zoe", "human")
    listed = request(zoe, m.List(), m.Rooms)
    assert "seat_code" not in listed.rooms[0]
