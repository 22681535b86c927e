"""Spectators who wait for a seat at a full table."""

import pytest
from tests.server.local_server import OpenRoom, one, only, open_room, playing, received, refused, request, rows

from parlour_protocol import messages as m
from parlour_server.local import Peer


def waiting(at: OpenRoom, *names: str) -> list[Peer]:
    """Let spectators come and wait; their inboxes are empty."""
    peers = [at.enter(name, role="spectator") for name in names]
    for peer in peers:
        assert request(peer, m.Queue(at.code, id=1)) == m.Ok(re=1, room=at.code)
    for peer in peers:
        peer.inbox.clear()
    at.clear()
    return peers


def test_first_who_waits_gets_the_seat_that_becomes_free() -> None:
    at = open_room("uno", 2)
    walt, wilma = waiting(at, "walt", "wilma")
    at[1].send(m.Leave(at.code))
    at.server.wait(1)
    found = one(walt, m.Joined)
    assert (found.seat, found.why) == (1, "invited")
    assert only(wilma, m.SeatsChanged)[-1].table["queue"] == ["wilma"]
    assert not only(wilma, m.Joined)
    table = only(at[0], m.SeatsChanged)[-1]
    assert [row["name"] for row in rows(table)] == ["anna", "walt"]


def test_seat_that_becomes_free_during_a_match_is_taken_after_it() -> None:
    at = playing("uno", 3)
    [walt] = waiting(at, "walt")
    at[2].send(m.Leave(at.code))
    at.server.wait(1_000)
    assert not only(walt, m.Joined)
    at.abort()
    at.server.wait(1)
    assert one(walt, m.Joined).seat == 2


def test_more_seats_are_for_those_who_wait() -> None:
    at = open_room("uno", 2)
    walt, wilma = waiting(at, "walt", "wilma")
    at[0].send(m.Configure(at.code, seats=4))
    at.server.wait(1)
    assert [one(peer, m.Joined).seat for peer in (walt, wilma)] == [2, 3]
    assert "queue" not in only(at[0], m.SeatsChanged)[-1].table


@pytest.mark.parametrize("away", ["no longer", "leaves", "cut"])
def test_who_waits_no_more_gets_no_seat(away: str) -> None:
    at = open_room("uno", 2)
    walt, wilma = waiting(at, "walt", "wilma")
    if away == "cut":
        walt.close()
    else:
        walt.send(m.Leave(at.code) if away == "leaves" else m.Queue(at.code, wait=False))
    assert only(at[0], m.SeatsChanged)[-1].table["queue"] == ["wilma"]
    at[1].send(m.Leave(at.code))
    at.server.wait(1)
    assert one(wilma, m.Joined).seat == 1
    assert not [message for message in received(walt) if isinstance(message, m.Joined)]


def test_refusals() -> None:
    at = open_room("uno", 2)
    assert refused(at[0], m.Queue(at.code)).why == "seated"
    walt = at.enter("walt", role="spectator")
    at[1].send(m.Leave(at.code))
    assert refused(walt, m.Queue(at.code)).why == "free"
    people = open_room("uno", 2, kinds="humans")
    robo = people.enter("robo", "bot", role="spectator")
    assert refused(robo, m.Queue(people.code)).code == "wrong_kind"
    for number in range(16):
        waiting(people, f"w{number}")
    late = people.enter("late", role="spectator")
    assert refused(late, m.Queue(people.code)).code == "too_much"
