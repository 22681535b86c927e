"""Calling UNO with the play, after it, or not at all; the reaction window; right and wrong catches."""

from typing import Any

import pytest
from tests.games.uno.tables import UNO, Table, table

from parlour_games.game import Timer
from parlour_games.uno.actions import Accept, CallUno, Catch, Play
from parlour_games.uno.events import Asked, Called, Caught, Held, Mistaken
from parlour_games.uno.rules import reactions


def exposed(**options: Any) -> Table:
    """Seat 0 of four has one card and has not called; seat 1 is next."""
    t = table("r1 b2", "r3 y1", "g1 g2", "b1 b3", top="r5", deck="g8 g9 y8 y9", **options)
    t.play(0, "r1")
    return t


def test_called_with_the_play_there_is_no_breath() -> None:
    t = table("r1 b2", "y1 y2", top="r5")
    [played] = t.play(0, "r1", uno=True)
    assert played.uno
    assert t.asked() == (1, "turn")
    assert t.reactions() == []
    assert t.view()["called"] == [0]


@pytest.mark.parametrize(("options", "ms"), [({}, 750), ({"breath": 1200}, 1200)])
def test_an_uncalled_last_card_opens_a_breath_in_which_no_seat_has_a_turn(options: dict[str, Any], ms: int) -> None:
    t = exposed(**options)
    assert t.asked() is None
    assert UNO.pending(t.state) == Timer("breath", ms, serial=1)
    assert (t.view()["phase"], t.view()["turn"], t.view()["called"]) == ("breath", None, [])


def test_everybody_sees_who_can_be_caught() -> None:
    t = exposed(false_call_penalty=2)
    assert [UNO.view(t.state, viewer).get("exposed") for viewer in (0, 3, None)] == [0, 0, 0]
    t.settle()
    assert t.view()["exposed"] == 0
    t.draw(1)
    assert "exposed" not in t.view()
    assert Catch(0) in UNO.legal(t.state, 2, t.key(2, must=False))


def test_in_the_breath_the_owner_may_call_and_all_others_may_catch() -> None:
    t = exposed()
    n = t.state.occasion
    assert t.reactions() == [(0, f"uno:{n}"), *((seat, f"catch:0:{n}") for seat in (1, 2, 3))]
    assert UNO.legal(t.state, 0, t.key(0, must=False)) == [CallUno()]
    assert UNO.legal(t.state, 2, t.key(2, must=False)) == [Catch(0)]


def test_a_call_counts_immediately_and_closes_the_catches() -> None:
    t = exposed()
    assert t.call(0) == [Called(0)]
    assert t.view()["called"] == [0]
    assert t.reactions() == []
    assert UNO.pending(t.state) is not None


def test_a_catch_is_recorded_in_secret_and_closes_only_the_catchers_own_reaction() -> None:
    t = exposed()
    before = {viewer: UNO.view(t.state, viewer) for viewer in (0, 1, 2, 3, None)}
    [held] = t.catch(2, of=0)
    assert held == Held(2, 0)
    assert [viewer for viewer in (0, 1, 2, 3, None) if UNO.redact(held, viewer)] == [2]
    assert {viewer: UNO.view(t.state, viewer) for viewer in before} == before
    assert [seat for seat, _ in t.reactions()] == [0, 1, 3]


def test_at_the_end_of_the_breath_the_first_catch_held_counts() -> None:
    t = exposed()
    t.catch(2, of=0)
    t.catch(1, of=0)
    caught, drawn, asked = t.settle()
    assert caught == Caught(0, 2, 2)
    assert (drawn.seat, drawn.why) == (0, "caught")
    assert asked == Asked(1)
    assert t.hand(0) == "g8 g9 b2"
    assert t.asked() == (1, "turn")
    assert t.reactions() == []


