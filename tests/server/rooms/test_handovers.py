"""Giving one's seat to a spectator who has asked for it: ``handover``. SPEC.md#handover."""

import random

import pytest
from tests.server.local_server import (
    QUICK,
    OpenRoom,
    StrictLocal,
    house_bot,
    new_server,
    one,
    only,
    open_room,
    playing,
    received,
    refused,
    request,
    rows,
)
from tests.server.rooms.noninterference import Run, exchanged, shuffled

from parlour_games.minesweeper.plugin import Minesweeper
from parlour_games.uno.cards import HAND
from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_server.game_files.verify import verify
from parlour_server.local import Peer


def handed(at: OpenRoom, seat: int = 1, name: str = "walt") -> Peer:
    """Let the owner of ``seat`` give it to a new spectator, whose inbox begins with what follows."""
    walt = at.enter(name, role="spectator")
    walt.send(m.Handover(at.code, seat))
    at.clear()
    walt.inbox.clear()
    assert request(at[seat], m.Handover(at.code, to=name.upper(), id=1)) == m.Ok(re=1, room=at.code)
    return walt


def test_everyone_sees_who_asks_until_the_request_is_taken_back_or_declined() -> None:
    at = open_room("uno", 2)
    walt = at.enter("walt", role="spectator")
    asked: list[m.SeatRequest] = [{"seat": 1, "name": "walt", "kind": "human"}]
    for back in (walt, at[1]):
        at.clear()
        walt.inbox.clear()
        assert request(walt, m.Handover(at.code, 1, id=1)) == m.Ok(re=1, room=at.code)
        assert one(at[0], m.SeatsChanged).table["requests"] == asked
        assert request(at[0], m.Handover(at.code, id=2)) == m.Ok(re=2, room=at.code)
        assert one(at[0], m.SeatsChanged).table["requests"] == asked, "only its owner declines"
        back.send(m.Handover(at.code))
        assert "requests" not in one(at[0], m.SeatsChanged).table
    walt.send(m.Handover(at.code, 1))
    walt.close()
    assert "requests" not in only(at[0], m.SeatsChanged)[-1].table


def test_a_seat_changes_hands_between_matches() -> None:
    at = open_room("uno", 2)
    at[1].send(m.Ready(at.code, nonce="ab" * 32))
    walt = handed(at)
    joined = one(walt, m.Joined)
    assert (joined.seat, joined.why, rows(joined)[1]["name"]) == (1, "sync", "walt")
    table = one(at[0], m.SeatsChanged).table
    assert [row["ready"] for row in table["seats"]] == [False, False]
    assert (table["fair"]["nonces"], table["watchers"]) == ({}, 1)
    assert one(at[1], m.Joined).seat is None
    assert refused(at[1], m.Ready(at.code)).code == "not_seated"
    for peer in (at[0], walt):
        peer.send(m.Ready(at.code))
    assert at.state == "playing"


def test_the_new_owner_plays_the_hand_on_and_the_old_one_watches() -> None:
    at = playing("uno", 2, clock=QUICK)
    seat = next(seat for seat in range(2) if at.match.book.obligation(seat))
    rid = at.rid(seat)
    held = at.match.view(seat)["hand"]
    walt = handed(at, seat)
    joined, turn, _ = received(walt)
    assert isinstance(joined, m.Joined)
    assert isinstance(turn, m.Turn)
    assert (turn.rid, turn.view["hand"]) == (rid + 1, held)
    watching, _ = received(at[seat])
    assert isinstance(watching, m.Joined)
    assert (watching.seat, watching.view) == (None, at.match.view(None))
    assert refused(at[seat], m.Act(at.code, rid + 1, 0)).code == "not_seated"
    assert isinstance(request(walt, m.Act(at.code, turn.rid, 0, id=2)), m.Update | m.Turn)


def test_who_is_given_a_seat_has_a_full_clock_but_only_the_first_time() -> None:
    at = playing("uno", 2, clock={"bank": 40_000, "add": 5_000})
    seat = next(seat for seat in range(2) if at.match.book.obligation(seat))
    at.server.wait(39_000)
    walt = handed(at, seat)
    assert one(walt, m.Turn).left == 45_000
    at.server.wait(30_000)
    at[seat].send(m.Handover(at.code, seat))
    at.clear()
    walt.send(m.Handover(at.code, to=at[seat].name))
    assert one(at[seat], m.Turn).left == 15_000, "two people cannot stretch a turn"


def test_the_result_stays_with_who_began_and_the_file_is_verified() -> None:
    at = playing("uno", 3)
    handed(at)
    at.abort()
    assert verify(at.file(), at.server.matches[-1].match.digest).ok
    assert [player.name for player in at.room.state.match.begun.players] == ["anna", "bert", "cleo"]  # type: ignore[union-attr]
    assert at.seat(1).name == "walt"


def test_the_token_of_the_old_owner_opens_the_seat_no_longer_also_after_a_restart() -> None:
    at = playing("uno", 2)
    walt = handed(at)
    for old in (at[1], walt):
        old.close()
    at.load_again()
    seats = []
    for old, name in ((at[1], "bert"), (walt, "walt")):
        peer = at.server.open(name)
        peer.send(m.Hello(name, "human", token=old.token))
        seats.append(one(peer, m.Welcome).rooms)
    assert seats == [[], [at.code]]


