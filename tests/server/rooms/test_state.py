"""The fold of a room's records: what each record does, and where it is refused."""

from hmac import digest
from typing import Any, get_args

import pytest
from msgspec.structs import replace
from tests.server.rooms.fake import FAKES

from parlour_games.fair import commitment
from parlour_games.game import IllegalAction
from parlour_games.registry import games
from parlour_protocol.errors import BadMessage
from parlour_server.rooms import records as r
from parlour_server.rooms.match import Match
from parlour_server.rooms.seats import TakenSeat
from parlour_server.rooms.state import _FOLDS, State

MASTER = bytes(range(32))


def opened(**more: Any) -> r.RoomOpened:
    fields: dict[str, Any] = {
        "code": "K7QD", "game": "fake", "options": {}, "seats": 4, "private": False, "kinds": "any", "watch": True,
        "hints": True, "standin": True, "start": "host", "master": MASTER.hex(), "clock": {"bank": 0, "add": 15_000},
    }  # fmt: skip
    return r.RoomOpened(0, **{**fields, **more})


def fold(state: State, *followed: r.Record) -> State:
    for record in followed:
        state.fold(record, r.line(record, state.n))
    return state


def waiting(**more: Any) -> State:
    """Return a room in which seats 0 and 2 are taken."""
    first = opened(**more)
    taken = r.Taken(1, 0, "a", "anna", "human"), r.Hosted(1, "a"), r.Taken(2, 2, "b", "bert", "human")
    return fold(State(first, FAKES["fake"]), first, *taken)


def begun(state: State, at: int = 10) -> r.Begun:
    players = [r.StartingSeat(seat.who or "", seat.name, seat.kind) for _, seat in state.seats.taken()]
    number = state.matches + 1
    return r.Begun(
        at, number, "fake", 1, 1, f"K7QD/{number}", state.secret(number).hex(), state.commit,
        [seat.nonce or "" for _, seat in state.seats.taken()], {}, players, state.rids[: len(players)],
        [0] * len(players), {"bank": 0, "add": 15_000},
    )  # fmt: skip


def seat(state: State, number: int) -> TakenSeat:
    found = state.seats[number]
    assert found is not None
    return found


def match(state: State) -> Match:
    assert state.match is not None
    return state.match


def playing(**more: Any) -> State:
    state = waiting(**more)
    return fold(state, begun(state))


def ended(state: State, at: int = 90) -> r.MatchOver:
    return r.MatchOver(at, [1, 1], [0, 0], "ended", match(state).fingerprint())


def test_every_record_has_its_fold() -> None:
    assert {r.Acted, *_FOLDS} == {*get_args(r.Record)}


def test_the_secret_of_each_match_follows_from_the_master() -> None:
    state = waiting()
    assert state.secret(3) == digest(MASTER, b"parlour-room/1\x00\x00\x00\x03", "sha256")
    assert state.commit == commitment(state.secret(1))


def test_lines_are_counted_and_time_follows_the_records() -> None:
    state = waiting()
    assert (state.n, state.at) == (4, 2)


def test_a_match_makes_seats_close_ranks() -> None:
    state = playing()
    assert [(number, seat.name) for number, seat in state.seats.taken()] == [(0, "anna"), (1, "bert")]
    assert len(state.seats) == 4
    assert (state.state, state.matches, state.first_line) == ("playing", 1, 4)


def test_a_match_goes_on_under_the_rules_that_it_began_with() -> None:
    first = opened(game="minesweeper", options={"mode": "race"})
    seats = r.Taken(1, 0, "a", "anna", "human"), r.Taken(2, 2, "b", "bert", "human")
    state = fold(State(first, games()["minesweeper"]), first, *seats)
    for rules in (1, games()["minesweeper"].rules_version):
        fold(state, replace(begun(state), game="minesweeper", rules=rules))
        assert match(state).game.rules_version == rules
        fold(state, r.MatchOver(90, [1, 1], [0, 0], "aborted", match(state).fingerprint()))


def test_readiness_and_nonces_end_with_what_they_were_for() -> None:
    state = fold(waiting(), r.Readied(3, 0, True, "ab" * 32), r.Readied(4, 2, True))
    assert [seat.ready for _, seat in state.seats.taken()] == [True, True]
    fold(state, r.Readied(5, 0, False))
    assert state.seats[0] is not None
    assert (state.seats[0].ready, state.seats[0].nonce) == (False, "ab" * 32)
    fold(state, begun(state))
    assert [seat.ready for _, seat in state.seats.taken()] == [False, False]
    assert [seat.nonce for _, seat in state.seats.taken()] == ["ab" * 32, None]
    fold(state, ended(state))
    assert [seat.nonce for _, seat in state.seats.taken()] == [None, None]


