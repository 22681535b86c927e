"""House rules for a turn: ``draw_until``, ``force_play`` and ``multi_play``."""

import pytest
from hypothesis import given
from tests.games.uno.players import Seeded, histories
from tests.games.uno.tables import UNO, table
from tests.support.examples import examples

from parlour_games.uno.actions import Draw, Pass, Play
from parlour_games.uno.cards import CARDS_BY_FACE, POINTS
from parlour_games.uno.events import Called, Drawn, Played, Reshuffled, Rotated, RoundEnded, Swapped
from parlour_games.uno.options import Options
from parlour_games.uno.piles import playable

# --- draw_until ---


def test_drawing_continues_until_a_card_fits() -> None:
    t = table("y1 y2", "g1 g2", top="r5", deck="b9 b8 g5 r1", draw_until=True)
    [drawn] = t.draw(0)
    assert drawn == Drawn(0, [CARDS_BY_FACE[face][0] for face in ("b9", "b8", "g5")], "turn")
    assert t.faces(0) == ["g5", "pass"]
    assert t.view(0)["drawn"] == CARDS_BY_FACE["g5"][0]


def test_drawing_goes_on_across_a_reshuffle() -> None:
    t = table("y1 y2", "g1", top="r5", deck="b9", pile="b8 r9", rest=1, draw_until=True)
    reshuffled, drawn = t.draw(0)
    assert reshuffled == Reshuffled(2)
    assert [card for card in drawn.cards if card in CARDS_BY_FACE["r9"]] == drawn.cards[-1:]


def test_empty_piles_end_the_drawing() -> None:
    t = table("y1 y2", "g1", top="r5", deck="b9 b8", rest=1, draw_until=True)
    [drawn] = t.draw(0)
    assert len(drawn.cards) == 2
    assert t.legal(0) == [Pass()]
    t.keep(0)
    assert t.state.passes == 0, "it drew something"
    t = table("y1 y2", "g1", top="r5", rest=1, draw_until=True)
    assert t.draw(0) == [Drawn(0, [], "turn")]
    assert t.view(0)["drawn"] is None
    t.keep(0)
    assert t.state.passes == 1


@given(histories(options=Options(draw_until=True, jump_in=True, no_bluff=True)))
@examples(60)
def test_only_the_last_card_drawn_can_be_played(history: Seeded) -> None:
    for state, step, events in history.walk():
        if step.action == Draw():
            drawn = next(event for event in events if isinstance(event, Drawn))
            assert playable(state) in (0, state.drawn)
            assert playable(state) or len(state.deck) + len(state.pile) == 1
            assert not drawn.cards or state.drawn == 1 << drawn.cards[-1]


# --- force_play ---


def test_only_a_seat_that_cannot_play_may_draw() -> None:
    t = table("r1 y2", "g1 g2", top="r5", force_play=True)
    assert t.refused(0, Draw()).phrase == "forced"


def test_a_drawn_card_that_fits_must_be_played() -> None:
    t = table("y1 y2", "g1 g2", top="r5", deck="r9", force_play=True)
    t.draw(0)
    assert t.refused(0, Pass()).phrase == "forced"
    assert UNO.default_action(t.state, 0, t.key(0)) == Play(CARDS_BY_FACE["r9"][0])


@pytest.mark.parametrize(
    ("hand", "play"),
    [
        ("r1 r2 b3", Play(CARDS_BY_FACE["r1"][0])),
        ("r1 b3", Play(CARDS_BY_FACE["r1"][0], uno=True)),
        ("w b3 b4 y1", Play(CARDS_BY_FACE["w"][0], "blue")),
        ("w b3 y1", Play(CARDS_BY_FACE["w"][0], "yellow")),
        ("w b3", Play(CARDS_BY_FACE["w"][0], "blue", uno=True)),
    ],
)
def test_when_time_is_up_the_lowest_card_is_played_with_a_call_and_the_most_frequent_colour(
    hand: str, play: Play
) -> None:
    t = table(hand, "g1 g2", top="r5", force_play=True)
    assert UNO.default_action(t.state, 0, t.key(0)) == play


# --- multi_play ---


