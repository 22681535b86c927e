"""Matches whose deal waits for a round of a public beacon. docs/fairness.md#a-public-beacon."""

from typing import Any

import pytest
from tests.server.beacon import CHAIN, GENESIS, LAST, NONCE, OTHER, PERIOD, Fed, randomness, waiting_room
from tests.server.contests.contest_bots import ADMIN
from tests.server.local_server import OpenRoom, load_again, received, refused

from parlour_games import chain
from parlour_games.fair import Fair
from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_server.directory.beacon import LEAD, SILENT, TOGETHER
from parlour_server.game_files.continuation import continued
from parlour_server.game_files.reader import read
from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import Begun, parse
from parlour_server.rooms.room import replay


def named(at: OpenRoom) -> Any:
    """Return the round that is shown with the commitment."""
    return at.room.audience.table(0)["fair"].get("beacon")


def test_a_match_waits_for_a_round_of_the_future_and_is_dealt_with_it() -> None:
    local, at = waiting_room()
    at[0].send(m.Ready(at.code, False, NONCE))
    assert at.room.audience.table(0)["beacon"] is True
    at.start()
    assert (at.state, named(at)) == ("waiting", {"chain": CHAIN, "round": LAST + 1})
    assert local.links == []
    local.later(PERIOD)
    local.give(LAST + 1)
    assert at.state == "playing"
    begun = at.match.begun
    assert begun.beacon is not None
    assert (begun.beacon.chain, begun.beacon.round) == (CHAIN, LAST + 1)
    assert begun.nonces == [NONCE, "", randomness(LAST + 1)]
    fair = Fair(bytes.fromhex(begun.secret), begun.context, [bytes.fromhex(each) for each in begun.nonces])
    dealt, _ = Uno().start(at.room.state.options, 2, fair)
    assert at.match.state.hands == dealt.hands
    assert named(at) == {"chain": CHAIN, "round": LAST + 1, "randomness": randomness(LAST + 1)}
    assert at.room.audience.table(0)["fair"]["nonces"] == {"0": NONCE}
    assert [link.match for link in local.links] == [chain.match_id(begun.commit, begun.context, begun.nonces)]


@pytest.mark.parametrize(
    ("passed", "number"),
    [(0, LAST + 1), (PERIOD - LEAD - 0.1, LAST + 1), (PERIOD - LEAD, LAST + 2), (PERIOD, LAST + 2)],
)
def test_named_round_is_published_at_least_a_while_later(passed: float, number: int) -> None:
    local, at = waiting_room()
    local.later(passed)
    at.start()
    assert named(at)["round"] == number


def sealed() -> tuple[Fed, OpenRoom]:
    local, at = waiting_room(seats=3)
    at.start()
    at.clear()
    return local, at


def test_seats_nonces_and_rules_are_fixed_while_a_match_waits() -> None:
    local, at = sealed()
    carl = local.connect("carl", "human")
    changes: list[tuple[Any, m.ClientMessage]] = [
        (carl, m.Join(at.code)), (at[1], m.Ready(at.code, True, NONCE)), (at[0], m.Configure(at.code, {}, 2)),
        (at[0], m.Start(at.code)),
    ]  # fmt: skip
    for who, message in changes:
        error = refused(who, message)
        assert (error.code, error.why) == ("wrong_state", "sealed")
    assert named(at)["round"] == LAST + 1


def test_who_leaves_breaks_the_seal_and_the_next_match_waits_for_a_later_round() -> None:
    local, at = waiting_room(people=3, seats=3)
    at.start()
    at[2].send(m.Leave(at.code))
    assert named(at) is None
    local.later(PERIOD)
    local.give(LAST + 1)
    assert at.state == "waiting"
    at.start()
    assert named(at)["round"] == LAST + 2


def test_other_rounds_begin_nothing() -> None:
    local, at = sealed()
    local.later(PERIOD * 3)
    local.give(LAST + 2, LAST + 3)
    assert at.state == "waiting"
    local.give(LAST + 1, chain=OTHER)
    assert at.state == "waiting"
    local.give(LAST + 1)
    assert at.state == "playing"


def test_restart_keeps_the_seal_and_the_round_begins_the_match_whenever_it_comes() -> None:
    local, at = sealed()
    lines = list(local.log[at.code])
    for known in (False, True):
        again = Fed()
        again.log[at.code] = list(lines)
        again.later(PERIOD)
        again.give(LAST + 1) if known else None
        again.lobby.rooms.dormant.add(at.code)
        load_again(again, at.code)
        found = again.lobby.rooms.loaded[at.code].room
        if not known:
            assert found.state.sealed == {"chain": CHAIN, "round": LAST + 1}
            again.give(LAST + 1)
        assert found.state.state == "playing"
        assert found.match is not None
        assert found.match.begun.nonces[-1] == randomness(LAST + 1)


