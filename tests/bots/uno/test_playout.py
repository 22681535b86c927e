from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.bots.uno.decisions import words
from tests.conftest import SEED
from tests.games.uno.tables import UNO, Table, table

from parlour_bots.uno.playout import NOBODY, Candidate, PlayoutPosition, candidates, carry_out, choose, fullest, run
from parlour_games.fair import Fair
from parlour_games.uno import rules
from parlour_games.uno.actions import ACCEPT, COLOUR_CODES, DRAW, PASS
from parlour_games.uno.cards import BIT, CARDS_BY_FACE, COLOUR_MASK, FIRST_WILD, MATCH, SYMBOL, cards_in, points_in
from parlour_games.uno.options import Options
from parlour_games.uno.rounds import begin_round
from parlour_games.uno.state import AT_BREATH, AT_CHALLENGE, AT_COLOUR, AT_DRAWN, AT_PLAY, State


def dealt(rng: Random) -> State:
    """A round just dealt; some with most of the draw pile in the hands, so that it runs out, some about to end."""
    seats = rng.choice([2, 2, 2, 3, 4, 6, 10])
    state = State(Options(scoring="lowest", target=10_000, breath=0), Fair(rng.randbytes(32), "TEST/1", []), seats)
    begin_round(state, [])
    how = rng.random()
    if how < 0.25:
        _give_out(state, rng)
    elif how < 0.5:
        _shorten(state, rng)
    return state


def _shorten(state: State, rng: Random) -> None:
    """Leave every seat one to three cards; most of the others are discards."""
    for seat, hand in enumerate(state.hands):
        cards = cards_in(hand)
        rng.shuffle(cards)
        keep = rng.randint(1, 3)
        state.hands[seat], state.counts[seat] = sum(BIT[card] for card in cards[:keep]), min(keep, len(cards))
        state.deck[:0] = cards[keep:]
    if rng.random() < 0.5:
        gone = rng.randint(len(state.deck) - 6, len(state.deck))
        state.pile[:0] = state.deck[:gone]
        del state.deck[:gone]


def _give_out(state: State, rng: Random) -> None:
    left = rng.randrange(4)
    while len(state.deck) > left:
        seat = rng.randrange(state.seats)
        state.hands[seat] |= BIT[state.deck.pop()]
        state.counts[seat] += 1


def opened(state: State) -> PlayoutPosition:
    cards = (state.hands.copy(), state.deck.copy(), state.pile.copy())
    position = PlayoutPosition(*cards, state.colour, state.turn, state.direction, passes=state.passes)
    if state.phase == AT_DRAWN:
        position.drawn = state.drawn
    if state.phase == AT_CHALLENGE:
        position.offender, position.before = state.offender, _colour_before(state)
    return position


def shuffling(state: State) -> Callable[[list[int]], None]:
    """Shuffle as the rules will shuffle this round from now on."""
    times = state.reshuffles

    def shuffle(cards: list[int]) -> None:
        nonlocal times
        times += 1
        state.stream.label(f"reshuffle/{times}").shuffle(cards)

    return shuffle


def policy(state: State) -> int:
    if state.phase == AT_CHALLENGE:
        return ACCEPT
    hand, symbol = state.hands[state.turn], SYMBOL[state.pile[-1]]
    fits = hand & MATCH[state.colour][symbol]
    if state.phase == AT_DRAWN:
        fits &= state.drawn
    if not fits:
        return DRAW if state.phase == AT_PLAY else PASS
    card = choose(hand, fits, state.colour, symbol)
    colour = card // 25 if card < FIRST_WILD else fullest(hand)
    calls = state.counts[state.turn] == 2
    return card << 3 | colour << 1 | (0 if calls else 1)


def in_play(state: State) -> bool:
    return state.phase < AT_BREATH and state.round == 1


def compare(rng: Random) -> bool:
    """Play some turns at random, answer once at random, then by the policy to some point or the end: all is equal.

    Returns False if the round was over before there was anything to compare.
    """
    state = dealt(rng)
    for _ in range(rng.choice([0, 0, 3, 10, 40])):
        if not in_play(state):
            return False
        rules.act(state, rng.choice(rules.legal(state)), [])
    if not in_play(state) or (state.phase == AT_DRAWN and not state.drawn):
        return False  # to pass is all it can do then, which nobody needs to try
    before, shuffle = opened(state), shuffling(state)
    code = rng.choice(rules.legal(state))
    rules.act(state, code, [])
    carry_out(before, code, shuffle)
    if code in COLOUR_CODES:
        assert in_play(state)
    turns = rng.choice([1, 4, 10_000])
    _play(state, turns)
    if not before.over:
        run(before, turns, shuffle)
    _check(state, before)
    return True


def _colour_before(state: State) -> int:
    """A colour of which the hand behind the Wild Draw Four holds a card exactly if it was a bluff."""
    return next(colour for colour, cards in enumerate(COLOUR_MASK) if bool(state.evidence & cards) == state.guilty)


def _play(state: State, turns: int) -> None:
    while in_play(state) and (state.phase in (AT_DRAWN, AT_CHALLENGE) or turns):
        turns -= state.phase == AT_PLAY
        assert state.phase != AT_COLOUR
        rules.act(state, policy(state), [])


