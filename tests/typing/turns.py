"""Bots with the types of a game, for type checkers to read. Nothing here is run."""

from typing import assert_type

from parlour_bots import run
from parlour_bots.typed import MinesweeperPlayer, MinesweeperTurn, UnoAction, UnoColour, UnoTurn


def uno(turn: UnoTurn) -> UnoAction:
    assert_type(turn.view["hand"], list[int])
    assert_type(turn.view["colour"], UnoColour | None)
    assert_type(turn.view.get("pending", 0), int)
    for event in turn.events:
        if event["e"] == "draw" and event["why"] == "turn":
            assert_type(event["n"], int)
    for action in turn.legal:
        if action["do"] == "play" and action["card"] < 100:
            return action
    turn.view["cards"]  # type: ignore[typeddict-item] # pyright: ignore
    return {"do": "drawn"}  # type: ignore[misc,return-value] # pyright: ignore[reportReturnType]


def index(turn: UnoTurn) -> int:
    return turn.legal.index(turn.rng.choice(turn.legal))


def minesweeper(turn: MinesweeperTurn) -> int:
    assert_type(turn.view["players"], list[MinesweeperPlayer])
    return "".join(turn.view["rows"] or ()).index(".")


class Deep:
    def play(self, turn: UnoTurn) -> UnoAction:
        return turn.legal[0]

    def may(self, turn: UnoTurn) -> UnoAction | None:
        return turn.legal[0] if turn.seat else None


def runs() -> None:
    run(uno)
    run(index)
    run(minesweeper, "minesweeper")
    run(Deep)
    run(Deep())
