"""Which matches are rated, and that nobody can change that, or their result, once they are under way.

SPEC.md#rated-matches.
"""

from random import Random

import pytest
from tests.server.local_server import (
    NO_CLOCK,
    OpenRoom,
    StrictLocal,
    house_bot,
    new_server,
    one,
    only,
    open_room,
    playing,
    request,
)
from tests.server.rooms.fake import FAKES

from parlour_protocol import messages as m
from parlour_server.lobby.lobby import Lobby
from parlour_server.local import Peer


def unrated(peer: Peer) -> m.Unrated | None:
    """Return why the match of the last table in an inbox is not rated."""
    return only(peer, m.SeatsChanged)[-1].table.get("unrated")


def ended(at: OpenRoom) -> tuple[m.Unrated | None, bool]:
    """End the match; return why it was not rated, and whether it counts."""
    at.act(0, "end")
    return one(at[0], m.Over).result.get("unrated"), at.server.matches[-1].match.rated


def with_house_bot(at: OpenRoom) -> OpenRoom:
    house_bot(at.server)
    at[0].send(m.Invite(at.code))
    return at


def from_addresses(first: str, second: str) -> OpenRoom:
    local = new_server()
    peers = [local.connect(name, "human", address=address) for name, address in (("a", first), ("b", second))]
    peers[0].send(m.Create("fake", seats=2))
    code = one(peers[0], m.Joined).room
    peers[1].send(m.Join(code))
    return OpenRoom(local, code, peers)


def with_one_away() -> OpenRoom:
    at = open_room(apart=True)
    at[1].close()
    return at


@pytest.mark.parametrize(
    ("at", "why", "counts"),
    [
        (open_room(apart=True), None, True),
        (with_house_bot(open_room(people=2, seats=3, apart=True)), None, True),
        (from_addresses("192.0.2.1", "127.0.0.1"), None, True),
        (open_room(people=1), "alone", True),
        (with_house_bot(open_room(people=1, seats=2)), "alone", True),
        (open_room(apart=True, rated=False), "casual", False),
        (open_room(people=1, rated=False), "casual", False),
        (open_room(apart=True, clock=NO_CLOCK), "clock", False),
        (open_room(), "address", False),
        (from_addresses("192.0.2.1", "192.0.2.1"), "address", False),
        (from_addresses("127.0.0.1", "::1"), "address", False),
        (with_one_away(), "absent", False),
    ],
)
def test_why_a_match_is_not_rated_is_shown_before_it_begins(at: OpenRoom, why: str | None, counts: bool) -> None:
    joined = request(at[0], m.Join(at.code))
    assert isinstance(joined, m.Joined)
    assert joined.table.get("unrated") == why
    at.start()
    assert unrated(at[0]) == why
    assert ended(at) == (why, counts)


def test_the_list_shows_what_every_match_of_a_room_has_in_common() -> None:
    at = open_room(rated=False, standin=False)
    at.server.connect("zoe").send(m.Create("fake"))
    at[0].send(m.List())
    rows = one(at[0], m.Rooms).rooms
    shown = {(row.get("unrated"), row.get("standin")) for row in rows}
    assert shown == {("casual", False), (None, True)}


def test_the_operator_may_have_players_from_addresses_rated() -> None:
    local = StrictLocal(1, installed={**FAKES})
    local.lobby = Lobby({**FAKES}, Random(1).randbytes, rate_same_address=True)
    peers = [local.connect(name, "human", address="192.0.2.1") for name in ("a", "b")]
    peers[0].send(m.Create("fake", seats=2))
    code = one(peers[0], m.Joined).room
    peers[1].send(m.Join(code))
    assert ended(OpenRoom(local, code, peers).start()) == (None, True)


def test_whether_a_match_is_rated_is_fixed_when_it_begins() -> None:
    """Neither a player who comes from another address, nor a server that starts again, changes it."""
    for apart in (True, False):
        at = playing(apart=apart)
        before = at.match.unrated
        at[1].close()
        at.peers[1] = at.server.open("bert", "192.0.2.0")
        at[1].send(m.Hello("bert", "human", token=at[1].token))
        at.server.lobby.rooms.discard(at.code)
        at.load_again()
        at[0].send(m.Join(at.code))
        assert (at.match.unrated, unrated_of(at)) == (before, before)
        assert ended(at) == (before, apart)


def unrated_of(at: OpenRoom) -> m.Unrated | None:
    return at.room.audience.table(at.room.state.at).get("unrated")


def test_a_house_bot_is_marked_in_the_match_file() -> None:
    at = with_house_bot(open_room(people=1, seats=2)).start()
    assert [player.house for player in at.match.begun.players] == [False, True]
    at.act(0, "end")
    assert [row.house for row in at.server.matches[-1].match.rows] == [False, True]