def test_a_call_at_any_time_in_the_breath_voids_the_catch_at_no_cost() -> None:
    t = exposed()
    t.catch(2, of=0)
    t.call(0)
    assert t.settle() == [Asked(1)]
    assert t.view()["counts"] == [1, 2, 2, 2]


def test_after_the_breath_a_catch_counts_immediately_until_the_next_player_acts() -> None:
    t = exposed()
    assert t.settle() == [Asked(1)]
    assert t.asked() == (1, "turn")
    assert [seat for seat, _ in t.reactions()] == [0, 1, 2, 3]
    key = t.key(1)
    caught, _ = t.catch(1, of=0)
    assert caught == Caught(0, 1, 2)
    assert (t.reactions(), t.key(1)) == ([], key), "it keeps its question"


def test_after_the_breath_the_owner_may_still_call() -> None:
    t = exposed()
    t.settle()
    assert t.call(0) == [Called(0)]
    assert t.reactions() == []
    assert t.asked() == (1, "turn")


@pytest.mark.parametrize("act", ["play", "draw"])
def test_when_the_next_player_acts_the_reactions_close(act: str) -> None:
    t = exposed()
    t.settle()
    if act == "play":
        t.play(1, "r3", uno=True)
    else:
        t.draw(1)
    assert t.reactions() == []


@pytest.mark.parametrize(("penalty", "left"), [(0, 1), (1, 2), (4, 5)])
def test_without_a_breath_catches_count_on_the_next_turn_and_the_penalty_is_an_option(penalty: int, left: int) -> None:
    t = exposed(call_penalty=penalty, breath=0)
    assert (t.asked(), UNO.pending(t.state)) == ((1, "turn"), None)
    caught, *drawn = t.catch(2, of=0)
    assert caught == Caught(0, 2, penalty)
    assert len(drawn) == (penalty > 0)
    assert t.view()["counts"][0] == left
    assert t.reactions() == []


def test_a_penalty_is_as_many_cards_as_there_are() -> None:
    t = table("r1 b2", "r3 y1", "b1", top="r5", rest=2, breath=0)
    t.play(0, "r1")
    caught, *_ = t.catch(2, of=0)
    assert caught == Caught(0, 2, 1)


def test_penalty_cards_drawn_into_the_asked_hand_renew_its_question() -> None:
    t = table("rs b2", "y1 y2", top="r5", breath=0)
    t.play(0, "rs")
    key = t.key(0)
    t.catch(1, of=0)
    assert t.asked() == (0, "turn")
    assert t.key(0) != key
    assert len(t.hand(0).split()) == 3


def test_a_call_is_over_when_cards_are_drawn_and_due_again_the_next_time() -> None:
    t = table("r1 b2", "y1 y2", top="r5", deck="g9 r8", breath=0)
    t.play(0, "r1", uno=True)
    t.draw(1)
    t.keep(1)
    t.draw(0)
    assert t.view()["called"] == []
    assert [a.uno for a in t.legal(0) if isinstance(a, Play)] == [True, False]
    t.play(0, "r8")
    assert (0, f"uno:{t.state.occasion}") in t.reactions()


def test_a_wild_draw_four_to_one_card_has_its_breath_before_the_challenge() -> None:
    t = table("w+4 b2", "y1 y2", "g1 g2", top="r5")
    t.play(0, "w+4", "red")
    assert t.asked() is None
    assert t.settle() == [Asked(1)]
    assert t.asked() == (1, "challenge")
    assert (2, f"catch:0:{t.state.occasion}") in t.reactions()


def test_there_is_no_uno_at_the_last_card() -> None:
    t = table("r1", "y1 y2", top="r5")
    t.play(0, "r1")
    assert t.reactions() == []
    assert t.view()["phase"] == "pause"


