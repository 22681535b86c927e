from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from statistics import median
from typing import Any

import attrs
import pytest
from tests.bots.uno.decisions import words
from tests.games.uno.tables import UNO, Table, table

from parlour_bots.sdk import Turn, seeded
from parlour_bots.uno import painfirst
from parlour_bots.uno.search import BATCH, Search, race
from parlour_games.fair import Fair
from parlour_games.uno.cards import BIT, COLOURS, SHORTS, cards_in
from parlour_games.uno.options import Options
from parlour_games.uno.state import State


def asked(at: Table, seat: int = 0, events: list[dict[str, Any]] | None = None, seed: object = 1) -> Turn:
    view = UNO.view(at.state, seat)
    legal = [UNO.wire(action) for action in UNO.legal(at.state, seat, at.key(seat))]
    return Turn("uno", "TEST", seat, 1, view, legal, None, events or [], seeded(seed))


CLEAR = [
    ("the last card wins", ["r5", "b1 b2 b3"], {"top": "r1"}, {"r5"}),
    ("two attacks in a row win", ["rs r5", "b1 b2"], {"top": "r1"}, {"rs uno"}),
    ("a seat about to finish is made to draw", ["r+2 r1 b3 y6 g7", "b1"], {"top": "r9"}, {"r+2"}),
    ("a seat about to finish is skipped", ["rs r1", "b1", "g9 g8 g6 g4 y1 y2 y3"], {"top": "r9"}, {"rs uno"}),
    ("a colour is named that it can go on with", ["w b1 bs", "r1 r2 r3"], {"top": "g9"}, {"w blue"}),
    ("the win is not given away by drawing", ["r5 w", "b1 b2 b3 b4"], {"top": "r1"}, {"r5 uno", "w red uno"}),
    ("the wild is not kept when it wins", ["w", "b1 b2"], {"top": "r1"}, {f"w {colour}" for colour in COLOURS}),
]


@pytest.mark.parametrize(("why", "hands", "how", "best"), CLEAR, ids=[case[0] for case in CLEAR])
def test_plays_what_is_clearly_best(why: str, hands: list[str], how: dict[str, Any], best: set[str]) -> None:
    assert words(Search(worlds=400).play(asked(table(*hands, **how)))) in best, why


@pytest.mark.parametrize("last", ["g8", "b8"])
def test_a_wild_draw_four_is_taken_for_honest(last: str) -> None:
    at = table(f"w+4 y1 y2 y3 {last}", "r1 r2 r3 r4 r6", top="g1")
    four, top = at.held(0, "w+4"), at.state.pile[-1]
    at.play(0, "w+4", "yellow")
    deal = {"e": "deal", "top": top, "colour": "green"}
    play = {"e": "play", "seat": 0, "card": four, "colour": "yellow"}
    assert words(Search(worlds=400).play(asked(at, 1, [deal, play]))) == "accept"


def test_a_hand_that_was_shown_is_known() -> None:
    at = table("w+4 w+4 g1 y2 y3", "r1 r2 r3 r4 r6", top="g5")
    first, second = (card for card in cards_in(at.state.hands[0]) if SHORTS[card] == "w+4")
    top, hand = at.state.pile[-1], cards_in(at.state.hands[0])
    at.state.hands[0] &= ~BIT[first]
    at.state.counts[0] -= 1
    at.state.pile.append(first)
    at.state.colour = 2
    at.play(0, "w+4", "green")
    hand.remove(first)
    events = [
        {"e": "deal", "top": top, "colour": "green"},
        {"e": "play", "seat": 0, "card": first, "colour": "green"},
        {"e": "challenge", "seat": 1, "of": 0, "guilty": True, "hand": hand},
        {"e": "play", "seat": 0, "card": second, "colour": "green"},
    ]
    assert words(Search(worlds=400).play(asked(at, 1, events))) == "challenge"


def test_the_same_seed_decides_the_same() -> None:
    at = table("r1 b2 y3 w g4", "r2 r3 b4 b5 y5", top="r9")
    one, two = (Search(worlds=60) for _ in range(2))
    assert one.play(asked(at, seed=5)) == two.play(asked(at, seed=5))
    assert one.last == two.last is not None
    assert one.reproducible


def turns(seed: int, seats: int = 3) -> Iterator[tuple[State, Turn]]:
    """Yield every turn of seat 0 in a round between painfirsts, with the state it is taken from."""
    state, events = UNO.start(Options(scoring="single", breath=0), seats, Fair(bytes([seed]) * 32, "TEST/1", []))
    rng = seeded(seed)
    told = [UNO.redact(event, 0) for event in events]
    while UNO.outcome(state) is None:
        [decision] = [decision for decision in UNO.decisions(state) if decision.must]
        actions = UNO.legal(state, decision.seat, decision.key)
        legal = [UNO.wire(action) for action in actions]
        view = UNO.view(state, decision.seat)
        if decision.seat == 0:
            yield state, Turn("uno", "T", 0, 1, view, legal, None, [e for e in told if e], seeded(seed, 0))
            told = []
        action = rng.choice(painfirst.best(view, legal))
        told += [UNO.redact(e, 0) for e in UNO.apply(state, decision.seat, decision.key, actions[legal.index(action)])]


