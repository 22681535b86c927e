import pytest
from tests.bots.minesweeper.positions import turn
from tests.bots.rooms import fail

from parlour_bots.loading import find
from parlour_bots.minesweeper.exact import Exact
from parlour_bots.play.in_process import play_bots
from parlour_bots.sdk import Turn
from parlour_protocol.messages import Plain

IDLE: Plain = {"found": 0, "bomb": "kept"}


def duel(*rows: str, mines: int, me: Plain = IDLE, other: Plain = IDLE) -> tuple[Plain, str]:
    asked = turn(*rows, mines=mines, mode="duel")
    asked.view["players"] = [me, other]
    return Exact().play(asked)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (turn("1...", mines=1), ({"do": "open", "cells": [[2, 0], [3, 0]]}, "forced")),
        (turn("*1.", mines=1), ({"do": "open", "cells": [[2, 0]]}, "forced")),
        (turn("1F..", mines=1), ({"do": "open", "cells": [[2, 0], [3, 0]]}, "forced")),
        (turn("1F.F", mines=1), ({"do": "seq", "moves": [["unflag", 3, 0], ["open", 3, 0]]}, "forced")),
        (turn(*["." * 9] * 9, mines=10, phase="new"), ({"do": "open", "cells": [[3, 3]]}, "first click")),
    ],
    ids=["all safe cells", "a mine set off", "flags say nothing", "and are taken away where it is safe", "a new board"],
)
def test_one_answer_opens_all_safe_cells(asked: Turn, answer: tuple[Plain, str]) -> None:
    assert Exact().play(asked) == answer


def test_no_answer_is_too_long() -> None:
    action, _ = Exact().play(turn(*["." * 30] * 15, "*" + "." * 29, mines=1))
    assert len(action["cells"]) == 200
    action, _ = Exact().play(turn(*["F" * 30] * 15, "*" + "." * 29, mines=1))
    assert len(action["moves"]) == 64


def test_duel_takes_what_is_certain_and_guesses_else() -> None:
    action, why = duel("A5.", "...", mines=5)
    assert (action, why) == ({"do": "open", "cells": [[2, 0], [0, 1], [1, 1], [2, 1]]}, "certain mines")
    action, why = duel("2.", "B.", mines=2)
    assert (action["do"], why.startswith("guess 0.50")) == ("open", True)


def test_duel_throws_its_bomb_when_it_may() -> None:
    rows, ahead = ["." * 16] * 16, {"found": 3, "bomb": "kept"}
    action, why = duel(*rows, mines=51, me={"found": 1, "bomb": "ready"}, other=ahead)
    assert (action["do"], why.startswith("bomb, finds")) == ("bomb", True)
    assert duel(*rows, mines=51, me={"found": 1, "bomb": "thrown"}, other=ahead)[0]["do"] == "open"


@pytest.mark.parametrize("mode", ["solo", "race", "coop", "duel"])
def test_plays_every_mode_without_a_mistake(mode: str) -> None:
    seats = 1 if mode == "solo" else 3 if mode == "coop" else 2
    match = play_bots([find("exact", "minesweeper")] * seats, 1, fail, {"mode": mode, "no_guess": mode == "coop"})
    assert match.view["phase"] == "over"
    assert mode != "coop" or match.ranks == (1, 1, 1)