def test_a_call_stays_when_another_seat_calls_or_leaves_and_goes_with_its_own() -> None:
    t = table("r1 r2", "r3 r4", "g1 g2", "b1 b2", top="r5")
    t.play(0, "r1", uno=True)
    t.play(1, "r3")
    t.call(1)
    assert t.view()["called"] == [0, 1]
    t.remove(3)
    assert t.view()["called"] == [0, 1]
    t.remove(0)
    assert t.view()["called"] == [1]


# --- wrong catches ---


def standing(uno: bool = False, **options: Any) -> Table:
    """Seat 0 of four has one card; seat 1 is next."""
    rules = {"false_call_penalty": 2, **options}
    t = table("r1 b2", "r3 y1 y2", "g1 g2 g3", "b1 b3 b4", top="r5", deck="g8 g9 y8 y9", **rules)
    t.play(0, "r1", uno=uno)
    return t


def catches(t: Table) -> list[tuple[int, int]]:
    """Return the pairs of catching and caught seats."""
    return [(seat, int(key.split(":")[1])) for seat, key in t.reactions() if key.startswith("catch")]


def test_there_are_no_reactions_on_a_plain_turn_or_in_a_pause() -> None:
    t = table("r1", "y1 y2", top="r5")
    assert reactions(t.state) == []
    t = table("r1", "y1", "g1 g2", top="r5", false_call_penalty=2)
    t.play(0, "r1")
    assert t.view()["phase"] == "pause"
    assert reactions(t.state) == []


def test_reactions_have_the_codes_of_their_legal_actions() -> None:
    t = standing(jump_in=True)
    for seat, key, codes in reactions(t.state):
        assert len(UNO.legal(t.state, seat, key)) == len(codes)


def test_without_the_penalty_only_a_seat_that_has_not_called_can_be_caught() -> None:
    assert catches(standing(uno=True, false_call_penalty=0)) == []
    assert catches(standing(false_call_penalty=0)) == [(1, 0), (2, 0), (3, 0)]


@pytest.mark.parametrize("uno", [True, False])
def test_with_it_every_seat_at_one_card_can_be_caught(uno: bool) -> None:
    t = standing(uno=uno)
    assert catches(t) == [(1, 0), (2, 0), (3, 0)]
    assert UNO.pending(t.state) is None or not uno, "a breath is for who has not called"


def test_a_wrong_catch_costs_the_catcher() -> None:
    t = standing(uno=True)
    mistaken, drawn = t.catch(2, of=0)
    assert mistaken == Mistaken(2, 0, 2)
    assert (drawn.seat, len(drawn.cards), drawn.why) == (2, 2, "mistake")
    assert t.view()["counts"] == [1, 3, 5, 3]
    assert t.view()["called"] == [0]
    for viewer in (None, 0, 2):
        assert UNO.redact(mistaken, viewer) == {"e": "mistake", "seat": 2, "of": 0, "n": 2}


@pytest.mark.parametrize("n", [1, 4])
def test_the_penalty_is_an_option_and_ends_with_the_cards(n: int) -> None:
    t = standing(uno=True, false_call_penalty=n)
    t.catch(2, of=0)
    assert t.view()["counts"][2] == 3 + n
    t = table("r1 b2", "y1 y2", "g1", top="r5", rest=2, false_call_penalty=n)
    t.play(0, "r1", uno=True)
    assert t.catch(1, of=0)[0] == Mistaken(1, 0, 1)


def test_each_seat_may_be_wrong_once_per_seat_that_reaches_one_card() -> None:
    t = standing(uno=True)
    t.catch(2, of=0)
    assert catches(t) == [(1, 0), (3, 0)]
    t.draw(1)
    assert catches(t) == [(1, 0), (3, 0)]


def test_the_reaction_stays_while_the_seat_has_one_card_and_others_act() -> None:
    t = standing(uno=True)
    before = t.reactions()
    t.draw(1)
    t.keep(1)
    assert t.reactions() == before