def test_a_rematch_has_another_secret_and_its_rids_go_on() -> None:
    state = playing()
    before = state.commit
    fold(state, r.Acted(20, 0, 1, {"do": "take", "cell": 1}), ended(state))
    assert (state.state, state.rids[:2]) == ("finished", [3, 2])
    assert state.commit == commitment(state.secret(2)) != before
    fold(state, begun(state, 100))
    assert {d.seat: d.rid for d in match(state).book.obligations()} == {0: 3, 1: 2}


def test_leaving_a_match_brings_a_stand_in_and_frees_the_seat_after_it() -> None:
    state = fold(playing(), r.Vacated(20, 1))
    seat = state.seats[1]
    assert seat is not None
    assert (seat.who, seat.name, seat.by, seat.player) == (None, "bert", "standin", None)
    assert match(state).book.obligation(1).rid == 2  # type: ignore[union-attr]
    fold(state, ended(state))
    assert state.seats[1] is None


def test_a_seat_that_a_standin_plays_already_keeps_its_questions_when_its_owner_leaves() -> None:
    state = fold(playing(), r.Control(20, 1, "standin", "house"))
    before = match(state).book.of(1)
    fold(state, r.Vacated(30, 1))
    assert match(state).book.of(1) == before
    assert match(state).touched == set()
    assert seat(state, 1).player == "house"


def test_control_changes_hands_and_back() -> None:
    state = fold(playing(), r.Control(20, 1, "standin", "house"))
    assert seat(state, 1).player == "house"
    assert (state.seats.of("b"), state.seats.deciding("house"), state.seats.deciding("b")) == (1, 1, 1)
    fold(state, r.Control(30, 1, "owner"))
    assert seat(state, 1).player == "b"
    assert state.seats.deciding("house") is None


def test_the_end_of_a_match_gives_every_seat_back_to_its_owner() -> None:
    state = fold(playing(), r.Control(20, 1, "standin", "house"))
    fold(state, ended(state))
    seat = state.seats[1]
    assert seat is not None
    assert (seat.by, seat.standin) == ("owner", None)


def test_a_room_pauses_when_its_game_does() -> None:
    state = fold(playing(), r.Acted(20, 0, 1, {"do": "rest"}))
    assert state.state == "pause"
    assert fold(state, r.Readied(21, 0, True), r.TimerFired(22, "pause")).state == "playing"
    assert [seat.ready for _, seat in state.seats.taken()] == [False, False]


def test_the_chain_holds_the_lines_of_the_match_and_no_others() -> None:
    state = waiting()
    first = begun(state)
    fold(state, first)
    chain = r.link(b"", r.line(first, 4))
    act = r.Acted(20, 0, 1, {"do": "take", "cell": 1}, "because")
    during: list[r.Record] = [r.Hosted(15, "b"), act]
    for n, record in enumerate(during, 5):
        fold(state, record)
        chain = r.link(chain, r.line(record, n))
    last = ended(state)
    fold(state, last)
    chain = r.link(chain, r.line(last, 7))
    fold(state, r.Readied(95, 0, True), r.Closed(99, "expired"))
    assert match(state).chain == chain
    assert state.state == "closed"


@pytest.mark.parametrize(
    "record",
    [
        r.Acted(20, 0, 9, {"do": "bell"}),
        r.TimedOut(20, 3, 1),
        r.Vacated(20, 3),
        r.Readied(20, 2, True),
        r.Control(20, 3, "owner"),
    ],
)
def test_a_record_that_cannot_follow_is_an_error(record: r.Record) -> None:
    with pytest.raises(LookupError):
        fold(playing(), record)


@pytest.mark.parametrize(
    "record",
    [
        r.Acted(5, 0, 1, {"do": "bell"}),
        r.TimerFired(5, "pause"),
        r.JobDone(5, "double", {}),
        r.Control(5, 0, "standin"),
    ],
)
def test_nothing_of_a_match_can_follow_without_one(record: r.Record) -> None:
    with pytest.raises(LookupError):
        fold(waiting(), record)


def test_an_illegal_act_is_refused_with_nothing_changed() -> None:
    state = playing()

    def seen() -> list[Any]:
        found = match(state)
        return [state.n, state.at, found.fingerprint(), found.chain, found.book.of(0), found.clocks.left(0, 20)]

    before = seen()
    with pytest.raises(IllegalAction):
        fold(state, r.Acted(20, 0, 1, {"do": "take", "cell": 77}))
    assert seen() == before


@pytest.mark.parametrize("act", [{}, {"do": "fly"}, {"do": 3}, {"do": None}, {"do": ["take"]}])
def test_what_is_no_action_of_the_game_is_refused(act: Any) -> None:
    with pytest.raises(IllegalAction, match=r"`do` is|no action"):
        waiting().action(act)


@pytest.mark.parametrize(
    "act",
    [{"do": "take"}, {"do": "take", "cell": "1"}, {"do": "take", "cell": True}, {"do": "take", "cell": 1, "x": 1}],
)
def test_actions_are_exact(act: Any) -> None:
    with pytest.raises(BadMessage):
        waiting().action(act)