def test_a_stand_in_leaves_a_seat_that_is_given_away() -> None:
    local = new_server()
    at = open_room("uno", 2, local=local, clock=QUICK).start().clear()
    hal = house_bot(local)
    with at.inside() as (room, now):
        room.seating.stand_in(now, 1)
    assert at.seat(1).by == "standin"
    walt = handed(at)
    assert (at.seat(1).by, at.seat(1).player) == ("owner", at.seat(1).who)
    assert one(walt, m.Joined).seat == 1
    assert [left.why for left in only(hal, m.Left)] == ["replaced"]


def test_who_has_seen_one_seat_of_a_match_does_not_get_another() -> None:
    at = playing("uno", 3)
    walt = handed(at)
    error = refused(at[1], m.Handover(at.code, 0))
    assert (error.code, error.why) == ("wrong_state", "seen")
    at[1].send(m.Handover(at.code, 1))
    walt.send(m.Handover(at.code, to="bert"))
    assert at.seat(1).name == "bert"
    assert (refused(walt, m.Handover(at.code, 2)).why, at.room.audience.requests) == ("seen", {})
    at[2].send(m.Leave(at.code))
    at[2].send(m.Join(at.code, "spectator"))
    assert refused(at[2], m.Handover(at.code, 0)).why == "seen"
    at.abort()
    request(at[2], m.Handover(at.code, 0), m.Ok)


@pytest.mark.parametrize(
    ("create", "started", "code", "why"),
    [
        ({"deal": {"secret": "00" * 32, "context": "seed/7", "nonces": []}}, False, "wrong_state", "fixed"),
        ({"game": "minesweeper", "people": 1, "options": {"mode": "solo"}}, True, "wrong_state", "fixed"),
        ({"watch": False, "as_": "spectator"}, False, "no_watching", None),
    ],
)
def test_rooms_whose_seats_stay(create: m.Plain, started: bool, code: str, why: str | None) -> None:
    game, people = create.pop("game", "uno"), create.pop("people", 1)
    local = StrictLocal(1, installed={"uno": Uno(), "minesweeper": Minesweeper()})
    at = open_room(game, people, local=local, **{"seats": 1 if game == "minesweeper" else 2, **create})
    walt = at[0] if "watch" in create else at.enter("walt", role="spectator")
    if "watch" in create:
        at.enter("cleo")
    if started:
        at.start()
    error = refused(walt, m.Handover(at.code, 0))
    assert (error.code, error.why) == (code, why)


def test_refusals() -> None:
    at = open_room("uno", 2, seats=3, kinds="humans")
    walt, robo = at.enter("walt", role="spectator"), at.enter("robo", "bot", role="spectator")
    assert refused(walt, m.Handover(at.code, 2)).code == "no_such_name"
    assert refused(walt, m.Handover(at.code, 7)).code == "no_such_name"
    assert refused(robo, m.Handover(at.code, 1)).code == "wrong_kind"
    assert refused(at[0], m.Handover(at.code, 1)).why == "seated"
    assert refused(at[1], m.Handover(at.code, to="walt")).code == "no_such_name"
    assert refused(walt, m.Handover(at.code, to="walt")).code == "not_seated"
    walt.send(m.Handover(at.code, 1))
    assert refused(at[0], m.Handover(at.code, to="walt")).code == "no_such_name", "walt has asked someone else"


def test_no_more_than_some_may_ask() -> None:
    at = open_room("uno", 2)
    people = [at.enter(f"walt{n}", role="spectator") for n in range(17)]
    for walt in people[:16]:
        walt.send(m.Handover(at.code, 1))
    assert refused(people[16], m.Handover(at.code, 1)).code == "too_much"
    request(people[0], m.Handover(at.code, 0), m.Ok)


@pytest.mark.parametrize("seed", range(4))
def test_the_old_owner_learns_nothing_of_what_the_new_one_draws(seed: int) -> None:
    """Two runs that differ in what the old owner has not been shown look the same to it, also as a spectator."""
    rng = random.Random(seed)
    names = ["anna", "zoe", "cleo"]

    def play(cards: list[int]) -> Run:
        run = Run(seed, 3, cards, 0, Uno())
        for who, message in (
            ("zoe", m.Join(run.code, "spectator")),
            ("zoe", m.Handover(run.code, 1)),
            ("bert", m.Handover(run.code, to="zoe")),
        ):
            run.peers[who].send(message)
        while run.match is not None and run.match.state.hands[1].bit_count() < HAND + 8:
            for decision in run.match.book.obligations():
                may = [act["do"] for act in decision.wire(run.match.game, run.match.state)]
                act = {"do": "draw" if "draw" in may else "pass"}
                run.peers[names[decision.seat]].send(m.Act(run.code, decision.rid, act))
            run.server.wait(100)
        run.listen()
        return run

    first = play(shuffled(3, rng))
    one, two = play(first.cards), play(exchanged(first, "bert", rng))
    assert one.frames("bert") == two.frames("bert")
    assert one.frames("zoe") != two.frames("zoe")
