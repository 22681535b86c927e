"""The rules of liar's dice, beside the laws of every game."""

import pytest

from parlour_bots.laws import Laws
from parlour_games.fair import Fair
from parlour_games.game import BadOptions, IllegalAction
from parlour_liarsdice.game import Bid, DiceOptions, Doubt, Doubted, Event, LiarsDice, Out, Resign, Rolled, State

GAME = LiarsDice()


class TestLaws(Laws):
    game = GAME


def begun(seats: int = 2, **options: object) -> State:
    return GAME.start(DiceOptions(**options), seats, Fair(bytes(32), "TEST/1", [b""] * seats))[0]  # type: ignore[arg-type]  # any option


def act(state: State, action: Bid | Doubt | Resign) -> list[Event]:
    [asked] = GAME.decisions(state)
    return GAME.apply(state, asked.seat, asked.key, action)


@pytest.mark.parametrize(
    ("wild", "count", "loser"), [(False, 2, 1), (False, 3, 0), (True, 3, 1), (True, 4, 1), (True, 5, 0)]
)
def test_doubt_counts_all_dice(wild: bool, count: int, loser: int) -> None:
    state = begun(dice=3, wild_ones=wild)
    state.dice = [[1, 5, 5], [1, 2, 3]]
    act(state, Bid(count, 5))
    doubted, rolled = act(state, Doubt())
    assert isinstance(doubted, Doubted)
    assert (doubted.found, doubted.loser) == (4 if wild else 2, loser)
    assert isinstance(rolled, Rolled)
    assert (rolled.seat, [len(dice) for dice in rolled.dice]) == (loser, state.left)


@pytest.mark.parametrize("low", [Bid(2, 4), Bid(2, 3), Bid(1, 6), Bid(11, 1), Bid(3, 7)])
def test_bid_has_to_be_higher_and_possible(low: Bid) -> None:
    state = begun()
    with pytest.raises(IllegalAction):
        act(state, Doubt())
    act(state, Bid(2, 4))
    with pytest.raises(IllegalAction):
        act(state, low)
    act(state, Bid(2, 5))


def test_last_seat_with_dice_wins_and_later_ones_rank_better() -> None:
    state = begun(4, dice=1)
    state.dice = [[1], [2], [3], [4]]
    act(state, Bid(1, 6))
    assert Out(0, "dice") in act(state, Doubt())
    act(state, Resign())
    assert GAME.remove(state, 0) == []
    assert [seat for seat in range(4) if state.left[seat]] == [2, 3]
    GAME.remove(state, 3)
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.ranks, outcome.scores) == ((4, 3, 1, 2), (0, 0, 1, 0))


@pytest.mark.parametrize("seats", [1, 7])
def test_number_of_seats_is_limited(seats: int) -> None:
    with pytest.raises(BadOptions):
        begun(seats)
