"""Stacking: legal answers to penalties, the seat that draws, and combinations with other rules."""

from typing import Any

import pytest
from tests.games.uno.tables import UNO, Table, match, table

from parlour_games.uno.actions import Accept, Action, Challenge, Draw, Pass, Play
from parlour_games.uno.events import Accepted, Drawn, Event, Played, RoundEnded

EVERY: dict[str, Any] = {"stack2": True, "stack4": True, "stack_cross": True}


def drawn(events: list[Event]) -> list[tuple[int, int, str]]:
    """Return who drew how many cards, and why."""
    return [(event.seat, len(event.cards), event.why) for event in events if isinstance(event, Drawn)]


def played(*others: str, first: str = "r+2 r1 r2", top: str = "r5", **options: Any) -> Table:
    """Return a table at which seat 0 has played the first of its cards; a wild names red."""
    t = table(first, *others, top=top, **options)
    face = first.split()[0]
    t.play(0, face, "red" if face.startswith("w") else None)
    return t


# --- stack2 ---


def two_stacked() -> Table:
    t = played("y+2 y1 y2", "g+2 g1 g2", "b1 b2 b3", stack2=True)
    t.play(1, "y+2")
    return t


def test_a_draw_two_is_answered_by_a_draw_two_or_accepted() -> None:
    t = table("r+2 r1 r2", "y+2 r3 w w+4", "g1 g2", top="r5", stack2=True)
    assert [type(event) for event in t.play(0, "r+2")] == [Played]
    assert (t.asked(), t.view()["pending"]) == ((1, "turn"), 2)
    assert t.faces(1) == ["y+2", "accept"]


def test_a_seat_that_accepts_draws_all_pending_cards_and_misses_its_turn() -> None:
    t = two_stacked()
    assert t.view()["pending"] == 4
    assert UNO.default_action(t.state, 2, t.key(2)) == Accept()
    events = t.accept(2)
    assert events[0] == Accepted(2)
    assert drawn(events) == [(2, 4, "stack")]
    assert t.asked() == (3, "turn")
    assert "pending" not in t.view()
    assert t.faces(3) == ["draw"]


@pytest.mark.parametrize(
    ("first", "options", "legal", "draws"),
    [
        ("r+2 r1 r2", {"stack2": True}, [Accept()], (1, 2, "two")),
        ("w+4 b1 b2", {"stack2": True}, [Accept(), Challenge()], (1, 4, "four")),
        ("w+4 b1 b2", {"stack4": True}, [Accept(), Challenge()], (1, 4, "four")),
    ],
)
def test_a_seat_that_cannot_stack_is_asked_and_a_single_penalty_is_drawn_for_as_ever(
    first: str, options: dict[str, Any], legal: list[Action], draws: tuple[int, int, str]
) -> None:
    t = played("y1 y2", "g1 g2", first=first, **options)
    assert t.legal(1) == legal
    assert drawn(t.accept(1)) == [draws]
    assert t.asked() == (2, "turn")


def test_it_goes_round_and_round() -> None:
    t = played("y+2 y1 y2", first="r+2 b+2 r1 r2", stack2=True)
    t.play(1, "y+2")
    t.play(0, "b+2")
    assert drawn(t.accept(1)) == [(1, 6, "stack")]
    assert t.asked() == (0, "turn")


# --- stack4 ---


def test_a_wild_draw_four_is_stacked_accepted_or_challenged_in_one_question() -> None:
    t = played("w+4 y1 r+2", "g1 g2", first="w+4 b1 b2", stack4=True)
    assert (t.asked(), t.view()["pending"]) == ((1, "challenge"), 4)
    assert t.faces(1) == ["w+4", "accept", "challenge"]
    t.play(1, "w+4", "green")
    assert t.asked() == (2, "challenge")
    assert drawn(t.accept(2)) == [(2, 8, "stack")]
    assert t.view()["colour"] == "green"


