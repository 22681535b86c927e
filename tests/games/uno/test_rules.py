"""A turn: matching, drawing, what each card does, the Wild Draw Four and its challenge."""

from typing import Any

import pytest
from tests.games.uno.tables import UNO, laid, table

from parlour_games.uno.actions import Accept, Challenge, Draw, Pass, Play
from parlour_games.uno.cards import CARDS_BY_FACE, FIRST_WILD, SYMBOL, cards_in
from parlour_games.uno.events import Accepted, Drawn, Event, Passed, Played, Reversed, RoundEnded, Skipped

STRICT: dict[str, Any] = {"strict_wild4": True}
NO_BLUFF: dict[str, Any] = {"no_bluff": True}
FORCED: dict[str, Any] = {"force_play": True}
UNTIL: dict[str, Any] = {"draw_until": True}


@pytest.mark.parametrize(
    ("hand", "top", "options", "faces"),
    [
        ("r1 y5 g7 bs w w+4", "r5", {}, "r1 y5 w w+4 draw"),
        ("r1 y5 gs br b+2", "ys", {}, "y5 gs draw"),
        ("r1 y5 g7 w w+4", "w", {"colour": "green"}, "g7 w w+4 draw"),
        ("w+4 r1 b3", "r5", NO_BLUFF, "r1 draw"),
        ("w+4 b5 b3", "r5", NO_BLUFF, "b5 w+4 draw"),
        ("w+4 b5 b3", "r5", NO_BLUFF | STRICT, "b5 draw"),
        ("w+4 b4 b3", "r5", NO_BLUFF | STRICT, "w+4 draw"),
        ("r1 y2", "r5", FORCED, "r1"),
        ("y1 y2", "r5", FORCED, "draw"),
        ("r1 w+4", "r5", FORCED, "r1 w+4"),  # who could bluff has another card to play
        ("r1 y2", "r5", UNTIL, "r1 draw"),
    ],
)
def test_what_may_be_played(hand: str, top: str, options: dict[str, Any], faces: str) -> None:
    assert table(hand, "y1 y2", top=top, **options).faces(0) == faces.split()


@pytest.mark.parametrize(
    ("hand", "deck", "options", "faces"),
    [
        ("r1 r2 r3", "b5", {}, "b5 pass"),
        ("r1 r2 r3", "b9", {}, "pass"),
        ("r1 b3", "w+4", NO_BLUFF, "pass"),
        ("y1 y2", "r9", FORCED, "r9"),
        ("y1 y2", "b9", FORCED, "pass"),
        ("y1 y2", "b9 b8 g5 r1", UNTIL, "g5 pass"),
        ("r1 y2", "b9 r9", UNTIL, "r9 pass"),
        ("r1 y2", "w+4 b9 w", UNTIL | NO_BLUFF, "w pass"),
        ("y1 y2", "b9 b8 r1", UNTIL | FORCED, "r1"),
    ],
)
def test_what_may_be_played_after_drawing(hand: str, deck: str, options: dict[str, Any], faces: str) -> None:
    t = table(hand, "g1 g2", top="r5", deck=deck, **options)
    t.draw(0)
    assert (t.asked(), t.faces(0)) == ((0, "drawn"), faces.split())


def test_the_current_colour_survives_draws_passes_and_reshuffles() -> None:
    t = table("r1 r2 r3", "r4 r6 r7", top="w", colour="blue", deck="g1", pile="y1 y2", rest=1)
    for seat in (0, 1):
        t.draw(seat)
        t.keep(seat)
        assert t.view()["colour"] == "blue"
    assert t.view()["top"] == CARDS_BY_FACE["w"][0]


def test_a_default_action_keeps_the_current_colour() -> None:
    t = table("r1 r2", "r4 r6", top="w", colour="blue", deck="g1 g2")
    for key in ("turn", "drawn"):
        action = UNO.default_action(t.state, 0, t.key(0))
        assert action == {"turn": Draw(), "drawn": Pass()}[key]
        t.act(0, action)
    assert t.view()["colour"] == "blue"


def test_legal_lists_plays_by_card_each_wild_in_four_colours_then_draw() -> None:
    t = table("w+4 r9 w r1", "y1 y2", top="r5")
    cards = [laid(action) for action in t.legal(0) if isinstance(action, Play)]
    assert cards == sorted(cards)
    wilds = [action for action in t.legal(0) if isinstance(action, Play) and laid(action) >= FIRST_WILD]
    assert [action.colour for action in wilds] == ["red", "yellow", "green", "blue"] * 2
    assert t.legal(0)[-1] == Draw()


def test_legal_lists_the_play_that_calls_uno_before_its_silent_twin() -> None:
    t = table("r1 w", "y1 y2", top="r5")
    assert [(SYMBOL[laid(a)], a.colour, a.uno) for a in t.legal(0) if isinstance(a, Play)] == [
        (1, None, True),
        (1, None, False),
        *[(13, colour, uno) for colour in ("red", "yellow", "green", "blue") for uno in (True, False)],
    ]


