"""The laws of a game, and what is special about Twentyone."""

from parlour_bots.laws import Laws
from parlour_games.fair import Fair
from parlour_twentyone.game import MatchOptions, Stop, Take, TwentyOne

GAME = TwentyOne()


class TestLaws(Laws):
    """Servers, clients and bots rely on these."""

    game = GAME


def test_hand_that_is_worth_most_wins() -> None:
    """Seat 1 takes a card, and both stop."""
    state, _ = GAME.start(MatchOptions(), 2, Fair(bytes(32), "TEST/1", [b"", b""]))
    state.hands, state.deck = [[9, 9], [8, 2]], [10]
    for action in (Stop(), Take(), Stop()):
        [asked] = GAME.decisions(state)
        GAME.apply(state, asked.seat, asked.key, action)
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.scores, outcome.ranks) == ((18, 20), (2, 1))
