"""Reactions out of turn; wrong catches and their penalty."""

from typing import Any

import pytest
from tests.games.uno.tables import UNO, Table, table

from parlour_games.uno.actions import Accept
from parlour_games.uno.events import Asked, Called, Caught, Held, Mistaken
from parlour_games.uno.rules import reactions


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
