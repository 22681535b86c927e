"""The SDK as the authors of bots use it, for type checkers to read. Nothing here is run.

What is wrong on purpose is marked for both checkers, which complain about a mark that is not needed.
"""

from random import Random
from typing import Any, assert_type

from parlour_bots import Bot, Turn, run
from parlour_games.fair import Words


def index(turn: Turn) -> int:
    return turn.legal.index(turn.rng.choice(turn.legal))


def action(turn: Turn) -> dict[str, Any]:
    return turn.legal[0]


def reasoned(turn: Turn) -> tuple[dict[str, Any], str]:
    return {"do": "draw"}, "nothing fits"


class Deep:
    def __init__(self) -> None:
        self.turns = 0

    def play(self, turn: Turn) -> int:
        self.turns += 1
        return 0

    def may(self, turn: Turn) -> int | None:
        return None


def reads(turn: Turn) -> None:
    assert_type(turn.game, str)
    assert_type(turn.room, str)
    assert_type(turn.seat, int)
    assert_type(turn.rid, int)
    assert_type(turn.view, dict[str, Any])
    assert_type(turn.legal, list[dict[str, Any]])
    assert_type(turn.left, int | None)
    assert_type(turn.budget, int | None)
    assert_type(turn.events, list[dict[str, Any]])
    assert_type(turn.rng, Random)
    turn.seat = 3  # type: ignore[misc] # pyright: ignore[reportAttributeAccessIssue]
    turn.hand  # type: ignore[attr-defined] # pyright: ignore  # noqa: B018


def runs() -> None:
    run(index)
    run(action, game="uno")
    run(reasoned, "minesweeper", call_uno=False, argv=["--arena", "3"])
    run(Deep)
    run(Deep())
    run(lambda turn: turn.seat)
    bot: Bot = Deep()
    run(bot)


def without_answer(turn: Turn) -> None: ...


def without_turn() -> int:
    return 0


class Dumb: ...


def is_wrong() -> None:
    run(without_answer)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    run(without_turn)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    run(Dumb())  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    run(index, games="uno")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    bot: Bot = Dumb()  # type: ignore[assignment] # pyright: ignore[reportAssignmentType]
    run(bot)


def shuffles(words: Words, names: list[str], cards: list[int]) -> None:
    words.shuffle(names)
    assert_type(words.draw(names, 2), list[str])
    assert_type(words.draw(cards, 2), list[int])
