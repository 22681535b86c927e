"""A match as the fold of its records: decisions, clocks, timers and computations after each step."""

from typing import Any

import pytest
from tests.server.rooms.fake import FAKES, Bell, End, Fake, FakeOptions, Hit, Shout, Spend, Take

from parlour_games.game import Decision, Done, Fired, Timer
from parlour_games.registry import games
from parlour_games.uno.actions import Catch, Jump, Play
from parlour_games.uno.cards import BIT, CARDS_BY_FACE
from parlour_games.uno.options import Options as UnoOptions
from parlour_games.uno.state import AT_PLAY
from parlour_server.rooms.decisions import Past
from parlour_server.rooms.match import Match
from parlour_server.rooms.records import ROOM_VERSION, Begun, MatchOver, StartingSeat


def begun(
    seats: int = 3, bank: int = 0, add: int = 15_000, rids: list[int] | None = None, room: int = ROOM_VERSION
) -> Begun:
    players = [StartingSeat(f"id{seat}", f"name{seat}", "human") for seat in range(seats)]
    return Begun(
        0, 1, "fake", 1, room, "K7QD/1", "00" * 32, "c" * 64, [""] * seats, {}, players,
        rids or [1] * seats, [bank] * seats, {"bank": bank, "add": add},
    )  # fmt: skip


def match(game: str = "fake", options: Any = None, **more: Any) -> Match:
    return Match({**games(), **FAKES}[game], begun(**more), options or FakeOptions())


def answer(found: Match, seat: int, action: Any, at: int, *, timed_out: bool = False) -> None:
    decision = found.book.obligation(seat)
    if isinstance(action, Shout):
        [decision] = found.book.optional(seat)
    assert decision is not None
    found.begin_step()
    found.answer(decision, action, found.game.wire(action), at, timed_out=timed_out)


def rids(found: Match) -> dict[int, int]:
    """Return the rid of what each seat must decide."""
    return {decision.seat: decision.rid for decision in found.book.obligations()}


def listed(found: Match, seat: int) -> int:
    """Return how many actions ``seat`` may choose from."""
    decision = found.book.obligation(seat)
    assert decision is not None
    return len(decision.legal(found.game, found.state))


def test_the_beginning_asks_whom_the_game_asks_and_lets_their_clocks_run() -> None:
    found = match(rids=[1, 7, 1])
    assert rids(found) == {0: 1, 1: 7, 2: 1}
    assert found.asked.keys() == found.touched == {0, 1, 2}
    assert found.clocks.shown(1_000) == {"0": 14_000, "1": 14_000, "2": 14_000}


def test_what_others_do_does_not_renew_a_question() -> None:
    found = match()
    answer(found, 1, Take(3), 100)
    assert rids(found) == {0: 1, 1: 2, 2: 1}
    assert found.asked.keys() == found.touched == {1}
    assert found.clocks.left(0, 100) == 14_900


def test_what_changes_the_list_itself_renews_the_question() -> None:
    found = match()
    answer(found, 1, Hit(0), 100)
    assert found.book.find(0, 1) == Past("overtaken")
    assert found.asked.keys() == {0, 1}
    assert listed(found, 0) == listed(found, 2) + 1


@pytest.mark.parametrize("folded", [True, False])
def test_a_question_whose_list_stays_the_same_keeps_its_rid_and_its_clock(*, folded: bool) -> None:
    found = match()
    answer(found, 1, Hit(0), 100)
    if not folded:
        listed(found, 0)  # a room lists what it shows; rids must not depend on that
    answer(found, 1, Hit(0), 300)
    assert rids(found)[0] == 2
    assert found.asked.keys() == found.touched == {1}
    assert found.clocks.left(0, 300) == found.clocks.left(0, 100) - 200  # type: ignore[operator]
    answer(found, 0, Spend(), 400)
    assert found.book.find(0, 2) == Past(None, {"do": "spend"})


def test_a_list_that_changes_under_the_same_key_renews_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fake, "decisions", lambda *_: [Decision(seat, "cell", True) for seat in range(3)])
    found = match()
    answer(found, 1, Hit(0), 100)
    assert rids(found) == {0: 2, 1: 2, 2: 1}
    assert found.book.find(0, 1) == Past("overtaken")
    assert listed(found, 0) == listed(found, 2) + 1
    assert found.asked.keys() == found.touched == {0, 1}


def test_a_jump_that_penalty_cards_turn_into_a_swap_is_another_question() -> None:
    found = match("uno", seats=2, options=UnoOptions(preset="chaos", breath=0))
    red, other = CARDS_BY_FACE["r7"]
    state = found.state
    state.hands = [BIT[red] | BIT[other], BIT[CARDS_BY_FACE["b1"][0]]]
    state.counts, state.pile, state.colour = [2, 1], [CARDS_BY_FACE["r5"][0]], 0
    state.turn, state.phase, state.asked = 0, AT_PLAY, None
    found.change_hands(0, 0)
    answer(found, 0, Play(red, swap=1), 100)
    [catch, jump] = found.book.optional(1)
    assert jump.legal(found.game, state) == [Jump(other)]
    found.answer(catch, Catch(0), {}, 200)
    [again] = found.book.optional(1)
    assert again.legal(found.game, state) == [Jump(other, swap=0)] == found.game.legal(state, 1, again.key)
    assert again.rid > jump.rid
    assert found.book.find(1, jump.rid) == Past("overtaken")