@pytest.mark.parametrize(("other", "guilty"), [("g1", False), ("r1", True)])
def test_a_stacked_wild_draw_four_is_challenged_before_stacking_goes_on(other: str, guilty: bool) -> None:
    """It is judged by the colour named below. The loser draws all that is pending; the challenger two more."""
    t = played(f"w+4 {other} y2", "w+4 g2 g3", "y3 y4", first="w+4 b1 b2", top="g5", stack4=True)
    t.play(1, "w+4", "green")
    challenged, *events = t.challenge(2)
    assert (challenged.seat, challenged.of, challenged.guilty) == (2, 1, guilty)
    assert drawn(events) == [(1, 8, "challenge") if guilty else (2, 10, "challenge")]
    assert t.asked() == ((2, "turn") if guilty else (3, "turn"))
    assert "pending" not in t.view()


# --- stack_cross ---


def test_draw_twos_and_wild_draw_fours_answer_each_other() -> None:
    t = played("w+4 y+2 y1", "g+2 b+2 w+4", "b1 b2", stack_cross=True)
    assert t.faces(1) == ["w+4", "accept"]
    t.play(1, "w+4", "green")
    assert t.view()["pending"] == 6
    assert t.faces(2) == ["g+2", "accept", "challenge"], "only of the colour that was named"
    t.play(2, "g+2")
    assert t.asked() == (3, "turn")
    assert drawn(t.accept(3)) == [(3, 8, "stack")]


@pytest.mark.parametrize(
    ("options", "on_two", "on_four"),
    [
        ({"stack2": True}, ["r+2", "accept"], ["accept", "challenge"]),
        ({"stack4": True}, None, ["w+4", "accept", "challenge"]),
        ({"stack_cross": True}, ["w+4", "accept"], ["r+2", "accept", "challenge"]),
        ({"stack2": True, "stack_cross": True}, ["r+2", "w+4", "accept"], ["r+2", "accept", "challenge"]),
        ({"stack4": True, "stack_cross": True}, ["w+4", "accept"], ["r+2", "w+4", "accept", "challenge"]),
        (EVERY, ["r+2", "w+4", "accept"], ["r+2", "w+4", "accept", "challenge"]),
    ],
)
def test_cards_that_stack_on_each_other(options: dict[str, Any], on_two: list[str] | None, on_four: list[str]) -> None:
    two = played("r+2 w+4 y1", "g1 g2", first="r+2 b1 b2", **options)
    assert two.asked() == ((1, "turn") if on_two else (2, "turn"))
    assert not on_two or two.faces(1) == on_two
    assert played("r+2 w+4 y1", "g1 g2", first="w+4 b1 b2", **options).faces(1) == on_four


# --- with other rules ---


def test_a_last_card_ends_the_stacking_and_the_next_seat_draws_before_the_round_is_scored() -> None:
    t = played("y+2", "g+2 g1", "b1 b2", stack2=True)
    events = t.play(1, "y+2")
    assert drawn(events) == [(2, 4, "stack")]
    assert isinstance(events[-1], RoundEnded)
    assert events[-1].winner == 1
    assert "pending" not in t.view()


def last_four() -> Table:
    """Seat 1 has stacked its last card; seat 2 is to answer."""
    t = played("w+4", "w+4 g2", "y3 y4", first="w+4 b1 b2", stack4=True)
    t.play(1, "w+4", "green")
    return t


def test_a_last_wild_draw_four_can_be_challenged_in_vain_but_not_stacked_on() -> None:
    assert last_four().legal(2) == [Accept(), Challenge()]
    for answer, draws in ((Accept(), (2, 8, "stack")), (Challenge(), (2, 10, "challenge"))):
        _, *events, ended = last_four().act(2, answer)
        assert drawn(events) == [draws]
        assert ended.winner == 1


