"""The rules of Goofspiel, beside the laws of every game."""

import pytest

from parlour_bots.laws import Laws
from parlour_games.fair import Fair
from parlour_games.game import BadOptions, IllegalAction
from parlour_goofspiel.game import Bid, DealOptions, Event, Goofspiel, Placed, Resign, Revealed, State

GAME = Goofspiel()


class TestLaws(Laws):
    game = GAME


def begun(seats: int = 2, **options: object) -> State:
    return GAME.start(DealOptions(**options), seats, Fair(bytes(32), "TEST/1", [b""] * seats))[0]  # type: ignore[arg-type]  # any option


def bid(state: State, seat: int, card: int) -> list[Event]:
    return GAME.apply(state, seat, f"bid:{state.round}", Bid(card))


def test_highest_bid_takes_the_prize() -> None:
    state = begun()
    prize = state.prize
    bid(state, 1, 5)
    events = bid(state, 0, 4)
    assert Revealed([4, 5], 1, prize) in events
    assert state.scores == [0, prize]
    assert (4 in state.hands[0], 5 in state.hands[1]) == (False, False)


@pytest.mark.parametrize(("ties", "carried"), [("lost", False), ("carried", True)])
def test_tie_follows_the_option(ties: str, carried: bool) -> None:
    state = begun(ties=ties)
    prize = state.prize
    bid(state, 0, 4)
    bid(state, 1, 4)
    assert state.scores == [0, 0]
    assert state.carried == (prize if carried else 0)


def test_bid_is_hidden_until_all_have_bid() -> None:
    state = begun(3)
    [placed] = bid(state, 0, 4)
    assert placed == Placed(0, 4)
    assert GAME.redact(placed, 0) == {"e": "bid", "seat": 0, "card": 4}
    for viewer in (1, 2, None):
        assert GAME.redact(placed, viewer) == {"e": "bid", "seat": 0}
        assert GAME.view(state, viewer).get("bid") is None
    assert GAME.view(state, 0)["bid"] == 4


def test_card_that_is_spent_is_refused_like_one_that_never_was() -> None:
    state = begun()
    bid(state, 0, 4)
    bid(state, 1, 5)
    reasons = []
    for card in (4, 99):
        with pytest.raises(IllegalAction) as refused:
            bid(state, 0, card)
        reasons.append(refused.value.reason.replace(str(card), ""))
    assert reasons[0] == reasons[1]


def test_leaver_is_last_and_the_others_go_on() -> None:
    state = begun(3, cards=3)
    bid(state, 0, 1)
    bid(state, 1, 2)
    events = GAME.apply(state, 2, "bid:1", Resign())
    assert any(isinstance(event, Revealed) for event in events)
    assert [decision.seat for decision in GAME.decisions(state)] == [0, 1]
    GAME.remove(state, 0)
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.ranks, outcome.why) == ((2, 1, 3), "last")


@pytest.mark.parametrize("seats", [1, 6])
def test_number_of_seats_is_limited(seats: int) -> None:
    with pytest.raises(BadOptions):
        begun(seats)
