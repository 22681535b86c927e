"""Jumping in: who may and when, its effect on the reaction window, catches and turn, and its secrecy."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.games.uno.tables import UNO, Table, table

from parlour_bots.laws.checking import LawCheck, Subject
from parlour_bots.laws.laws import secrets
from parlour_games.game import Decision, Timer
from parlour_games.uno.actions import Challenge, Jump, Play
from parlour_games.uno.events import Asked, Caught, Drawn, Event, Played, Skipped, Swapped
from parlour_games.uno.plugin import Uno
from parlour_games.uno.state import NOBODY, State

HANDS = ("r1 b2 b3", "r3 y1 y2", "r1 g2 g3", "b1 b4")
"""Seat 0 plays its red 1; seat 2 has the other one; seat 1 is next."""
EXPOSED = ("r1 b2", *HANDS[1:])
SEVENS = ("r7 b2 b3", "y1 y2 y3", "r7 g2 g3", "b1")


def played(*hands: str, colour: str | None = None, swap: int | None = None, **options: Any) -> Table:
    """Return a table at which seat 0 has played the first of its cards."""
    t = table(*hands, top="r5", jump_in=True, **options)
    t.play(0, hands[0].split()[0], colour, swap=swap)
    return t


def jumps(t: Table) -> list[int]:
    return [seat for seat, key in t.reactions() if key.startswith("jump")]


def jumping(t: Table) -> list[Any]:
    """Return the jumps of the only seat that may jump."""
    [(seat, key)] = t.reactions()
    return UNO.legal(t.state, seat, key)


def test_any_play_opens_a_breath_whatever_anybody_holds() -> None:
    for face, colour in (("r1", None), ("r0", None), ("rs", None), ("w", "blue"), ("w+4", "blue")):
        t = played(f"{face} b2 b3", "r3 y1", "g1 g2", "b1 b4", colour=colour)
        assert (t.asked(), t.view()["phase"], t.reactions()) == (None, "breath", [])
        waiting = UNO.pending(t.state)
        assert isinstance(waiting, Timer)
        assert (waiting.name, waiting.ms) == ("breath", 750)


def test_a_draw_or_a_pass_opens_none() -> None:
    t = table("r1 b2", "r3 y1", top="r5", jump_in=True, deck="b9")
    t.draw(0)
    assert t.asked() == (0, "drawn")
    t.keep(0)
    assert t.asked() == (1, "turn")


@pytest.mark.parametrize(
    ("hands", "who"),
    [
        (HANDS, [2]),
        (("r1 b2 b3", "b1 y1 g1", "r3 r4"), []),  # the colour in force or the symbol is not enough
        (("r1 r1 b3", "y1 y2", "g1 g2"), []),  # one's own card
        (("w+4 b2 b3", "w+4 y1", "w+4 g1"), []),
    ],
)
def test_only_another_seat_with_the_same_coloured_card_may_jump(hands: tuple[str, ...], who: list[int]) -> None:
    t = played(*hands, colour="blue" if hands[0].startswith("w") else None)
    assert jumps(t) == who
    assert not who or jumping(t) == [Jump(t.held(2, "r1"))]


def test_no_challenge_is_overtaken() -> None:
    t = played("w+4 b2 b3", "w+4 y1", "w+4 g1", colour="blue")
    t.settle()
    assert t.asked() == (1, "challenge")
    t.act(1, Challenge())
    assert jumps(t) == []


@pytest.mark.parametrize(
    ("hands", "seat", "follows", "counts", "asked"),
    [
        (HANDS, 2, [], [2, 3, 2, 2], 3),
        (("r1 b2 b3", "r1 y1 y2", "g1 g2"), 1, [], [2, 2, 2], 2),  # the next player
        (("rs b2 b3", "y1 y2", "g1 g2", "rs b1 b4"), 3, [Skipped(0)], [2, 2, 2, 2], 1),
        (("rr b2 b3", "rr y1 y2"), 1, [Skipped(0)], [2, 2], 1),
    ],
)
def test_a_jump_is_a_play_with_a_breath_of_its_own_and_the_turn_goes_on_from_the_jumper(
    hands: tuple[str, ...], seat: int, follows: list[Event], counts: list[int], asked: int
) -> None:
    t = played(*hands)
    before = UNO.pending(t.state)
    jumped, *effect = t.jump(seat, hands[0].split()[0])
    assert (jumped.seat, jumped.jump, effect, t.view()["counts"]) == (seat, True, follows, counts)
    assert t.asked() is None
    assert UNO.pending(t.state) not in (before, None)
    assert t.settle() == [Asked(asked)]
    assert t.asked() == (asked, "turn")


def test_after_the_breath_a_jump_is_open_until_the_next_player_acts() -> None:
    t = played(*HANDS)
    t.settle()
    assert (t.asked(), jumps(t)) == ((1, "turn"), [2])
    asked = t.key(1)
    t.jump(2, "r1")
    assert UNO.legal(t.state, 1, asked) == []
    t = played(*HANDS)
    t.settle()
    t.draw(1)
    assert jumps(t) == []


def test_without_a_breath_the_jump_is_open_beside_the_turn() -> None:
    t = played(*HANDS, breath=0)
    assert (t.asked(), jumps(t)) == ((1, "turn"), [2])
    t.jump(2, "r1")
    assert t.asked() == (3, "turn")


# --- with other rules ---


def test_a_jump_ends_the_breath_recorded_catches_count_then_the_card_is_played() -> None:
    t = played(*EXPOSED)
    t.catch(3, of=0)
    assert [type(event) for event in t.jump(2, "r1")] == [Caught, Drawn, Played]
    assert t.view()["counts"] == [3, 3, 2, 2]
    assert [key for _, key in t.reactions() if key.startswith("catch")] == []


def test_a_jump_ends_the_time_in_which_the_seat_before_can_be_caught() -> None:
    t = played(*EXPOSED)
    t.jump(2, "r1")
    assert t.reactions() == []
    t.settle()
    assert t.view()["counts"] == [1, 3, 2, 2]


def test_a_call_counts_before_a_jump() -> None:
    t = played(*EXPOSED)
    t.catch(3, of=0)
    t.call(0)
    assert [type(event) for event in t.jump(2, "r1")] == [Played]
    assert t.view()["called"] == [0]


def test_uno_is_called_with_a_jump_or_after_it() -> None:
    t = played("r1 b2 b3", "r3 y1", "r1 g2", "b1 b4")
    like = t.held(2, "r1")
    assert jumping(t) == [Jump(like, uno=True), Jump(like)]
    other = Table(t.state.copy())
    t.jump(2, "r1", uno=True)
    assert (t.view()["called"], t.reactions()) == ([2], [])
    other.jump(2, "r1")
    assert [seat for seat, _ in other.reactions()] == [0, 1, 2, 3]
    other.catch(0, of=2)
    assert other.settle()[0] == Caught(2, 0, 2)


def test_a_round_can_be_won_by_a_jump() -> None:
    t = played("r1 b2 b3", "r3 y1", "r1", "b1 b4")
    *_, ended = t.jump(2, "r1")
    assert (ended.winner, t.view()["phase"]) == (2, "pause")


@pytest.mark.parametrize(("pause", "phase"), [(0, "play"), (5000, "pause")])
def test_a_round_that_is_won_cannot_be_jumped_into(pause: int, phase: str) -> None:
    t = played("r1", "r1 y1", pause=pause)
    assert (t.view()["phase"], t.reactions()) == (phase, [])


@pytest.mark.parametrize("swap", [0, 1, 3])
def test_a_jump_with_a_seven_names_the_seat_to_swap_with(swap: int) -> None:
    t = played(*SEVENS, swap=1, seven_zero=True)
    assert jumping(t) == [Jump(t.held(2, "r7"), swap=seat) for seat in (0, 1, 3)]
    theirs = t.hand(swap)
    _, swapped = t.jump(2, "r7", swap=swap)
    assert isinstance(swapped, Swapped)
    assert (t.hand(2), t.hand(swap)) == (theirs, "g2 g3")


def test_a_seat_that_leaves_changes_the_reactions_with_a_seven() -> None:
    t = played(*SEVENS, swap=1, seven_zero=True)
    before = t.reactions()
    t.remove(3)
    assert t.reactions() != before
    assert [jump.swap for jump in jumping(t)] == [0, 1]


@pytest.mark.parametrize(
    ("options", "counts", "asked"),
    [({}, [4, 4, 2, 2], 1), ({"stack2": True}, [6, 2, 2, 2], 1), ({"stack_cross": True}, [6, 2, 2, 2], 1)],
)
def test_a_draw_two_jumped_on_is_drawn_for_twice_or_adds_to_the_penalty(
    options: dict[str, Any], counts: list[int], asked: int
) -> None:
    t = played("r+2 b2 b3", "y1 y2", "g1 g2", "r+2 b1 b4", **options)
    t.jump(3, "r+2")
    t.settle()
    if options:
        assert (t.view()["pending"], t.asked()) == (4, (0, "turn"))
        t.accept(0)
    assert (t.view()["counts"], t.asked()) == (counts, (asked, "turn"))


def test_after_several_the_last_can_be_jumped_on_and_a_jump_is_one_card() -> None:
    t = table("r1 b1 b2", "y1 y2", "b1 g1 g2", top="r5", jump_in=True, multi_play=True)
    t.together(0, "r1 b1")
    assert jumps(t) == [2]
    t.jump(2, "b1")
    assert t.hand(2) == "g1 g2"


def test_no_seat_is_forced_to_jump() -> None:
    t = played(*HANDS, force_play=True)
    t.settle()
    assert t.asked() == (1, "turn")
    t.play(1, "r3")
    assert "r1" in t.hand(2)


def test_penalty_cards_that_void_the_call_open_another_reaction() -> None:
    t = table("b1 b2", "r3 y1 y2", "b1 g2", "b3", top="b5", jump_in=True, false_call_penalty=2, deck="y8 y9")
    t.play(0, "b1")
    before = next(key for seat, key in t.reactions() if key.startswith("jump"))
    t.catch(2, of=3)
    after = next(key for seat, key in t.reactions() if key.startswith("jump"))
    assert after != before
    assert UNO.legal(t.state, 2, after) == [Jump(t.held(2, "b1"))]


def test_another_answer_to_a_reaction_is_refused_with_the_allowed_one() -> None:
    t = played(*HANDS)
    assert t.refused(2, Play(t.held(2, "r1")), must=False).fields == {"do": "play", "allowed": "jump"}


# --- what the others can tell ---


class Hasty(Uno):
    """Opens a reaction window only if some seat can jump, which reveals that."""

    def pending(self, state: State) -> Timer | None:
        useful = state.exposed != NOBODY or any(d.key.startswith("jump") for d in self.decisions(state))
        return super().pending(state) if useful else None


class Talkative(Uno):
    """Shows the reactions of all seats to every viewer."""

    def decisions(self, state: State) -> list[Decision]:
        return [replace(decision, must=True) for decision in super().decisions(state)]


@pytest.mark.parametrize(("game", "leaks"), [(Uno(), False), (Hasty(), True), (Talkative(), True)])
def test_nobody_else_learns_who_could_jump(game: Uno, leaks: bool) -> None:
    options = {"preset": "chaos", "seven_zero": False, "scoring": "single", "breath": 200}
    found = LawCheck(Subject(game, [options]), range(40)).check(secrets)
    assert (found is not None) == leaks
