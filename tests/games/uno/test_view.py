"""Views and events are allow-lists: no view depends on secrets."""

from typing import Any

import pytest
from tests.games.uno.tables import match, table

from parlour_games.uno import events as e
from parlour_games.uno.cards import cards_in, mask_of
from parlour_games.uno.view import announce, insiders, redact, view


def test_the_public_view() -> None:
    t = table("r1 r2", "y1 y2 y3", top="w", colour="green", scores=[7, 9])
    assert view(t.state, None) == {
        "phase": "play",
        "round": 1,
        "dealer": 0,
        "turn": 0,
        "direction": 1,
        "colour": "green",
        "top": 100,
        "counts": [2, 3],
        "called": [],
        "out": [],
        "deck": 108 - 6,
        "scores": [7, 9],
    }
    assert view(t.state, 1) == {**view(t.state, None), "hand": sorted(cards_in(t.state.hands[1]))}


def test_the_drawn_card_is_shown_to_its_seat_while_it_may_be_played() -> None:
    t = table("r1 r2", "y1 y2", top="r5", deck="b9")
    t.draw(0)
    assert view(t.state, 0)["drawn"] == t.state.drawn.bit_length() - 1
    assert "drawn" not in view(t.state, 1)
    t.keep(0)
    assert "drawn" not in view(t.state, 0)


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (e.Played(1, 5, None, False), {"e": "play", "seat": 1, "card": 5}),
        (e.Played(1, 101, "blue", True), {"e": "play", "seat": 1, "card": 101, "colour": "blue", "uno": True}),
        (
            e.Played(1, 34, None, True, jump=True, swap=0, cards=(9, 34)),
            {"e": "play", "seat": 1, "card": 34, "uno": True, "jump": True, "swap": 0, "cards": [9, 34]},
        ),
        (e.Mistaken(1, 2, 2), {"e": "mistake", "seat": 1, "of": 2, "n": 2}),
        (e.Passed(0), {"e": "pass", "seat": 0}),
        (e.Skipped(2), {"e": "skip", "seat": 2}),
        (e.Reversed(-1), {"e": "reverse", "direction": -1}),
        (e.Named(1, "red"), {"e": "colour", "seat": 1, "colour": "red"}),
        (e.Called(1), {"e": "uno", "seat": 1}),
        (e.Caught(1, 2, 2), {"e": "caught", "seat": 1, "by": 2, "n": 2}),
        (e.Accepted(1), {"e": "accept", "seat": 1}),
        (e.Asked(1), {"e": "turn", "seat": 1}),
        (e.Reshuffled(40), {"e": "reshuffle", "deck": 40}),
        (e.RoundEnded(None, (1, 2), (3, 4)), {"e": "round", "winner": None, "points": [1, 2], "scores": [3, 4]}),
        (e.Out(1, "left"), {"e": "out", "seat": 1, "why": "left"}),
        (e.MatchEnded((1,)), {"e": "match", "winners": [1]}),
    ],
)
def test_public_events_are_the_same_for_all_viewers(event: e.Event, shown: dict[str, Any]) -> None:
    assert announce(event) == shown
    assert insiders(event) == ()
    assert [redact(event, viewer) for viewer in (None, 0, 1, 2)] == [shown] * 4


@pytest.mark.parametrize(
    "event",
    [
        e.Held(2, 0),
        e.Swapped(2, 0, (1, 2)),
        e.Rotated(1, (1, 2)),
        e.RoundDealt(1, 0, 5, "red", (1, 2)),
    ],
)
def test_nothing_that_differs_from_hand_to_hand_is_announced(event: e.Event) -> None:
    assert announce(event) is None


def test_events_with_a_secret_show_it_to_one_seat() -> None:
    drawn = e.Drawn(1, [9, 4], "turn")
    assert redact(drawn, 1) == {"e": "draw", "seat": 1, "n": 2, "why": "turn", "cards": [9, 4]}
    challenged = e.Challenged(1, 0, True, mask_of([3, 8]))
    assert redact(challenged, 1) == {"e": "challenge", "seat": 1, "of": 0, "guilty": True, "hand": [3, 8]}
    assert insiders(drawn) == insiders(challenged) == (1,)
    for viewer in (None, 0, 2):
        assert announce(drawn) == redact(drawn, viewer) == {"e": "draw", "seat": 1, "n": 2, "why": "turn"}
        assert announce(challenged) == redact(challenged, viewer)
        assert redact(challenged, viewer) == {"e": "challenge", "seat": 1, "of": 0, "guilty": True}


def test_a_held_catch_is_known_to_its_catcher_alone() -> None:
    assert redact(e.Held(2, 0), 2) == {"e": "held", "seat": 2, "of": 0}
    assert [redact(e.Held(2, 0), viewer) for viewer in (None, 0, 1)] == [None] * 3


def test_moved_hands_are_shown_to_their_new_owners() -> None:
    swapped = e.Swapped(2, 0, (mask_of([3, 8]), mask_of([9])))
    common = {"e": "swap", "seat": 2, "of": 0}
    assert redact(swapped, 2) == {**common, "hand": [3, 8]}
    assert redact(swapped, 0) == {**common, "hand": [9]}
    assert [redact(swapped, viewer) for viewer in (None, 1)] == [common] * 2
    rotated = e.Rotated(-1, (mask_of([3, 8]), mask_of([9])))
    assert redact(rotated, None) == {"e": "rotate", "direction": -1}
    assert [redact(rotated, viewer) for viewer in (0, 1)] == [
        {"e": "rotate", "direction": -1, "hand": hand} for hand in ([3, 8], [9])
    ]


def test_pending_cards_are_public_while_they_are_pending() -> None:
    t = table("r+2 r2 r3", "y1 y2", top="r5", stack2=True)
    assert "pending" not in view(t.state, None)
    t.play(0, "r+2")
    assert [view(t.state, viewer)["pending"] for viewer in (None, 0, 1)] == [2] * 3
    t.accept(1)
    assert "pending" not in view(t.state, None)


def test_who_played_a_wild_draw_four_and_on_which_colour_is_public_until_it_is_answered() -> None:
    t = table("w+4 r2 r3", "y1 y2", top="r5")
    assert not {"of", "before"} & view(t.state, None).keys()
    t.play(0, "w+4", "blue")
    for viewer in (None, 0, 1):
        shown = view(t.state, viewer)
        assert (shown["of"], shown["before"], shown["colour"]) == (0, "red", "blue")
    t.accept(1)
    assert not {"of", "before"} & view(t.state, None).keys()


def test_a_deal_shows_each_seat_its_own_hand() -> None:
    t, [deal] = match("r1 r2 r3 r4 r5 r6 r7 b1 b2 b3 b4 b5 b6 b7 y8")
    common = {"e": "deal", "round": 1, "dealer": 0, "top": t.state.pile[-1], "colour": "yellow"}
    assert redact(deal, None) == common
    for seat in (0, 1):
        assert redact(deal, seat) == {**common, "hand": cards_in(t.state.hands[seat])}