def test_a_grid_has_no_lists_so_that_its_game_alone_renews_questions() -> None:
    found = match("grid")
    answer(found, 1, Hit(0), 100)
    assert rids(found)[0] == 2


def test_matches_of_the_first_room_version_renew_a_question_that_the_game_asks_anew() -> None:
    found = match(room=1)
    answer(found, 1, Hit(0), 100)
    answer(found, 1, Hit(0), 300)
    assert rids(found)[0] == 3
    assert found.book.find(0, 2) == Past("overtaken")


def test_an_answer_closes_its_question_with_what_was_recorded() -> None:
    found = match()
    answer(found, 0, Take(3), 100)
    assert found.book.find(0, 1) == Past(None, {"do": "take", "cell": 3})
    answer(found, 0, Take(4), 200, timed_out=True)
    assert found.book.find(0, 2) == Past("clock", {"do": "take", "cell": 4})


def test_time_outs_in_a_row_are_counted_and_an_answer_or_new_hands_forget_them() -> None:
    found = match()
    for seat, at in ((0, 100), (0, 200), (1, 300)):
        answer(found, seat, Take(0), at, timed_out=True)
    assert found.timeouts == [2, 1, 0]
    answer(found, 0, Take(0), 400)
    found.change_hands(1, 500)
    assert found.timeouts == [0, 0, 0]


def test_an_answered_offer_says_nothing_about_time_outs() -> None:
    found = match()
    answer(found, 1, Take(0), 10, timed_out=True)
    answer(found, 0, Bell(), 20)
    answer(found, 1, Shout(), 30)
    assert found.timeouts == [0, 1, 0]


def test_a_reaction_window_has_no_obligations_and_runs_no_clock() -> None:
    found = match()
    answer(found, 0, Bell(), 100)
    assert rids(found) == {}
    assert found.clocks.shown(200) == {}
    assert [offer.key for offer in found.book.optional(1)] == ["shout:1"]
    assert found.book.optional(0) == []
    assert (found.pending, found.pending_since) == (Timer("breath", 750), 100)


def test_an_answered_offer_closes_only_its_own() -> None:
    found = match()
    answer(found, 0, Bell(), 100)
    answer(found, 1, Shout(), 150)
    assert found.touched == {1}
    assert found.asked.keys() == set()
    assert len(found.book.optional(2)) == 1
    assert found.pending_since == 100


def test_new_hands_get_new_rids_and_a_fair_chance() -> None:
    found = match(add=3_000)
    answer(found, 0, Bell(), 100)
    found.settle(Fired("breath"), 850)
    assert {decision.rid for decision in found.book.of(1)} == {2, 3}
    found.begin_step()
    found.change_hands(1, 900)
    assert {decision.rid for decision in found.book.of(1)} == {4, 5}
    assert found.book.find(1, 2) == found.book.find(1, 3) == Past("control")
    assert found.touched == found.asked.keys() == {1}
    assert found.clocks.left(1, 900) == 10_000
    assert found.clocks.banks[1] == 10_000


@pytest.mark.parametrize(
    ("room", "bank", "to_owner", "left"),
    [(3, 60_000, True, 30_000), (3, 20_000, True, 20_000), (3, 0, True, 10_000), (3, 60_000, False, 10_000),
     (2, 60_000, True, 10_000)],
)  # fmt: skip
def test_an_owner_who_returns_has_time_again(room: int, bank: int, to_owner: bool, left: int) -> None:
    found = match(bank=bank, room=room)
    found.clocks.stop(0, bank + 15_000)
    assert found.clocks.banks[0] == 0
    found.change_hands(0, 99_000, to_owner=to_owner)
    assert found.clocks.left(0, 99_000) == left


def test_a_timer_wanted_again_by_what_its_end_brings_begins_again() -> None:
    class Bells(Fake):
        def settle(self, state: Any, result: Fired | Done) -> list[Any]:
            return []  # the timer goes on and on

    found = Match(Bells(), begun(), FakeOptions())
    answer(found, 0, Bell(), 100)
    found.begin_step()
    found.settle(Fired("breath"), 850)
    assert (found.pending, found.pending_since) == (Timer("breath", 750), 850)


def test_the_end_closes_everything() -> None:
    found = match()
    answer(found, 0, Bell(), 100)
    answer(found, 1, Shout(), 200)
    found.settle(Fired("breath"), 850)
    answer(found, 0, End(), 900)
    found.end(MatchOver(900, [1, 1, 1], [0, 0, 0], "ended", found.fingerprint()))
    assert found.book.open == {}
    assert found.clocks.shown(900) == {}
    assert found.pending is None
    assert found.book.find(2, found.book.next_rid[2] - 1) == Past("overtaken")


def test_each_seat_sees_its_own_secret_and_spectators_see_none() -> None:
    found = match()
    assert [found.view(seat)["secret"] for seat in range(3)] == found.state.secrets
    for nobody in (None, 3, 9):  # the room may have more seats than the match
        assert "secret" not in found.view(nobody)
        assert found.redacted(found.dealt, nobody) == []
    [event] = found.redacted(found.dealt, 1)
    assert event["words"] == f"secret {found.state.secrets[1]}"


def test_the_fingerprint_is_of_the_whole_state() -> None:
    one, other = match(), match()
    assert one.fingerprint() == other.fingerprint()
    one.state.secrets[0] += 1
    assert one.fingerprint() != other.fingerprint()