def test_no_bluff_leaves_stacking_without_a_challenge_and_keeps_the_condition() -> None:
    t = played("w+4 y1", "w+4 g1 r1", "b3", first="w+4 b1 b2", no_bluff=True, stack4=True)
    assert t.asked() == (1, "turn")
    assert t.faces(1) == ["w+4", "accept"]
    t.play(1, "w+4", "red", uno=True)
    assert t.legal(2) == [Accept()], "it holds a red card"
    assert drawn(t.accept(2)) == [(2, 8, "stack")]


def test_under_strict_wild4_only_cards_that_could_be_stacked_count_as_playable() -> None:
    for other, guilty in (("r1", False), ("w", False), ("g+2", True)):
        t = played(f"w+4 {other} y1", "g1 g2", first="r+2 r2 r3", stack2=True, stack_cross=True, strict_wild4=True)
        t.play(1, "w+4", "blue")
        challenged, *_ = t.challenge(2)
        assert challenged.guilty == guilty, other


def test_no_seat_is_forced_to_stack() -> None:
    assert played("y+2 y1 y2", "g1", stack2=True, force_play=True).faces(1) == ["y+2", "accept"]


def test_a_seat_that_accepts_draws_the_pending_cards_and_not_until_it_can_play() -> None:
    t = played("y1 y2 y3", "g1", deck="b9 b8 r9", stack2=True, draw_until=True)
    t.accept(1)
    assert t.hand(1) == "y1 y2 y3 b8 b9"


def test_no_seat_draws_the_pending_cards_of_a_seat_that_leaves() -> None:
    t = two_stacked()
    t.remove(2)
    assert t.asked() == (3, "turn")
    assert "pending" not in t.view()
    assert t.faces(3) == ["draw"]


def test_when_the_seat_that_is_to_answer_a_last_card_leaves_the_round_ends_with_nothing_pending() -> None:
    t = last_four()
    *_, ended = t.remove(2)
    assert isinstance(ended, RoundEnded)
    assert "pending" not in t.view()


def test_a_match_that_ends_by_leaving_leaves_nothing_pending() -> None:
    t = played("y+2 y1 y2", stack2=True, jump_in=True)
    t.remove(0)
    assert t.view()["phase"] == "over"
    assert not UNO.canonical(t.state).keys() & {"pending", "laid_by"}


def test_uno_is_called_with_a_stacked_card_or_after_it_in_a_breath() -> None:
    t = played("y+2 y1", "g+2 g2 g3", stack2=True)
    yellow = t.held(1, "y+2")
    assert t.legal(1) == [Play(yellow, uno=True), Play(yellow), Accept()]
    uncalled = Table(t.state.copy())
    t.play(1, "y+2", uno=True)
    assert (t.view()["called"], t.asked()) == ([1], (2, "turn"))
    uncalled.play(1, "y+2")
    assert (uncalled.asked(), uncalled.view()["pending"]) == (None, 4)
    uncalled.settle()
    assert uncalled.faces(2) == ["g+2", "accept"]


def test_refusals_under_a_penalty_say_what_is_allowed() -> None:
    t = played("w+4 y1 r1 y+2", "g1 g2", first="w+4 b1 b2", stack4=True, stack_cross=True)
    refusal = t.refused(1, Play(t.held(1, "r1")))
    assert (refusal.phrase, refusal.fields) == ("stack", {"n": 4, "stack": True, "challenge": True})
    assert t.refused(1, Play(t.held(1, "y+2"))).phrase == "unfit"
    two = played("y1 y3", "g1 g2", stack2=True)
    for action in (Challenge(), Draw(), Pass()):
        refusal = two.refused(1, action)
        pending = {"do": action.do, "n": 2, "stack": False, "challenge": False}
        assert (refusal.phrase, refusal.fields) == ("pending", pending)


def test_a_draw_two_turned_up_is_no_play() -> None:
    t, events = match("r1 r2 r3 r4 r5 r6 r7 b1 b2 b3 b4 b5 b6 b+2 y+2", preset="chaos", first_card_number_only=False)
    assert drawn(events) == [(1, 2, "first")]
    assert t.asked() == (0, "turn")
    assert "pending" not in t.view()
