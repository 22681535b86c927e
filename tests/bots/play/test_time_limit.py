import itertools

import pytest
from tests.bots.programs import turn

from parlour_bots.errors import Late, definition
from parlour_bots.play.time_limit import with_time_limit
from parlour_bots.sdk import Choice, Turn, bot_spec


class Both:
    """A bot that answers turns and offers with the budget that it has."""

    def play(self, turn: Turn) -> Choice:
        return turn.budget or 0

    def may(self, turn: Turn) -> Choice:
        return 100 + (turn.budget or 0)


def ticking(ms: int) -> "itertools.count[int]":
    """Return a clock on which everything takes so many milliseconds."""
    return itertools.count(step=ms * 1_000_000)


@pytest.mark.parametrize(("left", "budget"), [(None, 50), (80, 50), (30, 30)])
def test_turn_tells_the_lesser_limit(left: int | None, budget: int) -> None:
    assert with_time_limit(bot_spec(Both, "both"), 50).make().play(turn(left=left)) == budget


def test_offers_are_held_to_it_too() -> None:
    bot = with_time_limit(bot_spec(Both, "both"), 50).make()
    assert bot.may(turn()) == 150  # type: ignore[attr-defined]
    assert not hasattr(with_time_limit(bot_spec(lambda turn: 0, "one"), 50).make(), "may")


@pytest.mark.parametrize(("took", "late"), [(50, False), (51, True)])
def test_later_answer_is_late(took: int, late: bool) -> None:
    watched: list[int] = []
    bot = with_time_limit(bot_spec(Both, "both"), 50, watched.append, ticking(took).__next__).make()
    if late:
        with pytest.raises(Late, match="the answer took 51 ms of 50 allowed"):
            bot.play(turn())
    else:
        assert bot.play(turn()) == 50
    assert watched == [took * 1_000_000]


def test_exception_is_watched_and_goes_through() -> None:
    def play(turn: Turn) -> Choice:
        raise KeyError("x")

    watched: list[int] = []
    bot = with_time_limit(bot_spec(play, "one"), 50, watched.append, ticking(99).__next__).make()
    with pytest.raises(KeyError):
        bot.play(turn())
    assert len(watched) == 1
    assert definition(bot.play) == definition(play)
