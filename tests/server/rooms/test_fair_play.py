"""Which matches are rated, and that nobody can change that, or their result, once they are under way.

SPEC.md#rated-matches.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

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
    refused,
    request,
)
from tests.server.rooms.fake import FAKES

from parlour_protocol import messages as m
from parlour_server.lobby.lobby import Lobby
from parlour_server.local import Local, Peer
from parlour_server.settings import ServerSettings


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


def from_addresses(first: str, second: str, local: Local | None = None) -> OpenRoom:
    local = local or new_server()
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
    joined = request(at[0], m.Join(at.code), m.Joined)
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
    local.lobby = Lobby({**FAKES}, Random(1).randbytes, ServerSettings(rate_same_address=True))
    assert ended(from_addresses("192.0.2.1", "192.0.2.1", local).start()) == (None, True)


def test_whether_a_match_is_rated_is_fixed_when_it_begins() -> None:
    """Neither a player who comes from another address, nor a server that starts again, changes it."""
    for apart in (True, False):
        at = playing(apart=apart)
        before = at.match.unrated
        at[1].close()
        at.peers[1] = at.server.open("bert", "192.0.2.0")
        at[1].send(m.Hello("bert", "human", token=at[1].token))
        at.load_again()
        at[0].send(m.Join(at.code))
        assert at.match.unrated == at.room.audience.table(at.room.state.at).get("unrated") == before
        assert ended(at) == (before, apart)


# --- what the host may do --------------------------------------------------------------------------------------------


def attempts(at: OpenRoom) -> Iterator[m.ServerMessage]:
    """Yield the answers to all ways in which a host might change who plays, or for how long."""
    at.enter("walt", role="spectator").send(m.Handover(at.code, 0))
    yield request(at[0], m.Handover(at.code, to="walt"))
    yield request(at[0], m.Manage(at.code, "addtime", "anna"))
    yield request(at[0], m.Manage(at.code, "addtime", "bert"))
    yield request(at[0], m.Manage(at.code, "kick", "bert"))
    yield request(at[0], m.Manage(at.code, "ban", "bert"))


def test_the_host_changes_nothing_of_a_match_that_counts() -> None:
    at = playing(people=3, apart=True)
    seats, clock = [*at.room.state.seats], at.match.clocks.left(0, at.server.now)
    for answer in attempts(at):
        assert isinstance(answer, m.Error)
        assert (answer.code, answer.why, answer.room) == ("wrong_state", "rated", at.code)
    assert (at.room.state.seats, at.match.clocks.left(0, at.server.now)) == (seats, clock)
    assert at.room.state.banned == set()
    at.act(0, "end")
    request(at[0], m.Manage(at.code, "kick", "bert"), m.Ok)
    assert at.room.state.seats[1] is None


@pytest.mark.parametrize("create", [{"rated": False, "apart": True}, {}, {"clock": NO_CLOCK, "apart": True}])
def test_in_a_match_that_does_not_count_the_host_may(create: dict[str, Any]) -> None:
    at = playing(people=3, **create)
    request(at[0], m.Manage(at.code, "addtime", "anna"), m.Ok)
    request(at[0], m.Manage(at.code, "kick", "bert"), m.Ok)
    assert only(at[1], m.Left) == [m.Left(at.code, "kicked")]
    assert ended(at)[1] is False


def test_spectators_can_be_removed_and_everyone_muted_at_any_time() -> None:
    at = playing(apart=True)
    at.enter("walt", role="spectator")
    for do, name in (("mute", "bert"), ("unmute", "bert"), ("host", "bert"), ("host", "anna"), ("ban", "walt")):
        by = at[1] if (do, name) == ("host", "anna") else at[0]
        request(by, m.Manage(at.code, do, name), m.Ok)  # type: ignore[arg-type]


def test_a_stand_in_cannot_be_removed_from_a_match_that_counts() -> None:
    at = open_room(apart=True)
    house_bot(at.server)
    at.start()[1].close()
    at.server.wait(31_000)
    assert at.seat(1).by == "standin"
    assert refused(at[0], m.Manage(at.code, "kick", "hal")).why == "rated"


def test_one_who_plays_alone_may_add_time_but_remove_no_bot() -> None:
    at = with_house_bot(open_room(people=1, seats=2)).start()
    request(at[0], m.Manage(at.code, "addtime", "anna"), m.Ok)
    assert refused(at[0], m.Manage(at.code, "kick", "hal")).why == "rated"


def test_a_house_bot_is_marked_in_the_match_file() -> None:
    at = with_house_bot(open_room(people=1, seats=2)).start()
    assert [player.house for player in at.match.begun.players] == [False, True]
    at.act(0, "end")
    rows = at.server.matches[-1].match.rows
    assert [(row.kind, row.house) for row in rows] == [("human", False), ("bot", True)]
