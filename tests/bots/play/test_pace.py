import attrs
import pytest

from parlour_bots.errors import definition
from parlour_bots.play.pace import paced
from parlour_bots.sdk import Choice, Turn, bot_spec, seeded

TURN = Turn("minesweeper", "K7QD", 0, 1, {}, [], None, [], seeded(0))


@pytest.mark.parametrize(
    ("answer", "seconds"),
    [
        (({"do": "open", "cells": [[0, 0]] * 3}, "certain"), 1.5),
        ({"do": "seq", "moves": [["open", 0, 0]] * 2}, 1.0),
        ({"do": "bomb", "at": [0, 0]}, 0.5),
        ({"do": "open", "cells": []}, 0.5),
        (7, 0.5),
    ],
)
def test_an_answer_takes_as_long_as_it_has_cells(answer: Choice, seconds: float) -> None:
    waited: list[float] = []
    bot = paced(bot_spec(lambda turn: answer, "bot", "minesweeper"), 0.5, waited.append).make()
    assert bot.play(TURN) == answer
    assert waited == [seconds]


def test_each_match_has_a_bot_of_its_own() -> None:
    class Counting:
        def __init__(self) -> None:
            self.turns = 0

        def play(self, turn: Turn) -> int:
            self.turns += 1
            return self.turns

    slow = paced(bot_spec(Counting, "counting", "minesweeper"), 0, lambda _: None)
    first, second = slow.make(), slow.make()
    assert [first.play(TURN), first.play(TURN), second.play(TURN)] == [1, 2, 1]
    assert (slow.name, slow.game) == ("counting", "minesweeper")


def test_its_mistakes_are_still_told_by_the_authors_own_line() -> None:
    def wrong(turn: Turn) -> Choice:
        return 99

    bot = paced(bot_spec(wrong, "wrong", "minesweeper"), 0).make()
    assert definition(bot.play).where == f"{__file__}:{wrong.__code__.co_firstlineno}"


def test_what_it_may_do_takes_time_too_and_nothing_takes_none() -> None:
    class Catching:
        def play(self, turn: Turn) -> Choice:
            return 0

        def may(self, turn: Turn) -> Choice | None:
            return 1 if turn.rid == 1 else None

    waited: list[float] = []
    bot = paced(bot_spec(Catching, "catching"), 0.5, waited.append).make()
    assert hasattr(bot, "may")
    assert (bot.may(TURN), waited) == (1, [0.5])
    assert (bot.may(attrs.evolve(TURN, rid=2)), waited) == (None, [0.5])
    assert not hasattr(paced(bot_spec(lambda turn: 0, "plain"), 0.5, waited.append).make(), "may")