def test_a_later_occasion_is_another_reaction() -> None:
    t = table("r1 r2", "g1 y2 y3", top="r5", deck="g9 y8 g8", false_call_penalty=2)
    t.play(0, "r1", uno=True)
    first = t.reactions()
    t.play(1, "g1")
    t.draw(0)
    assert catches(t) == []
    t.play(0, "g9", uno=True)
    assert catches(t) == [(1, 0)]
    assert set(t.reactions()).isdisjoint(first)


def test_a_right_catch_is_held_in_the_breath_and_costs_nothing_if_a_call_voids_it() -> None:
    t = standing()
    assert t.catch(2, of=0) == [Held(2, 0)]
    assert t.call(0) == [Called(0)]
    assert catches(t) == [(1, 0), (3, 0)]
    assert t.settle() == [Asked(1)]
    assert t.view()["counts"] == [1, 3, 3, 3]


def test_a_catch_after_the_call_is_wrong_immediately_even_in_the_breath() -> None:
    t = standing()
    t.call(0)
    assert t.catch(2, of=0)[0] == Mistaken(2, 0, 2)
    assert t.settle() == [Asked(1)]


def test_when_the_next_player_has_acted_an_uncalled_seat_is_make_safe() -> None:
    t = standing()
    t.settle()
    t.draw(1)
    assert t.catch(2, of=0)[0] == Mistaken(2, 0, 2)


def test_where_being_caught_costs_nothing_the_second_catch_is_wrong() -> None:
    t = standing(call_penalty=0, breath=0)
    assert t.catch(2, of=0) == [Caught(0, 2, 0)]
    assert t.catch(3, of=0)[0] == Mistaken(3, 0, 2)


def test_an_exposed_seat_that_catches_wrongly_has_more_than_one_card() -> None:
    t = table("r1 b2", "y1", "g1 g2 g3", top="r5", false_call_penalty=2)
    t.play(0, "r1")
    t.catch(2, of=0)
    t.catch(0, of=1)
    assert t.view()["counts"] == [3, 1, 3]
    assert catches(t) == [(2, 1)]
    assert t.settle() == [Asked(1)], "the catch that was held is void"


def test_a_wrong_catch_protects_no_other_seat() -> None:
    t = table("r1 r2", "y1 y2", "g1", top="r5", false_call_penalty=2)
    t.play(0, "r1")
    t.catch(1, of=2)
    t.settle()
    assert t.catch(1, of=0)[0] == Caught(0, 1, 2)


def test_a_seat_without_cards_has_no_reactions() -> None:
    t = table("w+4", "y1", "g1 g2 g3", top="r5", false_call_penalty=2)
    t.play(0, "w+4", "red")
    assert catches(t) == [(2, 1)]
    t.act(1, Accept())
    assert t.view()["phase"] == "pause"


def test_a_seat_with_one_card_after_a_swap_is_caught_wrongly() -> None:
    t = table("r7 r2", "y1 y2 y3", "g1 g2 g3", top="r5", false_call_penalty=2, seven_zero=True)
    t.play(0, "r7", swap=1)
    assert catches(t) == [(0, 1), (2, 1)]
    assert t.catch(2, of=1)[0] == Mistaken(2, 1, 2)


def test_a_seat_that_swaps_for_a_single_card_can_be_caught_and_its_reaction_stays() -> None:
    rules: dict[str, Any] = {"false_call_penalty": 2, "seven_zero": True, "jump_in": True, "breath": 0}
    t = table("r7 r2", "r3 y2 y3", "g1", "b1 b2", top="r5", **rules)
    [before] = [key for seat, key in t.reactions() if seat == 3]
    t.play(0, "r7", swap=2)
    assert t.view()["called"] == [0, 2]
    first, second = (key for seat, key in t.reactions() if seat == 3)
    assert first.startswith("catch:0:")
    assert second == before, "the other one has stood at one card all along"
    t.play(1, "r3")
    assert [key for seat, key in t.reactions() if seat == 3] == [first, second]