def _check(state: State, position: PlayoutPosition) -> None:
    """Check that both have come to the same cards in the same places, and to the same seat or winner."""
    assert position.over == (not in_play(state))
    assert [cards_in(hand) for hand in state.hands] == [cards_in(hand) for hand in position.hands]
    assert (state.deck, state.pile) == (position.deck, position.pile)
    if not position.over:
        told = (position.colour, position.turn, position.step, position.passes)
        assert told == (state.colour, state.turn, state.direction, state.passes)
        return
    assert [points_in(hand) for hand in position.hands] == state.scores
    empty = [seat for seat, hand in enumerate(state.hands) if not hand]
    first = empty or [seat for seat, points in enumerate(state.scores) if points == min(state.scores)]
    assert position.winner == (first[0] if len(first) == 1 else NOBODY)


@pytest.mark.parametrize("rounds", [800, pytest.param(100_000, marks=pytest.mark.torture)])
def test_playouts_are_the_rules(rounds: int) -> None:
    compared = tried = 0
    while compared < rounds:
        compared += compare(Random(f"{rounds}/{SEED}/{tried}"))
        tried += 1
    assert tried < 1.5 * rounds


def test_a_copy_shares_nothing() -> None:
    rng = Random(1)
    position = opened(dealt(rng))
    twin = position.copy()
    assert twin == position
    run(twin, 10_000, rng.shuffle)
    assert twin.over
    assert not position.over
    assert sum(hand.bit_count() for hand in position.hands) + len(position.deck) + len(position.pile) == 108


def test_an_empty_table_ends_stuck() -> None:
    position = PlayoutPosition([BIT[0], BIT[30]], [], [60], 2, 0)
    run(position, 1, Random(1).shuffle)
    assert not position.over
    run(position, 1, Random(1).shuffle)
    assert position.over
    assert position.winner == 0
    tied = PlayoutPosition([BIT[1], BIT[26]], [], [60], 2, 0)
    run(tied, 100, Random(1).shuffle)
    assert (tied.over, tied.winner) == (True, NOBODY)


def tried(at: Table, seat: int = 0) -> list[str]:
    legal = [UNO.wire(action) for action in UNO.legal(at.state, seat, at.key(seat))]
    found = candidates(UNO.view(at.state, seat), legal, range(at.state.seats))
    return [words(candidate.action) for candidate in found]


def test_equal_faces_are_tried_once_and_uno_is_called() -> None:
    assert tried(table("r5 r5 b1 b2", "g1 g2", top="r1")) == ["r5", "b1"]
    assert tried(table("r5 b2", "g1 g2", top="r1")) == ["r5 uno"]


def test_who_can_lay_a_colour_does_not_draw() -> None:
    assert "draw" not in tried(table("r5 w", "g1 g2", top="r1"))
    assert tried(table("b5 g5 w", "g1 g2", top="r1")) == ["w green", "w blue", "draw"]


def test_a_colour_is_named_that_the_hand_holds() -> None:
    assert tried(table("w b1 b2", "g1 g2", top="r5")) == ["w blue", "draw"]
    assert len(tried(table("w w+4", "g1 g2", top="r5"))) == 9


def test_there_is_always_an_answer() -> None:
    assert tried(table("b1", "g1 g2", top="r5")) == ["draw"]
    at = table("w+4 b1", "g1 g2", top="r5")
    at.play(0, "w+4", "blue", uno=True)
    assert tried(at, 1) == ["accept", "challenge"]
    stacked = table("r+2 r1", "b+2 b1 b2", top="r5", preset="family")
    stacked.play(0, "r+2", uno=True)
    assert tried(stacked, 1) == ["b+2", "accept"]


OTHER = BIT[CARDS_BY_FACE["r1"][0]]


@pytest.mark.parametrize(
    ("face", "moved", "step", "after"),
    [
        ("r7", {"swap": 2}, 1, [BIT[60], BIT[30], OTHER]),
        ("r0", {"rotates": True}, 1, [BIT[60], OTHER, BIT[30]]),
        ("r0", {"rotates": True}, -1, [BIT[30], BIT[60], OTHER]),
    ],
)
def test_a_seven_swaps_and_a_nought_passes_hands(face: str, moved: dict[str, Any], step: int, after: list[int]) -> None:
    card = CARDS_BY_FACE[face][0]
    world = PlayoutPosition([BIT[card] | OTHER, BIT[30], BIT[60]], [100, 101], [0], 0, 0, step)
    Candidate({"do": "play", "card": card}, card << 3 | 1, **moved).carry_out(world, lambda _: None)
    assert world.hands == after


def test_the_last_card_moves_no_hands() -> None:
    seven = CARDS_BY_FACE["r7"][0]
    world = PlayoutPosition([BIT[seven], BIT[30]], [100, 101], [0], 0, 0)
    Candidate({"do": "play", "card": seven}, seven << 3 | 1, swap=1).carry_out(world, lambda _: None)
    assert (world.over, world.winner, world.hands) == (True, 0, [0, BIT[30]])