def test_without_a_beacon_there_is_no_such_room_and_no_match_in_one() -> None:
    local = Fed()
    create = m.Create("uno", seats=2, beacon=True)
    zoe = local.connect("zoe", "human")
    assert refused(zoe, create).code == "no_beacon"
    local, at = waiting_room(local)
    local.later(SILENT[1] + PERIOD)
    assert refused(at[0], m.Start(at.code)).code == "no_beacon"
    local.give(LAST + 20)
    at.start()
    assert named(at)["round"] > LAST + 20


def test_a_room_that_starts_when_it_is_full_waits_too() -> None:
    local, at = waiting_room(start="full")
    assert named(at)["round"] == LAST + 1
    local.later(PERIOD)
    local.give(LAST + 1)
    assert at.state == "playing"


def finished() -> tuple[Fed, OpenRoom, list[str]]:
    local, at = waiting_room()
    at.start()
    local.later(PERIOD)
    local.give(LAST + 1)
    at.abort()
    return local, at, local.game_file()


def test_match_file_is_verified_and_says_which_round_to_compare() -> None:
    _, _, file = finished()
    verdict = verify(file)
    assert verdict.ok, verdict
    assert any(str(LAST + 1) in each and randomness(LAST + 1) in each for each in verdict.proved)
    assert any(CHAIN in each for each in verdict.doubts)


@pytest.mark.parametrize(
    "change", [(randomness(LAST + 1), "cd" * 32), (f'"round":{LAST + 1}', '"round":0'), (CHAIN, "xy")]
)
def test_changed_beacon_is_found(change: tuple[str, str]) -> None:
    _, _, file = finished()
    assert not verify([line.replace(*change) for line in file]).ok


def test_next_match_waits_for_a_round_of_its_own() -> None:
    _, at, _ = finished()
    at.start()
    assert named(at) == {"chain": CHAIN, "round": LAST + 2}


def test_deal_may_be_played_once_more() -> None:
    local, at, _ = finished()
    begun = parse(at.lines()[local.matches[0].match.first])
    assert isinstance(begun, Begun)
    deal: m.Deal = {
        "secret": begun.secret, "context": begun.context, "nonces": begun.nonces[:2],
        "beacon": {"chain": CHAIN, "round": LAST + 1, "randomness": begun.nonces[2]},
    }  # fmt: skip
    solo = local.connect("solo", "human")
    solo.send(m.Create("uno", seats=2, deal=deal, clock=None))
    joined = solo.inbox.popleft()
    assert isinstance(joined, m.Joined)
    local.connect("bot").send(m.Join(joined.room))
    solo.send(m.Start(joined.room))
    again = local.lobby.rooms.loaded[joined.room].room.match
    assert again is not None
    assert again.begun.nonces == begun.nonces
    assert again.begun.beacon == begun.beacon
    solo.send(m.Leave(joined.room))
    assert verify(local.game_file()).ok


GOOD = {"chain": CHAIN, "genesis": GENESIS, "period": PERIOD, "rounds": {"7": randomness(7)}}


@pytest.mark.parametrize(
    "args",
    [
        {}, {**GOOD, "chain": "52"}, {**GOOD, "genesis": "1"}, {**GOOD, "period": 0}, {**GOOD, "rounds": {}},
        {**GOOD, "rounds": {"x": randomness(1)}}, {**GOOD, "rounds": {"7": "zz"}}, {**GOOD, "rounds": [1]},
        {**GOOD, "rounds": {str(n): randomness(n) for n in range(1, TOGETHER + 2)}}, {**GOOD, "period": True},
    ],
)  # fmt: skip
def test_malformed_rounds_are_refused(args: m.Plain) -> None:
    assert refused(Fed().operator, m.Admin(ADMIN, "beacon", args=args)).code == "bad_message"


def test_only_the_operator_gives_published_rounds_and_each_once() -> None:
    local = Fed()
    assert refused(local.operator, m.Admin("x", "beacon", args=GOOD)).code == "not_admin"
    assert isinstance(local.give(LAST), m.Ok)
    assert isinstance(local.give(LAST), m.Ok)
    for answer in (local.give(LAST + 1), local.give(rounds={str(LAST): "cd" * 32})):
        assert isinstance(answer, m.Error)
        assert answer.code == "bad_beacon"
    received(local.operator)


def test_match_is_continued_with_its_deal() -> None:
    local, at = waiting_room()
    at.start()
    local.later(PERIOD)
    local.give(LAST + 1)
    hands, players = list(at.match.state.hands), at.match.begun.players
    (seat,) = {decision.seat for decision in at.match.book.obligations()}
    at.act(seat, "draw")
    at.abort()
    lines = continued([*read(local.game_file())], 0, 0, players, "MATCH")
    found = replay(lines, Uno()).match
    assert found is not None
    assert found.begun.nonces == ["", "", randomness(LAST + 1)]
    assert list(found.state.hands) == hands
