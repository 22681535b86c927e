from tests.bots.minesweeper.positions import turn

from parlour_bots.minesweeper.exact import Exact
from parlour_bots.sdk import Turn
from parlour_protocol.messages import Plain


def duel(*rows: str, mines: int, players: list[Plain]) -> Turn:
    asked = turn(*rows, mines=mines, mode="duel")
    asked.view["players"] = players
    return asked


def test_opens_all_safe_cells_in_one_answer() -> None:
    assert Exact().play(turn("1...", mines=1)) == ({"do": "open", "cells": [[2, 0], [3, 0]]}, "forced")


def test_first_click_of_a_new_board() -> None:
    action, why = Exact().play(turn(*["." * 9] * 9, mines=10, phase="new"))
    assert action == {"do": "open", "cells": [[3, 3]]}
    assert why == "first click"


def test_flags_say_nothing_but_are_taken_away_where_it_is_safe() -> None:
    action, _ = Exact().play(turn("1F.F", mines=1))
    assert action == {"do": "seq", "moves": [["unflag", 3, 0], ["open", 3, 0]]}
    action, _ = Exact().play(turn("1F..", mines=1))
    assert action == {"do": "open", "cells": [[2, 0], [3, 0]]}


def test_mines_set_off_together_are_known() -> None:
    assert Exact().play(turn("*1.", mines=1)) == ({"do": "open", "cells": [[2, 0]]}, "forced")


def test_no_answer_is_too_long() -> None:
    action, _ = Exact().play(turn(*["." * 30] * 15, "*" + "." * 29, mines=1))
    assert len(action["cells"]) == 200
    action, _ = Exact().play(turn(*["F" * 30] * 15, "*" + "." * 29, mines=1))
    assert len(action["moves"]) == 64


def test_one_player_follows_a_game() -> None:
    bot = Exact()
    assert bot.play(turn("1...", mines=1))[0] == {"do": "open", "cells": [[2, 0], [3, 0]]}
    assert bot.play(turn("1.1.", mines=1))[1] == "forced"


def test_duel_takes_what_is_certain() -> None:
    idle = {"found": 0, "bomb": "kept"}
    action, why = Exact().play(duel("A5.", "...", mines=5, players=[idle, idle]))
    assert action == {"do": "open", "cells": [[2, 0], [0, 1], [1, 1], [2, 1]]}
    assert why == "certain mines"


def test_duel_guesses() -> None:
    idle = {"found": 0, "bomb": "kept"}
    action, why = Exact().play(duel("2.", "B.", mines=2, players=[idle, idle]))
    assert action["do"] == "open"
    assert why.startswith("guess 0.50")


def test_duel_throws_its_bomb_when_it_may() -> None:
    rows = ["." * 16] * 16
    behind, ahead = {"found": 1, "bomb": "ready"}, {"found": 3, "bomb": "kept"}
    action, why = Exact().play(duel(*rows, mines=51, players=[behind, ahead]))
    assert action["do"] == "bomb"
    assert why.startswith("bomb, finds")
    behind["bomb"] = "thrown"
    assert Exact().play(duel(*rows, mines=51, players=[behind, ahead]))[0]["do"] == "open"
