"""The host's ``configure``: other options, seats and clock for the next match. SPEC.md#configure."""

import pytest
from tests.server.local_server import QUICK, OpenRoom, kept_room, one, open_room, playing, refused, request

from parlour_protocol import messages as m
from parlour_server.game_files.verify import verify

FAMILY = {"preset": "family", "target": 60}


def configured(at: OpenRoom, seats: int | None = None, clock: m.Clock | None = None) -> m.Table:
    """Let the host change the rules of UNO; return the table that another one sees."""
    at.clear()
    assert request(at[0], m.Configure(at.code, FAMILY, seats, clock, id=1)) == m.Ok(re=1, room=at.code)
    return one(at[1], m.SeatsChanged).table


def ready(at: OpenRoom) -> None:
    for peer in at:
        peer.send(m.Ready(at.code))


def test_everyone_sees_the_new_rules_and_people_get_ready_again() -> None:
    at = open_room("uno", 3, seats=4)
    rolf = at.enter("rolf", "bot")
    at[1].send(m.Ready(at.code, nonce="ab" * 32))
    rolf.send(m.Ready(at.code))
    before = at.room.audience.table(at.server.now)
    table = configured(at, seats=6, clock=QUICK)
    assert (table["options"]["preset"], table["options"]["target"]) == ("family", 60)
    assert (table["size"], table["clock"]) == (6, QUICK)
    assert [row["ready"] for row in table["seats"]] == [False, False, False, True]
    assert table["fair"] == before["fair"]


def test_the_next_match_is_played_by_them() -> None:
    at = open_room("uno", 2)
    configured(at, clock=QUICK)
    at.server.wait(2_000)
    ready(at)
    begun = at.match.begun
    assert (begun.options["preset"], begun.options["target"], begun.clock) == ("family", 60, QUICK)
    at.abort()
    assert verify(at.file(), at.server.matches[-1].match.digest).ok


def test_rules_change_between_two_matches_and_not_within_one() -> None:
    at = playing("uno", 2)
    error = refused(at[0], m.Configure(at.code, FAMILY))
    assert (error.code, error.why) == ("wrong_state", "playing")
    at.abort()
    assert configured(at)["state"] == "finished"
    ready(at)
    assert at.match.begun.options["preset"] == "family"
    assert at.match.begun.match == 2


def test_only_the_host_changes_rules() -> None:
    at = open_room("uno", 2)
    assert refused(at[1], m.Configure(at.code, FAMILY)).code == "not_host"
    assert refused(at[1], m.Configure(at.code, {"target": "much"})).code == "not_host"


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": {"target": 0}},
        {"options": {"colour": "mauve"}},
        {"seats": 99},
        {"clock": {"bank": 0, "add": 0}},
    ],
)
def test_a_refused_change_changes_nothing(wrong: m.Plain) -> None:
    at = open_room("uno", 2)
    lines = at.lines()
    assert refused(at[0], m.Configure(at.code, **wrong)).code == "bad_options"
    assert at.lines() == lines


def test_no_one_loses_a_seat() -> None:
    at = open_room("uno", 3)
    error = refused(at[0], m.Configure(at.code, seats=2))
    assert (error.code, "cleo" in error.msg) == ("bad_options", True)
    at[2].send(m.Leave(at.code))
    assert configured(at, seats=2)["size"] == 2
    assert refused(at[2], m.Join(at.code)).code == "room_full"
    assert configured(at, seats=5)["size"] == 5
    request(at[2], m.Join(at.code), m.Joined)


def test_a_chosen_deal_keeps_its_options() -> None:
    deal: m.Deal = {"secret": "00" * 32, "context": "seed/7", "nonces": []}
    at = open_room("uno", 1, seats=2, deal=deal)
    error = refused(at[0], m.Configure(at.code, FAMILY))
    assert (error.code, error.why) == ("wrong_state", "fixed")


def test_the_host_of_the_servers_room_changes_its_rules() -> None:
    at = kept_room("anna", "bert")
    assert refused(at[1], m.Configure(at.code, FAMILY)).code == "not_host"
    assert configured(at)["options"]["preset"] == "family"


def test_a_room_that_begins_when_full_waits_for_people_after_a_change() -> None:
    at = open_room("uno", 2, start="full", seats=3)
    configured(at, seats=2)
    at.server.wait(10_000)
    assert at.state == "waiting"
    ready(at)
    assert at.state == "playing"


def test_a_seat_that_comes_back_goes_on_counting_decisions() -> None:
    at = playing("uno", 3)
    while at.match.book.obligation(2) is None:
        at.act(next(seat for seat in range(3) if at.match.book.obligation(seat)), 0)
    at.abort()
    rid = at.room.state.rids[2]
    assert rid > 1
    at[2].send(m.Leave(at.code))
    configured(at, seats=2)
    configured(at, seats=3)
    assert at.room.state.rids[2] == rid