def test_a_drawn_action_card_has_its_full_effect() -> None:
    t = table("r1 r2 r3", "y1 y2", "g1 g2", top="r5", deck="r+2 b1 b2")
    t.draw(0)
    t.play(0, "r+2")
    assert t.hand(1) == "y1 y2 b1 b2"
    assert t.asked() == (2, "turn")


def test_a_seat_is_asked_even_when_it_can_neither_play_nor_draw() -> None:
    t = table("r1 r2", "y1 y2", top="b9", rest=1)
    assert t.faces(0) == ["draw"]
    assert t.draw(0) == [Drawn(0, [], "turn")]
    assert t.legal(0) == [Pass()]
    assert t.keep(0) == [Passed(0)]
    assert t.asked() == (1, "turn")


@pytest.mark.parametrize(
    ("face", "seats", "told", "asked", "direction"),
    [
        ("r1", 3, [], 1, 1),
        ("rs", 3, [Skipped(1)], 2, 1),
        ("rs", 2, [Skipped(1)], 0, 1),
        ("rr", 3, [Reversed(-1)], 2, -1),
        ("rr", 2, [Skipped(1)], 0, 1),
    ],
    ids=["number", "skip", "skip between two", "reverse", "reverse between two"],
)
def test_who_is_asked_after_a_card(face: str, seats: int, told: list[Event], asked: int, direction: int) -> None:
    t = table(*(f"{face} r2 r3", "y1 y2", "g1 g2")[:seats], top="r5")
    assert t.play(0, face) == [Played(0, CARDS_BY_FACE[face][0], None, False), *told]
    assert (t.asked(), t.view()["direction"]) == ((asked, "turn"), direction)


def test_a_second_reverse_turns_the_direction_back() -> None:
    t = table("rr r2 r3", "y1 y2", "g1 g2 gr", top="r5")
    t.play(0, "rr")
    assert t.play(2, "gr")[1:] == [Reversed(1)]
    assert t.asked() == (0, "turn")


def test_draw_two_makes_the_next_seat_draw_and_miss_its_turn() -> None:
    t = table("r+2 r2 r3", "y1 y2", "g1 g2", top="r5", deck="b1 b2")
    assert t.play(0, "r+2")[1:] == [Drawn(1, [*CARDS_BY_FACE["b1"][:1], *CARDS_BY_FACE["b2"][:1]], "two")]
    assert t.asked() == (2, "turn")
    assert t.hand(1) == "y1 y2 b1 b2"


def test_a_wild_names_the_colour() -> None:
    t = table("w r2 r3", "y1 g2 b3", top="r5")
    [played] = t.play(0, "w", "green")
    assert played == Played(0, CARDS_BY_FACE["w"][0], "green", False)
    assert t.view()["colour"] == "green"
    assert t.faces(1) == ["g2", "draw"]


def test_equal_faces_are_two_cards() -> None:
    t = table("r5 r5 b1", "y1 y2", top="r9")
    t.play(0, "r5")
    assert t.hand(0) == "r5 b1"


# Wild Draw Four


def test_a_wild_draw_four_is_accepted_or_challenged_and_who_accepts_draws_four_and_misses_its_turn() -> None:
    t = table("w+4 b2 b3", "y1 y2", "g1 g2", top="r5")
    t.play(0, "w+4", "green")
    assert (t.asked(), t.legal(1)) == ((1, "challenge"), [Accept(), Challenge()])
    assert UNO.default_action(t.state, 1, t.key(1)) == Accept()
    accepted, drawn = t.accept(1)
    assert accepted == Accepted(1)
    assert (drawn.seat, len(drawn.cards), drawn.why) == (1, 4, "four")
    assert t.asked() == (2, "turn")
    assert t.view()["colour"] == "green"


@pytest.mark.parametrize(
    ("hand", "options", "guilty"),
    [
        ("b5 w", {}, False),
        ("r1 b3", {}, True),
        ("g1 b3", {}, False),  # the colour in force before counts, not the one that is named
        *((f"{fits} b3", STRICT, True) for fits in ("b5", "w", "r1")),
        *((f"{other} b3", STRICT, False) for other in ("b1", "w+4")),
    ],
)
def test_what_makes_a_wild_draw_four_a_bluff(hand: str, options: dict[str, Any], guilty: bool) -> None:
    t = table(f"w+4 {hand}", "y1 y2", top="r5", **options)
    t.play(0, "w+4", "green")
    challenged, drawn = t.challenge(1)
    assert challenged.guilty == guilty
    assert (drawn.seat, len(drawn.cards), drawn.why) == ((0, 4) if guilty else (1, 6)) + ("challenge",)
    assert t.asked() == ((1, "turn") if guilty else (0, "turn"))