def test_several_of_one_number_are_played_together_the_first_matching_the_last_on_top() -> None:
    t = table("b5 g5 y5 g1", "y1 y2", top="r5", multi_play=True)
    [played] = t.together(0, "y5 b5 g5", uno=True)
    cards = tuple(CARDS_BY_FACE[face][0] for face in ("y5", "b5", "g5"))
    assert played == Played(0, cards[-1], None, True, cards=cards)
    assert (t.view()["top"], t.view()["colour"], t.view()["counts"]) == (cards[-1], "green", [1, 2])
    assert t.view()["called"] == [0]
    assert t.asked() == (1, "turn")
    assert UNO.redact(played, 1) == {"e": "play", "seat": 0, "card": cards[-1], "uno": True, "cards": [*cards]}


def test_single_plays_are_all_that_is_listed() -> None:
    t = table("b5 g5 r1", "y1 y2", top="r5", multi_play=True)
    assert t.legal(0) == [Play(t.held(0, face)) for face in ("r1", "g5", "b5")] + [Draw()]


def test_several_to_one_card_uncalled_open_a_breath() -> None:
    t = table("b5 g5 g1", "y1 y2", top="r5", multi_play=True)
    t.together(0, "b5 g5")
    assert t.asked() is None
    assert t.call(0) == [Called(0)]


def test_several_can_be_the_last() -> None:
    t = table("b5 g5", "y1 y2", top="r5", multi_play=True)
    _, ended = t.together(0, "b5 g5")
    assert (ended.winner, ended.scores) == (0, (POINTS[26] + POINTS[28], 0))


@pytest.mark.parametrize(
    ("face", "swap", "event", "hands"),
    [("7", 2, Swapped, ["g2 g3 g4", "y1 y2", "g1"]), ("0", None, Rotated, ["g2 g3 g4", "g1", "y1 y2"])],
)
def test_sevens_and_zeros_played_together_move_hands_once(
    face: str, swap: int | None, event: type, hands: list[str]
) -> None:
    t = table(f"r{face} b{face} g1", "y1 y2", "g2 g3 g4", top="r5", multi_play=True, seven_zero=True)
    _, moved = t.together(0, f"r{face} b{face}", swap=swap)
    assert isinstance(moved, event)
    assert [t.hand(seat) for seat in (0, 1, 2)] == hands
    assert t.view()["called"] == [hands.index("g1")]


def test_sevens_as_last_cards_swap_nothing() -> None:
    t = table("r7 b7", "y1 y2", top="r5", multi_play=True, seven_zero=True)
    assert isinstance(t.together(0, "r7 b7")[-1], RoundEnded)


@pytest.mark.parametrize(
    ("play", "phrase"),
    [
        (Play(cards=(9,)), "several_cards"),
        (Play(cards=()), "several_cards"),
        (Play(cards=(34, 34)), "several_cards"),
        (Play(34, cards=(34, 59)), "several_cards"),
        (Play(cards=(34, 60)), "not_held"),
        (Play(cards=(34, -1)), "not_held"),
        (Play(cards=(34, 500)), "not_held"),
        (Play(cards=(34, 51)), "several_numbers"),
        (Play(cards=(100, 101)), "several_numbers"),
        (Play(cards=(19, 20)), "several_numbers"),
        (Play(cards=(51, 76)), "first_card"),
        (Play(None, "red", cards=(34, 59)), "no_colour"),
        (Play(cards=(34, 59), uno=True), "early_call"),
        (Play(cards=(34, 59), swap=1), "no_swap"),
        (Play(), "card"),
    ],
)
def test_cards_that_cannot_be_played_together(play: Play, phrase: str) -> None:
    t = table("y5 g5 g1 b1 w w rs rs", "y1 y2", top="r5", multi_play=True)
    assert t.refused(0, play).phrase == phrase


def test_several_are_not_played_without_the_rule_or_after_drawing_or_under_a_penalty_or_as_a_reaction() -> None:
    t = table("b5 g5 g1", "y1 y2", top="r5")
    assert t.refused(0, t.several(0, "b5 g5")).phrase == "several"
    t = table("b5 g5 g1", "y1 y2", top="r5", deck="y5", multi_play=True)
    t.draw(0)
    assert t.refused(0, t.several(0, "y5 g5")).phrase == "several_later"
    t = table("r+2 b1 b2", "y5 g5 g1", top="r5", multi_play=True, stack2=True)
    t.play(0, "r+2")
    assert t.refused(1, t.several(1, "y5 g5")).phrase == "several_later"
    t = table("r1 b2", "y5 g5 g1", top="r5", multi_play=True)
    t.play(0, "r1")
    assert t.refused(1, t.several(1, "y5 g5"), must=False).phrase == "reaction"