def redealt(state: State) -> State:
    """Return another world with the same view from seat 0: all hidden cards lie elsewhere."""
    other = UNO.copy(state)
    other.public = None
    hidden = [card for hand in state.hands[1:] for card in cards_in(hand)] + state.deck
    seeded("redealt", state.question).shuffle(hidden)
    for seat in range(1, state.seats):
        other.hands[seat] = sum(BIT[hidden.pop()] for _ in range(state.counts[seat]))
    other.deck = hidden
    return other


@pytest.mark.parametrize("seed", [3, 4])
def test_never_sees_what_is_hidden(seed: int) -> None:
    """In two worlds that look alike from its seat it says the same."""
    one, two = Search(worlds=24), Search(worlds=24)
    times = 0
    for state, turn in turns(seed):
        other = redealt(state)
        assert other.hands[1:] != state.hands[1:] or state.counts[1:] == [1, 1]
        [decision] = [decision for decision in UNO.decisions(other) if decision.must]
        legal = [UNO.wire(action) for action in UNO.legal(other, 0, decision.key)]
        alike = Turn("uno", "T", 0, 1, UNO.view(other, 0), legal, None, turn.events, seeded(seed, 0))
        assert (alike.view, alike.legal) == (turn.view, turn.legal)
        assert one.play(turn) == two.play(alike)
        times += 1
    assert times > 3


@pytest.mark.parametrize(
    ("worlds", "think", "left", "capped"),
    [(100_000, 50, None, True), (100_000, None, 200, True), (50, None, None, False)],
    ids=["option", "clock", "without a cap"],
)
def test_a_cap_cuts_thinking_short_and_is_told(worlds: int, think: int | None, left: int | None, capped: bool) -> None:
    at = table("r1 b9 y9 g9 g4", "r2 r3 b4 b5 y5", top="r9")
    bot = Search(worlds=worlds, think=think)
    bot.clock = count(step=0.02).__next__
    bot.play(attrs.evolve(asked(at), left=left))
    assert bot.last is not None
    assert (bot.last.capped, bot.reproducible) == (capped, not capped)
    assert bot.last.worlds < 200


def offered(*legal: dict[str, Any], **view: Any) -> dict[str, Any] | None:
    shown = {"called": [], "counts": [5, 1, 1, 3], **view}
    return Search().may(Turn("uno", "T", 0, 1, shown, [*legal], None, [], seeded(1)))


def test_who_did_not_call_is_caught_in_time_and_jumps_are_taken_for_the_shortest_hand() -> None:
    first, second = ({"do": "catch", "seat": seat} for seat in (1, 2))
    assert offered(first, exposed=1) == offered(second, first, exposed=1) == first
    assert offered(second, exposed=1) is offered(first, second) is None
    jumps = [{"do": "jump", "card": 7, "swap": seat} for seat in (3, 2, 1)]
    assert offered(*jumps) == jumps[1]
    assert offered({"do": "uno"}) == {"do": "uno"}


def test_lost_events_do_no_harm() -> None:
    bot = Search(worlds=24)
    for number, (_, turn) in enumerate(turns(5)):
        events = turn.events if number % 3 else turn.events[len(turn.events) // 2 :]
        turn.events[:] = events
        assert bot.play(turn) in turn.legal


def noisy(means: list[float], seed: int, shared: float = 1.0) -> tuple[Callable[[list[int]], list[float]], list[int]]:
    """Return a trial whose answers have these means, and how often each has been tried."""
    rng, tried = Random(seed), [0] * len(means)

    def trial(alive: list[int]) -> list[float]:
        luck = rng.gauss(0, shared)
        for answer in alive:
            tried[answer] += 1
        return [means[answer] + luck + rng.gauss(0, 0.3) for answer in alive]

    return trial, tried


def test_the_best_wins_and_the_clearly_worse_get_few_worlds() -> None:
    trial, tried = noisy([0.1, 0.5, 0.45, -0.6], 1)
    found = race(4, trial, 4_000)
    assert found.best == 1
    assert tried[3] == BATCH
    assert tried[1] == found.worlds == max(tried)
    assert not found.capped


def test_the_best_is_hardly_ever_dropped() -> None:
    wrong = sum(race(3, noisy([0.5, 0.4, 0.38], seed)[0], 2_000).best != 0 for seed in range(100))
    assert wrong <= 3


def test_equals_end_early_and_the_first_is_taken() -> None:
    found = race(3, lambda alive: [0.5] * len(alive), 1_000)
    assert (found.best, found.worlds, found.means) == (0, BATCH, (0.5, 0.5, 0.5))


def test_the_more_worlds_the_less_behind_is_enough() -> None:
    found = [race(2, noisy([0.5, 0.45], seed)[0], 4_000) for seed in range(40)]
    assert median(each.worlds for each in found) < 450
    assert sum(each.best == 0 for each in found) >= 38


def test_broken_off_after_the_batch_in_which_time_or_worlds_run_out() -> None:
    asked = iter([False, False, True])
    found = race(2, noisy([0.5, 0.499], 1)[0], 10_000, lambda: next(asked))
    assert (found.capped, found.worlds) == (True, 3 * BATCH)
    trial, tried = noisy([0.5, 0.499], 1)
    assert race(2, trial, 100).worlds == tried[0] == tried[1] == 100
    decided = race(2, noisy([0.9, 0.0], 1)[0], 10_000, lambda: True)
    assert (decided.best, decided.capped) == (0, False)
