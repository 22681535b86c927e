from collections import Counter
from typing import Any

import pytest
from tests.games.uno.tables import UNO, pick, table

from parlour_bots.sdk import seeded
from parlour_bots.uno.belief import GUESSES, Belief, Worlds
from parlour_games.uno.cards import BIT, CARDS, COLOUR_MASK, MATCH, SYMBOL, cards_in, mask_of

R5, R9, B9, W = (pick(face)[0] for face in ("r5", "r9", "b9", "w"))
DEAL: dict[str, Any] = {"e": "deal", "top": R5, "colour": "red"}


def draw(seat: int = 1, n: int = 1, why: str = "turn") -> dict[str, Any]:
    return {"e": "draw", "seat": seat, "n": n, "why": why}


def believing(*events: dict[str, Any], seed: int = 1) -> Belief:
    belief = Belief(0, seeded(seed))
    belief.follow([DEAL, *events], pick("y1 y2 y3 y4 y6 y7 y8"))
    return belief


def share_lacking(belief: Belief, cards: int, count: int, seat: int = 1) -> float:
    """The share of guesses in which each of the first seven slots is none of ``cards``."""
    lacking = [
        all(no & cards == cards for no in belief.slots(guess, seat, count)[: min(7, count)]) for guess in range(GUESSES)
    ]
    return sum(lacking) / GUESSES


def test_who_draws_held_nothing_that_fits_whatever_becomes_of_the_card() -> None:
    belief = believing(draw())
    assert share_lacking(belief, MATCH[0][5], 8) > 0.7
    assert belief.slots(0, 1, 8)[-1] == 0
    laid = believing(draw(), {"e": "play", "seat": 1, "card": R9})
    assert share_lacking(laid, MATCH[0][5], 7) > 0.7


def test_who_passes_drew_nothing_that_fits() -> None:
    belief = believing(draw(), {"e": "pass", "seat": 1})
    assert all(belief.slots(guess, 1, 8)[-1] == MATCH[0][5] for guess in range(GUESSES))


def test_who_must_draw_tells_nothing() -> None:
    belief = believing(draw(n=2, why="two"))
    assert all(not any(belief.slots(guess, 1, 9)) for guess in range(GUESSES))


def test_a_laid_card_was_none_that_could_not_be_it() -> None:
    belief = believing(draw(n=2), {"e": "pass", "seat": 1}, {"e": "play", "seat": 1, "card": R9})
    left = [belief.slots(guess, 1, 8) for guess in range(GUESSES)]
    assert sum(no & BIT[R9] > 0 for slots in left for no in slots) >= 0.7 * 7 * GUESSES


def test_who_lays_a_wild_would_rather_have_laid_a_colour() -> None:
    belief = believing({"e": "play", "seat": 1, "card": W, "colour": "blue"})
    assert share_lacking(belief, COLOUR_MASK[0], 6) > 0.5


def test_contradictions_cost_trust() -> None:
    belief = believing(draw(), {"e": "pass", "seat": 1}, {"e": "play", "seat": 1, "card": R9})
    assert belief.trust.get(1, 1.0) < 1
    assert belief.trust.get(2, 1.0) == 1


def test_after_a_reshuffle_the_discards_are_in_no_old_slot() -> None:
    belief = believing({"e": "play", "seat": 1, "card": R9}, {"e": "play", "seat": 0, "card": B9}, {"e": "reshuffle"})
    assert belief.pile == [B9]
    gone = BIT[R5] | BIT[R9]
    assert all(no & gone == gone for guess in range(GUESSES) for no in belief.slots(guess, 1, 6))


@pytest.mark.parametrize("event", [DEAL, {"e": "swap", "seat": 1, "of": 2}, {"e": "rotate", "direction": 1}])
def test_new_and_moved_hands_are_unknown(event: dict[str, Any]) -> None:
    belief = believing(draw(), {"e": "pass", "seat": 1}, event)
    assert not any(belief.slots(0, 1, 8))


def test_as_many_slots_as_asked_for() -> None:
    belief = believing(draw())
    assert [len(belief.slots(0, seat, count)) for seat in (1, 2) for count in (0, 3, 12)] == [0, 3, 12, 0, 3, 12]


def test_answers_to_a_wild_draw_four_are_counted() -> None:
    belief = believing({"e": "accept", "seat": 1}, {"e": "accept", "seat": 1}, {"e": "challenge", "seat": 1, "of": 2})
    assert belief.answers == {1: [2, 1]}


def test_worlds_hold_every_card_once_and_what_is_known() -> None:
    at = table("y1 y2", "r1 b1 b2", "g1", top="r5")
    view = UNO.view(at.state, 0)
    belief = Belief(0, seeded(1))
    belief.follow([DEAL, *[draw(1), draw(2)]], view["hand"])
    worlds = Worlds(belief, view, seeded(2))
    for _ in range(50):
        world = worlds.deal()
        held = [card for hand in world.hands for card in cards_in(hand)]
        assert sorted(held + world.deck + world.pile) == list(range(CARDS))
        assert [hand.bit_count() for hand in world.hands] == view["counts"]
        assert world.hands[0] == mask_of(view["hand"])
        assert (world.pile, world.turn, world.colour) == ([view["top"]], 0, 0)


def test_worlds_follow_the_belief_and_else_every_card_is_as_likely() -> None:
    view = UNO.view(table("y1 y2", "g1 b1 b2", top="r5").state, 0)
    belief = Belief(0, seeded(1))
    belief.follow([DEAL, draw(1), {"e": "pass", "seat": 1}], view["hand"])
    belief.guesses[1] = [[MATCH[0][5]] * 3 for _ in range(GUESSES)]
    worlds = Worlds(belief, view, seeded(2))
    held = Counter(card for _ in range(3_000) for card in cards_in(worlds.deal().hands[1]))
    red = sum(times for card, times in held.items() if card < 25)
    assert red < 0.02 * held.total()
    yellow, green = (sum(held[card] for card in range(25 * k, 25 * k + 25) if SYMBOL[card] != 5) for k in (1, 2))
    assert abs(yellow / 21 - green / 23) < 0.15 * green / 23


def test_seats_that_are_out_are_left_out() -> None:
    at = table("y1 y2", "r1 b1", "g1 g2", top="r5")
    at.remove(1)
    view = UNO.view(at.state, 0)
    worlds = Worlds(Belief(0, seeded(1)), view, seeded(1))
    assert (worlds.seats, len(worlds.deal().hands)) == ([0, 2], 2)