def test_a_guilty_offender_draws_four_and_the_challenger_plays_on() -> None:
    t = table("w+4 r1 b3", "y1 y2", "g1 g2", top="r5", deck="b6 b7 b8 b9")
    t.play(0, "w+4", "green")
    challenged, drawn = t.challenge(1)
    assert challenged.guilty
    assert [cards_in(challenged.hand)] == [[CARDS_BY_FACE["r1"][0], CARDS_BY_FACE["b3"][0]]]
    assert (drawn.seat, len(drawn.cards), drawn.why) == (0, 4, "challenge")
    assert t.hand(0) == "r1 b3 b6 b7 b8 b9"
    assert t.asked() == (1, "turn")
    assert t.view()["colour"] == "green"
    assert t.view()["counts"][1] == 2


def test_guilt_is_judged_by_the_hand_at_the_play_not_by_later_penalty_cards() -> None:
    t = table("w+4 b3", "y1 y2", "g1 g2", top="r5", deck="r1 r2", breath=0)
    t.play(0, "w+4", "green")
    t.catch(2, of=0)
    assert t.hand(0) == "r1 r2 b3"
    [challenged, _] = t.challenge(1)
    assert not challenged.guilty
    assert cards_in(challenged.hand) == [CARDS_BY_FACE["b3"][0]]


def test_the_hand_is_shown_to_the_challenger_only_guilty_or_innocent() -> None:
    for other in ("r1", "b1"):
        t = table(f"w+4 {other} b3", "y1 y2", "g1 g2", top="r5")
        t.play(0, "w+4", "green")
        event, *_ = t.challenge(1)
        shown = {viewer: UNO.redact(event, viewer) for viewer in (0, 1, 2, None)}
        assert [viewer for viewer, plain in shown.items() if plain and "hand" in plain] == [1]
        assert shown[1]
        assert shown[1]["hand"] == [CARDS_BY_FACE[other][0], CARDS_BY_FACE["b3"][0]]


def test_as_last_card_a_wild_draw_four_is_innocent_and_the_round_ends_after_the_answer() -> None:
    for answer, drawn in ((Challenge(), 6), (Accept(), 4)):
        t = table("w+4", "y1", "g1 g2", top="r5", deck="b9 b8 b7 b6 b1 b2")
        t.play(0, "w+4", "green")
        assert t.asked() == (1, "challenge")
        answered, draw, ended = t.act(1, answer)
        assert len(draw.cards) == drawn
        assert not getattr(answered, "guilty", False)
        points = {4: 31, 6: 34}[drawn]
        assert ended == RoundEnded(0, (0, points, 3), (points + 3, 0, 0))


def test_as_last_card_a_draw_two_makes_the_next_seat_draw_before_the_round_is_scored() -> None:
    t = table("r+2", "y1", "g1 g2", top="r5", deck="b9 b8")
    _, drawn, ended = t.play(0, "r+2")
    assert isinstance(drawn, Drawn)
    assert ended == RoundEnded(0, (0, 18, 3), (21, 0, 0))


def test_a_drawn_wild_draw_four_is_judged_by_the_hand_it_came_to() -> None:
    t = table("r1 b3", "y1 y2", top="r5", deck="w+4")
    t.draw(0)
    t.play(0, "w+4", "blue")
    challenged, *_ = t.challenge(1)
    assert challenged.guilty


def test_no_bluff_leaves_nothing_to_challenge() -> None:
    t = table("w+4 b1 b3", "y1 y2", "g1 g2", top="r5", no_bluff=True)
    _, drawn = t.play(0, "w+4", "green")
    assert (drawn.seat, len(drawn.cards), drawn.why) == (1, 4, "four")
    assert t.asked() == (2, "turn")


# A round in which nothing moves any more


def test_a_round_ends_when_all_seats_pass_with_no_card_to_draw() -> None:
    t = table("y1 y2 y3", "y4 y5 y6", "y7 y8", "b1", top="r9", rest=3, target=10_000)
    for seat in (0, 1, 2):
        t.draw(seat)
        t.keep(seat)
        assert t.asked() == (seat + 1, "turn")
    t.draw(3)
    *_, ended = t.keep(3)
    assert ended.winner == 0
    assert ended.scores[0] == sum(ended.points) - ended.points[0]


def test_a_play_in_between_begins_the_count_of_passes_again() -> None:
    t = table("y1 y2", "r+2 y6 y5", "b1", top="r9", rest=2, target=10_000)
    t.draw(0)
    t.keep(0)
    t.play(1, "r+2")  # its victim draws the one card that had lain under it
    for seat in (0, 1):
        assert t.draw(seat) == [Drawn(seat, [], "turn")]
        t.keep(seat)
    assert t.asked() == (2, "turn")
    assert t.state.passes == 2
